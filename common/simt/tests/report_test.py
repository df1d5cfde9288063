"""SIMT_REPORT=json: errors name their element, accesses and the call of inline PTX. SIMT_ERRORS: each stands alone.
$SIMTCC compiles the program."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from typing import Any

PROGRAM = """
#include <cstdint>
__device__ void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier));
}
__global__ void race(float* out) {
  __shared__ float tile[4][32];
  const unsigned row = threadIdx.x / 32, col = threadIdx.x % 32;
  tile[row][col] = 1;
  out[threadIdx.x] = tile[3 - row][col];
}
__global__ void misuse(float*) {
  __shared__ uint64_t barrier;
  arrive(uint32_t(__cvta_generic_to_shared(&barrier)));
}
__global__ void twice(float* out) {
  __shared__ float one;
  one = 1;
  __syncthreads();
  out[threadIdx.x] = one;
}
int main() {
  float* out;
  cudaMalloc(&out, 512);
  for (int i = 0; i < 2; ++i) KERNEL<<<1, 128>>>(out);
  cudaFree(FREED);
}
"""

REFUSED = """
#include <cstring>
__global__ void set(int* out) { *out = 1; }
int main(int, char** names) {
  int* out;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaMalloc(&out, sizeof(int));
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  set<<<1, 2048>>>(out);
  const auto is = [&](const char* name) { return std::strcmp(names[1], name) == 0; };
  if (is("device")) cudaDeviceSynchronize();
  if (is("stream")) cudaStreamSynchronize(stream);
  if (is("event")) cudaEventSynchronize(event);
  if (is("asks")) cudaGetLastError();
  if (is("peeks")) cudaPeekAtLastError();
  cudaFree(out);
}
"""


class ReportTest(unittest.TestCase):
    def run_with(self, kernel: str, freed: str = "out", **settings: str) -> "subprocess.CompletedProcess[str]":
        """Runs the program and reads the report, and the errors one by one."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.cu").write_text(PROGRAM.replace("KERNEL", kernel).replace("FREED", freed), encoding="utf-8")
            subprocess.run([os.path.abspath(os.environ["SIMTCC"]), "-arch=sm_90a", "a.cu", "-o", "a"], cwd=folder,
                           check=True)
            ran = subprocess.run(["./a"], cwd=folder, stderr=subprocess.PIPE, text=True, check=False, env={
                **os.environ, "SIMT_REPORT": "json", "SIMT_REPORT_FILE": "report.json", "SIMT_ERRORS": "errors", **settings})
            if ran.returncode != 2:
                self.report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
                self.told = [json.loads(line) for line in (folder / "errors").read_text(encoding="utf-8").splitlines()]
        return ran

    def error_of(self, kernel: str) -> Any:
        self.assertEqual(self.run_with(kernel).returncode, 1)
        self.assertEqual([len(each["errors"]) for each in self.report["kernels"]], [1])
        error = self.report["kernels"][0]["errors"][0]
        self.assertEqual(self.told[0], error)
        return error

    def test_a_race_has_its_element_and_both_accesses(self) -> None:
        error = self.error_of("race")
        row, col = error["element"]["index"]
        self.assertEqual(error["element"], {"space": "shared", "array": "tile", "index": [row, col],
                                            "offset": 128 * row + 4 * col, "bytes": 4})
        self.assertEqual((error["here"]["line"], error["here"]["access"]), (10, "reads"))
        self.assertEqual((error["other"]["line"], error["other"]["access"]), (9, "writes"))
        self.assertEqual(error["other"]["thread"][0], 32 * row + col)
        self.assertNotIn("call", error["here"])

    def test_inline_ptx_has_the_line_of_its_call(self) -> None:
        error = self.error_of("misuse")
        self.assertEqual((error["here"]["line"], error["here"]["call"]["line"]), (4, 14))
        self.assertNotIn("other", error)
        self.assertNotIn("access", error["here"])

    def test_host_code_has_errors_one_by_one(self) -> None:
        self.error_of("race")
        refused = self.told[1]  # the second launch: a GPU runs no kernel behind one that failed
        self.assertEqual((refused["kind"], refused["here"]["line"]), ("host", 25))
        self.assertRegex(refused["text"], "^the launch of race is refused: an earlier kernel has failed")
        self.assertTrue(refused["message"].endswith("a.cu:25: " + refused["text"]))
        self.assertNotIn("block", refused["here"])

    def test_a_note_appears_once(self) -> None:
        ran = self.run_with("twice")
        self.assertEqual((ran.returncode, self.report["kernels"][0]["errors"]), (0, []))
        self.assertEqual([(each["note"], each["here"]["line"]) for each in self.told], [(True, 18)])
        self.assertEqual(ran.stderr, self.told[0]["message"] + "\n")

    def test_misuse_and_notes_about_the_program_are_among_them(self) -> None:
        for freed, kind, line, text in (("out + 1", "host", 26, "cudaFree() fails: no memory on the device begins here"),
                                        ("nullptr", "other", 0, "1 allocation of device memory never freed, 512 bytes")):
            ran = self.run_with("twice", freed)
            told = self.told[1]
            self.assertEqual((told["kind"], told["here"]["line"], told["text"]), (kind, line, text))
            self.assertNotIn("block", told["here"])
            self.assertIn("\n" + told["message"] + "\n", ran.stderr)

    def test_wrong_settings_are_refused(self) -> None:
        for name, value in (("REPORT", "xml"), ("ON_ERROR", "go"), ("THREADS", "-5"), ("THREADS", "+5"), ("THREADS", " 5"),
                            ("SHARED_KB", "47"), ("SHARED_KB", "228")):
            ran = self.run_with("twice", **{"SIMT_" + name: value})
            self.assertEqual(ran.returncode, 2)
            self.assertRegex(ran.stderr, rf"^SIMT_{name} must be .*, not '{re.escape(value)}'\n$")

    def test_a_refused_launch_makes_the_exit_code_1_unless_the_program_asks(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.cu").write_text(REFUSED, encoding="utf-8")
            subprocess.run([os.path.abspath(os.environ["SIMTCC"]), "a.cu", "-o", "a"], cwd=folder, check=True)
            for does, code in (("nothing", 1), ("device", 1), ("stream", 1), ("event", 1), ("asks", 0), ("peeks", 0)):
                ran = subprocess.run(["./a", does], cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
                self.assertRegex(ran.stderr, "a.cu:11: the launch of set is refused")
                self.assertEqual(ran.returncode, code, does)


if __name__ == "__main__":
    unittest.main()
