"""Runs programs with progress, and stops them with the command that started them."""
import contextlib
import fcntl
import os
import pathlib
import re
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import Callable, Dict, IO, Iterator, List, NamedTuple, Optional, Sequence, Set

from ladder.lib import keeper
from ladder.lib.keeper import STOPPING, stop_group
from ladder.lib.lessons import ROOT
from ladder.lib.output import MACHINE, WRONG, Progress, Stop, die, duration, say
from ladder.lib.pipe import Pipe

BUILD = ROOT / "build"
LOG = BUILD / "ladder.log"
TEMPORARY = os.environ.get("TMPDIR") or "/tmp"  # where compilers put temporary files
_NO_MEMORY = re.compile(r"Killed signal terminated program|out of memory|[Cc]annot allocate memory|"
                        r"memory exhausted|std::bad_alloc")
LIMIT = 300.0  # seconds for a learner's program with small problems, which normally takes less than one
_MOST = 64 << 20  # bytes that a program with a limit may write


class Done(NamedTuple):
    """A program that has ended: its exit status (negative: a signal), its output, and why it was stopped, if it was."""
    status: int
    out: str
    err: str
    stopped: str = ""


def environment(tools: bool = False) -> Dict[str, str]:
    """The environment of programs. tools: of cmake, ninja and compilers, whose output we parse and need in English."""
    values = dict(os.environ)
    values["LADDER_LOCKED"] = str(ROOT)
    if tools:
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VERBOSE", "CLICOLOR_FORCE", "LANGUAGE",
                     "CTEST_OUTPUT_ON_FAILURE", "CTEST_PARALLEL_LEVEL", "POSIXLY_CORRECT"):
            values.pop(name, None)
        values.update(LC_ALL="C", NINJA_STATUS="[%f/%t] ", GCC_COLORS="")
    return values


at_work: Set["Started"] = set()


