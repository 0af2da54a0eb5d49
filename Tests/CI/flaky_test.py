"""Cases of clients: what fails is repeated alone, in a fresh world, before it counts."""

import asyncio
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Clients"))

import lane  # noqa: E402


class World:
    """A world that runs nothing; each has a number."""

    count, repeats, passes_in_cases = 0, True, False

    def __init__(self, *_, **__):
        World.count += 1
        self.number, self.is_running, self.seen = World.count, False, []

    async def start(self):
        self.is_running = True

    async def quiet(self):
        pass

    async def outcome(self):
        return None

    async def stop(self):
        self.is_running = False

    def discard(self):
        self.is_running = False

    async def keep(self, folder):
        os.makedirs(folder)
        pathlib.Path(folder, "emulator.log").write_text(f"world {self.number}")


class FlakyTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        World.count = 0

    def run_cases(self, *cases):
        """The report of a lane, and what it printed."""
        report, out = lane.Report(folder=self.folder), io.StringIO()
        with contextlib.redirect_stdout(out):
            asyncio.run(lane.Lane(99, "lane", {}, list(cases), make=World).run(report, "meshbed"))
            report.status = report.end()
        return report, out.getvalue()

    def counted(self):
        return json.loads(pathlib.Path(self.folder, "flaky.json").read_text())

    def test_a_case_that_fails_once_is_flaky_and_counted(self):
        async def good(world):
            """good"""
            world.seen.append("good")

        async def planted(world):
            """planted"""
            assert world.number > 1, "lost on the way"

        report, text = self.run_cases(good, planted)

        self.assertEqual((report.failed, report.flaky, report.passed, report.status), (0, 1, 3, 0))
        self.assertIn("again   lane: planted: lost on the way", text)
        self.assertIn("FLAKY   lane: planted: passed when repeated alone; 1 times so far", text)
        entry = self.counted()["lane: planted"]
        self.assertEqual((entry["count"], entry["problem"]), (1, "lost on the way"))
        self.assertEqual(pathlib.Path(entry["trace"], "emulator.log").read_text(), "world 1")
        World.count = 0
        self.run_cases(good, planted)
        self.assertEqual(self.counted()["lane: planted"]["count"], 2)

    def test_it_is_repeated_in_a_fresh_world_in_which_those_before_it_have_run(self):
        seen = []

        async def first(world):
            """first"""
            world.seen.append("first")

        async def second(world):
            """second"""
            seen.append((world.number, list(world.seen)))
            assert world.number > 1

        async def third(world):
            """third"""
            seen.append((world.number, list(world.seen)))

        self.run_cases(first, second, third)

        self.assertEqual(seen, [(1, ["first"]), (2, ["first"]), (2, ["first"])])

    def test_a_case_that_fails_twice_has_failed_and_hides_no_other(self):
        async def bad(world):
            """bad"""
            raise ValueError("wrong")

        async def good(world):
            """good"""

        report, text = self.run_cases(bad, good)

        self.assertEqual((report.failed, report.flaky, report.passed, report.status), (1, 0, 3, 1))
        self.assertIn("FAILED  lane: bad: ", text)
        self.assertIn("ok      lane: good", text)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "flaky.json")))


if __name__ == "__main__":
    unittest.main()
