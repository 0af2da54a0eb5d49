"""ci/wheel refuses a program that is not for its wheel, in words, and leaves nothing behind."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class WheelTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        shutil.copytree(ROOT / "Sources/Python", self.folder / "Sources/Python")
        (self.folder / "ci").mkdir()
        shutil.copy(ROOT / "ci/wheel", self.folder / "ci/wheel")
        self.write("ci/python", "true")
        self.write(".build/venv-wheel/bin/python", f'[ "$1 $2" != "-m build" ] || {{ echo no flit; exit 1; }}; exec {sys.executable} "$@"')
        self.version = (self.folder / "Sources/Python/pyproject.toml").read_text().split('version = "')[1].split('"')[0]
        self.write("program", f"echo '{self.version.replace('.dev0', '-dev')} (0123456789)'")
        self.machine("Advanced Micro Devices X86-64")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def machine(self, name):
        self.write("tools/readelf", f"echo '  Machine:      {name}'")

    def refusal(self, *words):
        """What it says; it must have ended with 2, and written nothing."""
        done = subprocess.run(
            [self.folder / "ci/wheel", *words], capture_output=True, text=True,
            env=dict(os.environ, PATH=f"{self.folder}/tools:{os.environ['PATH']}", SOURCE_DATE_EPOCH="1000000000"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertFalse((self.folder / "made").exists())
        self.assertEqual(list((self.folder / ".build").glob("wheel.*")), [])
        return done.stderr

    def made(self):
        return self.refusal(self.folder / "program", self.folder / "made")

    def test_it_needs_a_program_and_a_folder(self):
        self.assertIn("a program and a folder", self.refusal())
        self.assertIn("is not a program", self.refusal(self.folder / "Sources/Python/README.md", self.folder / "made"))

    def test_a_program_for_no_known_processor(self):
        self.machine("RISC-V")
        self.assertIn("not a program for a processor that wheels are made for", self.made())

    def test_a_program_for_a_processor_that_the_package_does_not_name(self):
        self.machine("AArch64")
        self.assertIn("is for aarch64, which Sources/Python/meshbed/search.py does not name", self.made())

    def test_a_program_of_another_version(self):
        self.write("program", "echo '9.8.7 (0123456789)'")
        self.assertIn(f"the command is 9.8.7 (0123456789), and Sources/Python/pyproject.toml says {self.version}", self.made())

    def test_a_package_that_cannot_be_built(self):
        # It has passed all that is looked at before.
        self.assertIn("the package could not be built: no flit", self.made())


if __name__ == "__main__":
    unittest.main()
