"""The files below .github: forms and workflows are well-formed, and what they name exists."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (FOLDER / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PAGES = sorted(FOLDER.rglob("*.md"))
INPUTS = {"input", "textarea", "dropdown", "checkboxes"}


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def problems_of_workflow(workflow):
    """The reasons why a workflow must not be as it is: its form, its permissions, and what its commands name."""
    if workflow.get("permissions") != {"contents": "read"}:
        yield "its jobs may do more than read, unless one says so itself"
    for name, job in workflow["jobs"].items():
        for key in ("runs-on", "timeout-minutes", "steps"):
            if key not in job:
                yield f"job {name} has no {key}"
        if job.get("permissions", {"contents": "write"}) != {"contents": "write"}:
            yield f"job {name} may do more than write contents"
        if job.get("needs", name) not in workflow["jobs"]:
            yield f"job {name} needs {job['needs']}, which is not there"
    for step in steps(workflow):
        if ("run" in step) == ("uses" in step):
            yield f"'{step}' is neither a command nor an action, or both"
        if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", step.get("uses", "a/b@v1.0.0")):
            yield f"'{step['uses']}' has no full version"
        # A name of a branch may be a command; in a variable it is text.
        if "${{" in step.get("run", ""):
            yield f"an expression stands in a command: {step['run']}"
    if "secrets." in str(workflow):
        yield "it reads a secret"
    yield from problems_of_commands("\n".join(step.get("run", "") for step in steps(workflow)))


def problems_of_commands(text):
    """The programs of this repository that a text names, and that are not there."""
    for name in sorted(set(re.findall(r"(?<![\w./-])(\.?ci/[\w-]+)", text))):
        path = ROOT / name
        if not (path.is_file() and os.access(path, os.X_OK)):
            yield f"there is no program {name}"


def problems_of_page(text, lanes, commands):
    """The links, programs, lanes and commands of a page that are not there; code and prose alike."""
    yield from problems_of_commands(re.sub(r"\.build/ci/\w+", "", text))
    for words in re.findall(r"^ci/run (?:--\w+ )*(\w+) ([\w-]+)", text, re.M):
        if words not in lanes:
            yield f"there is no lane {' '.join(words)}"
    for line in re.findall(r"^meshbed (.*)", text, re.M):
        words = re.match(r"[a-z -]*?(?= --|$| [^a-z])", line)[0].split()
        if not any("-".join(["meshbed", *words[:count]]) in commands for count in range(len(words), 0, -1)):
            yield f"there is no command meshbed {line}"


def problems_of_form(form):
    """The reasons why GitHub would not show an issue form."""
    for key in ("name", "description", "body"):
        if not form.get(key):
            yield f"there is no {key}"
    parts = [part for part in form["body"] if part["type"] != "markdown"]
    ids = [part.get("id") for part in parts]
    if len(set(ids)) != len(ids) or None in ids:
        yield f"fields have no names of their own: {ids}"
    for part in parts:
        if part["type"] not in INPUTS:
            yield f"there is no field of the type {part['type']}"
        if not part["attributes"].get("label"):
            yield f"the field {part['id']} has no label"
    if not any(part.get("validations", {}).get("required") for part in parts):
        yield "an empty form can be sent"
    if "version" not in ids:
        yield "it does not ask for the version"


class GithubTest(unittest.TestCase):
    def test_workflows_read_only_pin_their_actions_and_call_programs_that_exist(self):
        self.assertEqual([path.stem for path in WORKFLOWS], ["gate", "release"])
        for path in WORKFLOWS:
            with self.subTest(path.name):
                self.assertEqual(list(problems_of_workflow(read(path))), [])

    def test_only_the_job_that_publishes_may_write(self):
        jobs = {name: job for path in WORKFLOWS for name, job in read(path)["jobs"].items()}

        self.assertEqual([name for name, job in jobs.items() if "permissions" in job], ["publish"])

    def test_a_workflow_with_a_mistake_is_found(self):
        for old, new, reason in (
                ("run: .ci/run", "run: .ci/walk", "no program"),
                ("run: .ci/run", "run: echo ${{ github.head_ref }}", "expression"),
                ("run: .ci/run", "run: ci/setup\n        uses: a/b@v1.2.3", "both"),
                ("run: .ci/run", "run: 'true'\n        env: {KEY: '${{ secrets.KEY }}'}", "secret"),
                ("@v4.2.2", "@v4", "no full version"), ("contents: read", "contents: write", "more than read"),
                ("timeout-minutes: 90", "needs: tests", "no timeout"), ("timeout-minutes: 90", "needs: tests", "is not there")):
            with self.subTest(new):
                text = (FOLDER / "workflows" / "gate.yml").read_text(encoding="utf-8")
                self.assertIn(old, text)
                found = list(problems_of_workflow(yaml.safe_load(text.replace(old, new))))
                self.assertTrue(any(reason in problem for problem in found), found)

    def test_forms_have_named_fields_and_ask_for_the_version(self):
        self.assertEqual([path.stem for path in FORMS], ["bug", "question", "radio"])
        for path in FORMS:
            with self.subTest(path.name):
                self.assertEqual(list(problems_of_form(read(path))), [])
        asked = {part.get("id"): part.get("validations", {}) for part in read(FOLDER / "ISSUE_TEMPLATE" / "radio.yml")["body"]}
        self.assertTrue(asked["capture"]["required"] and asked["firmware"]["required"])
        self.assertIs(read(FOLDER / "ISSUE_TEMPLATE" / "config.yml")["blank_issues_enabled"], False)

    def test_a_form_with_a_mistake_is_found(self):
        text = (FOLDER / "ISSUE_TEMPLATE" / "question.yml").read_text(encoding="utf-8")
        for old, new, reason in (
                ("id: tried", "id: goal", "no names of their own"), ("type: input", "type: line", "no field of the type"),
                ("id: version", "id: release", "ask for the version"), ("required: true", "required: false", "empty form"),
                ("description: You", "note: You", "no description")):
            with self.subTest(new):
                self.assertTrue(any(reason in problem for problem in problems_of_form(yaml.safe_load(text.replace(old, new)))))

    def test_pages_name_lanes_commands_and_files_that_exist(self):
        table = subprocess.run([ROOT / "ci" / "run", "list"], stdout=subprocess.PIPE, check=True, text=True).stdout
        lanes = {(words[1], words[0]) for words in map(str.split, table.splitlines()[1:])}
        commands = {path.stem for path in (ROOT / "Tests" / "Help").glob("*.txt")}
        self.assertEqual([path.name for path in PAGES], ["CONTRIBUTING.md", "PULL_REQUEST_TEMPLATE.md", "SECURITY.md"])
        for path in PAGES:
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertEqual(list(problems_of_page(text, lanes, commands)), [])
                named = re.findall(r"\]\(([^)#]+)\)", text)
                named += [os.path.relpath(ROOT / place, FOLDER) for place in re.findall(r"`((?:Sources|Tests)/[\w/]+)`", text)]
                self.assertEqual([place for place in named if "NAME" not in place and not (FOLDER / place).exists()], [])
        for line, reason in (
                ("ci/runs x", "no program"), ("ci/run test wrlds", "no lane"), ("meshbed comply-it --x", "no command")):
            self.assertTrue(any(reason in problem for problem in problems_of_page(line, lanes, commands)), line)

    def test_documentation_is_built_of_products(self):
        manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
        products = re.findall(r'\.library\(\s*name: "(\w+)"', manifest)
        targets = [name for config in read(ROOT / ".spi.yml")["builder"]["configs"] for name in config["documentation_targets"]]

        self.assertIn("MeshTestbed", targets)
        self.assertEqual([name for name in targets if name not in products], [])


class ReleaseTest(unittest.TestCase):
    """The step of the release that joins what two processors made, as the runner would run it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        workflow = read(FOLDER / "workflows" / "release.yml")
        self.command = next(step["run"] for step in steps(workflow) if step.get("name") == "Join the files")

    def join(self, folders):
        for name, files in folders.items():
            place = self.folder / "artifacts" / f"files-{name}"
            place.mkdir(parents=True)
            for file, text in files.items():
                (place / file).write_text(text)
            names = [file for file in files if file != "SHA256SUMS"]
            if "SHA256SUMS" not in files:
                with open(place / "SHA256SUMS", "wb") as sums:
                    subprocess.run(["sha256sum", "--", *names], cwd=place, stdout=sums, check=True)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.command]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True).returncode

    def test_files_of_both_get_one_list_of_sums(self):
        status = self.join({"aarch64": {"a_arm64.deb": "arm", "NOTES.md": "new"},
                            "x86_64": {"a_amd64.deb": "pc", "NOTES.md": "new"}})

        names = sorted(path.name for path in (self.folder / "release").iterdir())
        check = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=self.folder / "release",
                               capture_output=True, text=True)
        self.assertEqual((status, names), (0, ["NOTES.md", "SHA256SUMS", "a_amd64.deb", "a_arm64.deb"]))
        self.assertEqual((check.returncode, check.stdout.count(": OK")), (0, 3))

    def test_one_of_them_is_enough(self):
        self.assertEqual(self.join({"x86_64": {"a_amd64.deb": "pc"}}), 0)

    def test_a_wrong_sum_and_a_difference_end_it(self):
        self.assertNotEqual(self.join({"x86_64": {"a": "1", "SHA256SUMS": "0" * 64 + "  a\n"}}), 0)
        self.setUp()
        self.assertNotEqual(self.join({"aarch64": {"NOTES.md": "1"}, "x86_64": {"NOTES.md": "2"}}), 0)


if __name__ == "__main__":
    unittest.main()
