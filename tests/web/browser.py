"""Tests of pages in Debian's chromium, by Selenium.

    class MyPage(BrowserTest):
        def test_it(self) -> None:
            self.browser.get(self.serve(folder) + "page.html")

A message of an error in the browser's console fails the test, and so does a request to another host than 127.0.0.1.
Where chromium, its driver or build/venv is lacking the tests are skipped; with LADDER_WEB=1 they fail instead.
python3 -B tests/web/browser.py makes build/venv.
"""
import functools
import http.server
import importlib.resources
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import unittest
from typing import Any, ClassVar, Dict, List

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "common"))

from ladder.lib import packages  # noqa: E402

LACKING = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
if not packages.found():
    LACKING.append("build/venv (python3 -B tests/web/browser.py makes it)")
MUST = os.environ.get("LADDER_WEB") == "1"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, under /site/: as where a host has several sites."""

    def log_message(self, *_: Any) -> None:
        """Nothing is said of requests."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(path[len("/site"):] if path.startswith("/site/") else "/absent")


def _options(folder: str) -> Any:
    from selenium.webdriver.chrome.options import Options
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--force-device-scale-factor=1", "--window-size=1280,900", f"--user-data-dir={folder}",
                 "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--no-proxy-server"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options


@unittest.skipIf(LACKING and not MUST, f"there is no {', no '.join(LACKING)}")
class BrowserTest(unittest.TestCase):
    """One browser for all tests of a class. browser: Selenium's driver."""
    browser: ClassVar[Any]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        if LACKING:
            raise AssertionError(f"LADDER_WEB=1, and there is no {', no '.join(LACKING)}")
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.browser = webdriver.Chrome(_options(folder.name), Service(shutil.which("chromedriver")))
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(90)  # axe-core looks at each word of a page

    def setUp(self) -> None:
        """A page of its own, in the light, 1280 by 900; what was said in the console before is gone."""
        self.browser.get("about:blank")
        self.size(1280, 900)
        self.scheme("light")
        self.scripts(True)
        self.browser.get_log("browser")

    def tearDown(self) -> None:
        self.assertEqual(self.console(), [], "errors in the browser's console")

    def console(self) -> List[str]:
        """The errors in the console since this was last asked. Nobody need have the icon that browsers ask for."""
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] == "SEVERE" and "/favicon.ico - " not in entry["message"]]

    def serve(self, folder: pathlib.Path) -> str:
        """Serves a folder until the test ends; returns the address of its top, with a / at its end."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/site/"

    def run_script(self, script: str, *words: Any) -> Any:
        """What JavaScript returns; words are its arguments[]."""
        return self.browser.execute_script(script, *words)

    def wait(self, script: str, seconds: float = 10) -> Any:
        """Waits until an expression in JavaScript is true, and returns its value."""
        from selenium.webdriver.support.wait import WebDriverWait
        return WebDriverWait(self.browser, seconds, 0.05).until(
            lambda browser: browser.execute_script(f"return {script}"), f"never true: {script}")

    def keys(self, *keys: str) -> None:
        """Presses keys, as selenium.webdriver.common.keys names them, where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).send_keys(*keys).perform()

    def size(self, width: int, height: int) -> None:
        """Of the page in CSS pixels: 390 is a phone."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name: str, motion: str = "reduce") -> None:
        """What the reader's system prefers: "light" or "dark", and of motion "reduce" or "no-preference"."""
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": motion}]})

    def scripts(self, on: bool) -> None:
        """Whether pages that are opened from here on run JavaScript."""
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not on})

    def screenshot(self, name: str) -> pathlib.Path:
        """What is seen, as build/screenshots/NAME.png."""
        path = ROOT / "build" / "screenshots" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.browser.save_screenshot(str(path))
        return path

    def assert_accessible(self, where: str = "") -> None:
        """axe-core finds nothing serious in the page."""
        axe = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self.browser.execute_script(axe)
        found: Dict[str, Any] = self.browser.execute_async_script(
            "axe.run({resultTypes: ['violations']}).then(arguments[0], (error) => arguments[0]({error: '' + error}));")
        self.assertNotIn("error", found)
        serious = [f"{each['id']}: {each['help']}: " + "; ".join(node["html"][:150] for node in each["nodes"][:4])
                   for each in found["violations"] if each["impact"] in ("serious", "critical")]
        self.assertEqual(serious, [], where)


if __name__ == "__main__":
    packages.need_packages()
