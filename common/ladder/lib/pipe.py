"""What a program writes, read as it comes, so that it never waits for a reader, and kept within bounds."""
import contextlib
import os
from typing import IO, Optional

_KEPT = 1 << 20  # bytes that are kept: as many of the beginning as of the end


class Pipe:
    """What a program has written so far: its beginning and its end."""

    def __init__(self, stream: IO[bytes], log: Optional[IO[bytes]]):
        self.stream, self.log, self.written = stream, log, 0
        self.head, self.tail = bytearray(), bytearray()
        os.set_blocking(stream.fileno(), False)

    def read(self) -> bool:
        """Takes what is there; False when there will be no more."""
        try:
            chunk = os.read(self.stream.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        if self.log:
            with contextlib.suppress(OSError):  # a full disk: the command itself will tell
                self.log.write(chunk)
        self.written += len(chunk)
        room = _KEPT - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[max(room, 0):]
        if len(self.tail) > 2 * _KEPT:  # not each time: what is kept is moved
            del self.tail[:-_KEPT]
        return bool(chunk)

    def text(self) -> str:
        left_out = self.written - len(self.head) - len(self.tail)
        note = b"\n... %d bytes are left out here ...\n" % left_out if left_out else b""
        return (self.head + note + self.tail).decode("utf-8", "replace")

    def last_line(self) -> str:
        end = bytes((self.tail or self.head)[-2000:])
        return end.rstrip().rsplit(b"\n", 1)[-1].decode("utf-8", "replace")
