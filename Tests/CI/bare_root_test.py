"""ci/bare_root with a debootstrap that makes folders: what a root gets of this machine."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBOOTSTRAP = r'''printf '%s\n' "$@" >"$BARE_ARGUMENTS"
for last; do [ ! -d "$last" ] || mkdir -p "$last/etc/apt"; done
'''
CONFIGURED = """cat <<END
:env:.cert='$CERTIFICATES'
:env:.default-timeout='30'
:env:.find-links='/srv/wheels'
global.cert='/nowhere'
global.index-url='https://pypi.example/simple'
global.timeout='60'
user.progress-bar='off'
END"""


class BareRootTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "ci").mkdir()
        shutil.copy(ROOT / "ci/bare_root", self.folder / "ci/bare_root")
        self.certificates = self.folder / "certificates.pem"
        self.certificates.write_text("of this machine")
        self.bare = self.folder / "bare"
        self.write("id", "echo 0")
        self.write("debootstrap", DEBOOTSTRAP)
        self.write("python3", CONFIGURED)

    def write(self, name, text):
        path = self.folder / "tools" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def order(self, *words, **environment):
        return subprocess.run(
            [self.folder / "ci/bare_root", *words], capture_output=True, text=True,
            env=dict(os.environ, PATH=f"{self.folder}/tools:{os.environ['PATH']}", CERTIFICATES=str(self.certificates),
                     BARE_ARGUMENTS=str(self.folder / "arguments"), **environment))

    def test_packages_and_release_reach_debootstrap(self):
        self.assertEqual(self.order("make", str(self.bare), "python3-venv", "gcc", SUITE="trixie").returncode, 0)
        arguments = (self.folder / "arguments").read_text().splitlines()
        self.assertIn("--include=python3-venv,gcc", arguments)
        self.assertIn("trixie", arguments)

    def test_pip_in_the_root_has_this_machine_s_way_and_none_of_its_folders(self):
        self.assertEqual(self.order("make", str(self.bare)).returncode, 0)
        lines = (self.bare / "etc/pip.conf").read_text().splitlines()
        self.assertEqual(lines[0], "[global]")
        self.assertEqual(
            sorted(lines[1:]), [f"cert = {self.certificates}", "index-url = https://pypi.example/simple", "timeout = 30"])
        self.assertEqual((self.bare / str(self.certificates).lstrip("/")).read_text(), "of this machine")

    def test_a_root_that_could_not_be_made_is_told_with_the_reason(self):
        self.write("debootstrap", "echo 'E: no such release'; exit 1")
        done = self.order("make", str(self.bare))
        self.assertEqual(done.returncode, 2)
        self.assertIn("debootstrap failed: E: no such release", done.stderr)

    def test_only_root_makes_roots(self):
        self.write("id", "echo 1000")
        done = self.order("make", str(self.bare))
        self.assertEqual((done.returncode, "as root" in done.stderr), (2, True))

    def test_a_root_is_removed_whole(self):
        (self.bare / "etc").mkdir(parents=True)
        self.assertEqual(self.order("remove", str(self.bare)).returncode, 0)
        self.assertFalse(self.bare.exists())

    def test_an_unknown_order_is_refused(self):
        self.assertEqual(self.order("destroy", str(self.bare)).returncode, 2)


if __name__ == "__main__":
    unittest.main()
