"""The cases of a phone with one companion radio: finding, pairing, frames, and unexpected ends."""

from bumble.att import ATT_Error
from bumble.core import AdvertisingData, BaseBumbleError
from bumble.hci import HCI_CONNECTION_TIMEOUT_ERROR, HCI_Error

from families import ESP32, NRF52
from lane import same

INSUFFICIENT_AUTHENTICATION = 0x05
APP_START, GET_CONTACTS, GET_TIME, ADD_CONTACT, DEVICE_QUERY = 1, 4, 5, 9, 22
OK, START, CONTACT, END, SELF_INFO, TIME = 0, 2, 3, 4, 5, 9
HELLO = bytes([APP_START]) + bytes(7) + b"phone"


async def refused(awaitable, what, kind=ATT_Error):
    """Something that must fail, with an error of attributes unless told otherwise; its code."""
    try:
        await awaitable
    except kind as error:
        return error.error_code
    raise AssertionError(f"{what} was not refused")


async def unpaired(stage):
    """A phone that is connected, knows the service, and has not paired."""
    phone = await stage.phone()
    found = await phone.find()
    await phone.connect(found.address, 247)
    await phone.discover()
    return phone, found


async def fails(phone):
    """A pairing that must fail."""
    try:
        await phone.pair()
    except (BaseBumbleError, RuntimeError):
        return
    raise AssertionError("the pairing did not fail")


async def discovery(stage):
    """it advertises the service, and its name in answer to scans"""
    found = await (await stage.phone()).find()

    assert found.is_connectable and found.name.startswith("MeshCore-"), (found.is_connectable, found.name)
    same(found.raw(AdvertisingData.FLAGS), [bytes([6])], "flags")
    assert found.raw(stage.family.service_list), "the list of services is of another kind"


async def characteristics(stage):
    """the two characteristics have the properties of the chip family"""
    phone, _ = await unpaired(stage)

    same((phone.rx.properties, phone.tx.properties), (stage.family.rx, stage.family.tx), "properties")
    same(phone.tx.handle < phone.rx.handle, stage.family.tx_first, "TX is before RX")


async def guarded(stage):
    """nothing is written, read or notified before pairing"""
    phone, _ = await unpaired(stage)

    same(await refused(phone.write(HELLO), "a write"), INSUFFICIENT_AUTHENTICATION, "write")
    if stage.family is ESP32:
        same(await refused(phone.tx.read_value(), "a read"), INSUFFICIENT_AUTHENTICATION, "read")
        # Whoever likes may switch notifications on; none comes.
        await phone.subscribe()
    elif stage.is_emulated:
        same(await refused(phone.subscribe(), "a subscription"), INSUFFICIENT_AUTHENTICATION, "subscription")
        # Without an answer, and without an effect.
        await phone.write(HELLO, with_response=False)
        same(await refused(phone.write(HELLO), "a write"), INSUFFICIENT_AUTHENTICATION, "write")
        # What it had made of that would wait for whoever subscribes.
        await phone.pair()
        await phone.subscribe()
        same((await phone.ask(bytes([GET_TIME])))[0], TIME, "first frame after pairing")
    assert phone.frames.empty(), "a frame that nobody who had paired asked for"


async def right_pin(stage):
    """the right PIN pairs, and the radio answers"""
    phone = await stage.phone()
    await phone.begin()

    same(phone.typist.asked, 1, "times that the PIN was asked for")
    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def wrong_pin(stage):
    """a wrong PIN fails, the radio hangs up, and the next attempt works"""
    phone, _ = await unpaired(stage)
    phone.typist.pin = 123457
    await fails(phone)
    await phone.wait_for_end()

    phone.typist.pin = 123456
    await phone.begin()

    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def no_pin(stage):
    """without a PIN nothing is paired, and the next attempt works"""
    phone, _ = await unpaired(stage)
    phone.typist.pin = None
    await fails(phone)
    await phone.wait_for_end()

    phone.typist.pin = 123456
    await phone.begin()

    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def bond(stage):
    """a bond saves the PIN when the phone comes back"""
    phone = await stage.phone()
    await phone.begin()
    await phone.disconnect()
    await phone.begin()

    same(phone.typist.asked, 1, "times that the PIN was asked for")
    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def mtu(stage):
    """the MTU is the smaller one of both, from 23 to 517"""
    phone = await stage.phone()
    for wanted in (23, 64, 176, 185, 247, 517):
        found = await phone.find()
        agreed = await phone.connect(found.address, wanted)
        same(agreed, min(wanted, stage.family.mtu), f"MTU for {wanted}")
        await phone.disconnect()


async def narrow(stage):
    """with an MTU of 23 a long frame comes in parts on nRF52, and without its end on ESP32"""
    phone = await stage.phone()
    await phone.begin(mtu=23)
    await phone.write(HELLO)

    first = await phone.next()

    same((len(first), first[0]), (20, SELF_INFO), "first part")
    if stage.family is NRF52:
        part, size = first, 20
        while len(part) == 20:
            part = await phone.next()
            size += len(part)
        assert size >= 58, f"{size} bytes of SELF_INFO"
    await phone.write(bytes([GET_TIME]))
    while (answer := await phone.next())[0] != TIME:
        assert stage.family is NRF52, f"{answer.hex()} behind a frame that was cut"


async def session(stage):
    """commands are answered one after the other, each with one value"""
    phone = await stage.phone()
    await phone.begin()

    assert len(await phone.ask(HELLO, SELF_INFO)) >= 58
    for _ in range(20):
        answer = await phone.ask(bytes([GET_TIME]))
        same((answer[0], len(answer)), (TIME, 5), "time")
    same((await phone.ask(bytes([0x35])))[:1], bytes([1]), "an unknown command")


