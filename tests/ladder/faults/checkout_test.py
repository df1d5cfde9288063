"""A real build in a checkout with an odd path: killed, two at once, a full disk, a lesson that does not compile.

setUpClass() kills a build of lesson 02. The first test finishes it, and all tests share it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from typing import List

from sandbox import OWN_MOUNTS, SOURCE, Answer, can_mount

RUN = ("run", "2", "33", "34", "35")


class Checkout(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="ladder-test."))
        cls.addClassCleanup(shutil.rmtree, cls.work, ignore_errors=True)
        cls.tree = cls.work / "it's a tree $HOME é ü (copy) & 1"
        shutil.copytree(SOURCE, cls.tree, ignore=lambda folder, names: [
            name for name in names if name in ("build", "practice", ".git") and folder == str(SOURCE)])
        gone = cls.work / "nvidia-smi"  # no GPU, whatever the machine has
        gone.write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
        gone.chmod(0o755)
        cls.environment = {**os.environ, "PATH": f"{cls.work}:{os.environ['PATH']}"}
        for name in ("LADDER_LOCKED", "LADDER_CPU_BUILD", "CXX", "CUDACXX", "CMAKE_GENERATOR", "SIMT_THREADS"):
            cls.environment.pop(name, None)
        cls.lesson = cls.tree / "02_coalesced" / "gemm.cu"
        cls.text = cls.lesson.read_text(encoding="utf-8")
        child = cls.start()
        cls.wait_for("Building CXX object", 3)
        child.kill()  # a compiler may still be writing
        child.communicate()

    @classmethod
    def start(cls) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([str(cls.tree / "ladder"), *RUN], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=cls.environment)

    @classmethod
    def wait_for(cls, text: str, count: int) -> None:
        """Waits until the build's log contains the text `count` times, at most a minute."""
        log = cls.tree / "build" / "ladder.log"
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if log.exists() and log.read_bytes().count(text.encode()) >= count:
                return
            time.sleep(0.02)

    def expect(self, status: int, pattern: str, script: str = "", prefix: List[str] = []) -> Answer:
        """Runs a shell script and then ./ladder run. Checks its status and a pattern in its output."""
        done = subprocess.run([*prefix, "sh", "-c", script + '"$0" "$@"', str(self.tree / "ladder"), *RUN],
                              timeout=1400, cwd=str(self.tree), env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        answer = Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
        self.assertEqual(answer.status, status, answer)
        self.assertTrue(re.search(pattern, answer.out + answer.err, re.M), answer)
        self.assertNotIn("Traceback", answer.err)
        return answer

    def right(self) -> None:
        self.expect(0, "^02_coalesced +right$")

    def edit(self, text: str) -> None:
        self.lesson.write_text(text, encoding="utf-8")

    def touch(self) -> None:
        """Changes the lesson, so that it must be compiled again."""
        self.edit(self.text + f"// {time.monotonic_ns()}\n")

    def test_a_killed_build_continues(self) -> None:
        self.right()
        drafts = [path.name for path in (self.tree / "build").iterdir() if path.name.startswith(".")]
        self.assertEqual(drafts, [])

    def test_two_at_once(self) -> None:
        self.touch()
        for child in [self.start(), self.start()]:
            out, err = child.communicate(timeout=1400)
            self.assertEqual(child.returncode, 0, err)
            self.assertRegex(out.decode(), r"(?m)^02_coalesced +right$")

    def test_a_damaged_cache(self) -> None:
        self.right()
        cache = self.tree / "build" / "cpu" / "CMakeCache.txt"
        cache.write_bytes(cache.read_bytes()[:1000])
        self.right()

    def test_a_lesson_that_does_not_compile(self) -> None:
        self.edit(self.text.replace("Acc acc = 0;", "Acc acc = nothing;"))
        answer = self.expect(1, "^02_coalesced/gemm.cu:[0-9]+:[0-9]+: error: 'nothing' was not")
        self.assertLess(len(answer.err.splitlines()), 12)
        self.edit(self.text)
        self.right()

    @unittest.skipUnless(can_mount(), "no file system can be mounted here (unshare --map-root-user --mount)")
    def test_a_full_disk(self) -> None:
        self.right()
        self.touch()
        script = ('mkdir full && mount -t tmpfs -o size=$(($(du -sk build | cut -f1) + 9000))k none full && '
                  'cp -a build/. full && mount --bind full build || exit 99\n'
                  'rm build/cpu/bin/02_coalesced; cat /dev/zero >build/fill 2>/dev/null\n')
        self.expect(3, "^ladder: the disk is full: cannot write to ", script, OWN_MOUNTS)
        self.right()
