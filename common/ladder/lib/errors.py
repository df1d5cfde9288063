"""Shortens the output of compilers and tests to about ten lines, with the paths of the files that a learner edits."""
import re
from typing import Dict, List, Tuple

from ladder.lib.lessons import ROOT
from ladder.lib.work import last_lines

# "file:3:7: error: text", nvcc's "file(3): error: text" and the rewriter's "file:3: text".
_DIAGNOSIS = re.compile(r"^(?P<file>[^\s:(][^:(]*)[:(](?P<line>\d+)(?:[:,]\d+)?\)?: "
                        r"(?:(?:fatal |catastrophic )?error\b.*|.*)$")
_IS_ERROR = re.compile(r"\berror\b|undefined reference|multiple definition")
_NOISE = re.compile(r"^(\[\d+/\d+\] |FAILED: |ninja: (?!error)|gmake|make|In file included|\s+from |"
                    r".*: In (member )?function |.*: At global scope|collect2: |.*: In lambda|"
                    r".*: In instantiation of |.*: more undefined references to |.*:\s+required (from|by) |.*\bnote: |"
                    r"cc1plus: |\[ *\d+%\])")
_REQUIRED = re.compile(r"^(\S+\.cu:\d+):\d+:\s+required (?:from|by) ")  # the nearest comes first
_CARET = re.compile(r"^ *\| *[~^]")
_REASON = re.compile(r"\bnote: +((?:couldn't deduce|deduced conflicting|mismatched types|cannot convert|"
                     r"no known conversion) .*|types .* have incompatible cv-qualifiers|expected .*, got .*)")
_ARGUMENT = re.compile(r"^(\S+:\d+:\d+:) error: type/value mismatch at argument")
_FIRST_LINES = 10


def learner_path(text: str) -> str:
    """The text with paths of the checkout in the form that a user types, and with copies of lessons named as the
    lesson."""
    # A path must begin where a word begins. This keeps the search fast if a program writes a million letters in a row.
    text = re.sub(r"(?<!\S)\S*\bvariants/(\d\d_\w+)(?:\.[\w.]+)?/gemm\.cu", r"\1/gemm.cu", text)
    text = re.sub(r"(?:(?<!\S)\S*/)?(\d\d_\w+)\.[\w.]+/gemm\.cu", r"\1/gemm.cu", text)
    text = re.sub(r"(?<!\S)\S*/simt/(\d\d_\w+)[\w.]*/gemm\.cpp", r"\1/gemm.cu", text)
    return text.replace(str(ROOT) + "/", "")


def _is_command(line: str) -> bool:
    """Whether the line is a command of the build."""
    return len(line) > 300 or bool(re.match(r"(: && |cd )?/?\S*(c\+\+|g\+\+|clang\+\+|nvcc|cmake)\S* -",
                                            line))


def _blocks(output: str) -> Tuple[List[List[str]], int]:
    """The compilers' errors, each with its lines, and their number."""
    blocks: List[List[str]] = []
    inside = False
    user = ""  # the line of a .cu file that led to the errors in a header
    reasons: Dict[int, List[str]] = {}  # why no function matches the call of a block
    for line in output.splitlines():
        required = _REQUIRED.match(line)
        if ": In instantiation of " in line or line.startswith("In file included"):
            user = ""
        elif required and not user:
            user = required[1]
        reason = _REASON.search(line)
        if reason and blocks:
            reasons.setdefault(len(blocks) - 1, []).append(reason[1])
        if _is_command(line) or _NOISE.match(line):
            inside = False
            continue
        argument = _ARGUMENT.match(line)
        if argument and blocks and blocks[-1][0].startswith(argument[1]):
            inside = False  # the reason why no function matches
            continue
        found = _DIAGNOSIS.match(line)
        if found or "undefined reference" in line:
            inside = bool(_IS_ERROR.search(line)) or (
                bool(found) and ": warning" not in line and found["file"].endswith(".cu"))
            at_user = bool(user) and bool(found) and not found["file"].endswith(".cu")
            if inside:
                blocks.append([f"{user}: error: {line.partition('error: ')[2]}" if at_user and "error: " in line else line])
            inside = inside and not at_user  # the header's lines say nothing to its user
        elif inside and line.strip() and not (_CARET.match(line) and len(line.rstrip("~")) > len(blocks[-1][-1])):
            blocks[-1].append(line)
    for at, texts in reasons.items():  # a function whose templates fit is the one that the call means
        blocks[at][0] += ": " + next((text for text in texts if text.startswith("no known")), texts[0])
    unique: Dict[str, List[str]] = {}
    for block in map(_plainly, blocks):
        unique.setdefault(_cause(block[0]), block)
    found = _without_consequences(list(unique.values()))
    return found, len(found)


