"""The answers of one companion radio to its client: settings, contacts, channels, signing, statistics, reboot."""

import asyncio
import hashlib
import time

from Crypto.Signature import eddsa
from meshcore import EventType

from lane import expect, expect_error, same

ILLEGAL_ARG, NOT_FOUND, BAD_STATE = 6, 2, 4
PUBLIC_SECRET = bytes.fromhex("8b3387e9c5cdea6ac9e5edbaa115cd72")


def somebody(name, **more):
    """A contact that nobody ever heard."""
    contact = {
        "public_key": hashlib.sha256(name.encode()).hexdigest(), "type": 1, "flags": 0, "out_path": "",
        "out_path_len": -1, "out_path_hash_mode": -1, "adv_name": name, "last_advert": 1_700_000_000,
        "adv_lat": 48.5, "adv_lon": -2.25,
    }
    contact.update(more)
    return contact


async def self_info(emulator, alice, **_):
    """self info has factory settings and a name made of the key"""
    info = await alice.info()

    same(len(info["public_key"]), 64, "length of the key")
    same(info["name"], info["public_key"][:8].upper(), "factory name")
    same(info["adv_type"], 1, "type")
    same((info["radio_freq"], info["radio_bw"], info["radio_sf"], info["radio_cr"]), (869.618, 62.5, 8, 5), "radio")
    assert 0 < info["tx_power"] <= info["max_tx_power"]


async def device_query(emulator, alice, **_):
    """device query tells protocol 13 and firmware 1.17.1"""
    info = expect(await alice.commands.send_device_query(), EventType.DEVICE_INFO)

    same(info["fw ver"], 13, "protocol")
    assert info["ver"].startswith("v1.17.1"), info
    assert info["max_contacts"] >= 100 and info["max_channels"] >= 1 and info["model"], info
    same((info["repeat"], info["path_hash_mode"]), (False, 0), "repeat and path hash mode")


async def clock(emulator, alice, **_):
    """the clock is set forward only, and runs"""
    now = expect(await alice.commands.get_time(), EventType.CURRENT_TIME)["time"]
    later = max(now, int(time.time())) + 3600
    before = await emulator.moment()
    expect(await alice.commands.set_time(later), EventType.OK)
    expect_error(await alice.commands.set_time(later - 3600), ILLEGAL_ARG)
    await emulator.pass_time(3)

    passed = expect(await alice.commands.get_time(), EventType.CURRENT_TIME)["time"] - later

    # It was set between two readings of the world's time, and tells whole seconds.
    elapsed = await emulator.moment() - before
    assert 2 <= passed <= elapsed + 1, f"{passed} s instead of 3 to {elapsed}"


async def name(emulator, alice, **_):
    """the name is set, cut at 31 bytes, and reported"""
    expect(await alice.commands.set_name("n" * 40), EventType.OK)
    same((await alice.info())["name"], "n" * 31, "long name")

    expect(await alice.commands.set_name("alice"), EventType.OK)

    same((await alice.info())["name"], "alice", "name")


async def position(emulator, alice, **_):
    """the position is set and checked"""
    expect(await alice.commands.set_coords(48.117266, -1.677793), EventType.OK)
    expect_error(await alice.commands.set_coords(91.0, 0.0), ILLEGAL_ARG)

    info = await alice.info()

    # The library cuts to microdegrees, the radio keeps them.
    assert abs(info["adv_lat"] - 48.117266) < 2e-6 and abs(info["adv_lon"] + 1.677793) < 2e-6, info


async def radio_parameters(emulator, alice, **_):
    """radio parameters are set, refused outside their range, and set back"""
    before = await alice.info()
    expect(await alice.commands.set_radio(867.5, 125, 9, 6), EventType.OK)
    expect_error(await alice.commands.set_radio(100.0, 125, 9, 6), ILLEGAL_ARG)
    expect_error(await alice.commands.set_radio(867.5, 125, 13, 6), ILLEGAL_ARG)

    info = await alice.info()

    same((info["radio_freq"], info["radio_bw"], info["radio_sf"], info["radio_cr"]), (867.5, 125, 9, 6), "radio")
    expect(await alice.commands.set_radio(before["radio_freq"], before["radio_bw"], before["radio_sf"],
                                          before["radio_cr"]), EventType.OK)
    same((await alice.info())["radio_freq"], before["radio_freq"], "frequency set back")


