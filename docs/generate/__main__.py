#!/usr/bin/env python3
"""Fills the marked parts of the pages and draws the plots in docs/pictures from docs/results, so that nobody types numbers.

  python3 docs/generate            rewrites files that differ
  python3 docs/generate --check    changes nothing; exit code 1 if a file differs from the data, 2 for unusable data
  python3 docs/generate answers [LESSON...] [--check]    the answers of the exercises, from runs of their edits
  python3 docs/generate primer SAXPY [--check]           the pictures of docs/learn/gpu_in_ten_minutes.md, from a run

A part lies between <!-- generated:KIND ARGUMENT --> and <!-- /generated -->:
  ladder           a table of lessons: fills the last two cells of its head and of each lesson's row, with figures at 4096
  measured         in a lesson's README: its speed at every size
  profile          in a lesson's README: Nsight Compute's figures of the previous lesson and of this one
  picture NAME     in a lesson's README: docs/pictures/LESSON/NAME.svg with its description
  strides LESSON   the effect of row strides on L1 in 00_naive or 01_shared_tile, see generate/strides.py
  plot NAME        docs/pictures/NAME.svg with its description: share, speed, roofline, accuracy, share_beyond, speed_beyond
  gpus             each lesson's speedup and share of the best of cuBLAS, on each GPU
  errors           in lesson 08: errors of the FP32 and the half lesson, from docs/results/errors.json
  accuracy         in lesson 15: errors and speed of all ways to multiply floats, from the same file
  variants         in a lesson's README: speeds of the lesson and its measured variants, from docs/results/variants-h200.json
  graphs           times of small sizes call by call and in a CUDA graph, from graphs-h100.json or, with H200, graphs-h200.json
  hardware, openblas, source NAME    in docs/: see generate/background.py
  file PATH        a file's text between its lines "// readme: begin" and "// readme: end", or all of it
  terms [all]      the targets of the page's links to docs/learn/glossary.md; all: also links the first use of each term
A run of an older gemm.cu counts as not measured. If a file of results is missing, its parts say "not measured". If one is
damaged, the program reports it and writes nothing.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT / "docs"), str(ROOT / "common")]

from generate import answers, background, errors, pages, plots, primer, profile, strides, tables, terms  # noqa: E402
from generate.results import BEYOND, Trouble, cards, load_runs, read  # noqa: E402
from ladder.pictures import gallery  # noqa: E402

KINDS = {**tables.KINDS, **background.KINDS, **profile.KINDS, **plots.KINDS, **errors.KINDS, **strides.KINDS,
         **terms.KINDS}


def make_all():
    """The new text of every page and plot: {path: text}."""
    for name in cards().values():
        read(name)  # Trouble if a card's file is damaged, whether a page shows it or not
    runs, beyond = load_runs("h200.json"), load_runs(cards()[BEYOND])
    made = {path: pages.fill(path, beyond if ROOT / "beyond" in path.parents else runs, KINDS) for path in pages.pages()}
    for name, draw in plots.PLOTS.items():
        made[plots.PICTURES / f"{name}.svg"] = draw(beyond if name.endswith("_beyond") else runs).svg
    return made


def old_text(path):
    """The present text, "" if there is no such file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def main(arguments):
    if arguments[:1] == ["answers"]:
        return answers.main(arguments[1:])
    if arguments[:1] == ["primer"]:
        return primer.main(arguments[1:])
    parser = argparse.ArgumentParser(prog="docs/generate", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    options = parser.parse_args(arguments)
    try:
        made = make_all()
    except Trouble as trouble:
        print(f"generate: {trouble}", file=sys.stderr)
        return 2
    differ = {path: text for path, text in made.items() if old_text(path) != text}
    for path, text in differ.items():
        missing = "is missing: python3 docs/generate writes it" if not path.exists() else "differs from the data"
        print(f"{path.relative_to(ROOT)}: {missing if options.check else 'written'}")
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    stale = gallery.stale_pictures() if options.check else []
    for lesson, name in stale:
        print(f"docs/pictures/{lesson}/{name}.svg: gemm.cu or the generator has changed; run ./ladder picture --all")
    return 1 if options.check and (differ or stale) else 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(f"generate: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(3)
