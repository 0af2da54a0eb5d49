"""Tests/Control/day.py: memory that grows, and memory that stays."""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Control"))

import day


class MemoryTest(unittest.TestCase):
    def test_what_fills_at_first_is_flat(self):
        self.assertTrue(day.is_flat([47 << 20, 90 << 20, 120 << 20, 118 << 20, 121 << 20, 120 << 20]))

    def test_a_little_with_each_pass_is_growth(self):
        self.assertFalse(day.is_flat([(100 + 10 * number) << 20 for number in range(10)]))

    def test_one_rise_at_the_end_is_growth(self):
        self.assertFalse(day.is_flat([100 << 20] * 9 + [130 << 20]))


if __name__ == "__main__":
    unittest.main()
