"""The exercises of the READMEs, from common/ladder/judging/exercises/NN.json:

  {"lesson": "02_coalesced", "exercises": [EXERCISE...]}

An EXERCISE has an "id" (02.3), a "tag" ("no GPU", "nvcc" or "GPU") and a "why", the explanation, in which
{x} stands for the value of the expression x (figures.py). Exercises without a GPU also have
  "edit"       the reference edit: lines in the notation of ladder/lessons/edits.py, as "BM=8", "- OLD", "+ NEW";
               none: the unedited lesson. "more": {NAME: another edit}, for figures, and accepted from a learner
               if a question names it. For tests: "alike" {NAME: also accepted}, "wrong" {NAME: refused}
  "sizes"      M, N, K of the runs, 256 each if not given; "options" of the program: ["--lda", "260"]
  "built"      false: an edit only for nvcc, which the CPU backend refuses; or, without an edit, arithmetic with
               knobs, M, N and K that no run confirms
  "places"     {NAME: text in lines of the source}, for figures of lines
  "ask"        questions: {"name", "from": expression, "sizes" and "options" of a separate run, "hint"};
               "digits": how many must be right (default 3; 0: all); "within": a relative tolerance, such as 0.1
  "hint"       for the questions without one
  "conditions" for a learner's edit: {"name", "from", "at most" | "at least" | "equals": expression};
               without these its counts must equal the reference edit's (edited.py), also at "trials" [[M, N, K]...]
  "suite"      true: the reference edit and a learner's edit must pass the suite
The text of an exercise is in the README, above its <!-- answer:NN.i -->.
"""
import functools
import json
import pathlib
import re
import textwrap
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ladder import (EXPLAIN, ROOT, USAGE, Source, built, die, find_lesson, lesson, lesson_file, lesson_folder,
                    lesson_source, make, shown)
from ladder.lib.arguments import nearest
from ladder.lessons import copies
from ladder.lessons.arrays import knobs
from ladder.judging import compiled, files
from ladder.judging.figures import Figures, Value, evaluate, problem, text
from ladder.judging.judge import SIZES, count
from ladder.judging.telling import Verdict

FOLDER = pathlib.Path(__file__).resolve().parent / "exercises"


class Exercise(NamedTuple):
    id: str
    lesson: str
    data: Dict[str, Any]

    @property
    def tag(self) -> str:
        return str(self.data["tag"])

    @property
    def asked(self) -> List[Dict[str, Any]]:
        """The questions."""
        return list(self.data.get("ask", []))

    def left(self) -> List[Dict[str, Any]]:
        """The questions that the learner has not answered correctly yet."""
        right = files.state(self.id).get("right")
        return [each for each in self.asked if not isinstance(right, list) or each["name"] not in right]

    @property
    def standing(self) -> str:
        """A learner's progress: "done", the number of right answers, or ""."""
        left, asked = len(self.left()), len(self.asked)
        file = files.standing(self.id) if self.judged and files.file_of(self.id).is_file() else ""
        if left == 0 and (file == "passed" if self.judged else asked > 0):
            return "done"
        numbers = "%d of %d numbers are right" % (asked - left, asked) if left < asked else ""
        return ", ".join(filter(None, [numbers, file]))

    @property
    def judged(self) -> bool:
        """Whether ./ladder check judges a learner's edit."""
        return bool(self.data.get("edit"))

    @property
    def editable(self) -> bool:
        """Whether the learner gets a copy of the lesson."""
        return self.judged or self.tag == "GPU"

    def edit(self, other: str = "") -> List[str]:
        """The lines of the reference edit, or of another that a learner may make."""
        return list(self.data.get("more", {}).get(other, []) if other else self.data.get("edit", []))

    @property
    def suite(self) -> bool:
        """Whether a learner's edit must pass the suite."""
        return bool(self.data.get("suite"))

    @property
    def built(self) -> bool:
        """Whether the CPU backend accepts the reference edit."""
        return bool(self.data.get("built", True))

    @property
    def readme(self) -> pathlib.Path:
        return ROOT / lesson_folder(self.lesson) / "README.md"

    def target(self, other: str = "") -> str:
        """The build's name for the reference edit or another edit, as in explain.TARGET or TARGET.test."""
        if other:
            return "exercise.%s.%s" % (self.id, other)
        return "exercise." + self.id if self.data.get("edit") else self.lesson

    def source(self, other: str = "") -> pathlib.Path:
        """The source of the reference edit or of another edit."""
        target = self.target(other)
        return (lesson_source(target) if target == self.lesson else
                built() / "copies" / target / "gemm.cu")


