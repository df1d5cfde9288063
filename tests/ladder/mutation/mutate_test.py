"""./ladder mutate: the generator on small sources and on the lessons, the known survivors, bad words."""
import pathlib
import tempfile
import unittest
from typing import List
from unittest import mock

from sandbox import SOURCE, Sandbox

from ladder import Stop, mutate
from ladder.mutation import operators, report, survivors, tokens

KERNEL = """\
constexpr int BM = 32;  // a knob
__device__ void f(const Problem& p, int row) {
%s
}
int main(int argc, char** argv) { return argc < 1 && 2 > 1; }
"""


def edited(body: str, operator: str) -> List[str]:
    """The bodies that an operator makes of one."""
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
        words = [token.text for token in tokens.tokens(text)]
        self.assertEqual(words, ["a", "<<<", "b", ",", "c", ">>>", "(", "d", ")", ";", "s", "=",
                                 '"x < \\" y"', ";", "h", "<=", "0x1F", ";"])
        for token in tokens.tokens(text):
            self.assertEqual(text[token.start:token.end], token.text)

    def test_brackets(self) -> None:
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
    """Each operator makes what it says, and nothing of templates, types, knobs and main()."""

    def check(self, operator: str, body: str, *expected: str) -> None:
        self.assertEqual(sorted(edited(body, operator)), sorted(expected))

    def test_relation(self) -> None:
        self.check("relation", "f<int>(a < b);", "f<int>(a <= b);", "f<int>(a >= b);")
        self.check("relation", "c = a == !b;", "c = a != !b;", "c = a == b;")

    def test_logic_and_arithmetic(self) -> None:
        self.check("logic", "c = a && b;", "c = a || b;")
        self.check("arithmetic", "c = a % b - *d;", "c = a / b - *d;", "c = a % b + *d;")
        self.check("assignment", "a += 2;", "a -= 2;", "a = 2;")

    def test_one_off(self) -> None:
        self.check("one off", "a = b < p.M - 1;", "a = b < p.M - 1 + 1;", "a = b < p.M - 1 - 1;")
        self.check("one off", "a = s[b];", "a = s[b + 1];", "a = s[b - 1];")
        self.check("one off", "f<int>(b, g);", "f<int>(b + 1, g);", "f<int>(b - 1, g);",
                   "f<int>(b, g + 1);", "f<int>(b, g - 1);")
        self.check("one off", "alignas(16) Acc s[TM], t[TN];")

    def test_swapped(self) -> None:
        self.check("swapped", "d = p.M;", "d = p.N;", "d = p.K;")
        self.check("swapped", "d = row0 * p.lda;", "d = col0 * p.lda;", "d = row0 * p.ldb;",
                   "d = row0 * p.ldc;")
        self.check("swapped", "d = BM + m;", "d = BN + m;", "d = BK + m;", "d = BM + n;", "d = BM + k;")

    def test_condition(self) -> None:
        self.check("condition", "if (d) e();", "if (true) e();", "if (false) e();")
        self.check("condition", "g = d && e;", "g = true && e;", "g = d && true;")
        self.check("condition", "g = (d | e) % 4;", "g = (0 | e) % 4;", "g = (d | 0) % 4;")
        self.check("condition", "g = d ? e : h;", "g = true ? e : h;", "g = false ? e : h;")

    def test_statement(self) -> None:
        self.check("statement", "int d = 1;\nif (d) e(\n  d);\nreturn d;",
                   "int d = 1;\nif (d) ;\n\nreturn d;")

    def test_constant_and_narrowed(self) -> None:
        self.check("constant", "d = 4;", "d = 3;", "d = 5;", "d = 8;")
        self.check("constant", "d = 0;", "d = 1;")
        self.check("narrowed", "int64_t d;\nint e;", "int d;\nint e;", "int64_t d;\nshort e;",
                   "int64_t d;\nunsigned char e;")
        self.check("narrowed", "d = s[e * g];", "d = s[int(e * g)];", "d = s[short(e * g)];")

    def test_loop(self) -> None:
        head = "for (d = 0; d < 4; %s)"
        self.check("loop", head % "++d" + " { e(); }",
                   "for (d = 0; d == 4; ++d) { e(); }", "for (d = 0; d != 4; ++d) { e(); }",
                   "for (d = 0; d < 4; d += 2) { e(); }", "for (d = 0; d < 4; ++d) { e(); break; }")
        self.check("loop", head % "d += 3" + " e();",
                   "for (d = 0; d == 4; d += 3) e();", "for (d = 0; d != 4; d += 3) e();",
                   "for (d = 0; d < 4; d += 3 * 2) e();", "for (d = 0; d < 4; d += 3) { e(); break; }")

    def test_barrier(self) -> None:
        found = edited("__syncthreads();", "barrier")
        self.assertEqual(len(found), 3)
        for each in found:
            self.assertRegex(each, r"^if \(\w+\.x .*\) __syncthreads\(\);$")
        self.check("statement", "__syncthreads();", ";")

    def test_what_is_left_alone(self) -> None:
        text = KERNEL % "static_assert(1 < 2);\nalignas(16) Acc d;"
        self.assertEqual({each.line for each in operators.mutants(text)}, {2})  # narrowed parameter
        self.assertEqual(operators.mutants("template <int N>\nusing A = int;\n"), [])

    def test_a_loop_over_all(self) -> None:
        text = "void f(int a) {\n  for (int i : all) g(i);\n}\n"
        found = [each.edit for each in operators.mutants(text) if each.operator == "loop"]
        self.assertEqual(found, ["loop: 'break;' behind the body in 'for (int i : all)' in "
                                 "`for (int i : all) g(i);`"])
        text = text.replace("int i : all", "int i = 0; i < (a < 2 ? 3 : a); ++i")
        self.assertEqual(sum("'<' becomes" in each.edit for each in operators.mutants(text)
                             if each.operator == "loop"), 2)  # the counter's, not that of its bound

    def test_a_source_that_is_cut_off(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gemm.cu")
            for text in ("void f(int a) {\n  for (;\n", "template <int N"):
                path.write_text(text, encoding="utf-8")
                with mock.patch.object(mutate, "lesson_source", lambda _: path), self.assertRaises(Stop) as stop:
                    mutate.every(["00_naive"])
                self.assertRegex(stop.exception.message, "does not read like C")


class Lessons(unittest.TestCase):
    def test_mutants_of_the_lessons(self) -> None:
        for path in sorted([*SOURCE.glob("[0-9][0-9]_*/gemm.cu"), *SOURCE.glob("beyond/*/gemm.cu")]):
            text = path.read_text(encoding="utf-8")
            found = operators.mutants(text)
            self.assertGreater(len(found), 100, path)
            self.assertEqual(found, operators.mutants(text))
            self.assertEqual(len({each.edit for each in found}), len(found), path)
            self.assertEqual({each.operator for each in found} | {"barrier"}, set(operators.OPERATORS))
            for each in found:
                changed = each.apply(text).split("\n")
                self.assertNotEqual("\n".join(changed), text)
                self.assertEqual(len(changed), text.count("\n") + 1, each)
                place = sum(len(line) + 1 for line in text.split("\n")[:each.line - 1])
                self.assertEqual(place + each.column - 1, each.start, each)

    def test_samples(self) -> None:
        every = mutate.every(["00_naive", "02_coalesced"])
        one = mutate.sample(every, 30, 7)
        self.assertEqual(one, mutate.sample(every, 30, 7))
        self.assertNotEqual(one, mutate.sample(every, 30, 8))
        self.assertEqual(sum(map(len, one.values())), 30)
        self.assertEqual(mutate.sample(every, 10 ** 6, 1), every)

    def test_known_survivors(self) -> None:
        every = mutate.every(mutate.lessons())
        entries = survivors.read()
        self.assertEqual(survivors.stale(entries, every), [])
        for each in entries:
            self.assertTrue(each.reason)
        odd = survivors.Entry("open", "00_naive", "relation: ... nowhere", "")
        self.assertEqual(survivors.stale([odd], every), [odd])

    def test_scores(self) -> None:
        self.assertEqual(report.score({"rejected": 9999, "open": 1, "unknown": 0}), "99.9 %")
        self.assertEqual(report.score({"rejected": 3, "open": 0, "unknown": 0}), "100.0 %")
        self.assertEqual(report.score({"rejected": 0, "open": 0, "unknown": 0}), "-")


class Words(Sandbox):
    def test_bad_words(self) -> None:
        self.expect(2, "^ladder: no lesson called '99'", "mutate", "99")
        for word in ("0", "-1", "x", "1.5", "", "9999999"):
            self.expect(2, "^ladder: --sample must be a whole number from 1", "mutate", "--sample", word)
        self.expect(2, "^ladder: --jobs must be a whole number", "mutate", "00", "--jobs", "0")
        self.expect(2, "^ladder: --seed must be a whole number", "mutate", "--sample", "3", "--seed", "x")
        self.expect(2, "^ladder: --seed is for --sample N", "mutate", "--seed", "3")
        self.expect(2, "unknown option '--sampel' of mutate; did you mean --sample", "mutate", "--sampel")

    def test_list(self) -> None:
        answer = self.expect(0, r"^00_naive/gemm.cu:\d+:\d+: relation: ", "mutate", "0", "--list")
        again = self.ladder("mutate", "00", "--list", "--sample", "5", "--seed", "3")
        self.assertEqual(len(again.out.splitlines()), 5)
        self.assertIn("--seed 3", again.err)
        self.assertTrue(set(again.out.splitlines()) <= set(answer.out.splitlines()))
        self.assertEqual(self.called(), [])

    def test_bad_sources(self) -> None:
        path = self.tree / "00_naive" / "gemm.cu"
        path.write_text("void f( {", encoding="utf-8")
        self.expect(1, "^ladder: 00_naive/gemm.cu does not read like C\\+\\+", "mutate", "0", "--list")
        path.write_text("", encoding="utf-8")
        self.expect(1, "^ladder: 00_naive/gemm.cu has nothing to mutate", "mutate", "0", "--list")
        known = self.tree / "tests" / "lessons" / "variants"
        known.mkdir(parents=True)
        (known / "survivors.json").write_text('{"open": [3]}', encoding="utf-8")
        self.expect(3, "^ladder: tests/lessons/variants/survivors.json is damaged", "mutate", "1")
