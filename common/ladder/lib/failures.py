"""The first failure of a test in about ten lines: where, the case in words, how to repeat it."""
import pathlib
import re
import xml.etree.ElementTree
from typing import Dict, List, NamedTuple, Optional

from ladder.lib.errors import learner_path
from ladder.lib.lessons import find_lesson
from ladder.lib.work import last_lines

_CASE = re.compile(r"M N K (?P<M>\d+) (?P<N>\d+) (?P<K>\d+), ld (?P<lda>\d+) (?P<ldb>\d+) "
                   r"(?P<ldc>\d+), offsets (?P<a>\d+) (?P<b>\d+) (?P<c>\d+), "
                   r"alpha (?P<alpha>\S+?),? beta (?P<beta>[^\s,]+), (?P<mode>exact|rounding)(, guarded)?")
# What the CPU backend says of a kernel: "02_coalesced/gemm.cu:26: gemm_kernel: thread ...".
_BACKEND = re.compile(r"^\S+\.(cu|cpp|h):\d+: .*\bthread\b")


class Row(NamedTuple):
    """A test as ctest has run it. status: "passed", "failed" or "skipped"; seconds it took."""
    name: str
    status: str
    seconds: float
    output: str


def read_rows(path: pathlib.Path) -> List[Row]:
    """The rows of ctest's --output-junit file, in order; [] if there is none that can be read."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return []
    rows = []
    for case in root.iter("testcase"):
        status = {"run": "passed", "fail": "failed"}.get(case.get("status", ""), "skipped")
        skipped = case.find("skipped")
        if skipped is not None and "SKIP_" not in skipped.get("message", "SKIP_"):
            status = "failed"  # its program is not there, or it could not be started
        output = case.findtext("system-out") or ""
        if status == "failed" and not output.strip():
            failure = case.find("failure")
            output = (failure.get("message", "") if failure is not None else
                      skipped.get("message", "") if skipped is not None else "")
        rows.append(Row(case.get("name", "?"), status, float(case.get("time", "0") or 0), output))
    return rows


def _plain(value: str) -> str:
    try:
        return "%g" % float(value)
    except ValueError:
        return value


def _words(case: Dict[str, str]) -> str:
    """A problem of the suite in words."""
    text = "M N K = %(M)s %(N)s %(K)s" % case
    for name, stride, width in (("A", "lda", "K"), ("B", "ldb", "N"), ("C", "ldc", "N")):
        if case[stride] not in ("0", case[width]):
            text += ", rows of %s %s elements apart" % (name, case[stride])
    for name, offset in (("A", "a"), ("B", "b"), ("C", "c")):
        if case[offset] != "0":
            text += ", %s begins %s elements off" % (name, case[offset])
    text += ", alpha %s, beta %s" % (_plain(case["alpha"]), _plain(case["beta"]))
    return text + (", exact" if case["mode"] == "exact" else ", within rounding")


def _command(case: Dict[str, str], lesson: str) -> str:
    """The ./ladder run that repeats a problem; "" for one that starts off an allocation's start."""
    if any(case[offset] != "0" for offset in "abc"):
        return ""
    words = ["./ladder run", lesson[:2], case["M"], case["N"], case["K"]]
    for option, width in (("lda", "K"), ("ldb", "N"), ("ldc", "N")):
        if case[option] not in ("0", case[width]):
            words += ["--" + option, case[option]]
    for option, usual in (("alpha", "1"), ("beta", "0")):
        if _plain(case[option]) != usual:
            words += ["--" + option, _plain(case[option])]
    return " ".join(words + (["--exact"] if case["mode"] == "exact" else []))


def _message(lines: List[str]) -> str:
    """What Catch2 says with a failure, on one line: it breaks lines where it likes."""
    for at, line in enumerate(lines):
        if re.search(r"with messages?:$", line.rstrip()):
            end = next((i for i in range(at + 1, len(lines)) if not lines[i].strip()), len(lines))
            return " ".join(each.strip() for each in lines[at + 1:end])
    return " ".join(line.strip() for line in lines[1:4] if line.strip())


def _title(lines: List[str], at: int) -> str:
    """The title of the Catch2 test case around line AT: the text between two rules above it."""
    for i in range(at, 1, -1):
        if re.match(r"-{70}", lines[i]) and not re.match(r"[-=.]{70}", lines[i - 1]):
            start = i - 1
            while start > 0 and not re.match(r"-{70}", lines[start - 1]):
                start -= 1
            return " / ".join(line.strip() for line in lines[start:i])
    return ""


def _failed_cases(output: str) -> str:
    """"8 of 20 test cases fail", from Catch2's last lines."""
    found = re.search(r"test cases: +(\d+) .*?(\d+) failed", output)
    return "%s of %s test cases fail" % (found.group(2), found.group(1)) if found else ""


def describe(row: Row, folder: str, log: str) -> List[str]:
    """The first failure of a test, in lines. folder: of the test programs; log: with all of it."""
    lines = row.output.splitlines()
    name = row.name.rsplit(".", 1)[0]
    lesson = find_lesson(name.split(".")[0])
    failed = next((i for i, line in enumerate(lines) if line.rstrip().endswith("FAILED:")), None)
    if failed is None or not lesson:
        return [learner_path(line) for line in last_lines(row.output, 8)] + ["all of it: " + log]
    title = _title(lines, failed)
    said = [line for line in lines[:failed] if _BACKEND.match(line)][:2]
    message = _message(lines[failed:])
    found = _CASE.search(message)
    case: Optional[Dict[str, str]] = found.groupdict() if found else None
    rest = _CASE.sub("", message).replace("verdict.text := ", "").strip()
    told = ["case: %s" % title] if title else []
    told += ["with: %s" % _words(case)] if case else []
    told += [learner_path(line) for line in said]
    if rest and not (said and "found errors in the kernel" in rest):
        told.append("found: " + learner_path(rest[:400]))
    again = _command(case, lesson) if case and name == lesson else ""
    program = "%s/%s.test" % (folder, name)
    told.append("again: " + (again or "%s \"%s\"" % (program, title)))
    count = _failed_cases(row.output)
    told.append("%sall of it: %s" % (count + "; " if count else "", log))
    return told
