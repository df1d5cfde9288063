"""./ladder mutate"""
import random
import re
import time
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from ladder import (USAGE, Progress, Table, die, duration, lesson, lesson_source,
                    lessons, lock, need, need_architecture, processors, say, shown, split_options)
from ladder.mutation import report, survivors
from ladder.mutation.judge import REJECTED, judge_all
from ladder.mutation.kept import Judgement
from ladder.mutation.operators import Mutant, mutants
from ladder.mutation.programs import clean

ORDER = 14
HELP = """\
mutate [LESSON...] [--sample N] [--seed S] [--jobs J] [--list] [--report] [--page]
plants bugs, one at a time, in copies of the lessons' gemm.cu and lets the tests judge them on
the CPU backend: the score, and each bug that passes. Without a name all lessons. --sample N
takes N of the mutants at random, --seed S the same ones again, --list only shows them.
Verdicts are kept in build/mutate: what was interrupted goes on, and a new test judges survivors.
--report writes docs/results/mutation.json and mutation.md, --page only the latter again. Known
survivors and their reasons are in tests/lessons/variants/survivors.json; others end with exit code 1.
"""
OPTIONS = {"--sample": True, "--seed": True, "--jobs": True, "--list": False, "--report": False,
           "--page": False}
Chosen = Dict[str, List[Mutant]]


class Judged(NamedTuple):
    mutant: Mutant
    verdict: Judgement
    entry: Optional[survivors.Entry]


def number(own: Dict[str, str], name: str, least: int, most: int, default: int) -> int:
    """The value of an option, a whole number from least to most."""
    if name not in own:
        return default
    word = own[name]
    if not re.fullmatch(r"[0-9]{1,12}", word, re.ASCII) or not least <= int(word) <= most:
        die(USAGE, "%s must be a whole number from %d to %d, not '%s'" % (name, least, most, shown(word)))
    return int(word)


def every(names: Sequence[str]) -> Chosen:
    """All mutants of these lessons."""
    found = {}
    for name in names:
        try:
            found[name] = mutants(lesson_source(name).read_text(encoding="utf-8"))
        except (ValueError, StopIteration, IndexError, KeyError) as error:
            die(1, "%s/gemm.cu does not read like C++: %s" % (name, error))
        if not found[name]:
            die(1, "%s/gemm.cu has nothing to mutate" % name)
    return found


def sample(all_of_them: Chosen, count: int, seed: int) -> Chosen:
    """count of all mutants, in their order. The same seed takes the same ones."""
    places = [(name, i) for name in all_of_them for i in range(len(all_of_them[name]))]
    taken = set(random.Random(seed).sample(places, min(count, len(places))))
    found = {name: [each for i, each in enumerate(of) if (name, i) in taken]
             for name, of in all_of_them.items()}
    return {name: of for name, of in found.items() if of}


def show(name: str, mutant: Mutant) -> str:
    return "%s/gemm.cu:%d:%d: %s" % (name, mutant.line, mutant.column, mutant.edit)


def judge_lesson(name: str, chosen: List[Mutant], entries: Sequence[survivors.Entry],
                 jobs: int) -> List[Judged]:
    """Every mutant's verdict. An equivalent one is judged by a few problems only."""
    known = [survivors.find(entries, name, each.edit) for each in chosen]
    equivalent = {each.edit for each, entry in zip(chosen, known)
                  if entry and entry.kind == "equivalent"}
    with Progress("judging mutants of %s" % name) as progress:
        found = judge_all(name, chosen, lambda each: each.edit in equivalent, jobs,
                          lambda done: progress.count(done, len(chosen)))
    return [Judged(*each) for each in zip(chosen, found, known)]


def summary(name: str, judged: Sequence[Judged], table: Table) -> Tuple[int, List[str]]:
    """Prints a lesson's row. Returns how many survivors are unknown, and lines about them."""
    counts = report.count(judged)
    table.row(name, len(judged), counts["not compiled"], counts["same"], counts["equivalent"],
              counts["rejected"], counts["open"], counts["unknown"], report.score(counts))
    lines = []
    for each in judged:
        kind = report.kind(each)
        if kind == "unknown":
            lines.append("survived: " + show(name, each.mutant))
        elif each.verdict.status == REJECTED and each.entry and each.entry.kind == "open":
            lines.append("no longer open, rejected by %s: %s" % (each.verdict.by, show(name, each.mutant)))
        elif each.verdict.status == REJECTED and each.entry:
            lines.append("called equivalent, but rejected by %s: %s" %
                         (each.verdict.by, show(name, each.mutant)))
        if "(it died)" in each.verdict.by:
            lines.append("died: " + show(name, each.mutant))
    return counts["unknown"], lines


def run(chosen: Chosen, jobs: int, seed: int, sampled: bool, write: bool, total: Dict[str, int]) -> int:
    entries = survivors.read()
    table = Table([-20, 8, 8, 8, 10, 8, 5, 8, 7])
    table.row("lesson", "mutants", "invalid", "same", "equivalent", "rejected", "open", "unknown",
              "score")
    unknown, lines = 0, []
    for name, of in chosen.items():
        judged = judge_lesson(name, of, entries, jobs)
        found, said = summary(name, judged, table)
        unknown += found
        lines += said
        if write:
            report.keep(name, judged, seed if sampled else None, total[name])
    print("\n".join(lines), end="\n" if lines else "")
    if write:
        say("written: %s" % report.write())
    return 1 if unknown else 0


def main(arguments: List[str]) -> int:
    words, own, _ = split_options(arguments, "mutate", OPTIONS)
    names = sorted({lesson(word) for word in words}) or list(lessons())
    need_architecture(names, cpu=True)
    count = number(own, "--sample", 1, 10 ** 6, 0)
    seed = number(own, "--seed", 0, 10 ** 9, int(time.time()) % 10 ** 9)
    jobs = number(own, "--jobs", 1, 64, int(processors()))
    if "--seed" in own and not count:
        die(USAGE, "--seed is for --sample N")
    all_of_them = every(names)
    chosen = sample(all_of_them, count, seed) if count else all_of_them
    if count:
        say("%d of %d mutants, chosen with --seed %d" %
            (sum(map(len, chosen.values())), sum(map(len, all_of_them.values())), seed))
    if "--page" in own:
        say("written: %s" % report.write())
        return 0
    if "--list" in own:
        for name, of in chosen.items():
            for each in of:
                print(show(name, each))
        return 0
    for entry in survivors.stale(survivors.read(), all_of_them):
        say("tests/lessons/variants/survivors.json has an entry that fits no mutant: %s, %s" %
            (entry.lesson, entry.edit))
    need("test")
    lock()
    clean()
    start = time.monotonic()
    status = run(chosen, jobs, seed, count > 0, "--report" in own,
                 {name: len(of) for name, of in all_of_them.items()})
    say("in %s" % duration(time.monotonic() - start))
    return status
