"""Base class for tests of ./ladder lab: a copy of the checkout and its lab, with the programs of the build folder
LADDER_CPU_BUILD, which ctest sets."""
import os
import shutil
import sys
from typing import List

from browser import MUST, ROOT, BrowserTest

sys.path[:0] = [str(ROOT / "tests" / "ladder"), str(ROOT / "tests" / "ladder" / "practice")]
os.environ.setdefault("LADDER_CPU_BUILD", str(ROOT / "build" / "cpu"))

from built import BUILT, Built  # noqa: E402

ENTER, CONTROL = "\ue007", "\ue009"


class LabTest(BrowserTest, Built):
    """A copy of the checkout with its own practice/, and its lab."""

    def setUp(self) -> None:
        if MUST and not (BUILT / "bin" / "simtcc").exists():
            self.fail(f"{BUILT} has no bin/simtcc")
        Built.setUp(self)
        BrowserTest.setUp(self)
        shutil.copytree(ROOT / "common" / "web", self.tree / "common" / "web")
        for name in ("learn", "pictures"):
            shutil.copytree(ROOT / "docs" / name, self.tree / "docs" / name)
        for path in ROOT.glob("[0-9][0-9]_*/README.md"):
            shutil.copy(path, self.tree / path.parent.name)
        self.port = "0"
        self.lab()

    def lab(self, *words: str) -> None:
        """Starts a server. Sets self.top to its address."""
        self.server = self.start("lab", "--no-browser", "--port", self.port, *words)
        self.addCleanup(self.server.communicate)
        self.addCleanup(self.server.kill)
        self.top = self.server.stdout.readline().decode().partition("?")[0]
        self.port = self.top.split("/")[2].partition(":")[2]

    def open(self, name: str) -> None:
        self.browser.get(f"{self.top}?open={name}")
        self.wait("document.querySelector('#panel-task h2')")

    def file(self, name: str) -> str:
        return (self.tree / "practice" / name / "gemm.cu").read_text(encoding="utf-8")

    def lesson(self, name: str) -> str:
        return (ROOT / name / "gemm.cu").read_text(encoding="utf-8")

    def type(self, text: str) -> None:
        """Replaces the editor's text in one edit."""
        self.run_script("ladder.lab.editor.set(arguments[0])", text)

    def edit(self, old: str, new: str) -> None:
        text = self.run_script("return ladder.lab.editor.get()")
        self.assertIn(old, text)
        self.type(text.replace(old, new))

    def saved(self) -> None:
        self.wait("!ladder.lab.keep.dirty() && document.getElementById('saved').textContent === 'saved'")

    def press(self, name: str) -> None:
        """Clicks the button with this text."""
        self.run_script("[...document.querySelectorAll('button')].find((each) => each.textContent === arguments[0]).click()", name)

    def texts(self, selector: str) -> List[str]:
        return self.run_script("return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector)

    def verdict(self) -> str:
        """Starts a run with the keyboard and waits for the first verdict."""
        self.run_script("document.querySelector('.CodeMirror').CodeMirror.focus()")
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).key_down(CONTROL).send_keys(ENTER).key_up(CONTROL).perform()
        self.wait("document.body.classList.contains('running')")
        self.wait("document.querySelector('.first') || document.querySelector('#status.bad')", 60)
        return "\n".join(self.texts(".first li"))

    def stop(self) -> None:
        self.run_script("document.getElementById('stop').click()")
        self.wait("document.getElementById('status').textContent.startsWith('stopped')", 20)
