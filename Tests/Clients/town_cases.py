"""A town: repeaters rep1, rep2 and rep3 between alice and bob, the room room1 at rep2, the sensor sens1 at rep3.

What administrators, guests and members see of infrastructure nodes, with the library's own requests. Contacts come from
adverts; those of nodes out of earshot are flooded from their consoles.
"""

import json

from meshcore import EventType

import pair_cases
from lane import MESH_LIMIT, Radio, expect, now, same

NODES = {"alice": "tcp", "bob": "tcp", "rep1": "console", "room1": "console", "sens1": "console"}
REPEATER, ROOM, SENSOR = 2, 3, 4
NAMES = {"rep1": "West Hill", "room1": "Town Square", "sens1": "East Hill Weather"}


async def prepare(radios):
    """The companions with names and the right time, and all adverts heard."""
    await pair_cases.prepare({name: radio for name, radio in radios.items() if isinstance(radio, Radio)})


async def find(radio, name):
    """The contact of this name."""
    return next((one for one in (await radio.contacts()).values() if one["adv_name"] == NAMES[name]), None)


async def appears(radio, name, within):
    """Tells whether the node becomes a contact in this time of the world."""
    deadline = now() + within
    while True:
        since = radio.mark()
        if await find(radio, name) is not None:
            return True
        # Commands take no time of the world: to ask again and again would let none pass.
        if not await radio.hears(EventType.ADVERTISEMENT, since, deadline - now()):
            return False


async def flood_advert(console, radios):
    """Has a node flood an advert, again when it was lost on the way, until all radios know the node."""
    for _ in range(8):
        same(await console.run("advert"), "OK - Advert sent", f"console of {console.name}")
        if all([await appears(radio, console.name, within=20) for radio in radios]):
            return
    raise AssertionError(f"nobody hears {NAMES[console.name]}")


async def log_in(radio, name, password, tries=10):
    """Logs in; the payload of the success, or None when no answer came.

    Answers to floods meet the relays of those floods at repeaters that hear both: one in three or so is lost.
    """
    for _ in range(tries):
        event = await radio.commands.send_login_sync(await find(radio, name), password, timeout=12)
        if event is not None:
            return event.payload
    return None


async def ask(radio, name, request, *arguments):
    """One of the library's requests, until it has an answer: floods may collide."""
    contact = await find(radio, name)
    for _ in range(8):
        answer = await request(contact, *arguments, timeout=12)
        if answer is not None:
            return answer
    raise AssertionError(f"{NAMES[name]} does not answer {request.__name__}")


async def command(radio, name, line):
    """A command by radio, and its answer. What collides with an advert on the way is sent again.

    Each try has a mark of its own, which the answer repeats: the answer to an earlier one may still come.
    """
    for number in range(8):
        mark = f"{radio.name[0]}{number}|"
        expect(await radio.commands.send_cmd(await find(radio, name), mark + line, timestamp=await stamp(radio)),
               EventType.MSG_SENT)
        message = await fetch(radio, lambda one: one["text"].startswith(mark), within=12)
        if message is not None:
            same(message["txt_type"], 1, "type of the answer's text")
            return message["text"].removeprefix(mark)
    raise AssertionError(f"{NAMES[name]} does not answer \"{line}\"")


async def stamp(radio):
    """A time for what is sent, later than all before it: nodes take what is not later than a login or a command for old.

    Logins carry the time of the radio, which may run faster than that of this machine.
    """
    clock = expect(await radio.commands.get_time(), EventType.CURRENT_TIME)["time"]
    radio.stamped = max(clock, getattr(radio, "stamped", 0) + 1)
    return radio.stamped


async def fetch(radio, wanted, within, or_else=lambda one: True):
    """Fetches stored messages until the wanted one; None when it does not come in this time of the world.

    Others before it are late, or doubled: their sender did not hear that they had arrived. `or_else` says which may be.
    """
    deadline = now() + within
    while True:
        since = radio.mark()
        event = await radio.commands.get_msg()
        if event.type == EventType.NO_MORE_MSGS:
            left = deadline - now()
            if left <= 0 or not await radio.hears(EventType.MESSAGES_WAITING, since, left):
                return None
            continue
        message = expect(event, EventType.CONTACT_MSG_RECV)
        if wanted(message):
            return message
        assert or_else(message), f"{radio.name}: {message}"


