#!/usr/bin/env python3
"""instructions.py [LESSON...]: the PTX and SASS that nvcc makes of each line of a lesson's kernel, as data of the site
in docs/results/instructions (common/ladder/publishing/instructions.py reads it). Without LESSON all of them. It needs no
GPU, but nvcc and nvdisasm: from the CUDA toolkit, or by pip install nvidia-cuda-nvdisasm.

A file is {"code", "made", "kernel", "lines"}. code: the hash of the source's code lines; kernel: as in KERNELS; lines: by
the index of the code line, {"ptx", "sass"}: lists of [first instruction, how many have its opcode]. Instructions of
headers count for the lesson's line that calls them.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Dict, Iterator, List, Tuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from ladder.lessons import ROOT, every, find  # noqa: E402
from ladder.lessons.code import code_lines  # noqa: E402
from ladder.publishing.instructions import FOLDER, hash_of  # noqa: E402

FLAGS = ("-O3", "-std=c++17")
LONGEST = 72  # characters of an instruction that are kept
# The kernels of beyond/: the first tile that a lesson names, where it has several, whole and with aligned rows.
KERNELS = {
    "09_any_shape": "gemm_kernel<float4, true, 8, 8, 4>", "10_mma_swizzle": "gemm_kernel<float2, 3>",
    "11_wgmma": "gemm_kernel", "12_persistent": "gemm_kernel<128, 256, 2, 1>",
    "13_split_barrier": "gemm_kernel<float4, true, 8, 8, 2, 4, 2>", "14_overlap": "gemm_kernel<128, 192, 2, 1>",
    "15_fp32_on_tensor_cores": "gemm_kernel", "16_epilogue": "gemm_kernel<128, 192, 2, 1>",
    "17_fp8_block_scales": "gemm_kernel<256, 128>"}
_LADDER = "_Z11gemm_kernel(?:4|I6float4)"  # mangled, of 00 to 08: the only one, or the one for whole tiles
_MANGLED = {"true": "Lb1E", "float2": "6float2", "float4": "6float4"}
_SASS = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+((?:@!?U?P\w+ )?([A-Z][\w.]*)[^;]*);")
_PTX = re.compile(r"((?:@!?%?\w+\s+)?([a-z][\w.:]*).*)")
_PLACE = re.compile(r'"([^"]*)", line (\d+)')
Pairs = Iterator[Tuple[int, str, str]]  # line, instruction, opcode


def output_of(*command: object) -> str:
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"instructions.py: {command[0]} ended with {done.returncode}")
    return done.stdout


def mangled(lesson: str) -> str:
    """How the name of the lesson's kernel begins, as a regular expression."""
    if lesson not in KERNELS:
        return _LADDER
    arguments = [_MANGLED.get(each, f"Li{each}E") for each in re.findall(r"\w+", KERNELS[lesson])[1:]]
    return "_Z11gemm_kernel" + (f"I{''.join(arguments)}E" if arguments else "4")


def sass(text: str, kernel: str) -> Pairs:
    """The instructions of the kernel in nvdisasm's output, with their lines in gemm.cu."""
    for section in re.split(r"^\.text\.", text, flags=re.M)[1:]:
        if not re.match(kernel, section):
            continue
        line, found = 0, False
        for row in section.splitlines():
            if row.lstrip().startswith("//##"):  # the innermost place first, then where it is inlined
                place = _PLACE.search(row)
                if place and not found and place[1].endswith("/gemm.cu"):
                    line, found = int(place[2]), True
                continue
            found = False
            made = _SASS.match(row)
            if made and made[2] != "NOP":
                yield line, made[1].strip(), made[2]


def ptx(text: str, kernel: str) -> Pairs:
    own = re.findall(r'^\t\.file\t(\d+) "[^"]*/gemm\.cu"', text, re.M)[0]
    for body in re.split(r"^\.visible \.entry ", text, flags=re.M)[1:]:
        if not re.match(kernel, body):
            continue
        line = 0
        for row in body.partition("\n\n}")[0].splitlines():
            places = re.findall(r"(?:\.loc\t|inlined_at )(\d+) (\d+)", row)
            if places:
                line = next((int(number) for file, number in places if file == own), line)
                continue
            for each in row.split(";")[:-1]:  # inline PTX has several in a row
                made = _PTX.fullmatch(each.strip("\t {"))
                if made:
                    yield line, " ".join(made[1].split()), made[2]


def grouped(pairs: Pairs) -> Dict[int, List[List[object]]]:
    """By line the first instruction of each opcode, and how many there are."""
    lines: Dict[int, Dict[str, List[object]]] = {}
    for line, text, opcode in pairs:
        short = text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"
        found = lines.setdefault(line, {}).setdefault(opcode, [short, 0])
        found[1] = int(str(found[1])) + 1
    return {line: list(found.values()) for line, found in lines.items()}


def data_of(lesson: str, nvdisasm: str) -> Dict[str, object]:
    source, kernel = ROOT / find(lesson).folder / "gemm.cu", mangled(lesson)
    flags = (*FLAGS, "-arch=sm_90a" if find(lesson).beyond else "-arch=sm_90")
    with tempfile.TemporaryDirectory() as folder:
        common = ("nvcc", *flags, f"-I{ROOT}", "-lineinfo", source, "-o")
        cubin = pathlib.Path(folder, "gemm.cubin")
        output_of(*common, cubin, "-cubin")
        both = {"ptx": grouped(ptx(output_of(*common, "-", "-ptx"), kernel)),
                "sass": grouped(sass(output_of(nvdisasm, "-gi", "-c", cubin), kernel))}
    if not all(both.values()):
        sys.exit(f"instructions.py: {lesson} has no kernel {kernel}; name it in KERNELS")
    text = source.read_text(encoding="utf-8")
    lines = {str(index): {kind: both[kind][number] for kind in both if number in both[kind]}
             for index, (number, _) in enumerate(code_lines(text)) if any(number in each for each in both.values())}
    release = re.search(r"V([\d.]+)", output_of("nvcc", "--version"))
    return {"code": hash_of(text), "made": f"nvcc {release[1] if release else '?'} {' '.join(flags)}",
            **({"kernel": KERNELS[lesson]} if lesson in KERNELS else {}), "lines": lines}


def main() -> None:
    nvdisasm = shutil.which("nvdisasm") or os.environ.get("NVDISASM", "")
    if not nvdisasm or not shutil.which("nvcc"):
        sys.exit("instructions.py: nvcc or nvdisasm is missing (pip install nvidia-cuda-nvdisasm, and NVDISASM=path)")
    FOLDER.mkdir(exist_ok=True)
    for lesson in sys.argv[1:] or [each.name for each in every()]:
        data = data_of(lesson, nvdisasm)
        rows = ",\n".join(f"{json.dumps(at)}: {json.dumps(row, separators=(',', ':'), ensure_ascii=False)}"
                          for at, row in dict(data.pop("lines")).items())  # type: ignore
        text = json.dumps(data, ensure_ascii=False)[:-1] + f', "lines": {{\n{rows}\n}}}}\n'
        (FOLDER / f"{lesson}.json").write_text(text, encoding="utf-8")
        print(f"{lesson}: {len(text)} bytes")


if __name__ == "__main__":
    main()
