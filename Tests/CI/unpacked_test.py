"""The installer of an archive on systems that are none for it: a sentence says what is needed and what works there."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNAME = 'case $1 in -s) echo %s ;; -m) echo %s ;; esac'
GLIBC = "echo glibc %s"
NONE = "exit 1"


class UnpackedTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        text = (ROOT / "ci" / "unpacked").read_text().replace("=MACHINE\n", "=x86_64\n").replace("=GLIBC\n", "=2.35\n")
        self.write("unpacked/install", text)
        self.write("unpacked/bin/meshbed", "#!/bin/sh\necho started\n")
        self.write("unpacked/share/man/man1/meshbed.1.gz", "page")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def install(self, *words, system="Linux", machine="x86_64", getconf=GLIBC % "2.36", ldd=NONE):
        for name, line in {"uname": UNAME % (system, machine), "getconf": getconf, "ldd": ldd}.items():
            self.write(f"tools/{name}", f"#!/bin/sh\n{line}\n")
        done = subprocess.run(
            [self.folder / "unpacked" / "install", *words], capture_output=True, text=True, cwd=self.folder,
            env=dict(os.environ, PATH=f"{self.folder / 'tools'}:{os.environ['PATH']}"))
        return done.returncode, done.stdout + done.stderr

    def refused(self, *words, **system):
        status, said = self.install("--check", **system)
        self.assertEqual(status, 1, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("meshbed needs Linux on x86_64 with glibc 2.35 or newer", said)
        for word in words:
            self.assertIn(word, said)

    def test_it_installs_where_the_command_starts(self):
        status, said = self.install(str(self.folder / "own"))
        self.assertEqual(status, 0, said)
        done = subprocess.run([self.folder / "own" / "bin" / "meshbed"], capture_output=True, text=True)
        self.assertEqual(done.stdout, "started\n")
        self.assertTrue((self.folder / "own" / "share" / "man" / "man1" / "meshbed.1.gz").exists())

    def test_the_oldest_glibc_that_is_allowed_is_enough(self):
        self.assertEqual(self.install("--check", getconf=GLIBC % "2.35")[0], 0)

    def test_a_glibc_that_is_too_old_is_told_of_containers(self):
        self.refused("this system has 2.31", "container", getconf=GLIBC % "2.31")

    def test_versions_are_compared_as_numbers(self):
        self.refused("this system has 2.4", getconf=GLIBC % "2.4")

    def test_musl_is_told_of_containers(self):
        self.refused("musl", "container", getconf=NONE, ldd="echo musl libc >&2; exit 1")

    def test_another_processor_is_told_of_its_archive_and_of_the_source(self):
        self.refused("this machine is aarch64", "the archive for aarch64", "ci/install", machine="aarch64")

    def test_another_system_is_told_of_containers(self):
        self.refused("this is Darwin", "container", system="Darwin")


if __name__ == "__main__":
    unittest.main()
