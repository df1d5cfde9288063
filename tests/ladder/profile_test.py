"""./ladder profile with a stand-in for Nsight Compute. Each metric's value is its position in the list, so that a value
shows where it came from."""
import json
import re

from sandbox import SOURCE, Sandbox

from ladder.lib.metrics import METRICS
from ladder.lib.nsight import number, read_table

# LACKS: a metric that it does not know. MUTE: the name that it prints instead. NONE: it measures nothing. BREAKS: it fails
# for this lesson. NO_VALUE: a metric without a value.
NCU = """\
[ "$1" != --version ] || { echo "Version 2025.3.1.0 (build 1)"; exit; }
echo "$*" >>"$CALLS"
[ -z "$NONE" ] || { echo "==ERROR== no permission to read counters"; exit 1; }
while [ "$1" != --metrics ]; do shift; done
metrics=$2
if [ -n "$LACKS" ]; then
  case $metrics in *"$LACKS"*) echo "==ERROR== Failed to find metric ${MUTE:-$LACKS}"; exit 1 ;; esac
fi
if [ -n "$BREAKS" ]; then
  case $3,$4 in *"$BREAKS",4096) echo "==ERROR== it broke"; exit 1 ;; esac
fi
echo "==PROF== Connected"
echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
i=0
for metric in $(echo "$metrics" | tr , ' '); do
  i=$((i + 1))
  value="100,0$(printf %02d $i).5"
  case $metric in *"$NO_VALUE"*) [ -z "$NO_VALUE" ] || value=n/a ;; esac
  echo '"0","gemm_kernel(Gemm<float, float>)","'"$metric"'","","'"$value"'"'
done
"""


class Profile(Sandbox):
    def setUp(self) -> None:
        super().setUp()
        self.stand_in("ncu", NCU)
        self.environment["NO_GPU"] = ""
        self.out = self.work / "profile.json"

    def collect(self, status: int, pattern: str, *arguments: str, **env: str) -> dict:
        self.expect(status, pattern, "profile", "--collect", "--out", str(self.out), *arguments, env=env)
        return json.loads(self.out.read_text(encoding="utf-8")) if self.out.exists() else {}

    def test_prints_descriptions_and_metric_names(self) -> None:
        answer = self.expect(0, r"^global load sectors +\d+\.50  l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                             "profile", "02", "64", "64", "64")
        for metric in METRICS:
            self.assertEqual(answer.out.count(metric.name + "\n"), 1, metric)
        self.assertIn("64 64 64 --no-check", self.called()[-1])
        self.assertRegex(answer.out, r"(?m)^waiting: global memory \(long scoreboard\) +\d+\.50 cycles  smsp__")
        self.assertRegex(answer.out, r"(?m)^warps resident, per scheduler +\d+\.50  smsp__")
        self.assertIn("--clock-control none", self.called()[-1])

    def test_the_default_size_fills_the_chip(self) -> None:
        self.expect(0, "^06_smem_transpose, M N K = 4096 4096 4096, ", "profile", "06")
        self.assertIn("4096 4096 4096 --no-check", self.called()[-1])

    def test_collects_every_lesson(self) -> None:
        data = self.collect(0, "wrote")
        self.assertEqual([row["lesson"] for row in data["lessons"]],
                         sorted(path.parent.name for path in SOURCE.glob("[0-9][0-9]_*/gemm.cu")))
        for row in data["lessons"]:
            self.assertRegex(row["source_hash"], "^[0-9a-f]{16}$")
            self.assertEqual(row["values"][METRICS[3].key], 100004.5)
            self.assertNotIn(None, row["values"].values())
        self.assertEqual((data["gpu"], data["cuda"], data["ncu"], data["size"]),
                         ("NVIDIA GeForce RTX 1", "13.0", "2025.3.1.0", [4096] * 3))
        self.assertEqual({key: entry["name"] for key, entry in data["metrics"].items()},
                         {metric.key: metric.name for metric in METRICS})

    def test_unknown_metric_is_null(self) -> None:
        lacking = METRICS[7]
        for mute in ("", "something"):
            with self.subTest(mute=mute):
                data = self.collect(0, "this ncu does not have: %s$" % re.escape(lacking.name), "02",
                                    LACKS=lacking.name, MUTE=mute)
                values = data["lessons"][0]["values"]
                self.assertEqual([key for key in values if values[key] is None], [lacking.key])

    def test_missing_value_is_null(self) -> None:
        values = self.collect(0, "wrote", "02", NO_VALUE="dram__bytes_read")["lessons"][0]["values"]
        self.assertEqual([key for key in values if values[key] is None], ["dram_read_bytes"])

    def test_failure_is_one_line_and_writes_nothing(self) -> None:
        self.assertEqual(self.collect(3, "ncu failed: ==ERROR== no permission", NONE="1"), {})
        self.expect(3, "ncu failed: ==ERROR== no permission", "profile", "02", env={"NONE": "1"})

    def test_one_lesson_fails_the_others_are_kept(self) -> None:
        data = self.collect(1, "04_float4: ncu failed: ==ERROR== it broke", "03", "04", "05",
                            BREAKS="04_float4")
        self.assertEqual([row["lesson"] for row in data["lessons"]],
                         ["03_thread_tile", "05_outer_product"])

    def test_numbers(self) -> None:
        self.assertEqual([number(text) for text in ("1,234", "0.5", "n/a", "nan", "inf", "", None)],
                         [1234, 0.5, None, None, None, None, None])
        self.assertEqual(read_table('==PROF==\n"Metric Name","Metric Value"\n"a","1"\n"b"\n'),
                         {"a": 1, "b": None})
