"""worker.py prepare [own] | run NAME [ANSWER...] | trace NAME: a run of ./ladder lab in its own process, so that it can
be stopped. trace only traces the lesson that the subject's file was copied from.

run and trace report each step at once, as a JSON object per line:
  {"event": "step", "text"}                  the current step
  {"event": "mark", "line", "text"}          a message about a line of the file
  {"event": "verdict", "good", "problem", "lines", "printed"}  the result of a few small problems, or of compiling
  {"event": "counts", ...}                   the memory traffic of a run, compared with another lesson's (counts())
  {"event": "trace", "own", "below", "beside", "lesson"}  names of files in build/lab/ with traces of a block, "" for
                                             none; beside: the lesson of below; lesson: that of own, "" for the file
  {"event": "judged", "kind", "text", "where", "question"}  a verdict of ./ladder check, which runs next: holds, left or
                                             fails, with the responsible lines; yes or no for an answer to a question
  {"event": "headline", "kind", "text"}      the overall result (telling.py); the last one counts
  {"event": "said", "text"}                  another line of ./ladder check
  {"event": "end", "code", "text"}           how it ended: 0 good, 1 wrong, 2 or 3 as for a command, 130 stopped; text:
                                             an error, or ""
It ends when its standard input ends, together with the server.
"""
import contextlib
import io
import json
import os
import pathlib
import re
import signal
import sys
import threading
from typing import Any, Dict, List, Optional, Sequence, Tuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from ladder import (EXPLAIN, MACHINE, TEST, USAGE, WRONG, Run, Source, Stop, below, build_folder, die,  # noqa: E402
                    first_lines, lesson_file, make, need_architecture, practice_file, read_json, replace_file, run_program)
from ladder.explaining.text import LABELS, Explained, rows  # noqa: E402
from ladder.explaining.widths import widths  # noqa: E402
from ladder.judging import asking, exercises, files, telling  # noqa: E402
from ladder.judging.suite import RIGHT, suite  # noqa: E402
from ladder.lib import traces  # noqa: E402
from ladder.lib.making import compiler  # noqa: E402
from ladder.lib.output import open_streams, say  # noqa: E402
from ladder.lib.programs import death, line_in  # noqa: E402
from ladder.lib.work import LIMIT, catch_signals, execute  # noqa: E402
from ladder.pictures.gallery import default_sizes  # noqa: E402
from ladder.serving import own  # noqa: E402
from ladder.serving.subjects import Subject, compared, subject  # noqa: E402

QUICK = (("97", "131", "65", "--beta", "1", "--ldc", "133"), ("64", "128", "64"))  # no whole tile; whole tiles
_OUT = sys.stdout
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def tell(event: str, **values: Any) -> None:
    _OUT.write(json.dumps({"event": event, **values}) + "\n")
    _OUT.flush()


class Lines(io.TextIOBase):
    """Replaces stdout or stderr: turns lines into events, and into marks if they name a line of the file."""

    def __init__(self, one: Subject, event: str):
        self.one, self.event, self.rest = one, event, ""

    def write(self, text: str) -> int:
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            tell_line(self.one, _ESCAPES.sub("", line), self.event)
        return len(text)


class Judged(telling.Terminal):
    """Sends the reports of ./ladder check as events."""

    def __init__(self, one: Subject):
        self.one = one

    def verdict(self, verdict: telling.Verdict) -> None:
        where = list(dict.fromkeys(verdict.where))
        tell("judged", kind=verdict.kind, text=verdict.words, where=where, question="")
        for line in where:
            tell_line(self.one, line, mark=verdict.words)

    def answer(self, right: bool, question: str, words: str) -> None:
        tell("judged", kind="yes" if right else "no", text=f"{question}: {words}", where=[], question=question)

    def more_help(self, words: str) -> None:
        """Nothing: the page has a button."""

    def end(self, kind: str, words: str) -> None:
        tell("headline", kind=kind, text=words)


def tell_line(one: Subject, line: str, event: str = "", mark: str = "") -> None:
    """Sends a line as an event, and as a mark if it names a line of the file; mark: the text for the mark instead."""
    if event:
        tell(event, text=line)
    found = re.search(_place(one) + r"(?::\d+)?: (.*)", line)
    if found:
        tell_mark(one, int(found[1]), re.sub(r"^(fatal )?error: ", "", mark or found[2]))


