"""An event loop whose clock is the world's: timers of a client fire in simulated time, and nothing waits by the clock."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import math
import select
import selectors
import time
import weakref
from typing import Any, AsyncIterator, Callable, Iterator, Optional, Protocol

from .. import requests
from ..answers import RunUntilAnswer, State
from ..conditions import Condition
from ..errors import MeshError, Stuck
from ..requests import Request
from ..wire import PATIENCE

MICROSECOND = 1e-6
# How much of the world's time a coroutine may wait for something without any timer.
LONGEST_WAIT = 3600.0
# How often tasks that never wait get their turn before a request that waits for them.
MOST_TURNS = 10_000


class Asks(Protocol):
    async def ask(self, request: Request[Any]) -> Any: ...


class WorldLoop(asyncio.SelectorEventLoop):
    """Runs clients of one stepped world and its tester in the world's time.

    `time()` stands still while anything is left to do. When all tasks wait, the loop asks the mesh whether it has read what
    clients have written, and lets the world's time pass up to the next timer of the loop, or until a client gets
    output. So `asyncio.sleep(30)` in a client is thirty seconds of the world and no time at all, and a client's retry
    comes at the world's moment, however slow the machine is.

    Requests have one order: each begins when the one before it is answered and all tasks wait. What clients had to write
    at that moment is written then, and the mesh reads it before the request.

    Only sockets of this loop count as clients: a client in another thread or process is not waited for.
    """

    def __init__(self) -> None:
        self._micros = 0
        self._seen: Optional[int] = None
        self._asks: Optional[Asks] = None
        self._requests = 0
        self._threads = 0
        # Requests whose turn has not come, oldest first, and whether one is under way.
        self._queue: collections.deque[asyncio.Future[None]] = collections.deque()
        self._is_asking = False
        # Whether the next request comes from the loop itself at a moment at which all tasks wait.
        self._is_settled = False
        self._turns = 0
        # Whether the mesh has taken all that clients have written, and they have heard all that it has to say.
        self._is_calm = False
        # Whether clients may hear what the mesh has told them: once, when it has said that this is all.
        self._is_open = False
        # Whether time is passing, and clients hear nothing until it is known how far it came.
        self._is_passing = False
        # Connections to the mesh by the number of their socket, which is another's once they are closed or forgotten.
        self._own: dict[int, weakref.ref[asyncio.WriteTransport]] = {}
        self._settled: list[asyncio.Future[None]] = []
        self._turn: Optional[asyncio.Lock] = None
        self._chores: set[asyncio.Task[None]] = set()
        self._failure: Optional[BaseException] = None
        self._main: Optional[asyncio.Task[Any]] = None
        super().__init__(_Watched(self))
        self._clock_resolution = MICROSECOND

    # What asyncio asks

    def time(self) -> float:
        return self._micros * MICROSECOND

    @property
    def world_time(self) -> float:
        """Seconds of the world since its run began. With a snapshot it goes back; `time()` does not."""
        return (self._seen or 0) * MICROSECOND

    @contextlib.contextmanager
    def calendar(self, begin: float) -> Iterator[None]:
        """While this is open, `time.time()` returns the world's time: `begin`, in seconds since 1970, is when its run began.

        Timestamps of a client are the same in each run then.
        """
        clock = time.time
        time.time = lambda: begin + self.world_time
        try:
            yield
        finally:
            time.time = clock

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Runs work in another thread, which has the clock's time: the world's stands still meanwhile."""
        future = super().run_in_executor(executor, func, *args)
        self._requests += 1
        self._threads += 1
        future.add_done_callback(lambda _: self._returned())
        return future

    def _returned(self) -> None:
        self._threads -= 1
        self._ended()

    def perform(self, coroutine: Any) -> Any:
        """Runs a coroutine to its end; raises `Stuck` where it would have none."""
        self._main = self.create_task(coroutine)
        try:
            return self.run_until_complete(self._main)
        except asyncio.CancelledError as error:
            if self._failure is None:
                raise
            failure, self._failure = self._failure, None
            raise failure from error
        finally:
            self._main = None

    def finish(self) -> None:
        """Ends what still runs, and closes."""
        try:
            left = asyncio.all_tasks(self)
            for task in left:
                task.cancel()
            # Without the mesh: it need not be there any more.
            self._asks = None
            if left:
                self.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self.run_until_complete(self.shutdown_asyncgens())
        finally:
            self.close()

    # The mesh

    def attach(self, asks: Asks, state: Optional[State] = None) -> None:
        """Attaches the loop to this mesh, in this state: from here on, time is the mesh's."""
        self._asks, self._seen = asks, None
        if state is not None:
            self.saw(state)

    def owns(self, transport: asyncio.WriteTransport) -> None:
        """Enters a connection to the mesh: bytes on it are no client's."""
        self._own[int(transport.get_extra_info("socket").fileno())] = weakref.ref(transport)

    @contextlib.asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
        """While this is open, no time passes by itself. It begins when its turn has come."""
        is_own, self._is_settled = self._is_settled or asyncio.current_task() in self._chores, False
        self._requests += 1
        try:
            if not is_own or self._is_asking:
                await self._turn_to_ask()
            self._is_asking = True
            try:
                yield
            finally:
                self._is_asking = False
        finally:
            self._ended()

    async def _turn_to_ask(self) -> None:
        """Returns when no other request is under way and no task has anything left to do.

        Otherwise the machine would decide which of two requests the mesh reads first, and whether it has read what a client
        writes at this moment.
        """
        turn = self.create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # The turn may have come just before.
            if turn.done() and not turn.cancelled():
                self._is_asking = False
            raise

    def _let_ask(self) -> bool:
        """Gives the oldest request its turn; returns false where it is not the time for one."""
        while self._queue and not self._is_asking:
            turn = self._queue.popleft()
            if not turn.done():
                # From here on, not from when its task runs: another one might come between.
                self._is_asking = True
                turn.set_result(None)
                return True
        return False

    def turned(self) -> None:
        """Notes a round of the loop without a wait: some task has something to do."""
        self._turns = self._turns + 1 if self._queue else 0
        if self._turns >= MOST_TURNS:
            self._turns = 0
            self._let_ask()

    def _ended(self) -> None:
        self._requests -= 1
        self._is_calm = False

    def saw(self, state: State) -> None:
        """Reads the time of an answer. The world's goes back with a snapshot; the loop's goes on from where it was."""
        now = round(state.now / MICROSECOND)
        if self._seen is not None:
            self._micros += max(0, now - self._seen)
        self._seen = now

    async def settled(self) -> None:
        """Returns when clients on this loop have done all that they can do at this moment."""
        future = self.create_future()
        self._settled.append(future)
        await future

    async def step(self, seconds: float, condition: Condition | None) -> RunUntilAnswer:
        """Lets time pass, stopping for the timers of the loop and for output to clients."""
        if self._turn is None:
            self._turn = asyncio.Lock()
        async with self._turn:
            if self._seen is None:
                await self._ask(requests.advance(0))
            end = self._micros + _micros(seconds)
            while True:
                await self.settled()
                answer = await self._pass(min(end, self._next_timer() or end), condition)
                if answer.is_met and condition is not None or self._micros >= end:
                    await self.settled()
                    return answer if condition is not None else RunUntilAnswer(True, answer.state)

    async def _pass(self, until: int, condition: Condition | None) -> RunUntilAnswer:
        seconds = min(max(0, until - self._micros) * MICROSECOND, 86_400)
        # Nothing may come between: it could set another timer.
        self._is_passing = self._is_settled = True
        try:
            if condition is None:
                state = await self._ask(requests.advance(seconds, stops_when_told=True))
                answer = RunUntilAnswer(False, state)
            else:
                answer = await self._ask(requests.run_until(condition, seconds, stops_when_told=True))
            return answer
        finally:
            self._is_passing = False
            self._is_open = True

    async def _ask(self, request: Request[Any]) -> Any:
        if self._asks is None:
            raise MeshError("conflict", "this loop has no mesh")
        return await self._asks.ask(request)

    # When nothing is ready

    def _next_timer(self) -> Optional[int]:
        """The time of the next timer. asyncio has removed cancelled ones from the front before it looks for events."""
        timers: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        live = [timer.when() for timer in timers if not timer.cancelled()]
        return max(self._micros, math.ceil(min(live) / MICROSECOND - 1e-3)) if live else None

    def _idle(self, wait: Callable[[Optional[float]], list[Any]]) -> list[Any]:
        """Looks for events when all tasks wait, and lets time pass when there are none."""
        self._turns = 0
        if self._queue and not self._is_asking:
            if events := wait(0):
                return events
            if self._let_ask():
                return []
        if self._requests:
            events = wait(PATIENCE)
            if not events:
                self._give_up(MeshError("no-answer", f"no answer in {PATIENCE:.0f} s"))
            return events
        if events := wait(0):
            return events
        if self._asks is None:
            return self._without_mesh(wait)
        if not self._is_calm:
            self._start(self._question())
        elif self._settled:
            for future in self._settled:
                if not future.done():
                    future.set_result(None)
            self._settled, self._is_calm = [], False
        else:
            self._start(self._jump())
        return []

    def _without_mesh(self, wait: Callable[[Optional[float]], list[Any]]) -> list[Any]:
        """Lets time pass at no cost, before a mesh is there and after it has gone."""
        timer = self._next_timer()
        if timer is None:
            return wait(PATIENCE)
        self._micros = timer
        return []

    def _is_own(self, descriptor: int) -> bool:
        """Tells whether it is a connection of the mesh, or of the loop itself."""
        if descriptor == self._ssock.fileno():  # type: ignore[attr-defined]
            return True
        transport = self._own[descriptor]() if descriptor in self._own else None
        return transport is not None and not transport.is_closing()

    @property
    def _is_holding(self) -> bool:
        """Tells whether clients receive nothing now.

        Output to a client at the end of a step can be there before the answer with the time of that moment, and the first of
        two frames before the second. The client receives them when the mesh has answered that this is all.
        """
        return self._is_passing or self._asks is not None and not self._is_open and not self._threads

    def _noted(self, events: list[Any]) -> list[Any]:
        """Notes that a client has received bytes, and may be about to write."""
        if any(not self._is_own(key.fd) for key, _ in events):
            self._is_calm = False
        self._is_open = False
        return events

    def _start(self, chore: Any) -> None:
        task = self.create_task(self._chore(chore))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _chore(self, chore: Any) -> None:
        try:
            await chore
        except Exception as error:  # whoever waits has to learn of it
            self._give_up(error)

    async def _question(self) -> None:
        """A step of length zero first reads what clients have written; its answer comes with the output for them."""
        await self._ask(requests.advance(0))
        self._is_calm = self._is_open = True

    async def _jump(self) -> None:
        timer = self._next_timer()
        begin = self._micros
        until = begin + _micros(LONGEST_WAIT) if timer is None else timer
        await self._pass(until, None)
        if timer is None and self._micros >= until:
            self._give_up(Stuck(f"a coroutine waits, and no client was told anything in {LONGEST_WAIT:.0f} s of the world"))

    def _give_up(self, failure: BaseException) -> None:
        for future in self._settled:
            if not future.done():
                future.set_exception(failure)
        self._settled = []
        if self._main is not None and not self._main.done():
            self._failure = failure
            self._main.cancel()