class Started:
    """A program that runs in the checkout's folder while the block runs. Its descendants end with it, and all of them
    with this command, however that ends (keeper.py). Its output is read as it comes.

    With tools, stderr goes to stdout. limit: seconds after which the program is stopped and counts as wrong; the same
    happens if it has a limit and writes too much. If it cannot be started, the command ends.
    """

    def __init__(self, command: Sequence[object], log: Optional[IO[bytes]] = None, tools: bool = False,
                 limit: float = 0.0, **variables: str):
        self._command = [str(word) for word in command]
        self._log, self._tools, self._limit, self._variables = log, tools, limit, variables
        self._too_much = ""  # why it was stopped
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.pipes: List[Pipe] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._has_read = threading.Event()  # join() would return early after an exception in an earlier join()
        at_work.add(self)

    def __enter__(self) -> "Started":
        try:
            with _signals_held():  # a signal before process is set would leave it running
                keeper.prepare()
                self.process = subprocess.Popen(
                    self._command, cwd=str(ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT if self._tools else subprocess.PIPE,
                    env={**environment(self._tools), **self._variables}, preexec_fn=keeper.keep)
                streams = (self.process.stdout, self.process.stderr)
                self.pipes = [Pipe(stream, self._log) for stream in streams if stream]
                self._reader.start()  # signals are handled in the main thread only
        except OSError as error:
            die(MACHINE, f"cannot run {self._command[0]}: {error.strerror}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.process and self.process.returncode is None:
            stop_group(self.process)
        at_work.discard(self)
        if self._reader.ident:
            self._has_read.wait()
        for pipe in self.pipes:
            pipe.stream.close()

    def ended(self) -> bool:
        """Whether the program and its descendants have ended."""
        return self.process is not None and self.process.poll() is not None

    def _read(self) -> None:
        try:
            self._read_all()
        finally:
            self._has_read.set()

    def _read_all(self) -> None:
        """Reads until the program has ended and all its output is here."""
        assert self.process
        begun, ended = time.monotonic(), False
        with selectors.DefaultSelector() as selector:
            for pipe in self.pipes:
                selector.register(pipe.stream, selectors.EVENT_READ, pipe)
            while selector.get_map() or not ended:
                if not selector.get_map():
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self.process.wait(0.1)
                ready = selector.select(0.1 if selector.get_map() and not ended else 0)
                for key, _ in ready:
                    if not key.data.read():
                        selector.unregister(key.fileobj)
                if ended and not ready:  # another user's process holds the pipe open
                    break
                ended = self.ended()
                if self._limit and not self._too_much and not ended:
                    self._too_much = self._judge(time.monotonic() - begun)

    def _judge(self, seconds: float) -> str:
        """Stops a program that goes beyond its limits; returns why."""
        if seconds > self._limit:
            why = f"it was still running after {duration(self._limit)}; does host code loop or wait forever?"
        elif sum(pipe.written for pipe in self.pipes) > _MOST:
            why = f"it had written {_MOST >> 20} MiB; does every thread print?"
        else:
            return ""
        assert self.process
        self.process.terminate()
        return f"{os.path.basename(self._command[0]).removeprefix('practice.')} was stopped: {why}"

    def wait(self, tick: Optional[Callable[[str], None]] = None) -> Done:
        """Waits for the program and returns its result. tick: as for execute()."""
        assert self.process
        while not self._has_read.wait(0.1):
            if tick:
                tick(self.pipes[0].last_lines()[-1])
        self.process.wait()
        out, err = self.pipes[0].text(), self.pipes[-1].text() if len(self.pipes) > 1 else ""
        if self._too_much:
            return Done(WRONG, out, f"{self._too_much}\n{err}", self._too_much)
        return Done(self.process.returncode, out, err)


def execute(command: Sequence[object], tick: Optional[Callable[[str], None]] = None,
            log: Optional[IO[bytes]] = None, tools: bool = False, limit: float = 0.0) -> Done:
    """Runs a program and returns its result. Calls tick(last line of stdout) about ten times a second."""
    with Started(command, log, tools, limit) as started:
        return started.wait(tick)


def execute_all(commands: Sequence[Sequence[object]], at_once: int, tick: Callable[[str], None],
                log: Optional[IO[bytes]] = None) -> List[Done]:
    """Runs tools, at_once at a time, until one fails; returns the results in order, up to the first failure."""
    done: List[Done] = []
    for first in range(0, len(commands), at_once):
        with contextlib.ExitStack() as stack:
            started = [stack.enter_context(Started(each, log, tools=True)) for each in commands[first:first + at_once]]
            for each in started:
                done.append(each.wait(tick))
                if done[-1].status != 0:
                    return done
    return done


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Delays signals that would stop this command until after the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # a pending one is handled here
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def build_folder(*parts: str) -> pathlib.Path:
    """The folder build/PARTS of the checkout, created if missing; if that fails, ends the command."""
    folder = BUILD.joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "no write permission")
    except OSError as error:
        die(MACHINE, f"cannot write to {folder}: {error.strerror}; builds go there, so the checkout must be writable")
    return folder


def replace_file(path: pathlib.Path, text: str) -> None:
    """Writes a file atomically: no reader ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(".%s.%d" % (path.name, os.getpid()))
    try:
        draft.write_text(text, encoding="utf-8", errors="surrogateescape")
        os.replace(draft, path)
    except OSError as error:  # its message may not name the file
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


@contextlib.contextmanager
def temporary_folder(*parts: str) -> Iterator[pathlib.Path]:
    """A folder build/PARTS.PID that is deleted after the block."""
    folder = build_folder(*parts[:-1], "%s.%d" % (parts[-1], os.getpid()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_lock: Optional[IO[str]] = None


def lock() -> None:
    """Locks build/ for this command until it ends; waits for another command, and says so."""
    global _lock
    if _lock or os.environ.get("LADDER_LOCKED") == str(ROOT):
        return
    path = build_folder() / "ladder.lock"
    handle = open(path, "a+", encoding="utf-8", errors="replace")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.seek(0)
        say("another ./ladder is running in this checkout (%s): waiting for it to end" %
            (handle.read(200).strip() or "just started"))
        fcntl.flock(handle, fcntl.LOCK_EX)
    _lock = handle
    with contextlib.suppress(OSError):  # on a full disk, others cannot see who holds the lock
        os.ftruncate(handle.fileno(), 0)
        text = "%s, process %d\n" % (" ".join(["./ladder", *sys.argv[1:2]]), os.getpid())
        os.write(handle.fileno(), text.encode("utf-8", "replace"))


def quietly(what: str, command: Sequence[object],
            tick: Optional[Callable[[Progress, str], None]] = None) -> Done:
    """Runs a tool with its output in build/ladder.log and what as progress; returns its result."""
    build_folder()
    with open(LOG, "wb", buffering=0) as log, Progress(what) as progress:
        follow = (lambda line: tick(progress, line)) if tick else (lambda line: progress.tick())
        return execute(command, follow, log, tools=True)


def no_room(folder: object) -> bool:
    """Whether less than 1 MiB is free: CMake then writes empty files and reports errors in them."""
    try:
        disk = os.statvfs(str(folder))
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < 1 << 20


def full_disk(output: str = "") -> str:
    """A line that says which folder's disk is full. output: a tool's, which may name a file that is gone by now."""
    line = re.search(r".*No space left on device", output)
    if not no_room(BUILD) and (no_room(TEMPORARY) or line and TEMPORARY in line[0]):
        return (f"the disk is full: cannot write to {TEMPORARY}, where compilers put temporary files; "
                "set TMPDIR to another folder")
    return f"the disk is full: cannot write to {BUILD}"


def check_disk(done: Done) -> None:
    """Ends the command if a tool failed because disk space or memory ran out."""
    if "No space left on device" in done.out or no_room(BUILD):
        die(MACHINE, full_disk(done.out))
    if _NO_MEMORY.search(done.out):
        die(MACHINE, "the compiler ran out of memory")


def interrupted(number: int, _frame: object) -> None:
    """The handler for SIGHUP, SIGINT and SIGTERM: the command unwinds and stops its programs."""
    for each in STOPPING:
        signal.signal(each, signal.SIG_IGN)
    raise Stop(128 + number, "stopped")


def catch_signals() -> None:
    for each in STOPPING:
        if signal.getsignal(each) != signal.SIG_IGN:  # nohup stays nohup
            signal.signal(each, interrupted)


def last_lines(text: str, count: int = 10) -> List[str]:
    """The last lines that are short enough to read, for a failure without a better message."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [line for line in lines if len(line) <= 300][-count:]
