#!/usr/bin/env python3
"""Fills the marked parts of the pages and draws the plots of docs/pictures from docs/results, so that no number is typed.

  python3 docs/generate            rewrites what differs
  python3 docs/generate --check    changes nothing; 1 if something differs from the data, 2 if it cannot be used
  python3 docs/generate answers [LESSON...] [--check]    the answers of the exercises, from runs of their edits
  python3 docs/generate primer SAXPY [--check]           the pictures of docs/learn/gpu_in_ten_minutes.md, from a run

A part stands between <!-- generated:KIND ARGUMENT --> and <!-- /generated -->:
  ladder           table rows that link to a lesson: the last two cells get its figures at 4096, and their head
  measured         in a lesson's README: its speed at every size
  profile          in a lesson's README: what Nsight Compute measured before and after it
  picture NAME     in a lesson's README: docs/pictures/LESSON/NAME.svg, with what is seen in words
  strides LESSON   what row strides do to L1 in 00_naive or 01_shared_tile, see generate/strides.py
  plot NAME        docs/pictures/NAME.svg (share, speed, roofline, accuracy, share_beyond, speed_beyond), described
  gpus             each rung's step and share of the best of cuBLAS, on each GPU
  errors           in lesson 08: errors of the FP32 and the half lesson, from docs/results/errors.json
  accuracy         in lesson 15: errors and speed of all ways to multiply floats, from there, too
  variants         in a lesson's README: it and its measured variants, from docs/results/variants.json
  worth VARIANT    in a lesson's README: what a measured variant of it brings, in a sentence, from there
  hardware, openblas, source NAME    in docs/: see generate/background.py
  file PATH        what a file has between its lines "// readme: begin" and "// readme: end", or all
  terms [all]      where the page's links to docs/learn/glossary.md lead; all: the first use of each term becomes one
A run of an older source than the lesson's present gemm.cu counts as not measured. Where a file of results is not
there, the parts say "not measured"; one that is damaged is told, and nothing is written.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT / "docs"), str(ROOT / "common")]

from generate import answers, background, errors, pages, plots, primer, profile, strides, tables, terms  # noqa: E402
from generate.results import Trouble, load_runs  # noqa: E402
from ladder.pictures import gallery  # noqa: E402

KINDS = {**tables.KINDS, **background.KINDS, **profile.KINDS, **plots.KINDS, **errors.KINDS, **strides.KINDS,
         **terms.KINDS}


def make_all():
    """{path: new text} of every page and plot."""
    runs = load_runs("h200.json")
    made = {path: pages.fill(path, runs, KINDS) for path in pages.pages()}
    for name, draw in plots.PLOTS.items():
        made[plots.PICTURES / f"{name}.svg"] = draw(runs).svg
    return made


def old_text(path):
    """"" where there is no such file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def main(words):
    if words[:1] == ["answers"]:
        return answers.main(words[1:])
    if words[:1] == ["primer"]:
        return primer.main(words[1:])
    parser = argparse.ArgumentParser(prog="docs/generate", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    options = parser.parse_args(words)
    try:
        made = make_all()
    except Trouble as trouble:
        print(f"generate: {trouble}", file=sys.stderr)
        return 2
    differ = {path: text for path, text in made.items() if old_text(path) != text}
    for path, text in differ.items():
        missing = "is missing: python3 docs/generate makes it" if not path.exists() else "differs from the data"
        print(f"{path.relative_to(ROOT)}: {missing if options.check else 'made anew'}")
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    stale = gallery.stale_pictures() if options.check else []
    for lesson, name in stale:
        print(f"docs/pictures/{lesson}/{name}.svg: of another gemm.cu or generator; ./ladder picture --all draws it")
    return 1 if options.check and (differ or stale) else 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(f"generate: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(3)
