"""SIMT_REPORT=json: errors name their element, accesses and the call of inline PTX. $SIMTCC compiles the program."""
import json
import os
import pathlib
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
int main() {
  float* out;
  cudaMalloc(&out, 512);
  KERNEL<<<1, 128>>>(out);
  cudaFree(out);
}
"""


class ReportTest(unittest.TestCase):
    def error_of(self, kernel: str) -> Any:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.cu").write_text(PROGRAM.replace("KERNEL", kernel), encoding="utf-8")
            subprocess.run([os.path.abspath(os.environ["SIMTCC"]), "-arch=sm_90a", "a.cu", "-o", "a"], cwd=folder,
                           check=True)
            ran = subprocess.run(["./a"], cwd=folder, stderr=subprocess.PIPE, check=False,
                                 env={**os.environ, "SIMT_REPORT": "json", "SIMT_REPORT_FILE": "report.json"})
            self.assertEqual(ran.returncode, 1)
            report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.assertEqual([len(each["errors"]) for each in report["kernels"]], [1])
        return report["kernels"][0]["errors"][0]

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


if __name__ == "__main__":
    unittest.main()
