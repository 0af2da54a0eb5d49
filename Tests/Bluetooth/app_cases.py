"""The cases of `meshbed app` with one radio over Bluetooth: what its page asks of it when a radio is chosen."""

import asyncio

from central_cases import advertised
from lane import same
from peripherals import Display, ReferenceRadio


def connected(answer):
    """The radio that is connected, in an answer about radios."""
    return next((row for row in answer["saved"] if row["isConnected"]), None)


async def picked(stage):
    """the app connects to a radio by its name, shows no PIN, and resumes it when it is started again"""
    name, _ = await advertised(stage)
    client = stage.client()
    app = await stage.app(client)

    answer = await app.connects(client.address(name, pin="123456"))
    assert connected(answer) and "error" not in answer, answer
    assert "pin=" not in str(answer), answer
    same(connected(answer)["id"], client.address(name), "address of the radio")

    await app.stop()
    app = await stage.app(client)
    await app.until_ready()


async def wrong_pin(stage):
    """with a wrong PIN the app says so at once, and with the right one it goes on"""
    name, _ = await advertised(stage)
    client = stage.client()
    app = await stage.app(client)

    answer = await app.connects(client.address(name, pin="123457"))
    same(answer["error"]["code"], "connection-impossible", "code")
    assert "it shows another PIN" in answer["error"]["message"] and "123457" not in str(answer), answer
    same(answer["failure"]["message"], answer["error"]["message"], "failure at the address")

    await stage.restart()
    answer = await app.connects(client.address(name, pin="123456"))
    assert connected(answer) and "error" not in answer and "failure" not in answer, answer


async def absent(stage):
    """a radio that is not there is dialed once: the app says which ones are as soon as the client does"""
    name, _ = await advertised(stage)
    client = stage.client()
    began = stage.now()
    await client.run("client", "info", radio="MeshCore-nobody", status=2)
    least = stage.now() - began

    app = await stage.app(client)
    began = stage.now()
    answer = await app.connects(client.address("MeshCore-nobody"))
    took = stage.now() - began

    message = answer["error"]["message"]
    assert "no radio MeshCore-nobody was heard" in message and name in message, answer
    assert took < 2 * least, f"{took:.1f} s, and {least:.1f} s of the client"


class Hesitant(Display):
    """Shows its PIN only after most of the time that a pairing may take between two packets."""

    async def generate_passkey(self):
        await asyncio.sleep(25)
        return await super().generate_passkey()


async def slow(stage):
    """a radio that is silent for 25 s while it is paired with has one link of the app, and is paired with"""
    client, radio, links = stage.client(), ReferenceRadio(None, stage.family), []
    app = await stage.app(client)
    await radio.start(stage.air.ports[1], Hesitant(123456))
    try:
        radio.device.on("connection", links.append)

        answer = await app.connects(client.address("MeshCore-REFERENCE", pin="123456"))

        same(client.bonds, 1, "bonds")
        same(len(links), 1, f"links of a radio that hesitates, {answer}")
    finally:
        await app.stop()
        await radio.stop()


async def forgotten(stage):
    """a radio that was connected by its name loses its keys when the app forgets it, and pairs anew"""
    name, _ = await advertised(stage)
    client = stage.client()
    app = await stage.app(client)
    answer = await app.connects(client.address(name))
    same(client.bonds, 1, "bonds of a radio that is connected")

    answer = await app.post("devices/forget", {"deviceID": connected(answer)["deviceID"]})
    assert "error" not in answer, answer
    same(client.bonds, 0, "bonds of a radio that is forgotten")

    answer = await app.connects(client.address(name))
    assert connected(answer), answer


async def scan_without_bus(stage):
    """without a bus a scan of the app ends with a sentence"""
    app = await stage.app(stage.client())

    await app.post("devices/scan", {"isOn": True})
    answer = await app.until(lambda: app.get("devices"), lambda answer: not answer["isScanning"])

    same((answer["scanFailure"]["code"], answer["found"]), ("scan-failed", []), "end of the scan")
    assert "the system has no bus for bluetoothd" in answer["scanFailure"]["message"], answer


EMULATED = [picked, wrong_pin, absent, slow, forgotten, scan_without_bus]
