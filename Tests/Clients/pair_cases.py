"""Alice and bob, out of earshot of each other, with the repeater rep1 between them."""

import time

from meshcore import EventType

from lane import MESH_LIMIT, expect, same

FLOOD, DIRECT = 1, 0
OVER_NO_PATH = 255


async def prepare(radios):
    """Both with a name and the right time; then they are connected."""
    for name, radio in radios.items():
        await radio.connect()
        expect(await radio.commands.set_name(name), EventType.OK)
        now = expect(await radio.commands.get_time(), EventType.CURRENT_TIME)["time"]
        if now < time.time():
            expect(await radio.commands.set_time(int(time.time())), EventType.OK)


async def key(radio):
    return (await radio.info())["public_key"]


async def contact(radio, other):
    """The contact that `radio` has of `other`."""
    listed = await radio.contacts()
    assert await key(other) in listed, f"{radio.name} does not know {other.name}"
    return listed[await key(other)]


async def talk(sender, receiver, text, route):
    """One direct message with its acknowledgement: the SENT and the message as they came."""
    target = await contact(sender, receiver)
    await sender.emulator.quiet()
    here, there = sender.mark(), receiver.mark()

    sent = expect(await sender.commands.send_msg(target, text), EventType.MSG_SENT)
    message = expect(await receiver.message(there), EventType.CONTACT_MSG_RECV)
    ack = await sender.wait(EventType.ACK, here, code=sent["expected_ack"].hex())

    same(sent["type"], route, "route in SENT (1 flood, 0 direct)")
    same(message["text"], text, "text")
    same(message["pubkey_prefix"], (await key(sender))[:12], "sender")
    assert 0 < ack.payload["trip_time"] < MESH_LIMIT * 1000, ack.payload
    assert ack.payload["trip_time"] <= sent["suggested_timeout"], f"{ack.payload} after {sent}"
    return message


async def zero_hop_advert(emulator, alice, bob):
    """a zero-hop advert of alice does not reach bob"""
    expect(await alice.commands.send_advert(), EventType.OK)
    await emulator.pass_time(6)

    # Adverts of rep1 may: it sends one of its own soon after its start.
    assert await key(alice) not in await bob.contacts(), "bob knows alice"


async def flood_adverts(emulator, alice, bob):
    """flooded adverts make alice and bob contacts of each other, one hop apart"""
    for sender, receiver in ((alice, bob), (bob, alice)):
        since = receiver.mark()
        expect(await sender.commands.send_advert(flood=True), EventType.OK)
        await receiver.wait(EventType.ADVERTISEMENT, since, public_key=await key(sender))

    for sender, receiver in ((alice, bob), (bob, alice)):
        known = await contact(receiver, sender)
        same((known["adv_name"], known["type"], known["out_path_len"]), (sender.name, 1, -1), "contact")
        path = expect(await receiver.commands.get_advert_path(known), EventType.ADVERT_PATH)
        same((path["path_len"], len(path["path"])), (1, 2), "path of the advert")


async def flood_message(emulator, alice, bob):
    """the first message floods through rep1, its acknowledgement brings the path back"""
    here, there = alice.mark(), bob.mark()

    message = await talk(alice, bob, "by flood", FLOOD)

    same(message["path_len"], 1, "hops of the message")
    await alice.wait(EventType.PATH_UPDATE, here, public_key=await key(bob))
    # Alice answers the path with hers, by the way that she just learned.
    await bob.wait(EventType.PATH_UPDATE, there, public_key=await key(alice))
    known = await contact(alice, bob)
    same((known["out_path_len"], len(known["out_path"])), (1, 2), "path to bob")


async def direct_message(emulator, alice, bob):
    """the second message takes the learned path, and so does its acknowledgement"""
    before = expect(await alice.commands.get_stats_packets(), EventType.STATS_PACKETS)

    message = await talk(alice, bob, "by the direct path", DIRECT)

    same(message["path_len"], OVER_NO_PATH, "path length of a message that came direct")
    after = expect(await alice.commands.get_stats_packets(), EventType.STATS_PACKETS)
    same(after["direct_tx"] - before["direct_tx"], 1, "direct packets sent")
    same(after["flood_tx"] - before["flood_tx"], 0, "flood packets sent")
    assert after["direct_rx"] > before["direct_rx"], "the acknowledgement did not come direct"


async def answer(emulator, alice, bob):
    """bob answers by the path that alice's confirmation gave him"""
    known = await contact(bob, alice)
    same(known["out_path_len"], 1, "hops of bob's path to alice")
    same(known["out_path"], (await contact(alice, bob))["out_path"], "the one repeater between them")

    await talk(bob, alice, "and back", DIRECT)


async def with_retry(emulator, alice, bob):
    """the library's own sending with retries gets its acknowledgement"""
    since = bob.mark()
    result = await alice.commands.send_msg_with_retry(await contact(alice, bob), "try until it arrives")

    assert result is not None, "no acknowledgement"
    same(expect(await bob.message(since), EventType.CONTACT_MSG_RECV)["text"], "try until it arrives", "text")


