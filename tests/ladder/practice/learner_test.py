"""./ladder climb and check as a learner calls them: lesson N-1 as N's practice file, then lesson N.

Climbing: every word and verdict, with programs of this build for those of the practice file, and of
the suite one test case. FromSource: one climb built for real in a copy of the checkout, where all but
the practice file is taken from this build. Both need LADDER_CPU_BUILD, which ctest sets.
"""
import os
import pathlib
import re
import shutil
from typing import List

from sandbox import SOURCE, Sandbox

BUILT = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", "/nowhere"))

# "Builds" the programs of a practice file that ends with a lesson's text: those of the lesson.
BUILDER = """\
case $1 in
  --version) echo "cmake version 3.25.1"; exit ;;
  --preset) mkdir -p build/cpu; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/cpu/CMakeCache.txt
    echo "LADDER_TESTS:BOOL=on" >>build/cpu/CMakeCache.txt; echo >build/cpu/build.ninja; exit ;;
esac
mkdir -p build/cpu/bin
while [ "$1" != --target ]; do shift; done
shift
for target; do
  lesson=${target#explain.} from=$lesson to=build/cpu/bin
  case $target in *practice.*)
    from='' file=${lesson#practice.}
    file=practice/${file%.test}/gemm.cu
    for lesson in [0-9][0-9]_*; do
      tail -n "$(wc -l <"$lesson/gemm.cu")" "$file" | cmp -s - "$lesson/gemm.cu" && from=$lesson
    done
    [ -n "$from" ] || { echo "$file:1:1: error: this is no lesson"; exit 1; } ;;
  esac
  case $target in
    *.test) echo '#!/bin/sh' >"$to/$target"
      echo "exec '$BUILT/bin/$from.test' 'one more and one less than a tile*'" >>"$to/$target"
      chmod +x "$to/$target" ;;
    *) cp "$BUILT/bin/explain.$from" "$to/$target" ;;
  esac
done
"""

# A compiler launcher: an object that $BUILT has, and that no practice file is in, is copied.
LAUNCHER = """\
object=$(printf '%s\\n' "$*" | sed -n 's/.* -o \\([^ ]*\\.o\\) .*/\\1/p')
old=$BUILT${PWD#*/tree/build/cpu}/$object
case $object in '' | *practice.*) exec "$@" ;; esac
[ -f "$old" ] || exec "$@"
depends=$(printf '%s\\n' "$*" | sed -n 's/.* -MF \\([^ ]*\\) .*/\\1/p')
[ -z "$depends" ] || echo "$object:" >"$depends"
cp "$old" "$object"
"""


class Learner(Sandbox):
    def setUp(self) -> None:
        if not (BUILT / "bin").is_dir():
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        super().setUp()
        self.environment["BUILT"] = str(BUILT)

    def climb(self, number: str) -> None:
        """Lesson N-1 must fail the check of N, and lesson N must pass."""
        below, name = (next(SOURCE.glob("%02d_*" % at)).name for at in (int(number) - 1, int(number)))
        path = self.tree / "practice" / name / "gemm.cu"
        self.expect(2, "there is no practice/%s/gemm.cu; ./ladder climb %s makes it" % (name, number),
                    "check", number)
        self.expect(0, "^practice/%s/gemm.cu is lesson %s, with the task on top" % (name, below[:2]),
                    "climb", number)
        old, new = ((SOURCE / each / "gemm.cu").read_text(encoding="utf-8") for each in (below, name))
        text = path.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("// Task: make lesson %s of lesson %s" % (name, below)), text)
        self.assertTrue(text.endswith("\n\n" + old), text)
        answer = self.expect(1, "^hint 1 of ", "check", number)
        self.assertRegex(answer.out, "(?m)^  holds: right for every size")
        self.assertRegex(answer.out, r"(?m)^  fails: [^:]*: [^:]*;\s+wanted:\s+at\s+(least|most)[^:]*"
                         r"\n    practice/%s/gemm.cu:\d+: " % name)
        path.write_text(text.replace(old, new), encoding="utf-8")
        answer = self.expect(0, "^Lesson %s is yours" % number, "check", "practice/%s/gemm.cu" % name)
        self.assertNotIn("fails", answer.out)
        self.expect(0, "^%s .* climbed$" % name, "list")
        self.expect(0, "^practice/%s/gemm.cu +passed, 1 hint given " % name, "status")
        path.write_text(text.replace(old, new.replace("__global__ void", "__global__ vod")), encoding="utf-8")
        answer = self.expect(1, r"^practice/%s/gemm.cu:\d+:\d+: error: " % name, "check", number)
        self.assertLess(len(answer.err.splitlines()), 20)
        self.expect(0, "^practice/%s/gemm.cu +changed since it passed" % name, "status")


class Climbing(Learner):
    def setUp(self) -> None:
        super().setUp()
        self.stand_in("cmake", BUILDER)

    def test_02(self) -> None:
        self.climb("02")

    def test_07(self) -> None:
        self.climb("07")

    def test_08(self) -> None:  # whose elements are of other types
        self.climb("08")


class FromSource(Learner):
    patience = 500  # it runs the whole suite, twice

    def setUp(self) -> None:
        super().setUp()
        if "LADDER_SANITIZE:BOOL=ON" in (BUILT / "CMakeCache.txt").read_text(encoding="utf-8"):
            self.skipTest("the copy is not built with sanitizers, so that objects of this build do not fit")
        for name in ("cmake", "nvcc"):
            (self.bin / name).unlink()
        self.stand_in("launcher", LAUNCHER)
        self.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = str(self.bin / "launcher")

    def copy_tree(self) -> None:
        def ignored(folder: str, names: List[str]) -> List[str]:
            top = pathlib.Path(folder) == SOURCE
            return [each for each in names if each == "__pycache__" or
                    top and each in (".git", "build", "practice", "shared")]

        shutil.copytree(SOURCE, self.tree, ignore=ignored)

    def test_climb(self) -> None:
        self.climb("02")
        self.assertTrue((self.tree / "build/cpu/bin/practice.02_coalesced.test").exists())
        # An exercise in a file of its own; the lesson stays as it is.
        self.expect(2, "there is no practice/02.2/gemm.cu; ./ladder check 02.2 makes it", "run", "02.2")
        self.expect(0, "^practice/02.2/gemm.cu is lesson 02", "check", "02.2", "--restart")
        path = self.tree / "practice/02.2/gemm.cu"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(?m)^(constexpr int B[MNK]) = 32", r"\1 = 16", text), encoding="utf-8")
        self.expect(0, "^practice/02.2 +right", "run", "02.2", "64", "64", "64")
        self.expect(0, "load: requests of a warp +1024$", "explain", "02.2", "64", "64", "64")
