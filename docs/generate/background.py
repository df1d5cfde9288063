"""Parts of the background pages: tables of hardware, of other texts' figures beside ours, and of OpenBLAS. The functions
have the parameters of those in tables.py."""
import pathlib
from typing import Dict, List, Optional

from .results import NOT_MEASURED, ROOT, Trouble, link, number, read, size_title, table


def needed(name: str) -> dict:
    """Reads a file of docs/results that must exist, since it is no measurement."""
    data = read(name)
    if data is None:
        raise Trouble(f"docs/results/{name}: there is no such file")
    return data


def hardware(*_, **__) -> str:
    """One row per figure, one column per compute capability."""
    data = needed("hardware.json")

    def cards(value) -> List[str]:
        return ["–" if card is None else value(card) for card in data["cards"]]

    rows = [[name, *map(str, data[key]), "G"] for name, key in (
        ("resident warps per multiprocessor", "warps"), ("resident blocks per multiprocessor", "blocks"),
        ("32-bit registers per multiprocessor", "registers"), ("shared memory and L1 per multiprocessor, KB", "l1_kb"),
        ("… of it shared memory, at most, KB", "shared_sm_kb"),
        ("… for one block, at most, KB", "shared_block_kb"))]
    rows += [
        ["example card", *cards(lambda c: c["name"]), ""],
        ["multiprocessors", *cards(lambda c: str(c["sms"])), "D"],
        ["FP32 units per multiprocessor", *cards(lambda c: str(c["cores"])), "D"],
        ["clock, MHz", *cards(lambda c: str(c["sm_mhz"])), "D"],
        ["L2, MB", *cards(lambda c: f"{c['l2_bytes'] / 2 ** 20:g}"), "D"],
        ["FP32 peak, TFLOP/s",
         *cards(lambda c: f"{2e-6 * c['sms'] * c['cores'] * c['sm_mhz']:.1f}"), "2 · units · clock"],
        ["DRAM, GB/s", *cards(lambda c: f"{2e-3 * c['memory_mhz'] * c['bus_bits'] / 8:.0f}"),
         "D: 2 · memory clock · bus / 8"]]
    return table(["", *(f"sm_{c.replace('.', '')}" for c in data["guide"]), "source"], rows)


def ours(row: dict, text: dict, runs: Dict[tuple, dict]) -> Optional[float]:
    """Our figure for a row of another text, in that text's unit; None if there is none."""
    key = (*row.get("size", text.get("size")), text.get("beta", 0))
    if row["lesson"] == "cublas":  # the median over processes, one per lesson
        found = sorted(run["baseline_tflops"] for k, run in runs.items()
                       if k[1:] == key and run.get("baseline") == "cublasSgemm")
        return found[len(found) // 2] if found else None
    run = runs.get((row["lesson"], *key))
    if run is None:
        return None
    return 1e3 * run["ms"]["median"] if text.get("unit") == "us" else run["tflops"]


def source(_, runs, argument, path: pathlib.Path, **__) -> str:
    """The figures of the text ARGUMENT beside ours."""
    texts = needed("sources.json")
    if argument not in texts:
        raise Trouble(f"docs/results/sources.json: has no '{argument}'")
    data = texts[argument]
    unit = data["theirs"].split(" ")[0]
    rows = []
    for row in data["rows"]:
        size = row.get("size", data.get("size"))
        title = size_title(size)
        if "variant" in row:
            lesson, figure = f"`{row['variant']}`", NOT_MEASURED
        elif row["lesson"] is None:
            lesson, figure = "no such lesson", "–"
        else:
            value = ours(row, data, runs)
            figure = NOT_MEASURED if value is None else number(value)
            lesson = "cuBLAS" if row["lesson"] == "cublas" else f"[{row['lesson']}]({link(ROOT / row['lesson'], path)}/README.md)"
        rows.append([row["text"], title, number(row["theirs"]), lesson, figure])
    return table(["what", "M × N × K", data["theirs"], "ours", f"{unit} on an H200"], rows)


def openblas(*_, **__) -> str:
    """One row per size: the best of many repetitions, with one thread and with all."""
    data = read("openblas-cpu.json")
    if data is None:
        return "Not measured.\n"
    sizes: Dict[tuple, Dict[int, dict]] = {}
    for run in data["runs"]:
        sizes.setdefault((run["M"], run["N"], run["K"]), {})[run["threads"]] = run
    rows = []
    for size, by_threads in sizes.items():
        title = size_title(size)
        most = by_threads[max(by_threads)]
        rows.append([title, *(number(by_threads[t]["gflops"]) for t in sorted(by_threads)),
                     number(most["ms"]["best"]), number(most["ms"]["median"]), str(most["repetitions"])])
    threads = sorted({run["threads"] for run in data["runs"]})
    head = ["M × N × K", *(f"GFLOP/s, {t} thread{'s' if t > 1 else ''}" for t in threads), "best, ms",
            "median, ms", "repetitions"]
    return table(head, rows)


KINDS = {"hardware": hardware, "source": source, "openblas": openblas}
