"""Verdicts that other people's radios are known to get, in verdicts.json beside this file.

`run.py --renew` writes what the radios get now; a difference of the file is then a change to look at and to commit.
"""

import collections
import json
import os

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verdicts.json")
renewing = False


def read():
    with open(FILE, encoding="utf-8") as file:
        return json.load(file)


def compare(radio, verdicts):
    """Fails where verdicts of a radio are not those of the file, or writes them there."""
    print("        " + ", ".join(f"{name} {count}" for name, count in sorted(collections.Counter(verdicts.values()).items())))
    if renewing:
        renew(radio, verdicts)
    known = read().get(radio)
    assert known is not None, f"verdicts.json has no '{radio}': run.py --renew writes it"
    grouped = group(verdicts)
    changes = [f"{name}: {was(known, name)} in the file, {verdicts.get(name, 'not judged')} now"
               for name in sorted(set(verdicts) | {name for names in known.values() for name in names})
               if was(known, name) != verdicts.get(name)]
    assert grouped == known, "other verdicts than verdicts.json (run.py --renew writes it anew): " + "; ".join(changes)


def group(verdicts):
    grouped = collections.defaultdict(list)
    for name, verdict in verdicts.items():
        grouped[verdict].append(name)
    return {verdict: sorted(names) for verdict, names in sorted(grouped.items())}


def was(known, name):
    return next((verdict for verdict, names in known.items() if name in names), None)


def renew(radio, verdicts):
    known = read() if os.path.exists(FILE) else {}
    known[radio] = group(verdicts)
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(known, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(FILE + ".new", FILE)
