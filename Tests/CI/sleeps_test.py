"""Lanes of clients wait for what happens, and never for the clock: a sleep is too short on a busy machine, and too long on
any other."""

import ast
import pathlib
import sys
import unittest

CLIENTS = pathlib.Path(__file__).resolve().parents[1] / "Clients"
sys.path.insert(0, str(CLIENTS))

# Files that sleep, and why they may.
BY_THE_CLOCK = {
    "emulator.py": "a world that follows the clock, for recordings and for nodes of others; no lane of clients stands on it",
    "stories.py": "stories are recorded once, in real time, as apps live in it",
    "captures.py": "the same: it tells stories to a recorder, and plays them in their own time",
}
MODULES = {"asyncio", "time"}
LATER = {"call_later", "call_at"}


def sleeps(text):
    """The places where a source sleeps: (line, its text). `asyncio.sleep(0)` gives others a turn, and is no sleep."""
    found = []
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            imported |= {name.asname or name.name for name in node.names if name.name == "sleep"}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and is_sleep(node, imported):
            found.append((node.lineno, ast.unparse(node)))
    return sorted(found)


def is_sleep(call, imported):
    first = call.args[0] if call.args else None
    is_zero = isinstance(first, ast.Constant) and first.value == 0
    if isinstance(call.func, ast.Name):
        return call.func.id in imported and not is_zero
    if not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr in LATER:
        return any(isinstance(part, ast.Constant) and isinstance(part.value, (int, float)) and part.value > 0
                   for part in ast.walk(first)) if first is not None else False
    of = call.func.value
    return call.func.attr == "sleep" and isinstance(of, ast.Name) and of.id in MODULES and not is_zero


class SleepsTest(unittest.TestCase):
    def test_no_lane_of_clients_sleeps(self):
        for path in sorted(CLIENTS.glob("*.py")):
            found = sleeps(path.read_text(encoding="utf-8"))
            with self.subTest(path.name):
                if path.name in BY_THE_CLOCK:
                    self.assertTrue(found, "it does not sleep any more: take it off the list")
                else:
                    self.assertEqual(found, [], "wait for what happens (worlds.py), or name the file here with a reason")

    def test_no_lane_of_clients_has_a_second_try(self):
        import run

        for lane in run.LANES:
            with self.subTest(lane.title):
                self.assertFalse(lane.make.repeats)

    def test_sleeps_are_found(self):
        for text in ("import asyncio\nasyncio.sleep(4)", "import time\ntime.sleep(x / 2)", "loop.call_later(0.5, go)",
                     "from time import sleep\nsleep(1)", "from asyncio import sleep as rest\nrest(2)",
                     "loop.call_at(loop.time() + 3, go)"):
            with self.subTest(text):
                self.assertEqual(len(sleeps(text)), 1)
        for text in ("import asyncio\nasyncio.sleep(0)", "loop.call_later(left, go)", "world.sleep(3)", "# asyncio.sleep(4)"):
            with self.subTest(text):
                self.assertEqual(sleeps(text), [])


if __name__ == "__main__":
    unittest.main()
