"""ci/needs with words of readelf: the libraries and versions that a release may ask for."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("needs", str(ROOT / "ci" / "needs"))
needs = importlib.util.module_from_spec(importlib.util.spec_from_loader("needs", LOADER))
LOADER.exec_module(needs)

DYNAMIC = """
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [ld-linux-x86-64.so.2]
"""
SYMBOLS = """
     1: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND hypot@GLIBC_2.35 (2)
     2: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND getrandom@GLIBC_2.25 (3)
     3: 0000000000000000     0 NOTYPE  WEAK   DEFAULT  UND __gmon_start__
"""


class NeedsTest(unittest.TestCase):
    def found(self, dynamic=DYNAMIC, symbols=SYMBOLS):
        return list(needs.problems(*needs.needs(dynamic, symbols), (2, 35)))

    def test_a_program_that_asks_for_glibc_alone_is_right(self):
        self.assertEqual(self.found(), [])

    def test_a_library_of_others_is_named(self):
        found = self.found(DYNAMIC + " 0x1 (NEEDED)             Shared library: [libsqlite3.so.0]\n")
        self.assertEqual(found, ["it asks for libsqlite3.so.0, which is not glibc's"])

    def test_a_symbol_that_is_too_new_is_named_with_its_version(self):
        found = self.found(symbols=SYMBOLS + "     4: 0     0 FUNC    GLOBAL DEFAULT  UND arc4random@GLIBC_2.36 (4)\n")
        self.assertEqual(found, ["glibc 2.36 is newer than 2.35: arc4random"])

    def test_versions_are_compared_as_numbers(self):
        found = self.found(symbols=SYMBOLS + "     4: 0     0 FUNC    GLOBAL DEFAULT  UND one@GLIBC_2.4 (4)\n")
        self.assertEqual(found, [])

    def test_the_tables_of_unicode_are_named(self):
        self.assertEqual(list(needs.carried(b"\x7fELF icu words \x00 udata")), [])
        self.assertIn("34 MB", next(needs.carried(b"\x7fELF\x00icudt76l/brkitr\x00")))

    def test_words_that_are_not_understood_are_no_success(self):
        self.assertEqual(self.found("", ""), ["neither libraries nor symbols were found in it"])

    def test_the_version_is_that_of_the_wheel(self):
        self.assertEqual(needs.allowed(), (2, 35))


if __name__ == "__main__":
    unittest.main()
