"""A real build in a checkout with an odd path, and what happens to it: kills, limits, damage, other commits.

One build of lesson 02, which the first test kills and the second finishes, serves all tests.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from typing import List

from disk_test import can_mount
from sandbox import SOURCE, Answer

NAME = "it's a tree $HOME é ü (copy) & 1"
RUN = ("run", "2", "33", "34", "35")


class Checkout(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="ladder-test."))
        cls.addClassCleanup(shutil.rmtree, cls.work, ignore_errors=True)
        cls.tree = cls.work / NAME
        shutil.copytree(SOURCE, cls.tree, ignore=lambda folder, names: [
            name for name in names if name in ("build", "practice", ".git") and folder == str(SOURCE)])
        gone = cls.work / "nvidia-smi"  # no GPU, whatever the machine has
        gone.write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
        gone.chmod(0o755)
        cls.environment = {**os.environ, "PATH": "%s:%s" % (cls.work, os.environ["PATH"])}
        for name in ("LADDER_LOCKED", "CXX", "CUDACXX", "CMAKE_GENERATOR", "SIMT_THREADS"):
            cls.environment.pop(name, None)
        cls.lesson = cls.tree / "02_coalesced" / "gemm.cu"
        cls.text = cls.lesson.read_text(encoding="utf-8")
        cls.kill_while_building()

    @classmethod
    def start(cls, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([str(cls.tree / "ladder"), *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=cls.environment)

    @classmethod
    def kill_while_building(cls) -> None:
        """kill -9 when a few files are compiled; what it was compiling may still be written."""
        child = cls.start(*RUN)
        cls.wait_for("Building CXX object", 3)
        child.kill()
        child.communicate()

    @classmethod
    def wait_for(cls, text: str, count: int) -> None:
        """Until the log of the build has the text so often; at most a minute."""
        log = cls.tree / "build" / "ladder.log"
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if log.exists() and log.read_bytes().count(text.encode()) >= count:
                return
            time.sleep(0.02)

    def sh(self, script: str, *words: str, prefix: List[str] = []) -> Answer:
        """A shell script with the tree's ./ladder as $0 and words as $@."""
        done = subprocess.run([*prefix, "sh", "-c", script, str(self.tree / "ladder"), *words], timeout=1400,
                              cwd=str(self.tree), env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def told(self, answer: Answer, status: int, pattern: str) -> Answer:
        self.assertEqual(answer.status, status, answer)
        self.assertTrue(re.search(pattern, answer.out + answer.err, re.M), answer)
        self.assertNotIn("Traceback", answer.err)
        return answer

    def right(self) -> Answer:
        return self.told(self.sh('"$0" "$@"', *RUN), 0, "^02_coalesced +right$")

    def edit(self, text: str) -> None:
        self.lesson.write_text(text, encoding="utf-8")

    def touch(self) -> None:
        """The lesson has to be compiled again."""
        self.edit(self.text + "// %d\n" % time.monotonic_ns())

    def test_a_killed_build_goes_on(self) -> None:
        self.right()
        drafts = [path.name for path in (self.tree / "build").iterdir() if path.name.startswith(".")]
        self.assertEqual(drafts, [])

    def test_signals_at_any_moment(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
            self.touch()
            child = self.start(*RUN)
            self.wait_for("Building CXX object", 1)
            child.send_signal(number)
            _, err = child.communicate(timeout=60)
            self.assertIn(child.returncode, (0, 128 + number, -number), err)
            self.assertNotIn(b"Traceback", err)
            self.right()

    def test_two_at_once(self) -> None:
        self.touch()
        both = [self.start(*RUN), self.start(*RUN)]
        for child in both:
            out, err = child.communicate(timeout=1400)
            self.assertEqual(child.returncode, 0, err)
            self.assertRegex(out.decode(), r"(?m)^02_coalesced +right$")

    def test_limits_of_the_shell(self) -> None:
        self.right()
        for limit, what in (("-n 16", "open files"), ("-s 64", "the stack, in KiB"), ("-v 100000", "memory, in KiB")):
            answer = self.told(self.sh('ulimit %s; "$0" "$@"' % limit, *RUN), 3,
                               r"^ladder: the limit of %s \(ulimit %s\) is %s, and [0-9]+ are needed$" %
                               (what, *limit.split()))
            self.assertEqual((answer.out, len(answer.err.splitlines())), ("", 1))

    def test_limits_of_a_program(self) -> None:
        self.right()
        program = 'ulimit %s; SIMT_THREADS=1 build/cpu/bin/02_coalesced 33 34 35'
        for limit in ("-n 4", "-s 64", "-v 4000000"):
            self.told(self.sh(program % limit), 0, "right")
        answer = self.told(self.sh(program % "-v 400000"), 3, "^02_coalesced: not enough memory on the host: ulimit "
                           "-v allows 390 MiB$")
        self.assertEqual((answer.out, len(answer.err.splitlines())), ("", 1))

    def test_limits_of_the_compiler(self) -> None:
        self.right()
        self.touch()
        self.told(self.sh('ulimit -f 100; "$0" "$@"', *RUN), 3,
                  r"^ladder: .*a file .*is larger than this shell allows \(ulimit -f\)$")
        self.right()

    def test_a_damaged_cache(self) -> None:
        self.right()
        cache = self.tree / "build" / "cpu" / "CMakeCache.txt"
        whole = cache.read_bytes()
        for content in (b"", os.urandom(1000), whole[:len(whole) // 3]):
            cache.write_bytes(content)
            self.right()
        cache.unlink()
        self.right()

    def test_another_commit_under_the_old_build(self) -> None:
        self.right()
        common = self.tree / "common"
        os.rename(common / "findings.h", common / "notes.h")
        verify = common / "verify.cu"
        text = verify.read_text(encoding="utf-8")
        verify.write_text(text.replace("common/harness/answer/findings.h", "common/notes.h"), encoding="utf-8")
        os.rename(common / "timer.cu", common / "clock.cu")
        self.right()
        os.rename(common / "clock.cu", common / "timer.cu")
        os.rename(common / "notes.h", common / "findings.h")
        verify.write_text(text, encoding="utf-8")
        self.right()

    def test_a_lesson_that_does_not_compile(self) -> None:
        self.edit(self.text.replace("Acc acc = 0;", "Acc acc = nothing;"))
        answer = self.told(self.sh('"$0" "$@"', *RUN), 1, "^02_coalesced/gemm.cu:[0-9]+:[0-9]+: error: 'nothing' was not")
        self.assertLess(len(answer.err.splitlines()), 12)
        self.edit(self.text)
        self.right()

    @unittest.skipUnless(can_mount(), "no file system can be mounted here (unshare --map-root-user --mount)")
    def test_a_full_disk(self) -> None:
        self.right()
        self.touch()
        script = ('mkdir full && mount -t tmpfs -o size=$(($(du -sk build | cut -f1) + 9000))k none full && '
                  'cp -a build/. full && mount --bind full build || exit 99\n'
                  'rm build/cpu/bin/02_coalesced; cat /dev/zero >build/fill 2>/dev/null\n"$0" "$@"')
        prefix = ["unshare", "--map-root-user", "--mount"]
        self.told(self.sh(script, *RUN, prefix=prefix), 3, "^ladder: the disk is full: nothing more can be written")
        self.right()