@functools.lru_cache(maxsize=None)
def exercises() -> Tuple[Exercise, ...]:
    """All exercises, in order."""
    found = []
    for path in sorted(FOLDER.glob("[0-9][0-9].json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        found += [Exercise(each["id"], data["lesson"], each) for each in data["exercises"]]
    return tuple(found)


def find(word: str) -> Exercise:
    """The exercise called 02.3 or 2.3; an unknown name ends the command and suggests the nearest."""
    name = word.zfill(4) if re.fullmatch(r"[0-9]\.[0-9]+", word, re.ASCII) else word
    for each in exercises():
        if each.id == name:
            return each
    same = [each.id for each in exercises() if each.id[:2] == name[:2]]
    near = (min(same, key=lambda x: abs(int(x[3:]) - int(name[3:]))) if same and name[3:].isdigit() and
            name[3:].isascii() else nearest(name, same or [each.id for each in exercises()]))
    die(USAGE, "no exercise called '%s'%s" % (shown(word), "; did you mean %s?" % near if near else ""))


def practice_name(word: str) -> str:
    """The folder in practice/ that 02.3, practice/02.3 or practice/02_coalesced/gemm.cu names; "" for other words. 02.0
    is a copy of lesson 02 to play with, made by ./ladder lab."""
    found = re.search(r"(?:^|/)practice/([^/]+)(?:/gemm\.cu)?/*$", word)
    name = found[1] if found else word
    if name.endswith(".0") and files.file_of(name.zfill(4)).is_file():
        return name.zfill(4)
    if re.fullmatch(r"[0-9]{1,2}\.[^/]*", name, re.ASCII):
        return find(name).id
    return lesson(name) if found else ""


def source_folder(word: str) -> str:
    """The folder of the gemm.cu that a word names: a lesson's, or practice/02.3 if that file exists."""
    name = practice_name(word)
    if not name:
        return lesson(word)
    if not find_lesson(name) and not name.endswith(".0") and not find(name).editable:
        die(USAGE, "exercise %s has nothing to edit; ./ladder check %s asks for its numbers" % (name, name))
    files.required(name, "./ladder %s" % ("climb " + name[:2] if find_lesson(name) else "check " + name))
    return "practice/" + name


def statement(exercise: Exercise) -> List[str]:
    """The text of an exercise in its README, as a list of paragraphs and lines of code; [] if there is none. The words
    of a command are joined by JOIN, so that no line breaks between them."""
    try:
        readme = exercise.readme.read_text(encoding="utf-8")
    except OSError:
        return []
    begin = readme.find("**%s**" % exercise.id)
    end = readme.find("<!-- answer:%s -->" % exercise.id)
    lines: List[str] = []
    code = joined = False
    for line in readme[begin:end].splitlines() if 0 <= begin < end else []:
        if line.startswith("```"):
            code, joined = not code, False
        elif code or not line.strip():
            lines += [line.rstrip()] if code else []
            joined = False
        elif joined:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.strip())
            joined = True
    terms = "|".join(map(re.escape, {*re.findall(r"^\[([^\]]+)\]: ", readme, re.M)} - {exercise.tag}))
    link = r"\[([^\]]+)\](?:\([^)]*\)|\[(?:%s)\])|\[(%s)\]" % (terms, terms)
    lines = [re.sub(link, lambda found: found[1] or found[2] or "", line, flags=re.I) for line in lines]
    lines = [re.sub(r"`\./ladder [^`]*`", lambda found: found[0].replace(" ", files.JOIN), line)
             for line in lines]
    return [re.sub(r"^\*\*([\d.]+)\*\* ", r"\1 ", line) for line in lines]


def written_answer(exercise: Exercise) -> str:
    """The answer in the README; "" if there is none."""
    try:
        readme = exercise.readme.read_text(encoding="utf-8")
    except OSError:
        return ""
    answer = readme.partition("<!-- answer:%s -->" % exercise.id)[2].partition("<!-- /answer -->")[0]
    return "\n".join(line for line in answer.strip().splitlines() if "details>" not in line).strip()


class Runs:
    """The runs of an exercise's reference edit, or of target from source. Each is made only once."""

    def __init__(self, exercise: Exercise, target: str = "", source: Optional[pathlib.Path] = None):
        self.exercise, self.target = exercise, target or exercise.target()
        self.source = source or exercise.source()
        self.known: Dict[Tuple[str, ...], Figures] = {}

    def _run(self, target: str, source: pathlib.Path, arguments: List[str]) -> Figures:
        key = (target, *arguments)
        if key not in self.known:
            each, lesson = self.exercise, self.exercise.lesson
            others = {"nvcc": functools.partial(compiled.nvcc, source),
                      "ptx": functools.partial(compiled.ptx, source)}
            for other in ("before", *each.data.get("more", {})):
                others[other] = functools.partial(self.reference, other, arguments)
            name = "lesson " + lesson[:2] if target == lesson else target
            code = files.read(source)
            if each.built or each.judged and target == lesson:
                self.known[key] = count(name, target, source, arguments, others)
            else:
                self.known[key] = Figures({}, knobs(code, ""), problem(arguments), others)
            self.known[key].places = {
                place: [at for at, line in enumerate(code.splitlines(), 1) if piece in line]
                for place, piece in each.data.get("places", {}).items()}
        return self.known[key]

    def arguments(self, question: Mapping[str, Any]) -> List[str]:
        """The sizes and options of a question, or of its exercise."""
        both = {**self.exercise.data, **question}
        return [str(word) for word in [*both.get("sizes", SIZES), *both.get("options", [])]]

    def at(self, arguments: Sequence[str]) -> Figures:
        """The figures at these sizes, with these options."""
        return self._run(self.target, self.source, list(arguments))

    def reference(self, name: str, arguments: Sequence[str]) -> Figures:
        """The figures of the reference edit (""), of another edit, or of the lesson ("before")."""
        each = self.exercise
        if name == "before":
            return self._run(each.lesson, lesson_source(each.lesson), list(arguments))
        return self._run(each.target(name), each.source(name), list(arguments))

    def figures(self, question: Mapping[str, Any]) -> Figures:
        return self.at(self.arguments(question))

    def value(self, expression: str, question: Optional[Mapping[str, Any]] = None) -> Value:
        return evaluate(expression, self.figures(question or {}))

    def answers(self) -> List[Value]:
        """The value of each question."""
        return [self.value(each["from"], each) for each in self.exercise.asked]

    def why(self, width: int) -> str:
        """The explanation with its numbers, wrapped; no line breaks within a number."""
        def value(found: "re.Match[str]") -> str:
            number = self.value(found[1])
            return number if isinstance(number, str) else text(number)

        explanation = re.sub(r"\{([^{}]+)\}", value, self.exercise.data["why"])
        explanation = re.sub(r"(?<=\d) (?=\d{3}\b)", files.JOIN, explanation)
        return "\n\n".join(textwrap.fill(paragraph, width, break_long_words=False, break_on_hyphens=False)
                           for paragraph in explanation.split("\n\n")).replace(files.JOIN, " ")

    def verdicts(self) -> List[Verdict]:
        """The verdicts on the conditions of an exercise."""
        verdicts = []
        for each in self.exercise.data["conditions"]:
            have = self.value(each["from"], each)
            word = next(word for word in ("at most", "at least", "equals") if word in each)
            want = self.value(str(each[word]), each)
            if isinstance(have, str) or isinstance(want, str):
                holds = have == want
            else:
                slack = 1e-3 * abs(want)
                holds = ((word == "at least" or have <= want + slack) and
                         (word == "at most" or have >= want - slack))
            verdicts.append(Verdict(holds, "%s: %s (need %s%s)" % (
                each["name"], text(have), "" if word == "equals" else word + " ", text(want))))
        return verdicts


def build_reference(found: Sequence[Exercise], tests: bool = False) -> None:
    """Makes the programs of the exercises' reference edits; with tests also those of "alike" and "wrong" edits."""
    texts = {copy.target: copy.facts.text for number in {each.id[:2] for each in found}
             for copy in copies.exercises(number)}
    kinds = ["more", *(["alike", "wrong"] if tests else [])]
    wanted = {}
    for each in found:
        names = ["", *(name for kind in kinds for name in each.data.get(kind, {}))] if each.built else []
        for name in map(each.target, names):
            if name != each.lesson:
                path = built() / "copies" / name / "gemm.cu"
                copies.write(path, texts[name])
                wanted[name] = Source(name, path, each.lesson)
        if each.built or each.judged:
            wanted[each.lesson] = lesson_file(each.lesson)
    if wanted:
        make(*((source, EXPLAIN) for source in wanted.values()))
