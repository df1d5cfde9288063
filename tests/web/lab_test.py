"""./ladder lab in a browser."""
import pathlib
import signal
import subprocess

from browser import ROOT
from lab_page import LabTest

RIGHT, DOWN, ENTER = "\ue014", "\ue015", "\ue007"
EXPLORER = "#panel-explorer .explorer-now"
MARKUP = "// <img src=x onerror='window.broken = 1'><script>window.broken = 1</script>\n"


OWN = """\
__global__ void turn(int* out) {
  __shared__ int part[64];
  part[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = part[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  turn<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
"""


class Own(LabTest):
    def test_a_program_of_ones_own(self) -> None:
        path = self.work / "turn.cu"
        path.write_text(OWN, encoding="utf-8")
        self.server.kill()
        self.server.communicate()
        self.lab(str(path))
        self.open("own")
        self.assertEqual(self.texts("#subject"), ["turn.cu · your program"])
        self.assertIn("line 4: turn: thread", self.verdict())
        self.wait("!document.body.classList.contains('running')", 60)
        self.assertTrue(any("with no __syncthreads()" in each for each in self.texts(".finding")))
        self.assertEqual(self.texts("#status.bad")[0].rpartition(" ")[0].rpartition(" ")[0], "1 error found")
        self.screenshot("lab_own")
        self.edit("  out[", "  __syncthreads();\n  out[")
        self.assertIn("1 launch; no race or out-of-bounds access", self.verdict())
        self.wait("document.querySelector('#status.good')", 60)
        self.assertGreaterEqual(len(self.texts(".count")), 3)
        self.assertIn("__syncthreads();", path.read_text(encoding="utf-8"))
        for tab in ("task", "verdict", "counts", "changes", "explorer", "lesson"):
            self.run_script(f"document.getElementById('tab-{tab}').click()")
            self.wait(f"document.querySelector('#panel-{tab} > *')")
            self.assert_accessible(tab)


