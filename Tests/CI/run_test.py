"""ci/run with small tables: verdicts, limits, what is not run, what is told."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    """ci/run as a module; its name has no ending."""
    loader = importlib.machinery.SourceFileLoader("ci_run", str(ROOT / "ci" / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ci_run", loader))
    sys.modules["ci_run"] = module
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


ci = load()


def lane(name, command, needs="", budget=20, tier="test", cores=1):
    return ci.Lane(name, tier, budget, needs, cores, command)


class RunTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name in ("LOGS", "DURATIONS", "FLAKY"):
            before = getattr(ci, name)
            setattr(ci, name, os.path.join(self.folder, os.path.basename(before)))
            self.addCleanup(setattr, ci, name, before)
        before, place = ci.table, os.getcwd()
        self.addCleanup(setattr, ci, "table", before)
        self.addCleanup(os.chdir, place)

    def run_lanes(self, *lanes, arguments=("test",)):
        """Exit status and lines of a run over these lanes."""
        ci.table = lambda: list(lanes)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = ci.main(list(arguments))
        return status, out.getvalue().splitlines()

    def test_the_last_line_counts_lanes(self):
        status, lines = self.run_lanes(lane("one", "true"), lane("two", "true"))

        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed"))

    def test_a_failed_lane_does_not_hide_the_others(self):
        status, lines = self.run_lanes(lane("bad", "echo the reason; exit 3"), lane("good", "echo all is well"))

        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))
        text = "\n".join(lines)
        self.assertRegex(text, r"FAILED   bad .*exit 3; its log: .*bad\.log\n    the reason")
        self.assertRegex(text, r"ok       good .* all is well")
        self.assertIn("  failed        0 s  bad", lines)

    def test_a_lane_whose_need_failed_is_not_run(self):
        mark = os.path.join(self.folder, "mark")

        status, lines = self.run_lanes(
            lane("build", "false", tier="build"), lane("first", f"touch {mark}", "build"), lane("second", "true", "first"))

        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed"))
        self.assertFalse(os.path.exists(mark))
        self.assertTrue(any(line.startswith("not run  second") for line in lines), lines)

    def test_a_budget_is_a_limit_for_all_that_a_lane_has_started(self):
        late = os.path.join(self.folder, "late")

        status, lines = self.run_lanes(lane("slow", f"(sleep 4; touch {late}) & sleep 60", budget=1), lane("next", "sleep 5"))

        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))
        self.assertTrue(any("stopped at its budget of 1 s" in line for line in lines), lines)
        self.assertFalse(os.path.exists(late))

    def test_needs_are_run_first_and_once(self):
        log = os.path.join(self.folder, "order")
        lanes = [lane("build", f"sleep 0.2; echo build >> {log}", tier="build"),
                 lane("left", f"echo test >> {log}", "build"), lane("right", f"echo test >> {log}", "build"),
                 lane("other", f"echo other >> {log}")]

        status, _ = self.run_lanes(*lanes, arguments=["test", "left", "right"])

        self.assertEqual(status, 0)
        self.assertEqual(pathlib.Path(log).read_text().split(), ["build", "test", "test"])

    def test_lanes_share_the_processors(self):
        count = os.path.join(self.folder, "count")
        command = f"echo +1 >> {count}; sleep 0.3; echo -1 >> {count}"

        self.run_lanes(*[lane(f"one-{number}", command) for number in range(4)],
                       lane("two", command.replace("1", "2"), cores=2), arguments=["--jobs", "2", "test"])

        level = highest = 0
        for step in pathlib.Path(count).read_text().split():
            level += int(step)
            highest = max(highest, level)
        self.assertEqual(highest, 2)

    def test_durations_are_kept_and_told_the_next_time(self):
        _, first = self.run_lanes(lane("one", "true"))
        _, second = self.run_lanes(lane("one", "true"))

        self.assertTrue(any("not run before" in line for line in first), first)
        self.assertTrue(any("0 s last time" in line for line in second), second)

    def test_flaky_cases_are_named_and_do_not_fail_the_run(self):
        note = '{"a case": {"count": 2, "trace": "the trace", "problem": "", "last": ""}}'

        status, lines = self.run_lanes(lane("clients", f"echo '{note}' > {self.folder}/flaky.json"))

        self.assertEqual((status, lines[-1]), (0, "1 passed, 0 failed"))
        self.assertTrue(any("flaky, 2 times so far: a case; see the trace" in line for line in lines), lines)

    def test_words_behind_two_dashes_go_to_the_lane(self):
        mark = os.path.join(self.folder, "with blank")

        status, _ = self.run_lanes(lane("one", "touch"), arguments=["test", "one", "--", mark])

        self.assertEqual(status, 0)
        self.assertTrue(os.path.exists(mark))

    def test_what_is_not_understood_ends_with_2(self):
        for arguments in ([], ["nothing"], ["test", "nothing"], ["--fast", "test"], ["--jobs", "9", "test"], ["all"],
                          ["test", "--", "word"]):
            with self.subTest(arguments):
                self.assertEqual(self.run_lanes(lane("one", "true"), arguments=arguments)[0], 2)


class TableTest(unittest.TestCase):
    def setUp(self):
        self.lanes = ci.table()

    def test_the_budgets_of_the_gate_fit_its_limit(self):
        self.assertIsNone(ci.budget_problem(self.lanes))
        self.assertIsNotNone(ci.budget_problem(self.lanes + [lane("more", "true", budget=ci.GATE_LIMIT)]))

    def test_names_are_told_apart_and_needs_come_before(self):
        known = set()
        for one in self.lanes:
            self.assertNotIn(one.name, known)
            self.assertLessEqual(set(one.needs.split()), known, f"{one.name} needs what comes after it")
            known.add(one.name)

    def test_programs_of_commands_are_there(self):
        for one in self.lanes:
            for word in one.command.split():
                if word.startswith(("ci/", "Tests/")):
                    self.assertTrue((ROOT / word).exists(), f"{one.name}: there is no {word}")

    def test_every_program_of_ci_has_a_lane_or_a_purpose_of_its_own(self):
        commands = " ".join(one.command for one in self.lanes)
        own = {"run", "comply", "test", "setup", "install", "manual", "slurm"}
        for path in sorted((ROOT / "ci").iterdir()):
            if path.is_file() and os.access(path, os.X_OK):
                self.assertTrue(path.name in own or f"ci/{path.name}" in commands, f"no lane runs ci/{path.name}")


if __name__ == "__main__":
    unittest.main()
