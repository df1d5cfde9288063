"""Figures of a run on the CPU backend by name, and expressions with them, such as
"A.global_load.sectors / A.global_load.requests". Names:

  total.KEY                 KEY of explain's totals: total.fma, total.global_load_sectors
  ARRAY.KIND.FIGURE         a row of explain's arrays, summed over its lines: As.fused_load.wavefronts
  PLACE.KIND.FIGURE         a line of the source that the exercise names
  all.KIND.FIGURE           of all arrays in global memory, or of all shared ones
  A.uses.FIGURE, B.uses.FIGURE, block.uses.fma   how the first block used the elements of A and B, and its
                            multiply-adds, in runs with --probe (ElementUse, common/simt/include/simt/probe.h)
  conflict.load, conflict.store   the worst bank conflict of a line's reads from, or stores to, shared memory: 32 for
                            32-way, 1 for none; a conflict that disappears with nvcc's wider accesses is none
  local.arrays              names of a thread's arrays in local memory (local_arrays.py), "none" or "not known"
  M, N, K, knob.NAME        the problem, and constants of the source
  blocks, threads, shared_bytes   of the launch, and of each of its blocks
  before.NAME, OTHER.NAME   NAME for the unedited lesson, and for another edit of the exercise
  (x / 0 is 0 where x is 0, else infinite)
  outcome                   how the run ended: "right", "wrong" or "error"
  line, other_line          the lines of the source that the first finding names; 0: none
  finding                   its text, or what is wrong with the result
"""
import ast
import math
import re
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union

from ladder.explaining.diagnosis import fused_away, ways

Value = Union[float, str]


class Unknown(Exception):
    """An expression cannot be evaluated; the text says why."""


class Figures:
    """One run. explained: explain's JSON object; knobs: of the source; rest: further names; others: functions that get
    another run on demand, such as the one for before.NAME."""

    def __init__(self, explained: Mapping[str, Any], knobs: Mapping[str, int],
                 rest: Mapping[str, Value],
                 others: Optional[Mapping[str, Callable[[], "Figures"]]] = None):
        self.explained, self.knobs, self.rest, self.others = explained, knobs, rest, others or {}
        self.places: Mapping[str, Sequence[int]] = {}  # lines of the source that have a name
        self.error: Mapping[str, Any] = {}  # the CPU backend's first (common/simt/docs/report.md)

    def get(self, name: str) -> Value:
        """The figure called name; 0 if the run has no such row."""
        first, _, others = name.partition(".")
        if first in self.others:
            return self.others[first]().get(others)
        if name in self.rest:
            return self.rest[name]
        if first == "knob":
            if others not in self.knobs:
                raise Unknown("the source has no constant %s" % others)
            return float(self.knobs[others])
        if not self.explained:
            raise Unknown("no counts: the run ended with an error, or the CPU backend does not run it")
        if name in ("blocks", "threads", "shared_bytes"):
            return float(self.explained[name])
        if first == "total":
            totals = self.explained.get("totals", {})
            if others not in totals:
                raise Unknown("explain has no total '%s'" % others)
            return float(totals[others])
        if first == "conflict":
            kind = "shared_" + others
            return max((ways(row, kind) for row in self.explained.get("arrays", [])
                        if kind in row and not fused_away(row, kind)), default=1.0)
        kind, _, figure = others.partition(".")
        if not figure:
            raise Unknown("unknown name '%s'" % name)
        if first in self.places:
            rows = [row for row in self.explained.get("lines", []) if row["line"] in self.places[first]]
        else:
            rows = [row for row in [*self.explained.get("arrays", []), *self.explained.get("first_block", [])]
                    if first == "all" or row.get("array") == first]
        return float(sum(row.get(kind, {}).get(figure, 0) for row in rows))

    def by_line(self) -> Dict[int, "Figures"]:
        """The figures of each line that has any, by line number."""
        parts: Dict[int, Dict[str, Any]] = {}
        for group in ("arrays", "first_block"):
            for row in self.explained.get(group, []):
                parts.setdefault(row["line"], {}).setdefault(group, []).append(row)
        return {line: Figures({**self.explained, "arrays": [], "first_block": [], **part}, self.knobs, self.rest)
                for line, part in parts.items()}


def problem(arguments: Sequence[object]) -> Dict[str, Value]:
    """The names M, N and K for the first three arguments."""
    return {name: float(str(word)) for name, word in zip("MNK", arguments)}


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return _name(node.value) + "." + node.attr
    raise Unknown("only names, numbers and + - * / are known")


def _divide(a: float, b: float) -> float:
    return a / b if b else math.inf if a else 0.0


_OPERATIONS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b,
               ast.Mult: lambda a, b: a * b, ast.Div: _divide}


def _value(node: ast.AST, figures: Figures) -> Value:
    if isinstance(node, ast.Expression):
        return _value(node.body, figures)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left, figures), _value(node.right, figures)
        if isinstance(left, str) or isinstance(right, str):
            raise Unknown("cannot calculate with a text")
        return _OPERATIONS[type(node.op)](left, right)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return figures.get(_name(node))
    raise Unknown("only names, numbers and + - * / are known")


def evaluate(expression: str, figures: Figures) -> Value:
    """The value of an expression. Raises Unknown."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError:
        raise Unknown("'%s' is not an expression" % expression) from None
    try:
        return _value(tree, figures)
    except Unknown as error:
        raise Unknown("'%s': %s" % (expression, error)) from None


def text(value: Value) -> str:
    """A readable figure: whole numbers in groups of three digits, others with three or four digits."""
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "infinite"
    if abs(value - round(value)) < 1e-9 * max(1.0, abs(value)):
        return re.sub(r"(?<=\d)(?=(\d{3})+$)", " ", "%d" % round(value))
    return "%.4g" % value if abs(value) < 1000 else "%.0f" % value
