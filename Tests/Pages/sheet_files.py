"""Reports and drawings in their states, for the contact sheet."""

import html
import json
import pathlib
import subprocess

from browser import FOREIGN_SCRIPT
from sheet_app import world

PAGES = {
    "Compliance report": "one many error",
    "Scenario report": "one many",
    "Soak report": "many",
    "Replay report": "one many error",
    "Implementations": "one many hostile",
    "Study report": "empty one many hostile",
    "Comparison of a twin": "many hostile",
    "Drawing": "one many hostile",
    "Drawing of a trace": "one many hostile",
}
ROOT = pathlib.Path(__file__).resolve().parents[2]
MARKUP, BACKWARDS, LONG = "<img src=x onerror='window.hostile=1'>", "\u202egnp.ecila\u202c", "W" * 90
# A report has a script of its own at its end.
SCRIPTED = FOREIGN_SCRIPT.replace("body script, ", "")


def run(program, *words, fails=False):
    done = subprocess.run([program, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.returncode == (1 if fails else 0), f"{words}: exit {done.returncode}: {done.stderr}"


def look(sheet, path, page, state, words):
    """A page from a disk, folded as it comes and unfolded."""
    browser = sheet.browser
    browser.show(path.as_uri())
    sheet.add(page, state, words, markup=SCRIPTED, whole=True)
    if browser.run("return document.querySelectorAll('details:not([open])').length"):
        browser.run("document.querySelectorAll('details').forEach(part => part.open = true)")
        sheet.add(page, state, f"{words}, unfolded", markup=SCRIPTED, whole=True)


def reports(sheet, program, folder):
    """Reports of what was held against the protocol, of scenarios, and of replays."""
    captures = sorted(ROOT.glob("Captures/**/*.capture"))
    bad = folder / "changed.capture"
    bad.write_text(captures[0].read_text(encoding="utf-8"), encoding="utf-8")
    for page, state, words, fails, command in (
            ("Compliance report", "one", "one conversation", False, ("comply", "--target", "emulator", "--only", "50")),
            ("Compliance report", "many", "all conversations", False, ("comply", "--target", "emulator")),
            ("Compliance report", "error", "a radio that departs", True, ("comply", "--target", "emulator", "--mutant", "path-reversed")),
            ("Scenario report", "one", "a scenario", False, ("scenario", "run", "lossy-direct", "--seed", "7")),
            ("Scenario report", "many", "scenarios of one kind", False, ("scenario", "run", "#smoke")),
            ("Soak report", "many", "five seeds", False, ("scenario", "soak", "busy-room", "--seeds", "1..5")),
            ("Replay report", "one", "a recording", False, ("replay", captures[0], "--as", "client", "--target", "emulator")),
            ("Replay report", "many", "all recordings", False, ("replay", ROOT / "Captures", "--as", "client", "--target", "emulator")),
            ("Replay report", "error", "another world than that of the recording", True,
             ("replay", captures[0], "--as", "client", "--target", "emulator", "--world", "desk", "--node", "bob"))):
        path = folder / "report.html"
        run(program, *command, "--html", path, fails=fails)
        look(sheet, path, page, state, words)


def implementations(sheet, program, folder):
    """Reports of comply beside each other: of one radio, of versions and roles, and of radios with hostile names."""
    def judged(name, *words, fails=False):
        run(program, "comply", "--target", "emulator", *words, "--json", folder / name, fails=fails)
        return folder / name

    one = judged("new.json")
    broken = judged("broken.json", "--mutant", "path-reversed", fails=True)
    many = [one, broken, judged("old.json", "--firmware", "1.15"), judged("repeater.json", "--role", "repeater")]
    hostile = [judged(f"hostile-{place}.json", "--mutant", "path-reversed", "--name", name, fails=True)
               for place, name in enumerate((MARKUP, BACKWARDS, LONG))]
    path = folder / "matrix.html"
    for state, words, reports in (("one", "one radio", [one]), ("many", "three radios and a repeater", many),
                                  ("hostile", "names that are markup, backwards, or one long word", hostile)):
        run(program, "comply", "--matrix-of", *reports, "--html", path)
        look(sheet, path, "Implementations", state, words)


def studies(sheet, program, folder):
    """Studies without a verdict, with one arm and with many, and one whose words are hostile; and a twin."""
    base = {"study": "units", "world": "line:3", "for": "14s", "traffic": "flood:3s", "seeds": 60,
            "arms": [{"name": "as it comes"}, {"name": "fading", "air": {"fading_db": 12}}],
            "metrics": {"delivery": 0.01, "latency": 0.1, "collisions": 0.01}}
    arms = base["arms"] + [{"name": f"fading of {size} dB", "air": {"fading_db": size}} for size in (3, 6, 9)]
    hostile = {"question": f"{MARKUP} {BACKWARDS}?",
               "arms": [{"name": MARKUP}, {"name": BACKWARDS, "air": {"fading_db": 12}}, {"name": LONG[:40], "air": {"fading_db": 3}}]}
    for state, words, changes in (("empty", "too few seeds for a verdict", {"seeds": 2}), ("one", "two arms and one metric", {"metrics": {"delivery": 0.01}}),
                                  ("many", "five arms and three metrics", {"arms": arms}), ("hostile", "arms whose names are markup", hostile)):
        study, path = folder / "study.json", folder / "study.html"
        study.write_text(json.dumps(base | changes), encoding="utf-8")
        run(program, "study", "run", study, "--html", path)
        look(sheet, path, "Study report", state, words)
    twins(sheet, program, folder)


def twins(sheet, program, folder):
    """A small network, and what is said to have been observed there."""
    for state, words, name in ("many", "a small network", "ladder"), ("hostile", "a network whose name is markup", f"{MARKUP} {LONG}"):
        network, twin, observed = folder / "network.json", folder / "twin.json", folder / "observed.json"
        nodes = [{"i": place, "role": "repeater", "x": 3000 * place, "y": 0, "observer": place % 4 == 3} for place in range(12)]
        links = [{"from": place, "to": place + step, "n": 40 // step} for place in range(12) for step in (1, 2) if place + step < 12]
        network.write_text(json.dumps({"format": "meshbed-network/1", "name": name, "nodes": nodes, "links": links, "radio": {
            "frequencyMHz": 869.618, "bandwidthkHz": 62.5, "spreadingFactor": 8, "codingRate": "4/8 mostly"}}), encoding="utf-8")
        observed.write_text(json.dumps({"format": "meshbed-observed/1", "name": name, "metrics": {
            "hops.firstPerObserver": {"definition": name, "copy": "first", "value": {"n": 3, "min": 1, "p50": 3, "p90": 5, "max": 6}},
            "copiesPerObserver": {"value": {"mean": 2}, "histogram": [[1, 2], [2, 4], [3, 2]], "selfW1": {"p95": 0.5}},
            "distinctPacketsPerHour": {"value": {"p50": 100}}}}), encoding="utf-8")
        path = folder / "twin.html"
        run(program, "world", "import", network, "-o", twin)
        run(program, "world", "compare", twin, observed, "--seeds", 2, "--html", path)
        look(sheet, path, "Comparison of a twin", state, words)


def drawings(sheet, program, folder):
    """Drawings, each in a page that has nothing else."""
    strangers = world(folder)
    for page, state, words, which, traffic, more in (
            ("Drawing", "one", "a pair", "pair", None, ()), ("Drawing", "many", "a city of 60", "city:60", None, ()),
            ("Drawing", "hostile", "names that are markup, backwards, or one long word", strangers, None, ()),
            ("Drawing of a trace", "many", "a city of 60, with what was lost", "city:60", "chat:5s", ()),
            ("Drawing of a trace", "one", "the way of a message", "town", "chat:5s", ("--message", "1")),
            ("Drawing of a trace", "hostile", "the way of a message among hostile names", strangers, "chat:5s", ("--message", "1"))):
        picture, trace = folder / "drawing.svg", folder / "drawing.ndjson"
        if traffic:
            run(program, "mesh", "run", which, "--seed", 7, "--for", "60s", "--traffic", traffic, "--trace", trace)
        run(program, "mesh", "draw", *(("--trace", trace) if traffic else (which, "--seed", 7)), *more, "-o", picture)
        holder = folder / "drawing.html"
        holder.write_text(f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
                          f"<link rel='icon' href='data:,'><title>{html.escape(words)}</title>"
                          f"<style>body {{ margin: 0 }} main svg {{ width: 100%; height: auto }}</style>"
                          f"<main><h1 style='position: absolute; clip-path: inset(50%)'>{html.escape(words)}</h1>"
                          f"{picture.read_text(encoding='utf-8').partition('?>')[2] or picture.read_text(encoding='utf-8')}</main></html>",
                          encoding="utf-8")
        sheet.browser.show(holder.as_uri())
        sheet.add(page, state, words)


TOURS = (reports, implementations, studies, drawings)
