"""./ladder explain"""
import pathlib
import subprocess
import time
from typing import List, Tuple

from ladder import (ROOT, USAGE, build, build_folder, check_status, colour, confirm_long, die,
                    estimate, find_lesson, first_lines, lesson_folder, need, need_architecture, one_lesson,
                    program, remember_time, replace_file, run_with_estimate, say, shown, split_options,
                    temporary_folder)
from ladder.judging.exercises import source_folder
from ladder.judging.files import build_folders, is_practice, target_of, told

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
    path = build_folder("cpu", "against") / "gemm.cu"
    text = content.decode("utf-8", "surrogateescape")
    # An unchanged file keeps its time, and need not be built again.
    if not path.exists() or path.read_bytes() != content:
        replace_file(path, text)
    return "against"


def explain(name: str, label: str, sizes: List[int], arguments: List[str], expected: float) -> int:
    """Runs an explain program with progress and prints what it printed."""
    path = find_program(name)
    start = time.monotonic()
    run = run_with_estimate(path, [*map(str, sizes), *arguments],
                            "counting %s" % shown(label), expected, json_output=False)
    print(run.printed, end="", flush=True)
    for line in first_lines(told(name, run.errors) if is_practice(name) else run.errors, 12):
        say(line)
    check_status(run, path)
    if run.status == 0:
        remember_time("cpu", "explain." + name, sizes, time.monotonic() - start)
    return run.status


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "explain", _OWN)
    if "--against" in own and not own["--against"]:
        die(USAGE, "--against needs a lesson or a git revision")
    name, sizes = one_lesson(words, _USAGE, source_folder)
    other = other_target(name, own["--against"]) if "--against" in own else ""
    need_architecture([name, other], cpu=True)
    options: List[str] = []
    for option, value in own.items():
        if option not in ("--against", "--yes"):
            options += [option, value] if _OWN[option] else [option]
    if is_practice(name):
        options += ["--name", name]
    need("test" if is_practice(name) else "run")
    others = [other] if other else []
    if other == "against":
        build("cpu", "explain.against", reconfigure=not find_program("against").exists())
    build_folders("cpu", [name, *(each for each in others if each != "against")], "explain.")
    values = [int(size) for size in sizes] or [256, 256, 256]
    expected = 0.0
    if (values[0] + 64) * (values[1] + 64) * (values[2] + 64) > 400**3 and max(values) < 2**31:
        expected = estimate("cpu", find_program(name), "explain." + name, values)
        confirm_long(expected * (1 + len(others)), "--yes" in own, "this")
    colours = ["--colour"] if colour("") and "--json" not in own else []
    if not other:
        return explain(name, name, values, [*options, *colours], expected)
    label = own["--against"] if other == "against" else other
    with temporary_folder("explain") as folder:
        saved = str(folder / "totals")
        rest = [word for word in options if word not in ("--json", "--no-check")]
        status = explain(other, label, values,
                         [*rest, "--no-check", "--name", label, "--lesson",
                          name if other == "against" else other, "--save", saved], expected)
        return status or explain(name, name, values, [
            *options, *colours, "--against", saved, "--against-name", label], expected)
