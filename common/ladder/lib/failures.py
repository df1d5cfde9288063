"""The results of ctest, and the first failure of a test in about ten lines."""
import itertools
import pathlib
import re
import xml.etree.ElementTree
from typing import List, NamedTuple

from ladder.lib.errors import learner_path
from ladder.lib.work import last_lines


class Row(NamedTuple):
    """The result of one test of ctest. status: "passed", "failed" or "skipped"."""
    name: str
    status: str
    seconds: float
    output: str


def read_rows(path: pathlib.Path) -> List[Row]:
    """The results in ctest's --output-junit file, in order; [] if it cannot be read."""
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return []
    rows = []
    for case in root.iter("testcase"):
        status = {"run": "passed", "fail": "failed"}.get(case.get("status", ""), "skipped")
        skipped = case.find("skipped")
        if skipped is not None and "SKIP_" not in skipped.get("message", "SKIP_"):
            status = "failed"  # its program is missing or could not be started
        output = case.findtext("system-out") or ""
        if status == "failed" and not output.strip():
            failure = case.find("failure")
            output = (failure.get("message", "") if failure is not None else
                      skipped.get("message", "") if skipped is not None else "")
        rows.append(Row(case.get("name", "?"), status, float(case.get("time", "0") or 0), output))
    return rows


def first_failure(output: str) -> List[str]:
    """The report of tests/first_failure.cpp: the title of the first failed case, messages of the CPU backend, and lines
    such as "with: ...", "found: ..." and "repeat: ...". [] if the program reported nothing."""
    lines = output.splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith("first failure: ")), len(lines))
    details = itertools.takewhile(lambda line: line.startswith("  "), lines[at + 1:])
    return [learner_path(line.strip()[:400]) for line in [*lines[at:at + 1], *details]]


def describe(row: Row, log: str) -> List[str]:
    """The first failure of a test, in lines. log: the file with the full output."""
    lines = first_failure(row.output) or [learner_path(line) for line in last_lines(row.output, 8)]
    count = re.search(r"test cases: +(\d+) .*?(\d+) failed", row.output)
    fail = "%s of %s test cases fail; " % (count[2], count[1]) if count else ""
    return [*lines, "%sfull output: %s" % (fail, log)]
