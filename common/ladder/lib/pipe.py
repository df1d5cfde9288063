"""Reads a program's output as it comes, so that the program never blocks, and limits how much is kept."""
import contextlib
import os
from typing import IO, List, Optional

_KEPT = 1 << 20  # bytes to keep of the beginning, and as many of the end


class Pipe:
    """The beginning and the end of what a program has written so far."""

    def __init__(self, stream: IO[bytes], log: Optional[IO[bytes]]):
        self.stream, self.log, self.written = stream, log, 0
        self.head, self.tail = bytearray(), bytearray()
        os.set_blocking(stream.fileno(), False)

    def read(self) -> bool:
        """Reads the available output; False at the end of the stream."""
        try:
            chunk = os.read(self.stream.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        if self.log:
            with contextlib.suppress(OSError):  # a full disk: the command itself will report it
                self.log.write(chunk)
        self.written += len(chunk)
        room = _KEPT - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[max(room, 0):]
        if len(self.tail) > 2 * _KEPT:  # not every time, since deleting moves the rest
            del self.tail[:-_KEPT]
        return bool(chunk)

    def text(self) -> str:
        left_out = self.written - len(self.head) - len(self.tail)
        note = b"\n... %d bytes omitted ...\n" % left_out if left_out else b""
        return (self.head + note + self.tail).decode("utf-8", "replace")

    def last_lines(self) -> List[str]:
        """The lines of the last 4000 bytes, at least one. The first may be cut off."""
        end = bytes((self.tail or self.head)[-4000:])
        return end.decode("utf-8", "replace").rstrip().split("\n")
