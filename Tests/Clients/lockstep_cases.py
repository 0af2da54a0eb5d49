"""Sessions of the library with worlds in lockstep: a client that only answers gets the same run every time."""

import re

from meshcore import EventType

from lane import MESH_LIMIT, Radio, expect
from server import Server

NODES = {"alice": "tcp"}
RUNS = 100


class LockstepWorld:
    """A world of its own for each session, in which bob adverts; as `Emulator`, as far as `Radio` needs it."""

    def __init__(self, binary):
        self.server = Server([binary, "emulate", "village", "--seed", "7", "--time", "lockstep", "--traffic", "adverts:2m",
                              "--endpoint", "alice=tcp://127.0.0.1:0"])
        self.server.wait_for()
        self.ports = {"alice": self.server.port(r"^ +alice .* ")}
        self.links = {}

    async def stop(self):
        """Ends the world; its digest, and whether it says that the run can be repeated."""
        text = await self.server.stopped()
        return re.search(r"^Stopped at .* digest ([0-9a-f]{16})", text, re.M)[1], "\nreproducible: " in text


async def session(binary):
    """Connects, adverts, waits for the advert of somebody else, and looks who it is."""
    world = LockstepWorld(binary)
    alice = await Radio("alice", world).connect()
    expect(await alice.commands.send_advert(flood=True), EventType.OK)
    await alice.wait(EventType.ADVERTISEMENT, 0, MESH_LIMIT)
    await alice.contacts()
    await alice.disconnect()
    return await world.stop()


async def repeated(emulator, alice):
    """a hundred sessions that only answer have one digest, and are said to be reproducible"""
    runs = [await session(emulator.binary) for _ in range(RUNS)]
    # A machine that is very busy may delay a client; the command then says that the run is not reproducible.
    digests = {digest for digest, is_reproducible in runs if is_reproducible}
    late = sum(not is_reproducible for _, is_reproducible in runs)
    print(f"        {RUNS - late} of {RUNS} sessions were in time")
    assert len(digests) == 1, f"{len(digests)} digests: {sorted(digests)}"
    assert late <= RUNS // 10, f"{late} of {RUNS} sessions were late"


ALL = [repeated]
