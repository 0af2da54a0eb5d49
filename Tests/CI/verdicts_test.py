"""ci/verdicts: what it compares, what it keeps, and what it makes of a program whose answers differ."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
loader = importlib.machinery.SourceFileLoader("verdicts", os.path.join(ROOT, "ci", "verdicts"))
verdicts = importlib.util.module_from_spec(importlib.util.spec_from_loader("verdicts", loader))
loader.exec_module(verdicts)

# A program that writes a report of two checks. The file beside it tells whether the run of a number is another one.
PROGRAM = """#!{python}
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/runs", "a+") as runs:
    runs.write("x")
    runs.flush()
    number = os.fstat(runs.fileno()).st_size
odd = int(open(here + "/odd").read())
if odd == -number:
    sys.exit("no such radio")
checks = [{{"id": "A-1", "verdict": "kept", "seconds": number}}, {{"id": "A-2", "verdict": "broken" if number == odd else "kept"}}]
json.dump({{"date": str(number), "kept": 2, "checks": checks}}, open(sys.argv[-1], "w"))
"""


class VerdictsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = os.path.join(self.folder.name, "meshbed")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(python=sys.executable))
        os.chmod(self.program, 0o755)

    def count(self, odd, wanted=1):
        """Counts with a short round: once the scenarios, twice a conversation."""
        with open(os.path.join(self.folder.name, "odd"), "w", encoding="utf-8") as file:
            file.write(str(odd))
        with mock.patch.object(verdicts, "ROUND", (verdicts.SCENARIOS, *verdicts.CONVERSATIONS[:1] * 2)):
            with contextlib.redirect_stdout(io.StringIO()) as said:
                return verdicts.repeat(self.program, self.folder.name, wanted, 1), said.getvalue()

    def test_alike_and_continued(self):
        count, said = self.count(odd=0)
        self.assertEqual(said, "")
        self.assertRegex(count.text(), r"^6 verdicts \(4 of conversations, 2 of scenarios\) in 3 runs, .* 0 differed; at most 5.0e-01")
        # The same program goes on where it was: one further round is enough.
        self.assertEqual(self.count(odd=0, wanted=7)[0].all, 12)

    def test_a_verdict_that_differs(self):
        count, said = self.count(odd=4)
        self.assertIn("A-2: kept, then broken", said)
        self.assertEqual(len(count.differing), 1)
        self.assertNotIn("at most", count.text())
        self.assertEqual([name for name in os.listdir(self.folder.name) if name.startswith("run-")], ["run-1.json"])
        # It stays counted.
        self.assertEqual(len(self.count(odd=0)[0].differing), 1)

    def test_what_goes_on_is_compared_with_the_first_reports(self):
        self.count(odd=1)
        # The first report of the scenarios is the odd one: each later run differs from it, also after an interruption.
        self.assertEqual(len(self.count(odd=0, wanted=7)[0].differing), 2)

    def test_a_report_of_an_earlier_run_is_not_taken(self):
        with open(os.path.join(self.folder.name, f"{verdicts.SCENARIOS.replace(' ', '-')}.json"), "w", encoding="utf-8") as file:
            json.dump({"date": "d", "checks": []}, file)
        with self.assertRaisesRegex(verdicts.Failed, "no such radio"):
            self.count(odd=-1)

    def test_another_program_begins_anew(self):
        self.assertEqual(len(self.count(odd=4)[0].differing), 1)
        with open(self.program, "a", encoding="utf-8") as file:
            file.write("# another\n")
        self.assertEqual(self.count(odd=0)[0].differing, [])

    def test_a_run_without_a_report(self):
        with self.assertRaisesRegex(verdicts.Failed, "no such radio"):
            self.count(odd=-4)

    def test_times_are_no_difference_and_all_else_is(self):
        report = {"date": "d", "kept": 1, "checks": [{"id": "A", "verdict": "kept", "seconds": 1}]}
        later = json.loads(json.dumps(report))
        later["date"], later["checks"][0]["seconds"] = "e", 2
        self.assertEqual(verdicts.parted(verdicts.told(report), verdicts.told(later)), [])
        later["kept"] = 2
        self.assertEqual(verdicts.parted(verdicts.told(report), verdicts.told(later)), ["the report: , then "])
        later["checks"].append({"id": "B", "verdict": "kept"})
        self.assertEqual(verdicts.parted(verdicts.told(report), verdicts.told(later)), ["2 checks, then 3"])


if __name__ == "__main__":
    unittest.main()
