"""Parses command lines with argparse: no abbreviations, and one-line errors with exit code 2."""
import argparse
import difflib
import re
import sys
from types import ModuleType
from typing import Any, Callable, Iterable, NoReturn, Optional, Sequence

from ladder.lib.output import USAGE, die, shown

# The options of the lesson programs: a letter for the value, and the help. A test compares them with
# common/harness/program/options.cu.
PROGRAM_OPTIONS = {
    "--alpha": ("a", "factor of A * B (default 1)"),
    "--beta": ("b", "factor of C (default 0)"),
    "--lda": ("n", "row stride of A in elements (default: the width of a row)"),
    "--ldb": ("n", "the same for B"),
    "--ldc": ("n", "the same for C"),
    "--offset-a": ("n", "offset of A from an aligned address, in elements (default 0)"),
    "--offset-b": ("n", "the same for B"),
    "--offset-c": ("n", "the same for C"),
    "--reps": ("r", "number of timed batches, of which the median is reported (default 11; 0: no timing)"),
    "--seed": ("s", "seed of the random inputs (default 1)"),
    "--flush-l2": ("", "overwrite the L2 cache before every timed run"),
    "--exact": ("", "use small integers as inputs and require an exact result"),
    "--no-check": ("", "do not verify the result"),
    "--json": ("", "print one JSON object instead of a line"),
    "--device": ("d", "number of the GPU (default 0)"),
    "--device-info": ("", "only print the device's properties and peaks"),
}


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate most similar to word, or "" if none is similar."""
    return next(iter(difflib.get_close_matches(word[:40], list(candidates), 1, 0.5)), "")


def whole(low: int, high: int) -> Callable[[str], int]:
    """The argparse type of a whole number from low to high."""
    def read(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", word, re.ASCII) or not low <= int(word) <= high:
            raise argparse.ArgumentTypeError(f"takes a whole number from {low} to {high}, not '{shown(word)}'")
        return int(word)
    return read


def text(word: str) -> str:
    """The argparse type of a text that must not be empty."""
    if not word:
        raise argparse.ArgumentTypeError("needs a value")
    return word


class _Pass(argparse.Action):
    """Keeps an option as it was written, to pass it to a program."""

    def __call__(self, parser: argparse.ArgumentParser, found: argparse.Namespace, value: Any,
                 option: Optional[str] = None) -> None:
        found.passed = [*found.passed, option, *([value] if isinstance(value, str) else [])]


class Parser(argparse.ArgumentParser):
    """The options of one command. They may come before, between and after its arguments."""

    def __init__(self, command: str, description: str):
        super().__init__(prog="./ladder " + command, description=description, allow_abbrev=False,
                         formatter_class=argparse.RawDescriptionHelpFormatter)
        self.command = command
        self._negative_number_matcher = re.compile(r"-[0-9.]")  # argparse's own does not know -1e-3

    def error(self, message: str) -> NoReturn:
        die(USAGE, "".join(c if c.isprintable() else "?" for c in message))

    def exit(self, status: int = 0, message: Optional[str] = None) -> NoReturn:
        """After --help."""
        sys.stdout.flush()
        die(status, message or "")

    def words(self, metavar: str, explanation: str = "02_coalesced, coalesced, 02 or 2") -> None:
        """The command takes positional arguments: args.words."""
        self.add_argument("words", nargs="*", default=[], metavar=metavar, help=explanation)

    def pass_on(self, names: Optional[Sequence[str]] = None) -> None:
        """The command passes options to a lesson program, all or those named: args.passed."""
        self.set_defaults(passed=[])
        group = self.add_argument_group("passed to the program")
        for name in names or PROGRAM_OPTIONS:
            value, explanation = PROGRAM_OPTIONS[name]
            group.add_argument(name, action=_Pass, dest="passed", nargs=None if value else 0,
                               metavar=value or None, help=explanation, default=argparse.SUPPRESS)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        found, unknown = self.parse_known_intermixed_args(arguments)
        if unknown:
            name = unknown[0].split("=")[0]
            if not name.startswith("-"):
                die(USAGE, f"unexpected argument '{shown(name)}'; {' '.join(self.format_usage().split())}")
            near = nearest(name, self._option_string_actions)
            hint = f"did you mean {near}?" if near else f"./ladder {self.command} --help lists them"
            die(USAGE, f"unknown option '{shown(name)}' of {self.command}; {hint}")
        return found


def parse(command: ModuleType, arguments: Sequence[str]) -> argparse.Namespace:
    """Parses the arguments of a command. The module's docstring is the help, its arguments(parser), if it has
    one, adds the options. If it has ENDS_AT_DASHES, args.behind is everything after "--"."""
    first, *others = str(command.__doc__).strip().split("\n")
    parser = Parser(command.__name__.rpartition(".")[2], "\n".join([first.partition(": ")[2], *others]))
    getattr(command, "arguments", lambda _: None)(parser)
    end = arguments.index("--") if "--" in arguments and hasattr(command, "ENDS_AT_DASHES") else len(arguments)
    found = parser.parse(arguments[:end])
    found.behind = list(arguments[end + 1:])
    return found
