"""Verdicts that are kept between runs: build/mutate/NN_name.json.

They hold as long as the lesson's source and object are the same, and the tests that judged: an
interrupted run goes on where it was, and a new test judges survivors only. Without the folder
build/mutate everything is judged anew.
"""
import hashlib
import json
import threading
import time
from typing import Dict, List, NamedTuple, Optional

from ladder import BUILD, read_json, replace_file

_SECONDS = 10  # between two writes


class Judgement(NamedTuple):
    """marks: fingerprints of the tests that it passed, or of the one that rejected it."""
    status: str
    by: str
    marks: List[str]


class Kept:
    """The verdicts of one lesson, by edit. add() may be called by several threads."""

    def __init__(self, lesson: str, original: bytes, text: str):
        self.path = BUILD / "mutate" / (lesson + ".json")
        self.key = hashlib.sha256(original + text.encode()).hexdigest()
        table = read_json(self.path) if self.path.exists() else {}
        self.judged: Dict[str, List[object]] = table.get("judged", {}) if table.get("key") == self.key else {}
        self.guard = threading.Lock()
        self.written = time.monotonic()

    def get(self, edit: str) -> Optional[Judgement]:
        found = self.judged.get(edit)
        return Judgement(*found) if found else None  # type: ignore[arg-type]

    def add(self, edit: str, judgement: Judgement) -> None:
        with self.guard:
            self.judged[edit] = list(judgement)
            if time.monotonic() - self.written < _SECONDS:
                return
        self.write()

    def write(self) -> None:
        with self.guard:
            replace_file(self.path, json.dumps({"key": self.key, "judged": self.judged},
                                               indent=0, ensure_ascii=False) + "\n")
            self.written = time.monotonic()