async def adverts(emulator, alice, bob, rep1, room1, sens1):
    """flooded adverts bring repeater, room and sensor into the contacts of both"""
    for console in (rep1, room1, sens1):
        await flood_advert(console, (alice, bob))

    for name, kind in (("rep1", REPEATER), ("room1", ROOM), ("sens1", SENSOR)):
        same((await find(bob, name))["type"], kind, f"type of {name}")


async def wrong_password(emulator, alice, bob, rep1, room1, sens1):
    """a wrong password is met with silence"""
    same(await log_in(alice, "rep1", "sesame", tries=2), None, "login with a wrong password")


async def guest(emulator, alice, bob, rep1, room1, sens1):
    """who gives no password is a guest: status and telemetry, no commands, no access list"""
    login = await log_in(bob, "rep1", "")
    same((login["is_admin"], login["acl_permissions"]), (False, 0), "login of a guest")
    status = await ask(bob, "rep1", bob.commands.req_status_sync)
    assert status["bat"] > 3000 and status["uptime"] > 0, status

    since = bob.mark()
    expect(await bob.commands.send_cmd(await find(bob, "rep1"), "ver", timestamp=await stamp(bob)), EventType.MSG_SENT)
    await emulator.pass_time(8)
    assert not any(event.type == EventType.MESSAGES_WAITING for event in bob.events[since:]), "a guest's command"
    assert await bob.commands.req_acl_sync(await find(bob, "rep1"), timeout=8) is None, "a guest's access list"


async def admin(emulator, alice, bob, rep1, room1, sens1):
    """the password makes an administrator"""
    login = await log_in(alice, "rep1", "password")
    same((login["is_admin"], login["acl_permissions"]), (True, 3), "login of an administrator")


async def commands(emulator, alice, bob, rep1, room1, sens1):
    """commands by radio: ver, get, set, and what the console says of it"""
    assert (await command(alice, "rep1", "ver")).startswith("v1.17.1"), "ver"
    same(await command(alice, "rep1", "get name"), "> West Hill", "get name")
    same(await command(alice, "rep1", "set flood.max 12"), "OK", "set flood.max")
    same(await rep1.run("get flood.max"), "> 12", "get flood.max on the console")
    same(await command(alice, "rep1", "get role"), "> repeater", "get role")
    same(await command(alice, "rep1", "frobnicate"), "Unknown command", "an unknown command")


async def status(emulator, alice, bob, rep1, room1, sens1):
    """status and telemetry of a repeater"""
    report = await ask(alice, "rep1", alice.commands.req_status_sync)
    assert report["nb_recv"] > 0 and report["nb_sent"] > 0 and report["airtime"] > 0, report
    fields = await ask(alice, "rep1", alice.commands.req_telemetry_sync)
    same((fields[0]["channel"], fields[0]["type"]), (1, "voltage"), "the first field")
    assert 3.2 < fields[0]["value"] < 4.3, fields


async def neighbours(emulator, alice, bob, rep1, room1, sens1):
    """a repeater lists the repeaters that it hears"""
    same(await command(alice, "rep1", "discover.neighbors"), "OK - Discover sent", "search for neighbours")
    await emulator.pass_time(6)
    listed = await ask(alice, "rep1", alice.commands.fetch_all_neighbours)
    same((listed["neighbours_count"], listed["results_count"]), (1, 1), "neighbours")
    same(listed["neighbours"][0]["snr"], 10.0, "SNR of the neighbour")
    line = await command(alice, "rep1", "neighbors")
    assert line.lower().startswith(listed["neighbours"][0]["pubkey"]), (line, listed)


async def access(emulator, alice, bob, rep1, room1, sens1):
    """the access list has the administrator, and setperm lets bob in"""
    keys = {radio: (await radio.info())["public_key"] for radio in (alice, bob)}
    before = await ask(alice, "rep1", alice.commands.req_acl_sync)
    same([(one["key"], one["perm"]) for one in before], [(keys[alice][:12], 3)], "access list")
    same(await command(alice, "rep1", f"setperm {keys[bob]} 3"), "OK", "setperm")
    after = await ask(alice, "rep1", alice.commands.req_acl_sync)
    same({(one["key"], one["perm"]) for one in after}, {(key[:12], 3) for key in keys.values()}, "access list")
    same(await command(bob, "rep1", "get repeat"), "> on", "bob's command")


async def regions(emulator, alice, bob, rep1, room1, sens1):
    """regions: listed to anybody, changed by administrators"""
    same(await ask(alice, "rep1", alice.commands.req_regions_sync), "*,town,west", "regions")
    same(await command(alice, "rep1", "region put north town"), "OK - (flood allowed)", "region put")
    same(await ask(alice, "rep1", alice.commands.req_regions_sync), "*,town,west,north", "regions")
    owner = await ask(alice, "rep1", alice.commands.req_owner_sync)
    same(owner["name"], "West Hill", "owner")


