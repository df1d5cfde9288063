#!/usr/bin/env python3
"""sanitizer.py BUILD FILE [LESSON...]: runs compute-sanitizer's four tools on lessons at ragged and at whole sizes.

BUILD has the lesson programs (LADDER_GPU=ON). A LESSON is a folder such as 02_coalesced or beyond/09_any_shape; without
LESSONs, lessons 00 to 08 run. Variants called BUILD/LESSON.only_SOMETHING run as well, if they are built and not older
than the lesson. For lesson 13, racecheck runs BUILD/13_split_barrier.all_arrive, which must be built
(tests/lessons/variants.txt has the reason).
initcheck does not see stores by TMA. Lessons 14 and 16 store C by TMA, sometimes to a copy of C that copy_rows() reads.
So initcheck excludes copy_rows() in these two lessons and checks their other reads. It checks copy_rows() in lessons 11
and 12, which copy A and B.
Writes FILE as JSON: GPU, tool version, date, and a line per run with lesson, program, source_hash, tool, M, N, K and
the finding ("clean" or the tool's last line). Exit codes: 0 all clean, 1 something was found (FILE is written), 2 usage
error, 3 no GPU or no compute-sanitizer."""
import concurrent.futures
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Dict, List, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "common"))
from ladder.lessons import code_hash  # noqa: E402

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# The first two are ragged in all directions, with K larger and smaller than a tile. The third has whole tiles in every
# lesson.
SIZES = ((97, 131, 65), (33, 70, 5), (256, 512, 128))
# Further sizes. Lessons 09 and 13 use split-K for the first one with each of their tiles, and lessons 12, 14 and 16 for
# the second one, with two blocks. For the third one, some blocks of 14 and 16 compute two tiles, and for
# the fourth one some blocks of 17 (H200).
PARTS, SHARED, TURNS, LARGE = (64, 192, 1056), (64, 128, 4096), (2048, 2048, 128), (2304, 2048, 128)
FURTHER = {**dict.fromkeys(("beyond/09_any_shape", "beyond/13_split_barrier"), (PARTS,)),
           **dict.fromkeys(("beyond/12_persistent", "beyond/14_overlap", "beyond/16_epilogue"), (SHARED, TURNS)),
           "beyond/17_fp8_block_scales": (LARGE,)}
STORED_BY_TMA = ("beyond/14_overlap", "beyond/16_epilogue")
SPLIT, ALL_ARRIVE = "beyond/13_split_barrier", "13_split_barrier.all_arrive"
TIMEOUT = 240  # seconds for one run


def die(code: int, text: str) -> None:
    print("sanitizer.py: " + text, file=sys.stderr)
    sys.exit(code)


def output(*command: str) -> str:
    """A command's output; "" if it fails or does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def run(folder: str, program: pathlib.Path, tool: str, sizes: Tuple[int, int, int]) -> Dict[str, object]:
    """Runs one lesson under one tool. With beta = 0.5, the kernel reads C; with --exact, the result is checked exactly.
    There is no timing, because it would run cuBLAS's kernels, in which racecheck reports hazards."""
    unseen = ["--kernel-regex-exclude", "kns=copy_rows"] if tool == "initcheck" and folder in STORED_BY_TMA else []
    command = ["compute-sanitizer", "--tool", tool, *unseen, "--error-exitcode", "9", str(program), *map(str, sizes),
               "--exact", "--beta", "0.5", "--reps", "0"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        found = "clean" if done.returncode == 0 else (lines or ["no output"])[-1].strip("= ")
    except subprocess.TimeoutExpired:
        found = "still running after %d s" % TIMEOUT
    return {"lesson": folder, "program": program.name, "source_hash": code_hash((ROOT / folder / "gemm.cu").read_text("utf-8")),
            "tool": tool, **dict(zip("MNK", sizes)), "found": found}


def main(arguments: List[str]) -> int:
    if len(arguments) < 2:
        die(2, "usage: sanitizer.py BUILD FILE [LESSON...]")
    build, path = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    folders = arguments[2:] or [file.parent.name for file in sorted(ROOT.glob("[0-9][0-9]_*/gemm.cu"))]
    programs = {folder: [build / pathlib.Path(folder).name] for folder in folders}
    missing = [folder for folder in folders if not os.access(programs[folder][0], os.X_OK) or
               not (ROOT / folder / "gemm.cu").is_file()]
    if missing or not programs:
        die(2, "%s has no program %s" % (build, (missing or ["of a lesson"])[0]))
    if not shutil.which("compute-sanitizer"):
        die(3, "compute-sanitizer (of the CUDA toolkit) was not found")
    gpu = output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").split("\n")[0]
    if not gpu:
        die(3, "there is no NVIDIA GPU here")
    for folder, found in programs.items():
        edited = (ROOT / folder / "gemm.cu").stat().st_mtime
        found += sorted(file for file in build.glob(found[0].name + ".only_*")
                        if file.suffix != ".test" and file.is_file() and file.stat().st_mtime >= edited)
        if folder == SPLIT:
            found.append(build / ALL_ARRIVE)
            if not found[-1].is_file() or found[-1].stat().st_mtime < edited:
                die(2, "%s is missing or older than its lesson: build it" % found[-1])
    cases = [(folder, program, tool, sizes) for folder, found in programs.items() for program in found for tool in TOOLS
             for sizes in SIZES + FURTHER.get(folder, ())
             if folder != SPLIT or (tool == "racecheck") == (program.name == ALL_ARRIVE)]
    with concurrent.futures.ThreadPoolExecutor(min(12, os.cpu_count() or 1)) as pool:
        runs = list(pool.map(lambda case: run(*case), cases))
    head = {"gpu": gpu, "tool": output("compute-sanitizer", "--version").split("\n")[-1],
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}
    text = "".join('  "%s": %s,\n' % (key, json.dumps(value)) for key, value in head.items())
    lines = ",\n    ".join(json.dumps(each) for each in runs)
    path.write_text('{\n%s  "runs": [\n    %s\n  ]\n}\n' % (text, lines), encoding="utf-8")
    bad = [each for each in runs if each["found"] != "clean"]
    for each in bad[:10]:
        print("%(program)s %(tool)s %(M)d %(N)d %(K)d: %(found)s" % each)
    print("%d runs, %d clean; wrote %s" % (len(runs), len(runs) - len(bad), path))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
