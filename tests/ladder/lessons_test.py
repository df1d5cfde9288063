"""ladder.lessons: facts of a gemm.cu, edits and their notation, the hash of its code, its PTX and SASS."""
import collections
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import ladder
from ladder.lessons import EditError, apply, code_hash, every, facts_of, find, needs, parse_edits, parse_table
from ladder.lessons.code import code_lines
from ladder.lessons.facts import ROOT
from ladder.publishing.instructions import hash_of, instructions

SOURCE = """\
// 03_made_up: an idea
// on two lines.
//
// Changed from 02_before: this,
// and that.
// Needs: sm_90a
// Build: nvcc
#include "common/lesson.h"

using Input = float;  // element type
using Acc = float;
constexpr int BM = 64;  // rows
constexpr int ROWS = BM / 8;
constexpr int PAD = 4;

void gemm() {
  sum(row * p.lda);
  barrier();  // both tiles
  sum(row * p.ldb);
}
"""


def facts(text):
    return facts_of(pathlib.Path("/no/03_made_up/gemm.cu"), text)


class Facts(unittest.TestCase):
    def test_header_and_knobs(self):
        found = facts(SOURCE)
        self.assertEqual((found.name, found.number, found.input, found.acc), ("03_made_up", "03", "float", "float"))
        self.assertEqual(dict(found.knobs), {"Input": "float", "Acc": "float", "BM": "64", "PAD": "4"})
        self.assertEqual((found.idea, found.change), ("an idea on two lines.", "this, and that."))
        self.assertEqual((found.predecessor, found.needs, found.fault), ("02_before", "90a", ""))
        self.assertEqual(found.tiles, ("BM",))

    def test_needs_that_names_no_architecture(self):
        found = facts(SOURCE.replace("sm_90a", "Hopper"))
        self.assertEqual(found.needs, "")
        self.assertIn("'Needs: Hopper' names no architecture", found.fault)

    def test_a_file_without_facts(self):
        found = facts("int main() {}\n")
        self.assertEqual((found.input, found.predecessor, found.needs, dict(found.knobs)), ("", "", "", {}))

    def test_a_lesson_is_found_by_name(self):
        self.assertEqual(find("11_wgmma").needs, "90a")
        self.assertEqual(find("08_tensor_core_wmma").input, "half")
        self.assertEqual(find("10_mma_swizzle").folder, "beyond/10_mma_swizzle")

    def test_ladder_lessons_are_the_nine(self):
        self.assertEqual(ladder.lessons(), tuple(each.name for each in every() if not each.beyond))


class Edits(unittest.TestCase):
    def edited(self, *lines):
        return apply(SOURCE, parse_edits(lines))

    def refused(self, text, *lines):
        with self.assertRaises(EditError) as caught:
            self.edited(*lines)
        self.assertIn(text, str(caught.exception))

    def test_knobs(self):
        self.assertIn("constexpr int BM = 8;  // rows", self.edited("BM=8"))
        self.assertIn("constexpr int ROWS = 2 * BM;\n", self.edited("ROWS=2 * BM"))
        self.assertIn("using Acc = double;\n", self.edited("Acc=double"))

    def test_replacements(self):
        self.assertEqual(self.edited("- p.lda", "+ p.K"), SOURCE.replace("p.lda", "p.K"))
        lines = ["-   barrier();  // both tiles", "-   sum(row * p.ldb);", "+   if (row) {", "+", "+   }"]
        self.assertEqual(self.edited(*lines),
                         SOURCE.replace("  barrier();  // both tiles\n  sum(row * p.ldb);", "  if (row) {\n\n  }"))
        self.assertEqual(self.edited("- p.lda", "+ p.ldc", "- * p.ldc", "+ + 1"), SOURCE.replace("* p.lda", "+ 1"))

    def test_deletions_keep_line_numbers(self):
        gone = self.edited("- barrier();  // both tiles", "-   sum(row * p.ldb);")
        self.assertEqual(gone, SOURCE.replace("barrier();  // both tiles\n  sum(row * p.ldb);", "\n"))
        apart = self.edited("- barrier();", "+", "- // rows", "+", "PAD=0")
        self.assertEqual(apart, SOURCE.replace("barrier();", "").replace("// rows", "").replace("PAD = 4", "PAD = 0"))

    def test_half_gets_its_header(self):
        self.assertIn('#include <cuda_fp16.h>\n#include "common/lesson.h"', self.edited("Input=half"))
        self.assertIn('#include <cuda_fp16.h>\n#include "common/lesson.h"', self.edited("- row * p.lda", "+ half(row)"))
        self.assertNotIn("cuda_fp16", self.edited("- row * p.lda", "+ halfway"))

    def test_each_matches_once(self):
        self.refused("matches 0 times, not once: BK=8", "BK=8")
        self.refused("matches 0 times, not once: p.ldd", "- p.ldd", "+ p.K")
        self.refused("matches 2 times, not once: sum(row", "- sum(row", "+ sum(col")

    def test_bad_edits(self):
        for line in ("+ new", "BM = 8", "-old", "REPLACE old", "BM="):
            self.refused("not an edit: '%s'" % line, line)
        self.refused("replaces nothing", "-", "+ new")

    def test_str_of_an_edit_is_its_notation(self):
        for lines in (["BM=8"], ["- a", "-   b", "+ c"], ["- a", "+ "]):
            self.assertEqual("\n".join(map(str, parse_edits(lines))), "\n".join(lines))


