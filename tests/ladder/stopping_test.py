"""./ladder commands at the same time, and stopped by signals. No process that they started may remain."""
import random
import re
import signal
import subprocess
import sys
import time

from sandbox import Sandbox

from ladder.lib.work import Started, execute


class Together(Sandbox):
    def test_the_second_command_waits_and_reports_it(self) -> None:
        hold = self.work / "hold"
        hold.touch()
        first = self.start("run", "2", env={"HOLD": str(hold)})
        self.programs()[0]
        second = self.start("run", "3")  # 02 is there already
        said = b""
        for line in second.stderr:
            said += line
            if b"waiting" in line:
                break
        hold.unlink()
        self.assertRegex(said.decode(), r"another ./ladder is running in this checkout \(./ladder run, process "
                         r"%d\): waiting" % first.pid)
        for each in (first, second):
            out, err = each.communicate(timeout=60)
            self.assertEqual(each.returncode, 0, err)
            self.assertIn(b"right", out)

    def test_a_command_inside_a_command_does_not_wait(self) -> None:
        self.stand_in("lesson", '[ -n "$INNER" ] || INNER=1 "%s" run 2 --json >/dev/null || exit\n'
                      'echo "{\\"lesson\\": \\"in\\", \\"M\\": 1, \\"N\\": 1, \\"K\\": 1, '
                      '\\"closing\\": \\"$LADDER_CLOSING\\"}"\n' % (self.tree / "ladder"))
        self.expect(0, "02_coalesced", "run", "2")

    def stopped_by(self, number: signal.Signals, env: dict, *arguments: str) -> None:
        """A signal ends a command of two minutes together with its processes."""
        child = self.start(*(arguments or ("run", "2")), env=env)
        process = self.programs()[0]
        child.send_signal(number)
        _, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + number, err)
        self.assertIn(b"ladder: stopped", err)
        self.assertNotIn(b"Traceback", err)
        self.assertTrue(self.ends(process), "it still runs")
        self.calls.with_name("calls.running").unlink()

    def test_signals_stop_the_build(self) -> None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            self.stopped_by(number, {"BUILD_TAKES": "120"})
        self.expect(0, "right", "run", "2")
        drafts = [path for path in (self.tree / "build").iterdir() if path.name.startswith(".")]
        self.assertEqual(drafts, [])

    def test_a_signal_while_a_program_starts(self) -> None:
        """The signal arrives after the program has started but before the command knows its process."""
        early = """\
import os, signal, subprocess, sys, time
sys.path.insert(0, "common")
from ladder.lib import work

class Started(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print(self.pid, flush=True)
        os.kill(os.getpid(), signal.%s)
        time.sleep(0.1)

work.subprocess.Popen = Started
work.catch_signals()
try:
    work.execute(["sleep", "120"])
except work.Stop as stop:
    sys.exit(stop.code)
"""
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            done = subprocess.run([sys.executable, "-B", "-c", early % number.name], cwd=str(self.tree),
                                  stdout=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 128 + number)
            self.assertTrue(self.ends(int(done.stdout)), "it still runs")

    def test_a_signal_while_output_is_read(self) -> None:
        """The output is still read to its end. Here the reader is slow, as on a busy machine."""
        slow = """\
import os, signal, sys, threading, time
sys.path.insert(0, "common")
from ladder.lib import work

def slowly(pipe, read=work.Pipe.read):
    time.sleep(0.5)
    return read(pipe)

work.Pipe.read = slowly
work.catch_signals()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()
try:
    work.execute(["sleep", "120"])
except work.Stop as stop:
    time.sleep(1)
    sys.exit(stop.code)
"""
        done = subprocess.run([sys.executable, "-B", "-c", slow], cwd=str(self.tree), stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGTERM, b""))

    def test_signals_stop_what_mutate_builds(self) -> None:
        self.stopped_by(signal.SIGTERM, {"BUILD_TAKES": "120"}, "mutate", "2", "--sample", "3")

    def test_signals_stop_a_program(self) -> None:
        self.stopped_by(signal.SIGTERM, {"SLEEP": "120"})

    def test_detached_processes_end_with_the_command(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            child = self.start("run", "2", env={"SLEEP": "120", "DETACH": "1"})
            while len(self.programs()) < 2:  # the program and its detached process
                time.sleep(0.02)
            child.send_signal(number)
            child.communicate(timeout=60)
            self.assertTrue(all(map(self.ends, self.programs())), "it still runs")
            self.calls.with_name("calls.running").unlink()
        self.expect(0, "right", "run", "2", env={"DETACH": "1"})  # here the program itself ends first
        self.assertTrue(all(map(self.ends, self.programs())), "it still runs")

    def test_a_killed_command_leaves_no_program(self) -> None:
        for env in ({"BUILD_TAKES": "120"}, {"SLEEP": "120"}):
            child = self.start("run", "2", env=env)
            process = self.programs()[0]
            child.kill()
            child.communicate(timeout=60)
            self.assertTrue(self.ends(process), "it still runs")
            self.calls.with_name("calls.running").unlink()
            self.expect(0, "right", "run", "2")

    def test_a_killed_command_leaves_no_lock(self) -> None:
        child = self.start("run", "2", env={"SLEEP": "3"})
        self.programs()[0]
        child.kill()
        child.communicate(timeout=60)
        answer = self.expect(0, "right", "run", "2")
        self.assertNotIn("waiting", answer.err)

    def test_killed_at_any_moment_and_then_again(self) -> None:
        moments = random.Random(1)
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT) * 2:
            child = self.start("run", "2", env={"BUILD_TAKES": "0.3", "SLEEP": "0.3"})
            time.sleep(moments.uniform(0.2, 0.9))
            child.send_signal(number)
            _, err = child.communicate(timeout=20)
            self.assertNotIn(b"Traceback", err)
            answer = self.expect(0, "right", "run", "2")
            self.assertNotIn("waiting", answer.err)


