"""The cases of our own client with one radio over Bluetooth, the emulator's or that of Bumble's host."""

import json
import os
import re
import stat

from families import ESP32, NRF52
from lane import same


async def advertised(stage):
    """The radio's name and address as it advertises them."""
    found = await (await stage.phone()).find()
    return found.name, str(found.address).removesuffix("/P")


async def by_name(stage):
    """our client finds it by its name, pairs with the usual PIN, and asks it for itself"""
    name, _ = await advertised(stage)
    client = stage.client()

    assert await client.info(name), "nothing is told"
    same([stat.S_IMODE(os.stat(path).st_mode) for path in client.key_files], [0o600], "modes of files of keys")


async def by_address(stage):
    """our client finds it by its address, in either case of its letters"""
    _, address = await advertised(stage)

    for text in (address.upper(), address.lower()):
        assert await stage.client().info(text), "nothing is told"


async def wrong_pin(stage):
    """with a wrong PIN our client says so with exit 2 and prints no PIN, and with the right one it goes on"""
    name, _ = await advertised(stage)
    client = stage.client()

    output = await client.run("client", "info", radio=name, pin="123457", status=2)
    assert "it shows another PIN" in output, output
    assert "123457" not in output, output

    await stage.restart()
    assert await client.info(name, pin="123456"), "nothing is told"


async def bad_pin(stage):
    """a PIN of five digits is refused before anything is dialed"""
    output = await stage.client().run("client", "info", radio="MeshCore-x", pin="98765", status=2)
    assert "a PIN has six digits" in output and "98765" not in output, output


async def bond(stage):
    """our client comes back with its keys, also after a wrong PIN in its address"""
    name, _ = await advertised(stage)
    client = stage.client()
    await client.info(name)

    # Who has the keys is asked for no PIN.
    assert await client.info(name, pin="654321"), "nothing is told"


async def central_forgets(stage):
    """our client that has lost its keys pairs anew"""
    name, _ = await advertised(stage)
    client = stage.client()
    await client.info(name)
    client.forget()

    assert await client.info(name), "nothing is told"


async def radio_forgets(stage):
    """a radio that has lost its keys is paired with anew"""
    name, _ = await advertised(stage)
    client = stage.client()
    await client.info(name)
    await stage.restart("--reset-state")

    name, _ = await advertised(stage)
    assert await client.info(name), "nothing is told"


async def not_there(stage):
    """a radio that is not there is told in one sentence, with the ones that are"""
    name, _ = await advertised(stage)

    output = await stage.client().run("client", "info", radio="MeshCore-nobody", status=2)

    assert "no radio MeshCore-nobody was heard" in output and name in output, output


async def taken(stage):
    """while a phone has the radio our client says what to do, and afterwards it goes on"""
    phone = await stage.phone()
    name = (await phone.begin()).name
    client = stage.client()

    output = await client.run("client", "info", radio=name, status=2)
    assert "end its link with any other app" in output, output

    await phone.disconnect()
    assert await client.info(name), "nothing is told"


async def no_controller(stage):
    """where no controller answers our client says so in one sentence, with exit 2"""
    client = stage.client()
    stage.air.break_controller(stage.air.ports.index(client.port))

    output = await client.run("client", "info", radio="MeshCore-x", status=2)

    assert f"Bluetooth controller at 127.0.0.1 port {client.port}: Connection refused" in output, output


# Statements on Bluetooth that a client alone cannot show: those on the other chip family, those that restart the radio, and
# how many frames may wait.
UNSEEN = {NRF52: {"CMP-024": "with an ESP32", "CMP-027": "with an ESP32", "CMP-028": "control over time",
                  "CMP-029": "its listing pauses as it should", "CMP-031": "restarts", "CMP-032": "with an ESP32"},
          ESP32: {"CMP-023": "with an nRF52", "CMP-026": "with an nRF52", "CMP-028": "control over time",
                  "CMP-029": "with an nRF52", "CMP-031": "restarts"}}


async def compliance(stage):
    """comply over Bluetooth breaks nothing, and shows of Bluetooth all that a client alone can see"""
    name, _ = await advertised(stage)

    client = stage.client()
    path = os.path.join(client.folder, "comply.json")
    output = await client.run("comply", "--json", path, radio=name)

    assert ", broken 0," in output, output[-2000:]
    with open(path, encoding="utf-8") as file:
        entries = [entry for entry in json.load(file)["checks"] if "CMP-019" <= entry["id"] <= "CMP-032"]
    same(len(entries), 14, "statements on Bluetooth")
    unseen = UNSEEN[stage.family]
    same({entry["id"]: entry["verdict"] for entry in entries},
         {entry["id"]: "not run" if entry["id"] in unseen else "kept" for entry in entries}, "verdicts")
    for entry in entries:
        assert unseen.get(entry["id"], "") in entry.get("reason", ""), entry


async def recorded(stage):
    """what an app says to the radio through our recorder is recorded, and replayed to the radio as it was"""
    name, _ = await advertised(stage)
    client = stage.client()
    path = os.path.join(client.folder, "told.capture")
    recorder, port = await client.recorder(name, path)

    await client.command("client", "info", "--target", f"tcp://127.0.0.1:{port}")
    await recorder.stopped()
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert any(re.match(r"\d+\.\d+ ble < 05", line) for line in lines), lines[:20]

    output = await client.run("replay", path, "--as", "client", "--allow-changes", radio=name)
    assert ", 0 not" in output, output


# With the emulator's radio alone: the one of Bumble's host has no answers to most commands.
EMULATED = [by_name, by_address, wrong_pin, bad_pin, bond, central_forgets, radio_forgets, not_there, taken,
            no_controller, compliance, recorded]
GATE = [by_name, wrong_pin]
