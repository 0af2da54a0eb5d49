"""ci/release with tools that do next to nothing: its files, and what it refuses."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.2.0, 2026-11-28\n\n- Old.\n"
TOOLS = {
    "ci/install": 'mkdir -p "$DESTDIR$1/bin" "$DESTDIR$1/share"; echo program >"$DESTDIR$1/bin/meshbed"',
    "ci/needs": "echo 2.35",
    "ci/package": "echo package >.build/a.deb; echo '.build/a.deb, 1 kB'",
    "ci/wheel": 'echo wheel >"$2/a.whl"',
    "ci/contents": "echo '{}'",
}


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in ("release", "unpacked"):
            self.write(f"ci/{name}", (ROOT / "ci" / name).read_text())
        for name, line in TOOLS.items():
            self.write(name, f"#!/bin/bash\n{line}\n")
        self.write("meshbed", "#!/bin/bash\necho '0.2.0 (0123456789)'\n")
        self.write("Sources/MeshTestbed/MeshTestbed.docc/Changelog.md", CHANGELOG)
        self.write(".gitignore", ".build/\n")
        shutil.copy(ROOT / "LICENSE", self.folder / "LICENSE")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def release(self, *words):
        environment = dict(os.environ, MESHBED="./meshbed")
        environment.pop("SOURCE_DATE_EPOCH", None)
        done = subprocess.run([self.folder / "ci" / "release", *words], cwd=self.folder, env=environment,
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def files(self, folder=".build/artifacts"):
        return {path.name: path.read_bytes() for path in (self.folder / folder).glob("*")}

    def test_two_runs_write_equal_files(self):
        self.assertEqual(self.release("0.2.0", "one")[0], 0)
        os.utime(self.folder / "LICENSE", (0, 0))
        self.assertEqual(self.release("0.2.0", "two")[0], 0)
        self.assertEqual(self.files("one"), self.files("two"))
        machine = os.uname().machine
        self.assertEqual(sorted(self.files("one")), sorted([
            "NOTES.md", "SHA256SUMS", "a.deb", "a.whl", "meshbed-0.2.0-source.tar.gz", f"meshbed-0.2.0-linux-{machine}.tar.gz",
            f"meshbed-0.2.0-linux-{machine}.spdx.json"]))
        self.assertEqual(self.files("one")["NOTES.md"], b"\n- Old.\n")

    def test_the_sums_are_those_of_the_files(self):
        self.release("0.2.0")
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], check=True,
                       cwd=self.folder / ".build" / "artifacts")

    def test_a_snapshot_has_the_notes_of_what_is_not_released(self):
        self.assertEqual(self.release("--snapshot")[0], 0)
        self.assertEqual(self.files()["NOTES.md"], b"\n- New.\n")
        self.assertIn("meshbed-0.2.0-g0123456789-source.tar.gz", self.files())

    def refused(self, word, *words):
        status, said = self.release(*words)
        self.assertEqual(status, 2, said)
        self.assertIn(word, said)
        self.assertEqual(self.files(), {})

    def test_another_version_than_the_command_says_is_refused(self):
        self.refused("the command is 0.2.0", "0.3.0")

    def test_a_version_without_a_section_is_refused(self):
        self.write("meshbed", "#!/bin/bash\necho '0.3.0 (0123456789)'\n")
        self.refused("no section 0.3.0", "0.3.0")

    def test_a_changed_tree_is_no_release(self):
        self.write("meshbed", "#!/bin/bash\necho '0.2.0 (0123456789-modified)'\n")
        self.refused("the tree was changed", "0.2.0")

    def test_without_the_maker_of_wheels_it_says_so(self):
        (self.folder / "ci" / "wheel").unlink()
        self.refused("ci/wheel is missing", "0.2.0")

    def test_a_folder_of_others_is_left_alone(self):
        self.write("own/text", "mine")
        status, said = self.release("0.2.0", "own")
        self.assertEqual(status, 2)
        self.assertIn("not empty", said)
        self.assertEqual((self.folder / "own" / "text").read_text(), "mine")

    def test_a_program_that_needs_too_much_is_no_release(self):
        self.write("ci/needs", "#!/bin/bash\nexit 1\n")
        self.assertEqual(self.release("0.2.0")[0], 1)
        self.assertEqual(self.files(), {})


if __name__ == "__main__":
    unittest.main()
