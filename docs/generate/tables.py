"""Parts from speed runs. Each function gets the part's old text and by name the H200's runs (in beyond/ those of BEYOND),
argument (the word after the part's kind), lesson (the page's folder), and the page's text and path. It returns the
part's new text."""
import math
import pathlib
import re
from typing import Dict, List, Optional

from ladder.lessons import copies, find

from .results import (BEYOND, CUBE, NOT_MEASURED, OF_BEST, OF_CUBLAS, ROOT, Run, Runs, Trouble, after, below_of, cards,
                      current_rows, lessons, link, load_runs, number, percent, read, share, share_of_choice, short,
                      size_title, speed, table)

NO_SHARE = ((256, 256, 256), (512, 512, 512))  # cuBLAS takes microseconds there, up to 40 % more in some processes
MEANING = ROOT / "docs" / "learn" / "questions.md"  # explains OF_CUBLAS and OF_BEST
ANCHOR = "#what-does-of-the-best-of-cublas-mean"


def ladder(text: str, runs: Runs, **_) -> str:
    """The table of lessons. Fills the last two cells of its head and of each row."""
    lines = []
    for line in text.splitlines():
        row = re.match(r"\| (?:lesson|\[(\w+)\])", line)
        if row:
            run = runs.get((row[1], *CUBE, 0))
            cells = line.strip(" |").split(" | ")
            cells[-2:] = (["TFLOP/s", OF_BEST] if not row[1] else
                          [speed(run["tflops"]), percent(share(run))] if run else [NOT_MEASURED] * 2)
            line = "| " + " | ".join(cells) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


def measured(_, runs: Runs, lesson: str, path: pathlib.Path, **__) -> str:
    """One row per problem: time, speed, shares of cuBLAS and of its best (not at NO_SHARE), speedup over the previous
    lesson. For the nine, only cubes and sizes that fit no tile."""
    lesson, card = find(lesson).folder, BEYOND if find(lesson).beyond else ""
    below = below_of(lesson)
    if card and not any(key[0] == lesson for key in runs):
        card, runs = "H200", load_runs(cards()["H200"])
    own = [run for key, run in runs.items() if key[0] == lesson]
    if not own:
        return "Not measured.\n"
    rows = []
    for run in own:
        size = [run[name] for name in "MNK"]
        if not card and not all(n % 8 for n in size) and (len(set(size)) > 1 or run["beta"]):
            continue
        title = size_title(size) + (f", β = {run['beta']:g}" if run["beta"] else "")
        hidden = tuple(size) in NO_SHARE
        row = [title, number(run["ms"]["median"]), speed(run["tflops"]),
               percent(None if hidden else share_of_choice(run)),
               percent(None if hidden or not run.get("best_tflops") else share(run))]
        if below:
            row.append(factor(run, runs.get((below, *size, run["beta"]))))
        rows.append(row)
    head = ["M × N × K" + (f" ({card})" if card else ""), "ms", "TFLOP/s", OF_CUBLAS,
            f"[{OF_BEST}]({link(MEANING, path)}{ANCHOR})"]
    head += [f"against {short(below)[:2]}"] if below else []
    return table(head, rows) + (f"\nThese runs are of an earlier `gemm.cu`; the present one {present([lesson])}.\n"
                                if own[0].get("earlier") else "")


def shapes(_, runs: Runs, argument: str, **__) -> str:
    """One row per shape, one column per lesson of after(): its share of the best of cuBLAS in the same process. Leaves out
    256³, where both wait for the host, and marks 512³ as uncertain. argument: one of cards(), BEYOND by default."""
    names = after()
    runs = load_runs(cards()[argument]) if argument else runs
    keys = list(dict.fromkeys(key[1:] for key in runs if key[0].startswith("beyond/") and key[4] == 0
                              and key[1:4] != (256, 256, 256)))
    if not keys:
        return "Not measured.\n"
    rows = [[size_title(list(key[:3])) + (" (uncertain)" if key[:3] in NO_SHARE else ""),
             *(ratio(share(runs.get((name, *key)))) for name in names)]
            for key in sorted(keys, key=lambda key: (len(set(key[:3])) > 1, key))]
    means = []
    for name in names:
        found = [share(runs.get((name, *key))) for key in keys]
        means.append(ratio(math.prod(found) ** (1 / len(found)) if all(found) else None))
    earlier = {key[0] for key, run in runs.items() if run.get("earlier")}
    head = [short(name)[:2] + ("\\*" if name in earlier else "") for name in names]
    return table([f"M × N × K ({argument or BEYOND})", *head], [*rows, ["geometric mean", *means]]) + (
        f"\n\\* an earlier `gemm.cu`; the present one {present(sorted(earlier))}.\n"
        if earlier else "")


