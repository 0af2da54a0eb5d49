"""Three tests of the client from PyPI, as its user would begin: what an installed wheel is tried with."""

import pytest
from meshcore import EventType, MeshCore

from meshbed import acknowledged


@pytest.fixture
async def alice(radio):
    client = await MeshCore.create_tcp(radio.host, radio.port)
    yield client
    await client.disconnect()


async def test_the_client_learns_who_it_is(alice, amesh):
    info = await alice.commands.send_appstart()

    assert info.payload["name"] == "alice"
    assert info.payload["public_key"] == (await amesh["alice"].state()).public_key


async def test_a_text_from_bob_arrives(alice, amesh):
    message = await amesh["bob"].sends("hello alice", to="alice")
    await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=30)

    text = await alice.commands.get_msg()
    assert text.payload["text"] == "hello alice"
    await amesh.run_until(acknowledged(message), within=30)


async def test_a_text_to_bob_is_acknowledged(alice, amesh):
    await alice.ensure_contacts()

    sent = await alice.commands.send_msg(alice.get_contact_by_name("bob"), "hello bob")
    ack = await alice.wait_for_event(EventType.ACK, {"code": sent.payload["expected_ack"].hex()}, timeout=30)

    assert ack is not None
    assert [received.text for received in await amesh["bob"].inbox()] == ["hello bob"]
