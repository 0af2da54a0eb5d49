"""Versions of the site, by mike: a branch of a repository of its own, .build/site, which nothing pushes."""

import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import urllib.parse
from dataclasses import dataclass

import yaml

VERSION = "Sources/MeshReports/MeshbedVersion.swift"
BRANCH = "site"
# The alias of the newest release, which readers without a choice get, and the name of what was not released.
NEWEST, UNRELEASED = "latest", "dev"


class Mistake(Exception):
    """A version that does not exist, or one that was not released."""


@dataclass
class Version:
    """A version of the site; `commit` is that of a release whose sources are not the present ones."""

    name: str
    title: str
    commit: str | None = None
    is_newest: bool = False


def releases(text):
    """Returns the versions and commits of the table ci/releases, oldest first."""
    return [tuple(line.split()[:2]) for line in text.splitlines() if line.split("#")[0].strip()]


def chosen(name, present, table):
    """Returns the version of a name, where `present` is that of the sources and `table` has the releases."""
    known = dict(table)
    newest = table[-1][0] if table else None
    if name in (UNRELEASED, present) and "-" in present:
        return Version(UNRELEASED, present)
    if name == present:
        return Version(name, name, is_newest=name not in known or name == newest)
    if name in known:
        return Version(name, name, commit=known[name], is_newest=name == newest)
    names = ", ".join([*known, UNRELEASED if "-" in present else present])
    raise Mistake(f"there is no version '{name}'; there are {names}")


def named(root, name):
    """Returns the version that a user asks for."""
    text = (root / VERSION).read_text(encoding="utf-8")
    present = re.search(r'MeshbedVersion\(number: "([^"]+)"\)', text)
    if not present:
        raise Mistake(f"{VERSION} has no version")
    return chosen(name, present[1], releases((root / "ci" / "releases").read_text(encoding="utf-8")))


def sources(root, version, folder):
    """Unpacks the sources of a release; returns where they are."""
    done = subprocess.run(["git", "archive", version.commit], cwd=root, capture_output=True, check=False)
    if done.returncode != 0:
        raise Mistake(f"git has no commit of {version.name}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def origin(root):
    """Returns the pages of the remote repository, as hosts of code have them; None without one."""
    done = subprocess.run(["git", "config", "--get", "remote.origin.url"], cwd=root, capture_output=True, text=True,
                          check=False)
    return web_address(done.stdout.strip())


def web_address(remote):
    """Returns the address of a repository's pages for the address from which git clones it."""
    found = re.fullmatch(r"(?:ssh://)?git@([\w.-]+)[:/](.+?)(?:\.git)?/?", remote)
    if found:
        return f"https://{found[1]}/{found[2]}"
    parts = urllib.parse.urlsplit(remote)
    if parts.scheme in ("http", "https") and parts.hostname:
        return f"https://{parts.hostname}{parts.path.rstrip('/').removesuffix('.git')}"
    return None


def edit_address(address):
    """Returns what comes before the path of a file that is to be edited, on hosts of code."""
    is_gitlab = "gitlab" in (urllib.parse.urlsplit(address).hostname or "")
    return address.rstrip("/") + ("/-/edit/main/" if is_gitlab else "/edit/main/")


def git(folder, *words):
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def added(maker, version, folder):
    """Builds a version into the site of all versions, and checks that out; returns the lines of what went wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").is_dir():
        git(folder, "init", "--quiet", f"--initial-branch={BRANCH}")
        git(folder, "config", "user.name", "ci/docs")
        git(folder, "config", "user.email", "docs@localhost")
    config = maker.folder / "mkdocs.yml"
    settings = {**maker.config, "site_dir": str(maker.folder / "built"), "strict": True}
    settings["extra"] = {**settings["extra"], "version": {"provider": "mike", "default": NEWEST, "alias": True}}
    settings["plugins"] = [*settings["plugins"], {"mike": {"alias_type": "redirect"}}]
    config.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")

    programs = pathlib.Path(sys.executable).parent
    # mike looks for mkdocs on the path.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PATH": f"{programs}:{os.environ['PATH']}"}

    def mike(*words):
        return subprocess.run([str(programs / "mike"), *words, "--config-file", str(config), "--branch", BRANCH],
                              cwd=folder, env=environment, capture_output=True, text=True, check=False)

    aliases = [NEWEST] if version.is_newest else []
    done = mike("deploy", "--update-aliases", "--alias-type", "redirect", "--title", version.title,
                "--message", f"Document {version.title}", version.name, *aliases)
    if done.returncode != 0:
        return (done.stdout + done.stderr).strip().splitlines()
    if version.is_newest or not (folder / "index.html").is_file():
        mike("set-default", "--message", "Choose the version that readers see first",
             NEWEST if version.is_newest else version.name)
    # mike writes the branch alone; the files of the folder follow it.
    git(folder, "reset", "--hard", "--quiet", BRANCH)
    return [line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("WARNING", "ERROR"))]
