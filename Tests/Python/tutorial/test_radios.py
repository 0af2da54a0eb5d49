"""Radios that restart, hang up, are full, or lose their power while the client is at work."""

import asyncio

import pytest
from meshcore import EventType

from clients import acquainted, answer, bob_writes, connected, fetched, refusal
from meshbed import has_met, is_up

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)

# Of the board that the world gives alice.
STORED, CONTACTS = 16, 100


def texts_of(count):
    return [f"text {number}" for number in range(count)]


async def test_texts_wait_for_a_client_and_come_in_order(amesh, radio, mesh_calendar):
    await bob_writes(amesh, *texts_of(5))
    assert (await amesh["alice"].state()).waiting == 5

    client = await connected(radio)
    texts = [message["text"] for message in await fetched(client)]

    assert texts == texts_of(5)
    await client.disconnect()


async def test_a_full_queue_keeps_what_came_first(amesh, radio, mesh_calendar):
    await bob_writes(amesh, *texts_of(STORED + 2))

    client = await connected(radio)
    texts = [message["text"] for message in await fetched(client)]

    assert texts == texts_of(STORED)
    await client.disconnect()


async def test_a_hang_up_in_the_middle_of_a_sync_loses_no_text(amesh, radio, mesh_calendar):
    await bob_writes(amesh, *texts_of(5))
    client = await connected(radio)
    texts = [answer(await client.commands.get_msg(), EventType.CONTACT_MSG_RECV)["text"] for _ in range(2)]

    await amesh["alice"].hangs_up()
    await client.disconnect()
    client = await connected(radio)
    texts += [message["text"] for message in await fetched(client)]

    assert texts == texts_of(5)
    await client.disconnect()


async def test_a_radio_that_restarts_in_the_middle_of_a_sync_forgets_the_rest(amesh, radio, mesh_calendar):
    await bob_writes(amesh, *texts_of(5))
    client = await connected(radio)
    answer(await client.commands.get_msg(), EventType.CONTACT_MSG_RECV)

    await amesh["alice"].restarts()
    await client.disconnect()
    await amesh.run_until(is_up("alice"), within=60)
    client = await connected(radio)

    # Contacts are in the flash, texts are not.
    assert await fetched(client) == []
    assert len(answer(await client.commands.get_contacts(), EventType.CONTACTS)) == 1
    await client.disconnect()


async def test_the_client_reconnects_by_itself(amesh, radio, mesh_calendar):
    client = await connected(radio, auto_reconnect=True)
    before = (await amesh.state()).now

    await amesh["alice"].hangs_up()
    event = await client.wait_for_event(EventType.CONNECTED, timeout=30)

    assert event is not None and event.payload["reconnected"]
    # It tries after a second: one of the world.
    assert (await amesh.state()).now - before == pytest.approx(1)
    answer(await client.commands.get_bat(), EventType.BATTERY)
    await client.disconnect()


async def test_a_client_learns_after_some_commands_that_its_radio_has_no_power(amesh, radio, mesh_calendar):
    client = await connected(radio)

    # Nobody is left who could end the connection.
    await amesh["alice"].has_no_power()
    tries = 0
    while client.is_connected:
        assert (await client.commands.get_bat()).is_error()
        tries += 1

    # It takes five commands more than frames have come; a push that waited for it counts as one of these.
    assert tries in (5, 6)
    await client.disconnect()


async def test_a_client_finds_its_radio_again_after_a_power_cut(amesh, radio, mesh_calendar):
    client = await connected(radio, auto_reconnect=True)
    await amesh["alice"].has_no_power()
    assert (await client.commands.get_bat()).is_error()

    await amesh["alice"].power(True)
    event = await client.wait_for_event(EventType.CONNECTED, timeout=30)

    # A board that has booted knows nothing of the connection, and resets it.
    assert event is not None and event.payload["reconnected"]
    answer(await client.commands.get_bat(), EventType.BATTERY)
    await client.disconnect()


async def test_a_client_that_said_nothing_finds_its_radio_again_too(amesh, radio, mesh_calendar):
    client = await connected(radio, auto_reconnect=True)
    await amesh["alice"].has_no_power()
    await asyncio.sleep(60)
    await amesh["alice"].power(True)
    await amesh.run_until(is_up("alice"), within=60)
    await asyncio.sleep(60)
    # Nobody has told it anything.
    assert client.is_connected

    # It learns with its next command.
    assert (await client.commands.get_bat()).is_error()

    answer(await client.commands.get_bat(), EventType.BATTERY)
    await client.disconnect()