class _Watched(selectors.DefaultSelector):
    """The system's selector, which asks the loop before it waits."""

    def __init__(self, loop: WorldLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: Optional[float] = None) -> list[Any]:
        if timeout is not None and timeout <= 0:
            self._loop.turned()
            return self._wait(0)
        return self._loop._idle(self._wait)

    def _wait(self, timeout: Optional[float]) -> list[Any]:
        if not self._loop._is_holding:
            return self._loop._noted(super().select(timeout))
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if end is None else max(0.0, end - time.monotonic())
            # What is held back would end each wait at once.
            self._await_others(left)
            found = self._found()
            # `poll` looks at a socket, the selector at what it was told of it, which can be a moment later.
            if found or left == 0:
                return self._loop._noted(found)

    def _found(self) -> list[Any]:
        found = []
        for key, mask in super().select(0):
            if not self._loop._is_own(key.fd):
                mask &= ~selectors.EVENT_READ
            if mask:
                found.append((key, mask))
        return found

    def _await_others(self, timeout: Optional[float]) -> None:
        poll = select.poll()
        for key in self.get_map().values():
            events = key.events & (~0 if self._loop._is_own(key.fd) else selectors.EVENT_WRITE)
            if events:
                poll.register(key.fd, (events & selectors.EVENT_READ and select.POLLIN)
                              | (events & selectors.EVENT_WRITE and select.POLLOUT))
        poll.poll(None if timeout is None else math.ceil(timeout * 1000))


def _micros(seconds: float) -> int:
    return round(seconds / MICROSECOND)
