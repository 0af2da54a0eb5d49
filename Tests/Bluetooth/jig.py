"""A phone of Bumble's against an emulated radio that misbehaves: each case is named after the fault that it arms.

    python Tests/Bluetooth/jig.py [--meshbed PATH] [--only TEXT] [--junit FILE] [--list]

The phone pairs, arms a fault over the link itself (emulate --jig), and meets it: in the same connection, or when it
comes back. A case passes when the phone has seen what the fault does, the radio has counted it, and the next
connection works. The controllers are Bumble's, on TCP ports. No case is repeated.
Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from dataclasses import dataclass
from typing import Callable

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))

from bumble import gatt_client  # noqa: E402
from bumble.att import ATT_Error  # noqa: E402
from bumble.core import AdvertisingData, BaseBumbleError  # noqa: E402
from bumble.hci import HCI_CONNECTION_TIMEOUT_ERROR, HCI_PIN_OR_KEY_MISSING_ERROR, HCI_Error  # noqa: E402

import controllers  # noqa: E402
from central import RX, SERVICE, Central, within  # noqa: E402
from families import ESP32, NRF52  # noqa: E402
from junit import JUnit  # noqa: E402
from lane import Report, same  # noqa: E402
from peripherals import EmulatedRadio  # noqa: E402

GET_TIME, TIME, ERR = 5, 9, 1
JIG, ARM, READ, DISARM = 0xBE, 1, 2, 3
UNSUPPORTED, NOT_FOUND, ILLEGAL = 1, 2, 6
UNLIKELY, INVALID_HANDLE = 0x0E, 0x01
MIC_FAILURE = 0x3D
# The handle of the device's name on an nRF52.
DEVICE_NAME = 3
# Seconds that the phone waits for an answer of the attribute protocol, in place of Bluetooth's 30.
PATIENCE = 1.5
# Seconds in which something that must not come would have come.
QUIET = 0.3

CASES = []


@dataclass(frozen=True)
class Case:
    """A fault as the radio is given it, and the phone's story with it."""

    name: str
    fault: dict
    story: Callable
    family: object
    jig: bool


def case(name, family=NRF52, jig=True, **fault):
    """Lists a story. The fault's kind is the first word of the name."""
    def add(story):
        CASES.append(Case(name, {"fault": name.split()[0], **fault}, story, family, jig))
        return story
    return add


class Bench:
    """Controllers, the radio on the first of them, and the phone on the second, which is paired."""

    def __init__(self, binary, case):
        self.case, self.radio = case, EmulatedRadio(binary, case.family)
        self.air = self.phone = self.number = None
        self.phones = []

    async def open(self):
        self.air = await controllers.Air.open([0] * 3)
        await self.radio.start(self.air.ports[0], *(["--jig"] if self.case.jig else []))
        self.phone = await self.another()
        await self.phone.begin()

    async def another(self):
        number = len(self.phones)
        self.phones.append(await Phone(self.air.ports[1 + number], number).open())
        return self.phones[-1]

    async def close(self):
        for phone in self.phones:
            await phone.close()
        if self.air is not None:
            await self.air.close()

    # The fault

    async def arm(self, **changes):
        """Arms the fault of the case, over the link; its number."""
        answer = await self.phone.command(ARM, json.dumps({**self.case.fault, **changes}, separators=(",", ":")).encode())
        same(answer[:2], bytes([JIG, ARM]), f"answer to {self.case.fault}: {answer[2:]}")
        self.number = answer[2:4]
        return self.number

    async def fires(self):
        """Comes back without trouble, and reads that the fault has taken effect."""
        await self.phone.leave()
        await self.phone.begin()
        await self.counts()

    async def counts(self):
        same((await self.phone.ask(bytes([GET_TIME]), TIME))[0], TIME, "answer after the fault")
        reading = await self.read()
        assert reading["times"] > 0, f"it never fired: {reading}"
        return reading

    async def read(self):
        answer = await self.phone.command(READ, self.number)
        same(answer[:2], bytes([JIG, READ]), f"answer to a reading: {answer}")
        reading = json.loads(answer[2:])
        same(reading["fault"], self.case.fault["fault"], "fault")
        return reading

    async def comes_back(self, mtu=247):
        """The phone leaves, and connects again without discovering or encrypting."""
        await self.phone.leave()
        await self.phone.connect((await self.phone.find()).address, mtu)


