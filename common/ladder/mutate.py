"""mutate [LESSON...]: plant bugs in copies of lessons and see whether the tests catch them, on the CPU backend

Plants one bug at a time and prints a score and each bug that passes the tests (exit code 1). Operators make the bugs:
they change a relation, an index, a barrier and so on. Without names it takes all lessons.
"""
import argparse
import collections
import random
import time
from typing import Dict, List, NamedTuple, Sequence, Tuple, Union

from ladder import (MACHINE, USAGE, Progress, Table, backend, die, duration, lesson, lesson_source,
                    lessons, lock, need, need_architecture, processors, say)
from ladder.lessons import every as every_lesson
from ladder.lib.arguments import Parser, whole
from ladder.mutation import assumed
from ladder.mutation.judge import NOT_COMPILED, REJECTED, SAME, SURVIVED, Verdict, Verdicts, judge_all
from ladder.mutation.operators import Mutant, mutants
from ladder.mutation.planted import Planted, chosen

ASSUMED, OPEN = "assumed", "open"  # survivors that mutation/assumed.py knows
COLUMNS = (NOT_COMPILED, SAME, ASSUMED, REJECTED, OPEN, SURVIVED)


class Bug(NamedTuple):
    """An edit, and how to show it. reason: why it is assumed to be harmless, so that the first test is enough."""
    edit: Union[Mutant, Planted]
    where: str
    reason: str = ""

    def apply(self, text: str) -> str:
        return self.edit.apply(text)


Bugs = Dict[str, List[Bug]]  # by lesson


def made(names: Sequence[str]) -> Bugs:
    """All bugs that the operators make in these lessons."""
    found: Bugs = {}
    for name in names:
        try:
            of = mutants(lesson_source(name).read_text(encoding="utf-8"))
        except (ValueError, StopIteration, IndexError, KeyError) as error:
            die(1, f"{name}/gemm.cu cannot be parsed: {error}")
        if not of:
            die(1, f"{name}/gemm.cu has nothing to mutate")
        found[name] = [Bug(each, f"{name}/gemm.cu:{each.line}:{each.column}: {each.edit}",
                           assumed.reason(name, each.edit)) for each in of]
    return found


def by_hand(names: Sequence[str], few: bool, gpu: bool) -> Bugs:
    """The bugs of planted.txt in these lessons."""
    found: Bugs = {}
    for each in chosen(names, few, gpu):
        found.setdefault(each.lesson, []).append(Bug(each, f"{each.lesson} {each.name}: {each.what}"))
    return found


def sample(bugs: Bugs, count: int, seed: int) -> Bugs:
    """A random choice of count bugs, in their order. The same seed chooses the same bugs."""
    places = [(name, i) for name in bugs for i in range(len(bugs[name]))]
    taken = set(random.Random(seed).sample(places, min(count, len(places))))
    found = {name: [each for i, each in enumerate(of) if (name, i) in taken] for name, of in bugs.items()}
    return {name: of for name, of in found.items() if of}


def status(bug: Bug, verdict: Verdict) -> str:
    """The column of COLUMNS for a judged bug."""
    if verdict.status == SURVIVED and bug.reason:
        return OPEN if bug.reason.startswith("open") else ASSUMED
    return verdict.status


def score(rejected: int, missed: int) -> str:
    """A percentage that is never rounded up to 100."""
    return f"{int(1000 * rejected / (rejected + missed)) / 10} %" if rejected + missed else "-"


def report(name: str, bugs: List[Bug], verdicts: Verdicts, table: Table) -> Tuple[bool, List[str]]:
    """Waits for a lesson's verdicts and prints its row. Returns whether a bug passed the tests, and lines about the bugs
    to report."""
    found: List[Verdict] = []
    with Progress(f"judging bugs in {name}") as progress:
        for each in verdicts:
            found.append(each.result())
            progress.count(len(found), len(bugs))
    kinds = [status(*each) for each in zip(bugs, found)]
    counts = collections.Counter(kinds)
    table.row(name, len(bugs), *(counts[each] for each in COLUMNS),
              score(counts[REJECTED], counts[OPEN] + counts[SURVIVED]))
    lines, passed = [], False
    for bug, verdict, kind in zip(bugs, found, kinds):
        planted = isinstance(bug.edit, Planted)
        passed = passed or kind == SURVIVED or planted and kind != REJECTED
        if kind == REJECTED and (planted or bug.reason or "(it died)" in verdict.by):
            taken = f", although assumed harmless ({bug.reason})" if bug.reason else ""
            lines.append(f"rejected by {verdict.by}{taken}: {bug.where}")
        elif kind == SURVIVED or planted:
            lines.append(f"{kind}: {bug.where}")
    return passed, lines


def arguments(parser: Parser) -> None:
    parser.words("LESSON")
    parser.add_argument("--sample", type=whole(1, 10**6), metavar="N", help="judge only N bugs, chosen at random")
    parser.add_argument("--seed", type=whole(0, 10**9), metavar="S", help="with --sample: choose the same bugs again")
    parser.add_argument("--planted", action="store_true", help="judge the bugs of tests/lessons/planted.txt instead")
    parser.add_argument("--few", action="store_true", help="with --planted: only one bug of each kind")
    parser.add_argument("--gpu", action="store_true", help="with --planted: the bugs that only tests on a GPU catch")
    parser.add_argument("--jobs", type=whole(1, 64), metavar="J", default=processors(),
                        help="how many to judge at once (default: the number of processors)")
    parser.add_argument("--list", action="store_true", help="only list the bugs")


def main(args: argparse.Namespace) -> int:
    names = sorted({lesson(word) for word in args.words})
    if not names:
        names = [each.name for each in every_lesson() if not each.not_on_cpu] if args.planted else list(lessons())
    if args.gpu and not args.planted:
        die(USAGE, "--gpu needs --planted")
    if args.seed is not None and not args.sample:
        die(USAGE, "--seed needs --sample N")
    if args.few and not args.planted:
        die(USAGE, "--few needs --planted")
    bugs = by_hand(names, args.few, args.gpu) if args.planted else made(names)
    if not bugs:
        die(USAGE, f"tests/lessons/planted.txt has no bug for {', '.join(names)}")
    if args.sample:
        seed = int(time.time()) % 10**9 if args.seed is None else args.seed
        total = sum(map(len, bugs.values()))
        bugs = sample(bugs, args.sample, seed)
        say(f"{sum(map(len, bugs.values()))} of {total} bugs, chosen with --seed {seed}")
    if args.list:
        for name in bugs:
            print("\n".join(each.where for each in bugs[name]))
        return 0
    where = "gpu" if args.gpu else "cpu"
    if args.gpu and backend() != "gpu":
        die(MACHINE, "--gpu needs an NVIDIA GPU and nvcc")
    need_architecture(list(bugs), cpu=not args.gpu)
    need("test")
    lock()
    start = time.monotonic()
    table = Table([-23, 6, 8, 8, 8, 9, 5, 9, 8])
    table.row("lesson", "bugs", "invalid", "same", "assumed", "rejected", "open", "survived", "score")
    passed, lines = False, []
    for name, verdicts in judge_all(bugs, args.jobs, lambda each: each.reason[:4] not in ("", "open"),  # type: ignore
                                    where):
        bad, notes = report(name, bugs[name], verdicts, table)
        passed, lines = passed or bad, lines + notes
    print("\n".join(lines), end="\n" if lines else "")
    say(f"took {duration(time.monotonic() - start)}")
    return 1 if passed else 0
