"""Places of labgrid: two testers who want one, an exporter that dies in the middle of a suite, and one pytest file."""

import asyncio
import re
import subprocess
import sys

import board_cases
import programs


class Places:
    """A coordinator and an exporter on loopback, with an emulated board behind each place."""

    def __init__(self, lab, coordinator, exporter, lines):
        self.lab, self.coordinator, self.exporter, self.lines = lab, coordinator, exporter, lines

    @classmethod
    async def open(cls, lab, *labels):
        lines = {label: await lab.board(label) for label in labels}
        coordinator = await lab.coordinator()
        exporter = await lab.exporter(coordinator, lines)
        places = cls(lab, coordinator, exporter, lines)
        for label in labels:
            await lab.place(places.tester("owner"), f"{label}-place", label)
        return places

    def tester(self, name):
        return self.lab.of_tester(name, self.coordinator)


async def two_testers(meshbed):
    """two testers want one place: one has it, the other is told who, and has it afterwards"""
    with programs.opened(meshbed) as lab:
        places = await Places.open(lab, "heltec")
        ann, ben = places.tester("ann"), places.tester("ben")
        holder = lab.child("hold", lab.meshbed, "lab", "hold", "labgrid:heltec-place", environment=ann)
        await programs.eventually("the hold", lambda: '"radios"' in holder.said())
        suite = ("comply", "--target", "labgrid:heltec-place", "--only", "1-12,50-60")
        said = await lab.bad("is in use by ", *suite, environment=ben)
        assert re.search(r"in use by \S+/ann, by labgrid", said), said
        holder.process.stdin.close()
        assert await asyncio.to_thread(holder.process.wait, programs.LIMIT) == 0, holder.said()
        await lab.good(*suite, environment=ben)
        # At the same time: whoever loses is told, and changes nothing.
        results = await asyncio.gather(*(lab.run(*suite, environment=tester) for tester in (ann, ben)))
        assert sorted(status for status, _ in results) in ([0, 2], [0, 0]), results
        for status, said in results:
            assert status == 0 or "is in use by " in said, said
        _, who = await lab.labgrid(ann, "who")
        assert "heltec-place" not in who, who


async def dying_exporter(meshbed):
    """an exporter dies in the middle of a suite: one sentence, and the board is put back when it is met again"""
    with programs.opened(meshbed) as lab:
        places = await Places.open(lab, "heltec")
        ann = places.tester("ann")
        line = f"serial:{places.lines['heltec']}"
        await lab.good("client", "--target", line, "settings", "--name", "Mine")
        before = await board_cases.state(lab, line)
        suite = asyncio.create_task(lab.run("comply", "--target", "labgrid:heltec-place", "--destructive", environment=ann))
        await programs.eventually("a record of the radio", lambda: lab.record("ann"))
        await asyncio.sleep(3)
        assert not suite.done(), suite.result()
        places.exporter.kill()
        status, said = await asyncio.wait_for(suite, 170)
        assert status == 2 and ("cannot reach the radio" in said or "the link is gone" in said), f"exit {status}:\n{said}"
        assert lab.record("ann"), said
        await lab.bad("is not there: ", "comply", "--target", "labgrid:heltec-place", "--only", "1", environment=ann)
        await lab.good("comply", "--target", "labgrid:heltec-place", "--only", "1", "--allow-missing", environment=ann)

        places.exporter = await lab.exporter(places.coordinator, places.lines)
        said = await lab.good("lab", "restore", "labgrid:heltec-place", environment=ann)
        assert "An earlier run was cut off" in said, said
        assert not lab.record("ann")
        assert await board_cases.state(lab, line) == before


async def no_coordinator(meshbed):
    """a coordinator that is away, and a place that nobody knows, are one sentence each"""
    with programs.opened(meshbed) as lab:
        away = lab.of_tester("ann", "127.0.0.1:1")
        await lab.bad('radio "labgrid:roof" is not there: ', "comply", "--target", "labgrid:roof", environment=away)
        places = await Places.open(lab, "heltec")
        said = await lab.bad("is not there: ", "comply", "--target", "labgrid:roof", environment=places.tester("ann"))
        assert "place pattern roof matches nothing" in said, said


async def tested(lab, *options, environment=None):
    """Runs the one pytest file; the counts of its verdicts."""
    words = [sys.executable, "-m", "pytest", "-c", programs.HERE / "radio" / "pytest.ini", programs.HERE / "radio",
             "-rA", f"--mesh-binary={lab.meshbed}", f"--mesh-artifacts={lab.folder / 'artifacts'}", *options]
    process = await asyncio.create_subprocess_exec(
        *map(str, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=lab.folder,
        env=environment or lab.environment)
    said = (await asyncio.wait_for(process.communicate(), 400))[0].decode(errors="replace")
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|skipped|errors?)", said.splitlines()[-1])}
    return process.returncode, counts, said


async def one_file(meshbed):
    """one pytest file runs unchanged on the emulator, on a line behind ser2net, and on a place of labgrid"""
    with programs.opened(meshbed) as lab:
        status, counts, said = await tested(lab)
        assert status == 0 and counts == {"passed": 7, "skipped": 1}, said
        assert "needs a real radio" in said, said

        line = await lab.board("shelf")
        port = await lab.ser2net(line, programs.RFC2217)
        lab.bench({"label": "shelf", "address": f"rfc2217://127.0.0.1:{port}", "allow": ["transmit", "power"],
                   "power": lab.powers("shelf")})
        status, counts, said = await tested(lab, "--meshbed-radio", "shelf")
        assert status == 0 and counts == {"passed": 6, "skipped": 2}, said
        for reason in ("needs a second radio", "needs control over time"):
            assert reason in said, said

        places = await Places.open(lab, "heltec")
        status, counts, said = await tested(
            lab, "--meshbed-radio", "labgrid:heltec-place", environment=places.tester("ann"))
        assert status == 0 and counts == {"passed": 5, "skipped": 3}, said
        assert "needs control over the power" in said, said

        status, counts, said = await tested(lab, "--meshbed-radio", "labgrid:attic", "--meshbed-allow-missing",
                                            environment=places.tester("ann"))
        assert status == 0 and counts == {"skipped": 8}, said


SESSIONS = [two_testers, dying_exporter, no_coordinator, one_file]
