"""HTTP/1.1 and server-sent events as bytes: what both transports share, without sockets."""

from __future__ import annotations

import json
import select
import time
from dataclasses import dataclass
from typing import Any, Mapping
from urllib.parse import urlsplit

from .errors import MeshError

# A trace is the longest answer; a reader of traces takes as much.
LONGEST_BODY = 1 << 30
LONGEST_HEAD = 1 << 16
# Bytes of one event, with what came of the next.
LONGEST_EVENT = 1 << 24
# How long an answer may take by the clock: a day of a large world is minutes of work.
PATIENCE = 600.0
# How long a connection is kept without a request, by the clock. The server hangs up after 60 seconds, and a request that is
# written at that moment would be lost: it must be long over before.
LONGEST_IDLE = 30.0


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    token: str | None = None

    @classmethod
    def of(cls, url: str, token: str | None = None) -> Address:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or not parts.port:
            raise MeshError("no-answer", f"{url!r} is not an address such as http://127.0.0.1:8080")
        return cls(parts.hostname, parts.port, token)

    @property
    def headers(self) -> dict[str, str]:
        host = f"[{self.host}]" if ":" in self.host else self.host
        headers = {"Host": f"{host}:{self.port}", "Accept": "application/json, */*"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def head(self, method: str, path: str, body: bytes | None) -> bytes:
        """A request's head with its body."""
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers.items())]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        elif method in ("POST", "PUT"):
            lines.append("Content-Length: 0")
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


@dataclass(frozen=True)
class Head:
    """The status, and the fields that give the length of the body."""

    status: int
    headers: Mapping[str, str]

    @classmethod
    def read(cls, head: bytes) -> Head:
        lines = head.decode("latin-1").split("\r\n")
        words = lines[0].split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not is_number(words[1]) or len(words[1]) != 3:
            raise MeshError("bad-answer", f"no HTTP: {lines[0][:80]!r}")
        headers = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if line and not colon:
                raise MeshError("bad-answer", f"no header: {line[:80]!r}")
            headers[name.strip().lower()] = value.strip()
        return cls(int(words[1]), headers)

    @property
    def is_chunked(self) -> bool:
        return "chunked" in self.headers.get("transfer-encoding", "").lower()

    @property
    def length(self) -> int | None:
        """The length of the body; `None` where only the end of the connection ends it."""
        if self.status in (204, 304):
            return 0
        text = self.headers.get("content-length")
        if text is None:
            return None
        if not is_number(text) or int(text) > LONGEST_BODY:
            raise MeshError("bad-answer", f"a body of {text[:40]} bytes")
        return int(text)

    @property
    def ends_connection(self) -> bool:
        has_end = self.is_chunked or self.length is not None
        return self.headers.get("connection", "").lower() == "close" or not has_end


def is_number(text: str) -> bool:
    """Tells whether the text is a decimal number of a sensible length; other scripts have digits, too."""
    return text.isascii() and text.isdigit() and len(text) <= 12


def document(body: bytes | str, **facts: Any) -> Any:
    """The value of a text in JSON; `facts` say where it is from."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        start = body[:80] if isinstance(body, str) else body[:80].decode(errors="replace")
        status = f"status {facts['status']}, " if "status" in facts else ""
        raise MeshError("bad-answer", f"{status}no JSON: {start!r}", **facts) from None


def event(data: str) -> dict[str, Any]:
    """The data of an event."""
    value = document(data, request="GET /events")
    if not isinstance(value, dict):
        raise MeshError("bad-answer", f"no object: {data[:80]!r}", request="GET /events")
    return value


def chunk_size(line: bytes) -> int:
    """The size in the line before a chunk."""
    text = line.split(b";")[0].strip()
    try:
        size = int(text, 16)
    except ValueError:
        raise MeshError("bad-answer", f"no chunk size: {line[:40]!r}") from None
    if not 0 <= size <= LONGEST_BODY:
        raise MeshError("bad-answer", f"a chunk of {size} bytes")
    return size


class EventReader:
    """Reads a stream of server-sent events in pieces of any size, and returns the data of whole events."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[str] = []
        self._length = 0

    def feed(self, piece: bytes) -> list[str]:
        events = []
        first, *others = piece.split(b"\n")
        self._rest += first
        for other in others:
            text = bytes(self._rest).rstrip(b"\r").decode(errors="replace")
            self._rest = bytearray(other)
            if not text:
                if self._data:
                    events.append("\n".join(self._data))
                self._data, self._length = [], 0
            elif text.startswith("data:"):
                self._data.append(text[5:].removeprefix(" "))
                self._length += len(text)
            # Comments keep the connection alive; names and numbers of events are not the API's.
        if self._length + len(self._rest) > LONGEST_EVENT:
            raise MeshError("bad-answer", f"an event of more than {LONGEST_EVENT} bytes", request="GET /events")
        return events


def is_usable(descriptor: int, idle_since: float) -> bool:
    """Tells whether a kept connection may carry another request; `idle_since` is the monotonic time of its last answer."""
    return time.monotonic() - idle_since < LONGEST_IDLE and not has_input(descriptor)


def has_input(descriptor: int) -> bool:
    """Tells whether there are bytes to read. Between two answers these are the end, behind which a request could be lost."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
