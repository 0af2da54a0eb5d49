"""Holds the GitHub Actions workflow of the article CheckingFirmware against ci/: valid YAML, steps with sense, and no line
of its own. Holds the form of the recipes in the article Studies: a workflow with a matrix, and a job of Kubernetes. Holds the
article InYourCI against ci/action: its inputs and examples.

Exit 0: as it should be. Exit 1: something is not, a line for each.
"""

import pathlib
import re
import subprocess
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources" / "MeshTestbed" / "MeshTestbed.docc"
ARTICLE = CATALOG / "CheckingFirmware.md"
STUDIES = CATALOG / "Studies.md"
OTHERS = CATALOG / "InYourCI.md"
ACTION = ROOT / "ci" / "action"


def workflows(article=ARTICLE):
    """The yaml blocks of an article, parsed."""
    text = article.read_text(encoding="utf-8")
    for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S):
        yield yaml.safe_load(block)


def programs():
    """The texts of the programs of ci/, the table of `ci/run` as printed, continued lines joined and blanks made one."""
    table = subprocess.run([ROOT / "ci" / "run", "list"], stdout=subprocess.PIPE, check=True, text=True).stdout
    text = "\n".join([table] + [path.read_text(encoding="utf-8") for path in sorted((ROOT / "ci").iterdir())
                                if path.is_file()])
    return re.sub(r"[ \t]+", " ", re.sub(r"\\\n", " ", text))


def problems_of_step(step, known):
    name = step.get("name", step.get("uses", step.get("run")))
    if ("run" in step) == ("uses" in step):
        yield f"'{name}' is neither a command nor an action, or both"
    if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]):
        yield f"'{step['uses']}' is no action with a version"
    for line in step.get("run", "").splitlines():
        line = re.sub(r"[ \t]+", " ", line).strip()
        if not line:
            continue
        is_program = re.fullmatch(r"ci/[a-z-]+", line)
        if is_program and not (ROOT / line).is_file():
            yield f"there is no {line}"
        if not re.search(rf"(^|[ \t]){re.escape(line)}($|[ \t\n])", known, re.M):
            yield f"no program of ci/ says: {line}"


def problems_of(workflow, known):
    # YAML 1.1 reads the key `on` as true, and so does GitHub's schema check allow for it.
    for key in ("name", True, "jobs"):
        if key not in workflow:
            yield f"there is no {'on' if key is True else key}"
    for name, job in workflow.get("jobs", {}).items():
        for key in ("runs-on", "steps", "timeout-minutes"):
            if key not in job:
                yield f"job {name} has no {key}"
        if not any("checkout" in step.get("uses", "") for step in job.get("steps", [])):
            yield f"job {name} checks nothing out"
        for step in job.get("steps", []):
            yield from problems_of_step(step, known)
            for path in step.get("with", {}).get("path", "").split():
                if path.rstrip("/") not in known:
                    yield f"no program of ci/ writes {path}"


def problems_of_recipes():
    """The workflow and the Kubernetes job of the article Studies, each with what an engine asks for."""
    recipes = list(workflows(STUDIES))
    matrices = [recipe for recipe in recipes if "jobs" in recipe]
    jobs = [recipe for recipe in recipes if recipe.get("kind") == "Job"]
    if len(matrices) != 1 or len(jobs) != 1:
        yield f"{STUDIES.name} has {len(matrices)} workflows and {len(jobs)} jobs, not one of each"
        return
    unit = matrices[0]["jobs"]["unit"]
    indices = unit["strategy"]["matrix"]["index"]
    command = next(step["run"] for step in unit["steps"] if step.get("name") == "Run a unit")
    if indices != list(range(1, len(indices) + 1)) or f"--of {len(indices)} " not in command:
        yield f"the matrix of {STUDIES.name} has not one index for each part"
    for step in unit["steps"]:
        if ("run" in step) == ("uses" in step):
            yield f"'{step}' is neither a command nor an action, or both"
    spec = jobs[0]["spec"]
    container = spec["template"]["spec"]["containers"][0]
    if (jobs[0]["apiVersion"], spec["completionMode"]) != ("batch/v1", "Indexed"):
        yield f"the job of {STUDIES.name} has no indices"
    if f"--of {spec['completions']} " not in container["args"][0]:
        yield f"the job of {STUDIES.name} has not one index for each part"
    names = {volume["name"] for volume in spec["template"]["spec"]["volumes"]}
    if names != {mount["name"] for mount in container["volumeMounts"]}:
        yield f"the job of {STUDIES.name} mounts other volumes than it has"


def problems_of_action():
    """The action for other projects: the article InYourCI has its inputs and its examples, and these give it no others."""
    text = OTHERS.read_text(encoding="utf-8")
    action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    table = text.partition("### Inputs")[2].partition("\nWith ")[0]
    named = set(re.findall(r"`([\w-]+)`", " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("|"))))
    if named != set(action["inputs"]):
        yield f"{OTHERS.name} and action.yml differ in inputs: {', '.join(sorted(named ^ set(action['inputs'])))}"
    examples = sorted((ACTION / "examples").glob("*.yml"))
    if not examples:
        yield "the action has no example"
    for path in examples:
        if f"`{path.name}`" not in text:
            yield f"{OTHERS.name} does not name {path.name}"
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
            for step in job["steps"]:
                stray = set(step.get("with", {})) - set(action["inputs"])
                if "/ci/action@" in step.get("uses", "") and stray:
                    yield f"{path.name} gives the action {', '.join(sorted(stray))}, which it does not have"


def main():
    found = list(workflows())
    known = programs()
    problems = [problem for workflow in found for problem in problems_of(workflow, known)]
    problems += problems_of_recipes()
    problems += problems_of_action()
    if not found:
        problems.append(f"{ARTICLE.name} has no workflow")
    for problem in problems:
        print(f"workflow: {problem}")
    print(f"workflow of {ARTICLE.name}: {len(found)} found, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
