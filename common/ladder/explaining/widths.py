"""The width with which nvcc reads the shared arrays of a source, as options of an explain program."""
import csv
from typing import List, Tuple

from ladder.lessons import ROOT, code_hash

FILE = ROOT / "docs" / "results" / "fusion.csv"  # made by common/measure/counters/fusion.py


def widths(source: str, lesson: str = "") -> Tuple[List[str], str]:
    """Options of an explain program for a source's text, and a note that is often empty.

    The widths are those of the lesson with the same code as source. If there is none, because the source was edited,
    they are those of lesson, and the note says so. Raises OSError.
    """
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    code = code_hash(source)
    note = ""
    found = [row for row in rows if row["source"] == code]
    if not found:
        found = [row for row in rows if row["lesson"] == lesson]
        note = ("Edited source: the fused figures assume nvcc's widths for the unedited %s." % lesson
                if found else "")
    fused = ",".join("%s=%s" % (row["array"], row["bytes"]) for row in found)
    return (["--fuse", fused] if fused else []), note
