"""What became of mutants: counts, docs/results/mutation.json and the page made from it."""
import hashlib
import json
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ladder import ROOT, lesson_source, read_json, replace_file
from ladder.mutation import survivors
from ladder.mutation.judge import FULL, NOT_COMPILED, REJECTED, SAME, SURVIVED

DATA = ROOT / "docs" / "results" / "mutation.json"
PAGE = ROOT / "docs" / "results" / "mutation.md"
_SHOWN = 60  # survivors that the page lists one by one
COUNTS = ("not compiled", "same", "equivalent", "rejected", "open", "unknown")

_HEAD = """\
# Mutants: which planted bugs the tests find

Made by `./ladder mutate --report`. A mutant is a lesson's gemm.cu with one edit at one place, made by an operator on its
tokens. It is compiled for the CPU backend and judged by a few random problems, by the work that the kernel does (the table
[counts.txt](../../tests/counts/counts.txt)), by the lesson's suite and by the %d random problems that CI runs, until one of
them rejects it. Left out of the score are mutants that do not compile, those whose object code is the lesson's to the byte
(at -O1: swaps of tile sizes that are equal, mostly), and those that are no bugs for a reason that
[survivors.json](../../tests/variants/survivors.json) gives.

score = rejected / (rejected + open + unknown), where open survivors are bugs that the file lists with what would catch
them, and unknown ones are those that nobody has looked at, or that not all of these tests have judged yet.

"""


def kind(judged: Any) -> str:
    """Which of COUNTS a judged mutant is."""
    if judged.verdict.status == NOT_COMPILED:
        return "not compiled"
    if judged.verdict.status == SAME:
        return "same"
    if judged.verdict.status == REJECTED:
        return "rejected"
    return judged.entry.kind if judged.entry else "unknown"


def count(judged: Sequence[Any]) -> Dict[str, int]:
    kinds = [kind(each) for each in judged]
    return {name: kinds.count(name) for name in COUNTS}


def score(counts: Dict[str, int]) -> str:
    """In per cent, never rounded up to 100."""
    rejected, rest = counts["rejected"], counts["open"] + counts["unknown"]
    if rejected + rest == 0:
        return "-"
    return "%.1f %%" % (int(1000 * rejected / (rejected + rest)) / 10)


def _source(lesson: str) -> str:
    """The hash of a lesson's present text."""
    return hashlib.sha256(lesson_source(lesson).read_bytes()).hexdigest()[:12]


