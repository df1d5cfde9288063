"""./ladder lab without a browser: which requests it accepts, what it serves, that no text is lost, and that runs end. The
programs are stand-ins."""
import json
import signal
import socket
import time
from http.client import HTTPResponse
from typing import Any, Dict, List

from lab_server import Lab


class Requests(Lab):
    def test_origins_and_hosts(self) -> None:
        self.open()
        good, own = {"Host": f"localhost:{self.port}"}, f"http://127.0.0.1:{self.port}"
        for headers in ({}, good, {"Origin": own}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
            self.assertEqual(self.ask("menu", headers=headers)[0], 200, headers)
        run = {"name": "02.0", "answers": []}
        for headers, message in (({"Origin": "http://example.org"}, "origin"), ({"Origin": "null"}, "origin"),
                                 ({"Origin": f"http://127.0.0.1:{self.port + 1}"}, "origin"),
                                 ({"Sec-Fetch-Site": "cross-site"}, "origin"), ({"Sec-Fetch-Site": "same-site"}, "origin"),
                                 ({"Host": "example.org"}, "host"), ({"Host": f"example.org:{self.port}"}, "host"),
                                 ({"Host": "127.0.0.1"}, "host")):
            for path, body in (("", None), ("menu", None), ("run", run), ("stop", {})):
                self.refused(403, message, path, body, headers)
        for path in ("/", "/menu", "/x/menu", f"{self.top[:-2]}/menu", f"{self.top[:-1]}x/menu", self.top[:-1]):
            self.refused(403, "this is not the link", path)
        self.assertFalse(any(call.startswith("simtcc") and "practice" in call for call in self.called()))

    def test_served_files(self) -> None:
        self.open()
        for path, text, kind in (("", b"the page\n", "text/html"), ("common/web/lab/lab.js", b"the script\n", "text/javascript")):
            response = self.connect(path)
            self.assertEqual((response.status, response.read()), (200, text))
            self.assertEqual(response.headers["Content-Type"], kind + "; charset=utf-8")
            self.assertIn("default-src 'none'", response.headers["Content-Security-Policy"])
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")
        for path in ("../etc/passwd", "common/web/lab/../../ladder/lab.py", "common/web/lab/%2e%2e/x.js", "common/ladder/lab.py",
                     "build/lab/secret", "common/web/lab/absent.js", "<b>x", "common/web/lab/", "docs/../LICENSE"):
            self.refused(404, "there is no '", path)
        self.refused(404, "there is no 'readme'", "readme?path=../../etc/passwd")
        self.refused(404, "there is no 'x'", "x", {"name": "02.0"})

    def test_names_and_bodies(self) -> None:
        self.open()
        for name in ("", "99.0", "02.99", "../02.0", "<script>alert(1)</script>", "02.0/..", "practice/02.0"):
            self.refused(400, "no exercise called", "open?name=" + name.replace("<", "%3C").replace(">", "%3E"))
            self.refused(400, "no exercise called", "run", {"name": name})
        for body in (b"", b"{", b"[]", b"\xff", b'"x"', b"[" * 100000):
            self.refused(400, "the request must be a JSON object", "save", body)
        self.refused(400, "the request must be a JSON object", "save", {}, {"Content-Type": "text/plain"})
        for bad in ({"text": 7}, {"answers": "7"}, {"answers": [7]}, {"answers": ["x" * 300]}):
            self.refused(400, "text must be a string", "run", {"name": "02.0", **bad})
        self.refused(400, "only climbs and exercises have hints", "hint", {"name": "02.0"})
        for half in ({"text": "\ud800"}, {"text": "x\udc00"}, {"answers": ["\ud800"]}, {"version": "\udfff"}):
            self.refused(400, "a lone surrogate", "save", {"name": "02.0", **half})

    def test_many_at_once(self) -> None:
        """Requests that arrive while the server is stopped are answered later."""
        server = self.open()
        server.send_signal(signal.SIGSTOP)
        asking = [socket.create_connection(("127.0.0.1", self.port), timeout=5) for _ in range(100)]
        for each in asking:
            self.addCleanup(each.close)
            each.sendall(self.request(b"{}"))
        server.send_signal(signal.SIGCONT)
        for each in asking:
            each.settimeout(60)
            self.assertIn(b" 200 ", each.makefile("rb").readline())

    def request(self, body: bytes, length: int = 0) -> bytes:
        """A request to stop, as bytes. length: a wrong Content-Length."""
        return (f"POST {self.top}stop HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {length or len(body)}\r\n\r\n").encode() + body

    def test_a_very_slow_request(self) -> None:
        path = self.tree / "common" / "ladder" / "serving" / "server.py"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("patience = 60.0", "patience = 2.0"), encoding="utf-8")
        self.open()
        slow, end = socket.create_connection(("127.0.0.1", self.port), timeout=0.2), time.monotonic() + 20
        self.addCleanup(slow.close)
        slow.sendall(self.request(b"{", 1000))
        answer = b""
        while not answer and time.monotonic() < end:
            try:
                answer = slow.recv(1 << 16)
            except socket.timeout:
                slow.sendall(b" ")
        self.assertIn(b" 408 ", answer.split(b"\r\n")[0])
        self.assertEqual(self.ask("stop", {}), (200, {}))


