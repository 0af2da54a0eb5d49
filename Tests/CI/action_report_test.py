"""Tests of ci/action/junit.py, which shows files of JUnit XML on the pages of a job."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.sax.saxutils import quoteattr

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "ci/action/junit.py"
HOSTILE = "x|`*_[a](b)<b>&#@!$\\%:,\n::error::forged\n## forged"


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def report(self, cases, *options):
        """Runs the program on a file of these cases; its exit status, its lines, the summary and the badge."""
        with open(self.path("results.xml"), "w", encoding="utf-8") as file:
            file.write(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
        done = subprocess.run(
            [sys.executable, "-B", PROGRAM, "--annotations", "--summary", self.path("summary.md"), "--badge",
             self.path("badge.json"), *options, self.path("results.xml")], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def failed(name, message="no"):
        return f"<testcase name={quoteattr(name)} classname='suite'><failure message={quoteattr(message)}>why</failure></testcase>"

    def test_tests_that_passed_have_a_green_badge_and_no_annotation(self):
        status, lines = self.report(["<testcase name='a'/>", "<testcase name='b'><skipped/></testcase>"])
        self.assertEqual((status, lines), (0, []))
        self.assertIn("| 1 | 0 | 1 |", self.read("summary.md"))
        badge = json.loads(self.read("badge.json"))
        self.assertEqual(badge, {"schemaVersion": 1, "label": "tests", "message": "1 passed", "color": "brightgreen"})

    def test_skipped_tests_alone_show_nothing(self):
        self.report(["<testcase name='a'><skipped/></testcase>"])
        self.assertEqual(json.loads(self.read("badge.json"))["color"], "lightgrey")

    def test_a_failed_test_is_named(self):
        status, lines = self.report(["<testcase name='a'/>", self.failed("b: 5 %", "not 3")])
        self.assertEqual((status, lines), (1, ["::error title=b%3A 5 %25::not 3%0Asuite"]))
        self.assertTrue(self.read("summary.md").startswith("## ✗ Tests: 1 failed\n"))
        self.assertEqual(json.loads(self.read("badge.json"))["color"], "red")

    def test_a_flagged_failure_is_a_warning(self):
        status, lines = self.report([self.failed("a")], "--exit-policy", "flag")
        self.assertEqual((status, lines), (0, ["::warning title=a::no%0Asuite"]))

    def test_of_many_failures_the_tenth_line_says_how_many_there_are(self):
        _, lines = self.report([self.failed(f"t{number}") for number in range(12)])
        self.assertEqual(len(lines), 10)
        self.assertEqual(lines[-1], "::error title=3 more of this kind::t9%0At10%0At11")

    def test_a_summary_stands_behind_what_the_file_has(self):
        for _ in range(2):
            self.report(["<testcase name='a'/>"])
        self.assertEqual(self.read("summary.md").count("## ✓ Tests: all passed"), 2)

    def test_a_hostile_name_is_shown_and_obeyed_nowhere(self):
        _, lines = self.report([self.failed(HOSTILE, HOSTILE)])
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("::error title=x|"))
        summary = self.read("summary.md").splitlines()
        self.assertNotIn("## forged", summary)
        self.assertEqual(sum("|" in line for line in summary), 3)
        heading = next(line for line in summary if line.startswith("#### "))
        self.assertFalse(set(heading[5:]) & set("<>`*_[]|\\"))

    def test_files_without_tests_or_with_other_things_are_no_success(self):
        status, lines = self.report([])
        self.assertEqual(status, 2)
        self.assertIn("no test ran", lines[0])
        status, lines = self.report(["<testcase"])
        self.assertEqual(status, 2)
        self.assertTrue(lines[0].startswith("::error title=Meshbed::"))


if __name__ == "__main__":
    unittest.main()