async def transmit_power(emulator, alice, **_):
    """transmit power is set within its range"""
    before = await alice.info()
    expect(await alice.commands.set_tx_power(10), EventType.OK)
    expect_error(await alice.commands.set_tx_power(before["max_tx_power"] + 1), ILLEGAL_ARG)

    same((await alice.info())["tx_power"], 10, "transmit power")
    expect(await alice.commands.set_tx_power(before["tx_power"]), EventType.OK)


async def tuning(emulator, alice, **_):
    """tuning parameters come back as set"""
    before = expect(await alice.commands.get_tuning(), EventType.TUNING_PARAMS)
    expect(await alice.commands.set_tuning(500, 2000), EventType.OK)

    same(expect(await alice.commands.get_tuning(), EventType.TUNING_PARAMS),
         {"rx_delay": 500, "airtime_factor": 2000}, "tuning")
    expect(await alice.commands.set_tuning(before["rx_delay"], before["airtime_factor"]), EventType.OK)


async def other_settings(emulator, alice, **_):
    """telemetry modes, manual contacts, pin, path hash mode, auto-add and flood scope come back as set"""
    commands = alice.commands
    expect(await commands.set_telemetry_mode_base(2), EventType.OK)
    expect(await commands.set_manual_add_contacts(True), EventType.OK)
    info = await alice.info()
    same((info["telemetry_mode_base"], info["manual_add_contacts"]), (2, True), "telemetry and manual contacts")
    expect(await commands.set_telemetry_mode_base(0), EventType.OK)
    expect(await commands.set_manual_add_contacts(False), EventType.OK)

    expect(await commands.set_devicepin(654321), EventType.OK)
    expect_error(await commands.set_devicepin(5), ILLEGAL_ARG)
    expect(await commands.set_path_hash_mode(1), EventType.OK)
    same(await commands.get_path_hash_mode(), 1, "path hash mode")
    expect(await commands.set_path_hash_mode(0), EventType.OK)

    expect(await commands.set_autoadd_config(0x1E), EventType.OK)
    same(expect(await commands.get_autoadd_config(), EventType.AUTOADD_CONFIG)["config"], 0x1E, "auto-add")
    expect(await commands.set_autoadd_config(0), EventType.OK)

    expect(await commands.set_default_flood_scope("#lane"), EventType.OK)
    scope = expect(await commands.get_default_flood_scope(), EventType.DEFAULT_FLOOD_SCOPE)
    same((scope["scope_name"], scope["scope_key"]), ("#lane", hashlib.sha256(b"#lane").hexdigest()[:32]), "scope")
    # The library sends an empty name to clear the scope, which this firmware refuses.
    expect_error(await commands.set_default_flood_scope(""), ILLEGAL_ARG)
    expect(await commands.send(b"\x3f", [EventType.OK, EventType.ERROR]), EventType.OK)
    same(expect(await commands.get_default_flood_scope(), EventType.DEFAULT_FLOOD_SCOPE), {}, "no scope")
    freqs = expect(await commands.get_allowed_repeat_freq(), EventType.ALLOWED_REPEAT_FREQ)["freqs"]
    same([f["min"] for f in freqs], [433000, 869495, 918000], "frequencies for repeating")


