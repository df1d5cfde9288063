"""The words of a command line, by argparse: no abbreviations, and errors in one line with exit code 2."""
import argparse
import difflib
import re
import sys
from types import ModuleType
from typing import Any, Callable, Iterable, NoReturn, Optional, Sequence

from ladder.lib.output import USAGE, die, shown

# The options of the lesson programs (common/harness/program/options.cu; a test compares): a value's letter, and help.
PROGRAM_OPTIONS = {
    "--alpha": ("a", "the factor of A * B, 1 unless given"),
    "--beta": ("b", "the factor of C, 0 unless given"),
    "--lda": ("n", "elements from one row of A to the next: its width unless given"),
    "--ldb": ("n", "the same of B"),
    "--ldc": ("n", "the same of C"),
    "--offset-a": ("n", "elements from an aligned address to the first of A, 0 unless given"),
    "--offset-b": ("n", "the same of B"),
    "--offset-c": ("n", "the same of C"),
    "--reps": ("r", "batches to time, 11 unless given: the median is reported; 0: none"),
    "--seed": ("s", "chooses the inputs"),
    "--flush-l2": ("", "overwrite the L2 cache before every timed run"),
    "--exact": ("", "small-integer inputs, and every element must be equal"),
    "--no-check": ("", "do not verify the result"),
    "--json": ("", "one JSON object instead of a line"),
    "--device": ("d", "which GPU, 0 unless given"),
    "--device-info": ("", "the device's properties and peaks, and nothing else"),
}


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate that is most like word, or "" if none is near."""
    return next(iter(difflib.get_close_matches(word[:40], list(candidates), 1, 0.5)), "")


def whole(low: int, high: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number from low to high."""
    def read(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", word, re.ASCII) or not low <= int(word) <= high:
            raise argparse.ArgumentTypeError(f"takes a whole number from {low} to {high}, not '{shown(word)}'")
        return int(word)
    return read


def text(word: str) -> str:
    """The type of an option that takes anything but nothing."""
    if not word:
        raise argparse.ArgumentTypeError("needs a value")
    return word


class _Pass(argparse.Action):
    """Keeps an option as it was written, for the program that is run."""

    def __call__(self, parser: argparse.ArgumentParser, found: argparse.Namespace, value: Any,
                 option: Optional[str] = None) -> None:
        found.passed = [*found.passed, option, *([value] if isinstance(value, str) else [])]


class Parser(argparse.ArgumentParser):
    """The options of one command; they may stand before, between and behind its words."""

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
        """The command takes words that are no options: args.words."""
        self.add_argument("words", nargs="*", default=[], metavar=metavar, help=explanation)

    def pass_on(self, names: Optional[Sequence[str]] = None) -> None:
        """The command passes options to a lesson program, all of them or those named: args.passed."""
        self.set_defaults(passed=[])
        group = self.add_argument_group("passed to the program")
        for name in names or PROGRAM_OPTIONS:
            value, explanation = PROGRAM_OPTIONS[name]
            group.add_argument(name, action=_Pass, dest="passed", nargs=None if value else 0,
                               metavar=value or None, help=explanation, default=argparse.SUPPRESS)

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        found, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            name = unknown[0].split("=")[0]
            if not name.startswith("-"):
                die(USAGE, f"'{shown(name)}' is one word too many; {' '.join(self.format_usage().split())}")
            near = nearest(name, self._option_string_actions)
            hint = f"did you mean {near}?" if near else f"./ladder {self.command} --help lists them"
            die(USAGE, f"unknown option '{shown(name)}' of {self.command}; {hint}")
        return found


def parse(command: ModuleType, words: Sequence[str]) -> argparse.Namespace:
    """The options and words of a command. Its module's docstring is the help, its arguments(parser) names them. What
    stands behind -- is args.behind, where the module says ENDS_AT_DASHES."""
    first, *others = str(command.__doc__).strip().split("\n")
    parser = Parser(command.__name__.rpartition(".")[2], "\n".join([first.partition(": ")[2], *others]))
    command.arguments(parser)
    end = words.index("--") if "--" in words and hasattr(command, "ENDS_AT_DASHES") else len(words)
    found = parser.parse(words[:end])
    found.behind = list(words[end + 1:])
    return found
