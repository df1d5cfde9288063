"""./ladder COMMAND: finds the command's module, runs its main() and tells errors in one line."""
import signal
if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # Ctrl-C before catch_signals(): no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import errno  # noqa: E402
import importlib  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402
from types import ModuleType  # noqa: E402
from typing import Iterable, List  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from ladder.lib import machine  # noqa: E402
from ladder.lib.arguments import nearest, parse  # noqa: E402
from ladder.lib.lessons import ROOT  # noqa: E402
from ladder.lib.output import MACHINE, USAGE, Stop, colour, die, open_streams, say, shown  # noqa: E402
from ladder.lib.work import catch_signals, full_disk  # noqa: E402

LEARNERS = ("run", "explain", "diff", "picture", "climb", "check", "lab", "cuda", "list", "status", "test")
EXAMPLES = """\
Examples:
  ./ladder run                  build all lessons, check them, on a GPU time them
  ./ladder explain 00           what each line of lesson 00 asks of the memory system
  ./ladder run 02 97 131 65     one lesson with sizes that fit no tile
  ./ladder test 02              its tests, after you have edited 02_coalesced/gemm.cu

A LESSON is 02_coalesced, coalesced, 02 or 2; 02.1 and practice/02_coalesced are your own files.
Missing packages are installed with apt-get; --no-install only names them."""


def commands() -> List[str]:
    """The names of all commands: the files of this folder."""
    names = [path.stem for path in pathlib.Path(__file__).parent.glob("*.py")]
    others = sorted(name for name in names if name.isidentifier() and not name.startswith("_"))
    return [*LEARNERS, *(name for name in others if name not in LEARNERS)]


def module(name: str) -> ModuleType:
    return importlib.import_module("ladder." + name)


def show_lines(names: Iterable[str]) -> None:
    """A line for each command, the first of its module."""
    for name in names:
        words, _, what = str(module(name).__doc__).split("\n")[0].partition(": ")
        print("  " + colour(words.ljust(29), "bold"), what)


def show_help(every: bool) -> None:
    """What ./ladder alone prints: the learner's commands. every: the maintainers' too."""
    print("usage: ./ladder COMMAND [--no-install] ...; ./ladder COMMAND --help is about one command\n")
    show_lines(LEARNERS)
    if every:
        print("\nFor maintainers:")
        show_lines(name for name in commands() if name not in LEARNERS)
    else:
        print("\nWhat this machine has: ./ladder doctor. Maintainers' commands: ./ladder help --all")
    print("\n" + EXAMPLES)


def version() -> str:
    """What git says of the checkout: the nearest tag, or the commit, and -dirty where files are changed."""
    words = ["git", "-C", str(ROOT), f"--git-dir={ROOT / '.git'}", "describe", "--tags", "--always", "--dirty"]
    status, text = machine.output_of(words)
    return "gemm-ladder " + (text.strip() if status == 0 else "of no git checkout")


def run_command(name: str, words: List[str]) -> int:
    if name not in commands():
        near = nearest(name, [*commands(), "help"])
        hint = f"did you mean {near}? " if near else ""
        die(USAGE, f"unknown command '{shown(name)}'; {hint}./ladder help lists them")
    command = module(name)
    return int(command.main(parse(command, words or getattr(command, "ALONE", []))) or 0)


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--no-install"]
    machine.install_missing = len(words) == len(sys.argv) - 1
    if not words and machine.install_missing is False:
        die(USAGE, "--no-install goes with a command")
    if words == ["--version"]:
        print(version())
        return 0
    if words[:1] in ([], ["help"], ["-h"], ["--help"]):
        if not words[1:2] or words[1] not in commands():
            show_help("--all" in words)
            return 0
        words = [words[1], "--help"]
    return run_command(words[0], words[1:])


def guarded() -> int:
    """main() with every error told in one line; returns the exit code."""
    catch_signals()
    try:
        open_streams()
        code, message = main(), ""
        sys.stdout.flush()
    except Stop as stop:
        code, message = stop.code, stop.message
    except BrokenPipeError:  # "| head" has seen enough
        return 141
    except OSError as lost:
        where = f" '{lost.filename}'" if lost.filename else ""
        code, message = MACHINE, f"cannot read or write{where}: {lost.strerror or lost}"
        if lost.errno in (errno.ENOSPC, errno.EDQUOT):
            message = f"the disk is full: nothing more can be written to {lost.filename}" if where else full_disk()
    try:
        if message:
            say(colour("ladder: ", "red", stream=sys.stderr) + message)
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except Stop as unheard:
        return unheard.code
    return code


if __name__ == "__main__":
    sys.exit(guarded())