class Phone(Central):
    """A phone that sees values which it has not asked for, and stops waiting early."""

    def __init__(self, port, number):
        super().__init__(port, number)
        self.unasked, self.indicated = asyncio.Queue(), asyncio.Queue()

    async def connect(self, address, mtu=None):
        self.unasked, self.indicated, early = asyncio.Queue(), asyncio.Queue(), []

        def begun(connection):
            # What a radio does at once comes before the connection is told to whoever waits for it.
            connection.on("disconnection", early.append)
            self._listen(connection.gatt_client, "on_att_handle_value_notification", self.unasked)
            self._listen(connection.gatt_client, "on_att_handle_value_indication", self.indicated)

        self.device.once("connection", begun)
        await super().connect(address)
        if early:
            self._end(early[0])
        return None if mtu is None else await within(self.peer.request_mtu(mtu), "MTU")

    @staticmethod
    def _listen(client, name, queue):
        handler = getattr(client, name)

        def hear(message):
            queue.put_nowait((message.attribute_handle, bytes(message.attribute_value)))
            handler(message)

        setattr(client, name, hear)

    async def leave(self):
        """Ends the connection, if there is one."""
        if self.connection is not None and not self.ended.is_set():
            await self.disconnect()
            await self.wait_for_end()

    async def command(self, operation, rest=b""):
        """A command of the bench; its answer, or an error."""
        await self.write(bytes([JIG, operation]) + rest)
        while True:
            answer = await self.next()
            if answer[0] in (JIG, ERR):
                return answer

    async def resume(self):
        """All that is left of a beginning after the connection."""
        await self.discover()
        await self.encrypt()
        await self.subscribe()


async def refused(awaitable, what, kind=ATT_Error):
    """Something that must fail with an error of this kind; its code."""
    try:
        await awaitable
    except kind as error:
        return error.error_code
    raise AssertionError(f"{what} was not refused")


async def unanswered(awaitable, what, limit=2 * PATIENCE):
    """Something that must have no answer."""
    try:
        await asyncio.wait_for(awaitable, limit)
    except (TimeoutError, asyncio.TimeoutError, BaseBumbleError):
        return
    raise AssertionError(f"{what} was answered")


async def broken(awaitable, what):
    """Something that must not come about: the link ends first, or an error does."""
    try:
        await asyncio.wait_for(awaitable, 10)
    except (BaseBumbleError, AssertionError, asyncio.CancelledError, RuntimeError, TimeoutError):
        return
    raise AssertionError(f"{what} came about")


async def silent(queue, what):
    """Nothing comes for a while."""
    await asyncio.sleep(QUIET)
    assert queue.empty(), f"{what}: {queue.get_nowait()}"


# The longest packet

@case("mtu 23", size=23)
@case("mtu 64", size=64)
@case("mtu 517", size=517)
async def mtu(bench):
    """the radio states another longest packet, and holds to it"""
    await bench.arm()
    await bench.phone.leave()
    await bench.phone.connect((await bench.phone.find()).address)

    size = bench.case.fault["size"]
    same(await within(bench.phone.peer.request_mtu(517), "MTU"), size, "MTU")
    await bench.phone.resume()
    await bench.phone.write(bytes([1]) + bytes(7) + b"phone")
    first = await bench.phone.next()
    assert len(first) <= size - 3, f"{len(first)} bytes with an MTU of {size}"
    await bench.fires()


@case("mtu-lie 517 for 64", told=517, used=64)
async def mtu_lie(bench):
    """the phone believes in 517 bytes, and gets a frame in parts of 61"""
    await bench.arm()
    await bench.phone.leave()
    await bench.phone.connect((await bench.phone.find()).address)

    same(await within(bench.phone.peer.request_mtu(517), "MTU"), 517, "MTU")
    await bench.phone.resume()
    await bench.phone.write(bytes([1]) + bytes(7) + b"phone")
    same(len(await bench.phone.next()), 61, "first part of SELF_INFO")
    await bench.fires()


# Answers

