"""picture LESSON [M N K]: draw what a warp did in a run on the CPU backend, as SVG

Kinds:
{kinds}
Without --kind it draws all kinds that fit the lesson. The files go to build/pictures/LESSON.
"""
import argparse
import json
import os
import pathlib
import re
from typing import Dict, List, Optional, Tuple

from ladder import (EXPLAIN, MACHINE, ROOT, USAGE, WRONG, Progress, build_folder, die, execute, find_lesson,
                    first_lines, lesson_file, lesson_source, make, need_architecture, one_lesson, replace_file, say, shown,
                    temporary_folder)
from ladder.explain import edited
from ladder.lessons import find
from ladder.lib.arguments import Parser, text, whole
from ladder.pictures import gallery
from ladder.pictures.run import Choice, NothingToDraw, Run, nearest_lines, read_run

_USAGE = "usage: ./ladder picture LESSON [M N K] [--kind KIND] [--line N] [--warp W]"
_MOST = 1024  # the limit for M, N and K, since the trace keeps every store to C
ALONE = ["--help"]


def _source(lesson: str) -> str:
    return lesson_source(lesson).read_text(encoding="utf-8", errors="surrogateescape")


def _changed(lesson: str, change: str) -> Tuple[str, str]:
    """The lesson's source after a change, and the change in words; ends the command if the lesson has no such knob."""
    source, changed = gallery.changed_source(_source(lesson), change)
    if not source:
        names = [name for name, value in find(lesson).knobs.items() if value.isdigit()]
        die(USAGE, "--with needs NAME=NUMBER, where NAME is a knob of %s (%s), not '%s'"
            % (lesson, ", ".join(names), shown(change)))
    return source, changed


def trace(lesson: str, sizes: List[int], warp: int, change: str = "") -> Run:
    """Builds and runs a lesson, or an edited copy of it, and reads the trace of a warp."""
    source, changed, of = _source(lesson), "", lesson_file(lesson)
    if change:
        source, changed = _changed(lesson, change)
        of = edited(lesson, source)
    make((of, EXPLAIN))
    for name, value in gallery.CARD.items():
        os.environ.setdefault(name, value)
    with temporary_folder("picture") as folder:
        path = folder / "trace.json"
        command = [of.program(EXPLAIN), *map(str, sizes or gallery.default_sizes(source)),
                   "--trace", str(path)]
        with Progress("running %s" % lesson) as progress:
            done = execute(command, lambda _: progress.tick())
        errors = [re.sub(r"^explain: ", "", line) for line in first_lines(done.err, 8)]
        wrong = done.status == WRONG and path.exists()  # the trace is usable nevertheless
        if done.status != 0 and not wrong:
            die(done.status if done.status in (WRONG, USAGE) else MACHINE,
                "\n".join(errors or ["%s died" % of.program(EXPLAIN).name]))
        try:
            run = read_run(json.loads(path.read_text(encoding="utf-8")), lesson, source, changed, warp)
        except NothingToDraw as error:
            die(USAGE, str(error))
        run.wrong = "\n".join(errors) if wrong else ""
        return run


def _kinds(kind: Optional[str], run: Run, choice: Choice) -> List[str]:
    """The requested kind, or all that fit; ends the command if a chosen line or array has no memory request."""
    if choice.line is not None and choice.line not in run.lines():
        die(USAGE, "warp %d of %s does not access memory at line %d; %s"
            % (run.warp, run.lesson, choice.line, nearest_lines(choice.line, run.lines())))
    arrays = sorted({run.array(request) for request in run.requests()})
    for array in choice.arrays:
        if array not in arrays:
            die(USAGE, "warp %d of %s accesses no array called '%s'; it accesses %s"
                % (run.warp, run.lesson, shown(array), ", ".join(arrays)))
    some = choice.line is not None or choice.arrays
    return [kind] if kind else [name for name, each in gallery.KINDS.items() if each.of_requests or not some]


def _file_name(kind: str, args: argparse.Namespace) -> str:
    parts = [kind, args.array or "", f"line_{args.line}" if args.line is not None else "",
             f"warp_{args.warp}" if args.warp else "", args.change or ""]
    return "_".join(re.sub(r"\W+", "_", part).lower() for part in parts if part) + ".svg"


