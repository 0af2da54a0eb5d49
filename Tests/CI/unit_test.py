"""ci/unit with a test binary that prints what it is told: which failures are repeated, and which count."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSED = "✔ Test run with 3 tests in 2 suites passed after 1.0 seconds."
FAILED = "✘ Test run with 3 tests in 2 suites failed after 1.0 seconds with 1 issue."
BROKEN = """✘ Test "it holds" recorded an issue at LinkSystemTests.swift:6:13: Expectation failed: false
✘ Test "it holds" failed after 0.1 seconds with 1 issue.
✘ Suite LinkSystemTests failed after 0.2 seconds with 1 issue.
""" + FAILED


class UnitTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_lane(self, lane, *answers, ends=1):
        """Exit status, what was printed, and the arguments of each run; the n-th run prints the n-th answer."""
        binary = self.folder / "tests"
        for number, answer in enumerate(answers):
            (self.folder / f"answer-{number}").write_text(answer + "\n")
        binary.write_text(f"""#!/bin/bash
cd {self.folder}
number=$(cat runs 2>/dev/null | wc -l)
echo "$*" >>runs
cat "answer-$number"
! grep -q '^✘' "answer-$number" || exit {ends}
""")
        binary.chmod(0o755)
        done = subprocess.run([ROOT / "ci" / "unit", lane, binary], env=dict(os.environ, UNIT_LOGS=str(self.folder)),
                              capture_output=True, text=True)
        return done.returncode, done.stdout, (self.folder / "runs").read_text().splitlines()

    def flaky(self):
        path = self.folder / "ci" / "flaky.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def test_a_run_that_passes_is_not_repeated(self):
        status, _, runs = self.run_lane("system", PASSED)

        self.assertEqual((status, len(runs), self.flaky()), (0, 1, {}))

    def test_a_suite_that_passes_when_repeated_alone_is_flaky(self):
        status, text, runs = self.run_lane("system", BROKEN, PASSED)

        self.assertEqual(status, 0)
        self.assertTrue(runs[1].endswith("--filter [./]LinkSystemTests/"), runs)
        self.assertIn("FLAKY   LinkSystemTests: passed when repeated alone; 1 times so far", text)
        entry = self.flaky()["unit: LinkSystemTests"]
        self.assertEqual(entry["count"], 1)
        self.assertIn("LinkSystemTests.swift:6:13", entry["problem"])
        self.assertIn("it holds", pathlib.Path(entry["trace"]).read_text())

    def test_a_suite_that_fails_twice_has_failed(self):
        status, text, runs = self.run_lane("system", BROKEN, BROKEN)

        self.assertEqual((status, len(runs), self.flaky()), (1, 2, {}))
        self.assertIn("FAILED  LinkSystemTests: failed again", text)

    def test_two_suites_are_repeated_one_by_one(self):
        other = "✘ Suite OtherSystemTests failed after 0.2 seconds with 1 issue.\n" + BROKEN

        status, _, runs = self.run_lane("system", other, PASSED, BROKEN)

        self.assertEqual((status, len(runs), len(self.flaky())), (1, 3, 1))

    def test_a_crash_is_not_repeated(self):
        status, _, runs = self.run_lane("system", BROKEN.removesuffix(FAILED))

        self.assertEqual((status, len(runs)), (1, 1))

    def test_an_issue_that_belongs_to_no_test_counts(self):
        stray = "✘ Test «unknown» recorded an issue at Somewhere.swift:1:1: Expectation failed\n" + BROKEN

        status, _, runs = self.run_lane("system", stray)

        self.assertEqual((status, len(runs)), (1, 1))

    def test_a_crash_behind_the_last_line_is_not_repeated(self):
        status, _, runs = self.run_lane("system", BROKEN, ends=139)

        self.assertEqual((status, len(runs)), (1, 1))

    def test_a_failure_that_no_suite_names_counts(self):
        status, _, runs = self.run_lane("system", FAILED)

        self.assertEqual((status, len(runs)), (1, 1))

    def test_a_run_that_is_stopped_names_its_tests_and_begins_nothing_else(self):
        binary = self.folder / "tests"
        binary.write_text("#!/bin/bash\necho '◇ Test \"it hangs\" started.'\nexec sleep 600\n")
        binary.chmod(0o755)

        process = subprocess.Popen([ROOT / "ci" / "unit", "system", binary], env=dict(os.environ, UNIT_LOGS=str(self.folder)),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        log = self.folder / "unit-system.log"
        while not log.exists() or "it hangs" not in log.read_text():
            self.assertIsNone(process.poll())
        os.killpg(process.pid, signal.SIGTERM)
        _, said = process.communicate()

        self.assertEqual(process.returncode, 143)
        self.assertIn('begun and not ended, 1 at once:\n  "it hangs"', said)

    def test_the_plain_lane_repeats_nothing(self):
        status, _, runs = self.run_lane("plain", BROKEN, PASSED)

        self.assertEqual((status, len(runs)), (1, 1))


if __name__ == "__main__":
    unittest.main()
