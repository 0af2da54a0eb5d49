"""Requests over `http.client`: one connection for each request that is under way, kept for the next."""

from __future__ import annotations

import asyncio
import http.client
import time
from typing import Any, Iterator, TypeVar

from .. import requests
from ..answers import RunUntilAnswer
from ..conditions import Condition
from ..errors import MeshError
from ..requests import Request
from ..wire import LONGEST_BODY, PATIENCE, Address, EventReader, event, is_usable

T = TypeVar("T")


class Transport:
    def __init__(
        self, url: str, token: str | None = None, *, keeps_connections: bool = True, patience: float = PATIENCE
    ) -> None:
        self.url, self.token, self.patience, self._keeps = url, token, patience, keeps_connections
        self._address = Address.of(url, token)
        self._free: list[tuple[http.client.HTTPConnection, float]] = []

    def ask(self, request: Request[T]) -> T:
        connection = self._connection()
        try:
            headers = dict(self._address.headers)
            if request.body is not None:
                headers["Content-Type"] = "application/json"
            connection.request(request.method, request.path, request.encoded(), headers)
            answer = connection.getresponse()
            body = _body(answer)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise MeshError("no-answer", f"{self.url}: {error or type(error).__name__}", request=str(request)) from error
        except BaseException:
            connection.close()
            raise
        if answer.will_close or not self._keeps:
            connection.close()
        else:
            self._free.append((connection, time.monotonic()))
        return request.answer(answer.status, body)

    def step(self, seconds: float, condition: Condition | None) -> RunUntilAnswer:
        """Lets time pass, until the condition holds where there is one."""
        refuse_in_coroutine()
        if condition is None:
            return RunUntilAnswer(is_met=True, state=self.ask(requests.advance(seconds)))
        return self.ask(requests.run_until(condition, seconds))

    def events(self) -> Iterator[dict[str, Any]]:
        """The events from now on. The connection is there when this returns, so nothing after it is missed."""
        connection = http.client.HTTPConnection(self._address.host, self._address.port, timeout=self.patience)
        try:
            connection.request("GET", "/events", headers=self._address.headers)
            answer = connection.getresponse()
            if answer.status != 200:
                Request("GET", "/events", lambda answer: answer).answer(answer.status, _body(answer))
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise MeshError("no-answer", f"{self.url}: {error or type(error).__name__}", request="GET /events") from error
        except BaseException:
            connection.close()
            raise
        return _events(connection, answer)

    def close(self) -> None:
        while self._free:
            self._free.pop()[0].close()

    def _connection(self) -> http.client.HTTPConnection:
        while self._free:
            connection, idle_since = self._free.pop()
            if connection.sock is not None and is_usable(connection.sock.fileno(), idle_since):
                return connection
            connection.close()
        return http.client.HTTPConnection(self._address.host, self._address.port, timeout=self.patience)


def _body(answer: http.client.HTTPResponse) -> bytes:
    """The body, as far as it may go."""
    body = bytearray()
    while piece := answer.read(1 << 20):
        body += piece
        if len(body) > LONGEST_BODY:
            raise MeshError("bad-answer", f"more than {LONGEST_BODY} bytes")
    if answer.length:
        raise http.client.IncompleteRead(bytes(body[:80]), answer.length)
    return bytes(body)


def _events(connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    reader = EventReader()
    try:
        while piece := answer.read1(1 << 16):
            for data in reader.feed(piece):
                yield event(data)
    except (http.client.HTTPException, ValueError) as error:
        raise MeshError("bad-answer", f"{error or type(error).__name__}", request="GET /events") from error
    except OSError as error:
        raise MeshError("no-answer", f"{error or type(error).__name__}", request="GET /events") from error
    finally:
        connection.close()


def refuse_in_coroutine() -> None:
    """Refuses a call in a coroutine: a client on this thread's event loop could not read its bytes during the wait."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise MeshError(
        "wrong-face", "this would block the event loop, and with it every client on it: use the fixture amesh, or "
        "meshbed.aio.AsyncMesh, with await")
