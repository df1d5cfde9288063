"""doctor: show what this machine has, and what is missing"""
import argparse
import os
import platform
import re
import shlex
import shutil
import sys
from typing import Sequence

from ladder import find_nvcc, has_gpu, has_header, output_of, processors, program
from ladder.lib.machine import cmake_version, compiler, gpu_field, has_boost_context, missing


def found(what: str, value: str, otherwise: str) -> None:
    """Prints a row. An empty value means that the thing is missing; otherwise is then the text on its purpose."""
    print("  %-14s %s" % (what, value or "missing: " + otherwise))


def version(*command: str) -> str:
    """The first line with a version number of a program's output."""
    for line in output_of(command)[1].splitlines():
        if re.search(r"[0-9]+\.[0-9]+", line):
            return line.strip()
    return ""


def read_field(path: str, pattern: str) -> str:
    """The first group of pattern in a system file; "" if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            match = re.search(pattern, file.read(), re.M)
    except OSError:
        return ""
    return match.group(1) if match else ""


def show_system() -> None:
    system, machine = platform.system(), platform.machine()
    memory = int(read_field("/proc/meminfo", r"^MemTotal: *([0-9]+)") or 0) / 1048576
    print("System")
    found("machine", "%s %s, %d cores, %.0f GiB" % (system, machine, processors(), memory), "")
    if system != "Linux" or machine not in ("x86_64", "aarch64"):
        found("", "", "the CPU backend needs Linux on x86-64 or aarch64")
    found("system", read_field("/etc/os-release", r'^PRETTY_NAME="?([^"\n]*)'), "unknown")
    found("python", "%s (%s)" % (platform.python_version(), sys.executable), "")


def show_cpu() -> None:
    print("To run the lessons on the CPU backend")
    found("cmake", version("cmake", "--version"), "configures the build, 3.24 or newer (cmake)")
    if () < cmake_version() < (3, 24):
        found("", "", "this cmake is older than 3.24")
    name = " ".join(map(shlex.quote, compiler()))
    found("compiler", version(*compiler(), "--version") if shutil.which(compiler()[0]) else "",
          "%s, a C++17 compiler, builds everything except GPU code (g++)" % name)
    ninja = version("ninja", "--version")
    found("build", "ninja " + ninja if ninja else version("make", "--version"),
          "ninja or make runs the build (ninja-build)")
    found("Boost.Context", "found" if has_boost_context() else "",
          "gives the CPU backend its fibers (libboost-context-dev)")


def show_gpu() -> None:
    nvcc = find_nvcc()
    print("To run on a GPU")
    found("driver", gpu_field("driver_version"),
          "an NVIDIA GPU and its driver run the kernels and time them against cuBLAS")
    found("nvcc", version(nvcc, "--version") if nvcc else "",
          "the CUDA toolkit, 12 or newer, compiles the kernels for a GPU")
    lines = [line for line in output_of(["ncu", "--version"])[1].splitlines() if line.strip()]
    found("ncu", lines[-1].strip() if lines else "", "Nsight Compute shows a kernel's counters")
    found("sanitizer", version("compute-sanitizer", "--version"),
          "compute-sanitizer checks a kernel's accesses on the GPU")
    if has_gpu():
        print("GPU")
        gpu_table()


def gpu_table() -> None:
    """Prints the GPU's properties from a lesson program, or from the driver if none is built."""
    programs: Sequence[str] = sorted(str(path) for path in program("", "gpu").glob("00_*")
                                     if path.is_file() and os.access(path, os.X_OK))
    if programs:
        status, text = output_of([programs[0], "--device-info"])
        if status == 0:
            print("\n".join("  " + line for line in text.splitlines()))
            return
    for field in ("name", "compute_cap", "memory.total", "clocks.max.sm", "clocks.max.mem",
                  "power.limit"):
        print("  %-14s %s" % (field, gpu_field(field, "csv,noheader")))


def main(_: argparse.Namespace) -> int:
    show_system()
    show_cpu()
    print("To run the tests")
    catch = [text for name, text in (("catch2/catch_all.hpp", "version 3"),
                                     ("catch2/catch.hpp", "version 2")) if has_header(name)]
    found("Catch2", catch[0] if catch else "",
          "is the test framework (catch2); CMake downloads it if it can")
    show_gpu()
    if not missing("test"):
        print("Nothing is missing for ./ladder run and ./ladder test.")
    return 0
