"""meshcore-cli as a user types it: alice over TCP, bob over a pseudo-terminal."""

import asyncio
import json
import os
import re
import sys
import time

from lane import same

LIMIT = 100
HERE = os.path.dirname(os.path.abspath(__file__))


async def cli(emulator, name, *words):
    """Runs the client once and returns what it printed; a traceback or a non-zero exit fails the case."""
    command = [sys.executable]
    if name in emulator.ports:
        command += ["-m", "meshcore_cli", "-t", "127.0.0.1", "-p", str(emulator.ports[name])]
    else:
        command += [os.path.join(HERE, "on_pty.py"), "meshcore_cli", "-s", emulator.links[name]]
    # Its settings and message logs belong to the scratch folder.
    environment = dict(os.environ, HOME=emulator.folder, PYTHONUNBUFFERED="1")
    process = await asyncio.create_subprocess_exec(
        *command, *words, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT)
    try:
        async with emulator.passing():
            output, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise AssertionError(f"no end of: {words}") from None
    text = output.decode(errors="replace")
    assert process.returncode == 0 and "Traceback" not in text and "Error: " not in text, f"{words}: {text}"
    return text


async def values(emulator, name, *words):
    """The JSON values that the client prints, one after the other."""
    text = (await cli(emulator, name, "-j", *words)).strip()
    decoder, found = json.JSONDecoder(), []
    while text:
        try:
            value, end = decoder.raw_decode(text)
        except json.JSONDecodeError as error:
            raise AssertionError(f"{words}: not JSON ({error}): {text}") from None
        found.append(value)
        text = text[end:].lstrip()
    return found


async def infos(emulator, **_):
    """infos, ver and get radio tell the factory settings"""
    for name in ("alice", "bob"):
        info, version, radio = await values(emulator, name, "infos", "ver", "get", "radio")
        same(info["name"], info["public_key"][:8].upper(), "factory name")
        same(version["fw ver"], 13, "protocol")
        assert version["ver"].startswith("v1.17.1"), version
        same((radio["radio_freq"], radio["radio_sf"], radio["repeat"]), (869.618, 8, False), "radio")


async def names(emulator, **_):
    """set name and get name"""
    for name in ("alice", "bob"):
        assert "ok" in await cli(emulator, name, "set", "name", name)
        assert name in await cli(emulator, name, "get", "name")


async def clock(emulator, **_):
    """clock sync and clock"""
    for name in ("alice", "bob"):
        before, begun = time.time(), await emulator.moment()
        assert "ime sync" in await cli(emulator, name, "clock", "sync")
        now = (await values(emulator, name, "clock"))[0]["time"]
        # Programs have the machine's calendar. It and the world's time go on between the two commands, each at its pace.
        passed = time.time() - before + await emulator.moment() - begun
        assert -2 <= now - before <= passed + 2, f"clock off by {now - before} s"


async def settings(emulator, **_):
    """set and get of power, radio, position and tuning"""
    before = (await values(emulator, "alice", "infos"))[0]
    text = await cli(emulator, "alice", "set", "tx", "11", "set", "radio", "867.5,125,9,6", "set", "lat", "47.5")
    same(text.count("ok"), 3, "answers")
    info = (await values(emulator, "alice", "infos"))[0]
    same((info["tx_power"], info["radio_freq"], info["radio_sf"], info["adv_lat"]), (11, 867.5, 9, 47.5), "settings")
    radio = f"{before['radio_freq']},{before['radio_bw']},{before['radio_sf']},{before['radio_cr']}"
    await cli(emulator, "alice", "set", "tx", str(before["tx_power"]), "set", "radio", radio)
    same((await values(emulator, "alice", "infos"))[0]["radio_freq"], before["radio_freq"], "frequency set back")


