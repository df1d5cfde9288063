"""The table bad_calls.txt: each call ends with its exit code and one clear line, and does nothing."""
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
    words: List[str]


def split(call: str) -> List[str]:
    """The words of a call; $'...' has escapes, as in bash."""
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
    def command(self, words: List[str]) -> List[str]:
        if words[0] == "script":
            python = ["python3", "-B"] if words[1].endswith(".py") or (SOURCE / words[1]).is_dir() else []
            return [*python, str(SOURCE / words[1]), *words[2:]]
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
        return programs[words[0]] + words[1:]

    def fault(self, call: Call) -> str:
        """What is wrong with the answer to a call; "" if nothing is."""
        words = list(call.words)
        env = dict(self.environment)
        while "=" in words[0]:
            name, value = words.pop(0).split("=", 1)
            env[name] = value
        done = subprocess.run(self.command(words), cwd=str(self.tree), env=env, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        err = done.stderr.decode("utf-8", "replace")
        lines = [line for line in err.splitlines() if not line.startswith("No NVIDIA GPU here")]
        if done.returncode != call.code:
            return "exit code %d, not %d: %s" % (done.returncode, call.code, err)
        if call.text not in err:
            return "'%s' is not in: %s" % (call.text, err)
        if done.stdout and words[0] != "configure":  # CMake says that it is not done
            return "something on stdout: %r" % done.stdout[:200]
        if len(lines) != 1 and words[0] not in ("variant", "configure"):  # CMake adds where it is
            return "not one line: %s" % err
        return ""

    def test_the_table(self) -> None:
        before = sorted(self.tree.rglob("*"))
        every = list(calls())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = zip(every, pool.map(self.fault, every))
        faults = [f"{TABLE.name}:{call.line}: {shlex.join(call.words)}: {fault}" for call, fault in answers if fault]
        self.assertEqual(faults, [], "\n" + "\n".join(faults))
        self.assertGreaterEqual(len(every), 300)
        print(f"{len(every)} bad calls, each answered in one line")
        self.assertEqual(sorted(self.tree.rglob("*")), before, "a bad call has left something")
