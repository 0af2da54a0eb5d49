"""Short stories of apps with a radio: each is recorded once, and replayed with the recording.

A story talks to alice's radio alone, and says what it expects to see. It must send the same commands each time: nothing
is tried again on a whim, and nothing depends on the hour. What others do they do by themselves: bob's radio acknowledges,
repeaters repeat, the room keeps posts. The doc comment's first line is the story's title in the list.
"""

import asyncio
import time

from meshcore import EventType

from companion_cases import PUBLIC_SECRET, somebody
from lane import Radio, expect, expect_error, same

ADMIN_PASSWORD, ROOM_PASSWORD = "password", "hello"
COMPANION, REPEATER, ROOM, SENSOR = 1, 2, 3, 4
NOT_FOUND, TABLE_FULL, ILLEGAL_ARG = 2, 3, 6
# The firmware's clock begins in May 2024; a recording is told again years later.
NOON = 1_800_000_000
MESSAGES = 1000


class PatientRadio(Radio):
    """A client that tries by the clock until its radio is back, as apps do."""

    async def reconnect(self, within=30):
        deadline = time.monotonic() + within
        await self.disconnect()
        while True:
            try:
                return await self.connect()
            except (OSError, AssertionError, ConnectionError, asyncio.TimeoutError):
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.1)


async def know(app, name, kind, path=None):
    """Adds a node of the world as a contact; `path` names the repeaters on the way."""
    way = "".join(app.keys[step][:2] for step in path or [])
    contact = somebody(
        name, public_key=app.keys[name], type=kind, out_path=way, out_path_len=-1 if path is None else len(path),
        out_path_hash_mode=-1 if path is None else 0)
    expect(await app.radio.commands.add_contact(contact), EventType.OK)
    return contact


async def introduce(app):
    """Alice's name and advert, so that bob's radio knows her; her clock for what she sends."""
    expect(await app.radio.commands.set_time(NOON), EventType.OK)
    expect(await app.radio.commands.set_name("alice"), EventType.OK)
    expect(await app.radio.commands.send_advert(flood=True), EventType.OK)
    await asyncio.sleep(3)


async def tell(app, contact, text, within=20):
    """A direct message and its acknowledgement: whether it was sent as a flood, and the time of the trip."""
    since = app.radio.mark()
    sent = expect(await app.radio.commands.send_msg(contact, text, timestamp=app.now()), EventType.MSG_SENT)
    ack = await app.radio.wait(EventType.ACK, since, within=within, code=sent["expected_ack"].hex())
    assert ack.payload["trip_time"] > 0, ack.payload
    return sent["type"] == 1


async def connect_and_sync(app):
    """an app connects and reads all that a new radio holds"""
    radio = await app.connect()
    info = await radio.info()
    same((len(info["public_key"]), info["radio_freq"]), (64, 869.618), "self info")
    same(await radio.contacts(), {}, "contacts")
    for number in range(4):
        expect(await radio.commands.get_channel(number), EventType.CHANNEL_INFO)
    same(await radio.drain(), [], "messages")
    expect(await radio.commands.get_bat(), EventType.BATTERY)
    expect(await radio.commands.get_time(), EventType.CURRENT_TIME)
    for ask in (radio.commands.get_stats_core, radio.commands.get_stats_radio, radio.commands.get_stats_packets):
        assert not (await ask()).is_error()
    expect(await radio.commands.get_self_telemetry(), EventType.TELEMETRY_RESPONSE)
    expect(await radio.commands.get_custom_vars(), EventType.CUSTOM_VARS)


