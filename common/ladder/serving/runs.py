"""The runs of ./ladder lab, one at a time. Each is a process of worker.py, whose lines are passed on as they come."""
import contextlib
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
from typing import Iterator, Optional, Sequence

from ladder import MACHINE, ROOT

WORKER = [sys.executable, "-I", "-S", "-B", "-X", "utf8", str(pathlib.Path(__file__).with_name("worker.py"))]
_PATIENCE = 6.0  # seconds that a worker gets to stop its programs
_BEAT = 1.0  # seconds between signs of life


def environment() -> "dict[str, str]":
    """The environment of a worker, which must take the lock of build/ itself, since the server does not hold it."""
    return {name: value for name, value in os.environ.items() if name != "LADDER_LOCKED"}


class Runs:
    """At most one run at a time: start() ends the previous one."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._process: Optional["subprocess.Popen[bytes]"] = None

    def start(self, what: str, name: str, answers: Sequence[str]) -> Iterator[bytes]:
        """Starts a run, which stop() ends, and returns its lines, with {"event": "alive"} after each second of silence.
        what: run or trace (worker.py). Closing the iterator also ends the run. Raises OSError."""
        with self._starting:
            self.stop()
            self._process = subprocess.Popen([*WORKER, what, name, *answers], cwd=str(ROOT), stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                             start_new_session=True)
            return _lines(self._process)

    def stop(self) -> None:
        """Ends the current run and all its programs."""
        if self._process:
            _stop(self._process)


def _lines(process: "subprocess.Popen[bytes]") -> Iterator[bytes]:
    lines: "queue.Queue[Optional[bytes]]" = queue.Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    ended = False
    try:
        while True:
            try:
                line = lines.get(timeout=_BEAT)
            except queue.Empty:
                line = _line(event="alive")
            if line is None:
                break
            ended = ended or b'"event": "end"' in line
            yield line
    finally:
        _stop(process)
    if not ended:
        yield _line(event="end", code=130, text="stopped")


def _line(**values: object) -> bytes:
    return (json.dumps(values) + "\n").encode()


def _read(process: "subprocess.Popen[bytes]", lines: "queue.Queue[Optional[bytes]]") -> None:
    """Puts the process's lines into the queue, then its error if it crashed, then None."""
    assert process.stdout and process.stderr
    for line in process.stdout:
        lines.put(line)
    errors = process.stderr.read().decode("utf-8", "replace").strip().splitlines()
    if errors:
        lines.put(_line(event="end", code=MACHINE, text=errors[-1][:300]))
    lines.put(None)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Stops a worker with SIGTERM, on which it ends its programs (they have their own process groups), or with SIGKILL
    if that takes too long."""
    for number, patience in ((signal.SIGTERM, _PATIENCE), (signal.SIGKILL, 1.0)):
        if process.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
