"""Repeaters, rooms and sensors, as the client meets them."""

import pytest
from meshcore import EventType

from clients import acquainted, answer, fetched, logs_in, meets, settles
from meshbed import has, is_in

pytestmark = pytest.mark.mesh(world="hills.json", prepare=acquainted)


async def test_the_console_of_a_repeater_answers(amesh):
    assert await amesh["rep1"].console("get name") == "> rep1"


async def test_the_client_logs_in_at_a_repeater_and_asks_how_it_is(alice, amesh):
    rep1 = await meets(alice, amesh, "rep1")

    await logs_in(alice, amesh, rep1, "password")
    status = await alice.commands.req_status_sync(rep1)

    assert status["nb_sent"] > 0 and status["nb_recv"] > 0


async def test_a_wrong_password_is_not_answered(alice, amesh):
    rep1 = await meets(alice, amesh, "rep1")

    answer(await alice.commands.send_login(rep1, "guess"), EventType.MSG_SENT)

    assert await alice.wait_for_event(EventType.LOGIN_SUCCESS, timeout=60) is None


async def test_telemetry_of_a_sensor(alice, amesh):
    sens1 = await meets(alice, amesh, "sens1")

    await logs_in(alice, amesh, sens1, "password")
    values = await alice.commands.req_telemetry_sync(sens1)

    assert any(value["type"] == "voltage" for value in values)


async def enters_room(alice, amesh):
    room1 = await meets(alice, amesh, "room1")
    await logs_in(alice, amesh, room1, "hello")
    await amesh["bob"].enters("room1", password="hello")
    await amesh.run_until(is_in("bob", "room1"), within=60)
    await settles(amesh)
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
    # The post is there; what alice's radio says to it is not heard for a while.
    await amesh.loses(sender="alice", lasts="20s")
    await amesh.advance(120)

    posts = await fetched(alice)

    assert len(posts) > 1 and {post["text"] for post in posts} == {"news"}
    # By its timestamp an app knows that it has the post already.
    assert len({post["sender_timestamp"] for post in posts}) == 1


async def test_a_post_of_the_client_reaches_the_others(alice, amesh):
    room1 = await enters_room(alice, amesh)

    sent = await alice.commands.send_msg_with_retry(room1, "from alice")

    assert sent is not None
    await amesh.run_until(has("bob", "from alice"), within=120)
    post, = await amesh["bob"].inbox()
    assert (post.kind, post.room, post.author) == ("post", "room1", "alice")
