"""Figures of the code that nvcc generates from a source for sm_90: names for expressions (figures.py).

  nvcc.release              as in 13.0
  nvcc.registers, .stack, .spill_stores, .spill_loads, .shared   of the kernel; if there are two, of the
                            float4 kernel, and with the suffix _scalar of the other
  nvcc.error                the first error of ptxas
  ptx.f32, .v2, .v4         shared loads of one, two, four floats in the PTX of all kernels
"""
import functools
import pathlib
import re
import tempfile
from typing import Dict, List, NamedTuple

from ladder import ROOT, Progress, execute, find_nvcc
from ladder.judging.figures import Figures, Unknown, Value
from ladder.lib.machine import nvcc_release as release

FLAGS = ("-O3", "-std=c++17", "-arch=sm_90")


def _compile(source: pathlib.Path, *options: str) -> str:
    """The messages of nvcc and ptxas, and the file that they write. Raises Unknown without nvcc."""
    if not release():
        raise Unknown("nvcc was not found")
    with tempfile.TemporaryDirectory() as name, Progress("compiling with nvcc") as progress:
        path = pathlib.Path(name) / "out"
        done = execute([find_nvcc(), *FLAGS, "-I" + str(ROOT), *options, source, "-o", path],
                       lambda line: progress.tick(), tools=True)
        written = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return done.out + written


@functools.lru_cache(maxsize=None)
def nvcc(source: pathlib.Path) -> Figures:
    said = _compile(source, "-Xptxas", "-v", "-cubin")
    error = re.search(r"(?:error *: (?:Entry function '\w+' )?)([^\n]*)", said)
    rest: Dict[str, Value] = {"release": release(), "error": error[1] if error else ""}
    for name, stack, stores, loads, registers, shared in re.findall(
            r"entry function '(\w+)'[^\n]*\n(?:[^\n]*properties[^\n]*\n)?\s*(\d+) bytes stack frame, "
            r"(\d+) bytes spill stores, (\d+) bytes spill loads\n[^\n]*Used (\d+) registers"
            r"(?:[^\n]*?(\d+) bytes smem)?", said):
        tail = "" if "float4" in name or said.count("Compiling entry") == 1 else "_scalar"
        for key, value in (("registers", registers), ("stack", stack), ("spill_stores", stores),
                           ("spill_loads", loads), ("shared", shared or "0")):
            rest[key + tail] = float(value)
    return Figures({}, {}, rest)


class Frame(NamedTuple):
    """Bytes of a kernel's stack frame and of the spills in it, and the registers of a thread."""
    size: int
    spilled: int
    registers: int


def frames(source: pathlib.Path) -> List[Frame]:
    """The stack frame of each kernel; [] if it does not compile. Raises Unknown without nvcc."""
    return _frames(source, source.read_bytes())


@functools.lru_cache(maxsize=1)
def _frames(source: pathlib.Path, _: bytes) -> List[Frame]:
    said = _compile(source, "-Xptxas", "-v", "-cubin")
    return [Frame(*map(int, each)) for each in re.findall(
        r"(\d+) bytes stack frame, (\d+) bytes spill stores[^\n]*\n[^\n]*Used (\d+) registers", said)]


def ptx_of(source: pathlib.Path) -> str:
    """The PTX of a source, or nvcc's errors. Raises Unknown without nvcc."""
    return _compile(source, "-ptx")


@functools.lru_cache(maxsize=None)
def ptx(source: pathlib.Path) -> Figures:
    loads = re.findall(r"ld\.shared\.(v2|v4|f32)\b", ptx_of(source))
    return Figures({}, {}, {width: float(loads.count(width)) for width in ("f32", "v2", "v4")})
