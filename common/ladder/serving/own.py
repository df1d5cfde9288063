"""./ladder lab FILE.cu: a CUDA program of one's own, outside practice/. Builds and runs it as ./ladder cuda does, and
turns its report (common/simt/docs/report.md) into the events of worker.py. The command names the file in the
environment, so that no request can choose another."""
import collections
import json
import os
import pathlib
import re
from typing import Any, Callable, Counter, Dict, List

from ladder import USAGE, WRONG, build_folder, die, execute, first_lines, read_json, short_failure, shown
from ladder.explaining.source import GLOBAL, SHARED
from ladder.lib.making import compiler
from ladder.lib.programs import death, line_in
from ladder.lib.work import LIMIT, Done, Started

NAME = "own"  # of the subject
_VARIABLE = "LADDER_LAB_FILE"
_MOST = 8  # errors that are shown


def choose(word: str, arguments: List[str]) -> None:
    """Makes a file the lab's, with arguments for its program."""
    if not os.path.isfile(word):
        die(USAGE, f"there is no file '{shown(word)}'")
    os.environ[_VARIABLE] = json.dumps([os.path.realpath(word), *arguments])


def chosen() -> List[str]:
    """The file and the arguments; [] if the command named none."""
    return list(json.loads(os.environ.get(_VARIABLE, "[]")))


def run(tell: Callable[..., None]) -> int:
    """A run, as events; returns 0 if the program and its kernels are right."""
    path = pathlib.Path(chosen()[0])
    program, report = build_folder("lab") / "own", build_folder("lab") / "own.json"
    simtcc = compiler()
    tell("step", text="compiling")
    done = execute([simtcc, path, "-o", program], tools=True, limit=LIMIT)
    if done.status != 0:
        lines = [_named(line, path) for line in short_failure(done.out)]
        for line in lines:
            found = re.match(rf"{re.escape(path.name)}:(\d+)(?::\d+)?: (?:fatal )?(?:error: )?(.*)", line)
            if found:
                tell("mark", line=int(found[1]), text=found[2])
        tell("verdict", good=False, problem="it does not compile", lines=lines, printed=[])
        return WRONG
    tell("step", text="running")
    report.unlink(missing_ok=True)
    in_its_folder = ["sh", "-c", 'cd "$0" && exec "$@"', path.parent, program, *chosen()[1:]]
    with Started(in_its_folder, limit=LIMIT, SIMT_REPORT="json", SIMT_REPORT_FILE=str(report)) as started:
        done = started.wait()
    return _told(tell, done, read_json(report), path)


def _told(tell: Callable[..., None], done: Done, report: Dict[str, Any], path: pathlib.Path) -> int:
    """Sends the verdict and the counts of a run that has ended; returns 0 if it was right."""
    kernels = report.get("kernels", [])
    all_errors = [error for kernel in kernels for error in kernel["errors"]]
    errors = [_named(error["message"], path) for error in all_errors]
    said = [_named(line, path) for line in first_lines(done.err, 30) if line.strip()]
    for error in all_errors:
        number = line_in(path, error)
        if number:
            tell("mark", line=number, text=_named(error["text"], path))
    good = done.status == 0 and not errors
    launches = sum(kernel["launches"] for kernel in kernels)
    right = f"{launches} launch{'es' * (launches != 1)}; no race or out-of-bounds access"
    ended = death(path, done.status) if done.status < 0 else f"it ended with status {done.status}"
    lines = [right] if good else errors[:_MOST] or [ended, *said[:_MOST]]
    tell("verdict", good=good, problem="", lines=lines, printed=first_lines(done.out))
    for line in said:
        if line not in errors:
            tell("said", text=line)
    if kernels:
        tell("counts", **counts(report, path))
    found = f"{len(errors)} error{'s' * (len(errors) != 1)} found"
    words = "no errors found" if good else found if errors else ended
    tell("headline", kind="good" if good else "wrong", text=words)
    return 0 if good else WRONG


def _named(line: str, path: pathlib.Path) -> str:
    """A message with the file's name in place of its path, of which the CPU backend shows the last folder."""
    return re.sub(rf"(?<![\w./])(?:{re.escape(str(path.parent))}|{re.escape(path.parent.name)})/{re.escape(path.name)}(?=:)",
                  lambda _: path.name, line)


def counts(report: Dict[str, Any], path: pathlib.Path) -> Dict[str, Any]:
    """The counters of all launches as the page shows them (worker.py): by line of the file, and in total. A finding is a
    line that takes twice the sectors or wavefronts that its words need, or more."""
    totals: Counter[str] = collections.Counter()
    by_line: Dict[int, Counter[str]] = collections.defaultdict(collections.Counter)
    for kernel in report["kernels"]:
        totals.update(kernel["counters"])
        for row in kernel["lines"]:
            if row["line"] and os.path.realpath(row["file"]) == str(path):
                by_line[row["line"]].update(row["counters"])

    def sums(row: Counter[str], part: str, shared: str) -> List[int]:
        return [sum(row[f"{kind}.{part}"] for kind in GLOBAL), sum(row[f"{kind}.{shared}"] for kind in SHARED)]

    whole = sums(totals, "sectors", "wavefronts")
    lines, findings = [], []
    for number, row in sorted(by_line.items()):
        requests, cost, ideal = sums(row, "requests", "requests"), sums(row, "sectors", "wavefronts"), sums(row, "ideal", "ideal")
        if any(requests):
            lines.append({"line": number, "requests": requests, "cost": cost,
                          "share": [each / max(all_of, 1) for each, all_of in zip(cost, whole)]})
        for at, unit in enumerate(("sectors of global memory", "wavefronts of shared memory")):
            if cost[at] >= 2 * ideal[at] > 0:
                findings.append({"good": False, "line": number, "shared": at == 1,
                                 "text": f"line {number}: {cost[at]} {unit}; its words fit into {ideal[at]}"})
    return {"sizes": [], "beside": "", "note": "", "lines": lines, "findings": findings,
            "totals": [[each["label"], False, str(totals[each["name"]]), "", 0] for each in report["counters"]
                       if totals[each["name"]] and each["unit"] not in ("bytes", "lines")]}