class Files(Lab):
    def test_saving_loses_no_text(self) -> None:
        self.open("02", "--port", "0")
        self.assertEqual(self.query, "open=02.0")
        _, one = self.ask("open?name=02.0")
        path = self.tree / "practice" / "02.0" / "gemm.cu"
        self.assertEqual(one["text"], path.read_text(encoding="utf-8"))
        text = one["text"] + "// <b>&\udcff é\r\n"  # a byte that is no UTF-8
        status, saved = self.ask("save", {"name": "02.0", "text": text, "version": one["version"]})
        self.assertEqual((status, path.read_bytes()), (200, text.encode("utf-8", "surrogateescape")))
        self.assertEqual(self.ask("version?name=02.0")[1], saved)
        self.assertEqual(self.ask("open?name=02.0")[1]["text"], text)
        # A second tab that still has the first text.
        _, answer = self.ask("save", {"name": "02.0", "text": "mine\n", "version": one["version"]})
        self.assertEqual(answer, {"conflict": saved["version"], "text": text})
        self.assertEqual(path.read_bytes(), text.encode("utf-8", "surrogateescape"))
        self.assertEqual(self.ask("save", {"name": "02.0", "text": text, "version": one["version"]})[1], saved)
        for kept in ("gemm.cu.before", "gemm.cu.before.2"):
            self.assertEqual(self.ask("keep", {"name": "02.0", "text": kept})[1], {"kept": "practice/02.0/" + kept})
            self.assertEqual(path.with_name(kept).read_text(encoding="utf-8"), kept)
        _, again = self.ask("restart", {"name": "02.0"})
        self.assertEqual((again["text"], again["note"]), (one["text"], "Your file is kept as practice/02.0/gemm.cu.before.3."))

    def test_long_texts(self) -> None:
        self.open()
        _, one = self.ask("open?name=00.0")
        long = {"name": "00.0", "text": "x" * (5 << 20), "version": one["version"]}
        self.refused(400, "more than 1048576 bytes", "save", long)
        self.refused(413, "larger than", "save", {**long, "text": "x" * (7 << 20)})
        path = self.tree / "practice" / "00.0" / "gemm.cu"
        self.assertEqual(path.read_text(encoding="utf-8"), one["text"])
        path.write_text(str(long["text"]), encoding="utf-8")
        self.refused(400, "practice/00.0/gemm.cu is too large: 5242880 bytes, at most 1048576", "open?name=00.0")

    def test_subjects(self) -> None:
        self.open("practice/02_coalesced", "--port", "0")
        self.assertEqual(self.query, "open=02_coalesced")
        _, one = self.ask("open?name=02_coalesced")
        self.assertTrue(one["text"].startswith("// Task: turn lesson 01_shared_tile, below, into lesson 02_coalesced."))
        self.assertEqual((one["base"], one["hints"], len(one["aims"])), ("01_shared_tile", [], 6))
        self.assertEqual(len(self.ask("hint", {"name": "02_coalesced"})[1]["hints"]), 1)
        self.assertEqual(len(self.ask("hint", {"name": "02_coalesced"})[1]["hints"]), 2)
        _, exercise = self.ask("open?name=02.1")
        self.assertTrue(exercise["questions"])
        self.assertEqual(exercise["path"], "practice/02.1/gemm.cu")
        self.assertEqual(self.ask("open?name=02.3")[1]["path"], "practice/02.0/gemm.cu")  # nothing to edit
        self.assertEqual(self.ask("changes?name=02.0")[1]["base"], "01_shared_tile")
        menu = self.ask("menu")[1]
        self.assertEqual([each["name"] for each in menu[2]["subjects"]][:3], ["02.0", "02_coalesced", "02.1"])

    def test_commands_know_the_copy_to_play_with(self) -> None:
        self.open("02", "--port", "0")
        self.expect(2, "no exercise called '02.0'", "run", "02.0")
        self.ask("open?name=02.0")
        self.expect(0, "^practice/02.0/gemm.cu +unchanged +nothing: ./ladder lab$", "status")
        self.expect(0, "^0 lines changed", "diff", "2.0")
        self.expect(2, "no exercise called '02.0'", "check", "02.0")

    def test_the_last_changed_file_is_opened(self) -> None:
        self.practice("03_thread_tile", "mine\n")
        self.open()
        self.assertEqual(self.query, "open=03_thread_tile")
        self.assertEqual(self.ask("open?name=03_thread_tile")[1]["text"], "mine\n")