def tell_mark(one: Subject, number: int, words: str) -> None:
    tell("mark", line=number, text=re.sub(_place(one), r"line \1", words))


def _place(one: Subject) -> str:
    """The pattern of a line of the file in a text."""
    return r"(?<![\w./])%s:(\d+)" % re.escape(one.shown)


# ---- the first verdict -----------------------------------------------------------------------------


def compiled(one: Subject, source: Source) -> None:
    tell("step", text="compiling")
    try:
        make((source, EXPLAIN))
    except Stop as stop:
        if stop.code != WRONG:
            raise
        lines = stop.args[0].splitlines()
        for line in lines[1:]:
            tell_line(one, files.with_practice_path(one.file, line))
        tell("verdict", good=False, problem="it does not compile", printed=[],
             lines=[files.with_practice_path(one.file, line) for line in lines[1:]])
        raise Stop(WRONG) from None


def ran(one: Subject, source: Source, arguments: Sequence[str]) -> Run:
    """Runs a program. Sends a verdict and marks if the result is not right; ends the worker if there are no counts."""
    run = run_program(source.program(EXPLAIN), arguments, limit=LIMIT)
    lines = [line for line in first_lines(files.with_practice_path(one.file, run.errors), 30) if line.strip()]
    for error in run.found:
        number = line_in(one.path, error)
        if number:
            tell_mark(one, number, files.with_practice_path(one.file, error["text"]))
    if run.status != 0 or not run.result:
        follows = any(not each.get("note") for each in run.found) and not run.result  # the program's own last line
        findings = [line.replace(f"practice.{one.file}: ", "") for line in (lines[:-1] if follows else []) or lines]
        what = [death(source.program(EXPLAIN), run.status)] if run.status < 0 else []
        tell("verdict", good=False, problem="M N K = " + " ".join(arguments[:3]),
             lines=(what + findings)[:8] or [f"it ended with {run.status}"], printed=first_lines(run.printed))
    if not run.result:
        raise Stop(MACHINE if run.status == MACHINE else WRONG)
    return run


def quick(one: Subject, source: Source) -> bool:
    """Whether a few small problems are right."""
    for arguments in QUICK:
        tell("step", text="running M N K = " + " ".join(arguments[:3]))
        run = ran(one, source, [*arguments, "--exact"])
        if run.status != 0:
            return False
    tell("verdict", good=True, problem="", printed=first_lines(run.printed), lines=[
        "%s; no race or out-of-bounds access" % " and ".join(" × ".join(sizes[:3]) for sizes in QUICK)])
    return True


# ---- counts ----------------------------------------------------------------------------------------


def explained(one: Subject, source: Source, name: str, arguments: Sequence[str]) -> Tuple[Explained, bool]:
    """A run's counts, and whether its result was right."""
    fuse, note = widths(files.read(source.path), name)
    run = ran(one, source, [*arguments, *fuse])
    return Explained(name, run.result, note), run.status == 0


def counts(own: Explained, beside: Optional[Explained]) -> Dict[str, Any]:
    """The counts as data. Lines: requests and sectors of global memory, requests and wavefronts of shared memory, and
    their shares. Totals: label, figure, the other lesson's figure and the ratio."""
    costs = [max(sum(line.cost[at] for line in own.lines), 1) for at in (0, 1)]
    sizes = [own.report[key] for key in "MNK"]
    return {"sizes": sizes, "beside": beside.name if beside else "", "note": own.note,
            "lines": [{"line": line.number, "requests": line.requests, "cost": line.cost,
                       "share": [line.cost[at] / costs[at] for at in (0, 1)]} for line in own.lines],
            "totals": [[LABELS[key].strip(), LABELS[key][:1] == " ", figure, before if beside else "", ratio]
                       for key, figure, before, ratio in rows(own, beside)],
            "findings": [{"good": each.good, "text": each.text, "line": each.line, "shared": each.shared}
                         for each in own.findings]}


def counted(one: Subject, source: Source, good: bool) -> bool:
    """Sends the counts, then the same compared with another lesson; returns whether the run was right."""
    tell("step", text="counting")
    sizes = ["256", "256", "256"]
    own, right = explained(one, source, one.lesson, sizes + ([] if good else ["--no-check"]))
    name = compared(one)
    tell("counts", **counts(own, None))
    if name:
        make((lesson_file(name), EXPLAIN))
        tell("counts", **counts(own, explained(one, lesson_file(name), name, [*sizes, "--no-check"])[0]))
    traced(one, source, name)
    return good and right


