"""The cases of a real kernel, bluetoothd and the official client with an emulated radio on an adapter of its own."""

import asyncio
import json
import os
import re
import tempfile
import time

from bleak import BleakClient
from bleak.exc import BleakError
from meshcore import EventType, MeshCore

import captures
import desktop
import stories
from lane import expect, same
from stage import RADIO, SERVICE, SHOWN, App, until

MESSAGE_LIMIT = 60
RX, TX = (f"6e40000{number}-b5a3-f393-e0a9-e50e24dcca9e" for number in (2, 3))


async def doctor(stage):
    """the doctor finds adapters, bluetoothd and the rights of root, and what an ordinary user lacks"""
    await stage.open_desktop()
    desktop.down(RADIO)

    found = json.loads(await stage.meshbed("ble", "doctor", "--json"))
    same((found["isUsable"], found["ways"]), (True, ["desktop", "exact", "recording"]), "what works for root")
    adapters = next(finding["sentence"] for finding in found["findings"] if finding["subject"] == "adapter")
    address = "([0-9A-F]{2}:){5}[0-9A-F]{2}"
    assert re.fullmatch(f"adapters: hci0 at {address}, hci1 at {address}", adapters), adapters
    user = json.loads(await stage.meshbed("ble", "doctor", "--json", user="nobody"))
    same((user["isUsable"], user["ways"]), (True, ["desktop"]), "what works for an ordinary user")
    lacking = [finding["subject"] for finding in user["findings"] if not finding["isMet"]]
    same(lacking, ["power", "exclusive", "capture"], "what an ordinary user lacks, with the second adapter off")


async def advertises(stage):
    """bluetoothd finds the radio with the service and the name of its board"""
    await stage.radio()

    _, advertisement = await stage.find()

    assert advertisement.local_name.startswith("MeshCore-"), advertisement
    same(advertisement.service_uuids, [SERVICE], "services")


async def contacts(client):
    """The official client's contacts.

    It listens for the list once its question was acknowledged. Where a link has no latency the list may be there before, and it
    then says that none came: it is asked again.
    """
    for _ in range(ATTEMPTS):
        event = await client.commands.get_contacts()
        if event.type != EventType.ERROR or "timeout waiting for contacts" not in str(event.payload):
            break
        print(f"asking again: {event}", flush=True)
    return expect(event, EventType.CONTACTS)


async def session(stage, profile):
    """The official client's session, from pairing to a message."""
    await stage.radio(profile)
    client = await stage.app()

    same(stage.desktop.agent.asked, 1, "times that the PIN was asked for")
    assert client.self_info["name"], client.self_info
    info = expect(await client.commands.send_device_query(), EventType.DEVICE_INFO)
    assert info["model"], info
    now = int(time.time())
    expect(await client.commands.set_time(now), EventType.OK)
    same(0 <= expect(await client.commands.get_time(), EventType.CURRENT_TIME)["time"] - now < 60, True, "time")
    same(await contacts(client), {}, "contacts")
    expect(await client.commands.send_chan_msg(0, "over Bluetooth"), EventType.OK)


async def session_esp32(stage):
    """the official client pairs with 123456 and runs its session with an ESP32 (Secure Connections)"""
    await session(stage, "heltec-v3")


async def session_nrf52(stage):
    """the official client pairs with 123456 and runs its session with an nRF52 (legacy pairing)"""
    await session(stage, "rak4631")