async def reports(emulator, **_):
    """bat, stats, custom and self_telemetry"""
    battery, stats, custom, telemetry = await values(
        emulator, "alice", "get", "bat", "get", "stats", "get", "custom", "self_telemetry")
    assert battery["level"] > 2500 and battery["total_kb"] > 0, battery
    assert {"battery_mv", "noise_floor", "flood_rx"} <= set(stats), stats
    assert isinstance(custom, dict)
    same(telemetry["lpp"][0]["type"], "voltage", "telemetry")


async def adverts(emulator, **_):
    """advert and flood_advert; the other side lists the contact"""
    assert "Advert sent" in await cli(emulator, "alice", "advert")
    # Two adverts of one second are the same packet, and rep1 would drop the second as already seen.
    await emulator.pass_time(2)
    for sender, receiver in (("alice", "bob"), ("bob", "alice")):
        assert "Advert sent" in await cli(emulator, sender, "flood_advert")
        await emulator.pass_time(8)
        assert sender in await cli(emulator, receiver, "contacts"), f"{receiver} does not list {sender}"
        contact = (await values(emulator, receiver, "contact_info", sender))[0]
        same((contact["adv_name"], contact["out_path_len"]), (sender, -1), "contact")


async def message(emulator, **_):
    """msg with acknowledgement, first by flood, then by the path that it brought"""
    for number, route in ((0, "Flood"), (1, None)):
        path = (await cli(emulator, "alice", "path", "bob")).strip().splitlines()[-1]
        if route is None:
            assert re.search(r"[0-9a-f]{2}$", path), f"no path: {path}"
        else:
            assert route in path, f"a path before the first message: {path}"
        answer = await cli(emulator, "alice", "msg", "-a", "bob", f"hello {number}")
        assert "No ack received" not in answer, answer
        received = await cli(emulator, "bob", "-j", "sync_msgs")
        assert f"hello {number}" in received, received


async def answer(emulator, **_):
    """bob answers over his pseudo-terminal"""
    text = await cli(emulator, "bob", "msg", "-a", "alice", "hello alice")
    assert "No ack received" not in text, text
    assert "hello alice" in await cli(emulator, "alice", "-j", "sync_msgs")


async def public(emulator, **_):
    """public, and a channel of their own"""
    for name in ("alice", "bob"):
        await cli(emulator, name, "add_channel", "#lane")
        listed = (await values(emulator, name, "get_channels"))[0]
        same([channel["channel_name"] for channel in listed], ["Public", "#lane"], "channels")
    await cli(emulator, "alice", "public", "hello all", "chan", "#lane", "hello lane")
    await emulator.pass_time(20)
    received = await cli(emulator, "bob", "-j", "sync_msgs")
    assert "alice: hello all" in received and "alice: hello lane" in received, f"received: {received}"


async def cards(emulator, **_):
    """card, export_contact, remove_contact and import_contact"""
    card, exported = await values(emulator, "alice", "card", "export_contact", "bob")
    assert card["uri"].startswith("meshcore://11") and exported["uri"].startswith("meshcore://"), (card, exported)
    await cli(emulator, "alice", "remove_contact", "bob")
    assert "bob" not in await cli(emulator, "alice", "contacts")
    await cli(emulator, "alice", "import_contact", exported["uri"])
    assert "bob" in await cli(emulator, "alice", "contacts")


async def path_reset(emulator, **_):
    """reset_path"""
    await cli(emulator, "bob", "reset_path", "alice")
    same((await values(emulator, "bob", "contact_info", "alice"))[0]["out_path_len"], -1, "path")


async def reboot(emulator, **_):
    """reboot, and everything is still there"""
    for name, other in (("alice", "bob"), ("bob", "alice")):
        await cli(emulator, name, "reboot")
        await emulator.comes_up(name)
        info = (await values(emulator, name, "infos"))[0]
        same(info["name"], name, "name")
        assert other in await cli(emulator, name, "contacts")


ALL = [infos, names, clock, settings, reports, adverts, message, answer, public, cards, path_reset, reboot]
