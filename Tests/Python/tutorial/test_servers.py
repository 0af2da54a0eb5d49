"""Repeaters, rooms and sensors, as the client meets them."""

import pytest
from meshcore import EventType

from clients import acquainted, answer, fetched
from meshbed import has, has_met, is_in

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)


async def meets(alice, amesh, name):
    """The server adverts; it as a contact of the client."""
    await amesh[name].console("clock sync")
    await amesh[name].console("advert")
    await amesh.run_until(has_met("alice", name), within=60)
    await amesh.advance(5)
    contacts = answer(await alice.commands.get_contacts(), EventType.CONTACTS)
    return contacts[(await amesh[name].state()).public_key]


async def test_the_console_of_a_repeater_answers(amesh):
    assert await amesh["rep1"].console("get name") == "> rep1"


async def test_the_client_logs_in_at_a_repeater_and_asks_how_it_is(alice, amesh):
    rep1 = await meets(alice, amesh, "rep1")

    answer(await alice.commands.send_login(rep1, "password"), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=30)
    status = await alice.commands.req_status_sync(rep1)

    assert status["nb_sent"] > 0 and status["nb_recv"] > 0


async def test_a_wrong_password_is_not_answered(alice, amesh):
    rep1 = await meets(alice, amesh, "rep1")

    answer(await alice.commands.send_login(rep1, "guess"), EventType.MSG_SENT)

    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=60) is None


async def test_telemetry_of_a_sensor(alice, amesh):
    sens1 = await meets(alice, amesh, "sens1")

    answer(await alice.commands.send_login(sens1, "password"), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=30)
    values = await alice.commands.req_telemetry_sync(sens1)

    assert any(value["type"] == "voltage" for value in values)


async def enters_room(alice, amesh):
    room1 = await meets(alice, amesh, "room1")
    answer(await alice.commands.send_login(room1, "hello"), EventType.MSG_SENT)
    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=30)
    await amesh["bob"].enters("room1", password="hello")
    await amesh.run_until(is_in("bob", "room1"), within=60)
    await amesh.advance(10)
    return room1


async def test_posts_of_a_room_come_by_themselves(alice, amesh):
    room1 = await enters_room(alice, amesh)
    await amesh["bob"].posts("news", room="room1")
    assert await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=120)

    posts = await fetched(alice)

    assert [post["text"] for post in posts] == ["news"]
    assert posts[0]["pubkey_prefix"] == room1["public_key"][:12]
    assert posts[0]["signature"] == (await amesh["bob"].state()).public_key[:8]


async def test_a_post_whose_acknowledgement_is_lost_comes_again(alice, amesh):
    await enters_room(alice, amesh)
    await amesh["bob"].posts("news", room="room1")
    assert await alice.wait_for_event(EventType.MESSAGES_WAITING, timeout=120)
    # The text is there; what alice's radio says to it is not heard.
    await amesh.loses(sender="alice", lasts="20s")
    await amesh.advance(120)

    posts = await fetched(alice)

    assert [post["text"] for post in posts] == ["news", "news"]
    # By its timestamp an app knows that it has the post already.
    assert posts[0]["sender_timestamp"] == posts[1]["sender_timestamp"]


async def test_a_post_of_the_client_reaches_the_others(alice, amesh):
    room1 = await enters_room(alice, amesh)

    sent = await alice.commands.send_msg_with_retry(room1, "from alice")

    assert sent is not None
    await amesh.run_until(has("bob", "from alice"), within=120)
    post, = await amesh["bob"].inbox()
    assert (post.kind, post.room, post.author) == ("post", "room1", "alice")