async def message(stage):
    """texts from and to another radio reach their apps, and are acknowledged"""
    server = await stage.radio(world="desk", more=["--endpoint", "bob=tcp://127.0.0.1:0", "--speed", "10"])
    port = server.port(r"^ +bob .* ")
    bob = await MeshCore.create_tcp("127.0.0.1", port, only_error=True, default_timeout=20)
    stage.clients.append(bob)
    alice = await stage.app()
    for client in (alice, bob):
        expect(await client.commands.send_device_query(), EventType.DEVICE_INFO)
    for client in (alice, bob):
        expect(await client.commands.send_advert(flood=True), EventType.OK)

    async def knows(client, other):
        known = await contacts(client)
        return known.get(other.self_info["public_key"])

    to_alice = await until(lambda: knows(bob, alice), "contact alice", MESSAGE_LIMIT)
    to_bob = await until(lambda: knows(alice, bob), "contact bob", MESSAGE_LIMIT)
    for sender, receiver, target in ((bob, alice, to_alice), (alice, bob, to_bob)):
        came = asyncio.create_task(receiver.wait_for_event(EventType.MESSAGES_WAITING, timeout=MESSAGE_LIMIT))
        acknowledged = asyncio.create_task(sender.wait_for_event(EventType.ACK, timeout=MESSAGE_LIMIT))
        sent = expect(await sender.commands.send_msg(target, f"to {target['adv_name']}"), EventType.MSG_SENT)
        assert await came is not None, "no message waits"
        text = expect(await receiver.commands.get_msg(), EventType.CONTACT_MSG_RECV)["text"]
        same(text, f"to {target['adv_name']}", "text")
        event = await acknowledged
        same(event and event.payload["code"], sent["expected_ack"].hex(), "acknowledgement")


async def bond(stage):
    """a bond of bluetoothd's saves the PIN when the client comes back"""
    await stage.radio()
    client = await stage.app()
    await client.disconnect()

    client = await stage.app(pin=None)

    same(stage.desktop.agent.asked, 1, "times that the PIN was asked for")
    expect(await client.commands.get_time(), EventType.CURRENT_TIME)


async def bond_and_restart(stage):
    """the bond outlives the emulator, which keeps it in its state"""
    server = await stage.radio()
    client = await stage.app()
    await client.disconnect()
    await server.stopped()
    await stage.radio()

    client = await stage.app(pin=None)

    same(stage.desktop.agent.asked, 1, "times that the PIN was asked for")
    expect(await client.commands.get_time(), EventType.CURRENT_TIME)


async def wrong_pin(stage):
    """a wrong PIN is refused, and the next attempt with the right one works"""
    await stage.radio()
    try:
        await stage.app(pin=123457)
    except Exception as error:
        print(f"refused: {error!r}", flush=True)
    else:
        raise AssertionError("a wrong PIN was taken")
    await stage.desktop.forget()

    client = await stage.app()

    same(stage.desktop.agent.asked, 2, "times that the PIN was asked for")
    expect(await client.commands.get_time(), EventType.CURRENT_TIME)


async def refusals(stage):
    """no adapter, one in use, one that another has alone, and no permission end in a sentence and exit status 2"""
    async def refused(index, words, user=None):
        endpoint = f"alice=ble:hci{index}?mode=exact"
        text = await stage.meshbed("emulate", "--world", "solo", "--endpoint", endpoint, status=2, user=user)
        assert words in text, f"{words!r} is not in: {text}"

    await stage.open_desktop()
    await refused(7, "there is no such adapter")
    await refused(0, "sudo btmgmt --index 0 power off")
    desktop.down(RADIO)
    await refused(1, "CAP_NET_ADMIN", user="nobody")
    await stage.radio()
    await refused(1, "another program has it alone")


