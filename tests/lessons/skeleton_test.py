"""Checks that lessons keep the skeleton of docs/contribute/conventions.md: order of sections, shared text, names, length,
share of comments, changed lines."""
import re
import subprocess
import unittest
from typing import Dict, Iterator, List

from ladder.lessons import Facts, every, functions
from ladder.lessons.facts import ROOT

NINE = [lesson for lesson in every() if not lesson.beyond]
HEADERS = {"common/lesson.h", "common/stream_memory.h", "common/tensor_map.h", "common/hopper.h"}  # hopper.h: beyond/
# The sections in their order: the first lesson that has it, and a pattern for its first line.
SECTIONS = (
    (0, r"// Build: "), (0, r'#include "common/lesson\.h"'), (0, r"using Input = "), (0, r"using Acc = "),
    (0, r"using Problem = "), (0, r"constexpr int BM = "), (0, r"constexpr int BN = "), (1, r"constexpr int BK = "),
    (0, r"constexpr int NUM_THREADS = "), (1, r"__device__ .*load_tile\("), (6, r"__device__ .*read_fragments?\("),
    (5, r"__device__ .*outer_product\("), (0, r"__device__ .*store_tile\("), (0, r"__global__ .*gemm_kernel\("),
    (0, r"void gemm\(const Problem& p\)"), (0, r"int main\("))
FUNCTION = re.compile(r"(?:__device__|__global__|void|int|static|inline) .*[a-z_]+\(")
NAMED = re.compile(r"[ )](?:load_tile|load_transposed|read_fragments?|outer_product|store_tile|gemm_kernel|gemm|main)\(")
SHARED = """\
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include "common/lesson.h"
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;
void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  CUDA_CHECK(cudaGetLastError());
int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
""".splitlines()
STORES = re.compile(r"^// Writes the accumulators? to C\. With beta == 0, C is not read, because a NaN in it would spread\.", re.M)
GRID = "(ceil_div(p.N, BN), ceil_div(p.M, BM))"
KNOB = re.compile(r"(?:constexpr int ([A-Z_]+) = [0-9]+|using ([A-Za-z]+) = [a-z]+);(?:  // (.*))?")
# Patterns that code must not contain. A tile's size may stand in knobs, alignments (of a uintptr_t) and the arguments of
# launch<> and gemm_kernel<>. 32, the warp size, may stand anywhere.
MAY_BE_BARE = re.compile(r" *constexpr|#pragma|.*static_assert|.*alignas|.*uintptr_t|.*(launch|gemm_kernel)<|.*const int B[MN] =")
UNWANTED = (
    ("a version number in a name", re.compile(r"[A-Za-z_](kernel|gemm|tiles)_?v?[0-9]|_v[0-9]|\b(gemm|kernel)[0-9]")),
    ("x and y are not row and col", re.compile(r"(?<!\.)\b([xy]|tx|ty|bx|by|tid|bid)\b")),
    ("inline PTX", re.compile(r"asm\b")),
    ("a bare tile literal", re.compile(r"[^A-Za-z_0-9.](16|64|128|256)\b")))
# The most lines that a lesson may add and delete, as ./ladder diff counts them, so that no diff grows unnoticed.
CHANGED = {"01": 34, "02": 18, "03": 38, "04": 29, "05": 53, "06": 63, "07": 59, "08": 154,
           "11": 250, "12": 190, "13": 199, "14": 199, "15": 198, "16": 72, "17": 175}
LONGEST = 350  # lines of a lesson in beyond/


def header(name: str, previous: str, lines: List[str]) -> Iterator[str]:
    for pattern, line in ((rf"// {name}: .*\.", lines[0]), ("//", lines[1]),
                          (rf"// Changed from {previous}:.*", lines[2])):
        if not re.fullmatch(pattern, line):
            yield f"its header has '{line}'; expected a line like '{pattern}'"


def order(number: int, lines: List[str]) -> Iterator[str]:
    last = 0
    for since, pattern in SECTIONS:
        at = next((i for i, line in enumerate(lines, 1) if re.match(pattern, line)), 0)
        if number < since:
            if at:
                yield f"line {at} is allowed only from lesson {since:02} on: {pattern}"
        elif not at:
            yield f"no line matches {pattern}"
        elif at < last:
            yield f"line {at} is out of order: {pattern}"
        else:
            last = at
    yield from (f"a function with an unusual name: {line}" for line in lines if FUNCTION.match(line) and not NAMED.search(line))


