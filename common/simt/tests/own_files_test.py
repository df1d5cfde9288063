"""Messages name the user's lines, not the backend's, wherever its headers lie. $SIMTCC compiles the programs."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

INCLUDE = pathlib.Path(__file__).resolve().parents[1] / "include"
SIMTCC = os.path.abspath(os.environ.get("SIMTCC", "simtcc"))
PROGRAM = """#include <cuda_runtime.h>
__global__ void add(float* p) { atomicAdd(p + 32, 1.0f); }
void run(float* p, int threads) {
  add<<<1, threads>>>(p);
}
int main() {
  float* p;
  cudaMalloc(&p, 128);
  run(p, 2048);
  run(p, 1);
  cudaFree(p);
}
"""


class OwnFiles(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="own-files-test."))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "in.cu").write_text(PROGRAM, encoding="utf-8")

    def run_it(self, *words: str) -> None:
        subprocess.run(words, cwd=self.folder, check=True)

    def build_with(self, *options: str) -> None:
        """Builds a from in.cpp, with the folder of the headers as an option."""
        self.run_it(os.environ.get("CXX", "g++"), "-std=c++17", "-gdwarf-4", "-O1", "-fsanitize=thread", *options, "-c",
                    "in.cpp")
        self.run_it(SIMTCC, "in.o", "-o", "a")

    def said(self) -> str:
        return subprocess.run(["./a"], cwd=self.folder, stderr=subprocess.PIPE, text=True, check=False).stderr

    def expect_lines_of(self, file: str) -> None:
        said = self.said()
        self.assertRegex(said, rf"(?m)^(.*/)?{file}:2: add: .*out of bounds")
        self.assertRegex(said, rf"(?m)^(.*/)?{file}:4: .*2048")
        self.assertNotIn("shim", said)

    def test_a_users_folder_of_the_same_name(self) -> None:
        header = self.folder / "simt" / "include" / "user.cuh"
        header.parent.mkdir(parents=True)
        header.write_text(PROGRAM, encoding="utf-8")
        (self.folder / "in.cu").write_text('#include "simt/include/user.cuh"\n', encoding="utf-8")
        self.run_it(SIMTCC, "-O1", "in.cu", "-o", "a")
        self.expect_lines_of("user.cuh")

    def test_a_users_folder_named_as_the_one_for_ptx(self) -> None:
        header = self.folder / "simt" / "shim" / "ptx" / "user.cuh"
        header.parent.mkdir(parents=True)
        header.write_text("__device__ __forceinline__ void put(float* p) {\n  p[32] = 1;\n}\n", encoding="utf-8")
        (self.folder / "in.cu").write_text('#include "simt/shim/ptx/user.cuh"\n' + PROGRAM.replace("atomicAdd(p + 32, 1.0f)", "put(p)"),
                                           encoding="utf-8")
        self.run_it(SIMTCC, "-O1", "in.cu", "-o", "a")
        said = self.said()
        self.assertRegex(said, r"(?m)^(.*/)?user.cuh:2: add: .*out of bounds")
        self.assertNotIn("called at", said)

    def test_headers_in_a_folder_of_another_name(self) -> None:
        headers = self.folder / "backend" / "headers"
        shutil.copytree(INCLUDE, headers)
        self.run_it(SIMTCC, "--simt-rewrite", "in.cu", "-o", "in.cpp")
        text = (self.folder / "in.cpp").read_text(encoding="utf-8")
        (self.folder / "in.cpp").write_text(text.replace(str(INCLUDE), str(headers)), encoding="utf-8")
        relative = f"-fmacro-prefix-map={self.folder}=.."  # as ccache makes __FILE__
        for options in ((f"-I{headers}",), ("-Ibackend/headers",), (f"-I{headers}", relative)):
            self.build_with(*options)
            self.expect_lines_of("in.cu")

    def test_headers_beside_the_users_files(self) -> None:
        shutil.copytree(INCLUDE / "simt", self.folder / "simt")
        self.run_it(SIMTCC, "--simt-rewrite", "./in.cu", "-o", "in.cpp")
        self.build_with("-I.")
        self.expect_lines_of("in.cu")


if __name__ == "__main__":
    unittest.main()
