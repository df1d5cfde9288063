"""./ladder's arguments, exit codes and tables, and the file that bench writes."""
import fcntl
import hashlib
import json
import re
import shutil
import subprocess

from sandbox import SOURCE, Sandbox

GPU = {"NO_GPU": ""}


class Commands(Sandbox):
    def test_help(self) -> None:
        self.expect(0, r"^  diff \[FROM\] LESSON")
        self.expect(0, r"^  run ", "help")
        self.expect(0, r"^  run ", "--help")
        self.assertLessEqual(len(self.ladder().out.splitlines()), 25)
        self.assertNotRegex(self.ladder().out, "(?m)^  (bench|mutate|profile) ")
        self.assertRegex(self.ladder("help", "--all").out, "(?s)run .*explain .*test .*For maintainers:.*bench ")
        self.expect(0, r"^Examples:", "help")
        self.expect(0, r"^usage: ./ladder diff \[-h\] \[FROM\] LESSON$", "help", "diff")

    def test_every_command_has_help(self) -> None:
        text = self.ladder("help", "--all").out
        for path in (self.tree / "common" / "ladder").glob("[a-z]*.py"):
            self.assertEqual(len(re.findall(r"(?m)^  %s\b.{5,}$" % path.stem, text)), 1, path.stem)
            self.expect(0, "^usage: ./ladder %s" % path.stem, path.stem, "--help")

    def test_picture_without_arguments_prints_its_help(self) -> None:
        alone = self.ladder("picture")
        self.assertEqual(alone, self.ladder("picture", "--help"))
        for word in ("--kind", "--line", "--array", "--warp", "--with", "--output", "timeline"):
            self.assertIn(word, alone.out)

    def test_version(self) -> None:
        self.expect(0, r"^gemm-ladder \(not a git checkout\)$", "--version")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(self.tree)]
        for arguments in (["init", "-q"], ["add", "ladder"], ["commit", "-qm", "a"], ["tag", "v1"]):
            subprocess.run([*git, *arguments], check=True, stdout=subprocess.DEVNULL)
        self.expect(0, "^gemm-ladder v1$", "--version")
        (self.tree / "ladder").write_text((SOURCE / "ladder").read_text(encoding="utf-8") + "#\n", encoding="utf-8")
        self.expect(0, "^gemm-ladder v1-dirty$", "--version")

    def test_reading_commands_do_not_wait(self) -> None:
        (self.tree / "build").mkdir()
        with open(self.tree / "build" / "ladder.lock", "w", encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            self.patience = 20
            for arguments in ((), ("help", "--all"), ("list",), ("status",), ("diff", "02"), ("--version",), ("picture",)):
                self.assertEqual(self.ladder(*arguments)[::2], (0, ""), arguments)

    def test_diff(self) -> None:
        answer = self.expect(0, r"^[0-9]+ lines changed: [0-9]+ added, [0-9]+ deleted$", "diff", "2")
        lines = answer.out.splitlines()
        added = sum(line.startswith("+") for line in lines) - 1
        deleted = sum(line.startswith("-") for line in lines) - 1
        self.assertEqual(lines[-1], "%d lines changed: %d added, %d deleted" %
                         (added + deleted, added, deleted))
        self.assertGreater(added, 0)
        self.assertNotIn("\033", answer.out)

    def test_a_diff_has_a_sentence_for_each_function(self) -> None:
        """In a pipe the sentence follows the hunk's position, where a unified diff may have text."""
        sentences = json.loads((self.tree / "common" / "ladder" / "publishing" / "changes.json").read_text("utf-8"))
        for number in ("02", "08"):
            heads = [line for line in self.ladder("diff", number).out.splitlines() if line.startswith("@@ ")]
            for name, sentence in sentences[number].items():
                self.assertEqual(sum(f" {name}: {sentence}" in head for head in heads), 1, (number, name))
        for arguments in (("1", "3"), ("03", "02")):  # pairs without sentences
            for head in (line for line in self.ladder("diff", *arguments).out.splitlines() if line.startswith("@@ ")):
                self.assertRegex(head, r"^@@ -[0-9,]+ \+[0-9,]+ @@ [\w()]+$")

    def test_a_diff_on_a_terminal(self) -> None:
        """A sentence stands above each function. A hunk has the lines of one function only."""
        for no_colour in ("", "1"):
            lines = self.on_terminal("diff", "05", NO_COLOR=no_colour, COLUMNS="80").replace("\r\n", "\n")
            self.assertEqual("\033[32m+" in lines, no_colour == "")
            plain = re.sub("\033\\[[0-9]+m", "", lines)
            self.assertEqual(re.findall(r"^@@ .* @@ (.*)$", plain, re.M),
                             ["header", "knobs", "outer_product()", "store_tile()", "gemm_kernel()"])
            self.assertRegex(plain, r"\n\nstore_tile\(\): [^@]{40,}\.\n@@ [^@]* @@ store_tile\(\)\n")
            self.assertLessEqual(max(len(line) for line in re.findall(r"^\w+\(\): .*$", plain, re.M)), 79)

    def test_diff_of_any_two(self) -> None:
        answer = self.expect(0, "^--- 02_coalesced/gemm.cu$", "diff", "02", "05")
        self.assertIn("\n+++ 05_outer_product/gemm.cu\n", answer.out)
        self.assertEqual(self.ladder("diff", "4", "outer_product").out, self.ladder("diff", "05").out)
        self.expect(0, "^0 lines changed: 0 added, 0 deleted$", "diff", "02", "02")


class Practice(Sandbox):
    def put(self, name: str, text: str, state: dict) -> None:
        self.practice(name, text).with_name("state.json").write_text(json.dumps(state), encoding="utf-8")

    def test_status(self) -> None:
        self.expect(0, "^practice/ is empty: ./ladder climb 01 ", "status")
        digest = {text: hashlib.sha256(text.encode()).hexdigest()[:16] for text in ("given", "good")}
        self.put("02_coalesced", "good", {"start": digest["given"], "passed": digest["good"]})
        self.put("03_thread_tile", "other", {"start": digest["given"], "passed": digest["good"], "hint": 1})
        self.put("04_float4", "other", {"start": digest["given"], "hint": 2})
        self.put("02.1", "given", {"start": digest["given"], "hint": 0})
        rows = ["02.1 unchanged check 02.1", "02_coalesced passed check 02",
                "03_thread_tile changed since it passed, 1 hint given check 03",
                "04_float4 changed, not passed yet, 2 hints given check 04"]
        text = re.sub(" +", " ", self.expect(0, "^file +progress +checked by$", "status").out).splitlines()[1:]
        self.assertEqual([line.replace("practice/", "").replace("/gemm.cu", "").replace("./ladder ", "")
                          for line in text], rows)
        self.put("04_float4", "other", {"start": 7, "hint": "x", "passed": []})
        self.expect(0, "^practice/04_float4/gemm.cu +changed, not passed yet +./ladder check 04$", "status")

    def test_list(self) -> None:
        self.put("02_coalesced", "other", {"passed": "0123456789abcdef"})
        self.put("03_thread_tile", "other", {})
        beyond = self.tree / "beyond" / "11_wgmma"
        shutil.copytree(SOURCE / "beyond" / "11_wgmma", beyond)
        for row in ("00_naive +no GPU +-", "01_shared_tile +no GPU +not yet", "02_coalesced +no GPU +climbed",
                    "03_thread_tile +no GPU +begun", "11_wgmma +no GPU +not yet"):
            self.expect(0, "^" + row + "$", "list")


class Tables(Sandbox):
    def test_rows(self) -> None:
        self.expect(0, r"^00_naive +2.250 +1.50 +15.0 +7.5 +-  right$", "run", env=GPU)
        self.expect(0, r"^01_shared_tile +2.250 +2.50 +25.0 +12.5 +1.67x  right$", "run", "0",
                    "shared_tile", env=GPU)
        self.expect(0, r"^02_coalesced .* -  right$", "run", "00", "02_coalesced/", env=GPU)
        self.expect(0, r"^M N K = 7 8 9, ", "run", "1", "7", "8", "9", env=GPU)
        self.expect(0, r"^02_coalesced ", "run", "00", "01", "02", env=GPU)
        self.expect(0, r"beta 1, on G$", "run", "1", "7", "8", "9", "--beta", "1", env=GPU)
        self.expect(0, r"beta 1, on G$", "run", "--beta=1", "1", "7", "8", "9", env=GPU)

    def test_results(self) -> None:
        self.expect(2, r"^00_naive: negative$", "run", "-1", "8", "9", env=GPU)
        self.expect(1, r"wrong at \(3, 4\)$", "run", "0", "1", env={"WRONG": "1"})
        answer = self.expect(0, '"lesson": "02_coalesced"', "run", "2", "--json")
        self.assertEqual(json.loads(answer.out)["lesson"], "02_coalesced")
        self.expect(0, "No NVIDIA GPU here", "run", "2")
        self.expect(3, "02_coalesced died .SIGSEGV.", "run", "2", env={"DIES": "1"})

    def test_the_first_hint_is_about_the_first_lesson(self) -> None:
        answer = self.ladder("run")
        self.assertRegex(answer.out, r"explain 00(.|\n)*diff 01")
        self.assertNotIn("explain 08", answer.out)

    def test_a_kernels_printf_is_shown(self) -> None:
        for text in ("hello from thread 0\\n", "no end of line"):
            answer = self.ladder("run", "2", env={"PRINTF": text})
            self.assertEqual(answer.status, 0, answer)
            self.assertIn(text.replace("\\n", ""), answer.out)
            self.assertRegex(answer.out, r"(?m)^02_coalesced +right$")
        answer = self.ladder("run", "2", env={"PRINTF": "x\\n" * 1000})
        self.assertIn("... and 980 more lines", answer.out)


class Bench(Sandbox):
    def test_the_median_of_three_processes(self) -> None:
        env = {"COUNTER": str(self.work / "counter"), **GPU}
        path = self.tree / "docs" / "results" / "rtx_1.json"
        self.expect(0, "wrote docs/results/rtx_1.json", "bench", "00", "02", env=env)
        text = path.read_text(encoding="utf-8")
        self.assertRegex(text, r'(?m)^    \{"lesson": "02_coalesced", "M": 256, .*"tflops": 3.1, .*'
                         r'"source_hash": "[0-9a-f]{16}"\},$')
        for word in ("baseline_ms", "verdict", '"gpu": "G"'):
            self.assertNotIn(word, text)
        self.assertEqual((text.count("00_naive"), text.count("02_coalesced")), (8, 9))
        for counter in self.work.glob("counter.*"):
            counter.unlink()
        self.expect(0, "wrote", "bench", "01", env=env)
        result = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(len(result["runs"]), 8 + 8 + 9)
        self.assertEqual(result["gpu"], "NVIDIA GeForce RTX 1")
        before = path.read_bytes()
        self.expect(1, "nothing was written", "bench", "01", env={"WRONG": "1", **env})
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual([each for each in (self.tree / "build").rglob("*bench*")], [])

    def test_graphs(self) -> None:
        path = self.tree / "docs" / "results" / "graphs-rtx_1.json"
        self.expect(0, "wrote docs/results/graphs-rtx_1.json", "bench", "01", "--graph", env=GPU)
        self.expect(0, "wrote docs/results/graphs-rtx_1.json", "bench", "02", "--graph", env=GPU)
        runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
        self.assertEqual([(each["lesson"], each["M"]) for each in runs],
                         [(name, n) for name in ("01_shared_tile", "02_coalesced") for n in (256, 512, 1024, 2048)])
        del runs[-1]["source_hash"]
        self.assertEqual(runs[-1], {"lesson": "02_coalesced", "M": 2048, "N": 2048, "K": 2048, "us": 2250.0,
                                    "best_us": 2250 * 3.5 / 10, "graph_us": 2250.0, "graph_best_us": 2250 * 3.5 / 5})
        self.expect(2, "not allowed with", "bench", "02", "--graph", "--quick", env=GPU)
        before = path.read_bytes()
        self.expect(3, "cuBLAS has nothing to compare 02_coalesced with", "bench", "02", "--graph",
                    env={**GPU, "NO_CUBLAS": "1"})
        self.assertEqual(path.read_bytes(), before)

    def test_the_file_name_in_a_turkish_locale(self) -> None:
        for name in ("LANG", "LC_ALL", "LC_CTYPE"):
            self.stand_in("nvidia-smi", 'case "$*" in -L) echo "GPU 0: X" ;; *clocks*) echo 7 ;; '
                          '*) echo "NVIDIA TITAN I" ;; esac\n')
            self.expect(0, "wrote docs/results/titan_i.json", "bench", "02", "--processes", "1",
                        env={name: "tr_TR.UTF-8", **GPU})

    def test_quick_and_a_bad_path(self) -> None:
        self.expect(0, "wrote build/quick.json", "bench", "0", "--quick", env=GPU)
        self.expect(2, "cannot write to", "bench", "0", "--out", "/", env=GPU)


class Tests(Sandbox):
    def test_the_first_failure_in_ten_lines(self) -> None:
        text = "\n".join([
            "printed before", "first failure: the smallest problems",
            "  variants/02_coalesced.tile7/gemm.cu:26: gemm_kernel: thread (1,0,0) reads 4 bytes",
            "  repeat: ./ladder run 02 3 4 5 --ldb 9 --beta 2.5 --exact --seed 7",
            "tests/lessons/suite/lesson_test.cpp:78: FAILED:", "  CHECK( verdict.right )", *["more"] * 500,
            "test cases: 17 | 4 passed | 13 failed"])
        self.ctest_says(
            f'<testcase name="02_coalesced.cpu" time="1" status="fail"><system-out>{text}</system-out></testcase>',
            '<testcase name="00_naive.gpu" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>')
        answer = self.expect(1, "^FAILED: 02_coalesced.cpu$", "test", "02")
        for part in ("first failure: the smallest problems", "02_coalesced/gemm.cu:26: ",
                     "repeat: ./ladder run 02 3 4 5 --ldb 9 --beta 2.5 --exact --seed 7\n",
                     "13 of 17 test cases fail", "0 passed, 1 failed, 1 skipped"):
            self.assertIn(part, answer.out)
        self.assertNotRegex(answer.out, "variants/|printed before")
        self.assertLess(len(answer.out.splitlines()), 12)

    def test_both_backends_are_reported(self) -> None:
        row = ('<testsuite><testcase name="02_coalesced.%s" time="1" status="%s"><system-out>%s</system-out></testcase>'
               '</testsuite>')
        self.stand_in("ctest", 'where=$2\nwhile [ "$1" != --output-junit ]; do shift; done\n'
                      'cp "$STAND_INS/../tests.$where.xml" "$2"\n')
        for gpu, cpu, status, last in (
                ("fail", "run", 1, "GPU: 0 passed, 1 failed; CPU backend: 2 passed, 0 failed, in"),
                ("run", "fail", 1, "GPU: 2 passed, 0 failed; CPU backend: 0 passed, 1 failed, in"),
                ("run", "run", 0, "GPU: 2 passed, 0 failed; CPU backend: 2 passed, 0 failed, in")):
            for where, ended in (("gpu", gpu), ("cpu", cpu)):
                (self.work / f"tests.{where}.xml").write_text(row % (where, ended, "words"), encoding="utf-8")
            answer = self.expect(status, "^" + last, "test", "02", env=GPU)
            self.assertEqual("FAILED: 02_coalesced." in answer.out, status == 1)

    def test_the_time_left_is_shown(self) -> None:
        self.ctest_says('<testcase name="02_coalesced.cpu" time="1" status="run"/>')
        text = (self.bin / "ctest").read_text(encoding="utf-8")
        self.stand_in("ctest", 'echo " 3/10 Test #3: x ... Passed 1 sec"\necho "      Start  4: y"\nsleep 4\n' +
                      text.partition("\n")[2])
        for arguments, left in ((["02"], r", about 5\d s left"), (["02", "03"], "")):  # at first it assumes 60 s in all
            self.expect(0, r"^\[ 3 of 10 \] testing on the CPU backend \d s%s$" % left, "test", *arguments)

    def test_a_compilers_error_is_short(self) -> None:
        said = ("[1/9] Building CXX object x.o\nFAILED: x.o \n/usr/bin/c++ -DA " + "-I/x " * 300 +
                "\nIn file included from a.h:1:\n%s/02_coalesced/gemm.cu:25:5: error: expected ';'\n"
                "   25 |   const int row\n      |   ^~~\n" % self.tree +
                "%s/02_coalesced/gemm.cu:26:5: error: more\n" % self.tree * 30 + "ninja: build stopped")
        answer = self.expect(1, "^02_coalesced/gemm.cu:25:5: error: expected ';'$", "run", "2",
                             env={"BUILD_SAYS": said})
        self.assertLess(len(answer.err.splitlines()), 12)
        self.assertFalse(re.search("-I/x", answer.err))
        # The reason why no function fits follows the error. Notes and "required from" lines are not shown.
        said = "".join("02_coalesced/gemm.cu:%s\n" % line for line in (
            "9:1:   required from here", "30:9: error: no matching function for call to 'load_tile(int)'",
            "20:1: note: candidate: 'load_tile'", "20:1: note:   couldn't deduce template parameter 'ROWS'"))
        answer = self.expect(1, "'load_tile\\(int\\)': couldn't deduce template parameter 'ROWS'$", "run", "2",
                             env={"BUILD_SAYS": said})
        self.assertFalse(re.search("required from|candidate", answer.err))
