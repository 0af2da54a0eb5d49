"""ci/features with a small table and counted functions of its own."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    """ci/features as a module; its name has no ending."""
    loader = importlib.machinery.SourceFileLoader("ci_features", str(ROOT / "ci" / "features"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ci_features", loader))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


features = load()

TABLE = """
| feature | | type or script | member | page | test or reason |
|---|---|---|---|---|---|
| F-1 | Queue | `AppState` | `queuedCount` as `queued` | every page | texts are counted |
| F-2 | Mark | `MessageQuote` | `sender` | chats/:id | an answer quotes |
| F-3 | Ways | `ways.mjs` | `Ways` | every page | a tab leads back |
| F-4 | Keyboard | none | none | no page | It belongs to the host. |
"""
QUEUED = "PocketMeshUI.AppState.queuedCount() async throws -> Swift.Int"
OTHER = "PocketMeshUI.AppState.queuedCounts() -> Swift.Int"
QUOTED = "PocketMeshUI.ChatViewModel.quote(of: Foundation.UUID) -> PocketMeshUI.MessageQuote?"


class FeaturesTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        table = pathlib.Path(scratch.name) / "table.md"
        table.write_text(TABLE)
        for owner, name in ((features, "TABLE"), (features.counted, "build"), (features.counted, "counts"), (features.counted, "spelled")):
            self.addCleanup(setattr, owner, name, getattr(owner, name))
        features.TABLE = str(table)
        features.counted.build = lambda scratch, is_built: "tests"
        features.counted.spelled = sorted

    def lines(self, *arguments, **runs):
        """Exit status and lines where each test, named by its first word, runs these functions."""
        def counts(binary, pattern):
            ran = runs[pattern.split("\\")[0]]
            if ran is None:
                raise subprocess.CalledProcessError(69, binary)
            return {("a.swift", name): int(name in ran) for name in (QUEUED, OTHER, QUOTED)}

        features.counted.counts = counts
        before, sys.argv = sys.argv, ["features", *arguments]
        self.addCleanup(setattr, sys, "argv", before)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = features.main()
        return status, out.getvalue().splitlines()

    def test_a_member_that_is_counted_has_to_run(self):
        self.assertEqual(self.lines(texts=[QUEUED], an=[QUOTED]), (0, ["2 of 2 rows: the test runs the member"]))

        status, lines = self.lines(texts=[OTHER], an=[QUOTED])

        self.assertEqual((status, lines[0]), (1, "F-1: nothing of AppState.queuedCount runs in 'texts are counted'"))
        self.assertEqual(lines[-1], "1 of 2 rows: the test runs the member")

    def test_of_a_stored_member_the_type_has_to_run(self):
        status, lines = self.lines("--only", "F-2", an=[QUEUED])

        self.assertEqual((status, lines[0]), (1, "F-2: nothing of MessageQuote.sender runs in 'an answer quotes'"))

    def test_a_test_that_fails_or_is_missing_shows_nothing(self):
        status, lines = self.lines(texts=None, an=[QUOTED])

        self.assertEqual((status, lines[0]), (1, "F-1: 'texts are counted' failed, or is not there"))


if __name__ == "__main__":
    unittest.main()
