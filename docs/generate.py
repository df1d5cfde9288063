#!/usr/bin/env python3
"""Fills the marked parts of the READMEs from docs/results/h200.json, so that no figure is typed.

  python3 docs/generate.py            rewrites them
  python3 docs/generate.py --check    changes nothing; 1 if a part or the figure is not what the data says
  python3 docs/generate.py --figure   also draws docs/figures/ladder.svg (needs matplotlib)

A part stands between <!-- generated:KIND ARGUMENT --> and <!-- /generated -->:
  ladder      table rows that link to a lesson: the last two cells get its figures at 4096
  measured    in a lesson's README: its speed at every size
  errors      in lesson 08: errors of the FP32 and the half lesson, from docs/results/errors.json
  variants    in lesson 07: what each part of it brings, from docs/results/variants.json
  picture NAME  in a lesson's README: docs/pictures/LESSON/NAME.svg, with what is seen in words
  strides     in 00 and 01: what row strides do to L1, see strides.py
  hardware, openblas, seed NUMBER   in docs/: see parts.py
  file PATH   what a file has between its lines "// readme: begin" and "// readme: end", or all
A run of an older source than the lesson's present gemm.cu counts as not measured.
"""
import argparse
import hashlib
import json
import pathlib
import re
import sys

import parts
import strides

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "common"))
from ladder.pictures import gallery  # noqa: E402

RESULTS = ROOT / "docs" / "results" / "h200.json"
VARIANTS = RESULTS.with_name("variants.json")  # of tests/variants/variants.cmake, one run on the H200
FIGURE = ROOT / "docs" / "figures" / "ladder.svg"
ERRORS = RESULTS.with_name("errors.json")  # printed by tests/error_table.cu
PART = re.compile(r"(<!-- generated:(\w+)(?: (\S+))? -->\n)(.*?)(<!-- /generated -->)", re.S)
NOT_MEASURED = "not measured"


def lessons():
    return sorted(file.parent.name for file in ROOT.glob("[0-9][0-9]_*/gemm.cu"))


def load_runs():
    """Runs by (lesson, M, N, K, beta); stale ones are left out and named on stderr."""
    if not RESULTS.exists():
        return {}
    runs = {}
    stale = set()
    for run in json.loads(RESULTS.read_text())["runs"]:
        source = ROOT / run["lesson"] / "gemm.cu"
        if (not source.exists() or
                hashlib.sha256(source.read_bytes()).hexdigest()[:16] != run["source_hash"]):
            stale.add(run["lesson"])
            continue
        runs[run["lesson"], run["M"], run["N"], run["K"], run["beta"]] = run
    for lesson in sorted(stale):
        print(f"{RESULTS.name}: {lesson} was measured before its last edit", file=sys.stderr)
    return runs


