"""./ladder without disk space, write permission, a network, root or packages. Programs are stand-ins."""
import importlib.util
import os
import subprocess
import unittest

from sandbox import OWN_MOUNTS, Answer, Sandbox, can_mount

GPU = {"NO_GPU": ""}
FILL = """mkdir -p HERE && mount -t tmpfs -o size=64k none HERE && mkdir HERE/x || exit 99
cat /dev/zero >HERE/x/fill 2>/dev/null
"""


@unittest.skipUnless(can_mount(), "no file system can be mounted here (unshare --map-root-user --mount)")
class Disk(Sandbox):
    def inside(self, script: str) -> Answer:
        """Runs a shell script in the tree, with private mounts."""
        done = subprocess.run([*OWN_MOUNTS, "sh", "-c", script], cwd=str(self.tree), timeout=120,
                              env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        answer = Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
        self.assertNotIn("Traceback", answer.err)
        return answer

    def test_full(self) -> None:
        mount = "mkdir -p build && mount -t tmpfs -o size=64k none build || exit 99\n"
        for fill in ("", "cat /dev/zero >build/fill 2>/dev/null\n"):
            answer = self.inside(mount + fill + "exec ./ladder run 2")
            self.assertEqual((answer.status, answer.out), (3, ""), answer)
            self.assertRegex(answer.err, "(?m)^ladder: the disk is full: cannot write to .*build$")

    def test_full_for_each_command(self) -> None:
        """Each command reports the disk, whatever it writes first. The lab does not blame its port."""
        self.ladder("climb", "2")
        for folder, calls in (("build", ("lab --no-browser --port 0", "explain 2", "check 2", "test 2", "picture 2", "mutate 2")),
                              ("practice", ("climb 3", "check 2.1 right 8 8 8 8"))):
            for arguments in calls:
                answer = self.inside(FILL.replace("HERE", folder) + "exec ./ladder " + arguments)
                self.assertEqual(answer.status, 3, (arguments, answer))
                self.assertRegex(answer.err, f"(?m)^ladder: the disk is full: cannot write to .*{folder}", arguments)

    def test_a_full_folder_for_temporary_files(self) -> None:
        """The compiler fails since TMPDIR is full though build/ has space. Boost is not reported as missing."""
        self.environment.update(TMPDIR=str(self.work / "tmp"), BUILD_SAYS="fatal error: error writing to "
                                f"{self.work}/tmp/ccx.s: No space left on device")
        for rest in ("", 'rm "$TMPDIR/x/fill"\n'):  # there may be space again afterwards
            answer = self.inside(FILL.replace("HERE", '"$TMPDIR"') + rest + "exec ./ladder run 2 --no-install")
            self.assertEqual((answer.status, answer.out), (3, ""), answer)
            self.assertRegex(answer.err, "(?m)^ladder: the disk is full: cannot write to "
                             f"{self.work}/tmp, where compilers .* TMPDIR to another folder$")

    def test_read_only(self) -> None:
        bind = 'mount --bind . "$PWD" && mount -o remount,ro,bind "$PWD" && cd "$PWD" || exit 99\n'
        for arguments in ("run 2", "test 2", "explain 2", "climb 2", "picture 2"):
            answer = self.inside(bind + "exec ./ladder " + arguments)
            self.assertEqual((answer.status, answer.out), (3, ""), answer)
            self.assertRegex(answer.err, "(?m)^ladder: cannot write to .*: Read-only file system")
        self.assertEqual(self.inside(bind + "exec ./ladder diff 2").status, 0)


@unittest.skipUnless(importlib.util.find_spec("ensurepip"), "there is no python3-venv")
class Network(Sandbox):
    def test_packages_of_the_site(self) -> None:
        nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:1/", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": os.devnull}
        answer = self.ladder("site", env=nowhere)
        self.assertEqual((answer.status, answer.out), (3, ""), answer)
        self.assertRegex(answer.err, r"(?m)^ladder: installing the Python packages of common/web/requirements.txt failed; "
                                     r"is there a network\? \(full output: build/ladder.log\)$")