class Running(Lab):
    def events(self, response: HTTPResponse) -> List[Dict[str, Any]]:
        return [json.loads(line) for line in response.read().splitlines()]

    def run_it(self) -> HTTPResponse:
        self.ask("open?name=02_coalesced")
        return self.connect("run", {"name": "02_coalesced", "answers": []})

    def test_a_run(self) -> None:
        self.open()
        events = self.events(self.run_it())
        self.assertEqual([each["good"] for each in events if each["event"] == "verdict"], [True], events)
        self.assertEqual(events[-1]["event"], "end")
        self.assertIn("counts", [each["event"] for each in events])
        self.assertTrue(any("checked against lesson 02_coalesced" in each.get("text", "") for each in events), events)

    def stopped(self, response: HTTPResponse, program: int) -> None:
        self.assertEqual(self.events(response)[-1]["code"], 130)
        self.assertTrue(self.ends(program))

    def test_stop(self) -> None:
        self.open(env={"SLEEP": "100"})
        response = self.run_it()
        program, begun = self.programs()[0], time.monotonic()
        self.assertEqual(self.ask("stop", {}), (200, {}))
        self.stopped(response, program)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertEqual(self.ask("stop", {}), (200, {}))  # nothing runs

    def test_stop_ends_detached_processes(self) -> None:
        self.open(env={"SLEEP": "100", "DETACH": "1"})
        response = self.run_it()
        while len(self.programs()) < 2:
            time.sleep(0.02)
        self.assertEqual(self.ask("stop", {}), (200, {}))
        self.events(response)
        self.assertTrue(all(map(self.ends, self.programs())), "it still runs")

    def test_a_flood(self) -> None:
        """The page gets only a part of the output."""
        self.open(env={"FLOOD": "x" * 5000})
        output = self.run_it().read()
        self.assertIn(b'"good": true', output)
        self.assertIn(b"more lines", output)
        self.assertLess(len(output), 50000)

    def test_a_new_run_ends_the_previous_one(self) -> None:
        self.open(env={"SLEEP": "100"})
        first = self.run_it()
        program = self.programs()[0]
        second = self.run_it()
        self.stopped(first, program)
        self.ask("stop", {})
        self.assertEqual(self.events(second)[-1]["code"], 130)

    def test_a_closed_connection_ends_the_run(self) -> None:
        self.open(env={"SLEEP": "100"})
        response = self.run_it()
        program = self.programs()[0]
        response.fp.raw._sock.shutdown(socket.SHUT_RDWR)  # type: ignore
        response.close()
        self.assertTrue(self.ends(program))

    def test_a_server_that_ends(self) -> None:
        for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 0), (signal.SIGTERM, 143)):
            self.calls.with_name("calls.running").unlink(missing_ok=True)
            server = self.open(env={"SLEEP": "100"})
            reader = self.run_it()  # keeps the connection open
            program = self.programs()[0]
            server.send_signal(number)
            self.assertEqual(server.wait(30), code)
            self.assertTrue(self.ends(program), number)
            reader.close()