def _cause(first: str) -> str:
    """The same text for errors of one cause: a line of a template, or several lines that lead to one in a header."""
    if re.match(r"\S+:\d+:\d+: ", first):
        return re.sub(r"'[^']*'(?: \{aka '[^']*'\})?", "''", first)
    return re.sub(r"^\S+:\d+: (?=error: static assertion failed)", "", first)


def _without_consequences(blocks: List[List[str]]) -> List[List[str]]:
    """The errors without those that another one explains."""
    found: List[List[str]] = []
    for block in blocks:
        before = found[-1] if found else [""]
        place = block[0].partition(" error: ")[0]
        if "error: non-constant condition for static assertion" in before[0] and before[0].startswith(place + " "):
            found[-1] = [block[0], *(block[1:] or before[1:])]
        elif not (_NO_GEMM in block[0] and any(_OTHER_TYPES in each[0] for each in blocks)):
            found.append(block)
    return found


def _cmake_errors(output: str) -> List[str]:
    """The text of the first "CMake Error", without its call stack."""
    lines = output.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("CMake Error"):
            kept = [line]
            for following in lines[at + 1:]:
                if re.match(r"Call Stack|-- |CMake (Error|Warning)", following):
                    break
                kept += [following] if following.strip() else []
            return kept[:_FIRST_LINES]
    return []


def suspicions(output: str) -> List[str]:
    """The warnings of compiler and rewriter that usually mean a beginner's mistake, a line each. A warning about an
    uninitialized variable names its declaration."""
    found = []
    for place, text, kind, following in re.findall(
            r"^(\S+?:\d+):(?:\d+:)? (warning: .*) \[-W(maybe-uninitialized|uninitialized|return-type|cuda|"
            r"parentheses|div-by-zero|empty-body|misleading-indentation|unused-value|double-promotion|"
            r"float-conversion|format=)\]$"
            r"((?:\n(?!\S+:\d+:\d+: (?:warning|error)).*)*)", output, re.M):
        if "to match other operand" in text:
            text = "warning: computed in double, which is slower: write 1.0f instead of 1.0, or convert to float"
        elif "double" in text and "passing argument" in text:
            continue  # as printf() needs it
        converted = re.search(r"conversion from '([^']*)'(?: \{aka '[^']*'\})? to '([^']*)'", text)
        if converted and kind == "float-conversion":
            if not re.search(r"\b(int|long|short|char|unsigned)\b", converted[2]):
                continue  # double to float
            text = "warning: conversion from '%s' to '%s' drops the fraction" % converted.groups()
        declared = re.search(r"^(\S+?:\d+):\d+: note: '.*' (?:was )?declared here$", following, re.M)
        found.append(learner_path(f"{declared[1] if declared else place}: {text}"))
    return list(dict.fromkeys(found))


# ---- plain messages for errors of g++ and ld -------------------------------------------------------


# Which header declares which names, for a file that lacks the #include.
_HEADERS = (("__pipeline_", "<cuda_pipeline.h>"), ("nvcuda|wmma", "<mma.h>"), ("half2?|__half\\w*|__float2half", "<cuda_fp16.h>"),
            ("Gemm|CUDA_CHECK|ceil_div|run_lesson", '"common/lesson.h"'), ("assert", "<cassert>"))
_UNKNOWN = re.compile(r"'(?P<name>[\w:]+)' (?:was not declared in this scope|has not been declared|does not name a type|"
                      r"that depend on a template parameter)")
_EXPECTED = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+): error: expected (?:',' or )?';' before ")
_TEMPLATE = re.compile(r"insufficient contextual information to determine type|"
                       r"no matches converting function '\w+' to type '.*'")
_NO_GEMM = "there is no gemm(const Problem&) for the lesson's types"
_OTHER_TYPES = "run_lesson() takes a gemm() for the lesson's types only"
_UNDEFINED = re.compile(r"undefined reference to [`'](?P<name>.+)'$")


