"""Boards of a bench file: one user at a time, power, and suites and scenarios that are cut off."""

import json
import signal

import programs


async def locks(meshbed):
    """a second user is told who has the board, by its label and by its address"""
    with programs.opened(meshbed) as lab:
        line = await lab.board()
        lab.bench({"label": "heltec", "address": f"serial:{line}", "allow": ["transmit"]})
        holder = lab.child("hold", lab.meshbed, "lab", "hold", "heltec")
        await programs.eventually("the hold", lambda: '"radios"' in holder.said())
        for target in ("heltec", f"serial:{line}"):
            said = await lab.bad("is in use by ", "comply", "--target", target, "--only", "1")
            assert f"meshbed lab hold, process {holder.process.pid}" in said, said
            await lab.bad("is in use by ", "client", "--target", target, "info")
        assert "in use by " in await lab.good("lab", "list")
        holder.process.stdin.close()
        assert holder.process.wait(programs.LIMIT) == 0, holder.said()
        assert "free" in await lab.good("lab", "list")
        await lab.good("client", "--target", "heltec", "info")


async def power(meshbed):
    """settings survive a loss of power by the user's own commands, which run only where the file allows it"""
    with programs.opened(meshbed) as lab:
        line = await lab.board()
        radio = {"label": "heltec", "address": f"serial:{line}", "power": lab.powers("heltec"), "allow": ["transmit", "power"]}
        lab.bench(radio)
        said = await lab.good("comply", "--target", "heltec", "--only", "82,156", "--verbose", limit=500)
        assert "kept 2 statements" in said, said
        assert "heltec: off" in await lab.good("lab", "power", "heltec", "off")
        assert not line.exists() or not programs.pathlib.Path(line).resolve().exists()
        await lab.good("comply", "--target", "heltec", "--only", "1", "--allow-missing")
        await lab.good("lab", "power", "heltec", "on")
        lab.bench(radio | {"allow": ["transmit"]})
        await lab.bad('"allow" has no "power"', "lab", "power", "heltec", "off")
        said = await lab.run("comply", "--target", "heltec", "--only", "82")
        assert said[0] == 2 and "needs control over power" in said[1], said


async def silent(meshbed):
    """a board that may not transmit is told nothing that makes it"""
    with programs.opened(meshbed) as lab:
        line = await lab.board()
        lab.bench({"label": "heltec", "address": f"serial:{line}"})
        status, said = await lab.run("comply", "--target", "heltec", "--only", "A,50-60", "--verbose")
        assert status == 0 and "which its bench file does not allow" in said, said
        await lab.bad("may not transmit", "scenario", "run", "direct-message", "--target", "heltec")


async def state(lab, target):
    """All of a radio that a user sees."""
    info = json.loads(await lab.good("client", "--target", target, "info", "--json"))
    contacts = await lab.good("client", "--target", target, "contacts", "--json")
    channels = await lab.good("client", "--target", target, "channel", "list", "--json")
    names = ("name", "key", "radio", "txPower", "contacts", "channels")
    return {name: info[name] for name in names}, contacts, channels


async def cut_off(meshbed):
    """a suite that was killed puts its board back when it is met again"""
    with programs.opened(meshbed) as lab:
        line = await lab.board()
        target = f"serial:{line}"
        await lab.good("client", "--target", target, "settings", "--name", "Mine", "--tx-power", "9")
        before = await state(lab, target)
        suite = lab.child("suite", lab.meshbed, "comply", "--target", target, "--destructive")
        await programs.eventually("a record of the radio", lambda: lab.record())

        def is_changed():
            return len(suite.said()) >= 0 and (len(lab.record()[0].read_text()) > 0) and suite.process.poll() is None

        assert is_changed(), suite.said()
        # The suite has brought the radio to its baseline, or is in one of its first statements.
        await programs.asyncio.sleep(4)
        suite.process.send_signal(signal.SIGKILL)
        suite.process.wait()
        assert lab.record(), "nothing was left"
        said = await lab.good("lab", "restore", target)
        assert "An earlier run was cut off; what it had changed on " in said, said
        assert not lab.record()
        assert await state(lab, target) == before
        assert "Nothing was left" in await lab.good("lab", "restore", target)


async def cut_off_scenario(meshbed):
    """a scenario that was killed has its boards put back when they are met again"""
    with programs.opened(meshbed) as lab:
        targets = [f"serial:{await lab.board(label)}" for label in ("left", "right")]
        for target in targets:
            await lab.good("client", "--target", target, "settings", "--name", "Mine")
        before = [await state(lab, target) for target in targets]
        words = [word for target in targets for word in ("--target", target)]
        play = lab.child("play", lab.meshbed, "scenario", "run", "next-door", *words)
        await programs.eventually("records of both radios", lambda: len(lab.record()) == 2)
        # Each board is in a world of its own: a text that never comes is waited for, with names of the scenario.
        await programs.asyncio.sleep(4)
        assert play.process.poll() is None, play.said()
        play.process.send_signal(signal.SIGKILL)
        play.process.wait()
        assert len(lab.record()) == 2, "nothing was left"
        for target, known in zip(targets, before):
            said = await lab.good("lab", "restore", target)
            assert "An earlier run was cut off; what it had changed on " in said, said
            assert await state(lab, target) == known
        assert not lab.record()


SESSIONS = [locks, power, silent, cut_off, cut_off_scenario]