def number(value):
    """Three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def percent(run):
    if not run.get("baseline_tflops"):
        return "–"
    share = 100 * run["tflops"] / run["baseline_tflops"]
    return f"{share:.0f} %" if share >= 10 else f"{share:.1f} %"


def ladder(text, runs, **_):
    """The table of lessons with the last two cells of each row filled in."""
    lines = []
    for line in text.splitlines():
        link = re.match(r"\| \[(\w+)\]", line)
        if link:
            run = runs.get((link[1], 4096, 4096, 4096, 0))
            cells = line.strip(" |").split(" | ")
            cells[-2:] = [number(run["tflops"]), percent(run)] if run else [NOT_MEASURED] * 2
            line = "| " + " | ".join(cells) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def measured(_, runs, lesson, **__):
    """One row a problem: time, speed, share of cuBLAS, factor over the rung below."""
    names = lessons()
    index = names.index(lesson)
    below = names[index - 1] if index else None
    own = [run for key, run in runs.items() if key[0] == lesson]
    if not own:
        return "Not measured.\n"
    rows = ["| M × N × K | ms | TFLOP/s | of cuBLAS |" + (f" against {below[:2]} |" if below else ""),
            "|---|---|---|---|" + ("---|" if below else "")]
    for run in own:
        size = [run[name] for name in "MNK"]
        title = f"{size[0]}³" if len(set(size)) == 1 else " × ".join(map(str, size))
        if run["beta"]:
            title += f", β = {run['beta']:g}"
        row = f"| {title} | {run['ms']['median']:.3g} | {number(run['tflops'])} | {percent(run)} |"
        if below:
            other = runs.get((below, *size, run["beta"]))
            row += f" {run['tflops'] / other['tflops']:.2f}× |" if other else " – |"
        rows.append(row)
    return "\n".join(rows) + "\n"


def errors(*_, **__):
    """One row a depth: the largest error of both lessons."""
    if not ERRORS.exists():
        return "Not measured.\n"
    rows = ["| K | FP32 inputs (07) | half inputs, FP32 sums (08) | ratio |", "|---|---|---|---|"]
    for row in json.loads(ERRORS.read_text())["rows"]:
        ratio = row["half"] / row["fp32"]
        rows.append(f"| {row['K']} | {row['fp32']:.1e} | {row['half']:.1e} | {ratio:.0f} |")
    return "\n".join(rows) + "\n"


def variants(*_, **__):
    """One row a variant: its speed, and in brackets its ratio to cuBLAS in the same process."""
    table = {}
    for row in json.loads(VARIANTS.read_text())["rows"]:
        size = f"{row['M']} × {row['N']} × {row['K']}"
        ratio = row["tflops"] / row["baseline_tflops"]
        table.setdefault(row["text"], {})[size] = f"{row['tflops']:.1f} ({ratio:.2f})"
    sizes = list(next(iter(table.values())))
    rows = ["| TFLOP/s (of cuBLAS) | " + " | ".join(sizes) + " |", "|---" * (len(sizes) + 1) + "|"]
    rows += [f"| {text} | " + " | ".join(cells[size] for size in sizes) + " |"
             for text, cells in table.items()]
    return "\n".join(rows) + "\n"


def file(_, argument, **__):
    path = ROOT / argument
    text = path.read_text()
    marked = re.search(r"// readme: begin\n(.*?)[ \t]*// readme: end", text, re.S)
    return f"```{'python' if path.suffix == '.py' else 'cpp'}\n{(marked[1] if marked else text).strip()}\n```\n"


KINDS = {"ladder": ladder, "measured": measured, "errors": errors, "variants": variants,
         "file": file, "picture": gallery.part, "strides": strides.part, **parts.KINDS}


def fill(path, runs):
    """The text of path with its parts made anew."""
    def part(match):
        kind = match[2]
        if kind not in KINDS:
            sys.exit(f"{path.relative_to(ROOT)}: unknown part 'generated:{kind}'")
        new = KINDS[kind](match[4], runs=runs, argument=match[3], lesson=path.parent.name)
        return match[1] + new + match[5]
    return PART.sub(part, path.read_text())


def bars_of(runs):
    """{lesson: TFLOP/s as the figure shows it}"""
    return {name: number(runs[name, 4096, 4096, 4096, 0]["tflops"]) for name in lessons()
            if (name, 4096, 4096, 4096, 0) in runs}


def description(runs):
    """What the figure says of itself, so that it can be checked without being drawn."""
    return ", ".join(f"{name} {speed}" for name, speed in bars_of(runs).items())


def draw(runs):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    names = list(bars_of(runs))
    if not names:
        sys.exit("nothing measured at 4096: no figure")
    speeds = [runs[name, 4096, 4096, 4096, 0]["tflops"] for name in names]
    plt.rcParams["svg.hashsalt"] = "gemm-ladder"
    figure, axes = plt.subplots(figsize=(8, 4))
    bars = axes.barh(names, speeds, color="#4c78a8")
    axes.bar_label(bars, bars_of(runs).values(), padding=3)
    axes.set(xscale="log", xlabel="TFLOP/s at M = N = K = 4096 on one NVIDIA H200 (log scale)")
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None, "Description": description(runs)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, report differences")
    parser.add_argument("--figure", action="store_true", help="also draw docs/figures/ladder.svg")
    options = parser.parse_args()
    runs = load_runs()
    paths = [ROOT / "README.md", *sorted(ROOT.glob("[0-9][0-9]_*/README.md")),
             *sorted(ROOT.glob("docs/*.md"))]
    differ = 0
    for path in paths:
        new = fill(path, runs)
        if new == path.read_text():
            continue
        differ += 1
        print(f"{path.relative_to(ROOT)}: {'differs from the data' if options.check else 'filled'}")
        if not options.check:
            path.write_text(new)
    for lesson, name in gallery.stale_pictures() if options.check else ():
        differ += 1
        print(f"docs/pictures/{lesson}/{name}.svg: of another gemm.cu or generator; "
              "./ladder picture --all draws it")
    if options.figure:
        draw(runs)
    elif FIGURE.exists() and description(runs) not in FIGURE.read_text():
        differ += 1
        print(f"{FIGURE.relative_to(ROOT)}: differs from the data; --figure draws it (matplotlib)")
    return 1 if options.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
