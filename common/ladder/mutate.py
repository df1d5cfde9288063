"""./ladder mutate"""
import collections
import random
import re
import time
from typing import Dict, List, NamedTuple, Sequence, Tuple, Union

from ladder import (USAGE, Progress, Table, die, duration, lesson, lesson_source,
                    lessons, lock, need, need_architecture, processors, say, shown, split_options)
from ladder.lessons import every as every_lesson
from ladder.mutation import assumed
from ladder.mutation.judge import NOT_COMPILED, REJECTED, SAME, SURVIVED, Verdict, judge_all
from ladder.mutation.operators import Mutant, mutants
from ladder.mutation.planted import Planted, chosen

ORDER = 14
HELP = """\
mutate [LESSON...] [--sample N] [--seed S] [--planted [--few]] [--jobs J] [--list]
plants bugs, one at a time, in copies of a lesson's gemm.cu and lets its tests judge them on
the CPU backend; without a name in all lessons. Operators make the bugs, of a relation, an
index, a barrier and so on: --sample N takes N of them at random, --seed S the same ones again.
--planted takes those of tests/lessons/planted.txt instead, --few of these one of each kind.
--list only shows them. Exit code 1: a bug was not rejected.
"""
OPTIONS = {"--sample": True, "--seed": True, "--planted": False, "--few": False, "--jobs": True,
           "--list": False}
ASSUMED, OPEN = "assumed", "open"  # survivors that mutation/assumed.py knows
COLUMNS = (NOT_COMPILED, SAME, ASSUMED, REJECTED, OPEN, SURVIVED)


class Bug(NamedTuple):
    """An edit, and how it is shown. quick: it is taken for no bug, so that the first test is enough."""
    edit: Union[Mutant, Planted]
    where: str
    reason: str = ""

    def apply(self, text: str) -> str:
        return self.edit.apply(text)


Bugs = Dict[str, List[Bug]]  # by lesson


def number(own: Dict[str, str], name: str, least: int, most: int, default: int) -> int:
    """The value of an option, a whole number from least to most."""
    word = own.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,12}", word, re.ASCII) or not least <= int(word) <= most and name in own:
        die(USAGE, f"{name} must be a whole number from {least} to {most}, not '{shown(word)}'")
    return int(word)


def made(names: Sequence[str]) -> Bugs:
    """All bugs that operators make of these lessons."""
    found: Bugs = {}
    for name in names:
        try:
            of = mutants(lesson_source(name).read_text(encoding="utf-8"))
        except (ValueError, StopIteration, IndexError, KeyError) as error:
            die(1, f"{name}/gemm.cu does not read like C++: {error}")
        if not of:
            die(1, f"{name}/gemm.cu has nothing to mutate")
        found[name] = [Bug(each, f"{name}/gemm.cu:{each.line}:{each.column}: {each.edit}",
                           assumed.reason(name, each.edit)) for each in of]
    return found


def by_hand(names: Sequence[str], few: bool) -> Bugs:
    """The bugs of planted.txt in these lessons."""
    found: Bugs = {}
    for each in chosen(names, few):
        found.setdefault(each.lesson, []).append(Bug(each, f"{each.lesson} {each.name}: {each.what}"))
    return found


def sample(bugs: Bugs, count: int, seed: int) -> Bugs:
    """count of all bugs, in their order. The same seed takes the same ones."""
    places = [(name, i) for name in bugs for i in range(len(bugs[name]))]
    taken = set(random.Random(seed).sample(places, min(count, len(places))))
    found = {name: [each for i, each in enumerate(of) if (name, i) in taken] for name, of in bugs.items()}
    return {name: of for name, of in found.items() if of}


def status(bug: Bug, verdict: Verdict) -> str:
    """Which of COLUMNS a judged bug is."""
    if verdict.status == SURVIVED and bug.reason:
        return OPEN if bug.reason.startswith("open") else ASSUMED
    return verdict.status


def score(rejected: int, missed: int) -> str:
    """In per cent, never rounded up to 100."""
    return f"{int(1000 * rejected / (rejected + missed)) / 10} %" if rejected + missed else "-"


def judge(name: str, bugs: List[Bug], jobs: int, table: Table) -> Tuple[bool, List[str]]:
    """Prints a lesson's row. Returns whether a bug passed, and lines about those that are to be told."""
    with Progress(f"judging bugs in {name}") as progress:
        found = judge_all(name, bugs, jobs, lambda each: each.reason[:4] not in ("", "open"),  # type: ignore
                          lambda done: progress.count(done, len(bugs)))
    kinds = [status(*each) for each in zip(bugs, found)]
    counts = collections.Counter(kinds)
    table.row(name, len(bugs), *(counts[each] for each in COLUMNS),
              score(counts[REJECTED], counts[OPEN] + counts[SURVIVED]))
    lines, passed = [], False
    for bug, verdict, kind in zip(bugs, found, kinds):
        planted = isinstance(bug.edit, Planted)
        passed = passed or kind == SURVIVED or planted and kind != REJECTED
        if kind == REJECTED and (planted or bug.reason or "(it died)" in verdict.by):
            taken = f", though it is taken for no bug ({bug.reason})" if bug.reason else ""
            lines.append(f"rejected by {verdict.by}{taken}: {bug.where}")
        elif kind == SURVIVED or planted:
            lines.append(f"{kind}: {bug.where}")
    return passed, lines


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "mutate", OPTIONS)
    by_table = "--planted" in own
    names = sorted({lesson(word) for word in words})
    if not names:
        names = [each.name for each in every_lesson() if not each.needs] if by_table else list(lessons())
    need_architecture(names, cpu=True)
    count = number(own, "--sample", 1, 10 ** 6, 0)
    seed = number(own, "--seed", 0, 10 ** 9, int(time.time()) % 10 ** 9)
    jobs = number(own, "--jobs", 1, 64, int(processors()))
    if "--seed" in own and not count:
        die(USAGE, "--seed is for --sample N")
    if "--few" in own and not by_table:
        die(USAGE, "--few is for --planted")
    bugs = by_hand(names, "--few" in own) if by_table else made(names)
    if not bugs:
        die(USAGE, f"tests/lessons/planted.txt has no bug of {', '.join(names)}")
    if count:
        total = sum(map(len, bugs.values()))
        bugs = sample(bugs, count, seed)
        say(f"{sum(map(len, bugs.values()))} of {total} bugs, chosen with --seed {seed}")
    if "--list" in own:
        for name in bugs:
            print("\n".join(each.where for each in bugs[name]))
        return 0
    need("test")
    lock()
    start = time.monotonic()
    table = Table([-20, 6, 8, 8, 8, 9, 5, 9, 8])
    table.row("lesson", "bugs", "invalid", "same", "assumed", "rejected", "open", "survived", "score")
    passed, lines = False, []
    for name, of in bugs.items():
        bad, told = judge(name, of, jobs, table)
        passed, lines = passed or bad, lines + told
    print("\n".join(lines), end="\n" if lines else "")
    say(f"in {duration(time.monotonic() - start)}")
    return 1 if passed else 0
