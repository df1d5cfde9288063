"""python3 -B tests/web/moving_picture.py draws docs/pictures/explorer.webp, the explorer at the first steps of a warp of
lesson 02. It needs chromium, its driver, build/venv (browser.py creates it) and the program explain.02_coalesced."""
import io
import pathlib
import sys
import tempfile
import unittest
from typing import Any, List

from browser import ROOT, BrowserTest
from explorer_page import options_of, trace_of, write_page, write_run

LESSON = "02_coalesced"
PICTURE = ROOT / "docs" / "pictures" / "explorer.webp"
WIDTH, HEIGHT = 1100, 736
SECONDS = 1.6  # per frame
MOST = 300_000  # bytes
STYLE = "h1 { display: none } body { padding: 0.4rem 1.2rem !important } .explorer-source { height: 19rem !important }"


class Draw(BrowserTest):
    def frames(self, folder: pathlib.Path) -> List[Any]:
        """A screenshot of warp 1's first event at each line that accesses memory or waits, in the order of the run."""
        from PIL import Image
        trace = trace_of(LESSON)
        self.browser.get(f"file://{write_page(folder, LESSON, options_of(LESSON), write_run(folder, LESSON, trace))}")
        self.size(WIDTH, HEIGHT)
        self.run_script("document.head.append(Object.assign(document.createElement('style'), {textContent: arguments[0]}))",
                        STYLE)
        pictures, seen = [], set()
        own = [event for event in trace["events"] if event[0] == 1]
        for number, (_, site, *_) in enumerate(own, 1):
            if site not in seen:
                seen.add(site)
                self.run_script("shown.go({warp: 1, event: arguments[0]})", number)
                self.wait(f"document.querySelector('.explorer-where').textContent.startsWith('event {number} ')")
                pictures.append(Image.open(io.BytesIO(self.browser.get_screenshot_as_png())).convert("RGB"))
        return pictures

    def test_draw(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            frames = self.frames(pathlib.Path(folder))
        frames[0].save(PICTURE, save_all=True, append_images=frames[1:], duration=int(1000 * SECONDS), loop=0,
                       lossless=True, quality=100, method=6)
        print(f"{PICTURE.relative_to(ROOT)}: {len(frames)} frames, {PICTURE.stat().st_size} bytes")
        self.assertLess(PICTURE.stat().st_size, MOST)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
