"""lab [LESSON|EXERCISE|FILE.cu]: edit, run and step through kernels on a page in your browser

Only this machine can open the page, and only by its secret link. It runs your files in practice/, or FILE.cu, and
nothing else. 02 opens a copy of lesson 02 to play with, practice/02_coalesced the climb to it, 02.3 an exercise. Without
a name it opens the file that you changed last. FILE.cu opens a program of your own, which gets the arguments after --;
it runs as with ./ladder cuda. Ctrl-C stops the server; your edits are saved.
"""
import argparse
import functools
import html
import os
import pathlib
import re
import secrets
import signal
import subprocess
import threading
import urllib.parse
import webbrowser

from ladder import ROOT, USAGE, Stop, build_folder, die, say
from ladder.lib.arguments import Parser, whole
from ladder.lib.keeper import end_with_parent
from ladder.serving import own, subjects
from ladder.serving.runs import WORKER, environment
from ladder.serving.server import Server

PORT = 8100
ENDS_AT_DASHES = True


def write_private(path: pathlib.Path, text: str) -> None:
    """Writes a new file that other users cannot read."""
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")


def secret() -> str:
    """The secret part of the link. It stays the same, so that open pages find a restarted server."""
    path = build_folder("lab") / "secret"
    known = path.read_text(encoding="ascii", errors="replace").strip() if path.is_file() else ""
    if len(known) < 22 or not known.replace("-", "").replace("_", "").isalnum() or path.stat().st_mode & 0o077:
        known = secrets.token_urlsafe(18)
        write_private(path, known)
    return known


def listen(port: int) -> Server:
    """The server, on the requested port or the first free one of ten."""
    word = secret()
    for each in [port] if port >= 0 else range(PORT, PORT + 10):
        try:
            return Server(each, word)
        except OSError as error:
            reason = error.strerror
    die(USAGE, f"cannot use port {each} ({str(reason).lower()}); choose another: ./ladder lab --port NUMBER")


def show(server: Server, link: str) -> None:
    """Opens a browser if there is a screen, since one in the terminal would be in the way. Other users can see the
    browser's command line, so it names a file that redirects to the link and is deleted when the page is loaded."""
    if any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        write_private(server.way, '<!doctype html><meta charset="utf-8"><title>./ladder lab</title>'
                      f'<meta http-equiv="refresh" content="0; url={html.escape(link)}">')
        threading.Thread(target=webbrowser.open, args=(server.way.as_uri(),), daemon=True).start()


def arguments(parser: Parser) -> None:
    parser.add_argument("what", nargs="?", default="", metavar="LESSON|EXERCISE|FILE.cu",
                        help="02_coalesced, coalesced, 02 or 2; 02.1; practice/02_coalesced; my.cu")
    parser.add_argument("--port", type=whole(0, 65535), default=-1, metavar="NUMBER",
                        help=f"port to listen on (default {PORT} or the next free one; 0: any)")
    parser.add_argument("--no-browser", action="store_true", help="print the link and open no browser")


def main(args: argparse.Namespace) -> int:
    is_own = args.what.endswith(".cu") and not re.search(r"(?:^|/)practice/[^/]+/gemm\.cu$", args.what)
    if args.behind and not is_own:
        die(USAGE, "only a program of your own takes arguments after --")
    if is_own:
        own.choose(args.what, args.behind)
    one = subjects.subject(own.NAME) if is_own else subjects.find(args.what)
    server = listen(args.port)
    code = subprocess.run([*WORKER, "prepare", *(["own"] if is_own else [])], cwd=str(ROOT), env=environment(),
                          preexec_fn=functools.partial(end_with_parent, signal.SIGTERM)).returncode
    if code != 0:
        return code
    os.environ["LADDER_LOCKED"] = str(ROOT)  # the server writes only in practice/; its runs take the lock
    link = f"{server.link}?{urllib.parse.urlencode({'open': one.name})}"
    print(f"{link}\n(Ctrl-C ends it)", flush=True)
    if not args.no_browser:
        show(server, link)
    try:
        server.serve_forever(0.2)
    except Stop as stop:
        if stop.code != 130:
            raise
        say("the lab is closed; your text is in " + (one.shown if is_own else "practice/"))
    finally:
        server.runs.stop()
        server.way.unlink(missing_ok=True)
        server.server_close()
    return 0
