#!/usr/bin/env python3
"""lengths.py: checks that functions in C++, CUDA, Python and JavaScript have at most 60 lines. Lessons have their own
limits (tests/lessons/skeleton_test.py). Exit code 1 if a function is longer."""
import ast
import pathlib
import re
import subprocess
import sys
from typing import Iterator, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
MOST = 60
NOT_A_FUNCTION = re.compile(r"\s*(?:\} )?(?:if|for|while|switch|else|do|try|namespace|class|struct|enum|union|extern|return)\b")


def of_python(text: str) -> Iterator[Tuple[int, str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.name, node.end_lineno - node.lineno + 1


def of_braces(text: str) -> Iterator[Tuple[int, str, int]]:
    """In formatted code a function ends at the first closing brace with its head's indentation."""
    lines = text.split("\n")
    for start, line in enumerate(lines):
        if not line.endswith("{") or NOT_A_FUNCTION.match(line) or ")" not in line:
            continue
        first = start
        while first > 0 and lines[first].count(")") > lines[first].count("("):
            first -= 1  # the head has several lines
        indent = re.match(r"\s*", lines[first])[0]
        name = re.search(r"([\w~:]+)\s*\(", lines[first])
        if not name or NOT_A_FUNCTION.match(lines[first]):
            continue
        end = next((at for at in range(start + 1, len(lines)) if re.match(indent + r"\}", lines[at])), start)
        yield first + 1, name[1], end - first + 1


def main() -> int:
    done = subprocess.run(["git", "ls-files", "*.py", "*.cpp", "*.h", "*.cu", "*.cuh", "*.js", ":!common/web/vendor",
                           ":![0-9]*/gemm.cu", ":!beyond"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    bad = 0
    for name in done.stdout.split():
        text = (ROOT / name).read_text(encoding="utf-8")
        for line, function, count in of_python(text) if name.endswith(".py") else of_braces(text):
            if count > MOST:
                print(f"{name}:{line}: {function} has {count} lines (at most {MOST})")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