async def recording(stage):
    """record ble captures adapter and monitor live, without loss, and the frames can be read"""
    await stage.radio()
    await stage.open_desktop()
    interfaces = await stage.meshbed("record", "ble", "--list")
    for name in ("bluetooth0", "bluetooth-monitor"):
        assert name in interfaces, interfaces
    recorders, files = [], {}
    for name, interface in (("adapter.pcapng", "bluetooth0"), ("monitor.btsnoop", "bluetooth-monitor"),
                            ("monitor.pcapng", "bluetooth-monitor"), ("session.capture", "bluetooth-monitor")):
        files[name] = os.path.join(stage.folder, name)
        if os.path.exists(files[name]):
            os.remove(files[name])
        keep = [] if name.endswith(".capture") else ["--keep-secrets"]
        recorders.append(await stage.start(
            "record", "ble", "--interface", interface, "--output", files[name], *keep,
            pattern="^Recording until interrupted"))
    client = await stage.app()
    asked = [await client.commands.send_device_query(), await client.commands.get_time()]
    assert all(not answer.is_error() for answer in asked), asked
    await contacts(client)
    await client.disconnect()
    said = [await recorder.stopped() for recorder in recorders]
    # The recorders of all adapters hear each frame at both ends, and a recording has one end.
    frames = [int(re.search(r"(\d+) frames", text)[1]) for text in said]
    same(frames, [frames[0], 2 * frames[0], 2 * frames[0], frames[0]], "frames of adapter, monitors and session")
    same(frames[0] >= 8, True, "at least four commands and their answers")
    assert not any("lost" in text for text in said), said

    for name in files:
        shown = await stage.meshbed("capture", "show", files[name])
        for frame in ("APP_START", "SELF_INFO", "DEVICE_QUERY", "DEVICE_INFO", "GET_DEVICE_TIME", "CURR_TIME"):
            assert frame in shown, f"no {frame} in {name}:\n{shown}"


async def story(stage):
    """the stories of Captures are told over Bluetooth and recorded live; the stored recordings say the same"""
    for name, tell in stories.OVER_BLUETOOTH:
        path = os.path.join(stage.folder, f"{name}.capture")
        # One that took a second attempt to connect is no story; see `Stage.app`.
        while await told(stage, name, tell, path) != 1:
            await stage.clear()
        captures.complete(path, name, "solo", 1, {}, client=f"{captures.LIBRARY}, bleak, bluetoothd, Linux")
        stored = os.path.join("Captures", captures.FIRMWARE, captures.BOARD, f"{name}.capture")
        if os.path.exists(stored):
            await stage.meshbed("capture", "diff", stored, path)


async def told(stage, name, tell, path):
    """Records a story; how many connections it has."""
    if os.path.exists(path):
        os.remove(path)
    await stage.radio(captures.BOARD)
    await stage.open_desktop()
    recorder = await stage.start(
        "record", "ble", "--interface", "bluetooth0", "--output", path, "--story", name, "--firmware",
        captures.FIRMWARE, "--board", captures.BOARD, pattern="^Recording until interrupted")
    await tell(App(stage))
    await stage.clear_apps()
    await recorder.stopped()
    with open(path, encoding="utf-8") as file:
        return sum(" ble +" in line for line in file)


# The first adapter, for a central of our own: alone, and beside the desktop.
RADIO_NAME = "ble:MeshCore-882A0AF4"
OWN_CENTRAL = f"{RADIO_NAME}?via={desktop.ADAPTER}&mode=exact"
BESIDE_DESKTOP = f"{RADIO_NAME}?via={desktop.ADAPTER}"
ATTEMPTS = 8


async def central(stage):
    """our own client takes the first adapter for itself, pairs with 123456 and shows the radio"""
    await stage.open_desktop()
    await stage.radio()
    desktop.down(desktop.ADAPTER)

    text = await stage.meshbed("client", "info", "--target", OWN_CENTRAL, limit=200)

    assert "v1.17.1" in text, text


async def compliance(stage):
    """comply over both adapters breaks none of the statements about Bluetooth and sessions"""
    await stage.open_desktop()
    await stage.radio()
    desktop.down(desktop.ADAPTER)

    text = await stage.meshbed("comply", "--target", OWN_CENTRAL, "--only", "19-32,50-56", limit=230)

    assert ", broken 0, " in text and "not applicable 0" in text, text


async def as_user(stage, *words, status=0, limit=120):
    """Runs the command as an ordinary user; what it printed.

    The virtual controllers report an advertiser once, and a link without latency may be one that bluetoothd never calls
    connected; a user would try again, too.
    """
    for _ in range(ATTEMPTS):
        code, text = await stage.outcome(*words, user="nobody", limit=limit)
        if code == status and not (status and missed(text)):
            return text
        assert missed(text), f"exit {code} instead of {status} of {' '.join(words)}:\n{text}"
    raise AssertionError(f"the radio was not met in {ATTEMPTS} attempts")


