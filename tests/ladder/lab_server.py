"""Starts ./ladder lab in a Sandbox and sends requests to it."""
import http.client
import json
import subprocess
from typing import Any, Dict, Optional, Tuple

from sandbox import Sandbox


class Lab(Sandbox):
    def setUp(self) -> None:
        super().setUp()
        web = self.tree / "common" / "web" / "lab"
        web.mkdir(parents=True)
        (web / "lab.html").write_text("the page\n", encoding="utf-8")
        (web / "lab.js").write_text("the script\n", encoding="utf-8")

    def open(self, *arguments: str, env: Optional[Dict[str, str]] = None,
             browser: Tuple[str, ...] = ("--no-browser",)) -> "subprocess.Popen[bytes]":
        """Starts a server. Sets self.port, self.top ("/SECRET/") and self.query from the link that it prints."""
        server = self.start("lab", *browser, *(arguments or ("--port", "0")), env=env)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        link = server.stdout.readline().decode().strip()
        self.assertRegex(link, r"^http://127\.0\.0\.1:\d+/[\w-]{22,}/\?open=[\w.]+$", server.stderr.read() if not link else "")
        rest = link[len("http://127.0.0.1:"):]
        self.port, (path, self.query) = int(rest.partition("/")[0]), rest[rest.index("/"):].split("?")
        self.top = path
        return server

    def connect(self, path: str, body: Any = None, headers: Optional[Dict[str, str]] = None) -> http.client.HTTPResponse:
        """Sends GET, or POST with a body (an object or bytes). A path without a leading "/" follows the secret."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        more = {"Content-Type": "application/json"} if body is not None else {}
        connection.request("GET" if body is None else "POST", path if path.startswith("/") else self.top + path, data,
                           {**more, **(headers or {})})
        return connection.getresponse()

    def ask(self, path: str, body: Any = None, headers: Optional[Dict[str, str]] = None) -> Tuple[int, Any]:
        """The status and JSON value of the answer."""
        response = self.connect(path, body, headers)
        return response.status, json.loads(response.read())

    def refused(self, status: int, message: str, path: str, body: Any = None, headers: Optional[Dict[str, str]] = None) -> None:
        """The answer has the status and one line with the message."""
        have, answer = self.ask(path, body, headers)
        self.assertEqual((have, list(answer)), (status, ["error"]), answer)
        self.assertIn(message, answer["error"])
        self.assertNotIn("\n", answer["error"])
