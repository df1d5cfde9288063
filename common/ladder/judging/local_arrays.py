"""Finds a thread's arrays that cannot be in registers, because a loop that is not unrolled indexes them.

If there is an nvcc, it decides: ptxas reserves a stack frame for such arrays. Otherwise g++ compiles the rewritten
source (simtcc --simt-rewrite) as plain C++. It unrolls every loop of known length unless the source forbids it. Its
final tree dump shows which arrays are still indexed by a variable.
"""
import pathlib
import re
import tempfile
from typing import Dict, List

from ladder import ROOT, execute, find_nvcc, program
from ladder.judging import compiled
from ladder.lib.making import PRACTICE, compiling, known

NONE, UNKNOWN = "none", "not known"
SPILLS = ", but nvcc spills %d bytes of registers there, since %s"
_FLAGS = ("-O3", "-w", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-finline-functions", "-fno-partial-inlining",
          *("--param=%s=1000000" % each for each in (
              "max-inline-insns-auto", "max-inline-insns-single", "large-function-insns", "large-function-growth",
              "inline-unit-growth", "large-stack-frame-growth", "large-unit-insns", "max-completely-peeled-insns")),
          "--param=max-completely-peel-times=4096", "-fdisable-rtl-loop2_unroll")
_ALL = '_Pragma("GCC unroll 4096") '


def in_local_memory(source: pathlib.Path) -> str:
    """The names of these arrays; NONE, perhaps with SPILLS behind it, or UNKNOWN if no compiler can tell."""
    reserved = by_nvcc(source) if find_nvcc() else -1
    if reserved == 0:
        return NONE + spills(source)
    found = _by_compiler(source)
    if found == NONE and re.search(r"\bprintf\s*\(", source.read_text(encoding="utf-8", errors="replace")):
        return NONE  # its arguments lie there
    return "%d bytes" % reserved if reserved > 0 and found in (NONE, UNKNOWN) else found


def spills(source: pathlib.Path) -> str:
    """How many bytes of registers nvcc spills to local memory, and why; "" if none."""
    most = max(compiled.frames(source), key=lambda frame: frame.spilled)
    limit = "__launch_bounds__ limits a thread to %d" % most.registers
    return SPILLS % (most.spilled, limit if most.registers < 250 else "a thread has at most 255") if most.spilled else ""


def declared_at(source: str, names: str) -> int:
    """The line that declares one of these arrays, or else the first in a kernel that names it; 0 if there is none. For
    spills, the line that limits the registers."""
    if names.startswith(NONE):
        return next((at for at, line in enumerate(source.splitlines(), 1)
                     if re.search(r"\bMIN_BLOCKS\s*=|__launch_bounds__", line)), 0)
    one = "(?:%s)" % "|".join(map(re.escape, names.split(", ")))
    before = r"^\s*(?:alignas\(\w+\)\s+|volatile\s+)*(?!return)[\w:<>]+\s+(?:\w+(?:\[[^\]]*\])+,\s*)*"
    declared = re.compile(before + one + r"\s*\[")
    lines = [line.partition("//")[0] for line in source.splitlines()]
    kernel = next((at for at, line in enumerate(lines) if "__global__" in line), 0)
    named = [at for at in range(kernel, len(lines)) if re.search(r"\b%s\b" % one, lines[at])]
    return next((at for at, line in enumerate(lines) if declared.search(line)), named[0] if named else -1) + 1


def by_nvcc(source: pathlib.Path) -> int:
    """Bytes of local memory that kernels reserve for arrays, without spills; -1 if nvcc does not compile the source."""
    frame = max((each.size for each in compiled.frames(source)), default=-1)
    if frame <= 0:  # ptxas can still put some arrays of the PTX into registers
        return frame
    return max(map(int, re.findall(r"__local_depot\d+\[(\d+)\]", compiled.ptx_of(source))), default=0)


def _by_compiler(source: pathlib.Path) -> str:
    if not known(PRACTICE):
        return UNKNOWN
    with tempfile.TemporaryDirectory() as name:
        plain, tree = (pathlib.Path(name, each) for each in ("gemm.cpp", "tree"))
        if execute([*compiling(PRACTICE), "--simt-rewrite", source, "-o", plain], tools=True).status != 0:
            return UNKNOWN
        plain.write_text(_unrolled(plain.read_text(encoding="utf-8", errors="surrogateescape")),
                         encoding="utf-8", errors="surrogateescape")
        execute([program("simtcc"), "-c", "-I%s" % source.parent, "-I%s" % ROOT, *_FLAGS,
                 "-fdump-tree-optimized=%s" % tree, plain, "-o", pathlib.Path(name, "gemm.o")], tools=True)
        if not tree.exists():
            return UNKNOWN
        text = tree.read_text(encoding="utf-8", errors="replace")
    functions = _device_functions(source.read_text(encoding="utf-8", errors="replace"))
    found: Dict[str, None] = {}
    for function in re.split(r"(?m)^;; Function ", text)[1:]:
        if re.match(r"\w+", function) and re.match(r"\w+", function)[0] in functions:  # type: ignore
            found.update(dict.fromkeys(_indexed(function)))
    return ", ".join(found) or NONE


def _unrolled(text: str) -> str:
    """C++ that g++ unrolls and inlines as nvcc does: fully, unless #pragma unroll has a number."""
    head, mark, own = text.rpartition('\n# ')  # the preprocessor's mark at the end of the included files
    head = head.replace("\n", "\n#undef __device__\n#define __device__ __attribute__((always_inline))\n", 1)
    pragma = r"(?m)^[ \t]*#[ \t]*pragma[ \t]+unroll"
    own = re.sub(pragma + r"[ \t]*\(?[ \t]*(\d+)[ \t]*\)?[ \t]*$", r"#pragma GCC unroll \1", own)
    own = re.sub(pragma + r"\b.*$", "", own)
    noinline = r"__attribute__\(\(noinline\)\)"
    own = re.sub(r"__device__\s+(%s)|(%s)\s+__device__" % (noinline, noinline), r"\1\2", own)
    own = re.sub(r"(#pragma GCC unroll \d+\s*)?\bfor\b", lambda found: found[0] if found[1] else _ALL + found[0], own)
    return head + mark + own


def _device_functions(source: str) -> List[str]:
    """The names of kernels and device functions."""
    source = re.sub(r"__(?:launch_bounds|cluster_dims)__\s*\([^)]*\)", "", source)
    heads = re.findall(r"__(?:global|device)__([^;{]*)", source)
    return [found[1] for found in (re.search(r"(\w+)\s*\(", head) for head in heads) if found]


def _indexed(function: str) -> List[str]:
    """The arrays, and structs of arrays, of a function in g++'s tree that are indexed by a variable, or whose address
    is stored in one."""
    found = []
    for kind, name, array in re.findall(r"(?m)^  (?!static )([\w :<>,]+?) (\w+)((?:\[\d+\])*);$", function):
        if not array and not kind.startswith("struct"):
            continue
        constant = re.compile(r"MEM(?: <[^>\n]*> )?\[\([^()\n]*\)&%s(?: \+ \d+B?)?\]" % name)
        address = ("" if array else r"= (?:\(.*\) )?") + "&%s" % name
        variable = re.compile(r"\b%s(?:\.\w+|\[\d+\])*\[[^\]\d]|%s\b" % (name, address))
        for line in function.splitlines():
            if re.search(r"\bsimt|operator|__builtin_mem", line):
                continue  # a call of the backend that stands for an instruction
            if variable.search(constant.sub("", line)):
                found.append(name)
                break
    return found