def traced(one: Subject, source: Source, name: str) -> None:
    """Writes the traces of the file and of another lesson for the explorer."""
    names = [trace(each) for each in [source, *([lesson_file(name)] if name else [])]]
    tell("trace", own=names[0], below=names[1] if name else "", beside=name, lesson="")


def trace_lesson(name: str) -> int:
    """Traces the lesson that a subject's file was copied from, and the lesson before it."""
    one = subject(name)
    if one.kind == "own":
        die(USAGE, "a program of your own has no lesson to trace")
    sys.stdout, sys.stderr = Lines(one, "said"), Lines(one, "step")  # type: ignore
    need_architecture([one.base], cpu=True)
    names = [each for each in (one.base, below(one.base)) if each]
    tell("step", text=f"tracing {one.base}")
    make(*((lesson_file(each), EXPLAIN) for each in names))
    files_ = [trace(lesson_file(each)) for each in names]
    tell("trace", own=files_[0], below="".join(files_[1:]), beside="".join(names[1:]), lesson=one.base)
    return 0


def trace(source: Source) -> str:
    """Writes a trace for pages to build/lab/ and returns the file's name; "" if there is no trace."""
    path, code = build_folder("lab") / (source.name + ".trace.json"), files.read(source.path)
    arguments = [*default_sizes(code), "--no-check", "--trace", path]
    done = execute([source.program(EXPLAIN), *arguments], limit=LIMIT)
    found = read_json(path) if done.status == 0 else {}
    if found:
        replace_file(path, json.dumps(traces.for_page(found, code)))
    return path.name if found else ""


# ---- the whole run ---------------------------------------------------------------------------------


def judged(one: Subject, answers: List[str]) -> int:
    """Runs ./ladder check."""
    tell("step", text="judging")
    if one.kind == "exercise":
        return asking.check(exercises.find(one.name), answers)
    if one.kind == "climb":
        from ladder.check import judge
        return judge(one.name)
    source = practice_file(one.file)
    make((source, TEST))
    failure = suite(one.file, source)
    telling.to.verdict(telling.Verdict(not failure, RIGHT))
    for line in failure:
        print("    " + line)
    return 1 if failure else 0


def run(name: str, answers: List[str]) -> int:
    """The whole run. It stops at a wrong result, except for exercises, which may ask for one."""
    one = subject(name)
    if one.kind == "own":
        return own.run(tell)
    sys.stdout, sys.stderr = Lines(one, "said"), Lines(one, "step")  # type: ignore
    telling.to = Judged(one)
    need_architecture([one.lesson], cpu=True)
    if answers and not files.is_changed(one.file):  # only numbers
        return judged(one, answers)
    source, good = practice_file(one.file), False
    try:
        compiled(one, source)
        good = quick(one, source)
        good = counted(one, source, good)
    except Stop as stop:
        if stop.code != WRONG:
            raise
    return judged(one, answers) if good or one.kind == "exercise" else WRONG


def prepare(only: List[str]) -> int:
    """Builds the parts that all runs share, with progress on the terminal; only: what an own file needs."""
    if only:
        compiler()
        return 0
    source = lesson_file("02_coalesced")
    make((source, EXPLAIN), (source, TEST))
    return 0


def until_the_server_ends() -> None:
    while os.read(0, 1 << 12):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main(words: List[str]) -> int:
    catch_signals()
    try:
        if words[:1] == ["prepare"]:
            open_streams()
            return prepare(words[1:])
        threading.Thread(target=until_the_server_ends, daemon=True).start()
        code, message = run(words[1], words[2:]) if words[0] == "run" else trace_lesson(words[1]), ""
    except Stop as stop:
        code, message = stop.code if stop.code < 128 else 130, str(stop.args[0])
    except OSError as error:
        code, message = MACHINE, f"{error.filename or ''} {error.strerror or error}".strip()
    if words[:1] == ["prepare"]:
        with contextlib.suppress(Stop):  # standard error may be full
            say("ladder: " + message)
    else:
        tell("end", code=code, text=message)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
