"""Traces that the explorer cannot show, or only in part."""
import json
from typing import Any, Dict

from explorer_page import ExplorerTest, options_of, trace_of, write_page, write_run
from ladder.lib import traces


class TracesTest(ExplorerTest):
    def script(self, name: str, trace: Dict[str, Any]) -> str:
        (self.folder / f"{name}.js").write_text(traces.script_of(name, trace), encoding="utf-8")
        return f"{name}.js"

    def test_a_long_trace_is_cut(self) -> None:
        trace = trace_of("02_coalesced", [32, 32, 32])
        cut = {**trace, "events": trace["events"][:500], "left_out": len(trace["events"]) - 500}
        self.open(write_page(self.folder, "cut", options_of("cut").replace("ladder.sources", "({})"),
                             self.script("cut", cut)))
        notice = self.run_script("return document.querySelector('.explorer-notice').textContent")
        self.assertIn(f"{len(trace['events']) - 500} later events", notice)

    def test_bad_traces(self) -> None:
        """The page shows one line with the reason."""
        trace = trace_of("02_coalesced", [32, 32, 32])
        text = json.dumps(trace)
        markup = "<img src=x onerror=alert(1)>"
        cases = {"not a trace of gemm-ladder": {}, "reads version 2": {**trace, "version": 3},
                 "it is not JSON": text[:len(text) // 2], "it is not JSON: ": "x" * 5_000_000,
                 "it has no events": {**trace, "events": None},
                 "event 3 of the trace is invalid": {**trace, "events": trace["events"][:3] + [[0, 99, 0]]},
                 "the trace has no events": {**trace, "events": []},
                 "does not have 32 lanes": {**trace, "patterns": [{"at": [0]}]},
                 "an offset of": {**trace, "events": [[0, 1, 1, 1e9, 0]]},
                 "it has no matrix B": {**trace, "matrices": {"A": trace["matrices"]["A"]}}}
        page = write_page(self.folder, "bad", f"{{trace: {{}}, source: '', name: {json.dumps(markup)}, hash: false}}")
        for message, case in cases.items():
            with self.subTest(message):
                self.open(page)
                self.run_script("""shown.destroy(); shown = ladder.explorer.mount(
                    document.getElementById('explorer'), {trace: arguments[0], source: '', name: arguments[1]});""",
                                case, markup)
                lines = self.run_script("return document.getElementById('explorer').innerText").split("\n")
                self.assertEqual(len(lines), 1)
                self.assertIn(message.rstrip(": "), lines[0])
                self.assertIn(markup, lines[0])
                self.assertEqual(self.run_script("return document.querySelectorAll('#explorer img').length"), 0)
        self.open(page)
        self.run_script("ladder.explorer.mount(document.getElementById('explorer'), {trace: arguments[0], "
                        "source: arguments[1], name: arguments[1]});",
                        {**trace, "lesson": markup, "sites": [{**s, "array": markup} if s.get("array") == "As" else s
                                                              for s in trace["sites"]]}, markup)
        self.assertEqual(self.run_script("return document.querySelectorAll('#explorer img').length"), 0)

    def test_damaged_traces(self) -> None:
        """A trace with one wrong value is either shown, or one line says that it cannot be."""
        page = write_page(self.folder, "damaged", options_of("02_coalesced"),
                          write_run(self.folder, "02_coalesced", trace_of("02_coalesced", [32, 32, 32])))
        self.open(page)
        found = self.run_script("""
            const text = JSON.stringify(ladder.traces['02_coalesced']), found = {shown: 0, refused: 0, faults: []};
            const values = [null, -1, 1e9, 'x', [], {}, 0.5, NaN, undefined, true, [1, 2, 3, 4, 5, 6, 7]];
            let seed = 1;
            const random = (count) => (seed = seed * 16807 % 2147483647) % count;
            const element = document.getElementById('explorer');
            shown.destroy();
            for (let n = 0; n < 250; ++n) {
              const trace = JSON.parse(text), value = values[random(values.length)];
              let place = trace, path = '';
              for (let depth = random(4); ; --depth) {
                const keys = Object.keys(place), key = keys[random(keys.length)];
                path += `.${key}`;
                if (depth <= 0 || place[key] === null || typeof place[key] !== 'object') {
                  place[key] = value;
                  break;
                }
                place = place[key];
              }
              try {
                const made = ladder.explorer.mount(element, {trace, source: 'a\\nb', name: 'x', hash: false});
                if (made.state() === null) {
                  found.refused += element.innerText.includes('\\n') ? 0 : 1;
                } else {
                  for (const event of [1, 40, 100, 1e9]) made.go(event);
                  found.shown += 1;
                }
                made.destroy();
              } catch (error) {
                found.faults.push(`${path} = ${JSON.stringify(value)}: ${error.message}`);
              }
            }
            return found;""")
        self.assertEqual(found["faults"], [])
        self.assertEqual(found["shown"] + found["refused"], 250)
        self.assertGreater(min(found["shown"], found["refused"]), 20)