class Limits(Sandbox):
    """The programs of ./ladder check: their output is read while they run, and they do not run forever."""
    patience = 60

    def setUp(self) -> None:
        super().setUp()
        self.ladder("climb", "2")

    def test_much_output_without_a_reader(self) -> None:
        """The output is read even if nobody calls wait() yet, as for one of several parallel programs."""
        self.stand_in("flood", "yes | head -c 300000; yes | head -c 300000 >&2\n")
        with Started([self.bin / "flood"]) as started:
            end = time.monotonic() + 20
            while not started.ended() and time.monotonic() < end:
                time.sleep(0.02)
            self.assertTrue(started.ended(), "it waits for a reader")
            self.assertEqual(tuple(map(len, started.wait()[1:3])), (300000, 300000))

    def limit(self, name: str, value: str) -> None:
        path = self.tree / "common" / "ladder" / "lib" / "work.py"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(rf"(?m)^{name} = .*$", f"{name} = {value}", text), encoding="utf-8")

    def test_an_endless_program(self) -> None:
        self.limit("LIMIT", "1.0")
        answer = self.expect(1, "^    02_coalesced.test was stopped: it was still running after 1 s; does host",
                             "check", "2", env={"SLEEP": "120"})
        self.assertIn("fails: correct for every size", answer.out)

    def test_endless_output(self) -> None:
        self.limit("_MOST", "1 << 18")
        self.expect(1, "was stopped: it had written 0 MiB; does every thread print", "check", "2",
                    env={"FLOOD": "x", "SLEEP": "120"})

    def test_a_program_that_closes_its_output(self) -> None:
        self.limit("LIMIT", "1.0")
        self.stand_in("lesson", "exec >&- 2>&-\nexec sleep 120\n")
        self.expect(1, "it was still running after 1 s", "check", "2")

    def test_long_output_is_shortened(self) -> None:
        """The beginning and the end are kept, with the number of omitted bytes."""
        self.stand_in("flood", "echo first; yes | head -c 9000000; echo last\n")
        done = execute([self.bin / "flood"])
        self.assertEqual((done.status, done.out[:8], done.out[-7:]), (0, "first\ny\n", "y\nlast\n"))
        left_out = int(re.findall(r"\n\.\.\. (\d+) bytes omitted \.\.\.\n", done.out)[0])
        self.assertEqual(len(re.sub(r"\n\.\.\. .*\n", "", done.out)) + left_out, 9000000 + 11)
        self.assertLess(len(done.out), 4 << 20)
