"""The command `meshbed emulate` as a child process: started, and ended together with this one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Mapping, Sequence
from urllib.parse import urlsplit

from .errors import MeshError
from .search import find_command, reason

# By the clock: a large world on a busy machine takes its time.
START_LIMIT = 120.0
STOP_LIMIT = 20.0
TAIL = 4000


@dataclass(frozen=True)
class Radio:
    """The address of a node's client: `MeshCore.create_tcp(*radio)`, or `radio.host` and `radio.port`."""

    name: str
    host: str
    port: int

    def __iter__(self) -> Any:
        return iter((self.host, self.port))


def endpoint(words: str) -> str:
    """Spells an endpoint; `alice` alone means a TCP port of this machine that the system chooses."""
    return words if "=" in words else f"{words}=tcp://127.0.0.1:0"


class Command:
    """A started mesh. It ends when it is stopped, and when this process ends in whatever way."""

    def __init__(
        self, world: str = "pair", *, seed: int | None = None, endpoints: Sequence[str] = ("alice",), time: str = "stepped",
        options: Sequence[str] = (), binary: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.words = [find_command(binary), "emulate", world, "--time", time]
        if seed is not None:
            self.words += ["--seed", str(seed)]
        for one in endpoints:
            self.words += ["--endpoint", endpoint(one)]
        self.words += [*options, "--control", "http://127.0.0.1:0", "--ready-json", "--until-stdin-closes"]
        self._errors = tempfile.TemporaryFile()
        try:
            # Standard input is a pipe that nobody writes to: when this process is gone, it closes, and the mesh ends.
            self._process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                env=None if environment is None else dict(environment))
        except OSError as error:
            self._errors.close()
            raise MeshError("not-started", reason(self.words[0], error)) from error
        try:
            self._take(self._first_line())
        except BaseException:
            self.stop()
            raise

    def _first_line(self) -> bytes:
        assert self._process.stdout is not None
        # A pipe cannot be waited for with a limit; when the process is gone, so is what holds this up.
        late = threading.Timer(START_LIMIT, self._process.kill)
        late.start()
        try:
            return bytes(self._process.stdout.readline())
        finally:
            late.cancel()

    def _take(self, line: bytes) -> None:
        try:
            self.ready: dict[str, Any] = json.loads(line)
            self.control = str(self.ready["control"])
        except (ValueError, KeyError, TypeError):
            self._process.kill()
            status = self._process.wait()
            said = self.errors().strip() or f"it said {line[:200]!r}"
            raise MeshError("not-started", f"{' '.join(self.words)} (exit {status}):\n{said}") from None
        self.token: str | None = self.ready.get("token")
        self.radios = {
            node["name"]: Radio(node["name"], parts.hostname or "", parts.port or 0)
            for node in self.ready.get("nodes", [])
            if (parts := urlsplit(str(node.get("endpoint") or "").removeprefix("modem:"))).scheme == "tcp"
        }

    @property
    def provenance(self) -> dict[str, Any]:
        """Version, commit, world, seed, time, and the repeatability of the run."""
        provenance: dict[str, Any] = self.ready.get("provenance", {})
        return provenance

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def errors(self) -> str:
        """The end of its output for people."""
        if self._errors.closed:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - TAIL))
        return self._errors.read().decode(errors="replace")

    def interrupt(self) -> int:
        """Interrupts the mesh, as a user at a terminal would; returns its exit status. A mesh that does not end is killed."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
        return self.stop()

    def kill(self) -> None:
        """Kills the mesh at once: nothing is written any more."""
        self._process.kill()
        self.stop()

    def stop(self) -> int:
        """Ends the mesh in good order; returns its exit status."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
        try:
            status = self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._errors.close()
        return status
