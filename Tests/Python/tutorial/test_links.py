"""The link between radio and client: frames that are lost, doubled, garbled, late, or never meant."""

import pytest
from meshcore import EventType

from clients import acquainted, answer, bob_writes, fetched
from meshbed import TO_APP, TO_RADIO

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)

NIGHTMARES = ["unknown-push", "empty", "cut-push", "stray-ok", "stray-error", "messages-waiting", "too-long", "noise"]


async def is_well(client):
    return not (await client.commands.get_bat()).is_error()


async def test_a_lost_answer_ends_in_a_timeout_of_the_world(alice, amesh):
    before = (await amesh.state()).now
    await amesh["alice"].link_faults(TO_APP, drop=1, frames=1)

    event = await alice.commands.get_bat()

    assert event.is_error()
    assert (await amesh.state()).now - before == pytest.approx(alice.default_timeout, abs=0.01)
    assert await is_well(alice)


async def test_a_lost_command_ends_in_a_timeout_as_well(alice, amesh):
    await amesh["alice"].link_faults(TO_RADIO, drop=1, frames=1)

    assert not await is_well(alice)
    assert await is_well(alice)


async def test_a_frame_in_two_pieces_is_one_frame(alice, amesh):
    await amesh["alice"].link_faults(TO_APP, cut_in_two=1)

    assert len(answer(await alice.commands.get_contacts(), EventType.CONTACTS)) == 1


async def test_a_late_answer_is_still_an_answer(alice, amesh):
    before = (await amesh.state()).now
    await amesh["alice"].link_faults(TO_APP, stall_seconds=3, frames=1)

    assert await is_well(alice)
    assert (await amesh.state()).now - before == pytest.approx(3, abs=0.5)


async def test_an_answer_that_comes_twice_does_no_harm(alice, amesh):
    await amesh["alice"].link_faults(TO_APP, double=1)

    assert await is_well(alice)
    assert answer(await alice.commands.get_time(), EventType.CURRENT_TIME)["time"] > 0


async def test_a_text_that_comes_twice_is_seen_twice(alice, amesh, heard):
    await bob_writes(amesh, "once")
    await amesh["alice"].link_faults(TO_APP, double=1, frames=1)
    await fetched(alice)
    await amesh.advance(1)

    texts = [event.payload["text"] for event in heard if event.type == EventType.CONTACT_MSG_RECV]
    # The library leaves it to the app to look at sender and timestamp.
    assert texts == ["once", "once"]


async def test_a_garbled_frame_does_not_end_the_session(alice, amesh):
    await amesh["alice"].link_faults(TO_APP, garble=1, frames=1)
    await alice.commands.get_bat()

    assert await is_well(alice)


async def test_a_text_on_a_link_that_loses_answers_is_gone(alice, amesh):
    await bob_writes(amesh, "unlucky")
    await amesh["alice"].link_faults(TO_APP, drop=1, frames=1)

    assert (await alice.commands.get_msg()).is_error()
    # The firmware forgets a text when it was asked for, not when it was taken (quirk message-leaves-before-delivery).
    assert await fetched(alice) == []


async def test_the_connection_ends_behind_a_few_frames(alice, amesh):
    await amesh["alice"].link_faults(TO_APP, cut_after=2)

    assert await is_well(alice) and await is_well(alice)
    await alice.commands.get_bat()

    assert not alice.is_connected


@pytest.mark.parametrize("nightmare", NIGHTMARES)
async def test_the_client_survives(alice, amesh, nightmare):
    await amesh["alice"].pushes(nightmare=nightmare)
    await amesh.advance(1)

    assert await is_well(alice)


async def test_a_push_of_a_later_firmware_is_passed_over(alice, amesh, heard):
    await amesh["alice"].pushes(b"\xbf" + bytes(20))
    await amesh.advance(1)

    assert await is_well(alice)


async def test_the_client_is_told_of_texts_that_are_not_there(alice, amesh):
    await alice.start_auto_message_fetching()
    await amesh["alice"].pushes(b"\x83")
    await amesh.advance(1)

    assert await is_well(alice)
    await alice.stop_auto_message_fetching()
