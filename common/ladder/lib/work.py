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
TEMPORARY = os.environ.get("TMPDIR") or "/tmp"  # of compilers
_NO_MEMORY = re.compile(r"Killed signal terminated program|out of memory|[Cc]annot allocate memory|"
                        r"memory exhausted|std::bad_alloc")
LIMIT = 300.0  # seconds for a learner's program with small problems, which takes less than one
_MOST = 64 << 20  # bytes that a program with a limit may write


class Done(NamedTuple):
    """A program that has ended: its exit status (negative: a signal), what it wrote, and why it was stopped, if so."""
    status: int
    out: str
    err: str
    stopped: str = ""


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
    """A program at work in the checkout's folder, for as long as the block; what it started ends with it, too, and all
    of it with this command, however that ends (keeper.py). What it writes is read as it comes.

    With tools stderr goes where stdout goes. limit: seconds after which it is stopped, and counts as wrong; so does one
    that has a limit and writes without end. A program that cannot be started ends the command.
    """

    def __init__(self, command: Sequence[object], log: Optional[IO[bytes]] = None, tools: bool = False,
                 limit: float = 0.0, **variables: str):
        self._words = [str(word) for word in command]
        self._log, self._tools, self._limit, self._variables = log, tools, limit, variables
        self._too_much = ""  # why it was stopped
        self.process: Optional["subprocess.Popen[bytes]"] = None
        self.pipes: List[Pipe] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        at_work.add(self)

    def __enter__(self) -> "Started":
        try:
            with _signals_held():  # one that comes before process is known would leave it running
                keeper.prepare()
                self.process = subprocess.Popen(
                    self._words, cwd=str(ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT if self._tools else subprocess.PIPE,
                    env={**environment(self._tools), **self._variables}, preexec_fn=keeper.keep)
                streams = (self.process.stdout, self.process.stderr)
                self.pipes = [Pipe(stream, self._log) for stream in streams if stream]
                self._reader.start()  # gets no signals: these are the main thread's
        except OSError as error:
            die(MACHINE, f"cannot run {self._words[0]}: {error.strerror}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.process and self.process.returncode is None:
            stop_group(self.process)
        at_work.discard(self)
        if self._reader.ident:
            self._reader.join()
        for pipe in self.pipes:
            pipe.stream.close()

    def ended(self) -> bool:
        """The program is no more, nor what it started."""
        return self.process is not None and self.process.poll() is not None

    def _read(self) -> None:
        """Until the program has ended and all that it wrote is here."""
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
                if ended and not ready:  # what belongs to another user holds the pipe open
                    break
                ended = self.ended()
                if self._limit and not self._too_much and not ended:
                    self._too_much = self._judge(time.monotonic() - begun)

    def _judge(self, seconds: float) -> str:
        """Stops a program that goes beyond its limits; returns why."""
        if seconds > self._limit:
            why = f"had not ended after {duration(self._limit)}: does the host loop or wait without end?"
        elif sum(pipe.written for pipe in self.pipes) > _MOST:
            why = f"had written {_MOST >> 20} MiB: does each thread print?"
        else:
            return ""
        assert self.process
        self.process.terminate()
        return f"{os.path.basename(self._words[0]).removeprefix('practice.')} was stopped, for it {why}"

    def wait(self, tick: Optional[Callable[[str], None]] = None) -> Done:
        """How it has ended. tick: as of execute()."""
        assert self.process
        while self._reader.is_alive():
            self._reader.join(0.1)
            if tick and self._reader.is_alive():
                tick(self.pipes[0].last_line())
        self.process.wait()
        out, err = self.pipes[0].text(), self.pipes[-1].text() if len(self.pipes) > 1 else ""
        if self._too_much:
            return Done(WRONG, out, f"{self._too_much}\n{err}", self._too_much)
        return Done(self.process.returncode, out, err)


def execute(command: Sequence[object], tick: Optional[Callable[[str], None]] = None,
            log: Optional[IO[bytes]] = None, tools: bool = False, limit: float = 0.0) -> Done:
    """Runs a program and returns what it wrote. tick(last line of stdout) is called about ten times a second."""
    with Started(command, log, tools, limit) as started:
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


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Signals that would stop this command arrive after the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # one that was there is handled here
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


def no_room(folder: object) -> bool:
    """Less than a MiB is left there: CMake then leaves files empty and complains of what is in them."""
    try:
        disk = os.statvfs(str(folder))
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < 1 << 20


def full_disk(said: str = "") -> str:
    """Of which folder the disk is full, in a line; said: what a tool has said of it, whose own file may be gone."""
    words = re.search(r".*No space left on device", said)
    if not no_room(BUILD) and (no_room(TEMPORARY) or words and TEMPORARY in words[0]):
        return (f"the disk is full: nothing more can be written to {TEMPORARY}, where compilers put their temporary "
                "files; the variable TMPDIR names another place")
    return f"the disk is full: nothing more can be written to {BUILD}"


def check_disk(done: Done) -> None:
    """Ends the command if a tool that has failed did so for want of disk space or memory."""
    if "No space left on device" in done.out or no_room(BUILD):
        die(MACHINE, full_disk(done.out))
    if _NO_MEMORY.search(done.out):
        die(MACHINE, "the compiler ran out of memory")


def interrupted(number: int, _frame: object) -> None:
    """The handler of SIGHUP, SIGINT and SIGTERM: the command unwinds, its programs are stopped."""
    for each in STOPPING:
        signal.signal(each, signal.SIG_IGN)
    raise Stop(128 + number, "stopped")


def catch_signals() -> None:
    for each in STOPPING:
        if signal.getsignal(each) != signal.SIG_IGN:  # nohup stays nohup
            signal.signal(each, interrupted)


def last_lines(text: str, count: int = 10) -> List[str]:
    """The last lines that are short enough to read, for a failure that nothing more is known of."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [line for line in lines if len(line) <= 300][-count:]
