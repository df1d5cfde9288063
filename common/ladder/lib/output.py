"""The output of commands: messages, colours, tables and progress."""
import errno
import io
import os
import shutil
import sys
import threading
import time
from typing import Any, List, NoReturn, Optional, Sequence, TextIO

WRONG, USAGE, MACHINE = 1, 2, 3  # exit codes: a wrong result, wrong usage, something is missing on this machine

_CODES = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36, "bold": 1, "dim": 2}


class Stop(Exception):
    """Ends the command with an exit code and, unless it is empty, a message on stderr."""

    def __init__(self, code: int, message: str = ""):
        super().__init__(message)
        self.code = code
        self.message = message


class _Stream(io.FileIO):
    """Standard output or error. The first write that fails ends the command; later output is dropped."""
    lost = False

    def write(self, data: Any) -> int:
        if not self.lost:
            try:
                return super().write(data)
            except BrokenPipeError:  # the reader has gone
                self.lost = True
                raise
            except OSError as error:
                self.lost = True
                name, closed = "output" if self.fileno() == 1 else "error", error.errno == errno.EBADF
                die(MACHINE, f"cannot write to standard {name}: {'it is closed' if closed else error.strerror}")
        return len(data)


def open_streams() -> None:
    """Makes sys.stdin, stdout and stderr usable, even if they were closed when the command began. Ends the command if
    it could not print a result or an error."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # gets this number, so that no other file can
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)
    for name, errors in (("stdout", "surrogateescape"), ("stderr", "backslashreplace")):
        stream = _Stream(1 if name == "stdout" else 2, "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(stream), "utf-8", errors,
                                            line_buffering=name == "stderr" or stream.isatty()))
    for stream in (sys.stdout, sys.stderr):
        stream.buffer.raw.write(b"")  # type: ignore


def die(code: int, message: str) -> NoReturn:
    """Ends the command. The first line of message is printed after "ladder: "."""
    raise Stop(code, message)


def say(text: str) -> None:
    """Prints a line on stderr: what is going on, not a result."""
    print(text, file=sys.stderr, flush=True)


def shown(word: str) -> str:
    """A user's word on one line, with unprintable characters replaced, shortened if it is long."""
    text = "".join(c if c.isprintable() else "?" for c in word)
    return text if len(text) <= 60 else text[:57] + "..."


def is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def colour(text: str, *names: str, stream: Optional[TextIO] = None) -> str:
    """The text in colours and styles ("red", "bold" ...) if stream (default stdout) is a terminal."""
    if "NO_COLOR" in os.environ and os.environ["NO_COLOR"] or not is_terminal(stream or sys.stdout):
        return text
    return "".join("\033[%dm" % _CODES[name] for name in names) + text + "\033[0m"


def duration(seconds: float) -> str:
    """A time in words with about two digits: "8 s", "3 min", "2.5 h", "4 days"."""
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min"), (172800, 3600, "h")):
        if seconds < limit:
            value = seconds / unit
            return ("%.1f %s" if name == "h" and value < 10 else "%.0f %s") % (value, name)
    return "%.0f days" % (seconds / 86400)


class Table:
    """Rows in columns. widths: of each column, negative for left-aligned text, 0 for the last one.

    A row is printed at once, since the next one may take a while.
    """

    def __init__(self, widths: Sequence[int]):
        self.widths = list(widths)

    def row(self, *cells: object) -> None:
        parts: List[str] = []
        for width, cell in zip(self.widths, cells):
            text = str(cell)
            parts.append(text.ljust(-width) if width < 0 else text.rjust(width))
        print(" ".join(parts).rstrip(), flush=True)


class Progress:
    """A progress line on stderr while its block runs.

    with Progress("building") as progress: progress.tick("...") or progress.count(37, 120)
    On a terminal the line is redrawn in place and vanishes at the end. Elsewhere it is printed after two seconds and
    then every 15 s. Ticks may come as often as you like.
    """

    def __init__(self, what: str):
        self.what = what
        self.start = time.monotonic()
        self.next = 2.0 if not is_terminal(sys.stderr) else 0.0
        if threading.current_thread() is not threading.main_thread():  # the main thread shows its own progress
            self.next = float("inf")
        self.drawn = False

    def __enter__(self) -> "Progress":
        self.tick()
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def count(self, done: int, total: int, what: str = "") -> None:
        """done of total parts are finished; also shows how long the rest may take."""
        step = "[ %d of %d ]" % (done, total) if total > 0 else ""
        left = ""
        if 0 < done < total and self.elapsed() >= 2:
            left = ", about %s left" % duration(self.elapsed() * (total - done) / done)
        self.tick(step, left, what)

    def tick(self, step: str = "", left: str = "", what: str = "") -> None:
        elapsed = self.elapsed()
        if elapsed < self.next:
            return
        parts = [step, what or self.what, "%.0f s%s" % (elapsed, left)]
        text = " ".join(word for word in parts if word)
        if is_terminal(sys.stderr):
            self.next = elapsed + 0.1
            self.drawn = True
            text = text[:max(shutil.get_terminal_size().columns - 1, 20)]
            print("\r\033[K" + text, end="", file=sys.stderr, flush=True)
        else:
            self.next = elapsed + 15
            say(text)

    def clear(self) -> None:
        """Removes the line from the terminal before something else is printed."""
        if self.drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.drawn = False
