"""Checks of the lessons with nvcc, without a GPU. No kernel uses local memory on any architecture, the nvcc line of each
header works, and so do CMake's commands elsewhere. Skipped without nvcc. LADDER_ARCHITECTURES="80 90" restricts the
architectures."""
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import Dict, List
from unittest import mock

from ladder.lessons import ROOT, Facts, every
from ladder.lessons.copies import variants, write
from ladder.mutation import programs

ARCHITECTURES = ("75", "80", "86", "89", "90", "100", "120")  # 75 only for the nine


def architectures(lesson: Facts) -> List[str]:
    """The architectures to compile a lesson for: the one that it needs, or all."""
    if lesson.needs:
        return [lesson.needs]
    wanted = os.environ.get("LADDER_ARCHITECTURES", "").split() or ARCHITECTURES
    return [each for each in ARCHITECTURES if each in wanted and not (each == "75" and lesson.beyond)]


def faults(lesson: Facts) -> List[str]:
    """Stack frames, spills and notes C75xx that ptxas reports for one lesson. A note C75xx says that ptxas serializes wgmma
    instructions or ignores setmaxnreg."""
    codes = [f"-gencode=arch=compute_{each},code=sm_{each}" for each in architectures(lesson)]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["nvcc", "-O3", "-std=c++17", *codes, f"-I{ROOT}", "-fatbin", str(lesson.source), "-Xptxas", "-v", "-o",
                               f"{folder}/out"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    name, said, where, frames = lesson.name, done.stdout.splitlines(), "", 0
    found = [] if done.returncode == 0 else [f"{name} does not compile: {done.stdout[:500]}"]
    for line in said:
        entry = re.search(r"Compiling entry function .* for '(sm_\w+)'", line)
        where = entry.group(1) if entry else where
        if "stack frame" in line:
            frames += 1
            if line.strip() != "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads":
                found.append(f"{name} for {where}: {line.strip()}")
        if re.search(r"C75\d\d", line):
            found.append(f"{name} for {where}: {line.strip()}")
    if frames < len(codes):
        found.append(f"{name}: ptxas reports on {frames} kernels for {len(codes)} architectures")
    return found


def staging(folder: pathlib.Path) -> Facts:
    """Lesson 07 with tiles staged in registers. Its page says that they fit there."""
    copy = next(each for each in variants() if each.target == "07_double_buffer.register_staging")
    write(folder / "gemm.cu", copy.facts.text)
    return dataclasses.replace(copy.facts, name=copy.target, source=folder / "gemm.cu")


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc")
class LocalMemory(unittest.TestCase):
    def test_no_kernel_uses_local_memory(self) -> None:
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tried = [*every(), staging(pathlib.Path(folder))]
            found = [fault for each in pool.map(faults, tried) for fault in each]
        self.assertEqual(found, [], "\n" + "\n".join(found))
        print(f"no local memory in {sum(len(architectures(each)) for each in tried)} compilations")


@unittest.skipUnless(shutil.which("nvcc"), "there is no nvcc")
class Commands(unittest.TestCase):
    def test_build_lines_of_headers_work(self) -> None:
        """Runs each different line in its lesson's folder. Replaces "native", which without a GPU means nvcc's oldest
        architecture. The first line compiles the harness; the others use its objects."""
        lines: Dict[str, Facts] = {}
        for lesson in every():
            build = re.search(r"^// Build: (.*(?:\n//   .*)*)", lesson.text, re.M)
            self.assertTrue(build, f"{lesson.name} has no line // Build:")
            lines.setdefault(build.group(1).replace("\n//  ", ""), lesson)
        with tempfile.TemporaryDirectory() as folder:
            objects = [f"{folder}/{each.stem}.o" for each in ROOT.glob("common/harness/*/*.cu")]
            for number, (line, lesson) in enumerate(lines.items()):
                words = line.replace("-arch=native", "-arch=sm_90").replace("-o gemm", f"-o {folder}/gemm")
                if number > 0:
                    words = re.sub(r"\S*/harness/\*/\*\.cu", " ".join(objects), words)
                subprocess.run(["sh", "-ec", words], cwd=lesson.source.parent, check=True,
                               env={**os.environ, "NVCC_APPEND_FLAGS": f"-keep -keep-dir {folder}"})
                self.assertTrue(os.access(f"{folder}/gemm", os.X_OK), line)
                os.remove(f"{folder}/gemm")
        print(f"{len(lines)} different lines for {len(every())} lessons")

    def test_commands_of_a_build_with_make(self) -> None:
        """mutate and tune compile in other folders, so a command must not read a file of its build folder."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Unix Makefiles", "-DLADDER_GPU=ON",
                            "-DLADDER_TESTS=OFF"], stdout=subprocess.DEVNULL, check=True)
            with mock.patch.object(programs, "built", lambda _: pathlib.Path(folder)):
                command = programs.cmakes_compile("13_split_barrier", "gpu")
        self.assertNotRegex(" ".join(command), r"CMakeFiles|[.]rsp")
