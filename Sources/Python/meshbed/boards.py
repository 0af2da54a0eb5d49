"""The command `meshbed lab hold` as a child process: real radios at TCP ports, put back between tests and at the end."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from dataclasses import dataclass
from typing import Any, Sequence

from .command import Radio
from .errors import MeshError
from .search import find_command, reason

# By the clock: a board that restarts, or one with thousands of contacts, takes its time.
START_LIMIT = 180.0
STOP_LIMIT = 180.0
# The exit status that says that a board is not there, where that is allowed.
MISSING = 3


class MissingBoard(MeshError):
    """A board that is not there, where that is no error."""

    def __init__(self, message: str) -> None:
        super().__init__("not-there", message)


@dataclass(frozen=True)
class HeldRadio:
    """A real radio: its label in the bench file, its address for clients, and the needs of tests that it meets."""

    label: str
    host: str
    port: int
    firmware: str | None
    can: frozenset[str]

    def named(self, name: str) -> Radio:
        """The address under the name that a test has for the radio."""
        return Radio(name, self.host, self.port)


class HeldBoards:
    """The boards of a session. They are put back when it stops, and when this process ends in whatever way."""

    def __init__(
        self, labels: Sequence[str], *, bench: str | os.PathLike[str] | None = None, allow_missing: bool = False,
        binary: str | os.PathLike[str] | None = None,
    ) -> None:
        words = [find_command(binary), "lab", "hold", *labels]
        if bench is not None:
            words += ["--bench", os.fspath(bench)]
        if allow_missing:
            words.append("--allow-missing")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise MeshError("not-started", reason(words[0], error)) from error
        self._said: list[str] = []
        # Nobody else reads it while requests wait for their answers.
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        late = threading.Timer(START_LIMIT, self._process.kill)
        late.start()
        try:
            line = self._line()
        finally:
            late.cancel()
        try:
            self.radios = [_radio(row) for row in json.loads(line)["radios"]]
        except (ValueError, KeyError, TypeError):
            raise self._failure(line) from None

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said.append(line)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _failure(self, line: str) -> MeshError:
        if line:
            self._process.kill()
        status = self._process.wait()
        self._listener.join(1)
        said = self.said() or f"it said {line[:200]!r}"
        if status == MISSING:
            return MissingBoard(said)
        return MeshError("not-started", said)

    def said(self) -> str:
        """Its output for people."""
        return "".join(self._said).strip()

    # Requests

    def restore(self) -> None:
        """Puts back what has changed on all boards; their clients have to be gone."""
        self._ask("restore")

    def power(self, label: str, verb: str) -> None:
        """Switches the power of a board: on, off or cycle."""
        self._ask(f"power {label} {verb}")

    def reset(self, label: str) -> None:
        """Restarts a board by a line of its serial port."""
        self._ask(f"reset {label}")

    def _ask(self, request: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
            line = self._line()
        except OSError:
            line = ""
        if not line:
            raise MeshError("ended", f"the command that holds the boards has ended: {self.said()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise MeshError("refused", str(answer["error"]))

    def stop(self) -> None:
        """Puts everything back and gives the boards to others; an error where something was not put back."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except OSError:
                    pass
        try:
            status = self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._listener.join(1)
        if status != 0:
            raise MeshError("not-restored", self.said() or f"meshbed lab hold ended with exit status {status}")


def _radio(row: dict[str, Any]) -> HeldRadio:
    return HeldRadio(
        str(row["label"]), str(row["host"]), int(row["port"]), row.get("firmware"), frozenset(map(str, row["can"])))
