"""table.py PROGRAM...: prints a table of the programs' measurements. Each lesson's .UNCHECKED program follows its
.CHECKED one. Exits with 1 if a result is wrong."""
import subprocess
import sys
from typing import Tuple


def measure(program: str) -> Tuple[str, float, int]:
    """Runs a program and returns its lesson, milliseconds and megabytes."""
    name, ms, _, megabytes, _ = subprocess.run([program], stdout=subprocess.PIPE, check=True,
                                               universal_newlines=True).stdout.split()
    return name.split(".")[1], float(ms), int(megabytes)


print(f"{'256 x 256 x 256':22} {'checked':>12} {'unchecked':>12} {'ratio':>7} {'memory':>8}")
total = 0.0
for checked, unchecked in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        lesson, ms, megabytes = measure(checked)
        without = measure(unchecked)[1]
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
    print(f"{lesson:22} {ms:9.1f} ms {without:9.1f} ms {ms / without:6.1f}x {megabytes:5d} MB")
    total += ms
print(f"{'all':22} {total:9.1f} ms")
