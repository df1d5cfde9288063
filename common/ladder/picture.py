"""./ladder picture"""
import difflib
import os
import pathlib
import re
from typing import Dict, List, Optional, Tuple

from ladder import (MACHINE, ROOT, USAGE, WRONG, Progress, build, build_folder, die, execute,
                    find_lesson, first_lines, lesson_source, need, need_architecture, one_lesson,
                    replace_file, say, shown, split_options, temporary_folder)
from ladder.explain import find_program
from ladder.pictures import gallery
from ladder.pictures.run import Choice, NothingToDraw, Run, nearest_lines, read_run

ORDER = 25
HELP = """\
picture LESSON [M N K] [--kind KIND] [--line N] [--array A,As] [--warp W] [--with PAD=0]
draws as SVG what a warp did in a run on the CPU backend: requests (global memory), stores and
reads (shared memory, bank by bank), tiles (who stores which elements of C), timeline (buffers);
--with changes a knob first; --output FOLDER, made if need be, takes the files. picture --all
draws those of the READMEs, --all --check only compares.
"""
_USAGE = "usage: ./ladder picture LESSON [M N K] [--kind KIND] [--line N] [--warp W]"
_MOST = 1024  # of M, N and K: every store to C is kept
_OWN = {"--kind": True, "--line": True, "--array": True, "--warp": True, "--with": True,
        "--output": True, "--all": False, "--check": False}


def _number(options: Dict[str, str], name: str) -> Optional[int]:
    word = options.get(name)
    if word is None:
        return None
    if not re.fullmatch(r"[0-9]{1,6}", word):
        die(USAGE, "%s must be a whole number, not '%s'" % (name, shown(word)))
    return int(word)


def _source(lesson: str) -> str:
    return lesson_source(lesson).read_text(encoding="utf-8", errors="surrogateescape")


def _changed(lesson: str, change: str) -> Tuple[str, str]:
    """The lesson's source after a change, and the change in words; ends the command if it has no
    such knob."""
    source, words = gallery.changed_source(_source(lesson), change)
    if not source:
        names = re.findall(r"(?m)^constexpr int (\w+) = ", _source(lesson))
        die(USAGE, "--with needs NAME=NUMBER with a knob of %s (%s), not '%s'"
            % (lesson, ", ".join(names), shown(change)))
    return source, words


def trace(lesson: str, sizes: List[int], warp: int, change: str = "") -> Run:
    """Builds and runs a lesson, or an edited copy of it, and reads what a warp did."""
    source, words, target = _source(lesson), "", lesson
    if change:
        source, words = _changed(lesson, change)
        copy = build_folder("cpu", "against") / "gemm.cu"
        target = "against"
        if not copy.exists() or copy.read_text(encoding="utf-8", errors="surrogateescape") != source:
            replace_file(copy, source)
    known = target != "against" or find_program("against").exists()
    build("cpu", "explain." + target, reconfigure=not known)
    with temporary_folder("picture") as folder:
        path = folder / "trace.json"
        command = [find_program(target), *map(str, sizes or gallery.default_sizes(source)),
                   "--warp", str(warp), "--trace", str(path)]
        with Progress("running %s" % lesson) as progress:
            done = execute(command, lambda _: progress.tick())
        errors = [re.sub(r"^explain: ", "", line) for line in first_lines(done.err, 8)]
        wrong = done.status == WRONG and path.exists()  # what it did can be seen nevertheless
        if done.status != 0 and not wrong:
            die(done.status if done.status in (WRONG, USAGE) else MACHINE,
                "\n".join(errors or ["%s died" % find_program(target).name]))
        run = read_run(str(path), lesson, source, words)
        run.wrong = "\n".join(errors) if wrong else ""
        return run


def _check_kind(kind: str) -> None:
    if kind not in gallery.KINDS:
        near = difflib.get_close_matches(kind, gallery.KINDS, 1, 0.5)
        die(USAGE, "no kind of picture called '%s'%s; there are %s"
            % (shown(kind), "; did you mean %s?" % near[0] if near else "", ", ".join(gallery.KINDS)))


def _kinds(kind: Optional[str], run: Run, choice: Choice) -> List[str]:
    """The kind that is asked for, or all that fit; ends the command on a line or an array without
    a request."""
    if choice.line is not None and choice.line not in run.lines():
        die(USAGE, "warp %d of %s makes no request at line %d; %s"
            % (run.warp, run.lesson, choice.line, nearest_lines(choice.line, run.lines())))
    arrays = sorted({run.array(request) for request in run.requests()})
    for array in choice.arrays:
        if array not in arrays:
            die(USAGE, "warp %d of %s touches no array called '%s'; it touches %s"
                % (run.warp, run.lesson, shown(array), ", ".join(arrays)))
    if kind is None and (choice.line is not None or choice.arrays):
        return ["requests", "stores", "reads"]
    return [kind] if kind else list(gallery.KINDS)