def shared_text(lines: List[str]) -> Iterator[str]:
    yield from (f"lacks the line: {line}" for line in SHARED if line not in lines)
    text = "\n".join(lines)
    if not STORES.search(text):
        yield f"lacks the usual comment of store_tile(): {STORES.pattern}"
    if GRID not in text:
        yield f"lacks the usual grid: {GRID}"


def names(lines: List[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        code = re.sub(r'"[^"]*"', "", re.sub(r"//.*", "", line))
        for what, pattern in UNWANTED:
            if pattern.search(code) and not (what == "a bare tile literal" and MAY_BE_BARE.match(code)):
                yield f"line {number}: {line.strip()} ({what})"
        if "/*" in code:
            yield f"line {number}: a comment must start with //"


def length(lines: List[str]) -> Iterator[str]:
    if not 40 <= len(lines) <= 170:
        yield f"has {len(lines)} lines (need 40 to 170)"
    below = lines[4:]  # the header has its own form
    comments = sum("//" in line for line in below)
    if not len(below) <= 10 * comments <= 2 * len(below):
        yield f"has comments on {comments} of {len(below)} lines below the header (need 10 to 20 %)"
    yield from (f"longer than 100 columns: {line}" for line in lines if len(line) > 100)


def changed(lesson: Facts, previous: Facts) -> Iterator[str]:
    count, most = functions.changed(functions.difference(previous.text, lesson.text)), CHANGED.get(lesson.number)
    if most and count > most:
        yield f"changes {count} lines of {previous.name} (at most {most})"


class Skeleton(unittest.TestCase):
    def test_each_lesson(self) -> None:
        self.assertTrue(NINE)
        for previous, lesson in zip([None, *NINE], NINE):
            lines = lesson.text.splitlines()
            faults = [*header(lesson.name, previous.name if previous else "nothing", lines),
                      *order(int(lesson.number), lines), *shared_text(lines), *names(lines), *length(lines),
                      *(changed(lesson, previous) if previous else ())]
            self.assertEqual(faults, [], f"{lesson.name}/gemm.cu:\n" + "\n".join(faults))

    def test_beyond_grows_only_on_purpose(self) -> None:
        for lesson in every():
            if lesson.beyond:
                previous = next(each for each in every() if each.name == lesson.predecessor)
                self.assertEqual([*changed(lesson, previous)], [], lesson.name)
                self.assertLessEqual(len(lesson.text.splitlines()), LONGEST, lesson.name)

    def test_a_lesson_is_two_files(self) -> None:
        for lesson in every():
            listed = subprocess.run(["git", "ls-files", "."], cwd=lesson.source.parent, stdout=subprocess.PIPE, check=True,
                                    universal_newlines=True).stdout.split()
            self.assertEqual(sorted(listed), ["README.md", "gemm.cu"], lesson.name)

    def test_what_a_lesson_includes(self) -> None:
        """Of the course these headers only, which are CUDA and know nothing of tests or the CPU backend."""
        for lesson in every():
            included = set(re.findall(r'#include "(.*)"', lesson.text))
            self.assertLessEqual(included, HEADERS if lesson.beyond else {"common/lesson.h"}, lesson.name)
        for header in HEADERS:
            self.assertNotRegex((ROOT / header).read_text(encoding="utf-8"), r"simt|GEMM_LADDER_CPU|__has_include", header)

    def test_a_knob_has_one_explanation(self) -> None:
        """Computed knobs, such as TM in lesson 08, are exempt."""
        explanations: Dict[str, str] = {}
        for lesson in NINE:
            for line in lesson.text.splitlines():
                knob = KNOB.fullmatch(line)
                if knob:
                    name, text = knob.group(1) or knob.group(2), knob.group(3)
                    self.assertTrue(text, f"{lesson.name}: the knob lacks its comment: {line}")
                    self.assertEqual(explanations.setdefault(name, text), text,
                                     f"{lesson.name}: another lesson explains {name} differently")
