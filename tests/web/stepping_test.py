"""Using the explorer: addresses of states, keys and buttons, screen sizes, and the time of a step."""
from explorer_page import ExplorerTest, lesson_page


class SteppingTest(ExplorerTest):
    def test_addresses(self) -> None:
        """The address holds the state: it sets the first state, follows changes, and can change it."""
        page = lesson_page(self.folder, "02_coalesced", "01_shared_tile")
        self.open(page, "#02/warp=1/event=57/lane=5")
        state = self.state()
        self.assertEqual([state[key] for key in ("warp", "event", "lane", "comparing")], [1, 57, 5, False])
        self.run_script("shown.go({warp: 3, event: 12})")
        self.wait("location.hash === '#02/warp=3/event=12/lane=5'")
        self.run_script("location.hash = '#02/warp=2/event=9/lane=31/compare'")
        self.wait("shown.state().comparing && shown.state().warp === 2")
        for address, event in (("#02/warp=77/event=99999", 613), ("#02/warp=x/event=-1", 613), ("#02/event=0", 1)):
            self.run_script("location.hash = arguments[0]", address)
            self.wait(f"shown.state().event === {event}")
        self.run_script("location.hash = '#03/warp=1/event=5'")  # belongs to another explorer of the page
        self.assertEqual(self.state()["event"], 1)

    def test_an_anchor_in_the_address_stays(self) -> None:
        self.open(lesson_page(self.folder, "02_coalesced"), "#the-diff")
        self.size(700, 900)  # causes a new layout
        self.run_script("return new Promise((done) => setTimeout(done, 500))")
        self.assertEqual(self.run_script("return location.hash"), "#the-diff")

    def test_comparing_starts_at_the_first_difference(self) -> None:
        """It says what differs, and requests and banks come first."""
        page = lesson_page(self.folder, "02_coalesced", "01_shared_tile")
        self.open(page)
        self.run_script("shown.go({event: 5})")  # a multiplication of both
        button = self.browser.find_element("css selector", ".explorer-choices button")
        self.assertEqual(button.text, "Compare with 01_shared_tile")
        while self.state()["kind"] != "multiply":
            self.run_script("shown.go(shown.state().event + 1)")
        at = self.state()["event"]
        button.click()
        self.assertGreater(self.state()["event"], at)
        self.assertEqual(self.browser.find_element("css selector", ".explorer-difference").text,
                         "Difference: 32 wavefronts in 01_shared_tile, 1 in 02_coalesced.")
        titles = [each.text for each in self.browser.find_elements("css selector", ".explorer-pair h3")[:4]]
        self.assertEqual(titles, ["The request, element by element"] * 2 +
                         ["Shared memory: 32 banks, one row per wavefront"] * 2)
        self.open(page, "#02/warp=1/event=20/compare")  # an event that was asked for
        self.assertEqual(self.state()["event"], 20)

    def test_banks_and_registers_are_seen_at_once(self) -> None:
        """On a laptop's screen, of 1366 by 768 with 120 for the browser."""
        self.size(1366, 648)
        self.open(lesson_page(self.folder, "06_smem_transpose"), "#06/warp=1/event=80")
        bottoms = self.run_script("""return [...document.querySelectorAll('.explorer-held, .explorer-view canvas')]
            .slice(0, 2).map((each) => each.getBoundingClientRect().bottom)
            .concat(document.querySelector('.explorer-held + .explorer-words').getBoundingClientRect().bottom)""")
        self.assertLess(max(bottoms), 648)

    def test_keys_and_buttons(self) -> None:
        from selenium.webdriver.common.keys import Keys
        page = lesson_page(self.folder, "07_double_buffer", "06_smem_transpose")
        self.open(page)
        self.run_script("document.querySelector('.explorer').focus()")
        at, last = self.state()["event"], self.state()["count"]
        for key, expected in ((Keys.ARROW_RIGHT, at + 1), (Keys.ARROW_RIGHT, at + 2), (Keys.ARROW_LEFT, at + 1),
                              (Keys.END, last), (Keys.ARROW_RIGHT, last), (Keys.HOME, 1)):
            self.keys(key)
            self.assertEqual(self.state()["event"], expected)
        line = self.state()["line"]
        self.keys(Keys.ARROW_DOWN)
        self.assertNotEqual(self.state()["line"], line)
        self.keys(Keys.HOME, "]", "]")
        first = self.state()
        self.keys("]", "[")
        self.assertEqual((self.state()["stage"], self.state()["k"]), (first["stage"], first["k"]))
        self.keys("w", "w", "W", "l", "l", "l", "L")
        self.assertEqual((self.state()["warp"], self.state()["lane"]), (1, 2))
        self.keys("c")
        self.assertTrue(self.state()["comparing"])
        self.keys("c", Keys.HOME, " ")
        self.wait("shown.state().event > 3")  # it plays
        self.keys(" ")
        stopped = self.state()["event"]
        self.assertEqual(self.run_script("return document.querySelector('.explorer-scrub').value"), str(stopped))
        self.run_script("shown.go({event: document.querySelector('.explorer-scrub').max / 2})")
        while self.state()["kind"] != "load":
            self.run_script("shown.go(shown.state().event + 1)")
        self.run_script("shown.go(shown.state().event + 2)")  # after two reads of a, a read of b
        self.run_script("""const canvas = document.querySelectorAll('.explorer-canvas')[0];
            const box = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent('click', {clientX: box.right - 5, clientY: box.top + 24 + 20}));""")
        self.assertGreater(self.state()["lane"], 5)
        self.run_script("document.querySelectorAll('.explorer-busy')[4].click()")
        busy = self.run_script("return document.querySelector('.explorer-current .explorer-line-number').textContent")
        self.assertEqual(int(busy), self.state()["line"])
        self.run_script("""const room = document.querySelector('.explorer-timeline');
            const box = room.getBoundingClientRect();
            room.dispatchEvent(new MouseEvent('click', {clientX: box.right - 3, clientY: box.top + 26}));""")
        self.assertEqual(self.state()["warp"], 0)
        self.assertGreater(self.state()["event"], self.state()["count"] - 5)

    def test_accessible(self) -> None:
        """Light and dark, wide and narrow: axe-core finds nothing serious, and nothing is wider than the page."""
        page = lesson_page(self.folder, "06_smem_transpose", "05_outer_product")
        at = self.serve(self.folder)
        for scheme, width, state in (("light", 1280, ""), ("dark", 390, ""), ("dark", 1280, "/compare"),
                                     ("light", 390, "/compare")):
            with self.subTest(f"{scheme} {width} {state}"):
                self.size(width, 900)
                self.scheme(scheme)
                self.browser.get("about:blank")
                self.browser.get(f"{at}{page.name}#06/warp=1/event=60/lane=5{state}")
                self.screenshot(f"explorer_{scheme}_{width}{state.replace('/', '_')}")
                self.assert_accessible()
                self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)

    def test_a_step_is_quick(self) -> None:
        """The limit is generous, since the machine may be busy."""
        page = lesson_page(self.folder, "05_outer_product", "04_float4")
        self.open(page, "#05")
        for view, act in (("alone", ""), ("compared", "location.hash = '#05/compare'")):
            self.run_script(act)
            self.wait(f"shown.state().comparing === {'true' if act else 'false'}")
            times = self.run_script("""
                const times = [];
                for (let event = 1; event <= Math.min(800, shown.state().count); ++event) {
                  const begin = performance.now();
                  shown.go(event);
                  document.body.offsetHeight;  // includes the layout
                  times.push(performance.now() - begin);
                }
                return times.sort((a, b) => a - b);""")
            print(f"a step of 05_outer_product, {view}: {times[len(times) // 2]:.1f} ms, "
                  f"95 of 100 below {times[len(times) * 95 // 100]:.1f} ms")
            self.assertLess(times[len(times) // 2], 160)