class Climbing(LabTest):
    def test_a_link_opens_its_fold(self) -> None:
        self.open("06_smem_transpose")
        self.run_script("document.getElementById('tab-lesson').click()")
        fold = "document.querySelector('#panel-lesson [data-anchor=padding]')"
        self.wait(fold)
        self.run_script("[...document.querySelectorAll('#panel-lesson a')].find((a) => a.textContent === 'picture').click()")
        self.wait(f"{fold}?.open")

    def test_a_wrong_edit_is_marked_and_the_right_one_passes(self) -> None:
        self.open("02_coalesced")
        self.screenshot("lab_climb")
        self.verdict()
        self.wait("!document.body.classList.contains('running')", 200)
        found = self.texts(".finding")  # the lines at fault and the conditions that they do not meet
        self.assertTrue(found and all("(need " in each for each in found), found)
        self.assertIn("Correct, but the idea of lesson 02 is missing.", self.texts("#status")[0])
        self.assertEqual(self.texts("#status.bad, .first.bad"), [])  # the result itself is right
        self.edit("    __syncthreads();  // both tiles are complete", "    // both tiles are complete")
        verdict = self.verdict()
        line = self.run_script("return ladder.lab.editor.get()").split("\n").index(
            next(each for each in self.file("02_coalesced").split("\n") if "acc += Acc(As" in each)) + 1
        self.assertIn(f"line {line}: gemm_kernel: thread", verdict)
        self.assertEqual(self.run_script("return ladder.lab.editor.raw().lineInfo(arguments[0]).gutterMarkers.marks.title",
                                         line - 1).split(":")[0], "gemm_kernel")
        self.assertTrue(any("with no __syncthreads()" in each for each in self.texts(".finding")))
        self.screenshot("lab_race")
        self.type(self.lesson("02_coalesced"))
        self.assertIn("correct so far", self.verdict())
        seconds = self.run_script("return document.querySelector('.first').dataset.seconds")
        print(f"first verdict after {seconds} s")
        self.wait("document.querySelectorAll('.count').length >= 3", 60)
        self.assertEqual(self.texts(".count")[:2], ["4.0", "1.0"])
        self.wait("document.querySelector('#status.good')", 200)
        self.assertIn("Passed: your lesson 02 is correct and has its idea.", self.texts("#status")[0])
        self.assertIn("Next climb: ./ladder climb 03", "".join(self.texts(".judged li")))
        self.wait("document.getElementById('subject').textContent.includes('(passed)')")
        self.screenshot("lab_passed")

    def test_every_tab(self) -> None:
        self.open("02.0")
        self.check_explorer_before_a_run()
        self.verdict()
        self.run_script("document.getElementById('tab-explorer').click()")
        self.wait(f"document.querySelector('{EXPLORER}')", 60)
        self.stop()
        for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light")):
            self.size(width, 900)
            self.scheme(scheme)
            for tab in ("task", "verdict", "counts", "changes", "explorer", "lesson"):
                self.run_script(f"document.getElementById('tab-{tab}').click()")
                self.wait(f"document.querySelector('#panel-{tab} > *')")
                self.assert_accessible(f"{tab}, {width}, {scheme}")
                if scheme == "dark" or tab == "counts":
                    self.screenshot(f"lab_{tab}_{scheme}_{width}")
            self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)
        counts = self.texts("#panel-counts tbody tr")
        self.assertTrue(any(each.startswith("sectors per request4.0032.00") for each in counts), counts)
        self.assertIn("18", self.texts("#panel-changes p")[0] + self.texts("#panel-lesson p")[2])

    def check_explorer_before_a_run(self) -> None:
        """It shows the lesson, steps through the editor, and names the lesson that it compares with."""
        self.size(900, 700)
        self.assertLessEqual(self.run_script("const tabs = document.querySelector('.tabs'); "
                                             "return tabs.scrollWidth - tabs.clientWidth"), 0)
        self.run_script("document.getElementById('tab-explorer').click()")
        self.wait(f"document.querySelector('{EXPLORER}')", 60)
        self.assertIn("Compare with 01_shared_tile", self.texts(".explorer-choices button"))
        self.assertTrue(self.run_script("return document.getElementById('run').checkVisibility() "
                                        "&& document.getElementById('editor').checkVisibility()"))
        self.assertEqual(self.texts(".explorer-source"), [])
        line = self.run_script("return document.querySelector('.explorer-now').textContent").split("line ")[1].split(":")[0]
        self.assertEqual(self.run_script("const cm = ladder.lab.editor.raw(); let found = 0; cm.eachLine((line) => "
                                         "{ if ((line.bgClass || '').includes('stepped')) found = cm.getLineNumber(line) + 1; });"
                                         "return found"), int(line))
        self.screenshot("lab_explorer_before")

    def test_markdown_pages(self) -> None:
        """No Markdown syntax remains in the rendered READMEs and pages for learners."""
        self.open("00.0")
        pages = [*ROOT.glob("[0-9][0-9]_*/README.md"), *ROOT.glob("beyond/[0-9]*/README.md"), *ROOT.glob("docs/learn/*.md")]
        self.assertGreater(len(pages), 15)
        for path in pages:
            text, links, images = self.run_script("""
                const box = document.createElement('div');
                box.append(...ladder.lab.markdown.render(arguments[0], arguments[1], () => {}));
                const links = [...box.querySelectorAll('a')].length;
                box.querySelectorAll('code').forEach((each) => each.remove());
                return [box.textContent, links, [...box.querySelectorAll('img')].map((each) => each.getAttribute('src'))];
                """, path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
            self.assertNotRegex(text, r"\*\*|\]\(|\]\[[a-z ]{4,}\]|<details|<summary|<!--|(?m:^\[[^\]]+\]: )|^#|`|\|--", path)
            self.assertGreater(links, 0, path)
            for source in images:
                self.assertTrue((ROOT / source).is_file(), source)

    def test_an_exercise(self) -> None:
        """It is found in the list of subjects. Verdicts and explanations are below the task."""
        self.open("02.0")
        self.assertEqual(self.texts("#subject"), ["02_coalesced · experiment"])
        self.run_script("document.getElementById('subject').click()")
        self.keys("exercise 02")
        self.wait("document.querySelectorAll('#subjects section:not([hidden])').length === 1")
        self.assert_accessible("the list of subjects")
        self.screenshot("lab_subjects")
        self.keys(DOWN, DOWN, DOWN, ENTER)
        self.wait("document.querySelector('#panel-task h2').textContent === 'Exercise 02.3'", 30)
        self.assertEqual(self.texts("#subject"), ["Exercise 02.3"])
        self.assert_accessible()
        self.run_script("document.querySelector('.questions input').value = '2'")
        self.press("Check the answers")
        self.wait("[...document.querySelectorAll('.said.bad')].some((each) => each.textContent === 'not yet')", 60)
        self.wait("!document.body.classList.contains('running')", 60)
        self.assertEqual(sum(each.startswith("hint ") for each in self.texts("#answered li")), 1)
        self.run_script("document.querySelector('.questions input').value = '1'")
        self.press("Check the answers")
        self.wait("document.querySelector('.said').textContent === 'right'", 60)
        self.wait("document.querySelector('#status.good')", 60)
        # The explanation is below the answer. After a reload the exercise is still done.
        self.assertTrue(self.run_script("return document.querySelector('#panel-task').contains(document.querySelector('.judged'))"))
        self.assertIn("Exercise 02.3 is done.", "".join(self.texts("#answered li")))
        self.open("02.3")
        self.assertEqual(self.texts("#answered"), ["Exercise 02.3 is done."])
        self.assertEqual(self.run_script("return document.querySelector('.questions input').value"), "1")
        self.assertIn("(done)", self.texts("#subject")[0])
        self.assertEqual(len(self.texts("#hints li")), 1)
        self.press("Hint")
        self.wait("document.querySelectorAll('#hints li').length === 2")
        # An answer that is no number: its field says so.
        self.run_script("document.querySelector('.questions input').value = 'x'")
        self.press("Check the answers")
        self.wait("document.querySelector('.said.bad')", 60)
        self.assertEqual(self.texts(".said.bad"), ["Please type a number, not 'x'."])
        self.assertEqual(self.run_script("return document.querySelector('[aria-selected=true]').id"), "tab-task")

    def test_a_knob(self) -> None:
        self.open("02.0")
        self.run_script("document.querySelectorAll('.knob input')[2].focus()")
        self.keys(RIGHT)  # BK from 32 to 64
        self.wait("document.body.classList.contains('running')")
        self.assertIn("constexpr int BK = 64;", self.file("02.0"))
        self.wait("document.querySelector('.first')", 60)
        self.assertIn("correct so far", "".join(self.texts(".first li")))
        self.stop()

    def test_a_compile_error_and_an_endless_loop(self) -> None:
        self.open("02.0")
        self.edit("Acc acc = 0;", "Acc acc = 0")
        self.assertIn("it does not compile", self.verdict())
        self.assertTrue(any("expected" in each for each in self.texts(".finding")))
        self.type(self.lesson("02_coalesced").replace("if (p.M == 0", "for (volatile int i = 0; i == 0;) {\n  }\n  if (p.M == 0"))
        self.run_script("document.getElementById('run').click()")
        self.wait("document.getElementById('status').textContent.startsWith('running')", 60)
        self.stop()
        for _ in range(50):
            if not self.programs():
                break
            self.run_script("return 0")
        self.assertEqual(self.programs(), "")
        self.type(MARKUP + self.lesson("02_coalesced").replace("return run_lesson", "return <b>run_lesson"))
        self.assertIn("it does not compile", self.verdict())
        self.assertEqual(self.run_script("return [window.broken === undefined, document.querySelectorAll('.left img, #panel-verdict img').length]"),
                         [True, 0])

    def programs(self) -> str:
        """The running lesson programs of this copy of the checkout."""
        done = subprocess.run(["pgrep", "-f", f"{self.tree}/build/cpu/bin/"], stdout=subprocess.PIPE, check=False)
        return done.stdout.decode()


class Files(LabTest):
    def test_a_second_tab_gets_a_notice(self) -> None:
        self.open("02.0")
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.addCleanup(self.browser.switch_to.window, first)
        self.addCleanup(self.browser.close)
        self.open("02.0")
        self.type("second\n")
        self.saved()
        self.browser.switch_to.window(first)
        self.wait("document.querySelector('.notice[data-name=conflict]')")
        self.type("first\n")
        self.press("Keep my text")
        self.saved()
        self.assertEqual(self.file("02.0"), "first\n")
        self.assertEqual(self.spare(""), "second\n")
        second = next(each for each in self.browser.window_handles if each != first)
        self.browser.switch_to.window(second)
        self.wait("document.querySelector('.notice[data-name=conflict]')")
        self.type("second again\n")
        self.press("Use the changed file")
        self.saved()
        self.assertEqual(self.run_script("return ladder.lab.editor.get()"), "first\n")
        self.assertEqual(self.spare(".2"), "second again\n")

    def spare(self, number: str) -> str:
        return (self.tree / "practice" / "02.0" / f"gemm.cu.before{number}").read_text(encoding="utf-8")

    def test_a_killed_server(self) -> None:
        self.open("02.0")
        self.kill()
        self.type("typed while it was dead\n")
        self.wait("document.querySelector('.notice[data-name=lost]')")
        self.assertEqual(self.texts("#saved"), ["kept in this browser"])
        self.console()  # discards the connection errors
        self.lab()
        self.saved()
        self.wait("!document.querySelector('.notice[data-name=lost]')")
        self.assertEqual(self.file("02.0"), "typed while it was dead\n")
        self.console()

    def test_a_page_closed_before_its_text_was_saved(self) -> None:
        self.open("02.0")
        self.kill()
        self.type("not saved\n")
        self.wait("document.querySelector('.notice[data-name=lost]')")
        self.browser.get("about:blank")
        self.console()
        self.lab()
        self.open("02.0")
        self.saved()
        self.assertEqual(self.file("02.0"), "not saved\n")
        # The same, but the file has changed in the meantime.
        self.kill()
        self.type("not saved either\n")
        self.wait("document.querySelector('.notice[data-name=lost]')")
        self.browser.get("about:blank")
        self.console()
        (self.tree / "practice" / "02.0" / "gemm.cu").write_text("an editor's\n", encoding="utf-8")
        self.lab()
        self.open("02.0")
        self.wait("document.querySelector('.notice[data-name=unsaved]')")
        self.assertEqual(self.run_script("return ladder.lab.editor.get()"), "an editor's\n")
        self.press("Save it in another file")
        self.wait("document.querySelector('.notice[data-name=kept]')")
        self.assertEqual(self.spare(""), "not saved either\n")

    def kill(self) -> None:
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def test_long_texts(self) -> None:
        self.open("02.0")
        before = self.file("02.0")
        self.run_script("ladder.lab.editor.set(('x'.repeat(99) + '\\n').repeat(52500))")
        self.wait("document.querySelector('.notice[data-name=save]')", 60)
        self.assertIn("more than 1048576 bytes", self.texts(".notice p")[0])
        self.assertEqual(self.file("02.0"), before)
        self.run_script("ladder.lab.editor.set('short\\n')")
        self.saved()
        self.console()  # discards the error of the refused request


class Strangers(LabTest):
    def test_a_foreign_page(self) -> None:
        """It can neither read nor start anything, even if it knows the link."""
        self.open("02.0")
        (self.work / "foreign").mkdir()
        (self.work / "foreign" / "a.html").write_text("<!doctype html><title>x</title>", encoding="utf-8")
        self.browser.get(self.serve(pathlib.Path(self.work, "foreign")) + "a.html")
        script = """const [url, mode, done] = arguments;
            fetch(url, {method: 'POST', mode, headers: mode === 'cors' ? {'Content-Type': 'application/json'} : {},
                        body: JSON.stringify({name: '02.0', text: 'stolen', version: '', answers: []})})
              .then((answer) => done(answer.type), () => done('refused'));"""
        for where in ("run", "save", "stop", "open?name=02.0"):
            self.assertEqual(self.browser.execute_async_script(script, self.top + where, "cors"), "refused")
            self.browser.execute_async_script(script, self.top + where, "no-cors")
        self.console()
        self.assertEqual(self.file("02.0"), self.lesson("02_coalesced"))
        self.assertFalse((self.tree / "build" / "cpu" / "made" / "practice.02.0").exists())
        self.run_script("const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)", self.top)
        self.wait("document.querySelector('iframe').contentDocument === null")
        self.console()