def _command(args: argparse.Namespace) -> str:
    """The command that draws the picture again, without the folder."""
    options = {"kind": args.kind, "line": args.line, "array": args.array, "warp": args.warp, "with": args.change}
    return " ".join(["./ladder picture", *args.words] + [
        f"--{name} {value}" for name, value in options.items() if value is not None])


def picture(args: argparse.Namespace) -> int:
    """Draws the pictures of one lesson and prints each file with a sentence on what it shows."""
    name, sizes = one_lesson(args.words, _USAGE)
    need_architecture([name], cpu=True)
    choice = Choice(args.line, tuple(args.array.split(",")) if args.array else ())
    if args.change:
        _changed(name, args.change)
    if args.output and os.path.lexists(args.output) and not os.path.isdir(args.output):
        die(USAGE, f"--output '{shown(args.output)}' is not a folder")
    if any(int(size) > _MOST for size in sizes):
        die(USAGE, f"sizes must be at most {_MOST}, which is enough to show one block")
    folder = pathlib.Path(args.output) if args.output else build_folder("pictures", name)
    run = trace(name, [int(size) for size in sizes], args.warp or 0, args.change or "")
    drawn, reasons = 0, []
    for kind in _kinds(args.kind, run, choice):
        try:
            svg, sentence = gallery.draw(run, kind, choice, _source(name), _command(args))
        except NothingToDraw as reason:
            reasons.append(str(reason))
            continue
        path = folder / _file_name(kind, args)
        try:
            replace_file(path, svg)
        except OSError as error:
            die(MACHINE, "cannot write '%s': %s" % (shown(str(path)), error.strerror))
        drawn += 1
        print(f"{os.path.relpath(path)}\n  {sentence}")
    if not drawn:
        die(USAGE, reasons[0])
    if run.wrong:
        die(WRONG, run.wrong)
    return 0


def draw_entry(entry: gallery.Entry, lesson: str, runs: Dict[Tuple[str, str], Run]) -> str:
    """Draws a picture of a README as SVG. runs: those already made, by lesson and change."""
    key = (lesson, entry.change)
    if key not in runs:
        runs[key] = trace(lesson, [], 0, entry.change)
        if runs[key].wrong:
            die(WRONG, runs[key].wrong)
    svg, _ = gallery.draw(runs[key], entry.kind, Choice(None, entry.arrays), _source(lesson),
                          gallery.entry_command(entry, runs[key]))
    return svg


def everything(check: bool) -> int:
    """Draws all pictures of the READMEs, or with check compares them; returns 1 if one differs."""
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


def arguments(parser: Parser) -> None:
    parser.description = str(parser.description).replace("{kinds}", "\n".join(
        f"  {name:9} {each.what}" for name, each in gallery.KINDS.items()))
    parser.words("LESSON", "a lesson, as 02_coalesced, coalesced, 02 or 2, then sizes M N K")
    parser.add_argument("--kind", choices=list(gallery.KINDS), help="draw only this kind")
    parser.add_argument("--line", type=whole(0, 999999), metavar="N", help="draw only the requests of that line")
    parser.add_argument("--array", type=text, metavar="A,As", help="draw only the requests to these arrays")
    parser.add_argument("--warp", type=whole(0, 999999), metavar="W", help="the warp of the first block (default 0)")
    parser.add_argument("--with", dest="change", type=text, metavar="PAD=0", help="first set a knob to another value")
    parser.add_argument("--output", type=text, metavar="FOLDER", help="write to FOLDER instead, created if missing")
    parser.add_argument("--all", action="store_true", help="draw the pictures of the READMEs, into docs/pictures/")
    parser.add_argument("--check", action="store_true", help="with --all: only compare them with new runs")


def main(args: argparse.Namespace) -> int:
    if not args.all:
        if args.check:
            die(USAGE, "--check needs --all")
        return picture(args)
    if args.words or any(value not in (None, False, []) for name, value in vars(args).items()
                         if name not in ("words", "all", "check")):
        die(USAGE, "--all takes no lesson and no other option than --check")
    return everything(args.check)