@unittest.skipIf(os.geteuid() != 0, "only root can act as another user")
class Nobody(Sandbox):
    def setUp(self) -> None:
        super().setUp()
        self.work.chmod(0o755)
        (self.bin / "python3").unlink()  # it may be in a folder that only root can read
        for name in ("calls", "apt.log"):
            (self.work / name).touch()
            (self.work / name).chmod(0o666)

    def test_a_checkout_that_cannot_be_written(self) -> None:
        self.assertEqual(self.ladder("diff", "2", user=65534).status, 0)
        for arguments in (("run", "2"), ("test", "2"), ("explain", "2")):
            answer = self.ladder(*arguments, user=65534)
            self.assertEqual(answer.status, 3, answer)
            self.assertRegex(answer.err, "cannot write to .*/build.*: Permission denied; builds go there")

    def test_no_root(self) -> None:
        (self.tree / "build").mkdir()
        (self.tree / "build").chmod(0o777)
        self.stand_in("sudo", "exit 1\n")
        answer = self.ladder("run", "2", env={"CXX": "absent", **GPU}, user=65534)
        self.assertEqual(answer.status, 3, answer)
        self.assertRegex(answer.err, r"(?m)^ladder: as root, please run: apt-get install g\+\+$")


class Packages(Sandbox):
    """Missing packages are named, or installed with apt-get as root or with sudo."""

    def test_named(self) -> None:
        absent = {"CXX": "absent", **GPU}
        self.expect(3, r"^  g\+\+: compiles the harness", "run", "2", "--no-install", env=absent)
        self.expect(3, r"please install .*: g\+\+$", "--no-install", "run", "2", env=absent)
        self.expect(3, r"please install .*: g\+\+ libboost-context-dev$", "run", "2", "--no-install",
                    env={"CXX": "absent"})
        self.expect(3, r"^  cmake: configures .*3.24", "run", "2", "--no-install",
                    env={"CMAKE_IS": "3.18.4", **GPU})

    def test_a_gpu_does_not_need_the_cpu_backend(self) -> None:
        self.stand_in("boostless", 'text=$(cat)\ncase $text in *boost*) exit 1 ;; esac\n'
                      'printf "%s\\n" "$text" | exec g++ "$@"\n')
        self.ctest_says('<testcase name="02_coalesced.gpu" time="1" status="run"/>')
        env = {"CXX": str(self.bin / "boostless"), **GPU}
        answer = self.expect(0, "^libboost-context-dev is not installed: skipping the tests on the CPU backend$",
                             "test", "02", "--no-install", env=env)
        self.assertRegex(answer.out, r"^\d passed, 0 failed, in ")
        self.assertEqual([call for call in self.called() if call.startswith("--preset cpu")], [])
        self.expect(3, r"please install .*: libboost-context-dev$", "test", "02", "--no-install",
                    env={**env, "NO_GPU": "1"})

    def test_installed(self) -> None:
        self.expect(0, "^02_coalesced ", "run", "2", env={"CXX": "absent", **GPU})
        calls = (self.work / "apt.log").read_text(encoding="utf-8").splitlines()
        self.assertEqual(calls[0], "install -y --no-install-recommends g++")
        self.assertEqual(calls[1], "update")
        self.assertRegex(calls[2], r"^install .* g\+\+$")

    def test_no_network(self) -> None:
        self.stand_in("apt-get", "echo 'E: Could not resolve host'\nexit 100\n")
        answer = self.expect(3, r"^ladder: (fetching the package lists|installing g\+\+) failed", "run", "2",
                             env={"CXX": "absent", **GPU})
        self.assertIn("Could not resolve host", answer.err)

    def test_python_itself(self) -> None:
        self.stand_in("python3", "exit 1\n")
        self.expect(3, "python3: runs ./ladder", "run", "--no-install")
        self.expect(3, r"^ladder: please install \(Debian names\): python3$", "run", "--no-install")
        self.expect(3, "still missing", "run")
        self.assertIn("install -y --no-install-recommends python3",
                      (self.work / "apt.log").read_text(encoding="utf-8"))
        self.stand_in("apt-get", "exit 100\n")
        self.expect(3, "^ladder: installing python3 failed", "run", "2")

    def test_compilers_from_variables(self) -> None:
        self.stand_in("ccache", 'exec "$@"\n')
        self.expect(0, "^02_coalesced ", "run", "2", "--no-install", env={"CXX": "ccache g++", **GPU})
        self.expect(2, "CUDACXX names '/nowhere/nvcc'", "run", "2", env={"CUDACXX": "/nowhere/nvcc", **GPU})
        self.stand_in("other", 'echo "other nvcc 14.2"\n')
        self.expect(0, "other nvcc 14.2", "doctor", env={"CUDACXX": str(self.bin / "other"), **GPU})
