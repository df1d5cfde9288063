"""./ladder COMMAND: finds the command's module, runs its main() and reports errors in one line."""
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

LEARNERS = ("run", "explain", "diff", "picture", "climb", "check", "lab", "cuda", "tune", "list", "status", "test")
EXAMPLES = """\
Examples:
  ./ladder run                  build all lessons and check them; on a GPU, also time them
  ./ladder explain 00           memory traffic of lesson 00, line by line
  ./ladder run 02 97 131 65     one lesson with sizes that are not multiples of a tile
  ./ladder test 02              its tests, after you have edited 02_coalesced/gemm.cu

A LESSON is 02_coalesced, coalesced, 02 or 2; 02.1 and practice/02_coalesced are your own files.
./ladder installs missing packages with apt-get; with --no-install it only lists them."""


def commands() -> List[str]:
    """The names of all commands, which are the files of this folder."""
    names = [path.stem for path in pathlib.Path(__file__).parent.glob("*.py")]
    others = sorted(name for name in names if name.isidentifier() and not name.startswith("_"))
    return [*LEARNERS, *(name for name in others if name not in LEARNERS)]


def module(name: str) -> ModuleType:
    return importlib.import_module("ladder." + name)


def show_lines(names: Iterable[str]) -> None:
    """Prints a line for each command: the first line of its module."""
    for name in names:
        arguments, _, what = str(module(name).__doc__).split("\n")[0].partition(": ")
        print("  " + colour(arguments.ljust(30), "bold"), what)


def show_help(every: bool) -> None:
    """Prints the learner's commands, with every also the maintainers'."""
    print("usage: ./ladder COMMAND [--no-install] ...; ./ladder COMMAND --help describes one command\n")
    show_lines(LEARNERS)
    if every:
        print("\nFor maintainers:")
        show_lines(name for name in commands() if name not in LEARNERS)
    else:
        print("\n./ladder doctor shows what this machine has. ./ladder help --all adds the maintainers' commands.")
    print("\n" + EXAMPLES)


def version() -> str:
    """The checkout's nearest tag or commit according to git, with -dirty if files are changed."""
    command = ["git", "-C", str(ROOT), f"--git-dir={ROOT / '.git'}", "describe", "--tags", "--always", "--dirty"]
    status, text = machine.output_of(command)
    return "gemm-ladder " + (text.strip() if status == 0 else "(not a git checkout)")


def run_command(name: str, arguments: List[str]) -> int:
    if name not in commands():
        near = nearest(name, [*commands(), "help"])
        hint = f"did you mean {near}? " if near else ""
        die(USAGE, f"unknown command '{shown(name)}'; {hint}./ladder help lists them")
    command = module(name)
    return int(command.main(parse(command, arguments or getattr(command, "ALONE", []))) or 0)


def main() -> int:
    arguments = [word for word in sys.argv[1:] if word != "--no-install"]
    machine.install_missing = len(arguments) == len(sys.argv) - 1
    if not arguments and machine.install_missing is False:
        die(USAGE, "--no-install needs a command, as in ./ladder run --no-install")
    if arguments == ["--version"]:
        print(version())
        return 0
    if arguments[:1] in ([], ["help"], ["-h"], ["--help"]):
        if not arguments[1:2] or arguments[1] not in commands():
            show_help("--all" in arguments)
            return 0
        arguments = [arguments[1], "--help"]
    return run_command(arguments[0], arguments[1:])


def guarded() -> int:
    """Runs main() and reports every error in one line; returns the exit code."""
    catch_signals()
    try:
        open_streams()
        code, message = main(), ""
        sys.stdout.flush()
    except Stop as stop:
        code, message = stop.code, stop.message
    except BrokenPipeError:  # as of "| head"
        return 141
    except OSError as error:
        where = f" '{error.filename}'" if error.filename else ""
        code, message = MACHINE, f"cannot read or write{where}: {error.strerror or error}"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            message = f"the disk is full: cannot write to {error.filename}" if where else full_disk()
    try:
        if message:
            say(colour("ladder: ", "red", stream=sys.stderr) + message)
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except Stop as unreported:
        return unreported.code
    return code


if __name__ == "__main__":
    sys.exit(guarded())
