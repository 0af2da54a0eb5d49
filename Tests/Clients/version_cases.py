"""A session of each client with radios of each version of the firmware: who they are, and messages through a repeater."""

from meshcore import EventType

import cli_cases
import pair_cases
from lane import expect, same

# Protocol level and the beginning of the version's text, as DEVICE_INFO has them.
VERSIONS = {
    "1.14": (10, "v1.14.1"), "1.15": (11, "v1.15.0"), "1.16": (13, "v1.16.0"), "1.17.1": (13, "v1.17.1"),
    "1.18": (14, "v1.18.0"),
}
NODES = {"alice": "tcp", "bob": "tcp"}
CLI_NODES = {"alice": "tcp", "bob": "pty"}


def world(version, base):
    """The same world with all of its nodes at a version."""
    return type(f"{base.__name__} {version}", (base,), {
        "options": (*base.options, "--firmware", version), "firmware": version})


async def device(emulator, alice, bob):
    """both radios tell their version, and take what every version has"""
    level, text = VERSIONS[emulator.firmware]
    for radio in (alice, bob):
        info = expect(await radio.commands.send_device_query(), EventType.DEVICE_INFO)
        same(info["fw ver"], level, "protocol")
        assert info["ver"].startswith(text), info
        expect(await radio.commands.get_bat(), EventType.BATTERY)
        expect(await radio.commands.get_channel(0), EventType.CHANNEL_INFO)


async def program(emulator, **_):
    """meshcore-cli tells the version, and sets a name"""
    level, text = VERSIONS[emulator.firmware]
    for name in ("alice", "bob"):
        _, version = await cli_cases.values(emulator, name, "infos", "ver")
        same(version["fw ver"], level, "protocol")
        assert version["ver"].startswith(text), version
        assert "ok" in await cli_cases.cli(emulator, name, "set", "name", name)


async def private_texts(emulator, alice, bob):
    """a channel that both set carries texts; one that only alice has stays silent"""
    for radio in (alice, bob):
        expect(await radio.commands.set_channel(3, "both", b"sixteen bytes ok"), EventType.OK)
    expect(await alice.commands.set_channel(4, "mine", b"only alice knows"), EventType.OK)
    since = bob.mark()
    expect(await alice.commands.send_chan_msg(4, "to nobody"), EventType.OK)
    expect(await alice.commands.send_chan_msg(3, "to bob"), EventType.OK)

    same(expect(await bob.message(since), EventType.CHANNEL_MSG_RECV)["text"], "alice: to bob", "text")
    same(await bob.drain(), [], "other messages")


# Before 1.16 a frame has 172 bytes, and Wi-Fi boards drop longer ones; before 1.15 there is no data on channels.
INSTEAD = {
    "1.14": {pair_cases.long_text: None, pair_cases.private_channel: private_texts},
    "1.15": {pair_cases.long_text: None},
}


def cases(version):
    """The cases that radios of a version can show."""
    shown = [INSTEAD.get(version, {}).get(case, case) for case in pair_cases.ALL]
    return [device, *(case for case in shown if case is not None)]


CLI = [program, cli_cases.clock]