def _file_name(kind: str, options: Dict[str, str]) -> str:
    parts = [kind]
    for name, word in (("--array", ""), ("--line", "line_"), ("--warp", "warp_"), ("--with", "")):
        if options.get(name):
            parts.append(word + re.sub(r"\W+", "_", options[name]).lower())
    return "_".join(parts) + ".svg"


def picture(words: List[str], options: Dict[str, str]) -> int:
    """Draws one lesson and prints each file with what is seen in it."""
    name, sizes = one_lesson(words, _USAGE)
    need_architecture([name], cpu=True)
    warp, line = _number(options, "--warp") or 0, _number(options, "--line")
    choice = Choice(line, tuple(options["--array"].split(",")) if "--array" in options else ())
    if "--kind" in options:
        _check_kind(options["--kind"])
    if "--with" in options:
        _changed(name, options["--with"])
    output = options.get("--output")
    if output is not None and (not output or os.path.lexists(output) and not os.path.isdir(output)):
        die(USAGE, "--output '%s' is not a folder" % shown(output))
    if any(int(size) > _MOST for size in sizes):
        die(USAGE, "a picture shows one block: sizes up to %d are enough" % _MOST)
    need("run")
    folder = pathlib.Path(output) if output else build_folder("pictures", name)
    run = trace(name, [int(size) for size in sizes], warp, options.get("--with", ""))
    command = " ".join(["./ladder picture", *words] + [
        "%s %s" % item for item in options.items() if item[0] != "--output"])
    drawn, reasons = 0, []
    for kind in _kinds(options.get("--kind"), run, choice):
        try:
            svg, sentence = gallery.draw(run, kind, choice, _source(name), command)
        except NothingToDraw as reason:
            reasons.append(str(reason))
            continue
        path = folder / _file_name(kind, options)
        try:
            replace_file(path, svg)
        except OSError as error:
            die(MACHINE, "cannot write '%s': %s" % (shown(str(path)), error.strerror))
        drawn += 1
        print("%s\n  %s" % (os.path.relpath(path), sentence))
    if not drawn:
        die(USAGE, reasons[0])
    if run.wrong:
        die(WRONG, run.wrong)
    return 0


def draw_entry(entry: gallery.Entry, lesson: str, runs: Dict[Tuple[str, str], Run]) -> str:
    """A picture of a README as SVG. runs: by lesson and change."""
    key = (lesson, entry.change)
    if key not in runs:
        runs[key] = trace(lesson, [], 0, entry.change)
        if runs[key].wrong:
            die(WRONG, runs[key].wrong)
    svg, _ = gallery.draw(runs[key], entry.kind, Choice(None, entry.arrays), _source(lesson),
                          gallery.entry_command(entry, runs[key]))
    return svg


def everything(check: bool) -> int:
    """Draws all pictures of the READMEs, or compares them; 1 if one differs."""
    need("run")
    runs: Dict[Tuple[str, str], Run] = {}
    differ = 0
    wanted = set()
    for entry in sorted(gallery.ENTRIES, key=lambda each: bool(each.change)):
        lesson = find_lesson(entry.lesson)
        path = gallery.path_of(entry, lesson)
        wanted.add(path)
        shown_path = path.relative_to(ROOT)
        try:
            svg = draw_entry(entry, lesson, runs)
        except NothingToDraw as reason:
            say("%s: %s" % (shown_path, reason))
            differ += 1
            continue
        if path.exists() and path.read_text(encoding="utf-8") == svg:
            continue
        differ += check
        print("%s: %s" % (shown_path, "differs from the run" if check else "drawn"))
        if not check:
            replace_file(path, svg)
    for path in sorted(set(gallery.FOLDER.glob("*/*.svg")) - wanted):
        differ += check
        print("%s: %s" % (path.relative_to(ROOT), "belongs to no README" if check else "removed"))
        if not check:
            path.unlink()
    if differ:
        say("./ladder picture --all draws them" if check else "%d could not be drawn" % differ)
    return 1 if differ else 0


def main(arguments: List[str]) -> int:
    words, options, _ = split_options(arguments, "picture", _OWN)
    if "--all" not in options:
        if "--check" in options:
            die(USAGE, "--check goes with --all")
        return picture(words, options)
    if words or set(options) - {"--all", "--check"}:
        die(USAGE, "--all takes no lesson and no option but --check")
    return everything("--check" in options)
