"""./ladder explain"""
import pathlib
import subprocess
import time
from typing import List, Tuple

from ladder import (ROOT, USAGE, Progress, build, build_folder, check_status, confirm_long, die,
                    estimate, find_lesson, first_lines, need, one_lesson, remember_time,
                    replace_file, run_with_estimate, say, shown, split_options, temporary_folder)

ORDER = 20
HELP = """\
explain LESSON [M N K] [--against OTHER] [--json] [--lda n] [--ldb n] [--ldc n] [--yes]
what a GPU's memory system would have to do, line by line, on the CPU backend (no GPU
needed); --against: the totals beside those of another lesson, or of this one in a git
revision. --alpha, --beta, --seed, --no-check and --fuse 4|8|16 are passed on.
"""
_USAGE = "usage: ./ladder explain LESSON [M N K] [--against LESSON|REVISION] [--json]"
_OWN = {"--against": True, "--json": False, "--no-check": False, "--yes": False, "--fuse": True,
        "--lda": True, "--ldb": True, "--ldc": True, "--alpha": True, "--beta": True, "--seed": True}
_FOLDER = ROOT / "build" / "cpu" / "common" / "simt" / "explain"


def find_program(name: str) -> pathlib.Path:
    """explain.NAME, wherever in the build it stands."""
    path = _FOLDER / ("explain." + name)
    if path.exists():
        return path
    found = sorted((ROOT / "build" / "cpu" / "common").glob("**/explain." + name))
    return found[0] if found else path


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
        die(USAGE, "no lesson called '%s', and without git (Debian: git) no revision" % shown(other))
    if status != 0:
        die(USAGE, "no lesson and no git revision called '%s'" % shown(other))
    status, content = git("show", "%s:./%s/gemm.cu" % (other, name))
    if status != 0:
        die(USAGE, "revision '%s' has no %s/gemm.cu" % (shown(other), name))
    path = build_folder("cpu", "against") / "gemm.cu"
    text = content.decode("utf-8", "surrogateescape")
    # An unchanged file keeps its time, and need not be built again.
    if not path.exists() or path.read_bytes() != content:
        replace_file(path, text)
    return "against"


def explain(program: pathlib.Path, arguments: List[str], expected: float, terminal: bool) -> int:
    """Runs an explain program and prints what it printed."""
    if terminal:  # it uses colour then; no progress line may get between
        with Progress("counting") as progress:
            progress.clear()
            return subprocess.call([str(program), *arguments], stdin=subprocess.DEVNULL)
    run = run_with_estimate(program, arguments, "counting " + program.name[8:], expected, False)
    print(run.printed, end="", flush=True)
    for line in first_lines(run.errors, 12):
        say(line)
    check_status(run, program)
    return run.status


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "explain", _OWN)
    if "--against" in own and not own["--against"]:
        die(USAGE, "--against needs a lesson or a git revision")
    name, sizes = one_lesson(words, _USAGE)
    other = other_target(name, own["--against"]) if "--against" in own else ""
    options: List[str] = []
    for option, value in own.items():
        if option not in ("--against", "--yes"):
            options += [option, value] if _OWN[option] else [option]
    need("run")
    targets = ["explain." + each for each in (name, other) if each]
    known = other != "against" or (_FOLDER / "explain.against").exists()
    build("cpu", *targets, reconfigure=not known)
    values = [int(size) for size in sizes] or [256, 256, 256]
    expected = 0.0
    if (values[0] + 64) * (values[1] + 64) * (values[2] + 64) > 400**3 and max(values) < 2**31:
        expected = estimate("cpu", find_program(name), name, values, ["--no-check"])
        confirm_long(expected * len(targets), "--yes" in own, "this")
    if not other:
        return timed(name, values, [*sizes, *options], expected)
    with temporary_folder("explain") as folder:
        saved = str(folder / "totals")
        passed = [word for word in options if word != "--json"]
        label = other if other != "against" else own["--against"]
        status = explain(find_program(other),
                         [*sizes, *passed, "--no-check", "--name", label, "--save", saved], expected,
                         False)
        if status != 0:
            return status
        return timed(name, values, [*sizes, *options, "--against", saved, "--against-name", label],
                     expected)


def timed(name: str, sizes: List[int], arguments: List[str], expected: float) -> int:
    start = time.monotonic()
    status = explain(find_program(name), arguments, expected)
    if status in (0, 1):
        remember_time("cpu", "explain." + name, sizes, time.monotonic() - start)
    return status
