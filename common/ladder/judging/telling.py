"""What ./ladder check says of what it judges: on a terminal as lines; ./ladder lab takes it as it is."""
import textwrap
from typing import NamedTuple, Tuple

from ladder import colour

_COLOURS = {"holds": "green", "left": "yellow", "fails": "red", "yes": "green", "no": "red"}
GOOD, IDEA, WRONG = "good", "idea", "wrong"  # how it ends: all is right, right without the idea, not right


class Verdict(NamedTuple):
    """One condition: whether it is met, in words what was found, and lines of the source to blame. left: it is met, but
    there is more to gain. idea: what is judged is about it."""
    holds: bool
    words: str
    where: Tuple[str, ...] = ()
    left: bool = False
    idea: bool = False

    @property
    def kind(self) -> str:
        return "fails" if not self.holds else "left" if self.left else "holds"


class Terminal:
    """The usual one."""

    def verdict(self, verdict: Verdict) -> None:
        words = textwrap.fill(verdict.words, 92, subsequent_indent=" " * 11, break_on_hyphens=False)
        self._line(verdict.kind, words)
        for line in dict.fromkeys(verdict.where):
            print("    " + line)

    def answer(self, right: bool, question: str, words: str) -> None:
        """Of a number that a learner gave. words: the number, and that it is not right."""
        self._line("yes" if right else "no", "%s: %s" % (question, words))

    def end(self, kind: str, words: str) -> None:
        """How it ended, in a sentence. kind: GOOD, IDEA or WRONG."""
        print(colour(words, {GOOD: "green", IDEA: "yellow", WRONG: "red"}[kind]))

    def _line(self, kind: str, words: str) -> None:
        width = 4 if kind in ("yes", "no") else 6
        print("  " + colour(kind + ":", _COLOURS[kind]) + " " * (width - len(kind)) + words)


to = Terminal()
