"""Long outputs of compilers and tests in about ten lines, with the paths that a learner edits."""
import re
from typing import List, Tuple

from ladder.lib.lessons import ROOT
from ladder.lib.work import last_lines

# "file:3:7: error: text", nvcc's "file(3): error: text" and the rewriter's "file:3: text".
_DIAGNOSIS = re.compile(r"^(?P<file>[^\s:(][^:(]*)[:(](?P<line>\d+)(?:[:,]\d+)?\)?: "
                        r"(?:(?:fatal |catastrophic )?error\b.*|.*)$")
_IS_ERROR = re.compile(r"\berror\b|undefined reference|multiple definition")
_NOISE = re.compile(r"^(\[\d+/\d+\] |FAILED: |ninja: (?!error)|gmake|make|In file included|\s+from |"
                    r".*: In (member )?function |.*: At global scope|collect2: |.*: In lambda|"
                    r".*: In instantiation of |.*:\s+required (from|by) |.*\bnote: |cc1plus: |\[ *\d+%\])")
_REASON = re.compile(r"\bnote: +(couldn't deduce|deduced conflicting|mismatched types|cannot convert)")
_FIRST_LINES = 10


def learner_path(text: str) -> str:
    """text with paths of the checkout as one types them, and copies of lessons as the lesson."""
    # A path is looked for where a word begins: a program may have written a million letters without a blank.
    text = re.sub(r"(?<!\S)\S*\bvariants/(\d\d_\w+)(?:\.[\w.]+)?/gemm\.cu", r"\1/gemm.cu", text)
    text = re.sub(r"(?:(?<!\S)\S*/)?(\d\d_\w+)\.[\w.]+/gemm\.cu", r"\1/gemm.cu", text)
    text = re.sub(r"(?<!\S)\S*/simt/(\d\d_\w+)[\w.]*/gemm\.cpp", r"\1/gemm.cu", text)
    return text.replace(str(ROOT) + "/", "")


def _is_command(line: str) -> bool:
    """A command of the build, which nobody wants to read."""
    return len(line) > 300 or bool(re.match(r"(: && |cd )?/?\S*(c\+\+|g\+\+|clang\+\+|nvcc|cmake)\S* -",
                                            line))


def _blocks(output: str) -> Tuple[List[List[str]], int]:
    """The compilers' errors, each with the lines that belong to it, and how many there are."""
    blocks: List[List[str]] = []
    inside = False
    for line in output.splitlines():
        if _REASON.search(line) and blocks:  # why no function fits a call
            blocks[-1].append(line)
        if _is_command(line) or _NOISE.match(line):
            inside = False
            continue
        found = _DIAGNOSIS.match(line)
        if found or "undefined reference" in line:
            inside = bool(_IS_ERROR.search(line)) or (
                bool(found) and ": warning" not in line and found["file"].endswith(".cu"))
            if inside:
                blocks.append([line])
        elif inside and line.strip():
            blocks[-1].append(line)
    unique = []
    for block in blocks:
        if block not in unique:
            unique.append(block)
    return unique, len(unique)


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
    """The compiler's warnings that a kernel computes with what it has not set, a line each."""
    found = re.findall(r"^(\S+?:\d+):(?:\d+:)? (warning: .*) \[-W(?:maybe-uninitialized|uninitialized|return-type)\]$",
                       output, re.M)
    return list(dict.fromkeys(learner_path(f"{place}: {text}") for place, text in found))


def short_failure(output: str) -> List[str]:
    """The first error of a build in about ten lines; the others are counted."""
    output = output.replace(str(ROOT) + "/", "")
    blocks, count = _blocks(output)
    if not blocks:
        return [learner_path(line) for line in _cmake_errors(output) or
                [line for line in last_lines(output, 40) if not _NOISE.match(line)][-_FIRST_LINES:]]
    lines: List[str] = []
    told = 0
    for block in blocks:
        if lines and len(lines) + len(block) > _FIRST_LINES:
            break
        lines += block[:_FIRST_LINES]
        told += 1
    if count > told:
        lines.append("and %d more error%s" % (count - told, "s" if count - told > 1 else ""))
    return [learner_path(line) for line in lines]
