"""A client of the library whose link ends at a place of a sync: what it does then, and what it does not.

These are facts about the library as it is, kept so that a change of it shows. The article LeaveAndReturn lists them.
"""

import asyncio

from companion_cases import somebody
from lane import expect, now, same
from meshcore import EventType, MeshCore

CONTACTS = 12
# The library tries three times to connect again, a second apart.
TRIES = 3


async def client_of(emulator, alice, **options):
    """A client in place of the one before."""
    await alice.disconnect()
    client = await MeshCore.create_tcp("127.0.0.1", emulator.ports[alice.name], only_error=True, default_timeout=10, **options)
    alice.client, alice.events = client, []
    client.subscribe(None, alice._hear)
    expect(await client.commands.send_device_query(), EventType.DEVICE_INFO)
    return client


async def listed(alice):
    """The contacts of these cases in a listing; nodes that were heard meanwhile are others."""
    return sum(contact["adv_name"].startswith("left ") for contact in (await alice.contacts()).values())


def connection(client):
    return client.connection_manager.connection


def end_after(client, frames):
    """Ends the link when so many frames more have come; half of the next one comes where the number is not whole."""
    link = connection(client)
    read, left = link.handle_rx, [frames]

    def until(data):
        # One frame after the other: the radio's bytes may come in any pieces.
        buffer.extend(data)
        while len(buffer) >= 3 and len(buffer) >= 3 + int.from_bytes(buffer[1:3], "little"):
            size = 3 + int.from_bytes(buffer[1:3], "little")
            frame = bytes(buffer[:size])
            del buffer[:size]
            if left[0] < 1:
                link.handle_rx = read
                read(frame[:int(size * left[0])])
                return link.transport.abort()
            left[0] -= 1
            read(frame)

    buffer = bytearray()
    link.handle_rx = until


async def known(emulator, alice, **_):
    """a radio with contacts lists them whole"""
    for number in range(CONTACTS):
        expect(await alice.commands.add_contact(somebody(f"left {number}")), EventType.OK)

    same(await listed(alice), CONTACTS, "contacts")


async def end_in_contacts(emulator, alice, **_):
    """the end of the link in the middle of contacts is told at once, and the listing waits five seconds all the same"""
    client = await client_of(emulator, alice)
    end_after(client, 1 + CONTACTS // 2)
    begin = now()

    answer = await client.commands.get_contacts()

    assert answer.is_error(), answer
    assert 4.5 <= now() - begin <= 6, f"after {now() - begin} s"
    kinds = [event.type for event in alice.events]
    assert EventType.DISCONNECTED in kinds and not client.is_connected, kinds


async def ask_after_the_end(emulator, alice, **_):
    """a command after the end is no error: it waits for its whole limit"""
    client = await client_of(emulator, alice)
    end_after(client, 0)
    await client.commands.get_time()
    begin = now()

    answer = await client.commands.get_time()

    same(answer.payload, {"reason": "no_event_received"}, "answer")
    assert now() - begin >= 9.5, f"after {now() - begin} s"


async def come_back(emulator, alice, **_):
    """with auto_reconnect it is back after a second, introduces itself, and lists the contacts whole"""
    client = await client_of(emulator, alice, auto_reconnect=True)
    since = alice.mark()
    end_after(client, 1 + CONTACTS // 2)
    begin = now()
    await client.commands.get_contacts()

    event = await alice.wait(EventType.CONNECTED, since, within=15)

    assert event.payload.get("reconnected") and now() - begin < 7, (event.payload, now() - begin)
    same(await listed(alice), CONTACTS, "contacts")


async def stay_away(emulator, alice, **_):
    """it gives up after three tries in three seconds for good, and a connect by hand works"""
    client = await client_of(emulator, alice, auto_reconnect=True)
    since, tries = alice.mark(), []

    async def refuse():
        tries.append(now())
        raise ConnectionRefusedError("out of reach")

    manager = client.connection_manager
    link = manager.connection
    connect, link.connect = link.connect, refuse
    link.transport.abort()

    event = await alice.wait(EventType.DISCONNECTED, since, within=15)

    same((event.payload.get("max_attempts_exceeded"), len(tries)), (True, TRIES), "end")
    # The task that tries has ended, and no other one tries: nothing is left that could.
    await manager._reconnect_task
    same([task for task in asyncio.all_tasks() if "reconnect" in task.get_coro().__qualname__], [], "tasks that try")
    same(len(tries), TRIES, "tries when the task has ended")
    link.connect = connect
    await client.connect()
    same(await listed(alice), CONTACTS, "contacts")


async def half_a_frame(emulator, alice, **_):
    """half a frame before the end swallows the first answers of the next connection"""
    client = await client_of(emulator, alice, auto_reconnect=True)
    since = alice.mark()
    end_after(client, 2.5)
    await client.commands.get_contacts()

    await alice.wait(EventType.CONNECTED, since, within=60)
    unanswered = 0
    while (await client.commands.get_time()).is_error():
        unanswered += 1

    # The rest of a contact is longer than SELF_INFO: that and the beginning of what follows are taken for it.
    assert EventType.SELF_INFO not in [event.type for event in alice.events[since:]], "the introduction was understood"
    assert 1 <= unanswered <= 2, f"{unanswered} commands without an answer"


async def message_on_its_way(emulator, alice, bob):
    """a message whose answer was on its way is gone with the radio's copy; the others come once"""
    client = await client_of(emulator, alice, auto_reconnect=True)
    since = alice.mark()
    for number in range(3):
        await emulator.quiet()
        expect(await bob.commands.send_chan_msg(0, f"left {number}"), EventType.OK)
        await alice.wait(EventType.MESSAGES_WAITING, alice.mark())
    end_after(client, 1)
    await client.commands.get_msg()
    await client.commands.get_msg()
    await alice.wait(EventType.CONNECTED, since, within=60)

    texts = [event.payload["text"] for event in await alice.drain()]

    same(texts, ["bob: left 2"], "messages after the return")


ALL = [known, end_in_contacts, ask_after_the_end, come_back, stay_away, half_a_frame, message_on_its_way]