async def long_text(emulator, alice, bob):
    """160 bytes of text arrive complete, umlauts included"""
    text = ("äöü €" * 40).encode()[:159].decode(errors="ignore")
    text += "x" * (160 - len(text.encode()))

    await talk(alice, bob, text, DIRECT)


async def path_reset(emulator, alice, bob):
    """after a path reset the next message floods again"""
    expect(await alice.commands.reset_path(await key(bob)), EventType.OK)
    same((await contact(alice, bob))["out_path_len"], -1, "path after reset")

    await talk(alice, bob, "by flood again", FLOOD)

    same((await contact(alice, bob))["out_path_len"], 1, "path learned again")


async def channel_message(emulator, alice, bob):
    """a channel message reaches bob with alice's name"""
    since = bob.mark()
    expect(await alice.commands.send_chan_msg(0, "hello all"), EventType.OK)

    message = expect(await bob.message(since), EventType.CHANNEL_MSG_RECV)

    same((message["channel_idx"], message["text"], message["path_len"]), (0, "alice: hello all", 1), "message")


async def private_channel(emulator, alice, bob):
    """a channel that both set carries text and data; one that only alice has stays silent"""
    for radio in (alice, bob):
        expect(await radio.commands.set_channel(3, "both", b"sixteen bytes ok"), EventType.OK)
    expect(await alice.commands.set_channel(4, "mine", b"only alice knows"), EventType.OK)
    since = bob.mark()
    expect(await alice.commands.send_chan_msg(4, "to nobody"), EventType.OK)
    expect(await alice.commands.send_channel_data(3, 0xFFFF, bytes(range(40))), EventType.OK)

    data = expect(await bob.message(since), EventType.CHANNEL_DATA_RECV)

    same((data["channel_idx"], data["data_type"], data["payload"]), (3, 0xFFFF, bytes(range(40)).hex()), "data")
    since = bob.mark()
    expect(await alice.commands.send_chan_msg(3, "to bob"), EventType.OK)
    same(expect(await bob.message(since), EventType.CHANNEL_MSG_RECV)["text"], "alice: to bob", "text")
    same(await bob.drain(), [], "other messages")


async def stored_messages(emulator, alice, bob):
    """messages for a radio without client wait in order until one connects"""
    target = await contact(alice, bob)
    await bob.disconnect()
    for number in range(3):
        since = alice.mark()
        sent = expect(await alice.commands.send_msg(target, f"stored {number}"), EventType.MSG_SENT)
        await alice.wait(EventType.ACK, since, code=sent["expected_ack"].hex())
    await bob.connect()

    texts = [message.payload["text"] for message in await bob.drain()]

    same(texts, ["stored 0", "stored 1", "stored 2"], "texts")


async def telemetry(emulator, alice, bob):
    """bob's telemetry is asked for over the air, when bob allows it"""
    expect(await bob.commands.set_telemetry_mode_base(2), EventType.OK)

    values = await alice.commands.req_telemetry_sync(await contact(alice, bob), min_timeout=MESH_LIMIT)

    assert values and values[0]["type"] == "voltage" and 2.5 <= values[0]["value"] <= 5.0, values


async def path_discovery(emulator, alice, bob):
    """path discovery finds the way there and back over rep1"""
    rep1 = (await contact(alice, bob))["out_path"]

    event = await alice.commands.send_path_discovery_sync(await contact(alice, bob), min_timeout=MESH_LIMIT)

    assert event is not None, "no answer"
    same((event.payload["out_path"], event.payload["in_path"]), (rep1, rep1), "ways")


async def trace(emulator, alice, bob):
    """a trace over rep1 comes back with the quality of both hops"""
    rep1 = (await contact(alice, bob))["out_path"]
    since = alice.mark()
    expect(await alice.commands.send_trace(tag=4711, path=rep1), EventType.MSG_SENT)

    traced = (await alice.wait(EventType.TRACE_DATA, since, tag=4711)).payload

    same(len(traced["path"]), 2, "hops")
    same(traced["path"][0]["hash"], rep1, "first hop")


async def export_and_import(emulator, alice, bob):
    """alice's stored card of bob is exported, bob removed, and the card imported again"""
    bobs = await key(bob)
    uri = expect(await alice.commands.export_contact(bobs), EventType.CONTACT_URI)["uri"]
    expect(await alice.commands.remove_contact(bobs), EventType.OK)
    assert bobs not in await alice.contacts()
    since = alice.mark()

    expect(await alice.commands.import_contact(bytes.fromhex(uri.removeprefix("meshcore://"))), EventType.OK)

    await alice.wait(EventType.ADVERTISEMENT, since, within=10, public_key=bobs)
    same((await contact(alice, bob))["adv_name"], "bob", "name")


async def reboot(emulator, alice, bob):
    """after a reboot alice still reaches bob"""
    await alice.commands.reboot()
    await emulator.pass_time(5)
    await alice.reconnect()

    await talk(alice, bob, "still here", FLOOD)


ALL = [
    zero_hop_advert, flood_adverts, flood_message, direct_message, answer, with_retry, long_text, path_reset,
    channel_message, private_channel, stored_messages, telemetry, path_discovery, trace, export_and_import, reboot,
]