def _plainly(block: List[str]) -> List[str]:
    """A compiler's error with advice; for a missing semicolon, with the line that lacks it."""
    undefined = _UNDEFINED.search(block[0])
    if undefined:
        return [_undefined(undefined["name"])]
    text = re.sub(r"there are no arguments to ('\w+') that depend on a template parameter, so a declaration of '\w+' must "
                  r"be available \[-fpermissive\]", r"\1 was not declared in this scope", block[0])
    unknown = _UNKNOWN.search(text)
    header = next((file for names, file in _HEADERS if unknown and re.match(r"(?:%s)" % names, unknown["name"])), "")
    if header:
        text = re.sub(r"; did you mean .*", "", text) + _about_header(text.partition(":")[0], header)
    text = re.sub(r"no matching function for call to 'configure\w*\(.*?\)': ", "a launch <<<...>>>: ", text)
    if re.search(r'macro "CUDA_CHECK" passed \d+ arguments', text):
        text += "; a launch has no value: write it alone, and CUDA_CHECK(cudaGetLastError()); after it"
    aka = r"(?: \{aka '.*'\})?"
    text = re.sub(r"mismatched types ('.*?')" + aka + r" and ('.*?')" + aka + "$", r"it needs \1 where the call has \2",
                  text)
    text = re.sub(r"types ('.*?')" + aka + r" and ('.*?')" + aka + " have incompatible cv-qualifiers$",
                  r"it needs \1, not const, where the call has \2", text)
    text = _TEMPLATE.sub("this template has no function for these template arguments: compare their number and order; "
                         "each value must be a constant", text)
    source = block[1] if len(block) > 1 else ""
    named = re.search(r"[(,] *([A-Za-z_][\w:]*)$", source[:block[2].find("^")]) if len(block) > 2 else None
    if named and re.search(r"expected primary-expression before '[,)]'", text):
        text = re.sub(r"expected primary.*", "'%s' is a type, but a value is needed here" % named[1], text)
    expected = _EXPECTED.match(text)
    return _line_before(expected, block) if expected else [text, *block[1:]]


def _about_header(file: str, header: str) -> str:
    """Advice for an unknown name that a header declares."""
    try:
        included = f"#include {header}" in (ROOT / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        included = False
    if not included:
        return f"; is #include {header} missing?"
    return "; it is in the namespace nvcuda: write namespace wmma = nvcuda::wmma;" if header == "<mma.h>" else ""


def _line_before(expected: "re.Match[str]", block: List[str]) -> List[str]:
    """g++ names the unexpected word; if that begins its line, the semicolon is missing at the end of a line before."""
    try:
        lines = (ROOT / expected["file"]).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return block
    at = int(expected["line"]) - 1
    if at >= len(lines) or lines[at][:int(expected["column"]) - 1].strip():
        return block
    before = at - 1
    while before > 0 and not re.sub(r"//.*", "", lines[before]).strip():
        before -= 1
    return [f"{expected['file']}:{before + 1}: error: expected ';' at the end of this line",
            f"{before + 1:5} | {lines[before]}"]


def _undefined(name: str) -> str:
    """A message for an undefined reference."""
    if name.startswith("gemm("):
        return f"error: {_NO_GEMM}, which tests and programs call; define it with exactly this name and parameter"
    if "run_lesson<" in name:
        return f"error: {_OTHER_TYPES}: keep its Input and Acc"
    if name in ("lesson_main(int, char**)", "main"):
        return "error: there is no main(); it must pass gemm to the harness: return run_lesson(gemm, argc, argv);"
    return f"error: {name} is declared and used, but not defined"


def short_failure(output: str) -> List[str]:
    """The first error of a build in about ten lines, and the number of others."""
    output = output.replace(str(ROOT) + "/", "")
    blocks, count = _blocks(output)
    if not blocks:
        return [learner_path(line) for line in _cmake_errors(output) or
                [line for line in last_lines(output, 40) if not _NOISE.match(line)][-_FIRST_LINES:]]
    lines: List[str] = []
    reported = 0
    for block in blocks:
        if lines and len(lines) + len(block) > _FIRST_LINES:
            break
        lines += block[:_FIRST_LINES]
        reported += 1
    if count > reported:
        lines.append("and %d more error%s" % (count - reported, "s" if count - reported > 1 else ""))
    return [learner_path(line) for line in lines]