@case("att-error at mtu", at="mtu", code=UNLIKELY)
async def error_of_mtu(bench):
    """the exchange is refused, and the link goes on with the shortest packets"""
    await bench.arm()
    await bench.phone.leave()
    await bench.phone.connect((await bench.phone.find()).address)

    same(await refused(bench.phone.peer.request_mtu(247), "the exchange"), UNLIKELY, "error")
    await bench.phone.resume()
    await bench.fires()


@case("att-error at discovery", at="discovery", code=UNLIKELY)
async def error_of_discovery(bench):
    """the search for services is refused once"""
    await bench.arm()
    await bench.comes_back()

    same(await refused(bench.phone.peer.discover_services([SERVICE]), "the search"), UNLIKELY, "error")
    await bench.phone.discover()
    await bench.fires()


@case("att-error at subscription", at="subscription", code=0x11)
async def error_of_subscription(bench):
    """the phone cannot subscribe, and can when it tries again"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.discover()
    await bench.phone.encrypt()

    same(await refused(bench.phone.subscribe(), "the subscription"), 0x11, "error")
    await bench.phone.subscribe()
    await bench.counts()


@case("att-error at read", at="read", code=0x80)
async def error_of_read(bench):
    """the name of the device cannot be read once"""
    await bench.arm()

    same(await refused(bench.phone.peer.read_value(DEVICE_NAME), "the read"), 0x80, "error")
    assert bytes(await within(bench.phone.peer.read_value(DEVICE_NAME), "name")).startswith(b"MeshCore-")
    await bench.counts()


@case("att-error at write", at="write", code=UNLIKELY)
async def error_of_write(bench):
    """a frame is refused and not executed; the next one is"""
    await bench.arm()

    same(await refused(bench.phone.write(bytes([GET_TIME])), "the write"), UNLIKELY, "error")
    await silent(bench.phone.frames, "an answer to a frame that was refused")
    await bench.counts()


@case("att-error at write number 3", at={"operation": "write", "number": 3}, code=0x0D, times=2)
async def error_of_third_write(bench):
    """the third and the fourth frame are refused"""
    await bench.arm()

    for _ in range(2):
        same((await bench.phone.ask(bytes([GET_TIME]), TIME))[0], TIME, "answer before the fault")
    for _ in range(2):
        same(await refused(bench.phone.write(bytes([GET_TIME])), "the write"), 0x0D, "error")
    same((await bench.counts())["times"], 2, "times")


@case("no-answer at mtu", at="mtu")
async def silence_after_mtu(bench):
    """the exchange has no answer, and the phone gives the link up"""
    await bench.arm()
    await bench.phone.leave()
    await bench.phone.connect((await bench.phone.find()).address)

    await unanswered(bench.phone.peer.request_mtu(247), "the exchange")
    await bench.fires()


@case("no-answer at discovery", at={"operation": "discovery", "number": 2})
async def silence_after_discovery(bench):
    """the second request of a discovery has no answer"""
    await bench.arm()
    await bench.comes_back()

    await unanswered(bench.phone.peer.discover_services(), "the discovery")
    await bench.fires()


@case("no-answer at subscription", at="subscription")
async def silence_after_subscription(bench):
    """the subscription has no answer"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.discover()
    await bench.phone.encrypt()

    await unanswered(bench.phone.tx.subscribe(print), "the subscription")
    await bench.fires()


@case("no-answer at write", at="write")
async def silence_after_write(bench):
    """a frame has no answer, and is not executed"""
    await bench.arm()

    await unanswered(bench.phone.rx.write_value(bytes([GET_TIME]), True), "the write")
    assert bench.phone.frames.empty(), "it was executed"
    await bench.fires()


@case("no-answer at pairing", at="pairing")
async def silence_after_pairing(bench):
    """a second phone's pairing has no answer, and its next one works"""
    await bench.arm()
    await bench.phone.leave()
    other = await bench.another()
    await other.connect((await other.find()).address)

    await unanswered(other.connection.pair(), "the pairing")
    await other.leave()
    await bench.fires()


@case("no-answer at encryption", at="encryption")
async def silence_after_encryption(bench):
    """the controller waits for the radio's key, and the link stays without encryption"""
    await bench.arm()
    await bench.comes_back()

    await unanswered(bench.phone.connection.encrypt(), "the encryption")
    await bench.fires()


