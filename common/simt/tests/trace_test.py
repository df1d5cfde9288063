"""SIMT_TRACE: any program of simtcc writes what its blocks did. $SIMTCC compiles a program with a race, and one without."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any, Dict, List

BULK = pathlib.Path(__file__).resolve().parent / "programs" / "hopper" / "bulk_pipeline.cu"
SUM = """
__device__ float scale = 2;
__global__ void sum(const float* x, float* result) {
  __shared__ float part[64];
  const unsigned t = threadIdx.x;
  part[t] = x[64 * blockIdx.x + t];
  // barrier
  for (unsigned half = 32; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) result[blockIdx.x] = scale * part[0];
}
int main() {
  float *x, *result;
  cudaMalloc(&x, 512), cudaMalloc(&result, 8), cudaMemset(x, 0, 512);
  for (int i = 0; i < 2; ++i) sum<<<2, 64>>>(x, result);
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(x), cudaFree(result);
  return failed;
}
"""
RIGHT = SUM.replace("// barrier", "__syncthreads();")


class TraceTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, source: str) -> None:
        (self.folder / "a.cu").write_text(source, encoding="utf-8")
        subprocess.run([os.path.abspath(os.environ["SIMTCC"]), "-arch=sm_90a", "-std=c++17", "a.cu", "-o", "a"],
                       cwd=self.folder, check=True)

    def run_with(self, name: str = "trace.json", **settings: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(["./a"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, env={**os.environ, "SIMT_TRACE": name, **settings})

    def trace(self, name: str = "trace.json") -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def events_of(self, trace: Any, warp: int, launch: int) -> List[str]:
        """Kind and line of a warp's events in one launch, runs of the same one once."""
        ends = [each["events"] for each in trace["launches"]] + [len(trace["events"])]
        found: List[str] = []
        for event in trace["events"][ends[launch]:ends[launch + 1]]:
            site = trace["sites"][event[1]]
            text = f"{site['kind']} {site['line']}"
            if event[0] == warp and found[-1:] != [text]:
                found.append(text)
        return found

    def test_events_of_each_launch_stand_in_their_order(self) -> None:
        self.build(RIGHT)
        ran = self.run_with()
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        trace = self.trace()
        self.assertEqual((trace["format"], trace["version"], trace["left_out"]), ("simt trace", 2, 0))
        self.assertEqual([(each["kernel"], each["blocks"], each["grid"], each["block"], each["errors"])
                          for each in trace["launches"]], 2 * [("sum", 2, [2, 1, 1], [64, 1, 1], [])])
        for launch in range(2):
            self.assertEqual(self.events_of(trace, 1, launch), ["load 6", "store 6", "barrier 7", "barrier 10"])
            self.assertEqual(self.events_of(trace, 0, launch),
                             ["load 6", "store 6", "barrier 7"] + 6 * ["load 9", "store 9", "barrier 10"] +
                             ["load 12", "store 12"])
        self.assertEqual({site.get("array") for site in trace["sites"]},
                         {None, "part", "allocation 1", "allocation 2", "scale"})
        self.assertEqual([each["bytes"] for each in trace["allocations"]], [512, 4, 8])
        self.assertEqual({each[0] for each in trace["others"]}, {1})  # stores of the other block

    def test_a_race_stands_with_its_launch(self) -> None:
        self.build(SUM)
        self.assertEqual(self.run_with().returncode, 1)
        launches = self.trace()["launches"]
        self.assertEqual(len(launches), 1)  # a GPU runs no kernel behind one that failed
        self.assertIn("with no __syncthreads() since another thread", launches[0]["errors"][0])
        self.run_with("trace.perfetto.json")
        errors = [each for each in self.trace("trace.perfetto.json")["traceEvents"] if each["name"] == "error"]
        self.assertEqual([each["args"]["message"] for each in errors], launches[0]["errors"])

    def test_perfetto_has_a_track_for_each_warp(self) -> None:
        self.build(BULK.read_text(encoding="utf-8"))
        self.assertEqual(self.run_with().returncode, 0)
        self.assertEqual(self.run_with("other.json", SIMT_TRACE_FORMAT="perfetto").returncode, 0)
        plain, events = self.trace(), self.trace("other.json")["traceEvents"]
        times: Dict[tuple, int] = {}
        for event in events:
            if event["ph"] != "M":
                track = event["pid"], event["tid"]
                self.assertGreaterEqual(event["ts"], times.get(track, 0))
                times[track] = event["ts"]
        shown = [event["args"]["event"] for event in events if "event" in event["args"]]
        self.assertEqual(shown, plain["events"])
        steps = [event["args"]["step"] for event in events if event.get("cat") == "step"]
        self.assertEqual(steps, plain["steps"])
        self.assertEqual({"arrive", "ask", "land", "wait"} - {step["kind"] for step in steps}, set())

    def test_a_full_trace_says_so(self) -> None:
        self.build(RIGHT)
        ran = self.run_with(SIMT_TRACE_EVENTS="20")
        self.assertRegex(ran.stderr, r"^note: SIMT_TRACE: trace.json is full; it leaves out the last \d+ events")
        self.assertGreater(self.trace()["left_out"], 0)
        self.assertLessEqual(len(self.trace()["events"]), 20)

    def test_wrong_settings_are_refused(self) -> None:
        self.build(RIGHT)
        for name, value in (("TRACE_EVENTS", "many"), ("TRACE_EVENTS", "-5"), ("TRACE_EVENTS", "0"), ("TRACE_EVENTS", "5x"),
                            ("TRACE_FORMAT", "xml"), ("TENSOR_SUMS", "half")):
            ran = self.run_with(**{"SIMT_" + name: value})
            self.assertEqual(ran.returncode, 2)
            self.assertRegex(ran.stderr, f"^SIMT_{name} must be .*, not '{value}'\n$")
        self.assertIn("cannot be written", self.run_with("nowhere/trace.json").stderr)


if __name__ == "__main__":
    unittest.main()
