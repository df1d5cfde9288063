"""The page of ./ladder lab over HTTP, on 127.0.0.1 only.

Every URL begins with a secret. The server refuses a request without it, for another host, or from a page of another
origin, before it reads or does anything. URLs after /SECRET/:

  GET                      the page; common/web/... its parts; docs/pictures/... pictures; build/lab/NAME.trace.json
  GET menu                 the subjects (subjects.known)
  GET open?name=           a subject with its file's text (subjects.opened)
  GET version?name=        {"version"}: of the file now; the page asks every two seconds, also to see that we are alive
  GET readme?path=         a Markdown page
  GET source?name=         {"text"}: a lesson's gemm.cu
  GET changes?name=        {"lines"}: the diff from the lesson that the file is based on
  POST save, keep, hint, restart, run, trace, stop
                           a JSON object {"name", "text", "version", "answers"}; run and trace stream lines (worker.py)

An error is {"error": line} with status 400, 403, 404, 408, 413 or 500.
"""
import contextlib
import hmac
import http.server
import json
import re
import socket
import threading
import urllib.parse
from typing import Any, Callable, Dict

from ladder import BUILD, ROOT, Stop, lesson, lesson_source, shown
from ladder.judging import files
from ladder.serving import subjects
from ladder.serving.runs import Runs

_MOST = 6 << 20  # bytes of a request; a text of 5 MB still gets the message that it is too long
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png",
          "md": "text/markdown", "json": "application/json"}
_FILES = re.compile(r"(common/web/(lab|explorer|vendor)/[\w/-]+(\.[\w-]+)*\.(js|css|svg)|"
                    r"common/web/style\.css|common/web/pages/theme\.js|"
                    r"docs/(\w+/)*[\w-]+\.(svg|png)|build/lab/[\w.]+\.trace\.json)", re.ASCII)
