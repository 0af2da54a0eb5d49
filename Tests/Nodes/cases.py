"""The exchanges of a node of another implementation with ours: adverts, messages, acknowledgements, paths, a room.

The town: alice, who is openhop-core; repeaters rep1, rep2 and rep3 from her to bob; room1 at rep2. Floods may meet on the
way and be lost, as with real nodes, so that what is flooded is sent again.
"""

from meshcore import EventType

import town_cases
from lane import expect, same

TRIES = 8
PASSWORD = "hello"


async def prepare(radios):
    """Bob with a name and the right time, the node with its modem."""
    await town_cases.prepare(radios)
    await radios["alice"].connect()


async def own_key(radio):
    return bytes.fromhex((await radio.info())["public_key"])


async def known_key(node, name, advert):
    """The key of the node of this name, once it is known; `advert` makes it known."""
    for _ in range(TRIES):
        for contact in node.companion.get_contacts():
            if contact.name == name:
                return bytes(contact.public_key)
        since = node.mark()
        await advert()
        await node.wait("node_discovered", since, within=node.emulator.real(20))
    raise AssertionError(f"{node.name} does not hear {name}")


async def hears(bob, alice, within):
    """Tells whether bob knows alice in this time, by the clock."""
    while await bob.news(within):
        if alice.key.hex() in await bob.contacts():
            return True
    return False


async def adverts(emulator, alice, bob, room1):
    """adverts pass three repeaters, both ways, and are believed"""
    for _ in range(TRIES):
        assert await alice.companion.advertise(flood=True), "the modem has not sent the advert"
        if alice.key.hex() in await bob.contacts() or await hears(bob, alice, emulator.real(20)):
            break
    listed = await bob.contacts()
    assert alice.key.hex() in listed, "bob does not know alice"
    same((listed[alice.key.hex()]["adv_name"], listed[alice.key.hex()]["type"]), ("alice", 1), "name and type")

    async def advert():
        expect(await bob.commands.send_advert(flood=True), EventType.OK)

    same(await known_key(alice, "bob", advert), await own_key(bob), "bob's key")


async def say(alice, bob, text, is_flood):
    """One message of the other implementation's to ours, until it is acknowledged."""
    key = await own_key(bob)
    for attempt in range(TRIES):
        there = bob.mark()
        sent = await alice.companion.send_text_message(key, text, attempt=attempt % 4)
        if sent.success:
            same(sent.is_flood, is_flood, "whether it was flooded")
            message = expect(await bob.message(there), EventType.CONTACT_MSG_RECV)
            same((message["text"], message["pubkey_prefix"]), (text, alice.key.hex()[:12]), "the message")
            await bob.drain()
            return
    raise AssertionError(f"no acknowledgement of {text!r}")


async def flooded_message(emulator, alice, bob, room1):
    """a message to bob is flooded over three repeaters, acknowledged, and its path comes back"""
    since = alice.mark()
    await say(alice, bob, "over the hills", is_flood=True)

    key = await own_key(bob)
    assert await alice.wait("contact_path_updated", since, lambda contact: bytes(contact.public_key) == key)
    same(alice.contact(key).out_path_len, 3, "hops to bob")


async def direct_message(emulator, alice, bob, room1):
    """the next message takes the path, and is acknowledged on it"""
    await say(alice, bob, "by the path", is_flood=False)


async def answer(emulator, alice, bob, room1):
    """bob's message is acknowledged by the other implementation"""
    for number in range(TRIES):
        here, there = bob.mark(), alice.mark()
        contact = (await bob.contacts())[alice.key.hex()]
        sent = expect(await bob.commands.send_msg(contact, f"and back {number}"), EventType.MSG_SENT)
        if await alice.wait("message_event", there, lambda told: told.text == f"and back {number}",
                            emulator.real(30)) is None:
            continue
        try:
            await bob.wait(EventType.ACK, here, emulator.real(30), code=sent["expected_ack"].hex())
            return
        except AssertionError:
            continue
    raise AssertionError("bob's messages are not acknowledged")


async def room(emulator, alice, bob, room1):
    """a login at the room through two repeaters, a post, which bob gets, and a post of bob's, which alice gets"""
    async def advert():
        same(await room1.run("advert"), "OK - Advert sent", "console of room1")

    key = await known_key(alice, "Town Square", advert)
    await town_cases.flood_advert(room1, [bob])
    assert await town_cases.log_in(bob, "room1", PASSWORD) is not None, "bob is not let in"
    for _ in range(TRIES):
        entered = await alice.companion.send_login(key, PASSWORD)
        if entered["success"]:
            break
    assert entered["success"], f"alice is not let in: {entered}"

    for attempt in range(TRIES):
        if (await alice.companion.send_text_message(key, "a post", attempt=attempt % 4)).success:
            break
    message = await town_cases.fetch(bob, lambda one: one["text"] == "a post", within=120)
    assert message is not None, "bob does not get alice's post"
    same(message["signature"], alice.key.hex()[:8], "who wrote it")

    since = alice.mark()
    contact = await town_cases.find(bob, "room1")
    for _ in range(TRIES):
        # By the radio's clock, which runs faster than this machine's: the room takes what is older than the login for a
        # replay, and says nothing.
        stamp = await town_cases.stamp(bob)
        expect(await bob.commands.send_msg(contact, "a reply", timestamp=stamp), EventType.MSG_SENT)
        if await alice.wait("message_event", since, lambda told: told.text == "a reply", emulator.real(90)) is not None:
            return
    raise AssertionError("alice does not get bob's post")


async def modem(emulator, alice, bob, room1):
    """the modem is what its host takes it for"""
    radio = alice.modem
    same(radio.modem_version, 1, "version")
    same(radio.get_device_name(), "Heltec V3", "device")
    same(radio.get_radio_config()["frequency"], 869_618_000, "frequency")
    same(radio.get_battery(), 4200, "battery")
    key = radio.get_identity()
    signature = radio.sign_data(b"text")
    same(radio.verify_signature(key, signature, b"text"), True, "its own signature")
    same(radio.verify_signature(key, signature, b"other"), False, "of another text")
    mac, ciphertext = radio.encrypt_data(bytes(32), b"text")
    same(radio.decrypt_data(bytes(32), mac, ciphertext)[:4], b"text", "what it sealed")
    assert radio.get_modem_stats()["tx"] > 0, radio.get_modem_stats()


ALL = [adverts, flooded_message, direct_message, answer, room, modem]
