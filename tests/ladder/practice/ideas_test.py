"""The verdicts of ./ladder check on the solutions of ideas.txt, built as practice files are. With SUITE=1 right solutions
also run the suite, and verdicts on local memory are compared with nvcc's. ONLY=07 or ONLY=one_wait selects some."""
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock
from typing import List, Tuple

from built import BUILT
from ladder import Stop, beyond, lesson_source, lessons
from ladder.judging import compiled, judge, local_arrays
from ladder.judging.suite import CASES
from ladder.lessons import EditError, Named, apply, find, parse_table
from ladder.lib.making import EXPLAIN, TEST, compiling, knobs_file, linking

TABLE = pathlib.Path(__file__).with_name("ideas.txt")


def call(command: List[str], folder: pathlib.Path = BUILT) -> None:
    done = subprocess.run(command, cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise AssertionError("%s: %s" % (" ".join(command), done.stdout.decode("utf-8", "replace")[-2000:]))


def made(lesson: str, program: str, text: str, folder: pathlib.Path) -> pathlib.Path:
    """Builds a lesson's program (explain.NAME or NAME.test) from another source with the build's commands."""
    source, path = folder / "gemm.cu", folder / program
    facts, kind = find(lesson), TEST if program.endswith(".test") else EXPLAIN
    if not source.exists():
        source.write_text(text, encoding="utf-8")
        call([*compiling(lesson), str(source), "-o", str(folder / "gemm.o")])
        (folder / "knobs.cpp").write_text(knobs_file(facts), encoding="utf-8")
    objects = [str(folder / "gemm.o"), *([str(folder / "knobs.cpp")] if kind == TEST else [])]
    call([*linking(kind, facts.types), *objects, "-o", str(path)])
    return path


class Ideas(unittest.TestCase):
    def setUp(self) -> None:
        if not (BUILT / "build.ninja").exists():
            self.skipTest("LADDER_CPU_BUILD names no build by ninja; ctest sets it")

    def judged(self, lesson: str, each: Named) -> str:
        """The fault of a solution or of the verdict on it, "" if there is none."""
        try:
            return self.verdict(lesson, each)
        except (AssertionError, EditError, Stop) as error:
            return "%s %s: %s" % (lesson, each.name, error)

    def verdict(self, lesson: str, each: Named) -> str:
        known = {name[:2]: name for name in lessons() + beyond()}
        base = next((known[mark[5:]] for mark in each.marks if mark.startswith("from ")), lesson)
        text = apply(lesson_source(base).read_text(encoding="utf-8"), each.edits)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = made(base, "explain." + base, text, folder)
            source = folder / "gemm.cu"
            found = judge.climbs(lesson, text, lambda words: judge.count(each.name, str(program), source, words))
            kinds = {kind: {key for key, verdict in zip(judge.requires(lesson), found) if verdict.kind == kind}
                     for kind in ("fails", "left")}
            failing, left = kinds["fails"], kinds["left"]
            wanted = {mark[6:] for mark in each.marks if mark.startswith("lacks ")}
            leaves = {mark[7:] for mark in each.marks if mark.startswith("leaves ")}
            asked = os.environ.get("SUITE") and "registers" in judge.requires(lesson) and compiled.release()
            reserved = local_arrays.by_nvcc(source) > 0 if asked else None
            if "right" in each.marks and os.environ.get("SUITE"):
                call([str(made(base, base + ".test", text, folder)), CASES])
        if not wanted <= failing or bool(wanted) != bool(failing):
            return "%s %s: fails %s, should %s: %s" % (
                lesson, each.name, sorted(failing), sorted(wanted), [verdict.words for verdict in found])
        if not wanted and left != leaves:
            return "%s %s: leaves %s, should %s" % (lesson, each.name, sorted(left), sorted(leaves))
        if reserved is not None and reserved != ("registers" in failing):  # the verdict with g++ must equal nvcc's
            return "%s %s: nvcc reports another use of local memory" % (lesson, each.name)
        unnamed = [verdict.words for key, verdict in zip(judge.requires(lesson), found)
                   if key in wanted and {"line", "is"} & {*judge.CONDITIONS[key]} and not verdict.where]
        return "%s %s: the message names no line: %s" % (lesson, each.name, unnamed) if unnamed else ""

    def test_nine(self) -> None:
        self.check_all(lessons())

    def test_beyond(self) -> None:
        self.check_all(beyond())

    def check_all(self, names: List[str]) -> None:
        table = parse_table(TABLE.read_text(encoding="utf-8"), TABLE.name)
        climbs = {lesson[:2]: lesson for lesson in judge.CLIMB}
        pairs: List[Tuple[str, Named]] = [(climbs[number], each) for each in table for number in each.numbers(climbs)]
        only = os.environ.get("ONLY", "")
        for lesson in set(names) & set(judge.CLIMB):  # lesson 00 has none
            marks = [each.marks for name, each in pairs if name == lesson]
            self.assertGreaterEqual(sum("right" in mark for mark in marks), 2, lesson)
            self.assertGreaterEqual(sum("right" not in mark for mark in marks), 3, lesson)
        with unittest.mock.patch.object(judge, "program", lambda name: pathlib.Path(name[len("explain."):])), \
                unittest.mock.patch.object(local_arrays, "find_nvcc", lambda: None), \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = list(pool.map(lambda pair: self.judged(*pair), [
                pair for pair in pairs if pair[0] in names and only in pair[0] + " " + pair[1].name]))
        self.assertFalse([words for words in wrong if words], "\n".join(filter(None, wrong)))