async def test_a_client_does_not_reconnect_to_a_radio_without_power(amesh, radio, mesh_calendar):
    client = await connected(radio, auto_reconnect=True)
    events = []
    client.subscribe(None, events.append)
    await amesh["alice"].has_no_power()

    while client.is_connected:
        assert (await client.commands.get_bat()).is_error()
    # Three tries, a second apart.
    await asyncio.sleep(10)

    kinds = [event.type for event in events]
    assert EventType.CONNECTED not in kinds and EventType.DISCONNECTED in kinds
    with pytest.raises(OSError):
        await connected(radio)


async def test_a_day_of_polling_outlives_a_power_cut(amesh, radio, mesh_calendar):
    client = await connected(radio, auto_reconnect=True)
    answers = []
    for poll in range(288):
        if poll in (120, 122):
            await amesh["alice"].power(poll == 122)
        answers.append(not (await client.commands.get_bat()).is_error())
        await asyncio.sleep(300)

    # Two polls without power, and one while the board boots.
    assert [poll for poll, is_answered in enumerate(answers) if not is_answered] == [120, 121, 122]
    await client.disconnect()


async def test_a_radio_with_power_again_is_the_same_one(amesh, radio, mesh_calendar):
    key = (await amesh["alice"].state()).public_key
    await amesh["alice"].has_no_power()
    await amesh.advance(3600)
    await amesh["alice"].power(True)
    await amesh.run_until(is_up("alice"), within=60)

    client = await connected(radio)

    assert client.self_info["public_key"] == key
    await client.disconnect()


async def test_a_radio_with_an_empty_flash_is_another_one(amesh, radio, mesh_calendar):
    key = (await amesh["alice"].state()).public_key
    await amesh["alice"].restarts(erases_flash=True)
    await amesh.run_until(is_up("alice"), within=60)

    client = await connected(radio)

    assert client.self_info["public_key"] != key
    assert answer(await client.commands.get_contacts(), EventType.CONTACTS) == {}
    await client.disconnect()


async def test_the_newest_client_wins(amesh, radio, mesh_calendar):
    first = await connected(radio)
    gone = asyncio.create_task(first.wait_for_event(EventType.DISCONNECTED, timeout=30))
    await asyncio.sleep(0)

    second = await connected(radio)

    assert await gone is not None
    answer(await second.commands.get_bat(), EventType.BATTERY)
    await second.disconnect()


@pytest.mark.mesh(endpoints=["alice", "bob"], prepare=None)
async def test_two_clients_talk(amesh, radios, mesh_calendar):
    clients = {name: await connected(radios[name]) for name in ("alice", "bob")}
    for name, other in (("alice", "bob"), ("bob", "alice")):
        answer(await clients[name].commands.set_name(name), EventType.OK)
        answer(await clients[name].commands.set_time(mesh_calendar), EventType.OK)
        answer(await clients[name].commands.send_advert(flood=True), EventType.OK)
        await amesh.run_until(has_met(other, name), within=60)
        await amesh.advance(5)
    contacts = answer(await clients["alice"].commands.get_contacts(), EventType.CONTACTS)
    bob, = contacts.values()

    sent = answer(await clients["alice"].commands.send_msg(bob, "hello"), EventType.MSG_SENT)
    await clients["bob"].wait_for_event(EventType.MESSAGES_WAITING, timeout=30)

    assert [message["text"] for message in await fetched(clients["bob"])] == ["hello"]
    assert await clients["alice"].wait_for_event(EventType.ACK, {"code": sent["expected_ack"].hex()}, timeout=30)
    for client in clients.values():
        await client.disconnect()


def card(number):
    """A contact that nobody has ever heard from."""
    return {"public_key": f"{number:064x}", "type": 1, "flags": 0, "out_path_len": -1, "out_path": "",
            "out_path_hash_mode": -1, "adv_name": f"stranger {number}", "last_advert": 0, "adv_lat": 0, "adv_lon": 0}


async def test_a_full_contact_table_refuses_another_contact(alice, amesh, bob):
    for number in range(1, CONTACTS):
        answer(await alice.commands.add_contact(card(number)), EventType.OK)

    assert refusal(await alice.commands.add_contact(card(CONTACTS))) == 3
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    assert len(contacts) == CONTACTS and bob["public_key"] in contacts


async def test_adverts_to_a_full_contact_table_are_told(alice, amesh, heard):
    for number in range(1, CONTACTS):
        answer(await alice.commands.add_contact(card(number)), EventType.OK)
    carol = await amesh.add("carol", "companion", links=["alice"])

    await carol.adverts()
    await amesh.advance(30)

    kinds = [event.type for event in heard]
    assert EventType.CONTACTS_FULL in kinds
    assert carol.name not in [contact.node for contact in await amesh["alice"].contacts()]