class Own(Lab):
    """A program outside practice/."""
    PROGRAM = """\
echo "ran $* in $PWD"
cat >"$SIMT_REPORT_FILE" <<END
{"simt_report": 1, "counters": [
  {"name": "global_load.sectors", "label": "sectors of global loads", "unit": "sectors", "space": "global"},
  {"name": "global_load.bytes", "label": "bytes of global loads", "unit": "bytes", "space": "global"}],
 "kernels": [{"kernel": "k", "launches": 2, "counters": {"global_load.sectors": 64, "global_load.bytes": 7}, "lines": [
  {"file": "$PWD/my.cu", "line": 3, "counters": {"global_load.requests": 8, "global_load.sectors": 64, "global_load.ideal": 8}},
  {"file": "/other.h", "line": 4, "counters": {"global_load.requests": 9, "global_load.sectors": 9, "global_load.ideal": 9}}],
  "errors": [$ERRORS]}]}
END
echo "note: never freed" >&2
exit $STATUS
"""
    ERROR = ('{"kind": "shared_race", "here": {"file": "%s", "line": 2}, "text": "k: thread (1,0,0) writes; read at '
             'mine/my.cu:3", "message": "mine/my.cu:2: k: thread (1,0,0) writes; read at mine/my.cu:3"}')

    def setUp(self) -> None:
        super().setUp()
        self.stand_in("lesson", self.PROGRAM)
        self.file = self.work / "mine" / "my.cu"
        self.file.parent.mkdir()
        self.file.write_text("a\nb\nc\n", encoding="utf-8")

    def run_own(self, *words: str, **env: str) -> Dict[str, Dict[str, Any]]:
        """The last event of each kind."""
        self.open(str(self.file), "--port", "0", *words, env={"ERRORS": "", "STATUS": "0", **env})
        self.assertEqual(self.query, "open=own")
        response = self.connect("run", {"name": "own", "answers": []})
        return {each["event"]: each for each in map(json.loads, response.read().splitlines())}

    def test_a_right_one(self) -> None:
        told = self.run_own("--", "7", "two words")
        self.assertEqual(told["verdict"]["lines"], ["2 launches; no race or out-of-bounds access"])
        self.assertEqual(told["verdict"]["printed"], [f"ran 7 two words in {self.file.parent}"])
        self.assertEqual((told["headline"]["text"], told["end"]["code"]), ("no errors found", 0))
        self.assertEqual(told["said"]["text"], "note: never freed")
        self.assertEqual(told["counts"]["lines"], [{"line": 3, "requests": [8, 0], "cost": [64, 0], "share": [1.0, 0.0]}])
        self.assertEqual(told["counts"]["totals"], [["sectors of global loads", False, "64", "", 0]])
        self.assertEqual([each["text"] for each in told["counts"]["findings"]],
                         ["line 3: 64 sectors of global memory; its words fit into 8"])

    def test_a_wrong_one(self) -> None:
        told = self.run_own(ERRORS=self.ERROR % self.file, STATUS="1")
        self.assertEqual(told["mark"], {"event": "mark", "line": 2, "text": "k: thread (1,0,0) writes; read at my.cu:3"})
        self.assertEqual((told["verdict"]["good"], told["headline"]["text"], told["end"]["code"]), (False, "1 error found", 1))

    def test_one_that_fails_without_an_error_of_a_kernel(self) -> None:
        told = self.run_own(STATUS="5")
        self.assertEqual(told["verdict"]["lines"], ["it ended with status 5", "note: never freed"])

    def test_one_that_does_not_compile(self) -> None:
        self.stand_in("simtcc", f"echo '{self.file}:2:5: error: expected what'\nexit 1\n")
        told = self.run_own()
        self.assertEqual(told["verdict"]["lines"], ["my.cu:2:5: error: expected what"])
        self.assertEqual(told["mark"], {"event": "mark", "line": 2, "text": "expected what"})

    def test_its_text(self) -> None:
        self.open(str(self.file), "--port", "0")
        _, one = self.ask("open?name=own")
        self.assertEqual((one["text"], one["path"], one["kind"]), ("a\nb\nc\n", "my.cu", "own"))
        self.assertEqual(self.ask("menu")[1][0]["subjects"], [{"name": "own", "kind": "own", "standing": ""}])
        _, saved = self.ask("save", {"name": "own", "text": "new\n", "version": one["version"]})
        self.assertEqual((self.file.read_text(encoding="utf-8"), self.ask("version?name=own")[1]), ("new\n", saved))
        self.assertEqual(self.ask("save", {"name": "own", "text": "old\n", "version": one["version"]})[1]["text"], "new\n")
        self.assertEqual(self.ask("keep", {"name": "own", "text": "old\n"})[1], {"kept": "my.cu.before"})
        self.assertEqual(self.file.with_name("my.cu.before").read_text(encoding="utf-8"), "old\n")
        self.assertEqual(self.ask("changes?name=own")[1], {"lines": [], "base": ""})
        self.refused(400, "only climbs and exercises have hints", "hint", {"name": "own"})

    def test_it_has_no_lesson_to_trace(self) -> None:
        self.open(str(self.file), "--port", "0")
        end = json.loads(self.connect("trace", {"name": "own", "answers": []}).read().splitlines()[-1])
        self.assertEqual((end["code"], end["text"]), (2, "a program of your own has no lesson to trace"))

    def test_only_the_command_names_it(self) -> None:
        self.open("02", "--port", "0")
        for path, body in (("open?name=own", None), ("run", {"name": "own"}), ("save", {"name": "own", "text": "x"})):
            self.refused(400, "no exercise called 'own'", path, body)


