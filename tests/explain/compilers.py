#!/usr/bin/env python3
"""compilers.py EXPLAIN OTHER [COMMAND...]: the explain programs in two folders, made by different compilers or for
different processors, count the same for every lesson, at whole tiles, at ragged ones and with vectors at ragged ones.
COMMAND runs a program of EXPLAIN that this machine cannot run itself."""
import json
import pathlib
import subprocess
import sys

SIZES = ("128 256 96", "97 131 65", "100 136 72")


def counts(command: list, sizes: str) -> dict:
    """The totals of a program."""
    told = subprocess.run([*command, *sizes.split(), "--no-check"], stdout=subprocess.PIPE, check=True).stdout
    return dict(json.loads(told)["totals"])


def main(words: list) -> int:
    folders = [pathlib.Path(word) for word in words[:2]]
    if len(folders) != 2 or not all(folder.is_dir() for folder in folders):
        print("usage: compilers.py EXPLAIN OTHER [COMMAND...], two folders of programs explain.LESSON", file=sys.stderr)
        return 2
    names = [path.name for path in sorted(folders[0].glob("explain.[0-9][0-9]_*")) if path.name.count(".") == 1]
    wrong = 0
    for name in names:
        for sizes in SIZES:
            own = counts([*words[2:], folders[0] / name], sizes)
            other = counts([folders[1] / name], sizes)
            for key in own:
                if own[key] != other.get(key):
                    wrong += 1
                    print(f"{name} {sizes}: {key} is {own[key]}, not {other.get(key)}")
    print(f"{len(names) * len(SIZES)} pairs of counts")
    return 0 if names and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
