"""The first steps of a newcomer: two apps in the world that `meshbed emulate` starts by itself, seed after seed.

    python Tests/Clients/first_world.py [--meshbed PATH] [--seeds N] [--first N] [--clock [--speed N]] [--jobs N]

Alice and bob connect, advert, write to each other, learn and ask for the way, talk in the channel and read statistics. Nothing
is sent twice, and nobody waits for a quiet moment: each step must succeed the first time, whatever the seed. Time is stepped,
so that a failure repeats with its seed; with --clock it passes by the clock, as for a newcomer.
Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
import time

from meshcore import EventType

from emulator import Emulator
from lane import Radio, expect, same
from pair_cases import DIRECT, FLOOD, contact, key
from worlds import SteppedWorld
from meshbed import WorldLoop

NODES = {"alice": "tcp", "bob": "tcp"}
WORLD = "pair"
# Those of the gate. The figure that counts is that of many more.
GATE_SEEDS = range(1, 6)


async def steps(alice, bob):
    """The session, step by step; each says its name first, for whoever reads of a failure."""
    for radio in (alice, bob):
        yield f"{radio.name} connects, sets name and time"
        await radio.connect()
        expect(await radio.commands.set_name(radio.name), EventType.OK)
        now = expect(await radio.commands.get_time(), EventType.CURRENT_TIME)["time"]
        if now < time.time():
            expect(await radio.commands.set_time(int(time.time())), EventType.OK)
    for radio in (alice, bob):
        yield f"{radio.name} knows the repeater and the other one"
        same(len(await radio.contacts()), 2, "contacts")
    for sender, receiver in ((alice, bob), (bob, alice)):
        yield f"{sender.name}'s advert reaches {receiver.name}"
        since = receiver.mark()
        expect(await sender.commands.send_advert(flood=True), EventType.OK)
        await receiver.wait(EventType.ADVERTISEMENT, since, public_key=await key(sender))
        same((await contact(receiver, sender))["adv_name"], sender.name, "name")
    yield "a first text floods to bob and is acknowledged"
    since = {radio: radio.mark() for radio in (alice, bob)}
    same(await tell(alice, bob, "are you there?"), FLOOD, "route")
    # A text right behind the first acknowledgement can meet the path that is on its way to bob, as with real radios.
    yield "both learn the way over the repeater"
    for radio, other in ((alice, bob), (bob, alice)):
        await radio.wait(EventType.PATH_UPDATE, since[radio], public_key=await key(other))
        same((await contact(radio, other))["out_path_len"], 1, f"hops of {radio.name}'s way")
    for sender, receiver, text in ((alice, bob, "by the way"), (bob, alice, "I am")):
        yield f"a text of {sender.name} goes by the way and is acknowledged"
        same(await tell(sender, receiver, text), DIRECT, "route")
    yield "the way is found there and back, since bob lets others ask"
    expect(await bob.commands.set_telemetry_mode_base(2), EventType.OK)
    found = await alice.commands.send_path_discovery_sync(await contact(alice, bob), min_timeout=30)
    assert found is not None, "no answer"
    same((found.payload["out_path"], found.payload["in_path"]), ((await contact(alice, bob))["out_path"],) * 2, "ways")
    for sender, receiver in ((alice, bob), (bob, alice)):
        yield f"{sender.name}'s text to the channel reaches {receiver.name}"
        since = receiver.mark()
        expect(await sender.commands.send_chan_msg(0, f"hello from {sender.name}"), EventType.OK)
        message = expect(await receiver.message(since), EventType.CHANNEL_MSG_RECV)
        same(message["text"], f"{sender.name}: hello from {sender.name}", "text")
    for radio in (alice, bob):
        yield f"{radio.name}'s statistics count what was sent and received, and nothing spoiled"
        for ask in (radio.commands.get_stats_core, radio.commands.get_stats_radio):
            assert not (await ask()).is_error()
        packets = expect(await radio.commands.get_stats_packets(), EventType.STATS_PACKETS)
        assert packets["sent"] > 0 and packets["recv"] > 0, packets
        same(packets.get("recv_errors", 0), 0, "frames with a wrong checksum")


async def tell(sender, receiver, text):
    """A direct text, its arrival and its acknowledgement: sent once. The route that its radio took."""
    here, there = sender.mark(), receiver.mark()
    sent = expect(await sender.commands.send_msg(await contact(sender, receiver), text), EventType.MSG_SENT)
    message = expect(await receiver.message(there), EventType.CONTACT_MSG_RECV)
    same((message["text"], message["pubkey_prefix"]), (text, (await key(sender))[:12]), "text and sender")
    await sender.wait(EventType.ACK, here, code=sent["expected_ack"].hex())
    return sent["type"]


async def session(world):
    """One world with its two apps; how many steps there were."""
    count, step = 0, "the world starts"
    try:
        await world.start()
        radios = [Radio(name, world) for name in NODES]
        async for step in steps(*radios):
            count += 1
        step = "the world ends"
        for radio in radios:
            await radio.disconnect()
        await world.stop()
        return count
    except Exception as error:
        raise AssertionError(f"seed {world.seed}, step {count}, {step}: {type(error).__name__} {error}") from error
    finally:
        world.discard()


async def of_the_gate(emulator, alice):
    """what a newcomer does first succeeds the first time, with every seed"""
    for seed in GATE_SEEDS:
        await session(SteppedWorld(emulator.binary, NODES, seed, WORLD))


ALL = [of_the_gate]


def stepped(arguments, seed):
    """One seed in a process of its own: a loop of the world's time has one world."""
    loop = WorldLoop()
    try:
        loop.perform(session(SteppedWorld(arguments.meshbed, NODES, seed, WORLD)))
    finally:
        loop.finish()


async def one(arguments, seed):
    """The outcome of a seed: nothing, or why it failed."""
    try:
        if arguments.clock:
            await session(Emulator(arguments.meshbed, NODES, seed, WORLD, arguments.speed))
            return None
        words = [sys.executable, __file__, "--meshbed", arguments.meshbed, "--only", str(seed)]
        process = await asyncio.create_subprocess_exec(
            *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        output, _ = await process.communicate()
        return None if process.returncode == 0 else output.decode(errors="replace").strip()
    except AssertionError as error:
        return str(error)


async def many(arguments):
    """All seeds, some at a time; the exit status."""
    places, failed = asyncio.Semaphore(arguments.jobs), 0

    async def placed(seed):
        nonlocal failed
        async with places:
            problem = await one(arguments, seed)
        if problem is not None:
            failed += 1
            print(f"FAILED  seed {seed}: {problem}", flush=True)

    await asyncio.gather(*(placed(seed) for seed in range(arguments.first, arguments.first + arguments.seeds)))
    print(f"{arguments.seeds - failed} passed, {failed} failed")
    return 0 if failed == 0 and arguments.seeds > 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--seeds", type=int, default=100, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--clock", action="store_true", help="let time pass by the clock")
    parser.add_argument("--speed", type=float, default=1, help="seconds of the world per second of the clock")
    parser.add_argument("--jobs", type=int, default=2, help="how many worlds at a time")
    parser.add_argument("--only", type=int, help="this seed in stepped time, in this process")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    arguments = parser.parse_args()
    if arguments.only is None:
        return asyncio.run(many(arguments))
    try:
        stepped(arguments, arguments.only)
    except Exception as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