def missed(text):
    return any(words in text for words in (" was heard; ", "does not tell its services in time", "does not come about"))


async def info(stage, target, status=0):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        return await as_user(stage, "client", "info", "--target", target, "--db", os.path.join(folder, "db"), status=status)


async def desktop_client(stage):
    """our own client, an ordinary user beside the desktop, pairs with 123456 and comes back without a PIN"""
    await stage.radio()
    await stage.open_desktop()

    text = await info(stage, BESIDE_DESKTOP)
    assert "v1.17.1" in text, text
    # Nobody is asked for the PIN of a bond.
    text = await info(stage, f"{BESIDE_DESKTOP}&pin=999999")
    assert "v1.17.1" in text, text

    same(stage.desktop.agent.asked, 0, "times that the desktop's own agent was asked")
    left = [device for device in (await stage.desktop.devices()).values() if device.get("Connected")]
    same(left, [], "connections that are left")


async def desktop_wrong_pin(stage):
    """beside the desktop a wrong PIN is told, and the right one works after it"""
    await stage.radio()
    await stage.open_desktop()

    text = await info(stage, f"{BESIDE_DESKTOP}&pin=999999", status=2)
    assert "shows another PIN" in text and "999999" not in text, text
    text = await info(stage, BESIDE_DESKTOP)

    assert "v1.17.1" in text, text


async def desktop_commands(stage):
    """beside the desktop the radio is listed, paired with and forgotten by commands of an ordinary user"""
    await stage.radio()
    await stage.open_desktop()
    heard = []
    for _ in range(ATTEMPTS):
        code, text = await stage.outcome("ble", "scan", "--via", desktop.ADAPTER, "--seconds", "6", "--json", user="nobody")
        heard = json.loads(text[:text.rindex("]") + 1])
        same(code, 0 if heard else 1, "exit status")
        if heard:
            break
    same([(radio["name"], radio["kind"], radio["isPaired"]) for radio in heard],
         [("MeshCore-882A0AF4", "MeshCore", False)], "radios in range")
    address = f"ble:{heard[0]['address']}?via={desktop.ADAPTER}"

    async def paired():
        return [device["Paired"] for device in (await stage.desktop.devices()).values() if device["Paired"]]

    await as_user(stage, "ble", "pair", address)
    same(await paired(), [True], "bonds")
    await stage.meshbed("ble", "forget", address, user="nobody")
    same(await paired(), [], "bonds that are left")
    await stage.meshbed("ble", "forget", address, user="nobody", status=1)


async def desktop_compliance(stage):
    """comply through bluetoothd, as an ordinary user, breaks none of the statements about sessions"""
    await stage.radio()
    await stage.open_desktop()
    await info(stage, BESIDE_DESKTOP)

    text = await as_user(stage, "comply", "--target", BESIDE_DESKTOP, "--only", "50-56", limit=230)

    assert ", broken 0, " in text, text


async def desktop_refusals(stage):
    """no adapter, one that is off, and no radio in range end in a sentence and exit status 2"""
    await stage.open_desktop()
    text = await stage.meshbed("ble", "scan", "--via", "hci7", user="nobody", status=2)
    assert "bluetoothd has no adapter hci7; 'bluetoothctl list'" in text, text
    for words, target in (("bluetoothd has no adapter hci7", f"{RADIO_NAME}?via=hci7"),
                          ("was heard; switch it on", f"ble:MeshCore-nobody?via={desktop.ADAPTER}")):
        code, text = await stage.outcome("client", "info", "--target", target, user="nobody")
        same(code, 2, f"exit status of: {text}")
        assert words in text, text
    desktop.down(desktop.ADAPTER)
    code, text = await stage.outcome("client", "info", "--target", BESIDE_DESKTOP, user="nobody")
    assert code == 2 and f"the adapter {desktop.ADAPTER} is off" in text, text