@case("late-answer at write", at="write", seconds=0.7)
async def late_write(bench):
    """a frame is answered 0.7 s later, and what it asked for has come before"""
    await bench.arm()
    start = asyncio.get_running_loop().time()

    await bench.phone.write(bytes([GET_TIME]))
    assert asyncio.get_running_loop().time() - start >= 0.69, "the answer was not late"
    same((await bench.phone.next())[0], TIME, "answer")
    await bench.counts()


@case("late-answer at discovery", at="discovery", seconds=0.7)
async def late_discovery(bench):
    """the services come 0.7 s later"""
    await bench.arm()
    await bench.comes_back()
    start = asyncio.get_running_loop().time()

    await bench.phone.discover()
    assert asyncio.get_running_loop().time() - start >= 0.69, "the answer was not late"
    await bench.fires()


@case("cut-answer at read", at="read", bytes=3)
async def cut_read(bench):
    """the name of the device lacks three bytes at its end"""
    whole = bytes(await within(bench.phone.peer.read_value(DEVICE_NAME), "name"))
    await bench.arm()

    same(bytes(await within(bench.phone.peer.read_value(DEVICE_NAME), "name")), whole[:-3], "name")
    await bench.counts()


# Values

@case("early-notification at subscription", hex="83", count=3)
async def early_notification(bench):
    """three values come before the phone's subscription is answered"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.discover()
    await bench.phone.encrypt()
    await silent(bench.phone.unasked, "a value before the subscription")

    await bench.phone.subscribe()
    values = [await within(bench.phone.unasked.get(), "value") for _ in range(3)]
    same(values, [(bench.phone.tx.handle, bytes([0x83]))] * 3, "values")
    await bench.counts()


@case("early-notification at connection", at="connection", hex="0a")
async def notification_of_a_stranger(bench):
    """a value comes before anything was asked, on a link that is not encrypted"""
    await bench.arm()
    await bench.comes_back()

    same((await within(bench.phone.unasked.get(), "value"))[1], bytes([0x0A]), "value")
    await bench.fires()


@case("indication at notification")
async def indication(bench):
    """a frame comes as an indication, and the phone that subscribed to notifications alone misses it"""
    await bench.arm()

    await bench.phone.write(bytes([GET_TIME]))
    same((await within(bench.phone.indicated.get(), "indication"))[1][0], TIME, "indicated frame")
    assert bench.phone.frames.empty(), "a notification of the same frame"
    await bench.counts()


@case("bunched-notifications of 3", count=3, seconds=30)
async def bunched(bench):
    """two answers wait for a third one, and all come at once"""
    await bench.arm(times=3)
    for _ in range(2):
        await bench.phone.write(bytes([GET_TIME]))
    await silent(bench.phone.frames, "an answer before its bunch")

    await bench.phone.write(bytes([GET_TIME]))
    same([(await bench.phone.next())[0] for _ in range(3)], [TIME] * 3, "bunch")
    await bench.counts()


@case("bunched-notifications of a second", count=8, seconds=0.6)
async def bunched_by_time(bench):
    """an answer comes when its bunch has waited long enough, together with the one behind it"""
    await bench.arm(times=2)
    start = asyncio.get_running_loop().time()
    for _ in range(2):
        await bench.phone.write(bytes([GET_TIME]))

    same([(await bench.phone.next())[0] for _ in range(2)], [TIME] * 2, "bunch")
    assert asyncio.get_running_loop().time() - start >= 0.59, "the bunch did not wait"
    await bench.counts()


@case("slow-notifications", seconds=0.4)
async def slow(bench):
    """answers come with gaps of 0.4 s"""
    await bench.arm(times=3)
    start = asyncio.get_running_loop().time()
    for _ in range(3):
        await bench.phone.write(bytes([GET_TIME]))

    same([(await bench.phone.next())[0] for _ in range(3)], [TIME] * 3, "answers")
    assert asyncio.get_running_loop().time() - start >= 0.79, "there were no gaps"
    await bench.counts()


# Services

@case("service-changed at write")
async def service_changed(bench):
    """the radio indicates that all handles have changed"""
    await bench.arm()

    same((await bench.phone.ask(bytes([GET_TIME]), TIME))[0], TIME, "answer")
    same((await within(bench.phone.indicated.get(), "indication"))[1], bytes([1, 0, 0xFF, 0xFF]), "range of handles")
    await bench.counts()


@case("services-moved", to=256, times=1)
async def services_moved(bench):
    """handles from before lead nowhere, and a new discovery finds the others"""
    before = bench.phone.rx.handle
    await bench.arm()
    await bench.comes_back()
    await bench.phone.encrypt()

    same(await refused(bench.phone.peer.write_value(before, bytes([GET_TIME]), True), "the old handle"),
         INVALID_HANDLE, "error")
    await bench.phone.discover()
    assert bench.phone.rx.handle > 256, f"RX has the handle {bench.phone.rx.handle}"
    await bench.phone.subscribe()
    await bench.counts()


# Keys

@case("bond-lost")
async def bond_lost(bench):
    """the radio has no key any more, and the phone pairs anew"""
    await bench.arm()
    await bench.comes_back()

    same(await refused(bench.phone.encrypt(), "the old key", HCI_Error), HCI_PIN_OR_KEY_MISSING_ERROR, "error")
    await bench.phone.leave()
    bench.phone.keys.all_keys.clear()
    await bench.phone.begin()
    same(bench.phone.typist.asked, 2, "times that the PIN was asked for")
    await bench.counts()


@case("key-refused")
async def key_refused(bench):
    """the radio refuses a key that it has, and takes it the next time"""
    await bench.arm()
    await bench.comes_back()

    same(await refused(bench.phone.encrypt(), "the key", HCI_Error), HCI_PIN_OR_KEY_MISSING_ERROR, "error")
    await bench.fires()
    same(bench.phone.typist.asked, 1, "times that the PIN was asked for")


@case("wrong-key")
async def wrong_key(bench):
    """the radio encrypts with another key, and the link breaks"""
    await bench.arm()
    await bench.comes_back()

    await broken(bench.phone.connection.encrypt(), "the encryption")
    same(await bench.phone.wait_for_end(), MIC_FAILURE, "reason")
    await bench.fires()


@case("pin-changed", pin="654321", times=1)
async def pin_changed(bench):
    """the PIN of before is wrong for a second phone, and right again for its next attempt"""
    await bench.arm()
    await bench.phone.leave()
    other = await bench.another()
    await other.connect((await other.find()).address)

    await broken(other.connection.pair(), "a pairing with the old PIN")
    await other.leave()
    await other.begin()
    await other.leave()
    await bench.fires()


@case("pin-changed on an ESP32", family=ESP32, pin="654321", times=1)
async def pin_changed_in_secure_connections(bench):
    """the same with Secure Connections, where the second phone knows the new PIN"""
    await bench.arm()
    await bench.phone.leave()
    other = await bench.another()
    other.typist.pin = 654321
    await other.begin()

    same((await other.ask(bytes([GET_TIME]), TIME))[0], TIME, "answer")
    await other.leave()
    await bench.fires()


@case("pairing-refused", reason=5)
async def pairing_refused(bench):
    """a second phone is refused, and pairs when it tries again on the same link"""
    await bench.arm()
    await bench.phone.leave()
    other = await bench.another()
    await other.connect((await other.find()).address)

    await broken(other.connection.pair(), "the pairing")
    await other.pair()
    await other.leave()
    await bench.fires()


@case("security-request at connection")
async def security_request(bench):
    """the radio asks the phone to encrypt as soon as it has connected"""
    await bench.arm()
    await bench.phone.leave()
    asked = asyncio.Event()
    address = (await bench.phone.find()).address
    bench.phone.device.once("connection", lambda connection: connection.on("security_request", lambda *_: asked.set()))
    await bench.phone.connect(address)

    await within(asked.wait(), "request of the radio")
    await bench.fires()


# Links

@case("link-lost at connection", at="connection", seconds=0.5)
@case("link-lost at discovery", at="discovery", seconds=0.5)
@case("link-lost at subscription", at="subscription", seconds=0.5)
@case("link-lost at write", at="write", seconds=0.5)
@case("link-lost at notification", at="notification", seconds=0.5)
async def link_lost(bench):
    """the link dies in this phase, the radio is not found for a while, and then comes back"""
    await bench.arm()
    phase = bench.case.fault["at"]
    if phase in ("write", "notification"):
        # The answer to the write may be lost with the link.
        await asyncio.wait([asyncio.create_task(bench.phone.write(bytes([GET_TIME])))])
    else:
        await bench.phone.leave()
        address = (await bench.phone.find()).address
        await broken(through(bench.phone, address), "a whole beginning")

    same(await bench.phone.wait_for_end(), HCI_CONNECTION_TIMEOUT_ERROR, "reason")
    await bench.fires()


async def through(phone, address):
    """Everything from the connection to the subscription."""
    await phone.connect(address, 247)
    await phone.resume()
    await phone.ask(bytes([GET_TIME]), TIME)


@case("link-lost at pairing", at="pairing", seconds=0.5)
async def link_lost_while_pairing(bench):
    """the link of a second phone dies while it pairs"""
    await bench.arm()
    await bench.phone.leave()
    other = await bench.another()
    await other.connect((await other.find()).address)

    await broken(other.connection.pair(), "the pairing")
    same(await other.wait_for_end(), HCI_CONNECTION_TIMEOUT_ERROR, "reason")
    await bench.fires()


@case("disconnect for low resources", at="subscription", reason=0x14)
@case("disconnect for power off", at="subscription", reason=0x15)
async def disconnect(bench):
    """the radio hangs up for this reason when the phone subscribes"""
    await bench.arm()
    await bench.phone.leave()
    await broken(through(bench.phone, (await bench.phone.find()).address), "a whole beginning")

    same(await bench.phone.wait_for_end(), bench.case.fault["reason"], "reason")
    await bench.fires()


@case("connection-parameters that starve", fault="connection-parameters", at="write", intervalSeconds=1, latency=4,
      timeoutSeconds=20)
async def starving(bench):
    """the radio asks for an interval of a second and for a latency of four"""
    changed = asyncio.Event()
    bench.phone.connection.on("connection_parameters_update", changed.set)
    await bench.arm()

    await bench.phone.ask(bytes([GET_TIME]), TIME)
    while bench.phone.connection.parameters.peripheral_latency != 4 or \
            bench.phone.connection.parameters.connection_interval != 1000:
        await within(changed.wait(), f"parameters ({bench.phone.connection.parameters})", 20)
        changed.clear()
    await bench.counts()


# Advertising

@case("second-central", seconds=0.8)
async def second_central(bench):
    """the radio is not found behind the connection, as if another phone had it, and then it is"""
    await bench.arm()
    await bench.phone.leave()
    await silent(asyncio.Queue(), "")

    assert not bench.air.is_advertising(0), "it advertises"
    await bench.fires()


@case("address-rotates", times=1)
async def address_rotates(bench):
    """the radio comes back under another address, and the phone does not know it"""
    before = bench.phone.connection.peer_address
    await bench.arm()
    await bench.phone.leave()

    found = await bench.phone.begin()
    assert found.address != before, f"it is at {before} again"
    same(bench.phone.typist.asked, 2, "times that the PIN was asked for")
    await bench.counts()
    # The radio has one key for each phone: the one of its first address is gone.
    bench.phone.keys.all_keys.clear()
    await bench.fires()


@case("service-not-advertised", seconds=1, times=1)
async def service_not_advertised(bench):
    """the radio is heard by its name without the service, and with it later"""
    await bench.arm()
    await bench.phone.leave()

    heard = await bench.phone.scan(lambda heard: (heard.name or "").startswith("MeshCore-"))
    same(heard.services, [], "services")
    await bench.fires()


@case("name-cut", bytes=11, times=1)
async def name_cut(bench):
    """the radio is found by its service, under the beginning of its name"""
    await bench.arm()
    await bench.phone.leave()

    heard = await bench.phone.scan(
        lambda heard: SERVICE in heard.services and heard.raw(AdvertisingData.SHORTENED_LOCAL_NAME))
    same(heard.raw(AdvertisingData.SHORTENED_LOCAL_NAME), [b"MeshCore-88"], "shortened name")
    await bench.phone.connect(heard.address, 247)
    await bench.phone.resume()
    await bench.counts()


# The radio's build

@case("open-service", times=1)
async def open_service(bench):
    """RX takes a frame of a phone that has not encrypted, and does not execute it"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.discover()
    await bench.phone.subscribe()

    await bench.phone.write(bytes([GET_TIME]))
    await silent(bench.phone.frames, "an answer to somebody who has proved nothing")
    await bench.fires()


