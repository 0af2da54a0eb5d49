"""The known disagreements of libraries with the vectors, in disagreements.json beside this file and in the article.

Each entry has a library, a title and an explanation, and the vectors that it explains by what differs. `run.py --renew` writes
what differs now: known vectors stay in their entries, others go to an entry without an explanation, which fails until
somebody writes one or sorts them into another.
"""

import collections
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "disagreements.json")
ARTICLE = os.path.join(HERE, "..", "..", "Sources", "MeshTestbed", "MeshTestbed.docc", "Vectors.md")
BEGIN, END = "<!-- disagreements: begin -->\n", "<!-- disagreements: end -->\n"
LIBRARIES = ("meshcore", "meshcoredecoder", "openhop-core")


def stored(path=FILE):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def known(entries, library):
    """What differs in each vector, and the titles that explain it, by the vector's name."""
    found = {}
    for entry in entries:
        if entry["library"] == library:
            for what, names in entry["vectors"].items():
                for name in names:
                    assert name not in found, f"{library}: {name} is explained twice"
                    found[name] = (what, entry["title"])
    return found


def problems(entries, library, differing):
    """Why the list is not true, a sentence each; `differing` has what differs by the vector's name."""
    before = known(entries, library)
    new = [f"{library}: {name} differs in {what}, which is not in the list" for name, what in differing.items()
           if before.get(name, (None,))[0] != what]
    gone = [f"{library}: {name} is in the list for {what}, but differs no longer so ({title})"
            for name, (what, title) in before.items() if differing.get(name) != what]
    silent = [f"{library}: '{entry['title']}' has no explanation" for entry in entries
              if entry["library"] == library and not entry["why"]]
    return new + gone + silent


def renewed(entries, library, differing):
    """The entries with what differs now."""
    before = known(entries, library)
    vectors = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, what in differing.items():
        title = before[name][1] if name in before else "not explained yet"
        vectors[title][what].append(name)
    others = [entry for entry in entries if entry["library"] != library]
    reasons = {entry["title"]: entry["why"] for entry in entries if entry["library"] == library}
    own = [{"library": library, "title": title, "why": reasons.get(title, ""),
            "vectors": {what: sorted(names) for what, names in sorted(vectors[title].items())}}
           for title in sorted(vectors)]
    return sorted(others + own, key=lambda entry: (entry["library"], entry["title"]))


def write(entries, path=FILE):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".new", path)


# The article

def section(entries):
    """The table of the article."""
    lines = ["| library | differs | because | vectors |", "|---|---|---|---|"]
    for entry in entries:
        names = [name for found in entry["vectors"].values() for name in found]
        what = ", ".join(sorted({word for words in entry["vectors"] for word in words.split()}))
        lines.append(f"| {entry['library']} | {entry['title']}: {code(what)} | {entry['why']} "
                     f"| {len(names)}, as `{names[0]}` |")
    return "\n".join(lines) + "\n"


def code(words):
    return ", ".join(f"`{word}`" for word in re.split(", ", words))


def shown(text, entries):
    """The article with the table as it is to be."""
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return text[:start] + section(entries) + text[end:]


def read_article():
    with open(ARTICLE, encoding="utf-8") as file:
        return file.read()


def write_article(entries):
    text = shown(read_article(), entries)
    with open(ARTICLE, "w", encoding="utf-8") as file:
        file.write(text)