class Starting(Lab):
    def test_the_link_stays_and_is_secret(self) -> None:
        self.open().kill()
        first, path = self.top, self.tree / "build" / "lab" / "secret"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.open()
        self.assertEqual(self.top, first)
        path.chmod(0o644)
        self.open()
        self.assertNotEqual(self.top, first)

    def test_the_browser_gets_the_link_from_a_file(self) -> None:
        """Other users can see the browser's command line, so the secret link is in a file that only this user can read. The
        file works once."""
        opened = self.work / "opened"
        self.stand_in("browser", f'echo "$*" >"{opened}.part"\nmv "{opened}.part" "{opened}"\n')
        server = self.open("--port", "0", env={"BROWSER": f"{self.bin}/browser %s"}, browser=())
        end = time.monotonic() + 20
        while not opened.exists() and time.monotonic() < end:
            time.sleep(0.02)
        path = self.tree / "build" / "lab" / f"open.{self.port}.html"
        self.assertEqual(opened.read_text(encoding="utf-8").strip(), path.as_uri())
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertIn(f"url=http://127.0.0.1:{self.port}{self.top}?{self.query}\"", path.read_text(encoding="utf-8"))
        led = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}  # browsers send these after a link in a file
        self.refused(403, "origin", "", None, led)
        self.refused(403, "origin", "menu", None, {**led, "Sec-Fetch-Dest": "document"})
        self.assertTrue(path.exists())
        self.assertEqual(self.connect("?" + self.query, None, {**led, "Sec-Fetch-Dest": "document"}).status, 200)
        self.assertFalse(path.exists())
        server.send_signal(signal.SIGINT)

    def test_a_port_that_is_taken(self) -> None:
        self.open()
        self.expect(2, f"^ladder: cannot use port {self.port} .*: ./ladder lab --port NUMBER$", "lab", "--no-browser",
                    "--port", str(self.port))

    def test_two_without_a_port(self) -> None:
        self.open("--no-browser")
        first = self.port
        self.open("--no-browser")
        self.assertNotEqual(self.port, first)

    def test_a_build_that_fails(self) -> None:
        answer = self.expect(1, "^ladder: building", "lab", "--no-browser", "--port", "0", env={"BUILD_SAYS": "error: x"})
        self.assertNotIn("http", answer.out)
