"""explain LESSON [M N K]: what a GPU's memory system would have to do, line by line; no GPU needed

02.1 or practice/02_coalesced is your file in practice/. 256 each where no sizes are given.
"""
import argparse
import json
import pathlib
import subprocess
import time
from typing import List, Tuple

from ladder import (MACHINE, ROOT, Run, Stop, USAGE, beyond, build, build_folder, check_status, die, expected_times,
                    find_lesson, first_lines, lesson_folder, lesson_source, lessons, need, need_architecture, one_lesson,
                    program, remember_time, replace_file, run_with_estimate, say, shown)
from ladder.explaining.text import Explained, as_json, text
from ladder.explaining.widths import widths
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, file_of, is_practice, read, target_of, told
from ladder.lib.fresh import build_once, is_fresh
from ladder.lib.arguments import Parser, text as any_text

_USAGE = "usage: ./ladder explain LESSON [M N K] [--against LESSON|REVISION] [--json]"
_AGAINST = ROOT / "build" / "cpu" / "against" / "gemm.cu"  # where the build looks for a lesson of another revision


def find_program(name: str) -> pathlib.Path:
    """explain.NAME, of a lesson or of practice/02.1."""
    return program("explain." + target_of(name))


def git(*words: str) -> Tuple[int, bytes]:
    try:
        done = subprocess.run(["git", *words], cwd=str(ROOT), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return 127, b""
    return done.returncode, done.stdout


def other_target(name: str, other: str) -> str:
    """The build's name for what to compare with. A revision's file is put where the build looks."""
    if find_lesson(other):
        return find_lesson(other)
    status, _ = git("rev-parse", "--verify", "--quiet", "--end-of-options", other + "^{commit}")
    if status == 127:
        die(USAGE, f"no lesson and no git revision called '{shown(other)}': there is no git here")
    if status != 0:
        die(USAGE, f"no lesson and no git revision called '{shown(other)}'")
    status, content = git("show", f"{other}:./{lesson_folder(name)}/gemm.cu")
    if status != 0:
        die(USAGE, f"revision '{shown(other)}' has no {name}/gemm.cu")
    build_folder("cpu", "against")
    # An unchanged file keeps its time, and need not be built again.
    if not _AGAINST.exists() or _AGAINST.read_bytes() != content:
        replace_file(_AGAINST, content.decode("utf-8", "surrogateescape"))
    return "against"


def source_of(name: str) -> pathlib.Path:
    if name == "against":
        return _AGAINST
    return file_of(name.rpartition("/")[2]) if is_practice(name) else lesson_source(name)


def count(name: str, lesson: str, sizes: List[int], options: List[str], expected: float) -> Tuple[Run, str]:
    """Runs explain.NAME; the second is a note on its fused figures. lesson: how it is called, and whose
    widths an edited source has."""
    fuse, note = ([], "") if "--fuse" in options else widths(read(source_of(name)), lesson)
    start = time.monotonic()
    run = run_with_estimate(find_program(name), [*map(str, sizes), *options, *fuse], "counting " + shown(lesson),
                            expected)
    if run.status == 0:
        remember_time("cpu", "explain." + name, sizes, time.monotonic() - start)
    return run, note


def finish(name: str, run: Run) -> None:
    """Tells what a program said; ends the command if it told no counts."""
    for line in first_lines(told(name, run.errors) if is_practice(name) else run.errors, 12):
        say(line)
    check_status(run, find_program(name))
    if not run.result:
        raise Stop(run.status or MACHINE)


def make(names: List[str]) -> None:
    """Builds the explain programs that are not there, or older than what they are made of."""
    names = [name for name in names if name not in lessons() + beyond() or not is_fresh("explain." + name, name)]
    if names:
        need("test" if any(map(is_practice, names)) else "run")
    if "against" in names:
        build("cpu", "explain.against", reconfigure=not find_program("against").exists())
        names.remove("against")
    build_once(["explain." + name for name in names if not is_practice(name)],
               lambda: build_folders("cpu", names, "explain."))


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "a lesson, as 02_coalesced, coalesced, 02 or 2, and sizes M N K behind it")
    parser.add_argument("--against", type=any_text, metavar="OTHER",
                        help="the totals beside those of another lesson, or of this one in a git revision")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the report")
    parser.add_argument("--fuse", choices=["4", "8", "16"],
                        help="the most bytes that loads and stores of neighbours are counted as one access of")
    parser.add_argument("--yes", action="store_true", help="even if it will take more than an hour")
    parser.pass_on(["--lda", "--ldb", "--ldc", "--alpha", "--beta", "--seed", "--no-check"])


def main(args: argparse.Namespace) -> int:
    name, sizes = one_lesson(args.words, _USAGE, source_folder)
    other = other_target(name, args.against) if args.against else ""
    need_architecture([name, other], cpu=True)
    options = args.passed + (["--fuse", args.fuse] if args.fuse else [])
    make([each for each in (name, other) if each])
    values = [int(size) for size in sizes] or [256, 256, 256]
    expected = expected_times("cpu", {"explain." + each: find_program(each) for each in (name, other) if each}, sizes,
                              args.yes)
    beside = None
    if other:
        label, lesson = (args.against, name) if other == "against" else (other, other)
        run, note = count(other, lesson, values, [*options, "--no-check"], expected.get("explain." + other, 0.0))
        finish(other, run)
        beside = Explained(label, run.result, note)
    run, note = count(name, name, values, options, expected.get("explain." + name, 0.0))
    print(run.printed, end="")
    if run.result:
        explained = Explained(name, run.result, note)
        strides = [f"{option[2:]} = {value}" for option, value in zip(options, options[1:]) if option[:4] == "--ld"]
        print(json.dumps(as_json(explained, beside), ensure_ascii=False) if args.json else
              text(explained, beside, strides), flush=True)
    finish(name, run)
    return run.status
