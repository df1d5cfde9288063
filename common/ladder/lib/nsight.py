"""Nsight Compute: finds ncu, runs a lesson under it once and reads the values."""
import csv
import glob
import io
import pathlib
import re
import shutil
from typing import Callable, Dict, List, Optional, Sequence

from ladder.lib.output import MACHINE, die
from ladder.lib.work import Done, execute

# Does not fix the clocks: that takes privileges, and our speeds are measured without fixed clocks.
_OPTIONS = ["--clock-control", "none", "--csv", "--print-units", "base", "-k", "regex:^gemm_kernel",
            "-c", "1", "--kill", "yes"]
Tick = Optional[Callable[[str], None]]


def find_ncu() -> str:
    """The path of ncu; "" if there is none."""
    places = ["/usr/local/cuda/bin/ncu", *sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu")),
              *sorted(glob.glob("/usr/local/cuda*/nsight-compute*/ncu"))]
    for name in ("ncu", *places):
        path = shutil.which(name)
        if path:
            return path
    return ""


def number(text: Optional[str]) -> Optional[float]:
    """"1,234.5" is 1234.5; "n/a", nan, "" and None are None. Whole numbers are ints."""
    try:
        value = float((text or "").replace(",", ""))
    except ValueError:
        return None
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value == int(value) else value


def read_table(text: str) -> Dict[str, Optional[float]]:
    """The values by metric from the CSV that ncu prints among other lines; {} if there is none."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = csv.DictReader(io.StringIO("\n".join(lines)))
    return {row["Metric Name"]: number(row.get("Metric Value")) for row in rows
            if row.get("Metric Name")}


def run_ncu(ncu: str, program: pathlib.Path, sizes: Sequence[str], metrics: Sequence[str],
            tick: Tick = None) -> Done:
    """Profiles one launch of the lesson's kernel and then ends the program."""
    return execute([ncu, *_OPTIONS, "--metrics", ",".join(metrics), program, *sizes, "--no-check",
                    "--reps", "1"], tick)


def complaint(done: Done) -> str:
    """The last messages of an ncu that gave no values."""
    lines = [line.strip() for line in (done.out + "\n" + done.err).splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line]
    return " ".join((errors or lines)[-2:]) or "it printed nothing (exit status %d)" % done.status


def known(ncu: str, program: pathlib.Path, metrics: Sequence[str], tick: Tick = None) -> List[str]:
    """The metrics that this ncu can measure on this GPU, found on a small problem: an unknown metric may spoil the
    whole run. It drops those that the errors name; if they name none, it tries halves. Ends the command if ncu fails
    even with a metric that every version has."""
    def measured(some: Sequence[str]) -> List[str]:
        if not some:
            return []
        done = run_ncu(ncu, program, ["256", "256", "256"], some, tick)
        if read_table(done.out):
            return list(some)
        if some == [_ALWAYS]:
            die(MACHINE, "ncu failed: %s" % complaint(done))
        named = set(re.findall(r"[a-z0-9_]+__[A-Za-z0-9_.]+", done.out + done.err))
        bad = [each for each in some if each in named or each.split(".")[0] in named]
        if bad and len(bad) < len(some):
            return measured([each for each in some if each not in bad])
        if len(some) == 1:
            return []
        middle = len(some) // 2
        if not halved:
            halved.append(True)
            measured([_ALWAYS])
        return measured(some[:middle]) + measured(some[middle:])

    halved: List[bool] = []
    return measured(list(metrics))


_ALWAYS = "gpu__time_duration.sum"