async def contacts(emulator, alice, **_):
    """contacts are added, listed, changed, their path reset, and removed"""
    before = await alice.contacts()
    carol, dave = somebody("carol"), somebody("dave", type=2)
    for contact in (carol, dave):
        expect(await alice.commands.add_contact(contact), EventType.OK)

    listed = await alice.contacts()

    same(set(listed) - set(before), {carol["public_key"], dave["public_key"]}, "new contacts")
    mine = listed[carol["public_key"]]
    same((mine["adv_name"], mine["type"], mine["adv_lat"], mine["adv_lon"]), ("carol", 1, 48.5, -2.25), "carol")
    same(mine["out_path_len"], -1, "no path yet")

    expect(await alice.commands.change_contact_path(mine, "a1b2c3"), EventType.OK)
    changed = expect(await alice.commands.get_contact_by_key(bytes.fromhex(mine["public_key"])), EventType.NEXT_CONTACT)
    same((changed["out_path_len"], changed["out_path"]), (3, "a1b2c3"), "path")
    expect(await alice.commands.reset_path(mine["public_key"]), EventType.OK)
    same((await alice.contacts())[mine["public_key"]]["out_path_len"], -1, "path after reset")

    for contact in (carol, dave):
        expect(await alice.commands.remove_contact(contact["public_key"]), EventType.OK)
    expect_error(await alice.commands.remove_contact(carol["public_key"]), NOT_FOUND)
    expect_error(await alice.commands.get_contact_by_key(bytes.fromhex(carol["public_key"])), NOT_FOUND)
    same(set(await alice.contacts()), set(before), "contacts at the end")


async def many_contacts(emulator, alice, **_):
    """a hundred contacts are listed completely, none lost on the way"""
    crowd = [somebody(f"one of many {number}") for number in range(100)]
    for contact in crowd:
        expect(await alice.commands.add_contact(contact), EventType.OK)

    listed = await alice.contacts()

    missing = {contact["public_key"] for contact in crowd} - set(listed)
    same(len(missing), 0, "missing contacts")
    for contact in crowd:
        expect(await alice.commands.remove_contact(contact["public_key"]), EventType.OK)


async def channels(emulator, alice, **_):
    """channels are read, set by name and by secret, and cleared"""
    public = expect(await alice.commands.get_channel(0), EventType.CHANNEL_INFO)
    same((public["channel_name"], public["channel_secret"]), ("Public", PUBLIC_SECRET), "channel 0")

    expect(await alice.commands.set_channel(1, "#lane"), EventType.OK)
    expect(await alice.commands.set_channel(2, "secret", bytes(range(16))), EventType.OK)

    first = expect(await alice.commands.get_channel(1), EventType.CHANNEL_INFO)
    second = expect(await alice.commands.get_channel(2), EventType.CHANNEL_INFO)
    same((first["channel_name"], first["channel_secret"]), ("#lane", hashlib.sha256(b"#lane").digest()[:16]), "channel 1")
    same((second["channel_name"], second["channel_secret"]), ("secret", bytes(range(16))), "channel 2")
    expect(await alice.commands.set_channel(2, "", bytes(16)), EventType.OK)
    same(expect(await alice.commands.get_channel(2), EventType.CHANNEL_INFO)["channel_name"], "", "cleared channel")
    expect_error(await alice.commands.get_channel(255), NOT_FOUND)


async def card(emulator, alice, **_):
    """the own card is an advert whose signature another library verifies"""
    uri = expect(await alice.commands.export_contact(), EventType.CONTACT_URI)["uri"]
    packet = bytes.fromhex(uri.removeprefix("meshcore://"))

    same(packet[:2], b"\x11\x00", "header and path length")
    key, stamp, signature, rest = packet[2:34], packet[34:38], packet[38:102], packet[102:]
    same(key.hex(), (await alice.info())["public_key"], "key")
    eddsa.new(eddsa.import_public_key(key), "rfc8032").verify(key + stamp + rest, signature)
    assert rest.endswith(b"alice"), rest


async def signing(emulator, alice, **_):
    """a thousand bytes are signed; another library verifies the signature"""
    text = b"sign me " * 125
    key = bytes.fromhex((await alice.info())["public_key"])

    signature = expect(await alice.commands.sign(text), EventType.SIGNATURE)["signature"]

    eddsa.new(eddsa.import_public_key(key), "rfc8032").verify(text, signature)
    expect_error(await alice.commands.sign_finish(timeout=ANSWER), BAD_STATE)


ANSWER = 10


async def private_key(emulator, alice, **_):
    """the private key is exported, and imported again without a change of identity"""
    before = await alice.info()
    key = expect(await alice.commands.export_private_key(), EventType.PRIVATE_KEY)["private_key"]
    same(len(key), 64, "length of the private key")

    expect(await alice.commands.import_private_key(key), EventType.OK)

    same((await alice.info())["public_key"], before["public_key"], "public key")
    expect_error(await alice.commands.import_private_key(bytes(64)), ILLEGAL_ARG)