def present(names: List[str]) -> str:
    """Says on which cards the present texts of these lessons were measured for the tables."""
    found = [gpu for gpu, name in cards().items() for runs in [load_runs(name)]
             if all((run := runs.get((each, *CUBE, 0))) and not run.get("earlier") for each in names)]
    return f"was measured on an {' and an '.join(found)}" if found else "is not in this table"


def graphs(*_, argument: str, **__) -> str:
    """Small cubes: microseconds of a call and its ratio to the best of cuBLAS, call by call and in a CUDA graph. Marks the
    rows of older sources. argument: one of cards(), BEYOND by default."""
    name = f"graphs-{cards()[argument or BEYOND]}"
    rows = (read(name) or {"runs": []})["runs"]
    if not rows:
        return "Not measured.\n"
    now = current_rows(name, rows)
    head = ["lesson", "M × N × K", "call by call, µs", "in a graph, µs", OF_BEST, f"{OF_BEST}, both in graphs"]
    cells = [[short(row["lesson"])[:2] + ("" if row in now else "\\*"), size_title([row[key] for key in "MNK"]),
              f"{row['us']:.1f}", f"{row['graph_us']:.1f}", ratio(row["best_us"] / row["us"]),
              ratio(row["graph_best_us"] / row["graph_us"])] for row in rows]
    return table(head, cells) + ("\n\\* an earlier `gemm.cu`.\n" if len(now) < len(rows) else "")


def ratio(part: Optional[float]) -> str:
    return "–" if part is None else f"{part:.2f}"


def factor(run: Optional[Run], below: Optional[Run], missing: str = "–") -> str:
    return f"{run['tflops'] / below['tflops']:.2f}×" if run and below else missing


def gpus(*_, path: pathlib.Path, **__) -> str:
    """One row per lesson: its speedup over the previous one and its share of the best of cuBLAS, on each GPU."""
    sources = {gpu: load_runs(name) for gpu, name in cards().items()}
    rows = []
    names = lessons()
    for below, name in zip([None, *names], names):
        row = [f"[{name}]({link(ROOT / name, path)}/README.md)"]
        for found in sources.values():
            run = found.get((name, *CUBE, 0))
            row.append(factor(run, found.get((below, *CUBE, 0)), NOT_MEASURED) if below else "–")
        row += [percent(share(found.get((name, *CUBE, 0))), NOT_MEASURED) for found in sources.values()]
        rows.append(row)
    return table(["lesson", *(f"step, {gpu}" for gpu in sources), *(f"{OF_BEST}, {gpu}" for gpu in sources)], rows)


def programs(lesson: str) -> Dict[str, str]:
    """The programs of a lesson and its measured variants, as on_gpu.sh runs them, with descriptions."""
    return {lesson: "the lesson", **{
        f"{lesson}.{each.name}": each.what for each in copies.table(copies.VARIANTS)
        if "measured" in each.marks and each.lessons == find(lesson).number}}


def variants(_, lesson: str, **__) -> str:
    """One row per measured variant of the lesson: its speed and, not at NO_SHARE, in parentheses its ratio to cuBLAS in the
    same process."""
    data = read("variants-h200.json")
    if data is None:
        return "Not measured.\n"
    sizes = list(dict.fromkeys((row["M"], row["N"], row["K"]) for row in data["rows"]))
    cells = {(row["variant"], row["M"], row["N"], row["K"]): f"{row['tflops']:.1f}" + (
        "" if (row["M"], row["N"], row["K"]) in NO_SHARE else f" ({row['tflops'] / row['baseline_tflops']:.2f})")
        for row in data["rows"]}
    return table([f"TFLOP/s ({OF_CUBLAS})", *map(size_title, sizes)],
                 [[what, *(cells.get((program, *size), NOT_MEASURED) for size in sizes)]
                  for program, what in programs(lesson).items()])


def file(_, argument: str, **__) -> str:
    """A file of the repository, or the text between its two marks."""
    path = ROOT / (argument or "")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise Trouble(f"the file '{argument}' of a generated part cannot be read") from None
    marked = re.search(r"// readme: begin\n(.*?)[ \t]*// readme: end", text, re.S)
    return f"```{'python' if path.suffix == '.py' else 'cpp'}\n{(marked[1] if marked else text).strip()}\n```\n"


KINDS = {"ladder": ladder, "measured": measured, "shapes": shapes, "gpus": gpus, "variants": variants,
         "graphs": graphs, "file": file}
