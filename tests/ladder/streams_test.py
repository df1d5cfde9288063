"""./ladder with a closed or full standard output or error: status 3, and one line if it can be written. With a closed pipe
it prints nothing. There is never a traceback."""
import subprocess

from sandbox import Answer, Sandbox

UNWRITABLE = "ladder: cannot write to standard {}: {}\n"


class Streams(Sandbox):
    def through(self, script: str, *arguments: str) -> Answer:
        """Calls ./ladder in a shell script, in which "$@" is the call."""
        done = subprocess.run(["bash", "-c", script, "bash", str(self.tree / "ladder"), *arguments], cwd=str(self.work),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=self.patience, env=self.environment)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_each_command(self) -> None:
        names = sorted(path.stem for path in (self.tree / "common" / "ladder").glob("[a-z]*.py"))
        self.assertIn("explain", names)
        calls = [*((name, "2") for name in names), *((name, "--help") for name in names),
                 (), ("help",), ("--version",), ("fly",)]
        for arguments in calls[::2]:
            self.assertEqual(self.through('"$@" >&-', *arguments),
                             (3, "", UNWRITABLE.format("output", "it is closed")), arguments)
            self.assertEqual(self.through('"$@" 2>/dev/full', *arguments), (3, "", ""), arguments)
        for arguments in calls[1::2]:
            self.assertEqual(self.through('"$@" 2>&-', *arguments), (3, "", ""), arguments)
            self.assertEqual(self.through('"$@" >/dev/full', *arguments),
                             (3, "", UNWRITABLE.format("output", "No space left on device")), arguments)
        self.assertEqual(self.called(), [], "it started a program before")

    def test_output_that_fails_when_written(self) -> None:
        """The file can be opened, but writing to it fails."""
        for arguments in (("list",), ("diff", "2"), ("status",), ("diff", "--help"), ("help",), ("--version",)):
            self.assertEqual(self.through('ulimit -f 0; exec "$@" >out', *arguments),
                             (3, "", UNWRITABLE.format("output", "File too large")), arguments)
        self.assertEqual(self.through('ulimit -f 0; exec "$@" 2>err', "run", "99"), (3, "", ""))
        self.assertEqual(self.through('ulimit -f 0; exec "$@" 2>err', "list").status, 0)  # nothing to tell

    def test_a_closed_pipe(self) -> None:
        for arguments in (("diff", "7"), ("help", "--all"), ("diff", "--help"), ("list",)):
            self.assertEqual(self.through('"$@" | true; exit "${PIPESTATUS[0]}"', *arguments)[1:], ("", ""), arguments)
            answer = self.through('"$@" | head -n 1', *arguments)
            self.assertEqual((answer.status, len(answer.out.splitlines()), answer.err), (0, 1, ""), arguments)

    def test_a_closed_input(self) -> None:
        answer = self.through('"$@" <&-', "check", "02.1")
        self.assertEqual(answer.status, 2, answer)
        self.assertRegex(answer.err, "^ladder: [^\n]*\n$")
