"""First steps: a client, a radio, and people in the mesh around it."""

import asyncio

import pytest
from meshcore import EventType

from clients import acquainted, answer, bob_writes, connected, fetched, settles
from meshbed import acknowledged, has, has_met

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)


async def test_the_client_learns_who_it_is(alice, amesh):
    info = answer(await alice.commands.send_appstart(), EventType.SELF_INFO)

    assert info["name"] == "alice"
    assert info["public_key"] == (await amesh["alice"].state()).public_key


async def test_commands_take_no_time_of_the_world(alice, amesh):
    before = (await amesh.state()).now
    for _ in range(20):
        answer(await alice.commands.get_bat(), EventType.BATTERY)

    assert (await amesh.state()).now == before


async def test_a_text_from_bob_arrives(alice, amesh):
    message = await amesh["bob"].sends("hello alice", to="alice")
    assert await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=30)

    text = answer(await alice.commands.get_msg(), EventType.CONTACT_MSG_RECV)

    assert text["text"] == "hello alice"
    assert text["pubkey_prefix"] == (await amesh["bob"].state()).public_key[:12]
    # The radio acknowledges by itself; bob's app learns of it.
    await amesh.run_until(acknowledged(message), within=30)


async def test_the_client_fetches_by_itself_when_it_is_told(alice, amesh, heard):
    await alice.start_auto_message_fetching()
    await bob_writes(amesh, "text 0", "text 1", "text 2")

    texts = [event.payload["text"] for event in heard if event.type == EventType.CONTACT_MSG_RECV]
    assert texts == ["text 0", "text 1", "text 2"]
    await alice.stop_auto_message_fetching()


async def test_a_text_to_bob_arrives_and_is_acknowledged(alice, amesh, bob):
    sent = answer(await alice.commands.send_msg(bob, "hello bob"), EventType.MSG_SENT)
    ack = await alice.wait_for_event(EventType.ACK, {"code": sent["expected_ack"].hex()}, timeout=30)

    assert ack is not None
    assert [received.text for received in await amesh["bob"].inbox()] == ["hello bob"]


@pytest.mark.mesh(prepare=None)
async def test_a_flooded_advert_makes_a_contact(alice, amesh):
    await amesh["bob"].adverts(flood=True)
    event = await alice.wait_for_event(EventType.ADVERTISEMENT, timeout=30)

    key = (await amesh["bob"].state()).public_key
    assert event.payload["public_key"] == key
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    assert contacts[key]["type"] == 1
    path = answer(await alice.commands.get_advert_path(contacts[key]), EventType.ADVERT_PATH)
    assert path["path_len"] == 1


@pytest.mark.mesh(prepare=None)
async def test_an_advert_that_does_not_flood_stays_in_its_valley(alice, amesh):
    await amesh["bob"].adverts(flood=False)
    await amesh.advance(60)

    assert answer(await alice.commands.get_contacts(), EventType.CONTACTS) == {}
    assert not (await amesh.runs_until(has_met("alice", "bob"), within=0)).is_met


async def test_texts_on_the_channel_go_both_ways(alice, amesh):
    await amesh["bob"].says("hello all")
    await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=30)
    text = answer(await alice.commands.get_msg(), EventType.CHANNEL_MSG_RECV)
    assert (text["channel_idx"], text["text"].partition(": ")[2]) == (0, "hello all")

    answer(await alice.commands.send_chan_msg(0, "hello bob"), EventType.OK)
    await amesh.run_until(has("bob", "alice: hello bob"), within=30)


@pytest.mark.mesh(prepare=None)
async def test_bob_hears_what_is_said_before_he_has_done_anything(alice, amesh):
    answer(await alice.commands.send_chan_msg(0, "anybody there?"), EventType.OK)

    await amesh.run_until(has("bob", "alice: anybody there?"), within=30)


@pytest.mark.parametrize("text", ["x" * 160, "ä" * 80, "🛰" * 40, "a\nb\tc"], ids=["160 bytes", "umlauts", "emoji", "controls"])
async def test_long_and_strange_texts_arrive_whole(alice, amesh, bob, text):
    sent = answer(await alice.commands.send_msg(bob, text), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.ACK, {"code": sent["expected_ack"].hex()}, timeout=60)
    assert [received.text for received in await amesh["bob"].inbox()] == [text]

    await settles(amesh)
    await bob_writes(amesh, text)
    assert [message["text"] for message in await fetched(alice)] == [text]


async def test_a_day_passes(alice, amesh):
    await asyncio.sleep(86_400)
    answer(await alice.commands.get_bat(), EventType.BATTERY)


async def test_the_same_seed_and_the_same_client_give_the_same_run(alice, amesh, bob, radio):
    async def session(client):
        sent = answer(await client.commands.send_msg(bob, "again"), EventType.MSG_SENT)
        await client.wait_for_event(EventType.ACK, {"code": sent["expected_ack"].hex()}, timeout=30)
        await amesh["bob"].sends("and again", to="alice")
        await client.wait_for_event(EventType.MESSAGES_WAITING, timeout=30)
        await fetched(client)
        await client.disconnect()
        return (await amesh.state()).digest

    await alice.disconnect()
    digests = set()
    for _ in range(3):
        await amesh.restore("prepared-1")
        digests.add(await session(await connected(radio)))
    assert len(digests) == 1