async def time_and_settings(app):
    """the clock and every setting are read, changed, refused and read again"""
    radio = await app.connect()
    expect(await radio.commands.set_time(NOON), EventType.OK)
    expect_error(await radio.commands.set_time(NOON - 3600), ILLEGAL_ARG)
    expect(await radio.commands.get_time(), EventType.CURRENT_TIME)
    expect(await radio.commands.set_name("alice"), EventType.OK)
    expect(await radio.commands.set_coords(50.9413, 6.9583), EventType.OK)
    expect_error(await radio.commands.set_coords(91.0, 0.0), ILLEGAL_ARG)
    expect(await radio.commands.set_tx_power(10), EventType.OK)
    expect(await radio.commands.set_radio(867.5, 125, 9, 6), EventType.OK)
    expect_error(await radio.commands.set_radio(867.5, 125, 13, 6), ILLEGAL_ARG)
    expect(await radio.commands.set_tuning(500, 2000), EventType.OK)
    expect(await radio.commands.get_tuning(), EventType.TUNING_PARAMS)
    expect(await radio.commands.set_telemetry_mode_base(2), EventType.OK)
    expect(await radio.commands.set_manual_add_contacts(True), EventType.OK)
    expect(await radio.commands.set_path_hash_mode(1), EventType.OK)
    expect(await radio.commands.set_autoadd_config(0x1E), EventType.OK)
    expect(await radio.commands.get_autoadd_config(), EventType.AUTOADD_CONFIG)
    expect(await radio.commands.set_default_flood_scope("#lane"), EventType.OK)
    expect(await radio.commands.get_default_flood_scope(), EventType.DEFAULT_FLOOD_SCOPE)
    info = await radio.info()
    same((info["name"], info["tx_power"], info["radio_freq"], info["radio_sf"], info["telemetry_mode_base"]),
         ("alice", 10, 867.5, 9, 2), "settings")


async def contacts(app):
    """contacts are added, listed, changed and removed"""
    radio = await app.connect()
    carol, dave = somebody("carol"), somebody("dave", type=REPEATER)
    for contact in (carol, dave):
        expect(await radio.commands.add_contact(contact), EventType.OK)
    listed = await radio.contacts()
    same(set(listed), {carol["public_key"], dave["public_key"]}, "contacts")
    expect(await radio.commands.change_contact_path(listed[carol["public_key"]], "a1b2c3"), EventType.OK)
    changed = expect(await radio.commands.get_contact_by_key(bytes.fromhex(carol["public_key"])), EventType.NEXT_CONTACT)
    same(changed["out_path"], "a1b2c3", "path")
    expect(await radio.commands.reset_path(carol["public_key"]), EventType.OK)
    expect(await radio.commands.remove_contact(dave["public_key"]), EventType.OK)
    expect_error(await radio.commands.remove_contact(dave["public_key"]), NOT_FOUND)
    same(set(await radio.contacts()), {carol["public_key"]}, "contacts")


async def full_contact_table(app):
    """contacts are added until the radio has no room, and all of them are listed"""
    radio = await app.connect()
    count = 0
    while not (answer := await radio.commands.add_contact(somebody(f"number {count}"))).is_error():
        count += 1
        assert count < 1000, "a table without an end"
    expect_error(answer, TABLE_FULL)
    same(len(await radio.contacts()), count, "contacts")


async def channel_texts(app):
    """channels are set and read, and texts are sent to them"""
    radio = await app.connect()
    expect(await radio.commands.set_time(NOON), EventType.OK)
    expect(await radio.commands.set_name("alice"), EventType.OK)
    public = expect(await radio.commands.get_channel(0), EventType.CHANNEL_INFO)
    same(public["channel_secret"], PUBLIC_SECRET, "secret of the public channel")
    expect(await radio.commands.set_channel(1, "#market"), EventType.OK)
    expect(await radio.commands.get_channel(1), EventType.CHANNEL_INFO)
    for channel, text in ((0, "hello all"), (1, "apples on saturday"), (1, "and pears")):
        expect(await radio.commands.send_chan_msg(channel, text, app.now()), EventType.OK)
        await asyncio.sleep(2)
    expect_error(await radio.commands.send_chan_msg(99, "to nobody", app.now()), NOT_FOUND)


async def first_adverts(app):
    """Waits until every node that was switched on has told of itself: what is sent meanwhile can meet an advert."""
    await asyncio.sleep(18 / app.speed)


async def direct_text_with_ack(app):
    """a text floods to bob, who acknowledges; the next one goes by the path that came back"""
    radio = await app.connect()
    await first_adverts(app)
    await introduce(app)
    bob = await know(app, "bob", COMPANION)
    since = radio.mark()
    assert await tell(app, bob, "are you there?"), "the first text is no flood"
    await radio.wait(EventType.PATH_UPDATE, since, within=20, public_key=app.keys["bob"])
    await asyncio.sleep(2)
    assert not await tell(app, bob, "by the way"), "the second text is a flood"