def keep(lesson: str, judged: Sequence[Any], seed: Optional[int], total: int) -> None:
    """Puts a lesson's result in place of its last one. Why survivors survive is not kept with it."""
    operators: Dict[str, Dict[str, int]] = {}
    for name in sorted({each.mutant.operator for each in judged}):
        counts = count([each for each in judged if each.mutant.operator == name])
        operators[name] = {key: counts[key] for key in ("not compiled", "same", "rejected")}
    by: Dict[str, int] = {}
    for each in judged:
        if each.verdict.status == REJECTED:
            by[each.verdict.by] = by.get(each.verdict.by, 0) + 1
    table = read_json(DATA)
    table[lesson] = {
        "source": _source(lesson),
        "mutants": total, "seed": seed, "operators": operators, "rejected by": by,
        "survivors": [{"line": each.mutant.line, "operator": each.mutant.operator,
                       "edit": each.mutant.edit}
                      for each in judged if each.verdict.status == SURVIVED]}
    replace_file(DATA, json.dumps(table, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def _classified(table: Dict[str, Any]) -> None:
    """Adds to each lesson's survivors their kinds and reasons, and to operators how many of each."""
    entries = survivors.read()
    for lesson, result in table.items():
        for counts in result["operators"].values():
            counts.update({key: 0 for key in COUNTS if key not in counts})
        for each in result["survivors"]:
            entry = survivors.find(entries, lesson, each["edit"])
            each["kind"], each["reason"] = (entry.kind, entry.reason) if entry else ("unknown", "")
            result["operators"][each["operator"]][each["kind"]] += 1
        result["counts"] = {key: sum(counts[key] for counts in result["operators"].values())
                            for key in COUNTS}


def _rows(header: Sequence[str], rows: Sequence[Sequence[object]], *marks: str) -> List[str]:
    """A table; marks: of its columns behind the first, if they are not all numbers."""
    given = [*marks, *["---"] * len(header)] if marks else ["---:"] * len(header)
    lines = [header, ["---", *given[:len(header) - 1]], *rows]
    return ["| %s |" % " | ".join(map(str, line)) for line in lines] + [""]


def _survivors(table: Dict[str, Any], wanted: str) -> List[str]:
    """Rows of survivors of a kind: their reason, how many of which lesson, and one of them."""
    groups: Dict[str, List[Tuple[str, Dict[str, Any]]]] = {}
    for lesson in sorted(table):
        for each in table[lesson]["survivors"]:
            if each["kind"] == wanted:
                groups.setdefault(each["reason"], []).append((lesson, each))
    rows = []
    for reason, of in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        numbers = [lesson[:2] for lesson, _ in of]
        where = ", ".join("%s: %d" % (name, numbers.count(name)) for name in sorted(set(numbers)))
        rows.append([_cell(reason), len(of), where, "%s:%d %s" % (numbers[0], of[0][1]["line"],
                                                                  _quoted(of[0][1]["edit"]))])
    return _rows(["reason", "mutants", "in", "for example"], rows, "---:") if rows else ["None.", ""]


def _unknown(table: Dict[str, Any]) -> List[str]:
    """All of those that nobody has looked at, or the first of very many."""
    lines = ["- %s:%d %s" % (lesson, each["line"], _quoted(each["edit"]))
             for lesson in sorted(table) for each in table[lesson]["survivors"]
             if each["kind"] == "unknown"]
    more = ["- and %d more" % (len(lines) - _SHOWN)] if len(lines) > _SHOWN else []
    return [*lines[:_SHOWN], *more, ""] if lines else ["None.", ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _choice(result: Dict[str, Any]) -> str:
    if result["seed"] is not None:
        return str(result["seed"])
    return "all" if sum(result["counts"].values()) == result["mutants"] else "-"


def _quoted(edit: str) -> str:
    """The edit as code, its line's own quotes left out."""
    return "`%s`" % _cell(edit.replace("`", ""))


def _age(name: str, result: Dict[str, Any]) -> str:
    """What the page says behind the name of a lesson that has been edited since it was judged."""
    edited = lesson_source(name).is_file() and result["source"] != _source(name)
    return " (an earlier text)" if edited else ""


def write() -> str:
    """Makes the page of all results that are kept and of what is known of survivors; returns its name."""
    table = read_json(DATA)
    _classified(table)
    lines = [_HEAD % FULL, "## By lesson", ""]
    lines += _rows(
        ["lesson", "mutants", "judged", "seed", *COUNTS, "score"],
        [[name + _age(name, each), each["mutants"], sum(each["counts"].values()), _choice(each),
          *(each["counts"][key] for key in COUNTS), score(each["counts"])]
         for name, each in sorted(table.items())])
    operators = sorted({name for each in table.values() for name in each["operators"]})
    sums = {name: {key: sum(each["operators"].get(name, {}).get(key, 0) for each in table.values())
                   for key in COUNTS} for name in operators}
    lines += ["## By operator", ""]
    lines += _rows(["operator", "judged", *COUNTS, "score"],
                   [[name, sum(sums[name].values()), *sums[name].values(), score(sums[name])]
                    for name in operators])
    lines += ["## Survivors that nobody has looked at", "", *_unknown(table)]
    lines += ["## Open: bugs that no test catches yet", "", *_survivors(table, "open")]
    lines += ["## No bugs", "", *_survivors(table, "equivalent")]
    replace_file(PAGE, "\n".join(lines).replace("\n\n\n", "\n\n").rstrip("\n") + "\n")
    return str(PAGE.relative_to(ROOT))
