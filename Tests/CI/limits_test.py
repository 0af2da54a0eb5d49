"""ci/limits: what it reads of callgrind's file, and what it calls a difference."""

import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
loader = importlib.machinery.SourceFileLoader("limits", os.path.join(ROOT, "ci", "limits"))
limits = importlib.util.module_from_spec(importlib.util.spec_from_loader("limits", loader))
loader.exec_module(limits)

# A function of the simulator that calls one of the firmware twice, and the C library's memcpy.
FILE = """version: 1
positions: line
events: Ir D1mr DLmr D1mw DLmw

fn=(1) $s13MeshSimulator5WorldV3run
0 100 4 1 0 0
cfn=(2) $s12MeshFirmware11RoutingCoreV
calls=2 0
0 60 2 2 0 0
+3 7 0 0 1 1
fn=(2)
0 40 2 2 0 0
cfn=(3) memcpy
calls=1 0
0 20 0 0 0 0
fn=(3)
0 20 0 0 0 0
"""


def stored(instructions, sent=10):
    return {"mesh": {"sent": sent, "received": 5, "arrived": 8, "instructions per arrival": instructions,
                     "instructions per reception": 2 * instructions}}


class CostsTest(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "costs")
            with open(path, "w", encoding="utf-8") as file:
                file.write(FILE)
            self.costs = limits.Costs(path)

    def test_a_call_counts_for_the_called_function_alone(self):
        self.assertEqual(self.costs.total("Ir"), 100 + 7 + 40 + 20)
        self.assertEqual(self.costs.calls["$s12MeshFirmware11RoutingCoreV"], 2)
        self.assertEqual(self.costs.total("DLmr", "DLmw"), 1 + 1 + 2)

    def test_each_instruction_has_one_owner(self):
        self.assertEqual(dict(self.costs.shares()),
                         {"simulator": 107, "firmware": 40, "copies and allocations": 20})


class DifferencesTest(unittest.TestCase):
    def test_two_percent_are_no_difference(self):
        self.assertEqual(limits.differences(stored(1000), stored(1019)), [])

    def test_more_and_less_are_told_with_both_figures(self):
        for now, sign in ((1021, "+2.1 %"), (979, "-2.1 %")):
            lines = limits.differences(stored(1000), stored(now))
            self.assertEqual(len(lines), 2)
            self.assertIn(f"stored 1000, now {now}, {sign}", lines[0])

    def test_another_run_is_named(self):
        lines = limits.differences(stored(1000), stored(1000, sent=11))
        self.assertEqual(lines, ["mesh: sent: stored 10, now 11: another run than the stored one"])


if __name__ == "__main__":
    unittest.main()
