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


async def hammer(console, told, enough):
    """Sets the owner again and again; `told` gets what is sent, and what was acknowledged. `enough` is told of each."""
    number = 0
    while True:
        owner = OWNERS[number % len(OWNERS)]
        told["sent"] = owner
        answer = asyncio.create_task(console.run(f"set owner.info {owner}"))
        number += 1
        await enough(number)
        same(await answer, "OK", "set owner.info")
        told["kept"] = owner


async def kill_while_saving(emulator, rep1):
    """killed while it saves, it has what was acknowledged or what was sent after that"""
    draws = random.Random(7)
    same(await rep1.run(f"set owner.info {OWNERS[-1]}"), "OK", "set owner.info")
    told = {"sent": OWNERS[-1], "kept": OWNERS[-1]}
    for number in range(ROUNDS):
        most = draws.randint(5, 60)

        async def enough(sent):
            """After so many lines: the kill follows the last one at once, and meets the emulator at work on it."""
            if sent < most:
                return
            # The task that writes the line has a turn, and perhaps the emulator.
            for _ in range(draws.randint(1, 4)):
                await asyncio.sleep(0)
            emulator.mesh.command.kill()

        # What the console said before its end counts, too.
        await asyncio.gather(hammer(rep1, told, enough), return_exceptions=True)
        assert not emulator.is_running, f"round {number}: it was not killed: {told}"
        await rep1.disconnect()

        owner = stored(emulator)
        assert owner in (told["kept"], told["sent"]), f"round {number}: {owner}, not {told}"

        await emulator.start()
        same(await rep1.run("get owner.info"), f"> {owner}", f"owner after round {number}")
        told = {"sent": owner, "kept": owner}


ALL = [kill_while_saving]
