"""Which builds can have a lesson that needs one architecture."""
import re
import subprocess
from typing import Sequence


def first_gpu() -> str:
    """The compute capability of the first GPU, as in 90; "" if it is unknown."""
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return ""
    found = re.match(rb"([0-9]+)\.([0-9]+)", done.stdout)
    return (found[1] + found[2]).decode() if found else ""


def lacks(needed: str, architectures: Sequence[str]) -> str:
    """The reason why a GPU build cannot have a lesson that needs an architecture such as 90a; "" if it can.
    architectures: as in CMake, where 90 is enough for 90a, and native means the first GPU."""
    if not needed:
        return ""
    built = [first_gpu()] if list(architectures) == ["native"] else list(architectures)
    number = needed.rstrip("a")
    if any(re.fullmatch(rf"all|all-major|{number}[af]?(-real|-virtual)?", each) for each in built):
        return ""
    return f"it needs sm_{needed}, and this build is for {', '.join(built)}"
