#!/usr/bin/env python3
"""compilers.py EXPLAIN OTHER [COMMAND...]: checks that the explain programs in two folders, built with different compilers
or for different processors, have equal counts for every lesson: with whole tiles, with ragged tiles, and with ragged tiles
that fit vectors. COMMAND, such as an emulator, runs the programs in EXPLAIN."""
import json
import pathlib
import subprocess
import sys

SIZES = ("128 256 96", "97 131 65", "100 136 72")


def counts(command: list, sizes: str) -> dict:
    """The totals that a program counts."""
    output = subprocess.run([*command, *sizes.split(), "--no-check"], stdout=subprocess.PIPE, check=True).stdout
    return dict(json.loads(output)["totals"])


def main(arguments: list) -> int:
    folders = [pathlib.Path(each) for each in arguments[:2]]
    if len(folders) != 2 or not all(folder.is_dir() for folder in folders):
        print("usage: compilers.py EXPLAIN OTHER [COMMAND...], two folders of programs explain.LESSON", file=sys.stderr)
        return 2
    names = [path.name for path in sorted(folders[0].glob("explain.[0-9][0-9]_*")) if path.name.count(".") == 1]
    wrong = 0
    for name in names:
        for sizes in SIZES:
            own = counts([*arguments[2:], folders[0] / name], sizes)
            other = counts([folders[1] / name], sizes)
            for key in own:
                if own[key] != other.get(key):
                    wrong += 1
                    print(f"{name} {sizes}: {key} is {own[key]} in {folders[0]} and {other.get(key)} in {folders[1]}")
    print(f"{len(names) * len(SIZES)} pairs of counts")
    return 0 if names and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
