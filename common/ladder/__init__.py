"""The commands of ./ladder. A command NAME is one file, NAME.py, in this folder:

its docstring      first line "NAME ARGUMENTS: what it does" for ./ladder help; the rest for --help
arguments(parser)  optional: adds its options and arguments (argparse, see lib/arguments.py)
main(args) -> int  gets the parsed arguments; returns the exit code (0, or 1 for a wrong result);
                   die(USAGE or MACHINE, line) ends it
ALONE              optional: the arguments to assume if there are none

Commands share the functions below; their docstrings describe shapes, units and errors. In short:
  die(code, line), say(line), shown(word)         one line on stderr; makes a user's word printable
  lessons(), lesson(word), below(name)            names such as "02_coalesced"; lesson() suggests names
  beyond(), lesson_folder(name), lesson_source()  the lessons in beyond/; a lesson's folder and source
  one_lesson(words, usage), split_words(words)    a lesson and M N K; several lessons and M N K
  need("run"|"gpu"|"test"), backend()             installs missing packages; "gpu" or "cpu"
  needs(name), need_architecture(names)           a lesson's only architecture ("90a"); ends if it is missing
  make((lesson_file("02_coalesced"), EXPLAIN))    makes programs for the CPU backend unless they are up to date
  build("gpu", "02_coalesced", ...) -> folder     locked, with progress, short errors, exit code 1
  program("02_coalesced", "gpu") -> path          where the build puts a program
  run_program(path, args) -> Run                  status, result (the JSON object), printed, errors
  expected_times()                                estimates how long a run will take; asks for --yes beyond an hour
  Progress(what), Table(widths), colour(text, "red")
  quietly(what, command), execute(command)        runs a tool with its output in build/ladder.log; any program
  short_failure(output), first_lines(text)        the first error in about ten lines; the first lines
  build_folder("practice"), replace_file(), temporary_folder(), lock()
Programs started here end with the command (Ctrl-C, SIGTERM, SIGHUP). Commands use only the standard library of
Python 3.9; site also uses the packages of lib/packages.py.
"""
from ladder.lib.building import build, built, program
from ladder.lib.errors import learner_path, short_failure
from ladder.lib.lessons import (ROOT, below, beyond, find_lesson, lesson, lesson_folder,
                                lesson_source, lessons, needs, not_on_cpu, one_lesson, split_words)
from ladder.lib.machine import (backend, find_nvcc, has_gpu, has_header, install, need,
                                need_architecture, output_of, processors)
from ladder.lib.making import EXPLAIN, RUN, TEST, Source, lesson_file, make, practice_file
from ladder.lib.output import (MACHINE, USAGE, WRONG, Progress, Stop, Table, colour, die, duration,
                               say, shown)
from ladder.lib.programs import (Run, check_status, expected_times, first_lines, read_json,
                                 remember_time, run_program, run_with_estimate)
from ladder.lib.work import (BUILD, LOG, Done, build_folder, execute, lock, quietly, replace_file,
                             temporary_folder)

__all__ = [
    "BUILD", "Done", "EXPLAIN", "LOG", "MACHINE", "Progress", "ROOT", "RUN", "Run", "Source", "Stop", "TEST", "Table",
    "USAGE", "WRONG",
    "backend", "below", "beyond", "build", "build_folder", "built", "check_status", "colour",
    "die", "duration", "execute", "expected_times", "find_lesson", "find_nvcc", "first_lines",
    "has_gpu", "has_header", "install", "learner_path", "lesson", "lesson_file", "lesson_folder",
    "lesson_source", "lessons", "lock", "make", "need", "need_architecture", "needs", "not_on_cpu",
    "one_lesson", "output_of", "practice_file", "processors", "program", "quietly", "read_json", "remember_time",
    "replace_file", "run_program", "run_with_estimate", "say", "short_failure", "shown",
    "split_words", "temporary_folder",
]
