"""Requests over asyncio streams: one connection for each request that is under way, kept for the next."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, AsyncIterator, Iterator, TypeVar

from .. import requests
from ..answers import RunUntilAnswer, State
from ..conditions import Condition
from ..errors import MeshError
from ..requests import Request
from ..wire import LONGEST_BODY, LONGEST_HEAD, Address, EventReader, Head, chunk_size, event, is_usable
from .loop import WorldLoop

T = TypeVar("T")


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.idle_since = time.monotonic()

    @property
    def is_usable(self) -> bool:
        if self.reader.at_eof() or self.writer.is_closing():
            return False
        return is_usable(self.writer.get_extra_info("socket").fileno(), self.idle_since)

    @classmethod
    async def open(cls, address: Address) -> _Connection:
        connection = cls(*await asyncio.open_connection(address.host, address.port, limit=LONGEST_HEAD))
        loop = asyncio.get_running_loop()
        if isinstance(loop, WorldLoop):
            loop.owns(connection.writer.transport)
        return connection

    def close(self) -> None:
        self.writer.close()

    async def head(self) -> Head:
        return Head.read((await self.reader.readuntil(b"\r\n\r\n"))[:-4])

    async def pieces(self, head: Head) -> AsyncIterator[bytes]:
        """The body as it comes."""
        if head.is_chunked:
            while size := chunk_size(await self.reader.readuntil(b"\r\n")):
                yield (await self.reader.readexactly(size + 2))[:-2]
            while await self.reader.readuntil(b"\r\n") != b"\r\n":
                pass
        elif (length := head.length) is not None:
            if length:
                yield await self.reader.readexactly(length)
        else:
            while piece := await self.reader.read(1 << 16):
                yield piece

    async def body(self, head: Head) -> bytes:
        body = bytearray()
        async for piece in self.pieces(head):
            body += piece
            if len(body) > LONGEST_BODY:
                raise MeshError("bad-answer", f"more than {LONGEST_BODY} bytes")
        return bytes(body)


class AsyncTransport:
    def __init__(self, url: str, token: str | None = None, *, keeps_connections: bool = True) -> None:
        self.url, self.token, self._keeps = url, token, keeps_connections
        self._address = Address.of(url, token)
        self._free: list[_Connection] = []

    async def ask(self, request: Request[T]) -> T:
        async with _under_way():
            return await self._ask(request)

    async def _ask(self, request: Request[T]) -> T:
        with self._failures(str(request)):
            connection = await self._connection()
            try:
                connection.writer.write(self._address.head(request.method, request.path, request.encoded()))
                head = await connection.head()
                body = await connection.body(head)
            except BaseException:
                # Also when the task is cancelled: the answer that is still to come would be taken for the next one.
                connection.close()
                raise
            if head.ends_connection or not self._keeps:
                connection.close()
            else:
                # Not the time of the loop, which may be the world's.
                connection.idle_since = time.monotonic()
                self._free.append(connection)
            return _noted(request.answer(head.status, body))

    async def step(self, seconds: float, condition: Condition | None) -> RunUntilAnswer:
        """Lets time pass, until the condition holds where there is one; on a loop of the world's time, with its timers."""
        loop = asyncio.get_running_loop()
        if isinstance(loop, WorldLoop):
            return await loop.step(seconds, condition)
        if condition is None:
            return RunUntilAnswer(is_met=True, state=await self.ask(requests.advance(seconds)))
        return await self.ask(requests.run_until(condition, seconds))

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """The events from now on. The connection is there when this returns, so nothing after it is missed."""
        async with _under_way():
            connection, head = await self._subscribed()
        return self._events(connection, head)

    async def _subscribed(self) -> tuple[_Connection, Head]:
        with self._failures("GET /events"):
            connection = await _Connection.open(self._address)
            try:
                connection.writer.write(self._address.head("GET", "/events", None))
                head = await connection.head()
                if head.status != 200:
                    Request("GET", "/events", lambda answer: answer).answer(head.status, await connection.body(head))
            except BaseException:
                connection.close()
                raise
            return connection, head

    async def _events(self, connection: _Connection, head: Head) -> AsyncIterator[dict[str, Any]]:
        reader = EventReader()
        try:
            with self._failures("GET /events"):
                async for piece in connection.pieces(head):
                    for data in reader.feed(piece):
                        yield event(data)
        finally:
            connection.close()

    async def close(self) -> None:
        while self._free:
            connection = self._free.pop()
            connection.close()
            with contextlib.suppress(OSError):
                await connection.writer.wait_closed()

    async def _connection(self) -> _Connection:
        while self._free:
            connection = self._free.pop()
            if connection.is_usable:
                return connection
            connection.close()
        return await _Connection.open(self._address)

    @contextlib.contextmanager
    def _failures(self, request: str) -> Iterator[None]:
        try:
            yield
        except asyncio.LimitOverrunError as error:
            raise MeshError("bad-answer", f"a head or a line of more than {LONGEST_HEAD} bytes", request=request) from error
        except (OSError, EOFError) as error:
            what = "the connection was closed early" if isinstance(error, EOFError) else str(error)
            raise MeshError("no-answer", f"{self.url}: {what}", request=request) from error
        except ValueError as error:
            raise MeshError("bad-answer", str(error), request=request) from error


def _noted(answer: T) -> T:
    """A loop of the world's time learns from each answer how late it is."""
    loop = asyncio.get_running_loop()
    state = getattr(answer, "state", answer)
    if isinstance(loop, WorldLoop) and isinstance(state, State):
        loop.saw(state)
    return answer


@contextlib.asynccontextmanager
async def _under_way() -> AsyncIterator[None]:
    """While a request is under way, a loop of the world's time waits for its answer, and lets no time pass itself."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, WorldLoop):
        yield
        return
    async with loop.request():
        yield
