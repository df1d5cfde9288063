"""cuda FILE.cu... [-- ARGUMENTS]: build and run your own CUDA program without a GPU, checked and counted by line

The program gets the arguments after --. The exit code is the program's, or 1 if its kernels have errors. To pass
options to the compiler, call build/cpu/bin/simtcc, which this command builds; see common/simt/README.md.
"""
import argparse
import hashlib
import os
import pathlib
import subprocess

from ladder import USAGE, WRONG, build_folder, die
from ladder.lib.arguments import Parser
from ladder.lib.making import compiler
from ladder.lib.output import shown

ENDS_AT_DASHES = True


def arguments(parser: Parser) -> None:
    parser.words("FILE", "a .cu or C++ file")


def main(args: argparse.Namespace) -> int:
    if not args.words:
        die(USAGE, "usage: ./ladder cuda FILE.cu... [-- ARGUMENTS]")
    for name in args.words:
        if not os.path.isfile(name):
            die(USAGE, f"there is no file '{shown(name)}'")
        if not name.endswith((".cu", ".cpp", ".cc", ".cxx", ".c")):
            die(USAGE, f"'{shown(name)}' is neither a .cu nor a C++ file")
    simtcc = compiler()
    key = hashlib.sha256(os.fsencode("\0".join([os.getcwd(), *args.words]))).hexdigest()[:8]
    path = build_folder("cuda") / f"{pathlib.Path(args.words[0]).stem}.{key}"
    if subprocess.run([simtcc, *args.words, "-o", path]).returncode != 0:
        return WRONG
    done = subprocess.run([path, *args.behind], env={"SIMT_REPORT": "lines", **os.environ})
    return done.returncode if done.returncode >= 0 else 128 - done.returncode
