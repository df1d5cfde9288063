"""lab [LESSON|EXERCISE]: edit, run and step through kernels on a page in your browser

It serves to this machine alone, under a link that nobody else knows, and runs nothing but your files in practice/, as
./ladder check does. 02 is lesson 02 to play with, practice/02_coalesced the climb to it, 02.3 an exercise; where
nothing is named, the file that you changed last. Ctrl-C ends it; what you typed is saved.
"""
import argparse
import os
import secrets
import subprocess
import threading
import urllib.parse
import webbrowser

from ladder import ROOT, USAGE, Stop, build_folder, die, say
from ladder.lib.arguments import Parser, whole
from ladder.serving import subjects
from ladder.serving.runs import WORKER, environment
from ladder.serving.server import Server

PORT = 8100


def secret() -> str:
    """What the link has that others cannot guess. It stays, so that pages find a server that was started again."""
    path = build_folder("lab") / "secret"
    known = path.read_text(encoding="ascii", errors="replace").strip() if path.is_file() else ""
    if len(known) < 22 or not known.replace("-", "").replace("_", "").isalnum() or path.stat().st_mode & 0o077:
        known = secrets.token_urlsafe(18)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(known + "\n")
    return known


def listen(port: int) -> Server:
    """The server, at a port that was asked for, or the first of ten that is free."""
    for each in [port] if port >= 0 else range(PORT, PORT + 10):
        try:
            return Server(each, secret())
        except OSError as error:
            reason = error.strerror
    die(USAGE, f"port {each} cannot be used ({str(reason).lower()}); another one: ./ladder lab --port NUMBER")


def show(link: str) -> None:
    """Opens a browser, where there is a screen; one in the terminal would be in the way."""
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()


def arguments(parser: Parser) -> None:
    parser.add_argument("what", nargs="?", default="", metavar="LESSON|EXERCISE",
                        help="02_coalesced, coalesced, 02 or 2; 02.1; practice/02_coalesced")
    parser.add_argument("--port", type=whole(0, 65535), default=-1, metavar="NUMBER",
                        help=f"where to listen; {PORT} or the next that is free unless given, 0: any")
    parser.add_argument("--no-browser", action="store_true", help="print the link, open nothing")


def main(args: argparse.Namespace) -> int:
    one = subjects.find(args.what)
    server = listen(args.port)
    code = subprocess.run([*WORKER, "prepare"], cwd=str(ROOT), env=environment()).returncode
    if code != 0:
        return code
    os.environ["LADDER_LOCKED"] = str(ROOT)  # it writes in practice/ alone; its runs take the lock
    link = f"{server.link}?{urllib.parse.urlencode({'open': one.name})}"
    print(f"{link}\n(Ctrl-C ends it)", flush=True)
    if not args.no_browser:
        show(link)
    try:
        server.serve_forever(0.2)
    except Stop as stop:
        if stop.code != 130:
            raise
        say("the lab is closed; your files are in practice/")
    finally:
        server.runs.stop()
        server.server_close()
    return 0
