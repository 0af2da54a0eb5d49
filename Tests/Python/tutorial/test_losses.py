"""Losses: what does not arrive, what is tried again, and by which way."""

import pytest
from meshcore import EventType

from clients import acquainted, answer, connected
from meshbed import acknowledged, delivered, has, has_met, knows_way

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)

FLOOD, DIRECT = 1, 0


def texts(inbox):
    return [received.text for received in inbox]


async def talks(alice, bob, text="hello"):
    """A text that arrives; how it was sent."""
    sent = answer(await alice.commands.send_msg(bob, text), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.ACK, {"code": sent["expected_ack"].hex()}, timeout=60)
    return sent["type"]


async def test_the_first_text_floods_and_the_second_takes_the_way_that_was_learned(alice, amesh, bob):
    first = await talks(alice, bob)
    await amesh.run_until(knows_way("alice", "bob", hops=1), within=30)
    await amesh.advance(5)
    second = await talks(alice, bob)

    assert (first, second) == (FLOOD, DIRECT)


async def test_a_lost_text_is_tried_again(alice, amesh, bob):
    await amesh.loses(sender="alice", lasts="3s")

    sent = await alice.commands.send_msg_with_retry(bob, "hello")

    assert sent is not None
    assert texts(await amesh["bob"].inbox()) == ["hello"]
    assert (await amesh["alice"].state()).frames_sent >= 2


async def test_a_lost_acknowledgement_brings_the_text_twice(alice, amesh, bob):
    await amesh.loses(sender="bob", lasts="5s")

    sent = await alice.commands.send_msg_with_retry(bob, "hello")

    assert sent is not None
    # Each attempt is another packet, so bob's radio does not know that it has had it. His app should look at timestamps.
    assert texts(await amesh["bob"].inbox()) == ["hello", "hello"]


async def test_texts_of_the_client_have_numbers_and_their_lost_acknowledgements_are_named(alice, amesh, bob):
    await amesh.loses(sender="bob", lasts="5s")
    assert await alice.commands.send_msg_with_retry(bob, "hello") is not None

    first, second = [message for message in await amesh.messages() if message.to == "bob"]
    assert (first.sender, first.text) == ("alice", "hello")
    assert (first.standing, first.end, first.delivered_to) == ("delivered", "acknowledgementLost", ["bob"])
    assert (second.text, second.standing) == ("hello (attempt 2)", "acknowledged")
    assert second.delivered_to == ["bob"]
    lost = [drop for drop in await amesh.drops() if drop.is_of_acknowledgement]
    assert lost and {drop.frame.message for drop in lost} == {first.number}
    assert all(drop.words.startswith("bob's ") for drop in lost)


async def test_when_nothing_arrives_the_client_gives_up_in_time_of_the_world(alice, amesh, bob):
    await amesh.cut("alice", "rep1")
    before = (await amesh.state()).now

    sent = await alice.commands.send_msg_with_retry(bob, "hello", max_attempts=3, max_flood_attempts=3)

    assert sent is None
    assert texts(await amesh["bob"].inbox()) == []
    assert (await amesh.state()).now - before > 10


async def test_a_broken_way_is_given_up_for_a_flood(alice, amesh, bob):
    await talks(alice, bob)
    await amesh.run_until(knows_way("alice", "bob"), within=30)
    await amesh.advance(5)
    await alice.commands.get_contacts()
    await amesh["rep1"].has_no_power()
    await amesh.connect("alice", "rep2")
    await amesh.connect("rep2", "bob")

    sent = await alice.commands.send_msg_with_retry(bob, "another way", max_attempts=4)

    assert sent is not None and sent.payload["type"] == FLOOD
    assert "another way" in texts(await amesh["bob"].inbox())


async def test_after_a_reset_of_the_path_the_next_text_floods(alice, amesh, bob):
    await talks(alice, bob)
    await amesh.run_until(knows_way("alice", "bob"), within=30)
    await amesh.advance(5)

    answer(await alice.commands.reset_path(bob["public_key"]), EventType.OK)

    assert (await amesh["alice"].contacts())[0].hops is None
    assert await talks(alice, bob) == FLOOD


async def test_a_mesh_in_two_parts_heals(alice, amesh, bob):
    partition = await amesh.partition("alice", "rep1")
    message = await amesh["bob"].sends("too early", to="alice")
    assert not (await amesh.runs_until(delivered(message), within=60)).is_met

    await partition.ends()
    message = await amesh["bob"].sends("now", to="alice")
    await amesh.run_until(acknowledged(message), within=60)


async def test_half_of_all_frames_are_lost_and_the_client_gets_through(alice, amesh, bob):
    await amesh.connect("alice", "rep1", loss=0.5)

    sent = await alice.commands.send_msg_with_retry(bob, "stubborn", max_attempts=20, max_flood_attempts=20)

    assert sent is not None
    assert "stubborn" in texts(await amesh["bob"].inbox())


async def test_a_link_that_works_one_way_carries_texts_and_no_acknowledgements(alice, amesh, bob):
    await amesh.cut("rep1", "alice", one_way=True)

    sent = await alice.commands.send_msg_with_retry(bob, "into the dark", max_attempts=1)

    assert sent is None
    assert texts(await amesh["bob"].inbox()) == ["into the dark"]


async def test_a_new_neighbour_is_met_and_goes(alice, amesh, heard):
    carol = await amesh.add("carol", "companion", links=["alice"])
    await carol.adverts()
    await amesh.run_until(has_met("alice", "carol"), within=60)

    await carol.goes()
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    assert len(contacts) == 2


async def test_why_a_text_did_not_arrive(alice, amesh):
    await amesh.cut("rep1", "alice")
    message = await amesh["bob"].sends("lost", to="alice")
    await amesh.advance(60)

    fate = await message.fate()

    assert await message.delivered_to() == []
    assert fate


async def test_clocks_that_were_set_back_make_adverts_stale(alice, amesh, heard):
    before = (await amesh["alice"].contacts())[0].last_advert_unix_seconds
    await amesh["bob"].sets_clock(before - 86_400)

    await amesh["bob"].adverts()
    await amesh.advance(30)

    # A radio takes an older advert for a replay.
    assert (await amesh["alice"].contacts())[0].last_advert_unix_seconds == before
    await amesh["bob"].sets_clock(before + 86_400)
    await amesh["bob"].adverts()
    await amesh.advance(30)
    assert (await amesh["alice"].contacts())[0].last_advert_unix_seconds >= before + 86_400


async def test_a_radio_s_clock_goes_forward_only(alice, amesh):
    now = answer(await alice.commands.get_time(), EventType.CURRENT_TIME)["time"]

    assert (await alice.commands.set_time(now - 3600)).is_error()
    answer(await alice.commands.set_time(now + 3600), EventType.OK)
    assert answer(await alice.commands.get_time(), EventType.CURRENT_TIME)["time"] >= now + 3600