async def flood_fallback(app):
    """a text by a path that is wrong gets no answer; once the path is forgotten it floods and arrives"""
    radio = await app.connect()
    await introduce(app)
    bob = await know(app, "bob", COMPANION, path=["bob"])
    sent = expect(await radio.commands.send_msg(bob, "into nowhere", timestamp=app.now()), EventType.MSG_SENT)
    same(sent["type"], 0, "route")
    await asyncio.sleep(3)
    expect(await radio.commands.reset_path(app.keys["bob"]), EventType.OK)
    assert await tell(app, bob, "into nowhere"), "no flood"


async def thousand_messages(app):
    """a thousand texts to a channel"""
    radio = await app.connect()
    expect(await radio.commands.set_time(NOON), EventType.OK)
    for number in range(MESSAGES):
        expect(await radio.commands.send_chan_msg(0, f"text number {number}", app.now()), EventType.OK)
        await asyncio.sleep(app.pause)


async def login_to_a_repeater(app):
    """a wrong password is met with silence, the right one makes an administrator, who asks and commands"""
    radio = await app.connect()
    await first_adverts(app)
    expect(await radio.commands.set_time(NOON), EventType.OK)
    rep1 = await know(app, "rep1", REPEATER, path=[])
    expect(await radio.commands.send_login(rep1, "sesame"), EventType.MSG_SENT)
    await asyncio.sleep(4)
    login = await log_in(app, rep1, ADMIN_PASSWORD)
    same((login["is_admin"], login["acl_permissions"]), (True, 3), "login")
    status = await radio.commands.req_status_sync(rep1, min_timeout=10)
    assert status is not None and status["bat"] > 3000, status
    for line, wanted in (("ver", "v1.17.1"), ("get name", "> "), ("set flood.max 12", "OK"), ("get role", "> repeater")):
        answer = await command(app, rep1, line)
        assert answer.startswith(wanted), (line, answer)
    expect(await radio.commands.send_logout(rep1), EventType.OK)


async def log_in(app, contact, password):
    since = app.radio.mark()
    expect(await app.radio.commands.send_login(contact, password), EventType.MSG_SENT)
    return (await app.radio.wait(EventType.LOGIN_SUCCESS, since, within=15)).payload


async def command(app, contact, line):
    since = app.radio.mark()
    expect(await app.radio.commands.send_cmd(contact, line, timestamp=app.now()), EventType.MSG_SENT)
    await app.radio.wait(EventType.MESSAGES_WAITING, since, within=15)
    message = expect(await app.radio.commands.get_msg(), EventType.CONTACT_MSG_RECV)
    expect(await app.radio.commands.get_msg(), EventType.NO_MORE_MSGS)
    # The firmware drops a command within the second of the one before.
    await asyncio.sleep(1.2)
    return message["text"]


async def room_posts(app):
    """a member logs in to a room and posts; the room acknowledges"""
    radio = await app.connect()
    await first_adverts(app)
    await introduce(app)
    room = await know(app, "room1", ROOM, path=["rep1"])
    login = await log_in(app, room, ROOM_PASSWORD)
    same((login["is_admin"], login["acl_permissions"]), (False, 2), "login")
    # The room's answer flooded, so her radio tells the way back in three seconds; a post that meets it at rep1 is lost.
    await asyncio.sleep(6)
    for text in ("Market on Saturday", "Bring a bag"):
        assert not await tell(app, room, text), "a flood"
        await asyncio.sleep(1.5)
    same(await radio.drain(), [], "her own posts")


async def telemetry_of_a_sensor(app):
    """an administrator logs in to a sensor and reads what it measures"""
    radio = await app.connect()
    await first_adverts(app)
    expect(await radio.commands.set_time(NOON), EventType.OK)
    station = await know(app, "sens1", SENSOR, path=["rep1"])
    login = await log_in(app, station, ADMIN_PASSWORD)
    same(login["acl_permissions"], 0xC3, "permissions")
    # The sensor does not know the way to alice yet and floods its answers. The firmware takes that for a lost path: three
    # seconds after each such answer her radio tells the way once more, as it does here after the login and the first
    # answer. Neither hears the other, so an answer that is on the air just then is lost at rep1: a second request at once
    # gets none, on boards as in the emulator. Once the way has been told, the answer comes by it.
    for pause in (6, 0):
        fields = await radio.commands.req_telemetry_sync(station, min_timeout=15)
        assert any(one["type"] == "voltage" for one in fields or []), fields
        await asyncio.sleep(pause)


