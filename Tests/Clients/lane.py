"""A small runner: named cases in order, each with a time limit, on one emulated world; and a link to a radio."""

import asyncio
import contextlib
import os
import re
import shutil
import sys
import time
import traceback
from dataclasses import dataclass

import on_pty
from meshcore import EventType, MeshCore

from emulator import Emulator
from worlds import SteppedWorld

# Beside the runner of lanes, which prints what is counted here.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "ci"))
import flaky_cases  # noqa: E402

# By the clock, or by the world's, as the loop of the case has it: a case that takes longer has failed.
CASE_LIMIT = 400
STEPPED_CASE_LIMIT = 86_400
ANSWER_LIMIT = 10

# Longest time for a message and its acknowledgement through one repeater: three packets of up to two seconds, each
# after a random delay of some packets' length.
MESH_LIMIT = 60


class Report:
    """Counts and prints what passed, failed, and passed only when it was repeated; `junit` gets the verdicts, too."""

    def __init__(self, only="", folder=flaky_cases.FOLDER, junit=None):
        self.only, self.folder, self.junit = only, folder, junit
        self.passed, self.failed, self.flaky = 0, 0, 0

    def wants(self, title):
        return self.only.lower() in title.lower()

    async def run(self, title, attempt, again=None, keep=None, repeats=True):
        """Judges a case: `attempt` makes it. A failure is repeated alone, by `again`, before it counts, unless it is of a
        world in which nothing is left to chance; `keep` copies what tells of the failure into a folder."""
        start = time.monotonic()
        problem = await self.judge(title, attempt, again, keep, repeats)
        if self.junit is not None:
            self.junit.add(title, time.monotonic() - start, problem)

    async def judge(self, title, attempt, again, keep, repeats):
        """The same; why the case counts as failed, or None."""
        start = time.monotonic()
        problem = await problem_of(attempt)
        if problem is None:
            self.passed += 1
            print(f"ok      {title} ({time.monotonic() - start:.1f} s)", flush=True)
            return None
        trace = os.path.join(self.folder, "clients", re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60])
        if keep is not None:
            shutil.rmtree(trace, ignore_errors=True)
            kept = keep(trace)
            if kept is not None:
                await kept
        if not repeats:
            self.fail(title, f"{problem}\n        trace: {trace}")
            return problem
        print(f"again   {title}: {problem}", flush=True)
        repeated = await problem_of(again or attempt)
        if repeated is None:
            self.flaky += 1
            count = flaky_cases.note(title, problem, trace, self.folder)
            print(f"FLAKY   {title}: passed when repeated alone; {count} times so far; trace: {trace}", flush=True)
        else:
            self.fail(title, f"{repeated}\n        trace of the first failure: {trace}")
        return repeated

    def fail(self, title, problem):
        self.failed += 1
        print(f"FAILED  {title}: {problem}", flush=True)

    def end(self):
        """The last words, and the exit status."""
        if self.flaky:
            print(f"{self.flaky} flaky: failed once, passed when repeated alone")
        print(f"{self.passed} passed, {self.failed} failed")
        return 0 if self.failed == 0 and self.passed > 0 else 1


async def problem_of(attempt, limit=None):
    """Runs a case; why it failed, or None."""
    limit = limit or (STEPPED_CASE_LIMIT if isinstance(asyncio.get_running_loop(), SteppedWorld.loop) else CASE_LIMIT)
    try:
        await asyncio.wait_for(attempt(), limit)
    except asyncio.TimeoutError:
        return f"time limit, {limit} s"
    except AssertionError as error:
        return str(error)
    except Exception as error:  # a failed case must not hide the ones after it
        return "".join(traceback.format_exception(error)).rstrip()
    return None


class Radio:
    """A client of the library, and everything it was told, in order."""

    def __init__(self, name, emulator):
        self.name, self.emulator, self.client, self.events = name, emulator, None, []
        self._news = asyncio.Event()

    def _hear(self, event):
        self.events.append(event)
        self._news.set()

    async def connect(self):
        """Connects and introduces itself; the library's own events are kept from here on."""
        if self.name in self.emulator.ports:
            self.client = await MeshCore.create_tcp("127.0.0.1", self.emulator.ports[self.name], only_error=True,
                                                    default_timeout=ANSWER_LIMIT)
        else:
            on_pty.overlook_missing_modem_lines()
            self.client = await MeshCore.create_serial(self.emulator.links[self.name], only_error=True,
                                                       default_timeout=ANSWER_LIMIT)
        assert self.client is not None, f"{self.name} does not answer"
        self.client.subscribe(None, self._hear)
        # From here on messages come in the layouts of protocol 3.
        expect(await self.commands.send_device_query(), EventType.DEVICE_INFO)
        return self

    async def disconnect(self):
        if self.client is not None:
            await self.client.disconnect()
            self.client = None

    async def reconnect(self):
        """Connects again when the radio is back."""
        await self.disconnect()
        await self.emulator.comes_up(self.name)
        return await self.connect()

    @property
    def commands(self):
        return self.client.commands

    async def info(self):
        return expect(await self.commands.send_appstart(), EventType.SELF_INFO)

    async def contacts(self):
        return expect(await self.commands.get_contacts(), EventType.CONTACTS)

    def mark(self):
        """The place in the list of events to look from."""
        return len(self.events)

    async def wait(self, kind, since, within=MESH_LIMIT, **wanted):
        """The first event of a kind, after `since`, whose payload has the wanted values.

        `within` is a limit by the loop's clock: the world's time in a stepped world.
        """
        deadline = now() + within
        while True:
            self._news.clear()
            for event in self.events[since:]:
                if event.type == kind and all(event.payload.get(key) == value for key, value in wanted.items()):
                    return event
            if not await self.news(deadline - now()):
                kinds = [event.type.value for event in self.events[since:]]
                raise AssertionError(f"{self.name}: no {kind.value} {wanted or ''} in {within} s; came: {kinds}")

    async def news(self, within):
        """Waits for the next event; whether one came."""
        try:
            await asyncio.wait_for(self._news.wait(), max(0, within))
        except asyncio.TimeoutError:
            return False
        self._news.clear()
        return True

    async def hears(self, kind, since, within):
        """Tells whether an event of a kind comes in this time, by the loop's clock."""
        try:
            await self.wait(kind, since, within)
        except AssertionError:
            return False
        return True

    async def message(self, since, within=MESH_LIMIT):
        """Waits until a message waits, and fetches it."""
        await self.wait(EventType.MESSAGES_WAITING, since, within)
        return await self.commands.get_msg()

    async def drain(self):
        """Fetches all stored messages."""
        messages = []
        while (event := await self.commands.get_msg()).type != EventType.NO_MORE_MSGS:
            assert not event.is_error(), f"fetching a message: {event.payload}"
            messages.append(event)
        return messages


