"""./ladder rebuilds only what an edit affects. It calls CMake only after a change of shared files."""
import pathlib
from typing import List

from sandbox import Sandbox


class Making(Sandbox):
    def setUp(self) -> None:
        super().setUp()
        for name in ("CMakeLists.txt", "common/lesson.h", "common/simt/include/simt/report.h", "tests/lessons/case_text.h"):
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("1\n", encoding="utf-8")
        self.lesson = self.tree / "02_coalesced" / "gemm.cu"
        self.expect(0, "right", "run", "2")

    def append(self, path: pathlib.Path) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write("// edited\n")

    def calls_of(self, *words: str) -> List[str]:
        """The build steps of a command: "cmake" for a build of shared files, else the name of simtcc's output."""
        before = len(self.called())
        self.expect(0, "", *words)
        return ["cmake" if call.startswith("--build") else pathlib.Path(call.split(" -o ")[1].split()[0]).name
                for call in self.called()[before:] if call.startswith(("--build", "simtcc"))]

    def test_nothing_is_built_twice(self) -> None:
        self.assertEqual(self.calls_of("run", "2"), [])
        self.assertEqual(self.calls_of("run", "3"), ["gemm.o", "03_thread_tile"])
        self.assertEqual(self.calls_of("explain", "2"), ["cmake", "explain.02_coalesced"])
        self.assertEqual(self.calls_of("explain", "2"), [])

    def test_an_edit(self) -> None:
        self.append(self.lesson)
        self.assertEqual(self.calls_of("run", "2"), ["gemm.o", "02_coalesced"])
        self.assertEqual(self.calls_of("run", "2", "3"), ["gemm.o", "03_thread_tile"])
        self.append(self.lesson.with_name("own.h"))
        self.assertEqual(self.calls_of("run", "2"), ["gemm.o", "02_coalesced"])

    def test_compiler_warnings(self) -> None:
        said = f"{self.lesson}:7:3: warning: {{}} [-W{{}}]\n"
        says = {"COMPILE_SAYS": said.format("'acc' is used uninitialized", "uninitialized") +
                said.format("unused variable 'x'", "unused-variable")}
        self.append(self.lesson)
        answer = self.expect(0, r"^02_coalesced/gemm\.cu:7: warning: 'acc' is used uninitialized$", "run", "2", env=says)
        self.assertNotIn("unused", answer.err)
        self.assertNotIn("uninitialized", self.expect(0, "right", "run", "2").err)

    def test_a_practice_file(self) -> None:
        path = self.practice("02_coalesced", self.lesson.read_text(encoding="utf-8"))
        self.assertEqual(self.calls_of("run", "practice/02_coalesced"), ["gemm.o", "practice.02_coalesced"])
        before = path.read_text(encoding="utf-8")
        self.append(path)
        self.assertEqual(self.calls_of("run", "practice/02_coalesced"), ["gemm.o", "practice.02_coalesced"])
        path.write_text(before, encoding="utf-8")
        self.assertEqual(self.calls_of("run", "practice/02_coalesced"), ["gemm.o", "practice.02_coalesced"])
        self.assertEqual(self.calls_of("run", "practice/02_coalesced"), [])

    def test_shared_files(self) -> None:
        for name in ("CMakeLists.txt", "common/lesson.h", "common/simt/include/simt/report.h"):
            self.append(self.tree / name)
            self.assertEqual(self.calls_of("run", "2"), ["cmake", "gemm.o", "02_coalesced"], name)
        header = self.tree / "common" / "simt" / "src" / "new.h"
        header.parent.mkdir(exist_ok=True)
        header.touch()
        self.assertEqual(self.calls_of("run", "2"), ["cmake", "gemm.o", "02_coalesced"])
        self.append(self.tree / "tests" / "lessons" / "case_text.h")  # not part of this program
        self.assertEqual(self.calls_of("run", "2"), [])

    def test_a_missing_or_changed_program(self) -> None:
        program = self.tree / "build" / "cpu" / "bin" / "02_coalesced"
        program.unlink()
        self.assertEqual(self.calls_of("run", "2"), ["02_coalesced"])
        program.write_bytes(program.read_bytes() + b"\n")  # as if CMake had built it since
        self.assertEqual(self.calls_of("run", "2"), ["02_coalesced"])
