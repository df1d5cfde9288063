"""./ladder mutate: the operators' mutants of small sources and of the lessons, the planted bugs, the verdict on an edited
copy, bad sources."""
import pathlib
import tempfile
import threading
import time
import unittest
from typing import List
from unittest import mock

from sandbox import Sandbox

from ladder import Stop, mutate, temporary_folder
from ladder.lessons import every, parse_edits
from ladder.mutation import assumed, judge, operators, planted, programs, tokens

KERNEL = """\
constexpr int BM = 32;  // a knob
__device__ void f(const Problem& p, int row) {
%s
}
int main(int argc, char** argv) { return argc < 1 && 2 > 1; }
"""


def edited(body: str, operator: str) -> List[str]:
    """An operator's mutants of a function's body."""
    text = KERNEL % body
    found = []
    for each in operators.mutants(text):
        changed = each.apply(text)
        assert changed.count("\n") == text.count("\n"), each
        if each.operator == operator and changed.split("\n")[:2] == text.split("\n")[:2]:
            found.append("\n".join(changed.split("\n")[2:-3]))
    return found


class Tokens(unittest.TestCase):
    def test_a_source_is_its_tokens(self) -> None:
        text = '#define X 1 < 2\na<<<b, c>>>(d); // e < f\n/* g */ s = "x < \\" y"; h <= 0x1F;'
        found = [token.text for token in tokens.tokens(text)]
        self.assertEqual(found, ["a", "<<<", "b", ",", "c", ">>>", "(", "d", ")", ";", "s", "=",
                                 '"x < \\" y"', ";", "h", "<=", "0x1F", ";"])
        for text in ("f(", "f)", "{ a(b; }"):
            with self.assertRaises(ValueError):
                tokens.Source(text)

    def test_statements(self) -> None:
        source = tokens.Source(KERNEL % "  const auto a = [&](int x) { h(x); };\n  if (a) i(); else "
                               "for (int b = 0; b < 3; ++b) { j(); }\n  Acc& c = d;\n  return;")
        found = [(source.piece(each.first, each.last), each.declares) for each in source.statements]
        for expected in (("h(x);", False), ("i();", False), ("j();", False), ("Acc& c = d;", True),
                         ("return;", False), ("constexpr int BM = 32;", True)):
            self.assertIn(expected, found)


class Operators(unittest.TestCase):
    """Each operator's mutants. Templates, types, knobs and main() stay as they are."""

    def test_each(self) -> None:
        head = "for (d = 0; d < p.M; %s)"
        for operator, body, *expected in (
                ("relation", "f<int>(a < b);", "f<int>(a <= b);", "f<int>(a >= b);"),
                ("relation", "c = a == !b;", "c = a != !b;", "c = a == b;"),
                ("logic", "c = a && b;", "c = a || b;"),
                ("arithmetic", "c = a % b - *d;", "c = a / b - *d;", "c = a % b + *d;"),
                ("assignment", "a += 2;", "a -= 2;", "a = 2;"),
                ("one off", "a = b < p.M - 1;", "a = b < p.M - 1 + 1;", "a = b < p.M - 1 - 1;"),
                ("one off", "a = s[b];", "a = s[b + 1];", "a = s[b - 1];"),
                ("one off", "f<int>(b, g);", "f<int>(b + 1, g);", "f<int>(b - 1, g);",
                 "f<int>(b, g + 1);", "f<int>(b, g - 1);"),
                ("one off", "alignas(16) Acc s[TM], t[TN];"),
                ("swapped", "d = p.M;", "d = p.N;", "d = p.K;"),
                ("swapped", "d = row0 * p.lda;", "d = col0 * p.lda;", "d = row0 * p.ldb;", "d = row0 * p.ldc;"),
                ("swapped", "d = BM + m;", "d = BN + m;", "d = BK + m;", "d = BM + n;", "d = BM + k;"),
                ("condition", "if (d) e();", "if (true) e();", "if (false) e();"),
                ("condition", "g = d && e;", "g = true && e;", "g = d && true;"),
                ("condition", "g = (d | e) % 4;", "g = (0 | e) % 4;", "g = (d | 0) % 4;"),
                ("condition", "g = d ? e : h;", "g = true ? e : h;", "g = false ? e : h;"),
                ("statement", "int d = 1;\nif (d) e(\n  d);\nreturn d;", "int d = 1;\nif (d) ;\n\nreturn d;"),
                ("statement", "__syncthreads();", ";"),
                ("constant", "d = 4;", "d = 3;", "d = 5;", "d = 8;"), ("constant", "d = 0;", "d = 1;"),
                ("narrowed", "int64_t d;\nint e;", "int d;\nint e;", "int64_t d;\nshort e;",
                 "int64_t d;\nunsigned char e;"),
                ("narrowed", "d = s[e * ld];", "d = s[int(e * ld)];", "d = s[short(e * ld)];"),
                ("narrowed", "int m = s[e + m];"),
                ("loop", head % "++d" + " { e(); }", "for (d = 0; d == p.M; ++d) { e(); }",
                 "for (d = 0; d < p.M; d += 2) { e(); }", "for (d = 0; d < p.M; ++d) { e(); break; }"),
                ("loop", head % "d += 3" + " e();", "for (d = 0; d == p.M; d += 3) e();",
                 "for (d = 0; d != p.M; d += 3) e();", "for (d = 0; d < p.M; d += 3 * 2) e();",
                 "for (d = 0; d < p.M; d += 3) { e(); break; }"),
                ("loop", "for (int i : all) g(i);", "for (int i : all) { g(i); break; }")):
            self.assertEqual(sorted(edited(body, operator)), sorted(expected), body)
        for each in edited("__syncthreads();", "barrier"):
            self.assertRegex(each, r"^if \(\w+\.x .*\) __syncthreads\(\);$")

    def test_code_without_mutants(self) -> None:
        text = KERNEL % "static_assert(1 < 2);\nalignas(16) Acc d;"
        self.assertEqual({each.line for each in operators.mutants(text)}, {2})  # narrowed parameter
        self.assertEqual(operators.mutants("template <int N>\nusing A = int;\n"), [])

    def test_the_lessons(self) -> None:
        edits = []
        for facts in every():
            found = operators.mutants(facts.text)
            self.assertGreater(len(found), 100, facts.name)
            self.assertEqual(len({each.edit for each in found}), len(found), facts.name)
            self.assertEqual({each.operator for each in found} | {"barrier"}, set(operators.OPERATORS))
            for each in found:
                changed = each.apply(facts.text)
                self.assertNotEqual(changed, facts.text)
                self.assertEqual(changed.count("\n"), facts.text.count("\n"), each)
            edits += [(facts.name, each.edit) for each in found]
        self.assertEqual(assumed.unused(edits), [])


