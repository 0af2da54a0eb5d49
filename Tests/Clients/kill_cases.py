"""An emulator that is killed while a board writes to its flash leaves old files or new ones, never a mixture."""

import asyncio
import os
import random
import re

from lane import same

NODES = {"rep1": "console"}
ROUNDS = 10
# As long as the firmware keeps them, so that a torn file would show.
OWNERS = [letter * 119 for letter in "abcdefgh"]


def stored(emulator):
    """The owner on disk, of a whole file; an unfinished replacement beside it counts for nothing."""
    with open(os.path.join(emulator.folder, "state", "rep1", "prefs.json"), encoding="utf-8") as file:
        text = file.read()
    # The firmware writes its keys without quotes.
    assert re.fullmatch(r"\{.*\}\s*", text, re.DOTALL) and text.count("{") == text.count("}"), f"torn: {text}"
    return re.search(r'\bowner"?: ?"([^"]*)"', text).group(1)


async def hammer(console, told):
    """Sets the owner again and again; `told` gets what is sent, and what was acknowledged."""
    number = 0
    while True:
        owner = OWNERS[number % len(OWNERS)]
        told["sent"] = owner
        same(await console.run(f"set owner.info {owner}"), "OK", "set owner.info")
        told["kept"] = owner
        number += 1


async def kill_while_saving(emulator, rep1):
    """killed while it saves, it has what was acknowledged or what was sent after that"""
    draws = random.Random(7)
    same(await rep1.run(f"set owner.info {OWNERS[-1]}"), "OK", "set owner.info")
    told = {"sent": OWNERS[-1], "kept": OWNERS[-1]}
    for number in range(ROUNDS):
        work = asyncio.create_task(hammer(rep1, told))
        await asyncio.sleep(draws.uniform(0.2, 0.5))
        await asyncio.to_thread(emulator.server.discard)
        # What the console said before its end counts, too.
        await asyncio.gather(work, return_exceptions=True)
        await rep1.disconnect()

        owner = stored(emulator)
        assert owner in (told["kept"], told["sent"]), f"round {number}: {owner}, not {told}"

        await asyncio.to_thread(emulator.start)
        same(await rep1.run("get owner.info"), f"> {owner}", f"owner after round {number}")
        told = {"sent": owner, "kept": owner}


ALL = [kill_while_saving]
