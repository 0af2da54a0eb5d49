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


def lane(name, command, needs="", usual=20, tier="test", cores=1):
    return ci.Lane(name, tier, usual, needs, cores, command)


class RunTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name in ("LOGS", "DURATIONS", "FLAKY", "LONG"):
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

    def test_no_clock_stops_a_lane_or_a_build(self):
        status, lines = self.run_lanes(lane("compile", "sleep 0.2", usual=0, tier="build"),
                                       lane("slow", "sleep 0.2; echo done", "compile", usual=0))

        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed"))

    def test_the_limit_of_the_run_ends_all_that_its_lanes_have_started(self):
        late = os.path.join(self.folder, "late")

        status, lines = self.run_lanes(lane("slow", f"(sleep 60; touch {late}) & sleep 60"), lane("next", "true", "slow"),
                                       lane("other", "true"), arguments=["--limit", "1", "--jobs", "1", "test"])

        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed"))
        self.assertTrue(any("stopped at the limit of the run, 1 s" in line for line in lines), lines)
        self.assertTrue(any("not run  other" in line for line in lines), lines)
        self.assertFalse(os.path.exists(late))

    def test_the_delivery_alone_has_a_limit(self):
        for name in ("comply", "test", "run"):
            self.assertNotRegex((ROOT / "ci" / name).read_text(), r"(?m)^[^#]*ci/run .*--limit")
        self.assertRegex((ROOT / ".ci" / "run").read_text(), r"ci/run --limit")

    def test_no_program_of_the_two_commands_stops_another_by_the_clock(self):
        for path in sorted((ROOT / "ci").iterdir()):
            if path.is_file() and path.name != "run":
                code = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))
                self.assertNotRegex(code, r"(?m)(^|[^-\w])timeout (--|\d|\")|communicate\(timeout=", f"ci/{path.name}")

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

    def test_a_build_tells_its_step_and_what_is_left(self):
        log = os.path.join(self.folder, "compile.log")
        pathlib.Path(log).write_text("[1/9] Compiling MeshWire Walk.swift\n[30/90] Compiling MeshWorlds World.swift\n")
        build = lane("compile", "true", tier="build", usual=600)

        self.assertEqual(ci.progress(build, 60, log, None),
                         "compile 60 s: step 30 of 90, Compiling MeshWorlds World.swift; about 9 minutes left")
        self.assertIn("about 20 minutes left", ci.progress(build, 600, log, None))
        self.assertIn("about 4 minutes left", ci.progress(build, 60, log, 300))

    def test_a_lane_over_its_usual_time_says_so(self):
        self.assertEqual(ci.progress(lane("slow", "true", usual=100), 40, "none", None), "slow 40 s: usually up to 2 minutes")
        self.assertEqual(ci.progress(lane("slow", "true", usual=100), 130, "none", 90),
                         "slow 2 minutes: longer than the usual 2 minutes, goes on")

    def test_lanes_under_way_are_told_while_they_run(self):
        run = ci.Run([lane("one", "true"), lane("two", "true")], 1, self.folder, print)
        run.begun = {"one": ci.time.monotonic(), "two": ci.time.monotonic()}
        run.verdicts = {"one": "passed"}

        self.assertEqual([line.split()[0] for line in ci.Teller(run).lines()], ["two"])

    def test_long_lanes_that_passed_are_kept_with_their_commit(self):
        self.addCleanup(setattr, ci, "git", ci.git)
        ci.git = lambda *words: {"status": "", "rev-parse": "0123456789"}.get(words[0], "0")

        self.run_lanes(lane("soak", "true", tier="long"), lane("bad", "false", tier="long"), arguments=["long"])

        kept = ci.read_json(ci.LONG)
        self.assertEqual((list(kept), kept["soak"]["commit"]), (["soak"], "0123456789"))

    def test_a_changed_tree_is_not_noted(self):
        self.addCleanup(setattr, ci, "git", ci.git)
        ci.git = lambda *words: " M Package.swift"

        _, lines = self.run_lanes(lane("soak", "true", tier="long"), arguments=["long"])

        self.assertEqual(ci.read_json(ci.LONG), {})
        self.assertTrue(any("is left as it is" in line for line in lines), lines)

    def test_the_gate_names_long_lanes_that_nobody_ran(self):
        lanes = [lane(name, "true", tier="long") for name in ("fresh", "old", "lost", "never")] + [lane("one", "true")]
        known = {name: {"commit": name} for name in ("fresh", "old", "lost")}

        lines = ci.stale(lanes, known, lambda commit: {"fresh": 200, "old": 201}.get(commit))

        self.assertEqual(lines, [
            "  long lanes that nobody saw pass: never",
            "  long lanes not seen to pass for 200 commits: old (201 commits ago), lost (a commit that is not here)"])

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
                          ["test", "--", "word"], ["--limit", "0", "test"], ["--limit", "soon", "test"]):
            with self.subTest(arguments):
                self.assertEqual(self.run_lanes(lane("one", "true"), arguments=arguments)[0], 2)


class TableTest(unittest.TestCase):
    def setUp(self):
        self.lanes = ci.table()

    def test_what_is_kept_of_the_long_tier_names_its_lanes(self):
        long = {lane.name for lane in self.lanes if lane.tier == "long"}
        self.assertLessEqual(set(ci.read_json(str(ROOT / ci.LONG))), long)

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
        # Called by others: ci/release makes files with the first three, ci/firsts trials in the fourth, ci/coverage counts with the last two.
        own |= {"contents", "unpacked", "wheel", "bare_root", "way", "features"}
        for path in sorted((ROOT / "ci").iterdir()):
            if path.is_file() and os.access(path, os.X_OK):
                self.assertTrue(path.name in own or f"ci/{path.name}" in commands, f"no lane runs ci/{path.name}")


if __name__ == "__main__":
    unittest.main()
