#!/usr/bin/env python3
"""Draws the three pictures of docs/learn/gpu_in_ten_minutes.md.

  python3 docs/generate/primer.py SAXPY            writes gpu.svg, grid.svg and saxpy.svg beside this file
  python3 docs/generate/primer.py SAXPY --check    writes nothing; 1 if one of them would change

SAXPY is the program of docs/learn/saxpy, built for the CPU backend. What hardware is comes from the constants
below; what the kernel does to memory (saxpy.svg) comes from running it with one warp.
"""
import argparse
import json
import pathlib
import subprocess
import sys
from typing import List

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "pictures"
STRIDES = (1, 2, 32)
SECTOR_WORDS = 8  # 32 bytes of 4-byte words
BANKS = 32
STYLE = """
  .bg { fill: #ffffff } .box { fill: #f6f8fa; stroke: #6e7781 } .part { fill: #dfe4ea; stroke: #6e7781 }
  .used { fill: #0b4fa8; stroke: #6e7781 } .free { fill: #f6f8fa; stroke: #afb8c1 }
  .edge { fill: none; stroke: #1f2328; stroke-width: 1.5 } .line { stroke: #6e7781; fill: none }
  .idle { fill: none; stroke: #6e7781; stroke-dasharray: 3 3 }
  text { fill: #1f2328; font: 13px system-ui, 'DejaVu Sans', sans-serif }
  .small { font-size: 11px; fill: #424a53 } .on { fill: #ffffff; font-size: 11px } .bold { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .bg { fill: #0d1117 } .box { fill: #161b22; stroke: #8b949e } .part { fill: #30363d; stroke: #8b949e }
    .used { fill: #79b8ff; stroke: #8b949e } .free { fill: #161b22; stroke: #484f58 }
    .edge { stroke: #f0f6fc } .line { stroke: #8b949e } .idle { stroke: #8b949e }
    text { fill: #f0f6fc } .small { fill: #c9d1d9 } .on { fill: #0d1117 }
  }"""


class Drawing:
    """An SVG of width x height pixels; title and description are read aloud in its place."""

    def __init__(self, width: int, height: int, title: str, description: str):
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{title}</title>', f'<desc id="desc">{description}</desc>',
            f"<style>{STYLE}\n</style>", f'<rect class="bg" width="{width}" height="{height}"/>']

    def rect(self, kind: str, x: float, y: float, width: float, height: float, radius: int = 0):
        self.lines.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" '
                          f'height="{height:g}" rx="{radius}"/>')

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start"):
        self.lines.append(f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float):
        self.lines.append(f'<path class="line" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>')

    def svg(self) -> str:
        return "\n".join(self.lines + ["</svg>", ""])