TABLE = """\
# comment

01-03,05 lda: A is read as if
- p.lda
+ p.K

02 no_pad [counts shared_store 2, measured]: without: padding
PAD=0
BM=8
"""


class Table(unittest.TestCase):
    def test_paragraphs(self):
        first, second = parse_table(TABLE, "t.txt")
        self.assertEqual((first.name, first.what, first.marks, first.line), ("lda", "A is read as if", (), 3))
        self.assertEqual(second.marks, ("counts shared_store 2", "measured"))
        self.assertEqual([str(each) for each in second.edits], ["PAD=0", "BM=8"])
        self.assertEqual(first.numbers(["00", "01", "02", "03", "04", "05"]), ["01", "02", "03", "05"])

    def test_errors_name_file_and_line(self):
        for text, said in ((TABLE + "oops\n", "t.txt:7: no_pad: not an edit: 'oops'"),
                           ("lda: no lesson\n", "t.txt:1: not a heading: 'lda: no lesson'"),
                           ("02 a: b\n\n02 c: d\nX=1\n", "t.txt:1: a edits nothing"),
                           (TABLE + "\n" + TABLE, "t.txt:13: 01-03,05 lda occurs twice")):
            with self.assertRaises(EditError) as caught:
                parse_table(text, "t.txt")
            self.assertIn(said, str(caught.exception))
        with self.assertRaises(EditError) as caught:
            parse_table(TABLE, "t.txt")[0].numbers(["01", "02", "03"])
        self.assertIn("lda: there is no lesson 05", str(caught.exception))


class Hash(unittest.TestCase):
    def test_comments_and_spaces_do_not_change_the_hash(self):
        same = SOURCE.replace("// rows", "/* of\n C */").replace("  sum", "\tsum")
        self.assertEqual(code_hash(SOURCE), code_hash(same))
        self.assertNotEqual(code_hash(SOURCE), code_hash(SOURCE.replace("BM = 64", "BM = 65")))
        self.assertNotEqual(code_hash('f("// a")'), code_hash('f("// b")'))
        self.assertEqual(code_hash("int a;\n"), "68ee7ca0e099b2c4")  # docs/results has such hashes


class Needs(unittest.TestCase):
    def lacks(self, architectures, first_gpu=""):
        with unittest.mock.patch.object(needs, "first_gpu", lambda: first_gpu):
            return needs.lacks("90a", architectures.split())

    def test_builds_that_have_it(self):
        for architectures in ("90", "90a", "80-real 90-real", "80 90a-real", "all-major"):
            self.assertEqual(self.lacks(architectures), "")
        self.assertEqual(self.lacks("native", "90"), "")
        self.assertEqual(needs.lacks("", []), "")

    def test_builds_that_lack_it(self):
        self.assertEqual(self.lacks("80-real 86"), "it needs sm_90a, and this build is for 80-real, 86")
        self.assertTrue(self.lacks("100 190 900"))
        for first_gpu in ("89", "100", ""):
            self.assertTrue(self.lacks("native", first_gpu))

    def test_architectures_that_the_cpu_backend_lacks(self):
        for name, lack in (("02_coalesced", ""), ("11_wgmma", ""), ("12_persistent", "")):
            self.assertEqual(find(name).not_on_cpu, lack)
        self.assertEqual(facts_of(pathlib.Path("/x/gemm.cu"), "// Needs: sm_100a\n").not_on_cpu, "sm_100a")


