"""The reports of ./ladder check: printed as lines on a terminal, or taken as data by ./ladder lab."""
import textwrap
from typing import NamedTuple, Tuple

from ladder import colour

_COLOURS = {"holds": "green", "left": "yellow", "fails": "red", "yes": "green", "no": "red"}
GOOD, IDEA, WRONG = "good", "idea", "wrong"  # how a check ends: passed, correct without the idea, wrong


class Verdict(NamedTuple):
    """The verdict on one condition: whether it is met, the finding in words, and the responsible source lines. left:
    met, but there is more to gain. idea: it is an idea of the lesson."""
    holds: bool
    words: str
    where: Tuple[str, ...] = ()
    left: bool = False
    idea: bool = False

    @property
    def kind(self) -> str:
        return "fails" if not self.holds else "left" if self.left else "holds"


class Terminal:
    """Prints reports as lines."""

    def verdict(self, verdict: Verdict) -> None:
        self._line(verdict.kind, textwrap.fill(verdict.words, 92, subsequent_indent=" " * 11, break_on_hyphens=False))
        for line in dict.fromkeys(verdict.where):
            print("    " + line)

    def answer(self, right: bool, question: str, words: str) -> None:
        """Reports whether a learner's answer is right. words: the answer, after "not" if it is wrong."""
        self._line("yes" if right else "no", "%s: %s" % (question, words))

    def more_help(self, words: str) -> None:
        """A command for another hint. ./ladder lab has a button for it."""
        print("    " + words)

    def end(self, kind: str, words: str) -> None:
        """Reports how the check ended, in a sentence. kind: GOOD, IDEA or WRONG."""
        print(colour(words, {GOOD: "green", IDEA: "yellow", WRONG: "red"}[kind]))

    def _line(self, kind: str, words: str) -> None:
        width = 4 if kind in ("yes", "no") else 6
        print("  " + colour(kind + ":", _COLOURS[kind]) + " " * (width - len(kind)) + words, flush=True)


to = Terminal()