async def beside(stage, profile):
    """Pairing with what the radio shows, a session, and another one without a PIN."""
    server = await stage.radio_beside(profile)
    device, advertisement = await stage.find()
    same(advertisement.service_uuids, [SERVICE], "services")
    await stage.desktop.pair(device.address)
    same(stage.desktop.agent.asked, 1, "times that the PIN was asked for")

    for _ in range(2):
        client = await stage.app_of_desktop()
        info = expect(await client.commands.send_device_query(), EventType.DEVICE_INFO)
        assert info["model"], info
        now = int(time.time())
        expect(await client.commands.set_time(now), EventType.OK)
        same(0 <= expect(await client.commands.get_time(), EventType.CURRENT_TIME)["time"] - now < 60, True, "time")
        same(await contacts(client), {}, "contacts")
        await client.disconnect()

    same(stage.desktop.agent.asked, 1, "times that the PIN was asked for")
    text = await server.stopped()
    same(len(re.findall(SHOWN, text, re.M)), 1, "PINs that were shown")


async def beside_esp32(stage):
    """beside the desktop an ESP32 shows a PIN, with which the official client pairs, and needs no rights"""
    await beside(stage, "heltec-v3")


async def beside_nrf52(stage):
    """beside the desktop an nRF52 shows a PIN, with which the official client pairs, and needs no rights"""
    await beside(stage, "rak4631")


async def beside_unpaired(stage):
    """beside the desktop a client that has not paired reads and writes nothing, and a wrong PIN pairs nobody"""
    server = await stage.radio_beside()
    device, _ = await stage.find()

    async def wrong():
        return (int((await asyncio.to_thread(server.wait_for, SHOWN))[1]) + 1) % 1_000_000

    stage.desktop.agent.read = wrong
    try:
        await stage.desktop.pair(device.address)
    except Exception as error:
        print(f"not paired: {error!r}", flush=True)
    else:
        raise AssertionError("a wrong PIN was taken")
    for access in (lambda client: client.read_gatt_char(TX),
                   lambda client: client.write_gatt_char(RX, b"\x16\x03", response=True)):
        # Who is refused tries to pair, and is hung up on.
        device, _ = await stage.find()
        await stage.connect(device)
        async with BleakClient(device) as client:
            try:
                await access(client)
            except BleakError as error:
                print(f"refused: {error!r}", flush=True)
            else:
                raise AssertionError("who has not paired was let in")
    text = await server.stopped()

    assert "its link is encrypted with MITM" not in text, text


async def beside_refusals(stage):
    """beside the desktop no adapter, one that is off and one that is switched off end in a sentence and exit status 2"""
    async def refused(index, words):
        text = await stage.meshbed(
            "emulate", "--world", "solo", "--endpoint", f"alice=ble:hci{index}", status=2, user="nobody")
        assert words in text, f"{words!r} is not in: {text}"

    await stage.open_desktop()
    await refused(7, "bluetoothd has no adapter hci7; 'bluetoothctl list'")
    desktop.down(RADIO)
    await until(lambda: off(stage), "adapter that is off")
    await refused(1, "the adapter hci1 is off; 'bluetoothctl power on'")
    server = await stage.radio_beside()
    desktop.down(RADIO)
    text = await asyncio.to_thread(server.wait, status=2)
    assert "the adapter hci1 is off" in text, text


async def off(stage):
    return not await stage.desktop.is_powered(RADIO)


ALL = [doctor, advertises, session_esp32, session_nrf52, message, bond, bond_and_restart, wrong_pin, refusals, recording,
       story, desktop_client, desktop_wrong_pin, desktop_commands, desktop_compliance, desktop_refusals, central, compliance,
       beside_esp32, beside_nrf52, beside_unpaired, beside_refusals]
