"""A small runner: named cases in order, each with a time limit, on one emulated world; and a link to a radio."""

import asyncio
import time
import traceback

import on_pty
from meshcore import EventType, MeshCore

from emulator import Emulator

CASE_LIMIT = 400
ANSWER_LIMIT = 10

# Longest time for a message and its acknowledgement through one repeater: three packets of up to two seconds, each
# after a random delay of some packets' length.
MESH_LIMIT = 60


class Report:
    """Counts and prints what passed and failed."""

    def __init__(self, only=""):
        self.only, self.passed, self.failed = only, 0, 0

    def wants(self, title):
        return self.only.lower() in title.lower()

    async def run(self, title, case, emulator=None):
        start = time.monotonic()
        try:
            await asyncio.wait_for(case, CASE_LIMIT)
        except Exception as error:  # a failed case must not hide the ones after it
            self.failed += 1
            kind = "time limit" if isinstance(error, asyncio.TimeoutError) else type(error).__name__
            print(f"FAILED  {title}: {kind}: {error}", flush=True)
            if not isinstance(error, (AssertionError, asyncio.TimeoutError)):
                traceback.print_exception(error)
            if emulator is not None:
                print("  the emulator said last:\n  " + emulator.tail(8).replace("\n", "\n  "), flush=True)
        else:
            self.passed += 1
            print(f"ok      {title} ({time.monotonic() - start:.1f} s)", flush=True)


class Radio:
    """A client of the library, and everything it was told, in order."""

    def __init__(self, name, emulator):
        self.name, self.emulator, self.client, self.events = name, emulator, None, []

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
        self.client.subscribe(None, self.events.append)
        # From here on messages come in the layouts of protocol 3.
        expect(await self.commands.send_device_query(), EventType.DEVICE_INFO)
        return self

    async def disconnect(self):
        if self.client is not None:
            await self.client.disconnect()
            self.client = None

    async def reconnect(self, within=30):
        """Connects again, trying until the radio is back."""
        deadline = time.monotonic() + within
        await self.disconnect()
        while True:
            try:
                return await self.connect()
            except (OSError, AssertionError, ConnectionError, asyncio.TimeoutError):
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.5)

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
        """The first event of a kind, after `since`, whose payload has the wanted values."""
        deadline = time.monotonic() + within
        while True:
            for event in self.events[since:]:
                if event.type == kind and all(event.payload.get(key) == value for key, value in wanted.items()):
                    return event
            if time.monotonic() > deadline:
                kinds = [event.type.value for event in self.events[since:]]
                raise AssertionError(f"{self.name}: no {kind.value} {wanted or ''} in {within} s; came: {kinds}")
            await asyncio.sleep(0.05)

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


async def run_cases(report, title, binary, kinds, cases, prepare=None, world="pair", make=Emulator):
    """Runs cases, in order, on a fresh world."""
    named = [(f"{title}: {case.__doc__.strip().splitlines()[0]}", case) for case in cases]
    if not any(report.wants(name) for name, _ in named):
        return
    emulator = make(binary, kinds, world=world)
    radios = {}
    try:
        await report.run(f"{title}: start", asyncio.to_thread(emulator.start), emulator)
        if emulator.process is None or emulator.process.poll() is not None:
            return
        radios = {name: (Console if kind == "console" else Radio)(name, emulator) for name, kind in kinds.items()}
        if prepare is not None:
            await report.run(f"{title}: connect", prepare(radios), emulator)
        for name, case in named:
            if report.wants(name):
                await emulator.quiet()
                await report.run(name, case(emulator, **radios), emulator)
        for radio in radios.values():
            await radio.disconnect()
        await report.run(f"{title}: stop on interrupt", emulator.stop(), emulator)
    finally:
        emulator.discard()


async def connect_all(radios):
    for radio in radios.values():
        await radio.connect()
