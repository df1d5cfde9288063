"""A copy of the checkout for tests of ./ladder. cmake, ctest, nvcc and nvidia-smi are stand-ins."""
import contextlib
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Dict, List, NamedTuple, Optional

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "common"))  # lets tests import ladder

STAND_INS = {
    "nvidia-smi": """\
case "$*" in
  -L) [ -n "$NO_GPU" ] && exit 9; echo "GPU 0: NVIDIA Test"; echo "GPU 1: NVIDIA Test" ;;
  *query-gpu=name*) echo "NVIDIA GeForce RTX 1" ;;
  *clocks*) echo 1000 ;;
  *compute_cap*) echo "${CAPABILITY:-9.0}" ;;
  *) echo 580.1 ;;
esac
""",
    "nvcc": 'echo "release 13.0, V13.0.88"\n',
    # It "builds" every program by copying the stand-in "lesson" below, and so does simtcc.
    "cmake": """\
echo "$*" >>"$CALLS"
case $1 in
  --version) echo "cmake version ${CMAKE_IS:-3.25.1}"; exit ;;
  --preset)
    [ -z "$CONFIGURE_SAYS" ] || { echo "$CONFIGURE_SAYS"; exit 1; }
    mkdir -p "build/$2"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt"
    case $* in *LADDER_TESTS=on*) echo "LADDER_TESTS:BOOL=on" >>"build/$2/CMakeCache.txt" ;; esac
    echo >"build/$2/build.ninja"
    for file in [0-9][0-9]_*/gemm.cu beyond/[0-9][0-9]_*/gemm.cu practice.template; do
      name=$(basename "${file%/gemm.cu}")
      mkdir -p "build/$2/simt" && echo >"build/$2/simt/$name.kernel.rsp"
    done
    exit ;;
esac
[ -z "$BUILD_TAKES" ] || { echo "[1/2] started"; echo $$ >>"$CALLS.running"; sleep "$BUILD_TAKES"; }
[ -z "$BUILD_SAYS" ] || { echo "$BUILD_SAYS"; exit 1; }
mkdir -p "$2/bin"
cp "$STAND_INS/simtcc" "$2/bin/simtcc"
for file in [0-9][0-9]_*/gemm.cu beyond/[0-9][0-9]_*/gemm.cu; do
  [ -f "$file" ] || continue
  name=$(basename "${file%/gemm.cu}")
  for kind in "" explain. graph.; do cp "$STAND_INS/lesson" "$2/bin/$kind$name" || exit 1; done
done
""",
    "simtcc": """\
echo "simtcc $*" >>"$CALLS"
[ -z "$COMPILE_SAYS" ] || echo "$COMPILE_SAYS"
while [ "$1" != -o ]; do shift; done
cp "$STAND_INS/lesson" "$2"
""",
    "ctest": """\
while [ "$1" != --output-junit ]; do shift; done
cp "$STAND_INS/../tests.xml" "$2" && exit 8
""",
    # A lesson program that prints its arguments as a result. With WRONG set, 01's result is wrong.
    "lesson": """\
name=$(basename "$0")
name=${name#explain.}
name=${name#graph.}
name=${name#practice.}
n=$((1${name%%_*} - 99)) 2>/dev/null || n=1
[ -z "$DETACH" ] || { setsid sh -c 'echo $$ >>"$CALLS.running"; exec sleep 120' >/dev/null 2>&1 &
                      while ! [ -s "$CALLS.running" ]; do sleep 0.02; done; }
[ -z "$FLOOD" ] || yes "$FLOOD" | head -c 300000
[ -z "$SLEEP" ] || { echo $$ >>"$CALLS.running"; sleep "$SLEEP"; }
m=4096
case $1 in --*) ;; *) m=$1 ;; esac
[ "$m" -ge 0 ] || { echo "$name: negative" >&2; exit 2; }
verdict=right status=0 beta=0 counts=
case $0 in */explain.*) counts='"source": "/dev/null", "totals": {"fma": 0, "tensor_fma": 0}, "launches": [], "lines": [], "arrays": [],' ;; esac
case $name in 01_*) [ -z "$WRONG" ] || { verdict="wrong at (3, 4)"; status=1; } ;; esac
case "$*" in *"--beta 1"*) beta=1 ;; esac
tflops="$n.5" best=10
case $0 in */graph.*) best=5 ;; esac
[ -z "$NO_CUBLAS" ] || best=null
# Of three processes of bench the second is the fastest. Relative to the best of cuBLAS the first is the middle one.
if [ -n "$COUNTER" ]; then
  echo >>"$COUNTER.$name.$m.$beta.$3"
  case $(wc -l <"$COUNTER.$name.$m.$beta.$3") in 1) tflops=$n.1 best=5 ;; 2) tflops=$n.9 best=2 ;; esac
fi
[ -z "$HOLD" ] || { echo $$ >>"$CALLS.running"; while [ -e "$HOLD" ]; do sleep 0.1; done; }
[ -z "$PRINTF" ] || printf "$PRINTF"
[ -z "$DIES" ] || kill -SEGV $$
echo '{"lesson": "'"$name"'", "backend": "gpu", "gpu": "G", "M": '"$m"', "N": '"${2:-1}"', "K": '"${3:-1}"',' \\
  "$counts" \\
  '"lda": 1, "alpha": 1, "beta": '"$beta"', "ms": {"min": 1, "median": 2.25, "max": 3},' \\
  '"tflops": '"$tflops"', "baseline": "cuBLAS", "baseline_ms": {"min": 1, "median": 7, "max": 9},' \\
  '"baseline_tflops": 10, "best_tflops": '"$best"', "peak_tflops": 20, "grid": [1, 1, 1], "verdict": "'"$verdict"'", "bound": null, "closing": "'"$LADDER_CLOSING"'"}'
exit $status
""",
    "sudo": '[ "$1" = -v ] || exec "$@"\n',
    "apt-get": """\
echo "$*" >>"$APT_LOG"
[ "$1" = update ] || [ "$(grep -c install "$APT_LOG")" -gt 1 ]
""",
}


