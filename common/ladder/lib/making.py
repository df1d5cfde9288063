"""Makes the programs of one gemm.cu for the CPU backend without CMake.

CMake builds the shared parts once and writes response files for simtcc: simt/NAME.kernel.rsp with the options of a
kernel, link/KIND.rsp with the objects and libraries to link. An edited file is compiled and linked here, which takes a
second. Its programs are in the build's bin/, next to CMake's: NAME (for ./ladder run), explain.NAME, NAME.test, and
NAME.quick, the same tests without the checks of pointers into local arrays, which can double the time.
"""
import hashlib
import json
import os
import pathlib
from typing import Callable, Iterable, Iterator, List, NamedTuple, Sequence, Set, Tuple

from ladder.lessons import Facts, every, facts_of, find
from ladder.lib.building import build, built, program, unusable
from ladder.lib.errors import short_failure, suspicions
from ladder.lib.lessons import ROOT
from ladder.lib.machine import need, processors
from ladder.lib.output import WRONG, Progress, die, say
from ladder.lib.programs import read_json
from ladder.lib.work import LOG, check_disk, execute_all, lock, replace_file

RUN, EXPLAIN, TEST, QUICK = "run", "explain", "test", "quick"
PRACTICE = "practice.template"  # CMake's name for a file in practice/, which has other flags than a lesson
_TARGETS = {RUN: ["simtcc", "simt_runtime", "harness", "lesson_main"], EXPLAIN: ["ladder_explain"],
            TEST: ["catch_main", "test_main"]}


class Source(NamedTuple):
    """A gemm.cu. name: of its programs; like: the lesson, or PRACTICE, with the same compiler flags."""
    name: str
    path: pathlib.Path
    like: str

    def facts(self) -> Facts:
        return facts_of(self.path)

    def program(self, kind: str) -> pathlib.Path:
        return program({RUN: self.name, EXPLAIN: "explain." + self.name, TEST: self.name + ".test",
                        QUICK: self.name + ".quick"}[kind])

    @property
    def folder(self) -> pathlib.Path:
        return built() / "made" / self.name


def lesson_file(name: str) -> Source:
    """A lesson's gemm.cu."""
    return Source(name, find(name).source, name)


def practice_file(name: str) -> Source:
    """practice/NAME/gemm.cu; its programs are practice.NAME and so on."""
    return Source("practice." + name, ROOT / "practice" / name / "gemm.cu", PRACTICE)


# ---- parts that all programs share -----------------------------------------------------------------


def _signature(tests: bool) -> str:
    """A hash that changes with any of the files from which CMake makes the shared parts."""
    paths = [*ROOT.glob("CMake*"), *ROOT.glob("common/*"), *(ROOT.glob("tests/*") if tests else [])]
    for name in ("common/harness", *("common/simt/" + each for each in ("src", "include", "cmake")),
                 *(["tests/lessons"] if tests else [])):
        paths += [pathlib.Path(folder, each) for folder, _, files in os.walk(ROOT / name) for each in files]
    digest = hashlib.sha256()
    for path in sorted(path for path in paths if path.suffix in (".h", ".cpp", ".cu", ".cmake", ".json") or
                       path.name == "CMakeLists.txt"):
        stat = path.stat()
        digest.update(os.fsencode(f"{path}\0{stat.st_mtime_ns}\0{stat.st_size}\n"))
    return digest.hexdigest()


def response(name: str) -> str:
    """The argument that passes a response file of the build to simtcc."""
    return f"@{built() / name}.rsp"


def compiling(like: str) -> List[str]:
    """The command that compiles the kernel of a lesson, or of PRACTICE, without the file names."""
    return [str(program("simtcc")), "-c", response(f"simt/{like}.kernel"), "-Wdouble-promotion", "-Wfloat-conversion",
            "-Wno-error=float-conversion"]


def linking(kind: str, types: str, *own: object) -> List[str]:
    """The command that links a program of this kind from its own objects, including the kernel's. Libraries come after
    the objects that need them."""
    lists = [kind, *([f"{kind}.{types}"] if kind == TEST else [])]
    return [str(program("simtcc")), *(response(f"link/{each}") for each in lists), *map(str, own),
            response("link/libraries")]


def knobs_file(facts: Facts) -> str:
    """C++ code with the lesson's name and tiles, which its tests need."""
    knobs = " ".join(f"{knob}={facts.knobs[knob]}" for knob in facts.tiles)
    return ("extern const char kLesson[], kKnobs[];\n"
            f'const char kLesson[] = "{facts.name}", kKnobs[] = "{knobs}";\n')


def known(like: str) -> bool:
    """Whether CMake has written the options of this lesson."""
    return pathlib.Path(response(f"simt/{like}.kernel")[1:]).exists()


def share(wanted: Sequence[Tuple[Source, str]]) -> str:
    """Builds the shared parts of these programs (a source and a kind each) if they are out of date; returns a text that
    changes with them."""
    kinds = {TEST if kind == QUICK else kind for _, kind in wanted} | {RUN}
    tested = [source for source, kind in wanted if kind in (TEST, QUICK)]
    numbers = {source.name.replace("practice.", "")[:2] for source in tested}  # a climb may change the types
    types = {source.facts().types for source in tested} | {each.types for each in every() if each.number in numbers}
    targets = {*(target for kind in kinds for target in _TARGETS[kind]), *("lesson_test." + each for each in types)}
    return _build(targets, TEST in kinds, "tests" if TEST in kinds else "shared",
                  lambda: all(known(source.like) for source, _ in wanted))


