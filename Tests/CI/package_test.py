"""ci/package with tools that do next to nothing: what lies there under the package's name is whole."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALL = 'mkdir -p "$DESTDIR/usr/bin"; echo program >"$DESTDIR/usr/bin/meshbed"'
TOOLS = {
    "meshbed": "echo '0.2.0-dev (0123456789)'",
    "dpkg": "echo amd64",
    "dpkg-shlibdeps": "echo 'shlibs:Depends=libc6'",
    "readelf": "true",
    "git": "echo 0",
}
WHOLE = 'echo whole >"${@: -1}"'
# As when somebody ends everything while the package is being written.
KILLED = 'echo half >"${@: -1}"; kill -KILL $PPID'


class PackageTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "ci").mkdir()
        shutil.copy(ROOT / "ci" / "package", self.folder / "ci" / "package")
        self.write("ci/install", INSTALL)
        for name, line in TOOLS.items():
            self.write(f"tools/{name}", line)

    def write(self, name, line):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{line}\n")
        path.chmod(0o755)

    def packages(self, dpkg_deb):
        """Returns the files afterwards, by name, and the exit status."""
        self.write("tools/dpkg-deb", dpkg_deb)
        tools = self.folder / "tools"
        done = subprocess.run(
            [self.folder / "ci" / "package"], capture_output=True, text=True,
            env=dict(os.environ, MESHBED=str(tools / "meshbed"), PATH=f"{tools}:{os.environ['PATH']}"))
        found = (self.folder / ".build" / "package").glob("meshbed_*.deb")
        return {path.name: path.read_text() for path in found}, done.returncode

    def test_a_package_that_was_stopped_is_not_there_under_its_name(self):
        packages, status = self.packages(KILLED)
        self.assertEqual(packages, {})
        self.assertNotEqual(status, 0)

    def test_a_release_has_its_version_alone(self):
        self.write("tools/meshbed", "echo '0.2.0 (0123456789)'")
        self.assertEqual(list(self.packages(WHOLE)[0]), ["meshbed_0.2.0_amd64.deb"])

    def test_a_package_that_was_there_stays_whole_when_the_next_one_is_stopped(self):
        name = "meshbed_0.2.0~dev+0123456789_amd64.deb"
        self.assertEqual(self.packages(WHOLE), ({name: "whole\n"}, 0))
        self.assertEqual(self.packages(KILLED)[0], {name: "whole\n"})


if __name__ == "__main__":
    unittest.main()
