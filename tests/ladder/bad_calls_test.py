"""Runs the calls of bad_calls.txt. Each must end with its exit code and one clear line and change no file."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
from typing import Iterator, List, NamedTuple

from sandbox import SOURCE, Sandbox

from ladder.lib.building import program

TABLE = pathlib.Path(__file__).with_name("bad_calls.txt")


class Call(NamedTuple):
    line: int
    code: int
    text: str
    arguments: List[str]


def split(call: str) -> List[str]:
    """Splits a call as bash does, with escapes in $'...'."""
    escaped = re.sub(r"\$'([^']*)'", lambda match: shlex.quote(
        match.group(1).encode("ascii").decode("unicode_escape")), call)
    return shlex.split(escaped)


def calls() -> Iterator[Call]:
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        code, text, call = (part.strip() for part in re.split(r" \| ", line, maxsplit=2))
        found = re.fullmatch(r"(.*?)\{(.*)\}(.*)", call)
        for choice in found.group(2).split(";") if found else [""]:
            whole = found.group(1) + choice + found.group(3) if found else call
            yield Call(number, int(code), text, split(whole))


class BadCalls(Sandbox):
    def command(self, arguments: List[str]) -> List[str]:
        if arguments[0] == "script":
            python = ["python3", "-B"] if arguments[1].endswith(".py") or (SOURCE / arguments[1]).is_dir() else []
            return [*python, str(SOURCE / arguments[1]), *arguments[2:]]
        lessons = ["python3", "-I", "-S", "-B", str(SOURCE / "common" / "ladder" / "lessons")]
        programs = {
            "ladder": [str(self.tree / "ladder")],
            "program": [str(program("02_coalesced"))],
            "planner": [str(program("09_any_shape"))],
            "explain": [str(program("explain.02_coalesced"))],
            "lessons": lessons,
            "edit": [*lessons, "edit"],
            "configure": ["/usr/bin/env", "-i", "PATH=" + os.environ["PATH"], "cmake", "--fresh",
                          "-S", str(SOURCE), "-B", tempfile.mkdtemp(dir=str(self.work))],
        }
        return programs[arguments[0]] + arguments[1:]

    def fault(self, call: Call) -> str:
        """The fault of a call's answer, "" if there is none."""
        arguments = list(call.arguments)
        env = dict(self.environment)
        while "=" in arguments[0]:
            name, value = arguments.pop(0).split("=", 1)
            env[name] = value
        done = subprocess.run(self.command(arguments), cwd=str(self.tree), env=env, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        err = done.stderr.decode("utf-8", "replace")
        lines = [line for line in err.splitlines() if not line.startswith("No NVIDIA GPU here")]
        if done.returncode != call.code:
            return "exit code %d (expected %d): %s" % (done.returncode, call.code, err)
        if call.text not in err:
            return "'%s' is not in: %s" % (call.text, err)
        if done.stdout and arguments[0] != "configure":  # CMake adds that configuring is incomplete
            return "stdout is not empty: %r" % done.stdout[:200]
        if len(lines) != 1 and arguments[0] != "configure":  # CMake adds the place of the call
            return "more or less than one line on stderr: %s" % err
        return ""

    def test_the_table(self) -> None:
        before = sorted(self.tree.rglob("*"))
        every = list(calls())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = zip(every, pool.map(self.fault, every))
        faults = [f"{TABLE.name}:{call.line}: {shlex.join(call.arguments)}: {fault}" for call, fault in answers if fault]
        self.assertEqual(faults, [], "\n" + "\n".join(faults))
        self.assertGreaterEqual(len(every), 300)
        print(f"{len(every)} bad calls, each answered in one line")
        self.assertEqual(sorted(self.tree.rglob("*")), before, "a bad call left a file behind")
