"""Traces for pages (common/simt/docs/trace.md), with the shapes of shared arrays and limited in size."""
import dataclasses
import json
from typing import Any, Dict, List

from ladder.lessons.arrays import shared_shapes

MOST = 4 << 20  # bytes of JSON
SCRIPTS = ("dom", "trace", "steps", "source", "registers", "matrices", "banks", "timeline", "compare", "controls",
           "explorer")  # common/web/explorer/NAME.js, in the order in which a page loads them


def for_page(trace: Dict[str, Any], source: str) -> Dict[str, Any]:
    """A trace of explain.NAME for a kernel with this source, with "arrays" added and its steps reduced to "phases" of
    waits and "arrivals".
    Omits events beyond the first 4 MB, if possible at the end of a round of all warps; "left_out" is their number."""
    element = {name: matrix["element"] for name, matrix in trace["matrices"].items()}
    shapes = shared_shapes(source, trace["kernel"], element)
    phases: Dict[str, Dict[str, List[int]]] = {"wait": {}, "arrive": {}}
    for step in trace.get("steps", []):
        if step["kind"] in phases:
            barrier = f"{step['warp']} {step['barrier'][0]} {step['barrier'][1]}"
            phases[step["kind"]].setdefault(barrier, []).append(step["phase"])
    page = {**trace, "phases": phases["wait"], "arrivals": phases["arrive"], "others": [], "steps": [],
            "arrays": {name: dataclasses.asdict(shape) for name, shape in shapes.items()}}
    room = MOST - len(text_of({**page, "events": []}))
    kept = 0
    for event in trace["events"]:
        room -= len(text_of(event)) + 1
        if room < 0:
            break
        kept += 1
    if kept < len(trace["events"]):
        page.update(events=trace["events"][:_whole(trace["events"], kept)])
        page.update(left_out=len(trace["events"]) - len(page["events"]))
    return page


def _whole(events: list, kept: int) -> int:
    """The end of the last complete round of all warps among the first events."""
    first = events[0][0]
    for i in range(kept, 0, -1):
        if events[i][0] == first and events[i - 1][0] != first:
            return i
    return kept


def text_of(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def script_of(name: str, trace: Dict[str, Any]) -> str:
    """A script that puts a trace into ladder.traces, for pages that cannot fetch files. "<" is escaped, so that the
    data cannot end the script."""
    text = text_of(trace).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return ("'use strict';\nwindow.ladder = window.ladder || {};\nladder.traces = ladder.traces || {};\n"
            f"ladder.traces[{json.dumps(name)}] = {text};\n")
