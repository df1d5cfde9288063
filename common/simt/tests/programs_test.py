"""The programs in programs/ are complete CUDA programs. Each is right as it stands, and its last lines plant bugs.

$SIMTCC compiles each program. It must end with exit code 0 and print nothing but notes on stderr. Each bug must make
it end with another exit code, and the first message must have the expected words and line. PROGRAMS="scan_blelloch
life" runs only those. A bug is an edit and a message, in comments at the end of the file:

  // BUG no_barrier                      the name
  // - __syncthreads();  // all written  the text to replace, which stands exactly once in the program
  // +                                   the text instead of it; several lines of - and of + are several lines there
  // ! reads part + 4 bytes              words of the first message; with several of these lines, all of them
  // @ sum += part[i]                    the text of the line that the message names, exactly once behind the edit
  // ^ wait(&full[s], parity);           the text of the line that it names beside it, as the call
  // ? __syncthreads();                  the text of a line that would be better to name; fails as soon as it is named

Without @ any line will do. "! wrong result" expects no message: the program's own comparison must fail.
MISSED instead of BUG marks what the backend does not find yet, or tells badly. It fails as soon as it is found."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
TIME_LIMIT = 60  # seconds, of one program
WRONG_RESULT = "wrong result"


class Edit(NamedTuple):
    old: List[str]
    new: List[str]


class Bug(NamedTuple):
    name: str
    missed: bool
    edits: List[Edit]
    words: List[str]
    line: Optional[str]
    call: Optional[str]
    better_line: Optional[str]


class Failure(Exception):
    """One line that says what is wrong."""


class NotFound(Failure):
    """A bug that the backend does not find, or tells badly: what MISSED allows."""


def read_bug(head: "re.Match[str]", lines: List[str]) -> Bug:
    edits: List[Edit] = []
    fields: Dict[str, List[str]] = {"!": [], "@": [], "^": [], "?": []}
    for line in lines:
        if not re.match(r"// [-+!@^?]( |$)", line):
            raise Failure(f"{head[2]}: expected '// ' and one of - + ! @ ^ ?, found: {line}")
        sign, text = line[3], line[5:].strip()
        if sign == "-":
            if not edits or edits[-1].new:
                edits.append(Edit([], []))
            edits[-1].old.append(text)
        elif sign == "+" and edits:
            edits[-1].new.append(text)
        else:
            fields.setdefault(sign, []).append(text)
    complete = edits and all(edit.new for edit in edits) and fields["!"]
    if not complete or any(len(fields[sign]) > 1 for sign in "@^?"):
        raise Failure(f"{head[2]}: a bug needs lines of - and then of +, some of !, and at most one of each of @ ^ ?")
    line, call, better = (fields[sign][0] if fields[sign] else None for sign in "@^?")
    return Bug(head[2], head[1] == "MISSED", edits, fields["!"], line, call, better)


def read(path: pathlib.Path) -> Tuple[str, List[Bug]]:
    """The program, and its bugs."""
    program, *parts = re.split(r"^(?=// (?:BUG|MISSED) )", path.read_text(encoding="utf-8"), flags=re.M)
    bugs = []
    for part in parts:
        first, *lines = part.rstrip().split("\n")
        head = re.fullmatch(r"// (BUG|MISSED) (\w+)", first)
        if not head:
            raise Failure(f"expected '// BUG name', found: {first}")
        bugs.append(read_bug(head, [line for line in lines if line]))
    return program, bugs


def edited(program: str, bug: Bug) -> str:
    for edit in bug.edits:
        pattern = r"\n[ ]*".join(map(re.escape, edit.old))
        found = len(re.findall(pattern, program))
        if found != 1:
            raise Failure(f"{bug.name}: stands {found} times in the program, not once: {' '.join(edit.old)}")
        program = re.sub(pattern, lambda _: "\n".join(edit.new), program)
    return program


def line_of(program: str, bug: Bug, text: Optional[str]) -> Optional[int]:
    if text is None:
        return None
    lines = [number for number, line in enumerate(program.split("\n"), 1) if text in line]
    if len(lines) != 1:
        raise Failure(f"{bug.name}: stands in {len(lines)} lines behind the edit, not in one: {text}")
    return lines[0]


def names(told: str, name: str, line: Optional[int]) -> bool:
    return line is not None and re.match(rf"([^ :]*/)?{re.escape(name)}:{line}:", told) is not None


def run(name: str, program: str) -> Tuple[int, List[str]]:
    """The exit code, and the messages: of the compiler if it refuses the program, else of the program, and warnings."""
    with tempfile.TemporaryDirectory() as folder:
        def call(*command: str) -> "subprocess.CompletedProcess[str]":
            try:
                return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      errors="replace", timeout=TIME_LIMIT, env={**os.environ, "SIMT_THREADS": "1"})
            except subprocess.TimeoutExpired:
                raise Failure(f"{command[0]} takes more than {TIME_LIMIT} s") from None

        pathlib.Path(folder, name).write_text(program, encoding="utf-8")
        compiled = call(os.path.abspath(os.environ["SIMTCC"]), "-arch=sm_90a", "-std=c++17", name, "-o", "program")
        if compiled.returncode:
            messages = compiled.stderr.split("\n")
            return compiled.returncode, [text for text in messages if re.search(r":\d+:.*error", text)] or messages
        ran = call(f"{folder}/program")
        messages = ran.stderr.split("\n") + re.findall(r".*:\d+: warning: .*", compiled.stderr)
        return ran.returncode, [text for text in messages if text and not text.startswith("note: ")]


def check_program(name: str, program: str) -> None:
    code, messages = run(name, program)
    if messages:
        raise Failure(f"ends with exit code {code} and says: {messages[0]}")
    if code:
        raise Failure(f"ends with exit code {code} and says nothing")


def expect(bug: Bug, name: str, changed: str, code: int, messages: List[str]) -> None:
    line, call, better_line = (line_of(changed, bug, text) for text in (bug.line, bug.call, bug.better_line))
    told = messages[0] if messages else "nothing"
    if "the CPU backend does not support" in told:
        raise Failure(f"{bug.name}: {told}")
    if code == 0:
        raise NotFound(f"{bug.name}: not found: ends with exit code 0 and says: {told}")
    if bug.words == [WRONG_RESULT]:
        if messages or code != 1:
            raise Failure(f"{bug.name}: expected only a wrong result; exit code {code}, first message: {told}")
        return
    compiles = re.search(r":\d+:.* error: ", told) is None
    said = re.sub(r"^[^ ]*:\d+: (called at \S+: )?(\S+: (?=thread ))?", "", told)  # names of files and kernels are no words
    for words in bug.words:
        if words not in said:
            raise (NotFound if compiles else Failure)(f"{bug.name}: expected '{words}'; first message: {told}")
    if names(told, name, better_line):
        raise Failure(f"{bug.name}: names the better line {better_line} now: write @ instead of ?")
    if line is not None and not names(told, name, line):
        raise NotFound(f"{bug.name}: expected at line {line}; first message: {told}")
    if call is not None and not re.search(rf"called at \S*{re.escape(name)}:{call}\b", told):
        raise NotFound(f"{bug.name}: expected as called at line {call}; first message: {told}")


def check_bug(name: str, program: str, bug: Bug) -> None:
    changed = edited(program, bug)
    try:
        expect(bug, name, changed, *run(name, changed))
    except NotFound:
        if bug.missed:
            return
        raise
    if bug.missed:
        raise Failure(f"{bug.name}: is found now: write BUG instead of MISSED")


def fail(failure: Failure) -> None:
    raise failure


def checks(path: pathlib.Path) -> Iterator[tuple]:
    program, bugs = read(path)
    yield check_program, path.name, program
    for bug in bugs:
        yield check_bug, path.name, program, bug


def main() -> int:
    if "SIMTCC" not in os.environ:
        sys.exit("SIMTCC must name simtcc")
    wanted = set(os.environ.get("PROGRAMS", "").split())
    paths = sorted(path for path in PROGRAMS.rglob("*.cu") if not wanted or path.stem in wanted)
    unknown = wanted - {path.stem for path in paths}
    if unknown or not paths:
        sys.exit(f"PROGRAMS: no such programs: {' '.join(sorted(unknown))}")
    failures, tasks = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in paths:
            try:
                tasks += [(path, pool.submit(*check)) for check in checks(path)]
            except Failure as failure:
                tasks.append((path, pool.submit(fail, failure)))
        for path, task in tasks:
            try:
                task.result()
            except Failure as failure:
                failures += 1
                print(f"{path.relative_to(PROGRAMS)}: {failure}", flush=True)
    print(f"{len(paths)} programs, {len(tasks) - len(paths)} bugs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
