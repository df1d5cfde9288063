"""Files that ./ladder check and run must reject: programs that end early or never, faults that few test cases find."""
import importlib
import pathlib
import tempfile
import unittest
import unittest.mock

from built import BUILT, Built
from sandbox import SOURCE

HEADERS = "#include <sys/syscall.h>\n#include <unistd.h>\n#include <cstdio>\n#include <cstdlib>\n"
LATE = "static int calls = 0;\n  if (++calls > 40) "


class Judged(Built):
    def put(self, number: str, old: str, new: str) -> str:
        """Writes practice/NAME/gemm.cu, a lesson with an edit. Returns NAME."""
        source = next(SOURCE.glob(number + "_*/gemm.cu"))
        text = source.read_text(encoding="utf-8")
        self.assertIn(old, text)
        return self.practice(source.parent.name, HEADERS + text.replace(old, new)).parent.name

    def rejected(self, number: str, old: str, new: str, pattern: str = "first failure: ") -> str:
        self.put(number, old, new)
        answer = self.expect(1, "^  fails: correct for every size", "check", number)
        self.assertRegex(answer.out, r"(?m)^    repeat: \S")
        self.assertRegex(answer.out, pattern)
        self.assertNotIn("holds", answer.out)
        return answer.out

    def before_launch(self, code: str, pattern: str) -> str:
        """Lesson 02 with code before its launch."""
        return self.rejected("02", "  gemm_kernel<<<", "  %s\n  gemm_kernel<<<" % code, pattern)


class Ends(Judged):
    LINE = r"(?m)^    found: practice/02_coalesced/gemm.cu:\d+: gemm\(\) "
    EARLY = r"(?m)^    found: the program ended with status 0 before its tests had ended"

    def test_exit(self) -> None:
        self.before_launch("if (p.M > 40) exit(0);", self.LINE + r"calls exit\(0\)$")
        answer = self.expect(3, r"gemm.cu:\d+: gemm\(\) calls exit\(0\)", "run", "practice/02_coalesced", "64", "64", "64")
        self.assertEqual(answer.out, "")

    def test_from_the_41st_call_on(self) -> None:
        self.before_launch(LATE + "_Exit(0);", self.LINE + r"calls _Exit\(0\)$")

    def test_a_forged_report(self) -> None:
        lines = r'std::printf("All tests passed\n\n%d test case%s run\n"), std::fflush(stdout), '
        for count in ('1, ""', '3, "s"'):
            self.before_launch(LATE + lines.replace("stdout), ", "stdout), syscall(SYS_exit_group, 0);").replace(
                r'run\n")', r'run\n", %s)' % count), self.EARLY)

    def test_without_stdout(self) -> None:
        self.before_launch("fclose(stdout), exit(0);", self.LINE + r"calls exit\(0\)$")

    def test_another_program(self) -> None:
        self.before_launch('if (p.K > 64) execl("/bin/true", "true", nullptr);', self.EARLY)

    def test_a_forged_result(self) -> None:
        forged = '{"lesson": "x", "M": 64, "N": 64, "K": 64, "verdict": "right"}'.replace('"', '\\"')
        self.put("02", "  gemm_kernel<<<", '  std::printf("%s\\n"), std::fflush(stdout), syscall(SYS_exit_group, 0);\n'
                 "  gemm_kernel<<<" % forged)
        for command in ("run", "explain"):
            answer = self.expect(3, "ended with status 0 without a result", command, "practice/02_coalesced",
                                 "64", "64", "64")
            self.assertNotIn("02_coalesced", answer.out)


class Cases(Judged):
    def test_a_name_with_a_comma(self) -> None:
        """Catch2 2.13 would split the name of the only test case that finds this."""
        self.rejected("02", "p.beta * c", "p.beta * (c != c ? 0 : c)")


class Counted(unittest.TestCase):
    """Test cases are selected by name, and their number is checked."""

    def setUp(self) -> None:
        self.suite = importlib.import_module("ladder.judging.suite")
        self.work = importlib.import_module("ladder.lib.work")
        self.stop = importlib.import_module("ladder.lib.output").Stop

    def test_patterns(self) -> None:
        self.assertEqual(self.suite._pattern(r'a, b "c" [d] ~e* \f'), r'a\, b \"c\" \[d\] \~e\* \\f')

    def test_too_few_test_cases(self) -> None:
        done = self.work.Done(0, "No test cases matched\n\n2 test cases run\n", "")
        self.assertEqual(self.suite._all_run(done, 2), done)
        for count, out in ((3, done.out), (1, ""), (1, "1 test case run\nmore\n"), (1, "11 test cases run\n")):
            with self.assertRaisesRegex(self.stop, "expected %d test cases" % count):
                self.suite._all_run(self.work.Done(0, out, ""), count)

    def test_all_names_of_a_suite(self) -> None:
        if not (BUILT / "bin").is_dir():
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        program = BUILT / "bin" / "00_naive.test"
        names = [name for group in self.suite._groups(program) for name in group]
        self.assertTrue(any("," in name for name in names), names)
        self.assertNotIn("one block a tile, tiles along N first", names)  # a learner's grid may be another
        patterns = [self.suite._pattern(name) for name in names]
        done = self.work.execute([program, ",".join(patterns)], tools=True)
        self.assertEqual(self.suite._all_run(done, len(names)).status, 0)


class LocalMemory(unittest.TestCase):
    def test_that_of_printf_is_no_array(self) -> None:
        module = importlib.import_module("ladder.judging.local_arrays")
        with tempfile.TemporaryDirectory() as name, \
                unittest.mock.patch.multiple(module, find_nvcc=lambda: "nvcc", by_nvcc=lambda _: 8,
                                             _by_compiler=lambda _: module.NONE):
            source = pathlib.Path(name, "gemm.cu")
            for text, found in (('printf("%f", acc[0]);', module.NONE), ("acc[0] = 0;", "8 bytes")):
                source.write_text(text, encoding="utf-8")
                self.assertEqual(module.in_local_memory(source), found)

    def test_spills(self) -> None:
        """They are told with the registers that are left, and point to the limit; the verdict is still a pass."""
        module, judge = (importlib.import_module("ladder.judging." + each) for each in ("local_arrays", "judge"))
        frame = importlib.import_module("ladder.judging.compiled").Frame
        with unittest.mock.patch.multiple(module.compiled, frames=lambda _: [frame(0, 0, 128), frame(904, 3064, 64)]):
            value = module.NONE + module.spills(pathlib.Path("gemm.cu"))
        self.assertEqual(value, "none, but nvcc spills 3064 bytes of registers there, since __launch_bounds__ limits a "
                         "thread to 64")
        self.assertEqual(module.declared_at("int a;\nconstexpr int MIN_BLOCKS = 8;\n", value), 2)
        registers = judge.CONDITIONS["registers"]
        self.assertEqual([judge._reaches(registers, value, limit) for limit in ("", "accept")], [False, True])
        self.assertEqual([judge._reaches(registers, "acc", limit) for limit in ("", "accept")], [False, False])