async def room(emulator, alice, bob, rep1, room1, sens1):
    """a post of alice comes to bob with her prefix, and not to her"""
    for radio in (alice, bob):
        login = await log_in(radio, "room1", "hello")
        same((login["is_admin"], login["acl_permissions"]), (False, 2), f"login of {radio.name}")
    here, there = alice.mark(), bob.mark()
    # The library repeats the same message until it is acknowledged; the room takes it once.
    sent = await alice.commands.send_msg_with_retry(
        await find(alice, "room1"), "Market on Saturday", timestamp=await stamp(alice), max_attempts=8,
        max_flood_attempts=6, timeout=20)
    assert sent is not None, "no acknowledgement of the post"

    post = expect(await bob.message(there), EventType.CONTACT_MSG_RECV)

    same((post["text"], post["txt_type"]), ("Market on Saturday", 2), "the post")
    same(post["signature"], (await alice.info())["public_key"][:8], "its author")
    same(post["pubkey_prefix"], (await find(bob, "room1"))["public_key"][:12], "the room")
    await emulator.pass_time(3)
    assert not any(event.type == EventType.MESSAGES_WAITING for event in alice.events[here:]), "her own post"


async def system_post(emulator, alice, bob, rep1, room1, sens1):
    """a post of the room itself comes to both"""
    marks = {radio: radio.mark() for radio in (alice, bob)}
    same(await room1.run("room.post Maintenance tonight"), "OK", "room.post")
    for radio, since in marks.items():
        # The room pushes a post again until it hears that it has arrived; the radio keeps each copy.
        post = await fetch(radio, lambda one: one["text"] == "Maintenance tonight", within=20 * MESH_LIMIT,
                           or_else=lambda one: one["text"] == "Market on Saturday")
        assert post is not None, f"no post to {radio.name}"
        await radio.wait(EventType.MESSAGES_WAITING, since, within=1)
        same(post["signature"], (await find(radio, "room1"))["public_key"][:8], "its author")


async def sensor(emulator, alice, bob, rep1, room1, sens1):
    """a sensor tells temperature, humidity, pressure and place, and the extremes of its battery"""
    same((await log_in(alice, "sens1", "password"))["acl_permissions"], 0xC3, "permissions of a sensor's administrator")
    fields = await ask(alice, "sens1", alice.commands.req_telemetry_sync)
    values = {(one["channel"], one["type"]): one["value"] for one in fields}
    assert 3.2 < values[1, "voltage"] < 4.3, values
    assert 4 <= values[2, "temperature"] <= 17 and 45 <= values[2, "humidity"] <= 90, values
    same(values[2, "barometer"], 1018.4, "pressure")
    same(values[1, "gps"]["latitude"], 50.9413, "latitude")

    extremes = await ask(alice, "sens1", alice.commands.req_mma_sync, 3600, 0)
    same((extremes[0]["channel"], extremes[0]["type"]), (1, "voltage"), "series")
    assert extremes[0]["min"] <= extremes[0]["avg"] <= extremes[0]["max"] < 4.3, extremes


async def uptime(console):
    """Seconds since a node's start. A restart may have cut the console's line, so it takes a new one."""
    await console.disconnect()
    return json.loads(await console.run("stats-core"))["uptime_secs"]


async def reboot(emulator, alice, bob, rep1, room1, sens1):
    """a repeater restarts on command and keeps administrators and settings"""
    same(await rep1.run("set owner.info Ada"), "OK", "set owner.info")
    await emulator.pass_time(60)
    begun = await emulator.moment()
    for _ in range(8):
        expect(await alice.commands.send_cmd(await find(alice, "rep1"), "reboot", timestamp=await stamp(alice)), EventType.MSG_SENT)
        await emulator.pass_time(12)
        if await uptime(rep1) <= await emulator.moment() - begun:
            break
    else:
        raise AssertionError("rep1 does not restart")
    same(await rep1.run("get owner.info"), "> Ada", "owner after the restart")
    same(await rep1.run("get flood.max"), "> 12", "flood.max after the restart")
    same((await log_in(alice, "rep1", ""))["acl_permissions"], 3, "alice without a password")


ALL = [adverts, wrong_password, guest, admin, commands, status, neighbours, access, regions, room, system_post, sensor,
       reboot]