async def statistics(emulator, alice, **_):
    """statistics of core, radio and packets are consistent"""
    core = expect(await alice.commands.get_stats_core(), EventType.STATS_CORE)
    radio = expect(await alice.commands.get_stats_radio(), EventType.STATS_RADIO)
    packets = expect(await alice.commands.get_stats_packets(), EventType.STATS_PACKETS)

    assert 2500 <= core["battery_mv"] <= 5000 and core["errors"] == 0, core
    assert -150 <= radio["noise_floor"] <= 0, radio
    same(packets["recv"], packets["flood_rx"] + packets["direct_rx"], "packets received")
    same(packets["sent"], packets["flood_tx"] + packets["direct_tx"], "packets sent")


async def battery(emulator, alice, **_):
    """battery and storage are plausible"""
    battery = expect(await alice.commands.get_bat(), EventType.BATTERY)

    assert 2500 <= battery["level"] <= 5000, battery
    assert 0 <= battery["used_kb"] <= battery["total_kb"] and battery["total_kb"] > 0, battery


async def self_telemetry(emulator, alice, **_):
    """self telemetry has the battery's voltage on channel 1"""
    answer = expect(await alice.commands.get_self_telemetry(), EventType.TELEMETRY_RESPONSE)

    same(answer["pubkey_pre"], (await alice.info())["public_key"][:12], "key")
    voltage = [entry["value"] for entry in answer["lpp"] if entry["channel"] == 1 and entry["type"] == "voltage"]
    assert voltage and 2.5 <= voltage[0] <= 5.0, answer


async def custom_variables(emulator, alice, **_):
    """custom variables are listed, and unknown ones refused"""
    variables = expect(await alice.commands.get_custom_vars(), EventType.CUSTOM_VARS)

    assert isinstance(variables, dict)
    expect_error(await alice.commands.set_custom_var("nonsense", "1"), ILLEGAL_ARG)


async def no_messages(emulator, alice, **_):
    """no message waits"""
    same(await alice.drain(), [], "messages")


async def reboot(emulator, alice, **_):
    """after a reboot settings, contacts and channels are back, and the uptime begins again"""
    before = await alice.info()
    erin = somebody("erin")
    expect(await alice.commands.add_contact(erin), EventType.OK)
    listed = await alice.contacts()
    await emulator.pass_time(30)
    uptime = expect(await alice.commands.get_stats_core(), EventType.STATS_CORE)["uptime_secs"]
    since, restart = alice.mark(), await emulator.moment()

    await alice.commands.reboot()
    if alice.name in emulator.ports:
        await alice.wait(EventType.DISCONNECTED, since, within=15)
    else:
        await emulator.pass_time(5)
    await alice.reconnect()

    same(await alice.info(), before, "self info")
    same(set(await alice.contacts()), set(listed), "contacts")
    same(expect(await alice.commands.get_channel(1), EventType.CHANNEL_INFO)["channel_name"], "#lane", "channel 1")
    now = expect(await alice.commands.get_stats_core(), EventType.STATS_CORE)["uptime_secs"]
    assert now <= await emulator.moment() - restart + 1 and uptime >= 30, f"uptime {now} s after the reboot, {uptime} s before"
    expect(await alice.commands.remove_contact(erin["public_key"]), EventType.OK)


async def eviction(emulator, alice, **_):
    """a second TCP client takes the radio over; the first is disconnected"""
    since = alice.mark()
    first, alice.client = alice.client, None
    await alice.connect()

    await alice.wait(EventType.DISCONNECTED, since, within=15)

    same((await alice.info())["name"], "alice", "name")
    await first.disconnect()


# In this order: later cases rely on the name and the channel set by earlier ones.
ALL = [
    self_info, device_query, clock, name, position, radio_parameters, transmit_power, tuning, other_settings, contacts,
    many_contacts, channels, card, signing, private_key, statistics, battery, self_telemetry, custom_variables,
    no_messages, reboot,
]
