"""python3 docs/generate primer SAXPY [--check]: draws the three pictures of docs/learn/gpu_in_ten_minutes.md. With
--check it only lists those that would change.

SAXPY is the program of docs/learn/saxpy, built for the CPU backend. gpu.svg and grid.svg depend only on the constants
below, saxpy.svg on a run of the kernel with one warp.
"""
import argparse
import json
import subprocess
import sys
from typing import List, Sequence

from ladder.pictures.svg import Svg

from .results import ROOT

FOLDER = ROOT / "docs" / "pictures"
STRIDES = (1, 2, 32)
SECTOR_WORDS = 8  # 32 bytes of 4-byte words
BANKS = 32
WIDTH = 760
STYLE = """
text{font-size:13px}.s,.on{font-size:11px}.box{fill:var(--idle);stroke:var(--edge)}
.part{fill:var(--rest);stroke:var(--edge)}.used{fill:var(--mark);stroke:var(--edge)}
.free{fill:var(--idle);stroke:var(--line)}.empty{fill:none;stroke:var(--edge);stroke-dasharray:3 3}
.on{fill:var(--bg)}
"""


def draw_gpu() -> str:
    """Draws the chip and its memory, and one multiprocessor enlarged."""
    d, frame = Svg(), ((WIDTH, 340), "A GPU", (
        "Left: a chip of many equal multiprocessors above one L2 cache, above DRAM. Right: one "
        "multiprocessor with four schedulers, each with registers, 32 FP32 units and a tensor core; "
        "below them one unit that is shared memory of 32 banks and L1 cache."))
    d.text(20, 26, "the chip", "b")
    d.rect(20, 36, 250, 200, "box")
    for i in range(12):
        d.rect(34 + i % 4 * 57, 48 + i // 4 * 40, 50, 32, "used" if i == 3 else "part")
    d.text(145, 181, "… 132 multiprocessors on an H200", "m s")
    d.rect(34, 190, 221, 34, "part")
    d.text(145, 212, "L2 cache, shared by all", "m")
    d.line([(145, 236), (145, 262)], "cell")
    d.rect(20, 262, 250, 54, "box")
    d.text(145, 286, "DRAM: global memory", "m")
    d.text(145, 304, "large, several hundred cycles away", "m s")
    d.line([(255, 48), (330, 36)], "cell")
    d.line([(255, 80), (330, 316)], "cell")
    d.text(330, 26, "one multiprocessor", "b")
    d.rect(330, 36, 410, 280, "box")
    for i in range(4):
        x = 342 + i * 98
        d.rect(x, 48, 92, 136, "part")
        d.text(x + 46, 68, "scheduler", "m b")
        for row, text in enumerate(("1 instruction", "per cycle", "16 384", "registers",
                                    "32 FP32 units", "1 tensor core")):
            d.text(x + 46, 87 + row * 18, text, "m s")
    d.rect(342, 196, 386, 108, "part")
    d.text(535, 218, "shared memory and L1 cache, one unit", "m b")
    d.text(535, 237, "a few dozen cycles away; 32 banks, each 4 bytes wide:", "m s")
    for bank in range(BANKS):
        d.rect(352 + bank * 11.5, 247, 11.5, 26, "free")
    d.text(357, 290, "0", "m s")
    d.text(714, 290, "31", "m s")
    return d.document(*frame, style=STYLE)


def draw_grid() -> str:
    """Draws grid, block, warp and lane, and 20 blocks on a chip that holds 8 at a time."""
    places, blocks = 8, 20
    d, frame = Svg(), ((WIDTH, 330), "Grid, block, warp, lane, and waves of blocks", (
        "Left: a grid of 20 blocks; block 4 enlarged to 8 warps, one warp to 32 lanes. Right: four "
        "multiprocessors hold two blocks each. They run blocks 0 to 7, then 8 to 15, then 16 to 19, "
        "with half of the chip empty."))
    d.text(20, 26, "a grid: 20 blocks", "b")
    for i in range(blocks):
        x, y = 20 + i % 5 * 34, 36 + i // 5 * 26
        d.rect(x, y, 32, 24, "used" if i == 4 else "part")
        d.text(x + 16, y + 16, str(i), "m on" if i == 4 else "m s")
    d.line([(188, 48), (220, 48)], "cell")
    d.text(220, 26, "a block: 8 warps", "b")
    for warp in range(8):
        d.rect(220, 36 + warp * 13, 130, 11, "used" if warp == 7 else "part")
    d.line([(220, 138), (20, 176)], "cell")
    d.line([(350, 138), (350, 176)], "cell")
    for lane in range(32):
        d.rect(20 + lane * 10.3, 176, 10.3, 24, "part")
    d.text(25, 216, "0", "m s")
    d.text(345, 216, "31", "m s")
    d.text(20, 242, "a warp: 32 lanes, one instruction", "b")
    d.text(20, 268, "threadIdx.x = 32 · warp + lane", "s")
    d.text(20, 286, "each thread has its own registers", "s")
    d.text(410, 26, "waves: 4 multiprocessors, 2 blocks on each", "b")
    for place in range(places):
        y = 36 + place * 27 + place // 2 * 8
        if place % 2 == 0:
            d.text(410, y + 31, f"SM {place // 2}", "s")
        for wave in range(-(-blocks // places)):
            block = wave * places + place
            x = 452 + wave * 98
            if block < blocks:
                d.rect(x, y, 94, 24, "used" if block == 4 else "part")
                d.text(x + 47, y + 16, f"block {block}", "m on" if block == 4 else "m s")
            else:
                d.rect(x, y, 94, 24, "empty")
                d.text(x + 47, y + 16, "empty", "m s")
    d.line([(452, 290), (746, 290)], "cell")
    d.text(452, 308, "time →", "s")
    d.text(746, 308, "20 / 8 = 2.5 waves take the time of 3", "e s")
    return d.document(*frame, style=STYLE)


def run_one_warp(program: str, stride: int) -> dict:
    """The writes of one warp: {"stride", "requests", "sectors", "touched": [element, ...]}."""
    command = [program, str(stride), "32", "--touched"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def draw_saxpy(runs: List[dict]) -> str:
    """Draws the sectors that one request of saxpy touches at each stride, and the words that it uses."""
    size, per_row = 44, 16
    descriptions = []
    for run in runs:
        used = 4 * len(run["touched"])
        descriptions.append(f"stride {run['stride']}: {run['sectors']} sectors, "
                    f"{used} of {32 * run['sectors']} bytes used")
    d, frame = Svg(), ((WIDTH, 304), "The sectors of one request of saxpy", (
        "One warp writes y with three strides. " + "; ".join(descriptions) + "."))
    y = 0
    for run, text in zip(runs, descriptions):
        sectors = sorted({element // SECTOR_WORDS for element in run["touched"]})
        if run["requests"] != 1 or len(sectors) != run["sectors"]:
            sys.exit(f"generate: stride {run['stride']}: expected one request of {len(sectors)} sectors, the run "
                     f"counted {run['requests']} of {run['sectors']}")
        d.text(20, y + 26, text, "b")
        for i, sector in enumerate(sectors):
            x, top = 20 + i % per_row * (size + 1), y + 36 + i // per_row * 36
            for word in range(SECTOR_WORDS):
                kind = "used" if sector * SECTOR_WORDS + word in run["touched"] else "free"
                d.rect(x + word * size / SECTOR_WORDS, top, size / SECTOR_WORDS, 24, kind)
            d.rect(x, top, size, 24, "edge")
        y += 36 * -(-len(sectors) // per_row) + 38
    d.text(20, y + 20, "Each outlined box is a sector of 32 bytes, eight floats. Lanes use the filled floats; "
           "the others are moved for nothing.", "s")
    return d.document(*frame, style=STYLE)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="docs/generate primer", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("saxpy", help="the program of docs/learn/saxpy, built for the CPU backend")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a picture would change")
    options = parser.parse_args(arguments)
    try:
        runs = [run_one_warp(options.saxpy, stride) for stride in STRIDES]
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:
        print(f"generate: {options.saxpy} did not print the elements that it touches: {error}", file=sys.stderr)
        return 3
    pictures = {"gpu.svg": draw_gpu(), "grid.svg": draw_grid(), "saxpy.svg": draw_saxpy(runs)}
    changed = 0
    for name, svg in pictures.items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == svg:
            continue
        changed += 1
        print(f"docs/pictures/{name}: {'differs from the run or the generator' if options.check else 'drawn'}")
        if not options.check:
            path.write_text(svg, encoding="utf-8")
    return 1 if options.check and changed else 0