def compiler() -> pathlib.Path:
    """The path of simtcc; builds it and the libraries that it links if they are out of date."""
    _build({"simtcc", "simt_runtime", "simt_program"}, False, "simtcc", lambda: True)
    return program("simtcc")


def _build(wanted: Set[str], tests: bool, name: str, is_known: Callable[[], bool]) -> str:
    """Builds targets if a file that they are made from has changed; returns a text that changes with them. name: of the
    record that is kept. is_known: whether CMake knows all the lessons."""
    cache, record = built() / "CMakeCache.txt", built() / "made" / (name + ".json")

    def state() -> Tuple[str, int]:
        return _signature(tests), cache.stat().st_mtime_ns if cache.exists() else 0

    have, now, targets = read_json(record), state(), sorted(wanted)
    fresh = ([have.get("signature"), have.get("cache")] == [*now] and wanted <= set(have.get("targets", [])) and
             not unusable(built()) and is_known())
    if not fresh and not os.environ.get("LADDER_CPU_BUILD"):  # ctest has built it
        need("test" if tests else "run")
        build("cpu", *targets, tests=tests)
        if not is_known():  # a lesson that CMake has not seen yet
            build("cpu", *targets, tests=tests, reconfigure=True)
        if have.get("signature") == now[0]:
            targets = sorted({*targets, *have.get("targets", [])})
        now = (now[0], state()[1])  # the next call will notice edits made meanwhile
        replace_file(record, json.dumps({"signature": now[0], "cache": now[1], "targets": targets}) + "\n")
    return str(now)


# ---- a source's own programs -----------------------------------------------------------------------


class _Work:
    """The work to do for one source. made: the work done before, from its made.json."""

    def __init__(self, source: Source, kinds: Sequence[str], shared: str):
        self.source, self.facts = source, source.facts()
        self.command = compiling(source.like)
        if self.facts.needs:
            self.command.append(f"-arch=sm_{self.facts.needs}")
        beside = sorted(path for path in source.path.parent.iterdir() if path.suffix in (".h", ".cuh"))
        parts = [shared, self.facts.text, *self.command, *(f"{path} {path.stat().st_mtime_ns}" for path in beside)]
        self.signature = hashlib.sha256(os.fsencode("\0".join(parts))).hexdigest()
        self.record = source.folder / "made.json"
        self.made = read_json(self.record)
        if self.made.get("kernel") != self.signature:
            self.made = {}
        self.kinds = [kind for kind in kinds if self.made.get(kind) != _stamp(source.program(kind))]

    def compile(self) -> Iterator[List[object]]:
        """The commands that compile the kernel, and the file with its name and tiles for its tests."""
        folder = self.source.folder
        if "kernel" not in self.made:
            yield [*self.command, self.source.path, "-o", folder / "gemm.o"]
        if QUICK in self.kinds:
            yield [*self.command, "--simt-unchecked-arrays", self.source.path, "-o", folder / "quick.o"]
        if TEST in self.kinds or QUICK in self.kinds:
            replace_file(folder / "knobs.cpp", knobs_file(self.facts))
            yield [program("simtcc"), "-c", folder / "knobs.cpp", "-o", folder / "knobs.o"]

    def link(self) -> Iterator[List[object]]:
        folder = self.source.folder
        for kind in self.kinds:
            path = self.source.program(kind)
            path.unlink(missing_ok=True)  # it may be running
            own = {TEST: ["gemm.o", "knobs.o"], QUICK: ["quick.o", "knobs.o"]}.get(kind, ["gemm.o"])
            yield [*linking(TEST if kind == QUICK else kind, self.facts.types, *(folder / each for each in own)),
                   "-o", path]

    def remember(self) -> None:
        for kind in self.kinds:
            # Older than all of CMake's files, so that CMake remakes a program of the same name.
            os.utime(self.source.program(kind), ns=(0, 0))
        stamps = {kind: _stamp(self.source.program(kind)) for kind in self.kinds}
        replace_file(self.record, json.dumps({**self.made, "kernel": self.signature, **stamps}) + "\n")


def _stamp(path: pathlib.Path) -> str:
    """Identifies a version of a file; "" if there is none."""
    try:
        stat = path.stat()
    except OSError:
        return ""
    return f"{stat.st_ino} {stat.st_mtime_ns} {stat.st_size}"


def make(*wanted: Tuple[Source, str]) -> None:
    """Makes programs, each a source and a kind (RUN, EXPLAIN, TEST), unless they are up to date.

    Takes the lock if there is work to do. A failure ends the command with code 1 and the compiler's first error.
    """
    shared = share(wanted)
    sources = list(dict.fromkeys(source for source, _ in wanted))
    works = [_Work(source, [kind for each, kind in wanted if each == source], shared) for source in sources]
    works = [work for work in works if work.kinds]
    if not works:
        return
    lock()
    warnings: List[str] = []
    with open(LOG, "wb", buffering=0) as log, Progress(f"compiling {works[0].source.name}") as progress:
        def run(commands: Iterable[List[object]]) -> None:
            done = execute_all(list(commands), processors(), lambda line: progress.tick(), log)
            if done and done[-1].status != 0:
                check_disk(done[-1])
                text = "building for the cpu failed (full output: %s)" % os.path.relpath(LOG, ROOT)
                die(WRONG, "\n".join([text, *short_failure(done[-1].out)]))
            for each in done:
                warnings.extend(suspicions(each.out))

        for work in works:
            work.source.folder.mkdir(parents=True, exist_ok=True)
        run(command for work in works for command in work.compile())
        run(command for work in works for command in work.link())
    for each in warnings:
        if any(kind != QUICK for _, kind in wanted):  # else they have been printed before
            say(each)
    for work in works:
        work.remember()
