"""ci/documentation: the first page of the site says what is true. Needs the release build, or the program in MESHBED."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Sources" / "Python"))
PROGRAM = os.environ.setdefault("MESHBED", str(ROOT / ".build" / "release" / "meshbed"))

from meshbed import Mesh  # noqa: E402


class FrontPageTest(unittest.TestCase):
    def setUp(self):
        page = (ROOT / "ci/documentation/pages/index.md").read_text(encoding="utf-8")
        self.blocks = dict(re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", page, re.M | re.S))
        self.commands = [line for line in self.blocks["sh"].splitlines() if not line.startswith("#")]

    def test_there_are_three_commands_and_the_first_installs(self):
        self.assertEqual([command.split()[0] for command in self.commands], ["pip", "meshbed", "pytest"])
        self.assertRegex(self.commands[0], r"^pip install meshbed\b")

    def test_the_radio_listens(self):
        words = self.commands[1].replace(":5000", ":0").split()
        with subprocess.Popen([PROGRAM, *words[1:]], stdout=subprocess.PIPE, text=True) as process:
            said = ""
            while "Running" not in said:
                line = process.stdout.readline()
                self.assertTrue(line, f"it ended: {said}")
                said += line
            process.send_signal(signal.SIGINT)

        self.assertRegex(said, r"alice +companion radio .* tcp://127\.0\.0\.1:[1-9]\d*")
        self.assertRegex(said, r"rep1 +repeater ")
        self.assertRegex(said, r"bob +companion radio ")

    def test_the_test_passes(self):
        names = {}
        exec(compile(self.blocks["python"], "test_hello.py", "exec"), names)  # The page is ours.
        tests = [name for name in names if name.startswith("test_")]
        self.assertEqual(len(tests), 1)

        with Mesh.start("pair", seed=7) as mesh:
            names[tests[0]](mesh)


if __name__ == "__main__":
    unittest.main()
