"""./ladder where standard output or error is closed or full: status 3, and a line where there is room for one. Where
nobody reads it: quiet. Never a traceback."""
import subprocess

from sandbox import Answer, Sandbox

UNWRITABLE = "ladder: cannot write to standard {}: {}\n"


class Streams(Sandbox):
    def through(self, script: str, *words: str) -> Answer:
        """A call in a shell script, where "$@" is the call."""
        done = subprocess.run(["bash", "-c", script, "bash", str(self.tree / "ladder"), *words], cwd=str(self.work),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=self.patience, env=self.environment)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_each_command(self) -> None:
        names = sorted(path.stem for path in (self.tree / "common" / "ladder").glob("[a-z]*.py"))
        self.assertIn("explain", names)
        calls = [*((name, "2") for name in names), *((name, "--help") for name in names),
                 (), ("help",), ("--version",), ("fly",)]
        for words in calls[::2]:
            self.assertEqual(self.through('"$@" >&-', *words),
                             (3, "", UNWRITABLE.format("output", "it is closed")), words)
            self.assertEqual(self.through('"$@" 2>/dev/full', *words), (3, "", ""), words)
        for words in calls[1::2]:
            self.assertEqual(self.through('"$@" 2>&-', *words), (3, "", ""), words)
            self.assertEqual(self.through('"$@" >/dev/full', *words),
                             (3, "", UNWRITABLE.format("output", "No space left on device")), words)
        self.assertEqual(self.called(), [], "it did something before")

    def test_room_that_ends_later(self) -> None:
        """A file that takes nothing, which only a write shows."""
        for words in (("list",), ("diff", "2"), ("status",), ("diff", "--help"), ("help",), ("--version",)):
            self.assertEqual(self.through('ulimit -f 0; exec "$@" >out', *words),
                             (3, "", UNWRITABLE.format("output", "File too large")), words)
        self.assertEqual(self.through('ulimit -f 0; exec "$@" 2>err', "run", "99"), (3, "", ""))
        self.assertEqual(self.through('ulimit -f 0; exec "$@" 2>err', "list").status, 0)  # nothing to tell

    def test_a_reader_that_has_seen_enough(self) -> None:
        for words in (("diff", "7"), ("help", "--all"), ("diff", "--help"), ("list",)):
            self.assertEqual(self.through('"$@" | true; exit "${PIPESTATUS[0]}"', *words)[1:], ("", ""), words)
            answer = self.through('"$@" | head -n 1', *words)
            self.assertEqual((answer.status, len(answer.out.splitlines()), answer.err), (0, 1, ""), words)

    def test_a_closed_input(self) -> None:
        answer = self.through('"$@" <&-', "check", "02.1")
        self.assertEqual(answer.status, 2, answer)
        self.assertRegex(answer.err, "^ladder: [^\n]*\n$")