@case("other-rx", times=1)
async def other_receive(bench):
    """the service has no RX"""
    await bench.arm()
    await bench.comes_back()

    service = (await within(bench.phone.peer.discover_services([SERVICE]), "services"))[0]
    await within(service.discover_characteristics(), "characteristics")
    same(service.get_characteristics_by_uuid(RX), [], "characteristics called RX")
    await bench.fires()


@case("serial-header", times=1)
async def serial_header(bench):
    """frames come behind the header of a serial line"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.resume()

    await bench.phone.write(bytes([GET_TIME]))
    same((await bench.phone.next())[:3], bytes([0x3E, 5, 0]), "header")
    await bench.fires()


@case("ignores-mtu", times=1)
async def ignores_mtu(bench):
    """a frame comes in parts of 20 bytes although 247 were agreed on"""
    await bench.arm()
    await bench.comes_back()
    await bench.phone.resume()

    await bench.phone.write(bytes([1]) + bytes(7) + b"phone")
    same(len(await bench.phone.next()), 20, "first part of SELF_INFO")
    await bench.fires()


# The command itself

@case("unknown fault", fault="gravity")
async def unknown(bench):
    """a fault that there is not is refused with the reason, and so are two that exclude each other"""
    answer = await bench.phone.command(ARM, b'{"fault":"gravity"}')
    same(answer[:2], bytes([ERR, ILLEGAL]), "error")
    assert b'"gravity" is no fault of Bluetooth' in answer, answer

    for text, words in ((b'{"fault":"mtu","size":22}', b"size must be from 23 to 517"),
                        (b'{"fault":"mtu","at":"write","size":64}', b"mtu does not happen at it"),
                        (b'{"fault":"mtu"}', b"size is missing"), (b"[", b"no JSON")):
        answer = await bench.phone.command(ARM, text)
        same(answer[:2], bytes([ERR, ILLEGAL]), f"error of {text}")
        assert words in answer, answer
    same((await bench.phone.command(ARM, b'{"fault":"mtu","size":64}'))[:2], bytes([JIG, ARM]), "first of a pair")
    answer = await bench.phone.command(ARM, b'{"fault":"mtu-lie","told":517,"used":64}')
    assert b"decides on the same operation" in answer, answer
    same((await bench.phone.command(READ, bytes([9, 0])))[:2], bytes([ERR, NOT_FOUND]), "a number that was not given")
    same((await bench.phone.command(DISARM, bytes(2)))[:2], bytes([JIG, DISARM]), "all taken back")
    same((await bench.phone.command(READ, bytes([1, 0])))[:2], bytes([ERR, NOT_FOUND]), "a number that was taken back")


@case("without a jig", jig=False)
async def without_a_jig(bench):
    """without --jig the command is unknown, as it is to a board"""
    for frame in (bytes([JIG, 0]), bytes([JIG, ARM]) + b'{"fault":"mtu","size":64}', bytes([JIG]), bytes([0xBD])):
        same(await bench.phone.ask(frame, ERR), bytes([ERR, UNSUPPORTED]), f"answer to {frame.hex()}")


async def run(arguments):
    report = Report(arguments.only, junit=JUnit("bluetooth-jig"))
    for one in CASES:
        title = f"{one.name}: {one.story.__doc__.strip().splitlines()[0]}"
        if report.wants(title):
            await judge(report, title, one, arguments.meshbed)
    if arguments.junit:
        report.junit.write(arguments.junit)
    return report.end()


async def judge(report, title, one, binary):
    bench = Bench(binary, one)

    async def attempt():
        try:
            await bench.open()
            await one.story(bench)
        finally:
            await bench.close()

    try:
        await report.run(title, attempt, keep=lambda folder: bench.radio.keep(folder), repeats=False)
    finally:
        bench.radio.discard()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    parser.add_argument("--junit", help="write verdicts to this file as well")
    parser.add_argument("--list", action="store_true", help="print the names of the cases, and end")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # What a host says of a radio that misbehaves is no news.
    for name in ("bumble", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    gatt_client.GATT_REQUEST_TIMEOUT = PATIENCE
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(one.name for one in CASES))
        return 0
    return asyncio.run(run(arguments))


if __name__ == "__main__":
    sys.exit(main())
