#!/usr/bin/env python3
"""primer_test.py SAXPY: is docs/learn/gpu_in_ten_minutes.md true?

Runs each "$ build/cpu/bin/saxpy ..." of the page with the program SAXPY (built for the CPU backend) and compares the
lines below it, and checks that the pictures are those of the generator and of a run. Exit status 1 if not."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "learn" / "gpu_in_ten_minutes.md"


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: primer_test.py SAXPY", file=sys.stderr)
        return 2
    saxpy = sys.argv[1]
    text = PAGE.read_text(encoding="utf-8")
    runs = re.findall(r"^\$ build/cpu/bin/saxpy *(.*)\n((?:(?!\$ |```).*\n)*)", text, re.M)
    faults = [] if len(runs) >= 3 else [f"{PAGE.name} shows {len(runs)} runs of saxpy, not three"]
    for arguments, shown in runs:
        run = subprocess.run([saxpy, *arguments.split()], capture_output=True, text=True)
        if run.returncode != 0 or run.stdout != shown:
            faults.append(f"saxpy {arguments}: {PAGE.name} shows\n{shown}but it prints\n{run.stdout}{run.stderr}")
    for name in ("gpu", "grid", "saxpy"):
        if not re.search(rf"!\[[^]]{{40,}}\]\(figures/{name}\.svg\)", text):
            faults.append(f"{PAGE.name} does not show figures/{name}.svg with a description in words")
    pictures = subprocess.run([sys.executable, str(ROOT / "docs" / "generate" / "primer.py"), saxpy, "--check"],
                              capture_output=True, text=True)
    if pictures.returncode != 0:
        faults.append((pictures.stdout + pictures.stderr).strip())
    print("\n".join(faults) or f"primer: {len(runs)} runs and 3 pictures are as shown")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
