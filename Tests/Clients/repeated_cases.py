"""Sessions of the library with stepped worlds: the same seed gives the same run, whatever the machine is busy with."""

from meshcore import EventType

import pair_cases
from lane import Radio, expect, same
from worlds import SEED, SteppedWorld

NODES = {"alice": "tcp"}


async def session(binary, seed):
    """Two apps meet, write to each other and ask; the digest of all that happened, and how far the world came."""
    world = SteppedWorld(binary, {"alice": "tcp", "bob": "tcp"}, seed)
    try:
        await world.start()
        radios = {name: Radio(name, world) for name in ("alice", "bob")}
        await pair_cases.prepare(radios)
        for case in (pair_cases.flood_adverts, pair_cases.flood_message, pair_cases.with_retry, pair_cases.telemetry):
            await world.quiet()
            await case(world, **radios)
        # Something of a radio's own, in time that nobody waits for.
        expect(await radios["alice"].commands.send_advert(flood=True), EventType.OK)
        await world.pass_time(300)
        state = await world.mesh.state()
        for radio in radios.values():
            await radio.disconnect()
        await world.stop()
        return state.digest, state.now
    finally:
        world.discard()


async def repeated(emulator, runs):
    ends = {await session(emulator.binary, SEED) for _ in range(runs)}
    same(len(ends), 1, f"runs that differ: {sorted(ends)}")
    (digest, moment), = ends
    print(f"        {runs} sessions have the digest {digest} after {moment:.0f} s of the world", flush=True)
    # A digest that never changes would prove nothing.
    other, _ = await session(emulator.binary, SEED + 1)
    assert other != digest, "another seed gave the same run"


async def ten(emulator, alice):
    """ten sessions of two apps have one digest"""
    await repeated(emulator, 10)


async def hundred(emulator, alice):
    """a hundred sessions of two apps have one digest"""
    await repeated(emulator, 100)
