"""browser.py finds the errors of a page."""
import pathlib
import tempfile

from browser import BrowserTest

PAGE = "<!doctype html><html lang='en'><title>A page</title><main><h1>A page</h1>%s</main></html>"


class Browser(BrowserTest):
    def open(self, body: str) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        pathlib.Path(folder.name, "a.html").write_text(PAGE % body, encoding="utf-8")
        self.browser.get(self.serve(pathlib.Path(folder.name)) + "a.html")

    def test_a_good_page(self) -> None:
        self.open("<p>Text.</p><script>document.title = matchMedia('(prefers-color-scheme: dark)').matches</script>")
        self.assertEqual(self.browser.title, "false")
        self.assert_accessible()
        self.size(390, 800)
        self.scheme("dark")
        self.browser.refresh()
        self.assertEqual((self.browser.title, self.run_script("return innerWidth")), ("true", 390))
        self.assertGreater(self.screenshot("a_good_page").stat().st_size, 1000)

    def test_errors_are_seen(self) -> None:
        for body in ("<script>absent();</script>", "<script src='absent.js'></script>", "<img alt='' src='absent.png'>",
                     "<script src='http://example.org/a.js'></script>"):
            self.open(body)
            self.assertEqual(len(self.console()), 1, body)

    def test_axe_findings_fail(self) -> None:
        self.open("<p style='color: #bbb; background: #fff'>Pale text.</p>"
                  "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>")
        with self.assertRaisesRegex(AssertionError, "(?s)color-contrast.*image-alt|image-alt.*color-contrast"):
            self.assert_accessible()

    def test_scripts_can_be_off(self) -> None:
        self.scripts(False)
        self.open("<script>document.title = 'changed'</script>")
        self.assertEqual(self.browser.title, "A page")
