"""explain LESSON [M N K]: count the memory traffic of a lesson's kernel, line by line, without a GPU

M, N and K default to 256. For your own file in practice/, write 02.1 or practice/02_coalesced.
"""
import argparse
import json
import pathlib
import subprocess
import time
from typing import List, Tuple

from ladder import (EXPLAIN, MACHINE, ROOT, Run, Source, Stop, USAGE, build_folder, check_status, die, expected_times,
                    find_lesson, first_lines, lesson_folder, make, need_architecture, one_lesson, remember_time,
                    replace_file, run_with_estimate, say, shown)
from ladder.explaining.text import Explained, as_json, text
from ladder.explaining.widths import widths
from ladder.judging.exercises import source_folder
from ladder.judging.files import is_practice, read, source_of, with_practice_path
from ladder.lib.arguments import Parser, text as any_text

_USAGE = "usage: ./ladder explain LESSON [M N K] [--against LESSON|REVISION] [--json]"
_AGAINST = ROOT / "build" / "cpu" / "against" / "gemm.cu"  # a lesson of another revision, or with another knob


def git(*arguments: str) -> Tuple[int, bytes]:
    try:
        done = subprocess.run(["git", *arguments], cwd=str(ROOT), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return 127, b""
    return done.returncode, done.stdout


def other_source(name: str, other: str) -> Source:
    """The source to compare with: a lesson, or this lesson in a git revision."""
    if find_lesson(other):
        return source_of(find_lesson(other))
    status, _ = git("rev-parse", "--verify", "--quiet", "--end-of-options", other + "^{commit}")
    if status == 127:
        die(USAGE, f"no lesson and no git revision called '{shown(other)}': git is not installed")
    if status != 0:
        die(USAGE, f"no lesson and no git revision called '{shown(other)}'")
    status, content = git("show", f"{other}:./{lesson_folder(name)}/gemm.cu")
    if status != 0:
        die(USAGE, f"revision '{shown(other)}' has no {name}/gemm.cu")
    return edited(lesson_folder(name), content.decode("utf-8", "surrogateescape"))


def edited(lesson: str, text: str) -> Source:
    """Writes an edited copy of a lesson; there is only one at a time."""
    build_folder("cpu", "against")
    replace_file(_AGAINST, text)
    return Source("against", _AGAINST, pathlib.Path(lesson).name)


def count(source: Source, lesson: str, sizes: List[int], options: List[str], expected: float) -> Tuple[Run, str]:
    """Runs an explain program; returns the run and a note on its fused figures. lesson: its name, and the lesson whose
    access widths an edited source gets."""
    fuse, note = ([], "") if "--fuse" in options else widths(read(source.path), lesson)
    start = time.monotonic()
    run = run_with_estimate(source.program(EXPLAIN), [*map(str, sizes), *options, *fuse], "counting " + shown(lesson),
                            expected)
    if run.status == 0:
        remember_time("cpu", "explain." + source.name, sizes, time.monotonic() - start)
    return run, note


def finish(name: str, source: Source, run: Run) -> None:
    """Prints a program's messages; ends the command if it printed no counts."""
    for line in first_lines(with_practice_path(name, run.errors) if is_practice(name) else run.errors, 12):
        say(line)
    check_status(run, source.program(EXPLAIN))
    if not run.result:
        raise Stop(run.status or MACHINE)


def arguments(parser: Parser) -> None:
    parser.words("LESSON", "a lesson, as 02_coalesced, coalesced, 02 or 2, then sizes M N K")
    parser.add_argument("--against", type=any_text, metavar="OTHER",
                        help="compare with another lesson, or with this lesson in a git revision")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the report")
    parser.add_argument("--fuse", choices=["4", "8", "16"],
                        help="count neighbouring loads or stores as one access of up to this many bytes")
    parser.add_argument("--yes", action="store_true", help="run even if it will take more than an hour")
    parser.pass_on(["--lda", "--ldb", "--ldc", "--alpha", "--beta", "--seed", "--no-check"])


def main(args: argparse.Namespace) -> int:
    name, sizes = one_lesson(args.words, _USAGE, source_folder)
    need_architecture([name, find_lesson(args.against or "")], cpu=True)
    options = args.passed + (["--fuse", args.fuse] if args.fuse else [])
    sources = [source_of(name), *([other_source(name, args.against)] if args.against else [])]
    make(*((each, EXPLAIN) for each in sources))
    values = [int(size) for size in sizes] or [256, 256, 256]
    expected = expected_times("cpu", {"explain." + each.name: each.program(EXPLAIN) for each in sources}, sizes, args.yes)
    beside = None
    for other in sources[1:]:
        label, lesson = (args.against, name) if other.name == "against" else (other.name, other.name)
        run, note = count(other, lesson, values, [*options, "--no-check"], expected.get("explain." + other.name, 0.0))
        finish(other.name, other, run)
        beside = Explained(label, run.result, note)
    run, note = count(sources[0], name, values, options, expected.get("explain." + sources[0].name, 0.0))
    print(run.printed, end="")
    if run.result:
        explained = Explained(name, run.result, note)
        strides = [f"{option[2:]} = {value}" for option, value in zip(options, options[1:]) if option[:4] == "--ld"]
        print(json.dumps(as_json(explained, beside), ensure_ascii=False) if args.json else
              text(explained, beside, strides), flush=True)
    finish(name, sources[0], run)
    return run.status
