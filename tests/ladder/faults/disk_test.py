"""What a checkout may lack: room on the disk, permission to write, a network, root. With stand-ins."""
import json
import os
import shutil
import subprocess
import unittest
from typing import Optional

from sandbox import SOURCE, Answer, Sandbox

GPU = {"NO_GPU": ""}
_OWN_MOUNTS = ["unshare", "--map-root-user", "--mount"]  # nobody else sees them; gone with the command


def can_mount() -> bool:
    """A small file system can be mounted: the kernel lets users do that in a namespace of their own."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run([*_OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class Mounts(Sandbox):
    def inside(self, script: str, env: Optional[dict] = None) -> Answer:
        """Runs a shell script in the tree with $ladder, and mounts of its own."""
        done = subprocess.run([*_OWN_MOUNTS, "sh", "-c", script], cwd=str(self.tree), timeout=120,
                              env={**self.environment, "ladder": str(self.tree / "ladder"), **(env or {})},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def one_line(self, answer: Answer, pattern: str) -> None:
        """Status 3, nothing on stdout, and one line that tells it, beside what was going on."""
        self.assertEqual((answer.status, answer.out), (3, ""), answer)
        lines = [line for line in answer.err.splitlines() if line.startswith("ladder: ")]
        self.assertEqual(len(lines), 1, answer.err)
        self.assertRegex(lines[0], pattern)
        self.assertNotIn("Traceback", answer.err)
        self.assertLessEqual(len(answer.err.splitlines()), 3)


MOUNT = 'mkdir -p {0} && mount -t tmpfs -o size={1} none {0} || exit 99\n'
FILL = "cat /dev/zero >{0}/fill 2>/dev/null\n"


@unittest.skipUnless(can_mount(), "no file system can be mounted here (unshare --map-root-user --mount)")
class FullDisk(Mounts):
    def test_nothing_was_built_yet(self) -> None:
        answer = self.inside(MOUNT.format("build", "64k") + FILL.format("build") + "exec $ladder run 2")
        self.one_line(answer, "^ladder: the disk is full: nothing more can be written to .*build$")

    def test_while_building(self) -> None:
        answer = self.inside(MOUNT.format("build", "64k") + "exec $ladder run")
        self.one_line(answer, "^ladder: the disk is full")

    def test_cmake_that_blames_something_else(self) -> None:
        answer = self.inside(MOUNT.format("build", "64k") + FILL.format("build") + "exec $ladder run 2",
                             {"CONFIGURE_SAYS": "CMake Error: unknown target 'cmTC_3e858'"})
        self.one_line(answer, "^ladder: the disk is full")

    def test_while_testing(self) -> None:
        (self.work / "tests.xml").write_text("<testsuite>%s</testsuite>" % (" " * 8192), encoding="utf-8")
        built = MOUNT.format("build", "1m") + '"$ladder" run 2 >/dev/null 2>&1 || exit 98\n'
        answer = self.inside(built + FILL.format("build") + "exec $ladder test 2")
        self.assertEqual(answer.status, 3, answer)
        self.assertRegex(answer.err, "(?m)^ladder: the disk is full")

    def test_a_file_that_a_command_writes(self) -> None:
        edits = [each["id"] for path in sorted((SOURCE / "common/ladder/judging/exercises").glob("*.json"))
                 for each in json.loads(path.read_text(encoding="utf-8"))["exercises"] if "conditions" in each]
        answer = self.inside(MOUNT.format("practice", "64k") + FILL.format("practice") +
                             "$ladder check %s; status=$?; find practice -type f >&2; exit $status" % edits[0])
        self.assertEqual((answer.status, answer.out), (3, ""), answer)
        self.assertEqual(answer.err, "ladder: cannot read or write '%s/practice/%s/gemm.cu': No space left on "
                         "device\npractice/fill\n" % (self.tree, edits[0]))

    def test_what_was_built_still_runs(self) -> None:
        built = MOUNT.format("build", "1m") + '"$ladder" run 2 >/dev/null 2>&1 || exit 98\n'
        answer = self.inside(built + FILL.format("build") + "exec $ladder run 2")
        self.assertEqual(answer.status, 0, answer)
        self.assertIn("right", answer.out)

    def test_while_benching(self) -> None:
        results = self.tree / "docs" / "results"
        answer = self.inside(MOUNT.format(results, "64k") + FILL.format(results) +
                             "$ladder bench 2 --processes 1; status=$?; ls -A docs/results >&2; exit $status", GPU)
        self.assertEqual(answer.status, 3, answer)
        self.assertRegex(answer.err, r"(?m)^ladder: cannot write '.*/rtx_1.json': No space left on device; "
                         "what belongs there is on stdout$")
        self.assertEqual(answer.err.splitlines()[-1], "fill")  # and no draft
        self.assertEqual(len(json.loads(answer.out)["runs"]), 9)


@unittest.skipUnless(can_mount(), "no file system can be mounted here (unshare --map-root-user --mount)")
class ReadOnly(Mounts):
    def test_a_read_only_file_system(self) -> None:
        bind = 'mount --bind . "$PWD" && mount -o remount,ro,bind "$PWD" && cd "$PWD" || exit 99\n'
        for words in ("run 2", "test 2", "explain 2", "climb 2", "picture 2"):
            answer = self.inside(bind + "exec ./ladder " + words)
            self.assertEqual((answer.status, answer.out), (3, ""), answer)
            self.assertRegex(answer.err, "(?m)^ladder: cannot write to .*: Read-only file system")
            self.assertNotIn("Traceback", answer.err)
        answer = self.inside(bind + "exec ./ladder diff 2")
        self.assertEqual(answer.status, 0, answer)


class NoNetworkNoRoot(Sandbox):
    absent = {"CXX": "absent", "NO_GPU": ""}

    def test_no_network(self) -> None:
        self.stand_in("apt-get", "echo 'E: Could not resolve host'\nexit 100\n")
        answer = self.expect(3, r"^ladder: (fetching the package lists|installing g\+\+) failed", "run", "2",
                             env=self.absent)
        self.assertIn("Could not resolve host", answer.err)

    def test_no_network_and_no_python(self) -> None:
        self.stand_in("apt-get", "exit 100\n")
        self.stand_in("python3", "exit 1\n")
        self.expect(3, "^ladder: installing python3 failed", "run", "2")

    @unittest.skipIf(os.geteuid() != 0, "root takes another user's part")
    def test_no_root(self) -> None:
        self.work.chmod(0o755)
        (self.tree / "build").mkdir(mode=0o777)
        (self.tree / "build").chmod(0o777)
        self.stand_in("sudo", "exit 1\n")
        for name in ("calls", "apt.log"):
            (self.work / name).touch()
            (self.work / name).chmod(0o666)
        answer = self.ladder("run", "2", env=self.absent, user=65534)
        self.assertEqual(answer.status, 3, answer)
        self.assertRegex(answer.err, r"(?m)^ladder: as root, please run: apt-get install g\+\+$")
