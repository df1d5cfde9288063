"""Tests of pages in Debian's chromium, with Selenium.

    class MyPage(BrowserTest):
        def test_it(self) -> None:
            self.browser.get(self.serve(folder) + "page.html")

An error message in the browser's console fails the test. So does a request to a host other than 127.0.0.1. If chromium,
its driver or build/venv is missing, the tests are skipped; with LADDER_WEB=1 they fail. python3 -B tests/web/browser.py
creates build/venv.
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
    LACKING.append("build/venv (python3 -B tests/web/browser.py creates it)")
MUST = os.environ.get("LADDER_WEB") == "1"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder under /site/, as a host with several sites does."""

    def log_message(self, *_: Any) -> None:
        """Does not log requests."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(path[len("/site"):] if path.startswith("/site/") else "/absent")


def _options(folder: str) -> Any:
    from selenium.webdriver.chrome.options import Options
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--force-device-scale-factor=1", "--window-size=1280,900", f"--user-data-dir={folder}",
                 "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--no-proxy-server"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options


@unittest.skipIf(LACKING and not MUST, f"there is no {', no '.join(LACKING)}")
class BrowserTest(unittest.TestCase):
    """All tests of a class share one browser. browser: Selenium's driver."""
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
        cls.browser.set_script_timeout(90)  # axe-core is slow on long pages

    def setUp(self) -> None:
        """Starts with an empty page, light, 1280 by 900, and an empty console."""
        self.browser.get("about:blank")
        self.size(1280, 900)
        self.scheme("light")
        self.scripts(True)
        self.browser.get_log("browser")

    def tearDown(self) -> None:
        self.assertEqual(self.console(), [], "errors in the browser's console")

    def console(self) -> List[str]:
        """The errors in the console since the last call. A missing /favicon.ico is no error."""
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] == "SEVERE" and "/favicon.ico - " not in entry["message"]]

    def serve(self, folder: pathlib.Path) -> str:
        """Serves a folder until the test ends. Returns its address, with a / at the end."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/site/"

    def run_script(self, script: str, *arguments: Any) -> Any:
        """Runs JavaScript with these arguments[] and returns its result."""
        return self.browser.execute_script(script, *arguments)

    def wait(self, script: str, seconds: float = 10) -> Any:
        """Waits until an expression in JavaScript is true, and returns its value."""
        from selenium.webdriver.support.wait import WebDriverWait
        return WebDriverWait(self.browser, seconds, 0.05).until(
            lambda browser: browser.execute_script(f"return {script}"), f"never true: {script}")

    def keys(self, *keys: str) -> None:
        """Sends keys (from selenium.webdriver.common.keys) to the focused element."""
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).send_keys(*keys).perform()

    def size(self, width: int, height: int) -> None:
        """Sets the page's size in CSS pixels. A phone has a width of 390."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name: str, motion: str = "reduce") -> None:
        """Sets the reader's preferences: "light" or "dark", and "reduce" or "no-preference" for motion."""
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": motion}]})

    def scripts(self, on: bool) -> None:
        """Enables or disables JavaScript for pages opened from now on."""
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not on})

    def screenshot(self, name: str) -> pathlib.Path:
        """Saves the visible part as build/screenshots/NAME.png."""
        path = ROOT / "build" / "screenshots" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.browser.save_screenshot(str(path))
        return path

    def assert_accessible(self, where: str = "") -> None:
        """Checks that axe-core finds no serious fault in the page."""
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
