"""Programs that are run, with visible progress, and stopped with the command that started them."""
import contextlib
import fcntl
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time
from typing import Callable, Dict, IO, Iterator, List, NamedTuple, Optional, Sequence, Set

from ladder.lib.lessons import ROOT
from ladder.lib.output import MACHINE, Progress, Stop, die, say

BUILD = ROOT / "build"
LOG = BUILD / "ladder.log"
_NO_MEMORY = re.compile(r"Killed signal terminated program|out of memory|[Cc]annot allocate memory|"
                        r"memory exhausted|std::bad_alloc")
_STOPPING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
_KEPT = 4 << 20  # bytes of a program's output that are kept: as many of its beginning as of its end


class Done(NamedTuple):
    """A program that has ended: its exit status (negative: a signal) and what it wrote."""
    status: int
    out: str
    err: str


class _Pipe:
    """What a program has written so far."""

    def __init__(self, stream: IO[bytes], log: Optional[IO[bytes]]):
        self.stream, self.log = stream, log
        self.head, self.tail = bytearray(), bytearray()
        os.set_blocking(stream.fileno(), False)

    def read(self) -> bool:
        """Takes what is there; False when there will be no more."""
        try:
            chunk = os.read(self.stream.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        if self.log:
            with contextlib.suppress(OSError):  # a full disk: the command itself will tell
                self.log.write(chunk)
        room = _KEPT - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[max(room, 0):]
        del self.tail[:-_KEPT]
        return bool(chunk)

    def text(self) -> str:
        return (self.head + self.tail).decode("utf-8", "replace")

    def last_line(self) -> str:
        end = bytes((self.tail or self.head)[-2000:])
        return end.rstrip().rsplit(b"\n", 1)[-1].decode("utf-8", "replace")


def environment(tools: bool = False) -> Dict[str, str]:
    """What programs get. tools: cmake, ninja and compilers, whose words are read here, in English."""
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
    """A program at work in the checkout's folder, for as long as the block; what it started ends with it, too.

    With tools stderr goes where stdout goes. A program that cannot be started ends the command.
    """

    def __init__(self, command: Sequence[object], log: Optional[IO[bytes]] = None, tools: bool = False,
                 **variables: str):
        self._words = [str(word) for word in command]
        self._log, self._tools, self._variables = log, tools, variables
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.pipes: List[_Pipe] = []
        at_work.add(self)

    def __enter__(self) -> "Started":
        try:
            with _signals_held():  # one that comes before process is known would leave it running
                self.process = subprocess.Popen(
                    self._words, cwd=str(ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT if self._tools else subprocess.PIPE,
                    env={**environment(self._tools), **self._variables}, preexec_fn=_own_group)
        except OSError as error:
            die(MACHINE, f"cannot run {self._words[0]}: {error.strerror}")
        except BaseException:
            self.__exit__()
            raise
        self.pipes = [_Pipe(stream, self._log) for stream in (self.process.stdout, self.process.stderr) if stream]
        return self

    def __exit__(self, *_: object) -> None:
        if self.process and self.process.returncode is None:
            stop_group(self.process)
        at_work.discard(self)
        for pipe in self.pipes:
            pipe.stream.close()

    def ended(self) -> bool:
        """The program is no more; something that it started may be."""
        return self.process is not None and self.process.poll() is not None

    def wait(self, tick: Optional[Callable[[str], None]] = None) -> Done:
        """How it has ended. tick: as of execute()."""
        assert self.process
        with selectors.DefaultSelector() as selector:
            for pipe in self.pipes:
                selector.register(pipe.stream, selectors.EVENT_READ, pipe)
            ended = False
            while selector.get_map():
                ready = selector.select(0 if ended else 0.1)
                for key, _ in ready:
                    if not key.data.read():
                        selector.unregister(key.fileobj)
                if ended and not ready:  # something that it started holds the pipe open
                    break
                ended = self.ended()
                if tick and not ended:
                    tick(self.pipes[0].last_line())
        self.process.wait()
        return Done(self.process.returncode, self.pipes[0].text(), self.pipes[-1].text() if len(self.pipes) > 1 else "")


def execute(command: Sequence[object], tick: Optional[Callable[[str], None]] = None,
            log: Optional[IO[bytes]] = None, tools: bool = False) -> Done:
    """Runs a program and returns what it wrote. tick(last line of stdout) is called about ten times a second."""
    with Started(command, log, tools) as started:
        return started.wait(tick)


def execute_all(commands: Sequence[Sequence[object]], at_once: int, tick: Callable[[str], None],
                log: Optional[IO[bytes]] = None) -> List[Done]:
    """Runs tools, some at a time, until one fails; returns how they ended, in their order, up to that one."""
    done: List[Done] = []
    for first in range(0, len(commands), at_once):
        with contextlib.ExitStack() as stack:
            started = [stack.enter_context(Started(each, log, tools=True)) for each in commands[first:first + at_once]]
            for each in started:
                done.append(each.wait(tick))
                if done[-1].status != 0:
                    return done
    return done


def _own_group() -> None:
    """In a new process, before its program starts: a group of its own, which a signal may end."""
    os.setpgrp()
    for each in _STOPPING:
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Signals that would stop this command arrive after the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)  # one that was there is handled here
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stop_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program and all that it started, kindly first."""
    for signal_number, patience in ((signal.SIGTERM, 3.0), (signal.SIGKILL, 1.0)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal_number)
        end = time.monotonic() + patience
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)


def build_folder(*parts: str) -> pathlib.Path:
    """The folder build/PARTS of the checkout, made if need be; else one line says why not."""
    folder = BUILD.joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "no permission to write there")
    except OSError as error:
        die(MACHINE, f"cannot write to {folder}: {error.strerror}; everything that is built goes there, so this needs "
            "a checkout that can be written to")
    return folder


def replace_file(path: pathlib.Path, text: str) -> None:
    """Writes a file in one step: nobody ever sees half of it, whatever happens."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(".%s.%d" % (path.name, os.getpid()))
    try:
        draft.write_text(text, encoding="utf-8", errors="surrogateescape")
        os.replace(draft, path)
    except OSError as error:  # which of them says nothing of the file
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


@contextlib.contextmanager
def temporary_folder(name: str) -> Iterator[pathlib.Path]:
    """A folder build/NAME.PID that is gone after the block."""
    import shutil
    folder = build_folder("%s.%d" % (name, os.getpid()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_lock: Optional[IO[str]] = None


def lock() -> None:
    """Holds build/ for this command alone until it ends; waits, and says so, for another one."""
    global _lock
    if _lock or os.environ.get("LADDER_LOCKED") == str(ROOT):
        return
    path = build_folder() / "ladder.lock"
    handle = open(path, "a+", encoding="utf-8", errors="replace")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.seek(0)
        say("another ./ladder is at work in this checkout (%s): waiting for it to end" %
            (handle.read(200).strip() or "just started"))
        fcntl.flock(handle, fcntl.LOCK_EX)
    _lock = handle
    with contextlib.suppress(OSError):  # on a full disk nobody is told who has it
        os.ftruncate(handle.fileno(), 0)
        text = "%s, process %d\n" % (" ".join(["./ladder", *sys.argv[1:2]]), os.getpid())
        os.write(handle.fileno(), text.encode("utf-8", "replace"))


def quietly(what: str, command: Sequence[object],
            tick: Optional[Callable[[Progress, str], None]] = None) -> Done:
    """Runs a tool with its output in build/ladder.log and WHAT as progress; returns how it ended."""
    build_folder()
    with open(LOG, "wb", buffering=0) as log, Progress(what) as progress:
        follow = (lambda line: tick(progress, line)) if tick else (lambda line: progress.tick())
        return execute(command, follow, log, tools=True)


def _no_room() -> bool:
    """Less than a MiB is left: CMake then leaves files empty and complains of what is in them."""
    try:
        disk = os.statvfs(BUILD)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < 1 << 20


def check_disk(done: Done) -> None:
    """Ends the command if a tool that has failed did so for want of disk space or memory."""
    if "No space left on device" in done.out or _no_room():
        die(MACHINE, f"the disk is full: nothing more can be written to {BUILD}")
    if _NO_MEMORY.search(done.out):
        die(MACHINE, "the compiler ran out of memory")


def interrupted(number: int, _frame: object) -> None:
    """The handler of SIGHUP, SIGINT and SIGTERM: the command unwinds, its programs are stopped."""
    for each in _STOPPING:
        signal.signal(each, signal.SIG_IGN)
    raise Stop(128 + number, "stopped")


def catch_signals() -> None:
    for each in _STOPPING:
        if signal.getsignal(each) != signal.SIG_IGN:  # nohup stays nohup
            signal.signal(each, interrupted)


def last_lines(text: str, count: int = 10) -> List[str]:
    """The last lines that are short enough to read, for a failure that nothing more is known of."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [line for line in lines if len(line) <= 300][-count:]