def now():
    """The time of the running loop."""
    return asyncio.get_running_loop().time()


def expect(event, kind):
    """The payload of an answer that must be of this kind."""
    assert event is not None and event.type == kind, f"expected {kind.value}, got {event and (event.type, event.payload)}"
    return event.payload


def expect_error(event, code):
    """An answer that must be this error of the firmware."""
    payload = expect(event, EventType.ERROR)
    assert payload.get("error_code") == code, f"expected error {code}, got {payload}"


def same(value, wanted, what):
    assert value == wanted, f"{what}: {value!r} instead of {wanted!r}"


class Console:
    """The text console of an infrastructure node, at its TCP port."""

    def __init__(self, name, emulator):
        self.name, self.emulator, self.reader, self.writer = name, emulator, None, None

    async def run(self, line):
        """Types a line and returns the answer, without arrow and line end."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.emulator.ports[self.name])
        self.writer.write(line.encode() + b"\r")
        await asyncio.wait_for(self.reader.readuntil(b"  -> "), ANSWER_LIMIT)
        answer = await asyncio.wait_for(self.reader.readuntil(b"\r\n"), ANSWER_LIMIT)
        return answer[:-2].decode()

    async def disconnect(self):
        if self.writer is not None:
            self.writer.close()
            self.writer = None


# Who speaks with what kind of an endpoint, where it is not the library.
CLIENTS = {"console": Console}


class Stage:
    """A fresh world with its clients."""

    def __init__(self, lane, binary):
        self.lane, self.radios = lane, {}
        self.emulator = lane.make(binary, lane.kinds, world=lane.world)

    async def open(self):
        await self.emulator.start()
        self.radios = {name: CLIENTS.get(kind, Radio)(name, self.emulator) for name, kind in self.lane.kinds.items()}
        if self.lane.prepare is not None:
            await self.lane.prepare(self.radios)

    async def run(self, case):
        await self.emulator.quiet()
        async with self.emulator.passing() if self.emulator.passes_in_cases else contextlib.nullcontext():
            await case(self.emulator, **self.radios)

    async def close(self):
        for radio in self.radios.values():
            await radio.disconnect()
        await self.emulator.stop()


@dataclass
class Lane:
    """Cases that run one after the other on one world. The first `gate` of them belong to the gate, too."""

    gate: int
    title: str
    kinds: dict
    cases: list
    prepare: object = None
    world: str = "village"
    make: type = Emulator

    async def run(self, report, binary, gate=False):
        cases = self.cases[:self.gate] if gate else self.cases
        named = [(f"{self.title}: {case.__doc__.strip().splitlines()[0]}", case) for case in cases]
        last = max((number for number, (name, _) in enumerate(named) if report.wants(name)), default=None)
        if last is None:
            return False
        stages = [Stage(self, binary)]

        async def fresh(cases=()):
            """Another world in place of this one, in which these cases have run, whatever their fate."""
            stages[0].emulator.discard()
            stages[0] = Stage(self, binary)
            await stages[0].open()
            for case in cases:
                await problem_of(lambda: stages[0].run(case))

        async def keep(folder):
            await stages[0].emulator.keep(folder)

        repeats = self.make.repeats

        try:
            await report.run(f"{self.title}: start and connect", stages[0].open, fresh, keep, repeats)
            if not stages[0].emulator.is_running:
                return True
            for number, (name, case) in enumerate(named[:last + 1]):
                async def again():
                    await fresh(cases[:number])
                    await stages[0].run(case)

                if report.wants(name):
                    await report.run(name, lambda: stages[0].run(case), again, keep, repeats)
                else:
                    # Later cases rely on what it leaves behind.
                    await problem_of(lambda: stages[0].run(case))
            if (outcome := await stages[0].emulator.outcome()) is not None:
                print(f"        {outcome}", flush=True)
            # An end cannot be tried twice on one world.
            await report.run(f"{self.title}: stop on interrupt", stages[0].close, lambda: self.start_and_stop(binary), keep,
                             repeats)
        finally:
            stages[0].emulator.discard()
        return True

    async def start_and_stop(self, binary):
        stage = Stage(self, binary)
        try:
            await stage.open()
            await stage.close()
        finally:
            stage.emulator.discard()


async def connect_all(radios):
    for radio in radios.values():
        await radio.connect()