async def reboot_in_the_middle(app):
    """a radio restarts while an app is connected; settings and contacts are back afterwards"""
    radio = await app.connect()
    expect(await radio.commands.set_name("alice"), EventType.OK)
    erin = somebody("erin")
    expect(await radio.commands.add_contact(erin), EventType.OK)
    before = await radio.info()
    await asyncio.sleep(6)
    since = radio.mark()
    await radio.commands.reboot()
    await radio.wait(EventType.DISCONNECTED, since, within=15)
    await radio.reconnect()
    same(await radio.info(), before, "self info")
    same(set(await radio.contacts()), {erin["public_key"]}, "contacts")


async def trace_path(app):
    """a trace over the repeater and back comes with the quality of each hop"""
    radio = await app.connect()
    since = radio.mark()
    rep1 = app.keys["rep1"][:2]
    expect(await radio.commands.send_trace(tag=4711, auth_code=0, path=rep1), EventType.MSG_SENT)
    traced = (await radio.wait(EventType.TRACE_DATA, since, within=15, tag=4711)).payload
    same([hop.get("hash") for hop in traced["path"]], [rep1, None], "hops")


async def sign_data(app):
    """a thousand bytes are signed by the radio's key"""
    radio = await app.connect()
    signature = expect(await radio.commands.sign(b"sign me " * 125), EventType.SIGNATURE)["signature"]
    same(len(signature), 64, "length of the signature")


async def cut_link(app):
    """a link is cut in the middle of a listing; the app comes back and reads it whole"""
    radio = await app.connect()
    crowd = [somebody(f"one of many {number}") for number in range(20)]
    for contact in crowd:
        expect(await radio.commands.add_contact(contact), EventType.OK)
    since = radio.mark()
    await radio.commands.get_contacts_async()
    await radio.wait(EventType.NEXT_CONTACT, since, within=5)
    await radio.disconnect()
    await radio.reconnect()
    same(len(await radio.contacts()), len(crowd), "contacts")


async def stack_connects_and_syncs(app):
    """the service stack connects, synchronises and ends"""
    await app.meshbed("sync")
    await app.meshbed("info")


async def stack_changes_settings(app):
    """the service stack changes settings and reads them back"""
    await app.meshbed("settings", "--name", "alice", "--tx-power", "11", "--position=50.9413,6.9583")
    await app.meshbed("settings")


async def stack_sends_to_channels(app):
    """the service stack joins a channel and sends to it"""
    await app.meshbed("channel", "send", "Public", "hello all")
    await app.meshbed("channel", "join", "#market")
    await app.meshbed("channel", "send", "#market", "apples on saturday")


# Name, story, world, and how fast its clock runs.
ALL = [
    ("connect-and-sync", connect_and_sync, "solo", 1),
    ("time-and-settings", time_and_settings, "solo", 1),
    ("contacts", contacts, "solo", 1),
    ("full-contact-table", full_contact_table, "solo", 1),
    ("channel-texts", channel_texts, "village", 1),
    ("direct-text-with-ack", direct_text_with_ack, "village", 1),
    ("flood-fallback", flood_fallback, "village", 1),
    ("thousand-messages", thousand_messages, "solo", 20),
    ("login-to-a-repeater", login_to_a_repeater, "village", 1),
    ("room-posts", room_posts, "village", 1),
    ("telemetry-of-a-sensor", telemetry_of_a_sensor, "village", 1),
    ("reboot-in-the-middle", reboot_in_the_middle, "solo", 1),
    ("trace-path", trace_path, "village", 1),
    ("sign-data", sign_data, "solo", 1),
    ("cut-link", cut_link, "solo", 1),
    ("stack-connects-and-syncs", stack_connects_and_syncs, "solo", 1),
    ("stack-changes-settings", stack_changes_settings, "solo", 1),
    ("stack-sends-to-channels", stack_sends_to_channels, "village", 1),
]

# Those that are told over Bluetooth, too, by Tests/Bluetooth/vm: to an ESP32 of the world solo.
OVER_BLUETOOTH = [
    ("bluetooth-connect-and-sync", connect_and_sync),
]