class Bugs(unittest.TestCase):
    def test_each_planted_bug_fits_its_lesson(self) -> None:
        found = planted.planted()
        self.assertEqual({each.lesson for each in found}, {each.name for each in every() if not each.not_on_cpu})
        texts = {facts.name: facts.text for facts in every()}
        for each in found:
            self.assertNotEqual(each.apply(texts[each.lesson]), texts[each.lesson], each.name)

    def test_a_bad_table(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "planted.txt")
            with mock.patch.object(planted, "TABLE", path):
                for text, says in (("", None), ("00 a: b\n- no such text\n", "planted.txt:1: 00 a matches 0 times"),
                                   ("00 a [b]: c\nBM=8\n", "planted.txt:1: the marks are few, gpu, common/"),
                                   ("00 a [common/tensor_map.h]: b\n- fits(\n", "common/tensor_map.h is not included"),
                                   ("14 a [common/tensor_map.h]: b\n- no such\n", "matches 0 times"),
                                   ("x\n", "not a heading")):
                    path.write_text(text, encoding="utf-8")
                    if says is None:
                        self.assertEqual(planted.planted(), [])
                    else:
                        with self.assertRaisesRegex(Stop, says):
                            planted.planted()

    def test_an_edited_header_is_included_in_the_copy(self) -> None:
        texts = {facts.number: facts.text for facts in every()}
        for number, header in (("09", "common/stream_memory.h"), ("14", "common/stream_memory.h"),
                               ("14", "common/tensor_map.h"), ("14", "common/hopper.h")):
            first = {"stream_memory": "map", "tensor_map": "cuda_fp16.h", "hopper": "type_traits"}[pathlib.Path(header).stem]
            edits = parse_edits([f"- #include <{first}>", "+ // gone"])
            text = planted.Planted("", "a", "b", (header,), tuple(edits)).apply(texts[number])
            self.assertIn("// gone\n", text)
            self.assertNotIn(f'#include "{header}"', text)
            self.assertIn("struct Plan" if number == "09" else "struct Work", text)

    def test_bugs_marked_gpu_are_judged_on_a_gpu_only(self) -> None:
        names = [each.name for each in every()]
        here, there = planted.chosen(names, False, False), planted.chosen(names, False, True)
        self.assertEqual([any(each.gpu for each in here), all(each.gpu for each in there)], [False, True])
        self.assertEqual(len(here) + len(there), len(planted.planted()))

    def test_samples_and_scores(self) -> None:
        bugs = mutate.made(["00_naive", "02_coalesced"])
        one = mutate.sample(bugs, 30, 7)
        self.assertEqual(one, mutate.sample(bugs, 30, 7))
        self.assertNotEqual(one, mutate.sample(bugs, 30, 8))
        self.assertEqual(sum(map(len, one.values())), 30)
        self.assertEqual(mutate.sample(bugs, 10 ** 6, 1), bugs)
        self.assertEqual([mutate.score(*each) for each in ((9999, 1), (3, 0), (0, 0))], ["99.9 %", "100.0 %", "-"])