def draw_gpu() -> str:
    """The chip and its memory, and one multiprocessor enlarged."""
    d = Drawing(760, 340, "A GPU",
                "Left: a chip of many equal multiprocessors above one L2 cache, above DRAM. Right: one "
                "multiprocessor with four schedulers, each with registers, 32 FP32 units and a tensor core; "
                "below them one unit that is shared memory of 32 banks and L1 cache.")
    d.text(20, 26, "the chip", "bold")
    d.rect("box", 20, 36, 250, 200, 6)
    for i in range(12):
        d.rect("used" if i == 3 else "part", 34 + i % 4 * 57, 48 + i // 4 * 40, 50, 32, 3)
    d.text(145, 181, "… 132 multiprocessors on an H200", "small", "middle")
    d.rect("part", 34, 190, 221, 34, 3)
    d.text(145, 212, "L2 cache, shared by all", "", "middle")
    d.line(145, 236, 145, 262)
    d.rect("box", 20, 262, 250, 54, 6)
    d.text(145, 286, "DRAM: global memory", "", "middle")
    d.text(145, 304, "large, several hundred cycles away", "small", "middle")
    d.line(255, 48, 330, 36)
    d.line(255, 80, 330, 316)
    d.text(330, 26, "one multiprocessor", "bold")
    d.rect("box", 330, 36, 410, 280, 6)
    for i in range(4):
        x = 342 + i * 98
        d.rect("part", x, 48, 92, 136, 3)
        d.text(x + 46, 68, "scheduler", "bold", "middle")
        for row, text in enumerate(("1 instruction", "per cycle", "16 384", "registers",
                                    "32 FP32 units", "1 tensor core")):
            d.text(x + 46, 87 + row * 18, text, "small", "middle")
    d.rect("part", 342, 196, 386, 108, 3)
    d.text(535, 218, "shared memory and L1 cache, one unit", "bold", "middle")
    d.text(535, 237, "some dozen cycles away; 32 banks, each 4 bytes wide:", "small", "middle")
    for bank in range(BANKS):
        d.rect("free", 352 + bank * 11.5, 247, 11.5, 26)
    d.text(357, 290, "0", "small", "middle")
    d.text(714, 290, "31", "small", "middle")
    return d.svg()


def draw_grid() -> str:
    """Grid, block, warp, lane; and how 20 blocks go through 8 places."""
    places, blocks = 8, 20
    d = Drawing(760, 330, "Grid, block, warp, lane, and waves of blocks",
                "Left: a grid of 20 blocks; block 4 enlarged to 8 warps, one warp to 32 lanes. Right: four "
                "multiprocessors with two places each take blocks 0 to 7, then 8 to 15, then 16 to 19 while "
                "half of the places stay empty.")
    d.text(20, 26, "a grid: 20 blocks", "bold")
    for i in range(blocks):
        x, y = 20 + i % 5 * 34, 36 + i // 5 * 26
        d.rect("used" if i == 4 else "part", x, y, 32, 24, 2)
        d.text(x + 16, y + 16, str(i), "on" if i == 4 else "small", "middle")
    d.line(188, 48, 220, 48)
    d.text(220, 26, "a block: 8 warps", "bold")
    for warp in range(8):
        d.rect("used" if warp == 7 else "part", 220, 36 + warp * 13, 130, 11, 2)
    d.line(220, 138, 20, 176)
    d.line(350, 138, 350, 176)
    for lane in range(32):
        d.rect("part", 20 + lane * 10.3, 176, 10.3, 24)
    d.text(25, 216, "0", "small", "middle")
    d.text(345, 216, "31", "small", "middle")
    d.text(20, 242, "a warp: 32 lanes, one instruction", "bold")
    d.text(20, 268, "threadIdx.x = 32 · warp + lane", "small")
    d.text(20, 286, "each thread has registers of its own", "small")
    d.text(410, 26, "waves: 4 multiprocessors with 2 places each", "bold")
    for place in range(places):
        y = 36 + place * 27 + place // 2 * 8
        if place % 2 == 0:
            d.text(410, y + 31, f"SM {place // 2}", "small")
        for wave in range(-(-blocks // places)):
            block = wave * places + place
            x = 452 + wave * 98
            if block < blocks:
                d.rect("used" if block == 4 else "part", x, y, 94, 24, 2)
                d.text(x + 47, y + 16, f"block {block}", "on" if block == 4 else "small", "middle")
            else:
                d.rect("idle", x, y, 94, 24, 2)
                d.text(x + 47, y + 16, "empty", "small", "middle")
    d.line(452, 290, 746, 290)
    d.text(452, 308, "time →", "small")
    d.text(746, 308, "20 / 8 = 2.5 waves take the time of 3", "small", "end")
    return d.svg()


def run_one_warp(program: str, stride: int) -> dict:
    """What one warp wrote: {"stride", "requests", "sectors", "touched": [element, ...]}."""
    command = [program, str(stride), "32", "--touched"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def draw_saxpy(runs: List[dict]) -> str:
    """The sectors that one request of saxpy touches, by stride, with the words it uses."""
    size, per_row = 44, 16
    said = []
    for run in runs:
        used = 4 * len(run["touched"])
        said.append(f"stride {run['stride']}: {run['sectors']} sectors, "
                    f"{used} of {32 * run['sectors']} bytes used")
    d = Drawing(760, 304, "The sectors of one request of saxpy",
                "One warp writes y with three strides. " + "; ".join(said) + ".")
    y = 0
    for run, text in zip(runs, said):
        sectors = sorted({element // SECTOR_WORDS for element in run["touched"]})
        if run["requests"] != 1 or len(sectors) != run["sectors"]:
            sys.exit(f"primer.py: one request of {len(sectors)} sectors is expected, the run counted "
                     f"{run['requests']} and {run['sectors']}")
        d.text(20, y + 26, text, "bold")
        for i, sector in enumerate(sectors):
            x, top = 20 + i % per_row * (size + 1), y + 36 + i // per_row * 36
            for word in range(SECTOR_WORDS):
                kind = "used" if sector * SECTOR_WORDS + word in run["touched"] else "free"
                d.rect(kind, x + word * size / SECTOR_WORDS, top, size / SECTOR_WORDS, 24)
            d.rect("edge", x, top, size, 24)
        y += 36 * -(-len(sectors) // per_row) + 38
    d.text(20, y + 20, "Each outlined box is a sector of 32 bytes, eight floats. Filled floats are used by a "
           "lane, the others travel for nothing.", "small")
    return d.svg()


def main() -> int:
    parser = argparse.ArgumentParser(description="Draws the pictures of docs/learn/gpu_in_ten_minutes.md.")
    parser.add_argument("saxpy", help="the program of docs/learn/saxpy, built for the CPU backend")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a picture would change")
    options = parser.parse_args()
    try:
        runs = [run_one_warp(options.saxpy, stride) for stride in STRIDES]
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:
        print(f"primer.py: {options.saxpy} did not say what it touches: {error}", file=sys.stderr)
        return 3
    pictures = {"gpu.svg": draw_gpu(), "grid.svg": draw_grid(), "saxpy.svg": draw_saxpy(runs)}
    changed = 0
    for name, svg in pictures.items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == svg:
            continue
        changed += 1
        print(f"{path.name}: {'differs from the run or the generator' if options.check else 'drawn'}")
        if not options.check:
            path.write_text(svg, encoding="utf-8")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
