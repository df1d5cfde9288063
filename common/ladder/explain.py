"""./ladder explain"""
import json
import pathlib
import subprocess
import time
from typing import Dict, List, Tuple

from ladder import (MACHINE, ROOT, Run, Stop, USAGE, beyond, build, build_folder, check_status, confirm_long, die,
                    estimate, find_lesson, first_lines, lesson_folder, lesson_source, lessons, need,
                    need_architecture, one_lesson, program, remember_time, replace_file, run_with_estimate, say, shown, split_options)
from ladder.explaining.text import Explained, as_json, text
from ladder.explaining.widths import widths
from ladder.lib.fresh import build_once, is_fresh
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, file_of, is_practice, read, target_of, told

ORDER = 20
HELP = """\
explain LESSON [M N K] [--against OTHER] [--json] [--lda n] [--ldb n] [--ldc n] [--yes]
what a GPU's memory system would have to do, line by line, on the CPU backend (no GPU
needed); --against: the totals beside those of another lesson, or of this one in a git
revision. --alpha, --beta, --seed, --no-check and --fuse 4|8|16 are passed on. 02.1 or
practice/02_coalesced is your file in practice/.
"""
_USAGE = "usage: ./ladder explain LESSON [M N K] [--against LESSON|REVISION] [--json]"
_OWN = {"--against": True, "--json": False, "--no-check": False, "--yes": False, "--fuse": True,
        "--lda": True, "--ldb": True, "--ldc": True, "--alpha": True, "--beta": True, "--seed": True}
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
        die(USAGE, "no lesson and no git revision called '%s': there is no git here" % shown(other))
    if status != 0:
        die(USAGE, "no lesson and no git revision called '%s'" % shown(other))
    status, content = git("show", "%s:./%s/gemm.cu" % (other, lesson_folder(name)))
    if status != 0:
        die(USAGE, "revision '%s' has no %s/gemm.cu" % (shown(other), name))
    build_folder("cpu", "against")
    # An unchanged file keeps its time, and need not be built again.
    if not _AGAINST.exists() or _AGAINST.read_bytes() != content:
        replace_file(_AGAINST, content.decode("utf-8", "surrogateescape"))
    return "against"


def source_of(name: str) -> pathlib.Path:
    if name == "against":
        return _AGAINST
    return file_of(name.rpartition("/")[2]) if is_practice(name) else lesson_source(name)


def count(name: str, lesson: str, sizes: List[int], options: Dict[str, str], expected: float) -> Tuple[Run, str]:
    """Runs explain.NAME; the second is a note on its fused figures. lesson: how it is called, and whose
    widths an edited source has."""
    words = [word for option, value in options.items() for word in ([option, value] if _OWN[option] else [option])]
    fuse, note = ([], "") if "--fuse" in options else widths(read(source_of(name)), lesson)
    start = time.monotonic()
    run = run_with_estimate(find_program(name), [*map(str, sizes), *words, *fuse], "counting " + shown(lesson),
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


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "explain", _OWN)
    if "--against" in own and not own["--against"]:
        die(USAGE, "--against needs a lesson or a git revision")
    name, sizes = one_lesson(words, _USAGE, source_folder)
    other = other_target(name, own["--against"]) if "--against" in own else ""
    need_architecture([name, other], cpu=True)
    options = {option: value for option, value in own.items() if option not in ("--against", "--yes", "--json")}
    make([each for each in (name, other) if each])
    values = [int(size) for size in sizes] or [256, 256, 256]
    expected = 0.0
    if (values[0] + 64) * (values[1] + 64) * (values[2] + 64) > 400**3 and max(values) < 2**31:
        expected = estimate("cpu", find_program(name), "explain." + name, values)
        confirm_long(expected * (2 if other else 1), "--yes" in own, "this")
    beside = None
    if other:
        label, lesson = (own["--against"], name) if other == "against" else (other, other)
        run, note = count(other, lesson, values, {**options, "--no-check": ""}, expected)
        finish(other, run)
        beside = Explained(label, run.result, note)
    run, note = count(name, name, values, options, expected)
    print(run.printed, end="")
    if run.result:
        explained = Explained(name, run.result, note)
        strides = ["%s = %s" % (each[2:], options[each]) for each in ("--lda", "--ldb", "--ldc") if each in options]
        print(json.dumps(as_json(explained, beside), ensure_ascii=False) if "--json" in own else
              text(explained, beside, strides), flush=True)
    finish(name, run)
    return run.status
