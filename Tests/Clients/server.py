"""A program in the background: what it prints is kept, can be waited for, and tells where it listens."""

import asyncio
import atexit
import ctypes
import os
import re
import signal
import subprocess
import threading

RUNNING = r"^Running until interrupted|^Recording until interrupted"
_started = []


def die_with_parent():
    """Linux ends the program when this one is killed, so that none stays behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@atexit.register
def _stop_all():
    for server in _started:
        server.discard()


class Server:
    """A started program. `log` is a file to which all that it prints is appended as well."""

    def __init__(self, command, log=None):
        self.words, self._text, self._ended = command, "", False
        self._changed = threading.Condition()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, preexec_fn=die_with_parent)
        _started.append(self)
        self._reader = threading.Thread(target=self._read, args=(log,), daemon=True)
        self._reader.start()

    def _read(self, log):
        with open(log or os.devnull, "ab") as file:
            for line in self.process.stdout:
                file.write(line)
                file.flush()
                with self._changed:
                    self._text += line.decode(errors="replace")
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    @property
    def text(self):
        """All that it has printed."""
        with self._changed:
            return self._text

    def wait_for(self, pattern=RUNNING, within=None):
        """Waits until it prints what matches; the match. It must not end before. No clock gives it up unless told."""
        def found():
            return re.search(pattern, self._text, re.M)

        with self._changed:
            self._changed.wait_for(lambda: found() or self._ended, within)
            match = found()
        assert match, f"{'it ended' if self._ended else f'no /{pattern}/ after {within} s'}:\n{self.text}"
        return match

    def port(self, pattern, within=None):
        """The number of a TCP port that it prints behind what matches."""
        return int(self.wait_for(pattern + r"tcp://127\.0\.0\.1:(\d+)", within)[1])

    def wait(self, within=None, status=0):
        """Waits until it ends, which must be with this exit status; what it printed."""
        try:
            code = self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.discard()
            raise AssertionError(f"no end of {' '.join(self.words)} in {within} s:\n{self.text}") from None
        self._reader.join()
        assert code == status, f"exit {code} instead of {status} of {' '.join(self.words)}:\n{self.text}"
        return self.text

    def stop(self, status=0):
        """Interrupts it, as a user would; what it printed."""
        if self.is_running:
            self.process.send_signal(signal.SIGINT)
        return self.wait(status=status)

    async def stopped(self):
        return await asyncio.to_thread(self.stop)

    @property
    def is_running(self):
        return self.process.poll() is None

    def discard(self):
        """Kills it, whatever it does."""
        if self.is_running:
            self.process.kill()
            self.process.wait()