_PAGES = re.compile(r"(beyond/)?[0-9][0-9]_\w+/README\.md|docs/learn/\w+\.md", re.ASCII)
_POLICY = ("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class Refused(Exception):
    """A refused request: its status and a line."""

    def __init__(self, status: int, line: str):
        super().__init__(line)
        self.status = status


class Server(http.server.ThreadingHTTPServer):
    """Listens on 127.0.0.1:port (0: any free port). Raises OSError if the port is taken."""
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128  # a page may request all of its parts at once

    def __init__(self, port: int, secret: str):
        super().__init__(("127.0.0.1", port), Handler)
        self.secret, self.runs = secret, Runs()
        self.way = BUILD / "lab" / f"open.{self.server_address[1]}.html"  # redirects a browser here, once

    @property
    def link(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{self.secret}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores errors such as a client that has gone."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server
    patience = 60.0  # seconds for a request to arrive, and for a client to take the answer
    server_version, sys_version = "ladder", ""

    def log_message(self, *_: Any) -> None:
        """Logs no requests on the terminal."""

    def setup(self) -> None:
        """Stops reading a request that is not complete in time, however slowly it comes."""
        self.timeout = self.patience
        super().setup()
        self._late = threading.Timer(self.patience, self._end_of_reading)
        self._late.daemon = True
        self._late.start()

    def _end_of_reading(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def finish(self) -> None:
        self._late.cancel()
        super().finish()

    # ---- who may ask -------------------------------------------------------------------------------

    def _allowed(self) -> str:
        """The URL after the secret. Raises Refused."""
        port = self.server.server_address[1]
        secret, slash, rest = self.path[1:].partition("/")
        hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        if len(self.headers.get_all("Host", [])) != 1 or self.headers["Host"] not in hosts:
            raise Refused(403, "this server does not serve the requested host")
        for origin in self.headers.get_all("Origin", []):
            if origin not in ["http://" + host for host in hosts]:
                raise Refused(403, "pages of other origins are refused")
        opens = self.command == "GET" and rest.partition("?")[0] == "" and (
            self.headers.get("Sec-Fetch-Mode"), self.headers.get("Sec-Fetch-Dest")) == ("navigate", "document")
        if not opens and self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(403, "pages of other origins are refused")
        if not slash or not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            raise Refused(403, "this is not the link that ./ladder lab printed")
        return rest

    # ---- answers -----------------------------------------------------------------------------------

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _guarded(self, answer: Callable[[str], None]) -> None:
        """Turns every error into one line; a refused request does nothing."""
        try:
            answer(self._allowed())
        except Refused as refused:
            self._json({"error": str(refused)}, refused.status)
        except Stop as stop:
            self._json({"error": str(stop.args[0]).split("\n")[0]}, 400)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        except OSError as error:
            self._json({"error": f"cannot read or write: {error.strerror or error}"}, 500)

    def _get(self, rest: str) -> None:
        where, _, query = rest.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        if where == "":
            self.server.way.unlink(missing_ok=True)
            self._file("common/web/lab/lab.html")
        elif _FILES.fullmatch(where):
            self._file(where)
        elif where == "menu":
            self._json(subjects.known())
        elif where == "readme" and _PAGES.fullmatch(asked.get("path", "")):
            self._file(asked["path"])
        elif where == "source":
            self._json({"text": files.read(lesson_source(lesson(asked.get("name", ""))))})
        elif where in ("open", "version", "changes"):
            one = subjects.subject(asked.get("name", ""))
            if where == "version":
                self._json({"version": one.version})
            elif where == "changes":
                self._json({"lines": subjects.changes(one), "base": subjects.compared(one)})
            else:
                note = subjects.begin(one, False)
                self._json({**subjects.opened(one), "note": note})
        else:
            raise Refused(404, f"there is no '{shown(where)}'")

    def _post(self, rest: str) -> None:
        asked = self._asked()
        if rest == "stop":
            self.server.runs.stop()
            self._json({})
            return
        one = subjects.subject(str(asked.get("name", "")))
        text, answers = asked.get("text", ""), asked.get("answers", [])
        if not isinstance(text, str) or not isinstance(answers, list) or \
                not all(isinstance(each, str) and "\0" not in each and len(each) < 200 for each in answers):
            raise Refused(400, "text must be a string, and answers a list of short strings")
        if rest == "save":
            self._json(subjects.save(one, text, str(asked.get("version", ""))))
        elif rest == "keep":
            self._json(subjects.keep(one, text))
        elif rest == "hint":
            self._json({"hints": subjects.hint(one)})
        elif rest == "restart":
            self.server.runs.stop()
            note = subjects.begin(one, True)
            self._json({**subjects.opened(one), "note": note})
        elif rest in ("run", "trace"):
            lines = self.server.runs.start(rest, one.name, answers if rest == "run" else [])
            with contextlib.closing(lines):  # type: ignore  # a client that leaves ends the run
                self._head("application/x-ndjson")
                for line in lines:
                    self.wfile.write(line)
        else:
            raise Refused(404, f"there is no '{shown(rest)}'")

    def _asked(self) -> Dict[str, Any]:
        """The object of a POST request."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Content-Type", "") != "application/json" or not re.fullmatch("[0-9]{1,9}", length):
            raise Refused(400, "the request must be a JSON object")
        if int(length) > _MOST:
            for _ in range(min(int(length), 64 << 20) >> 16):  # a client that is still sending reads no answer
                self.rfile.read(1 << 16)
            raise Refused(413, f"the request is larger than {_MOST} bytes")
        try:
            body = self.rfile.read(int(length))
        except socket.timeout:
            body = b""
        self._late.cancel()
        if len(body) < int(length):
            raise Refused(408, f"the request ended early or did not arrive within {self.patience:.0f} s")
        try:
            found = json.loads(body)
            json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise Refused(400, "a text contains half a character (a lone surrogate)") from None
        except (ValueError, RecursionError):
            raise Refused(400, "the request must be a JSON object") from None
        if not isinstance(found, dict):
            raise Refused(400, "the request must be a JSON object")
        return found

    # ---- sending -----------------------------------------------------------------------------------

    def _head(self, kind: str, status: int = 200, length: int = -1) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in (("Content-Type", kind + "; charset=utf-8"), ("Cache-Control", "no-store"),
                            ("Connection", "close"), ("Content-Security-Policy", _POLICY),
                            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                            ("Cross-Origin-Resource-Policy", "same-origin"),
                            ("Cross-Origin-Opener-Policy", "same-origin")):
            self.send_header(name, value)
        if length >= 0:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _json(self, value: Any, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self._head("application/json", status, len(body))
        self.wfile.write(body)

    def _file(self, path: str) -> None:
        try:
            body = (ROOT / path).read_bytes()
        except OSError:
            raise Refused(404, f"there is no '{shown(path)}'") from None
        self._head(_TYPES[path.rpartition(".")[2]], 200, len(body))
        self.wfile.write(body)
