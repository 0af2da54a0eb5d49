#!/usr/bin/env python3
"""Shows files of JUnit XML on the pages of a job: as 'meshbed comply' does for its own runs.

usage: junit.py [--summary FILE] [--badge FILE] [--annotations] [--exit-policy fail|flag] FILE…

Exit 0: nothing failed, or it is only flagged. Exit 1: a test failed. Exit 2: a file cannot be read, or has no test.
"""

import argparse
import html
import json
import os
import re
import sys
import xml.etree.ElementTree

# Annotations of a kind that GitHub shows of one step.
SHOWN = 10
FAILURES = 30
LONGEST = 4000
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text):
    """A text as one line, in which no character acts."""
    return CONTROL.sub(lambda found: json.dumps(found[0]).strip('"'), text)


def prose(text):
    """A text as one line of Markdown that shows it and obeys nothing in it."""
    return re.sub(r"""[&<>"'|`*_~\[\]\\$#@!]""", lambda found: f"&#{ord(found[0])};", visible(text))


def block(text):
    lines = text[:LONGEST].splitlines()
    return "<pre>" + "\n".join(html.escape(visible(line)) for line in lines) + "</pre>"


def command(level, title, lines):
    """An annotation, escaped as GitHub's own toolkit does it."""
    title = visible(title)[:200].replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    message = "\n".join(map(visible, lines))[:LONGEST].replace("%", "%25").replace("\n", "%0A")
    return f"::{level} title={title}::{message or title}"


class Case:
    """A test, and the text of its failure where it has one."""

    def __init__(self, element):
        # GitHub cuts long titles: the test's own name comes first.
        self.name = element.get("name") or "a test without a name"
        self.place = element.get("file") or element.get("classname") or ""
        failure = next((child for child in element if child.tag in ("failure", "error")), None)
        self.is_skipped = element.find("skipped") is not None
        self.failed = failure is not None
        self.reason, self.details = "", ""
        if self.failed:
            self.details = (failure.text or "").strip("\n")
            self.reason = failure.get("message") or (self.details.strip().splitlines() or ["failed"])[-1]


def cases(paths):
    found = []
    for path in paths:
        try:
            root = xml.etree.ElementTree.parse(path).getroot()
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            raise SystemExit(command("error", "Meshbed", [f"{path}: {error}"]))
        found += [Case(element) for element in root.iter("testcase")]
    return found


def annotations(failed, level):
    lines = [command(level, case.name, [case.reason, case.place] if case.place else [case.reason]) for case in failed]
    if len(lines) <= SHOWN:
        return lines
    rest = failed[SHOWN - 1:]
    return lines[:SHOWN - 1] + [command(level, f"{len(rest)} more of this kind", [case.name for case in rest])]


def summary(found, failed):
    skipped = sum(case.is_skipped for case in found)
    lines = [f"## {'✗' if failed else '✓'} Tests: {f'{len(failed)} failed' if failed else 'all passed'}", "",
             "| passed | failed | skipped |", "|--:|--:|--:|",
             f"| {len(found) - len(failed) - skipped} | {len(failed)} | {skipped} |"]
    if failed:
        lines += ["", "### What failed"]
    for case in failed[:FAILURES]:
        lines += ["", f"#### {prose(case.name)}", "", prose(case.place), "", block(case.details or case.reason)]
    if len(failed) > FAILURES:
        lines += ["", f"And {len(failed) - FAILURES} more."]
    return "\n".join(lines) + "\n\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--summary")
    parser.add_argument("--badge")
    parser.add_argument("--annotations", action="store_true")
    parser.add_argument("--exit-policy", choices=("fail", "flag"), default="fail")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    try:
        found = cases(options.files)
    except SystemExit as reason:
        print(reason.code)
        return 2
    if not found:
        print(command("error", "Meshbed", ["no test ran: " + ", ".join(options.files)]))
        return 2
    failed = [case for case in found if case.failed]
    if options.summary:
        with open(options.summary, "a", encoding="utf-8") as file:
            file.write(summary(found, failed))
    if options.badge:
        passed = sum(not (case.failed or case.is_skipped) for case in found)
        message, color = f"{passed} passed", "brightgreen" if passed else "lightgrey"
        if failed:
            message, color = f"{len(failed)} of {len(found)} failed", "red"
        with open(options.badge, "w", encoding="utf-8") as file:
            json.dump({"schemaVersion": 1, "label": "tests", "message": message, "color": color}, file)
            file.write("\n")
    if options.annotations:
        for line in annotations(failed, "error" if options.exit_policy == "fail" else "warning"):
            print(line)
    return 1 if failed and options.exit_policy == "fail" else 0


if __name__ == "__main__":
    sys.exit(main())