def contact(number):
    """A contact that nobody ever heard, as ADD_UPDATE_CONTACT."""
    key = number.to_bytes(2, "big") * 16
    return bytes([ADD_CONTACT]) + key + bytes([1, 0, 0xFF]) + bytes(64) + f"N{number}".encode().ljust(32, b"\0") + bytes(12)


async def many(stage):
    """a listing of two hundred contacts comes whole and in its order, at the pace of the chip family"""
    phone = await stage.phone()
    await phone.begin()
    for number in range(1, 201):
        same((await phone.ask(contact(number)))[0], OK, f"contact {number}")

    await phone.write(bytes([GET_CONTACTS]))
    same((await phone.next())[0], START, "beginning")
    start = stage.now()
    frames = [await phone.next() for _ in range(201)]

    same([frame[0] for frame in frames], [CONTACT] * 200 + [END], "frames")
    if stage.is_emulated:
        assert stage.now() - start >= 0.9 * 200 * stage.family.gap, "faster than the radio may send"


async def vanished(stage):
    """a phone that vanishes in the middle of a listing leaves nothing behind for the next one"""
    phone = await stage.phone()
    await phone.begin()
    for number in range(1, 11):
        await phone.ask(contact(number))
    await phone.write(bytes([GET_CONTACTS]))
    await phone.next()
    stage.air.cut()
    same(await phone.wait_for_end(), HCI_CONNECTION_TIMEOUT_ERROR, "reason")

    await phone.begin()
    same((await phone.ask(bytes([GET_TIME])))[0], TIME, "first frame of the next connection")


async def second_phone(stage):
    """while one phone is connected the radio is not found, and afterwards the next one pairs for itself"""
    first = await stage.phone()
    await first.begin()
    second = await stage.phone()
    await second.device.start_scanning(active=True)
    await first.ask(HELLO, SELF_INFO)
    assert not stage.is_advertising(), "it advertises while a phone is connected"
    await second.device.stop_scanning()
    await first.disconnect()

    await second.begin()

    same(second.typist.asked, 1, "times that the second was asked for the PIN")
    same((await second.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def bond_after_restart(stage):
    """a bond outlives a restart of the emulator"""
    phone = await stage.phone()
    await phone.begin()
    await phone.disconnect()
    await stage.restart()
    await phone.begin()

    same(phone.typist.asked, 1, "times that the PIN was asked for")
    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def bond_lost(stage):
    """a radio that has lost the bond refuses the phone's keys, and pairs anew"""
    phone = await stage.phone()
    await phone.begin()
    await phone.disconnect()
    await stage.restart("--reset-state")
    await phone.connect((await phone.find()).address)
    same(await refused(phone.encrypt(), "the old key", HCI_Error), stage.air.lost_key, "encryption")
    if not phone.ended.is_set():
        await phone.disconnect()
    phone.keys.all_keys.clear()
    await phone.begin()

    same(phone.typist.asked, 2, "times that the PIN was asked for")


async def pin_of_the_node(stage):
    """the PIN that an app sets holds after the next start"""
    phone = await stage.phone()
    await phone.begin()
    same((await phone.ask(bytes([37]) + (654321).to_bytes(4, "little")))[0], OK, "SET_DEVICE_PIN")
    await phone.disconnect()
    await stage.restart()
    phone.keys.all_keys.clear()
    phone.typist.pin = 654321
    await phone.begin()

    same((await phone.ask(HELLO, SELF_INFO))[0], SELF_INFO, "answer")


async def name_at_boot(stage):
    """a new name is advertised after the next start"""
    phone = await stage.phone()
    before = (await phone.begin()).name
    same((await phone.ask(bytes([8]) + b"alice"))[0], OK, "SET_ADVERT_NAME")
    await phone.disconnect()
    same((await phone.find()).name, before, "name before the restart")
    await stage.restart()

    same((await phone.find()).name, "MeshCore-alice", "name after the restart")


async def no_controller(stage):
    """where no controller answers the emulator says so in one sentence, with exit 2"""
    await stage.radio.stop()
    stage.air.break_controller(0)

    text = stage.radio.refused(f"alice=ble:hci:tcp=127.0.0.1:{stage.air.ports[0]}")

    same(text, f"meshbed emulate: Bluetooth controller at 127.0.0.1 port {stage.air.ports[0]}: Connection refused\n",
         "what it says")


async def controller_gone(stage):
    """a controller that vanishes ends the emulator with one sentence and exit 2"""
    phone = await stage.phone()
    await phone.begin()
    stage.air.break_controller(0)

    text = await stage.radio.ended(status=2)

    said = f"meshbed emulate: Bluetooth controller at 127.0.0.1 port {stage.air.ports[0]}: it has ended the connection"
    same(text.splitlines()[-1], said, "what it says")


async def wrong_form(stage):
    """forms of addresses that do not work are refused with those that do"""
    for place, reason in (("ble:hci0?mode=desk", "as in ble:hci0?mode=exact"),
                          ("ble:C0:FF:EE:00:00:01?via=hci0",
                           "expected ble:hci:tcp=HOST:PORT, ble:hci0, ble:hci0?mode=exact or "
                           "ble:android-netsim")):
        text = stage.radio.refused(f"alice={place}")
        assert reason in text, text


# Of any radio, and of the emulator with its state.
ALL = [discovery, characteristics, guarded, right_pin, wrong_pin, no_pin, bond, mtu, narrow, session, many, vanished,
       second_phone]
EMULATED = [bond_after_restart, bond_lost, pin_of_the_node, name_at_boot, no_controller, controller_gone, wrong_form]
# Those of all that wait for what happens and for nothing else.
GATE = [guarded, right_pin, wrong_pin, bond, session]
