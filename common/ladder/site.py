"""site: build the web site with the lessons and pages, in build/site

It needs no server: open build/site/index.html. Its counts come from runs on the CPU backend. The first run installs
packages from PyPI into build/venv.
"""
import argparse
import os
import sys

from ladder import ROOT, WRONG, build_folder, die
from ladder.lib.packages import need_packages


def main(_: argparse.Namespace) -> int:
    need_packages()
    sys.path.append(str(ROOT / "docs"))  # generate reads docs/results
    from generate.results import Trouble
    from ladder.publishing.site import publish
    folder = build_folder() / "site"
    try:
        pages = publish(folder)
    except Trouble as error:  # of docs/results
        die(WRONG, str(error))
    print(f"{pages} pages: {os.path.relpath(folder)}/index.html")
    return 0