OWN_MOUNTS = ["unshare", "--map-root-user", "--mount"]  # private mounts that end with the command


def can_mount() -> bool:
    """Whether the kernel lets users mount a file system in their own namespace."""
    return bool(shutil.which("unshare")) and subprocess.run(
        [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Sandbox(unittest.TestCase):
    """Tests that call the copy's ./ladder, with the stand-ins first on PATH."""
    tree_name = "tree"
    patience = 120  # seconds, for each call

    def setUp(self) -> None:
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="ladder-test."))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.tree = self.work / self.tree_name
        self.bin = self.work / "bin"
        self.bin.mkdir()
        for name, text in STAND_INS.items():
            self.stand_in(name, text)
        self.stand_in("python3", f'exec "{sys.executable}" "$@"\n')
        self.copy_tree()
        self.calls = self.work / "calls"
        self.environment = {
            **os.environ, "PATH": "%s:%s" % (self.bin, os.environ["PATH"]), "CALLS": str(self.calls),
            "STAND_INS": str(self.bin), "APT_LOG": str(self.work / "apt.log"), "NO_GPU": "1"}
        for name in ("LADDER_LOCKED", "LADDER_CPU_BUILD", "CXX", "CUDACXX", "NO_COLOR", "CMAKE_GENERATOR"):
            self.environment.pop(name, None)

    def copy_tree(self) -> None:
        self.tree.mkdir()
        (self.tree / "common").mkdir()
        (self.tree / "docs" / "results").mkdir(parents=True)
        shutil.copy(SOURCE / "docs" / "results" / "fusion.csv", self.tree / "docs" / "results")
        shutil.copy(SOURCE / "ladder", self.tree)
        shutil.copytree(SOURCE / "common" / "harness", self.tree / "common" / "harness")
        shutil.copytree(SOURCE / "common" / "ladder", self.tree / "common" / "ladder",
                        ignore=shutil.ignore_patterns("__pycache__"))
        for path in SOURCE.glob("[0-9][0-9]_*/gemm.cu"):
            (self.tree / path.parent.name).mkdir()
            shutil.copy(path, self.tree / path.parent.name)

    def stand_in(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(0o755)

    def practice(self, name: str, text: str) -> pathlib.Path:
        """Writes practice/NAME/gemm.cu."""
        path = self.tree / "practice" / name / "gemm.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def ladder(self, *arguments: str, env: Optional[Dict[str, str]] = None, **options: object) -> Answer:
        """Calls ./ladder from another folder. env: variables in addition to the sandbox's."""
        done = subprocess.run([str(self.tree / "ladder"), *arguments], cwd="/", timeout=self.patience,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.environment, **(env or {})}, **options)  # type: ignore
        return Answer(done.returncode, done.stdout.decode("utf-8", "replace"),
                      done.stderr.decode("utf-8", "replace"))

    def start(self, *arguments: str, env: Optional[Dict[str, str]] = None) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([str(self.tree / "ladder"), *arguments], cwd="/", stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**self.environment, **(env or {})})

    def on_terminal(self, *arguments: str, **variables: str) -> str:
        """The output of a call on a terminal, which must succeed."""
        main, end = pty.openpty()
        child = subprocess.Popen([str(self.tree / "ladder"), *arguments], stdin=subprocess.DEVNULL, stdout=end, stderr=end,
                                 env={**self.environment, "TERM": "xterm", **variables})
        os.close(end)
        text = b""
        with contextlib.suppress(OSError):  # as a terminal ends
            while True:
                text += os.read(main, 4096)
        os.close(main)
        self.assertEqual(child.wait(), 0)
        return text.decode()

    def ctest_says(self, *rows: str) -> None:
        """The results of the stand-in for ctest. rows: such as '<testcase name="x" time="1" status="run"/>'."""
        (self.work / "tests.xml").write_text(f"<testsuite>{''.join(rows)}</testsuite>", encoding="utf-8")

    def expect(self, status: int, pattern: str, *arguments: str,
               env: Optional[Dict[str, str]] = None) -> Answer:
        """Calls ./ladder. Checks its status and a pattern in a line of its output."""
        answer = self.ladder(*arguments, env=env)
        text = answer.out + answer.err
        self.assertEqual(answer.status, status, "%s\n%s" % (arguments, text))
        self.assertTrue(re.search(pattern, text, re.M), "%s: no /%s/ in\n%s" % (arguments, pattern, text))
        self.assertNotIn("Traceback", text)
        return answer

    def called(self) -> List[str]:
        return self.calls.read_text(encoding="utf-8").splitlines() if self.calls.exists() else []

    def programs(self) -> List[int]:
        """Waits for a long-running stand-in. Returns the ids of all that have started."""
        file = self.calls.with_name("calls.running")
        end = time.monotonic() + 60
        while time.monotonic() < end and not (file.exists() and file.read_text(encoding="utf-8").endswith("\n")):
            time.sleep(0.02)
        return list(map(int, file.read_text(encoding="utf-8").split()))

    def ends(self, process: int) -> bool:
        """Whether the process ends within half a minute. On a busy machine it may briefly outlive the command."""
        for _ in range(300):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.1)
        return False