class Configure(unittest.TestCase):
    """The answers to CMake, in a copy of the checkout."""

    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="lessons-test."))
        self.addCleanup(shutil.rmtree, self.tree, ignore_errors=True)
        shutil.copytree(ROOT / "common" / "ladder", self.tree / "common" / "ladder",
                        ignore=shutil.ignore_patterns("__pycache__"))
        for facts in every():
            (self.tree / facts.folder).mkdir(parents=True)
            shutil.copy(facts.source, self.tree / facts.folder)
        self.variants = self.tree / "tests" / "lessons" / "variants.txt"
        self.variants.parent.mkdir(parents=True)
        self.variants.write_text("02 small: x\nBM=8\n\n11 other: y\nBM=64\n")

    def asked(self, *words):
        done = subprocess.run([sys.executable, "-I", "-S", "-B", str(self.tree / "common" / "ladder" / "lessons"),
                               str(self.tree / "build"), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        path = self.tree / "build" / "lessons.cmake"
        text = path.read_text() if path.exists() else ""
        return done.returncode, done.stdout, dict(line[len("set(LADDER_"):-5].split(" [==[", 1)
                                                  for line in text.splitlines())

    def test_facts_and_copies(self):
        practice = self.tree / "practice" / "02.3" / "gemm.cu"
        practice.parent.mkdir(parents=True)
        practice.write_text("using Input = nonsense;\n")
        status, said, found = self.asked("cpu")
        self.assertEqual((status, said), (0, ""))
        self.assertEqual(found["LEFT_OUT"], "")
        self.assertEqual((found["PRACTICE"], found["TYPES_practice.02.3"]), ("practice.02.3", "float_float"))
        self.assertEqual(found["VARIANTS"], "02_coalesced.small;11_wgmma.other")
        self.assertEqual(found["KNOBS_02_coalesced.small"], "BM=8 BN=32 BK=32")
        copy = pathlib.Path(found["SOURCE_02_coalesced.small"])
        self.assertIn("constexpr int BM = 8;", copy.read_text())
        self.assertIn("exercise.02.1", found["EXERCISES"].split(";"))
        before = copy.stat().st_mtime_ns
        status, said, found = self.asked("gpu", "80-real", "90-real")
        self.assertEqual((status, found["LEFT_OUT"], found["NEEDS_11_wgmma"]), (0, "", "90a"))
        self.assertIn("11_wgmma.other", found["VARIANTS"])
        self.assertEqual(copy.stat().st_mtime_ns, before)  # so it is not compiled again

    def test_an_edit_that_no_longer_matches_breaks_one_target(self):
        source = self.tree / "02_coalesced" / "gemm.cu"
        source.write_text(source.read_text().replace("constexpr int BM = 32;", "constexpr int BX = 32;"))
        status, _, found = self.asked("cpu")
        self.assertEqual(status, 0)
        self.assertEqual(found["WHY_02_coalesced.small"], "02_coalesced: matches 0 times, not once: BM=8")

    def test_a_bad_header_leaves_the_lesson_out(self):
        source = self.tree / "beyond" / "11_wgmma" / "gemm.cu"
        source.write_text(source.read_text().replace("sm_90a", "Hopper", 1))
        status, _, found = self.asked("gpu", "90")
        self.assertEqual((status, found["LEFT_OUT"]), (0, "11_wgmma"))
        self.assertIn("'Needs: Hopper' names no architecture", found["WHY_11_wgmma"])

    def test_a_bad_table_is_reported_in_one_line(self):
        for text, said in (("02 small x\nBM=8\n", "not a heading: '02 small x'"),
                           ("02 small: x\n? BM\n", "small: not an edit: '? BM'"),
                           ("77 small: x\nBM=8\n", "small: there is no lesson 77")):
            self.variants.write_text(text)
            status, out, _ = self.asked("cpu")
            self.assertEqual((status, len(out.splitlines())), (1, 1), out)
            self.assertIn("lessons: tests/lessons/variants.txt:1: " + said, out)


class InstructionsTest(unittest.TestCase):
    """docs/results/instructions."""

    def test_they_are_of_the_present_source(self) -> None:
        for each in every():
            made = instructions(each.name).lines
            self.assertGreater(len(made), 10, f"{each.name}: run common/measure/counters/instructions.py")
            self.assertLessEqual({*made}, {number for number, _ in code_lines(each.text)})
            for kind, last in (("ptx", "ret"), ("sass", "EXIT")):  # the kernel is there to its end
                self.assertIn(last, [text.split()[-1] for line in made.values() for text, _ in getattr(line, kind)])

    def test_the_hash(self) -> None:
        text = "int a;  // one\n\n// two\nint b;\n"
        self.assertEqual(code_lines(text), [(1, "int a;"), (4, "int b;")])
        self.assertEqual(hash_of(text), hash_of("int a;\nint b;  // 2\n"))
        self.assertNotEqual(hash_of(text), hash_of("int a; int b;"))

    def test_they_are_those_of_the_programs_on_the_gpu(self) -> None:
        """Loads, stores and products of the kernels for whole tiles, as cuobjdump listed them on the GPU machine."""
        with open(ROOT / "docs" / "results" / "sass-h200.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file)
                    if re.fullmatch(r"(void )?gemm_kernel(<float4; \w+>|<float2; 3>)?", row["kernel"])]
        counted = collections.Counter()
        for row in rows:
            counted[row["lesson"], row["instruction"].split(" ")[-1]] += int(row["count"])
        self.assertEqual(len({row["lesson"] for row in rows}), 10)
        own = collections.Counter()
        for lesson in {row["lesson"] for row in rows}:
            for line in instructions(lesson).lines.values():
                for text, count in line.sass:
                    own[lesson, re.sub(r"^@\S+ ", "", text).split()[0]] += count
        self.assertEqual({key: own[key] for key in counted}, dict(counted))
