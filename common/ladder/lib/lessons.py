"""The lessons of the checkout, and the arguments that name them."""
import functools
import pathlib
import re
from typing import Callable, List, Sequence, Tuple

from ladder.lessons import ROOT, every, find
from ladder.lib.arguments import nearest
from ladder.lib.output import USAGE, die, say, shown

_INTEGER = re.compile(r"-?[0-9]+\Z")


@functools.lru_cache(maxsize=None)
def lessons() -> Tuple[str, ...]:
    """The names of all lessons, in order. Reports and ignores a folder that only looks like one."""
    names = tuple(facts.name for facts in every() if not facts.beyond)
    for path in sorted(ROOT.glob("[0-9][0-9]_*/gemm.cu")):
        if path.parent.name not in names:
            say("ignored: folder '%s', since a lesson's name has the form NN_name" % shown(path.parent.name))
    return names


@functools.lru_cache(maxsize=None)
def beyond() -> Tuple[str, ...]:
    """The names of the lessons in beyond/, in order. They are not among "all lessons"."""
    return tuple(facts.name for facts in every() if facts.beyond)


def lesson_folder(name: str) -> str:
    """A lesson's folder, relative to ROOT."""
    return next((facts.folder for facts in every() if facts.name == name), name)


def lesson_source(name: str) -> pathlib.Path:
    """A lesson's gemm.cu."""
    return ROOT / lesson_folder(name) / "gemm.cu"


def nearest_lesson(word: str) -> str:
    """The lesson whose name, with or without its number, is most similar to word; "" if none is."""
    found = nearest(word, [*lessons(), *beyond(), *(name[3:] for name in (*lessons(), *beyond()))])
    return find_lesson(found) if found and not word.isdigit() else ""


def find_lesson(word: str) -> str:
    """The full name of a lesson given as 02_coalesced, coalesced, 02 or 2, or by its folder; "" if there is none."""
    word = word[:-1] if word.endswith("/") else word
    for name in lessons() + beyond():
        if word in (name, name[3:], name[:2], lesson_folder(name)) or "0" + word == name[:2]:
            return name
    return ""


def lesson(word: str) -> str:
    """Like find_lesson(), but an unknown name ends the command and suggests the nearest."""
    name = find_lesson(word)
    if not name:
        near = nearest_lesson(word.rstrip("/"))
        names = [*lessons(), *beyond()] or ["none"]
        hint = f"did you mean {near}?" if near else f"there are {names[0][:2]} to {names[-1][:2]}"
        if re.fullmatch(r"[0-9]{1,2}\.[0-9]+", word, re.ASCII):
            hint = "only run, explain, diff, check and lab take exercises"
        die(USAGE, f"no lesson called '{shown(word)}'; {hint}")
    return name


def below(name: str) -> str:
    """The lesson that this one is derived from, or "" for the first."""
    return find(name).predecessor


def needs(name: str) -> str:
    """The only architecture that a lesson runs on, as in "90a"; "" if any will do."""
    return next((facts.needs for facts in every() if facts.name == name), "")


def not_on_cpu(name: str) -> str:
    """The architecture that a lesson needs if the CPU backend cannot emulate it, else ""."""
    return next((facts.not_on_cpu for facts in every() if facts.name == name), "")


def integers(arguments: Sequence[str]) -> bool:
    return all(_INTEGER.match(word) for word in arguments)


def split_words(arguments: Sequence[str],
                named: Callable[[str], str] = lesson) -> Tuple[List[str], List[str]]:
    """Lessons and sizes (M N K or none) from the arguments. named: finds the lesson for a word.

    The last three arguments are sizes if they look like numbers, unless one starts with 0 like a lesson's number.
    """
    names, sizes = list(arguments), []
    last = names[-3:]
    if len(last) == 3 and integers(last):
        if not any(re.match(r"0[0-9]", word) for word in last):
            names, sizes = names[:-3], last
    if len(names) > 1 and not sizes and not find_lesson(names[-1]) and integers(names[-1:]):
        die(USAGE, "there is no lesson '%s'; after the lessons, give three sizes M N K or none" % shown(names[-1]))
    bare = [word for word in names if re.fullmatch(r"[0-9]", word, re.ASCII)]
    numbers = [word for word in names if re.fullmatch(r"0[0-9]", word, re.ASCII)]
    if bare and numbers:
        die(USAGE, "'%s' may be lessons or sizes; write lessons like '0%s', and sizes as three numbers M N K" % (
            " ".join(bare), bare[0]))
    found = [named(word) for word in names]
    twice = next((name for name in found if found.count(name) > 1), "")
    if twice:
        die(USAGE, "%s is named %d times: '%s' are read as lessons, %s; sizes are three numbers M N K after the "
            "lessons, without a leading zero" % (twice, found.count(twice), shown(" ".join(names)),
                                                 "'%s' as sizes" % " ".join(sizes) if sizes else "none as sizes"))
    return found, sizes


def one_lesson(arguments: Sequence[str], usage: str,
               named: Callable[[str], str] = lesson) -> Tuple[str, List[str]]:
    """One lesson and M N K or none, for commands that take a single lesson; named as above."""
    if not arguments:
        die(USAGE, usage)
    name, sizes = named(arguments[0]), list(arguments[1:])
    for word in sizes:
        if not re.fullmatch(r"[0-9]+", word, re.ASCII):
            die(USAGE, "sizes must be whole numbers, not '%s'" % shown(word))
    if len(sizes) not in (0, 3):
        die(USAGE, "expected three sizes M N K or none, not %d" % len(sizes))
    return name, sizes
