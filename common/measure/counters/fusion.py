#!/usr/bin/env python3
"""fusion.py [--check] [LESSON...]: finds the width of nvcc's loads from each shared array of a lesson, by its PTX
(needs no GPU). Writes docs/results/fusion.csv, by which ./ladder explain counts; --check compares instead. Exit codes:
0 done, 1 something differs, 2 usage error or nvcc failed, 77 no nvcc."""
import csv
import io
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Dict, List, Set

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from ladder.explaining.widths import FILE  # noqa: E402
from ladder.lessons import ROOT, code_hash  # noqa: E402

BYTES = {"8": 1, "16": 2, "32": 4, "64": 8}
# Instructions whose result belongs to the same array as the address in their operands. Loads are not among them.
CARRIES = re.compile(r"(@!?%p\d+ )?(mov|cvta?|add|sub|mad|mul|shl|or|xor|and|selp|prmt|bfi)[.\d a-z]* ")


def array_name(symbol: str) -> str:
    """The array's name in the source, which is the last part of a mangled local name such as _ZZ...E2As."""
    parts = re.search(r"E(\d+)([A-Za-z_]\w*?)(_\d+)?$", symbol)
    return parts.group(2)[:int(parts.group(1))] if parts else symbol


def widest_loads(ptx: str) -> Dict[str, int]:
    """{array: widest load in bytes} over all kernels. The function tracks through the registers, including loops, which
    array an address belongs to."""
    symbols = set(re.findall(r"\.shared \.align \d+ \.b8 (\w+)\[", ptx))
    dynamic = set(re.findall(r"\.extern \.shared \.align \d+ \.b8 (\w+)\[", ptx))
    widest: Dict[str, int] = {}
    for body in re.split(r"^\.visible|^\.entry|^\.weak", ptx, flags=re.M)[1:]:
        code = [line.strip() for line in body.splitlines()]
        belongs: Dict[str, Set[str]] = {name: {name} for name in symbols | dynamic}
        grown = True
        while grown:
            grown = False
            for line in code:
                if not CARRIES.match(line):
                    continue
                target, *sources = re.findall(r"%\w+|\b_Z\w+|\b[A-Za-z_]\w*\b",
                                              CARRIES.sub("", line, count=1)) or [""]
                known = set().union(*(belongs.get(source, set()) for source in sources))
                if not known <= belongs.get(target, set()):
                    belongs.setdefault(target, set()).update(known)
                    grown = True
        for line in code:
            load = re.search(r"\bld(?:\.volatile)?\.shared(?:\.v(\d))?\.[a-z](\d+) .*\[(%?\w+)", line)
            if load:
                arrays = belongs.get(load.group(3), set())
                if len(arrays) != 1:
                    sys.exit("fusion.py: cannot find the array of '%s'" % line)
                symbol = next(iter(arrays))
                name = "dynamic shared memory" if symbol in dynamic else array_name(symbol)
                size = int(load.group(1) or 1) * BYTES[load.group(2)]
                widest[name] = max(size, widest.get(name, 0))
    return widest


def rows_of(lesson: str, nvcc: str) -> List[List[str]]:
    source = ROOT / lesson / "gemm.cu"
    made = subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=sm_90", "-I" + str(ROOT), "-ptx",
                           str(source), "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if made.returncode:
        print("fusion.py: nvcc does not compile %s: %s"
              % (lesson, made.stderr.decode(errors="replace").strip().splitlines()[:1]), file=sys.stderr)
        sys.exit(2)
    found = widest_loads(made.stdout.decode())
    return [[lesson, code_hash(source.read_text(encoding="utf-8")), array, str(size)] for array, size in sorted(found.items())]


def main() -> int:
    lessons = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/gemm.cu"))
    arguments = sys.argv[1:]
    for argument in arguments:
        if argument not in ["--check", *lessons]:
            print("fusion.py: there is no option or lesson '%s'; usage: fusion.py [--check] [LESSON...]"
                  % argument, file=sys.stderr)
            return 2
    chosen = [argument for argument in arguments if argument != "--check"]
    nvcc = shutil.which("nvcc")
    if not nvcc:
        print("fusion.py: nvcc was not found")
        return 77
    with open(FILE, newline="") if FILE.exists() else io.StringIO() as file:
        old = list(csv.reader(file))[1:]
    new = []
    for lesson in lessons:
        new += rows_of(lesson, nvcc) if lesson in (chosen or lessons) else [r for r in old if r[0] == lesson]
    if "--check" in arguments:
        wrong = [row for row in new if row not in old] + [row for row in old if row not in new]
        for row in wrong:
            print("docs/results/fusion.csv: %s: %s" % (
                "wrong" if row in old else "missing", ",".join(row)))
        if wrong:
            print("run common/measure/counters/fusion.py")
        return 1 if wrong else 0
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["lesson", "source", "array", "bytes"], *new])
    FILE.write_text(text.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main())
