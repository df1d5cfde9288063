"""A keeper is a small process between a command and a program that it starts. It makes sure that nothing is left over.

The keeper is the program's parent. As a "subreaper" it also becomes the parent of orphans among the program's
descendants, even in a session of their own. It ends all of them when the program has ended, when stop_group() asks for
it, and when the command itself is gone, even by SIGKILL: the keeper's pipe then has no other end.
"""
import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import time
from typing import Dict, List, NoReturn, Optional

STOPPING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
_PATIENCE = 3.0  # seconds between SIGTERM and SIGKILL
_GIVE_UP = 2.0  # seconds after SIGKILL; processes that remain belong to root
_SUBREAPER, _DEATH_SIGNAL = 36, 1  # PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG
_LIBC = ctypes.CDLL(None)
_line: List[int] = []  # a pipe: the keepers hold its read end, and the command never closes its write end


def prepare() -> None:
    """Called by the command before it starts a program."""
    if not _line:
        _line.extend(os.pipe())


def keep() -> None:
    """Turns a new process, in a new process group, into the keeper. Only the keeper's child returns from this call."""
    os.setpgrp()
    _LIBC.prctl(_SUBREAPER, 1, 0, 0, 0)
    ends, woken = os.pipe()
    os.set_blocking(woken, False)
    signals: List[int] = []
    stopping = [each for each in STOPPING if signal.getsignal(each) != signal.SIG_IGN]
    for each in (*stopping, signal.SIGCHLD):
        signal.signal(each, lambda number, _: signals.append(number))
    signal.set_wakeup_fd(woken)
    program = os.fork()
    if program:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
            _end_like(_watch(program, ends, {_line[0], ends, woken}, signals))
        finally:
            os._exit(1)
    signal.set_wakeup_fd(-1)
    for each in (*stopping, signal.SIGCHLD):
        signal.signal(each, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    end_with_parent(signal.SIGKILL)


def end_with_parent(number: int) -> None:
    """Sets the signal that this process gets when the thread that started it ends."""
    _LIBC.prctl(_DEATH_SIGNAL, int(number), 0, 0, 0)


def stop_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends a keeper's program and all its descendants, first with SIGTERM."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE + _GIVE_UP + 1)
    if process.returncode is None:
        process.kill()  # its program ends with it
        process.wait()


def _watch(program: int, ends: int, own: "set[int]", signals: List[int]) -> int:
    """Waits until a program and all its descendants have ended, or ends them; returns the program's wait status."""
    for number in map(int, os.listdir("/proc/self/fd")):
        if number not in own:
            with contextlib.suppress(OSError):
                os.close(number)
    poll = select.poll()
    for number in (ends, _line[0]):
        poll.register(number, select.POLLIN)
    status: Optional[int] = None
    asked, killed = 0.0, 0.0  # times of SIGTERM and SIGKILL
    while True:
        try:
            found = how = -1
            while found:
                found, how = os.waitpid(-1, os.WNOHANG)
                status = how if found == program else status
        except ChildProcessError:  # no process is left, since orphans would be children
            return status or 0
        if killed and time.monotonic() > killed + _GIVE_UP:
            return status or signal.SIGKILL
        if asked and time.monotonic() > asked + _PATIENCE or status is not None and not asked:
            killed = killed or time.monotonic()
            _signal_all(signal.SIGKILL)
        ready = [number for number, _ in poll.poll(20 if asked or killed else None)]
        if ends in ready:
            os.read(ends, 1 << 10)
        if _line[0] in ready:  # the command is gone
            poll.unregister(_line[0])
        if (_line[0] in ready or any(number != signal.SIGCHLD for number in signals)) and not asked:
            asked = time.monotonic()
            _signal_all(signal.SIGTERM)


def _end_like(status: int) -> NoReturn:
    """Ends this process the way the program ended."""
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if os.WTERMSIG(status) != signal.SIGKILL:
                signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def _signal_all(number: int) -> None:
    """Sends a signal to all descendants of this process."""
    children: Dict[int, List[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    ahead = children.get(os.getpid(), [])
    for each in ahead:  # the list grows
        ahead += children.pop(each, [])
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, number)