class Judging(unittest.TestCase):
    """Lesson.judge() with stand-ins for compiler and tests. An object file is a copy of the source."""

    def judge(self, text: str, rejects: str) -> judge.Verdict:
        """The verdict on a source if the lesson's source is "original" and the test `rejects` fails."""
        lesson = object.__new__(judge.Lesson)
        lesson.runner, lesson.facts = programs.Runner(), mock.Mock(text="original")
        lesson.recipe = programs.Recipe("00_test", "cpu", [], [], b"original")
        lesson.limits, lesson.objects = {}, {}
        lesson.tests = [judge.Test(name, [name]) for name in "ABC"]
        lesson.guards = {name: threading.Lock() for name in "ABC"}
        self.ran: List[str] = []

        def compiled(_runner: object, _command: object, folder: pathlib.Path, source: str) -> bool:
            (folder / "gemm.o").write_text(source, encoding="utf-8")
            return "++" not in source

        def tested(_runner: object, _recipe: object, folder: pathlib.Path, arguments: List[str],
                   *_: object) -> int:
            if (folder / "gemm.o").read_text(encoding="utf-8") == "original":
                return 0  # the lesson itself
            self.ran += arguments
            return int(arguments == [rejects])

        with mock.patch.object(judge, "compiled", compiled), mock.patch.object(judge, "tested", tested):
            return lesson.judge(0, mock.Mock(apply=lambda _: text), lesson.tests)

    def test_the_first_failing_test_rejects(self) -> None:
        self.assertEqual(self.judge("bug", "B"), judge.Verdict(judge.REJECTED, "B"))
        self.assertEqual(self.ran, ["A", "B"])
        self.assertEqual(self.judge("bug", ""), judge.Verdict(judge.SURVIVED))
        self.assertEqual(self.ran, ["A", "B", "C"])
        self.assertEqual(self.judge("original", "A").status, judge.SAME)
        self.assertEqual(self.judge("++ ++", "A").status, judge.NOT_COMPILED)
        self.assertEqual(self.ran, [])

    def test_a_limit_and_an_end(self) -> None:
        runner = programs.Runner()
        with temporary_folder("mutate", "00_test") as folder:
            self.assertEqual(runner.run(["sh", "-c", "exit 7"], folder, 9), 7)
            self.assertEqual(runner.run(["sh", "-c", "while :; do :; done"], folder, 0), 124)
            self.assertEqual(runner.run(["sleep", "1.5"], folder, 0), 0)  # waiting takes no processor time
            timer = threading.Timer(0.2, runner.close)
            timer.start()
            start = time.monotonic()
            self.assertEqual(runner.run(["sh", "-c", "sleep 60; true"], folder, 60), -9)
            self.assertLess(time.monotonic() - start, 30)
            timer.join()
            self.assertEqual(runner.run(["true"], folder, 9), 125)
        self.assertFalse(folder.exists())
        self.assertEqual(runner.running, set())


class Commands(Sandbox):
    def test_list(self) -> None:
        answer = self.expect(0, r"^00_naive/gemm.cu:\d+:\d+: relation: ", "mutate", "0", "--list")
        again = self.ladder("mutate", "00", "--list", "--sample", "5", "--seed", "3")
        self.assertEqual(len(again.out.splitlines()), 5)
        self.assertIn("--seed 3", again.err)
        self.assertTrue(set(again.out.splitlines()) <= set(answer.out.splitlines()))
        self.assertEqual(self.called(), [])

    def test_bad_sources(self) -> None:
        path = self.tree / "00_naive" / "gemm.cu"
        for text, says in (("void f( {", "cannot be parsed"), ("template <int N", "cannot be parsed"),
                           ("", "has nothing to mutate")):
            path.write_text(text, encoding="utf-8")
            self.expect(1, "^ladder: 00_naive/gemm.cu " + says, "mutate", "0", "--list")
