"""Makes the site of ci/docs: python -m documentation FOLDER, with the options of ci/docs."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import yaml

from commands import Unknown
from documentation import links, versions
from documentation.maker import Maker
from documentation.symbols import Unreadable

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / ".build"
# Without the theme's word on its successor.
QUIET = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}


def parse(words):
    parser = argparse.ArgumentParser(prog="ci/docs", description="Makes the site of all documentation.")
    parser.add_argument("--version", metavar="X", help="add it as a version to the site of all versions, .build/site")
    parser.add_argument("--repository", metavar="URL", default=os.environ.get("MESHBED_REPOSITORY"),
                        help="the repository's pages, for links to edit a page; those of the remote origin unless told")
    return parser.parse_args(words)


def build(maker, folder):
    """Runs MkDocs, for which a warning is an error; returns its lines."""
    config = maker.folder / "mkdocs.yml"
    config.write_text(yaml.safe_dump({**maker.config, "site_dir": str(folder)}, sort_keys=False), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=QUIET)
    lines = (done.stdout + done.stderr).splitlines()
    found = [line for line in lines if line.startswith(("WARNING", "ERROR"))]
    return found or ([] if done.returncode == 0 else [f"mkdocs: exit {done.returncode}: {''.join(lines[-1:])}"])


def main(words):
    options = parse(words)
    program = os.environ.get("MESHBED", str(BUILD / "release" / "meshbed"))
    if not os.access(program, os.X_OK):
        print(f"ci/docs: {program} is not a program; ci/build release makes it", file=sys.stderr)
        return 2
    try:
        version = versions.named(ROOT, options.version) if options.version else None
        made = BUILD / "docs-pages"
        shutil.rmtree(made, ignore_errors=True)
        if version and version.commit:
            # Of an older release there are its sources alone: no program, and no modules.
            maker = Maker(versions.sources(ROOT, version, made / "sources"), None, made)
        else:
            maker = Maker(ROOT, program, made)
        count = maker.make()
    except (Unknown, Unreadable, versions.Mistake) as problem:
        print(f"ci/docs: {problem}", file=sys.stderr)
        return 2
    maker.link_repository(options.repository or versions.origin(ROOT))
    if version:
        folder = BUILD / "site"
        problems, first = versions.added(maker, version, folder), folder / version.name
    else:
        folder = BUILD / "docs"
        shutil.rmtree(folder, ignore_errors=True)
        problems, first = build(maker, folder), folder
    broken, followed = links.problems_of(folder, [str(ROOT)]) if first.is_dir() else ([], 0)
    problems = maker.problems + problems + broken
    for problem in problems:
        print(problem)
    pages = len(list(first.rglob("*.html")))
    print(f"{first.relative_to(ROOT)}/index.html: {pages} pages, {count} words of scenarios, "
          f"{followed} links followed, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
