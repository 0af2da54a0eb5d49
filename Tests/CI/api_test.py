"""ci/api: the table of releases, the version, what the comparison says, and what follows from it."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    """ci/api as a module; its name has no ending."""
    loader = importlib.machinery.SourceFileLoader("ci_api", str(ROOT / "ci" / "api"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ci_api", loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


api = load()


class ApiTest(unittest.TestCase):
    def run_with(self, files, *arguments, found=()):
        """Exit status, all that was printed, and the comparisons that were asked for, with these files and breakages."""
        asked = []
        for name in ("read", "compare"):
            self.addCleanup(setattr, api, name, getattr(api, name))
        api.read = lambda path: files[path]
        api.compare = lambda *words: asked.append(words) or list(found)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = api.main(list(arguments))
        return status, out.getvalue(), asked

    def files(self, releases, version):
        return {"ci/releases": releases, api.VERSION: f'static let current = MeshbedVersion(number: "{version}")'}

    # The table

    def test_the_last_line_counts_and_comments_do_not(self):
        self.assertIsNone(api.last_release("# nothing yet\n\n"))
        self.assertEqual(api.last_release("0.1.0 1234567\n0.2.0 89abcdef01 # the newest\n"), ("0.2.0", "89abcdef01"))

    def test_a_line_that_makes_no_sense_is_named(self):
        for line in ("0.1 1234567", "0.1.0", "0.1.0 main", "0.1.0 1234567 x", "0.1.0-dev 1234567"):
            with self.subTest(line), self.assertRaisesRegex(api.Mistake, "ci/releases:2: "):
                api.last_release(f"# table\n{line}\n")

    def test_the_table_of_this_repository_makes_sense(self):
        api.last_release(api.read("ci/releases"))

    # What is compared

    def test_all_products_are_compared_with_the_last_release(self):
        status, _, asked = self.run_with(self.files("0.1.0 1234567", "0.1.1-dev"))

        self.assertEqual((status, asked), (0, [("1234567", [])]))

    def test_this_repository_has_a_version(self):
        api.present_version(api.read(api.VERSION))

    def test_chosen_products_are_compared_alone_and_with_any_commit(self):
        _, _, asked = self.run_with(self.files("", "0.1.0"), "--products", "MeshCore", "MeshPictures", "--against", "main")

        self.assertEqual(asked, [("main", ["MeshCore", "MeshPictures"])])

    # Verdicts

    def test_without_a_release_there_is_nothing_to_compare_with(self):
        status, text, asked = self.run_with(self.files("# none\n", "0.1.0-dev"))

        self.assertEqual((status, asked), (0, []))
        self.assertIn("names no release yet", text)

    def test_a_breakage_fails_within_a_minor_version_and_is_told_in_a_new_one(self):
        for version, expected in (("0.1.0", 1), ("0.1.7-dev", 1), ("0.2.0-dev", 0), ("1.1.0", 0)):
            with self.subTest(version):
                status, text, _ = self.run_with(self.files("0.1.0 1234567", version), found=["func gone()"])
                self.assertEqual(status, expected)
                self.assertIn("  func gone()\n1 changes ", text)

    def test_a_breakage_against_a_commit_fails(self):
        self.assertEqual(self.run_with(self.files("", "0.2.0"), "--against", "abc", found=["x"])[0], 1)

    def test_breakages_are_read_from_what_the_tool_prints(self):
        self.assertEqual(
            api.breakages("1 breaking change detected in MeshCore:\n  💔 API breakage: func a() has been removed\n"),
            ["func a() has been removed"])

    def test_arguments_that_make_no_sense_are_refused(self):
        for words in (["--product"], ["--products"], ["--against"], ["now"]):
            with self.subTest(words):
                self.assertEqual(self.run_with(self.files("0.1.0 1234567", "0.1.0"), *words)[0], 2)


if __name__ == "__main__":
    unittest.main()
