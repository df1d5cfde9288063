"""Faults around ./ladder: damaged build folders, runs of hours, odd environments."""
import pathlib
import shutil
import subprocess

from sandbox import Sandbox


class BuildFolder(Sandbox):
    def cache(self) -> pathlib.Path:
        return self.tree / "build" / "cpu" / "CMakeCache.txt"

    def test_configured_once(self) -> None:
        self.expect(0, "right", "run", "2")
        self.expect(0, "right", "run", "2")
        self.assertEqual(sum(call.startswith("--preset") for call in self.called()), 1)

    def test_a_moved_checkout(self) -> None:
        self.expect(0, "right", "run", "2")
        self.cache().write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/gone/ladder\n", encoding="utf-8")
        self.expect(0, "it belongs to the checkout in /gone/ladder; rebuilding it", "run", "2")
        self.assertIn("--preset cpu --fresh", "\n".join(self.called()))
        self.assertNotIn("rebuilding", self.ladder("run", "2").err)

    def test_a_damaged_cache(self) -> None:
        for content in (b"", b"\0\xff\x80garbage", b"CMAKE_HOME_DIRECTORY:INTER"):
            self.expect(0, "right", "run", "2")
            self.cache().write_bytes(content)
            self.expect(0, "CMakeCache.txt is damaged; rebuilding it", "run", "2")

    def test_a_compiler_that_no_longer_exists(self) -> None:
        self.expect(0, "right", "run", "2")
        self.cache().write_text("CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CXX_COMPILER:FILEPATH="
                                "/gone/c++\n" % self.tree, encoding="utf-8")
        self.expect(0, "its compiler /gone/c\\+\\+ no longer exists; rebuilding it", "run", "2")

    def test_stale_build_files(self) -> None:
        self.expect(1, "it no longer fits this checkout", "run", "2",
                    env={"BUILD_SAYS": "ninja: error: 'a.cpp', needed by 'b', missing and no known "
                         "rule to make it"})
        self.expect(0, "right", "run", "2")

    def test_a_full_disk(self) -> None:
        answer = self.expect(3, "^ladder: the disk is full", "run", "2", env={
            "BUILD_SAYS": "fatal error: error writing to x.o: No space left on device"})
        self.assertEqual(len(answer.err.splitlines()), 2)

    def test_nothing_is_left_beside_the_build(self) -> None:
        self.expect(0, "right", "run")
        found = [path for path in self.tree.rglob("__pycache__")]
        self.assertEqual(found, [])
        self.assertEqual(sorted(path.name for path in self.tree.iterdir() if path.is_file()), ["ladder"])

    def test_a_copied_lesson(self) -> None:
        (self.tree / "02_coalesced").joinpath("x").touch()
        shutil.copytree(self.tree / "02_coalesced", self.tree / "02_coalesced (copy)")
        answer = self.expect(0, r"^ignored: folder '02_coalesced \(copy\)'", "run")
        self.assertEqual(answer.err.count("ignored"), 1)
        self.expect(0, "^ignored", "diff", "3")


class Time(Sandbox):
    def test_a_run_of_hours_is_refused(self) -> None:
        env = {"SLEEP": "0.1"}
        answer = self.expect(2, r"this would take about [0-9.]+ (h|days); add --yes", "run", "2",
                             "90000", "90000", "90000", env=env)
        self.assertEqual(answer.out, "")
        self.expect(2, "would take about .*; add --yes", "explain", "2", "90000", "90000", "90000",
                    env=env)
        self.expect(0, "^M N K = 90000 ", "run", "2", "90000", "90000", "90000", "--yes", env=env)

    def test_a_long_run_shows_progress(self) -> None:
        self.expect(0, r"^\[ 1 of 1 \] 02_coalesced [0-9]+ s", "run", "2", env={"SLEEP": "2.5"})

    def test_a_terminal(self) -> None:
        for no_colour in ("", "1"):
            text = self.on_terminal("run", "2", SLEEP="0.5", NO_COLOR=no_colour)
            self.assertIn("\r\033[K", text)
            self.assertEqual("\033[32mright" in text, no_colour == "")


class Environment(Sandbox):
    def test_called_through_a_link(self) -> None:
        link = self.work / "link"
        link.symlink_to(self.tree / "ladder")
        done = subprocess.run([str(link), "diff", "2"], env=self.environment, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)


class OddPath(Sandbox):
    """A checkout whose path has unusual characters."""
    tree_name = "it's a tree $HOME é ü (copy) & 1"

    def test_commands(self) -> None:
        self.expect(0, "right", "run", "2")
        self.expect(0, "lines changed", "diff", "2")
        self.expect(0, "Totals", "explain", "2")

    def test_a_path_that_cmake_cannot_use(self) -> None:
        self.tree.rename(self.work / "a # b")
        self.tree = self.work / "a # b"
        self.expect(3, "^ladder: CMake cannot build in a folder with '#' in its path", "run", "2")
        self.assertFalse((self.tree / "build").exists())
