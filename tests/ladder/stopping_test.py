"""Commands of ./ladder side by side, and stopped by signals: nothing that they started goes on."""
import random
import signal
import subprocess
import sys
import time

from sandbox import Sandbox


class Together(Sandbox):
    def test_the_second_waits_and_says_so(self) -> None:
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
        self.assertRegex(said.decode(), r"another ./ladder is at work in this checkout \(./ladder run, process "
                         r"%d\): waiting" % first.pid)
        for each in (first, second):
            out, err = each.communicate(timeout=60)
            self.assertEqual(each.returncode, 0, err)
            self.assertIn(b"right", out)

    def test_a_command_inside_a_command_does_not_wait(self) -> None:
        self.stand_in("lesson", '[ -n "$INNER" ] || { INNER=1 "%s" run 2 --json; exit; }\n'
                      'echo "{\\"lesson\\": \\"in\\", \\"M\\": 1, \\"N\\": 1, \\"K\\": 1}"\n' %
                      (self.tree / "ladder"))
        self.expect(0, "02_coalesced", "run", "2")

    def stopped_by(self, number: signal.Signals, env: dict) -> None:
        """A command that would take two minutes ends with all that it has started."""
        child = self.start("run", "2", env=env)
        process = self.programs()[0]
        child.send_signal(number)
        _, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + number, err)
        self.assertIn(b"ladder: stopped", err)
        self.assertNotIn(b"Traceback", err)
        self.assertTrue(self.ends(process), "it goes on")
        self.calls.with_name("calls.running").unlink()

    def test_signals_stop_the_build(self) -> None:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            self.stopped_by(number, {"BUILD_TAKES": "120"})
        self.expect(0, "right", "run", "2")
        drafts = [path for path in (self.tree / "build").iterdir() if path.name.startswith(".")]
        self.assertEqual(drafts, [])

    def test_a_signal_while_a_program_starts(self) -> None:
        """It comes when the program runs but the command does not know it yet: still, none is left."""
        early = """\
import os, signal, subprocess, sys, time
sys.path.insert(0, "common")
from ladder.lib import work

class Started(subprocess.Popen):
    def __init__(self, *words, **options):
        super().__init__(*words, **options)
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
            self.assertTrue(self.ends(int(done.stdout)), "it goes on")

    def test_signals_stop_what_mutate_builds(self) -> None:
        child = self.start("mutate", "2", "--sample", "3", env={"BUILD_TAKES": "120"})
        process = self.programs()[0]
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGTERM)
        self.assertTrue(self.ends(process), "it goes on")

    def test_signals_stop_a_program(self) -> None:
        self.stopped_by(signal.SIGTERM, {"SLEEP": "120"})

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
