"""Imported by the programs beside it: what the command says of itself, with "--experimental-dump-help"."""

import json
import subprocess

# The form that the pinned ArgumentParser writes; another number, another form.
FORM = 0


class Unknown(Exception):
    """The program describes itself in a way that is not known here."""


def described(program):
    """The root command, with its subcommands in it."""
    said = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    tree = json.loads(said)
    if tree.get("serializationVersion") != FORM:
        raise Unknown(f"the help has form {tree.get('serializationVersion')}, not {FORM}")
    return tree["command"]


def walk(command, above=()):
    """Each command with its full name, parents first; "help" is left out."""
    path = (*above, command["commandName"])
    yield " ".join(path), command
    for child in command.get("subcommands", []):
        if child["commandName"] != "help" and child.get("shouldDisplay", True):
            yield from walk(child, path)


def arguments(command):
    """The arguments of a command, without the two options that all have."""
    return [a for a in command.get("arguments", [])
            if a.get("shouldDisplay", True) and a["valueName"] not in ("help", "version")]


def spelled(argument):
    """The names of an option: -o, --output."""
    return ", ".join(("--" if n["kind"] == "long" else "-") + n["name"] for n in argument.get("names", []))
