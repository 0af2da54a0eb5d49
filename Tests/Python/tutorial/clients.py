"""The client from PyPI as the suite uses it."""

from meshcore import EventType, MeshCore

from meshbed import acknowledged, has_met, is_quiet
from meshbed.pytest_plugin import CALENDAR


async def connected(radio, **options):
    """A client that has introduced itself. What it waits for, it waits for in the world's time."""
    client = await MeshCore.create_tcp(radio.host, radio.port, only_error=True, **options)
    assert client is not None, "the radio does not answer"
    # From here on messages come in the layout of protocol 3.
    answer(await client.commands.send_device_query(), EventType.DEVICE_INFO)
    return client


def answer(event, kind):
    """The payload of an event that must be of this kind."""
    assert event is not None and event.type == kind, f"expected {kind}, got {event and (event.type, event.payload)}"
    return event.payload


def refusal(event):
    """The code of an error of the firmware."""
    return answer(event, EventType.ERROR).get("error_code")


async def fetched(client):
    """The texts that the radio has stored, fetched one after the other."""
    messages = []
    while (event := await client.commands.get_msg()).type != EventType.NO_MORE_MSGS:
        assert not event.is_error(), event.payload
        messages.append(event.payload)
    return messages


async def acquainted(mesh):
    """Prepares the mesh: alice has the date of the others, and she and bob know each other by their adverts."""
    client = await connected(mesh["alice"].radio)
    answer(await client.commands.set_time(CALENDAR), EventType.OK)
    answer(await client.commands.send_advert(flood=True), EventType.OK)
    await mesh.run_until(has_met("bob", "alice"))
    await mesh["bob"].adverts()
    await mesh.run_until(has_met("alice", "bob"))
    await client.disconnect()
    await settles(mesh)


async def bob_writes(mesh, *texts):
    """Texts that arrive one after the other. Behind a first one come paths, with which the next one could collide."""
    for text in texts:
        await mesh.run_until(acknowledged(await mesh["bob"].sends(text, to="alice")), within=60)
        await settles(mesh)


async def settles(mesh):
    """Until nobody has anything to send, and clients have been told of it."""
    await mesh.run_until(is_quiet(), within=60)
    await mesh.advance(1)


async def meets(alice, amesh, name):
    """The server adverts; it as a contact of the client."""
    await amesh[name].console("clock sync")
    await amesh[name].console("advert")
    await amesh.run_until(has_met("alice", name), within=60)
    await settles(amesh)
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    return contacts[(await amesh[name].state()).public_key]


async def logs_in(alice, amesh, server, password):
    """The server lets the client in; behind the answer a path is on its way, with which a request could collide."""
    answer(await alice.commands.send_login(server, password), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=30)
    await settles(amesh)
