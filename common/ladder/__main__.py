"""./ladder COMMAND: finds the command's module, runs its main() and tells errors in one line."""
import signal
if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # Ctrl-C before catch_signals(): no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import importlib  # noqa: E402
import os  # noqa: E402
import pathlib  # noqa: E402
import sys  # noqa: E402
from types import ModuleType  # noqa: E402
from typing import List  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from ladder.lib import machine  # noqa: E402
from ladder.lib.lessons import nearest  # noqa: E402
from ladder.lib.output import MACHINE, USAGE, Stop, colour, die, say, shown  # noqa: E402
from ladder.lib.work import catch_signals  # noqa: E402

EXAMPLES = """\
Examples:
  ./ladder run                     build all lessons, check them, on a GPU time them
  ./ladder explain 00              what each line of lesson 00 asks of the memory system
  ./ladder diff 01                 what lesson 01 changes in lesson 00
  ./ladder run 02 97 131 65        one lesson with sizes that fit no tile
  ./ladder test 02                 its tests, after you have edited 02_coalesced/gemm.cu"""


def commands() -> List[str]:
    """The names of all commands: the files of this folder."""
    names = [path.stem for path in pathlib.Path(__file__).parent.glob("*.py")]
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def module(name: str) -> ModuleType:
    return importlib.import_module("ladder." + name)


def show_help() -> int:
    """What ./ladder alone prints."""
    print("usage: ./ladder COMMAND [--no-install] ...\n")
    for each in sorted(map(module, commands()), key=lambda m: (getattr(m, "ORDER", 50), m.__name__)):
        first, *others = each.HELP.strip("\n").split("\n")
        print("  " + colour(first, "bold"))
        for line in others:
            print("      " + line.strip())
    print("\n" + EXAMPLES + "\n")
    print("A LESSON is given as 02_coalesced, coalesced, 02 or 2. Missing packages are installed with\n"
          "apt-get; --no-install only names them. ./ladder COMMAND --help is about one command.")
    return 0


def run_command(words: List[str]) -> int:
    if not words or words[0] in ("help", "-h", "--help"):
        if len(words) < 2 or words[1] not in commands():
            return show_help()
        words = [words[1], "--help"]
    name, arguments = words[0], words[1:]
    if name not in commands():
        near = nearest(name, commands() + ["help"])
        hint = "did you mean %s? " % near if near else ""
        die(USAGE, "unknown command '%s'; %s./ladder help lists them" % (shown(name), hint))
    if "--help" in arguments or "-h" in arguments:
        print("usage: ./ladder " + "\n".join(line for line in module(name).HELP.strip("\n").split("\n")))
        return 0
    return int(module(name).main(arguments) or 0)


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--no-install"]
    machine.install_missing = len(words) == len(sys.argv) - 1
    if not words and len(sys.argv) == 1:
        return show_help()
    return run_command(words)


def tell(stop: Stop) -> int:
    if stop.message:
        first, *others = stop.message.split("\n")
        say("\n".join([colour("ladder: ", "red", stream=sys.stderr) + first, *others]))
    return stop.code


def guarded() -> int:
    """main() with every error told in one line."""
    catch_signals()
    try:
        code = main()
        sys.stdout.flush()
        return code
    except Stop as stop:
        try:
            sys.stdout.flush()
        except OSError:
            pass
        return tell(stop)
    except BrokenPipeError:  # "| head" has seen enough
        return 141
    except OSError as error:
        where = " '%s'" % error.filename if error.filename else " to standard output"
        return tell(Stop(MACHINE, "cannot read or write%s: %s" % (where, error.strerror or error)))
    except MemoryError:
        return tell(Stop(MACHINE, "not enough memory"))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    if sys.stdout is None or sys.stderr is None or sys.stdin is None:  # closed by the caller
        null = os.open(os.devnull, os.O_RDWR)
        while null < 2:
            null = os.dup(null)
        sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")
        sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")
        sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    status = guarded()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        pass
    os._exit(status)  # what could not be written is not tried again
