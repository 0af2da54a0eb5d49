"""The pages that no article has: all commands, and the words of scenarios. Text for MkDocs."""

import re

from commands import arguments, spelled, walk
from documentation.writer import cell, code, escaped, fenced, link


def command_page(root):
    """Returns the text of a page with each command, what it is for and what it takes."""
    commands = list(walk(root))
    lines = ["# Commands", "", "All commands with their options, as the program describes itself.", "",
             "| Command | Purpose |", "| --- | --- |"]
    for name, command in commands:
        lines.append(f"| {link(code(name), '#' + anchor(name))} | {cell(escaped(command.get('abstract', '')))} |")
    for name, command in commands:
        lines += ["", f"## {name} {{ #{anchor(name)} }}", "", escaped(command.get("abstract", "")), ""]
        for part in re.split(r"\n\s*\n", command.get("discussion", "").strip("\n")):
            for is_example, block in groups(part.split("\n")):
                lines += [*(fenced("\n".join(block), "sh") if is_example else [escaped("\n".join(block))]), ""]
        taken = arguments(command)
        if taken:
            lines += ["| Argument | Meaning |", "| --- | --- |"]
            for argument in taken:
                head = spelled(argument)
                if argument["kind"] != "flag":
                    head = f"{head} <{argument['valueName']}>".strip()
                text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
                lines.append(f"| {code(head)} | {cell(escaped(text))} |")
    return "\n".join(lines) + "\n"


def anchor(name):
    return name.replace(" ", "-")


def groups(lines):
    """Lines of examples, which are indented, and of text, in their order."""
    found = []
    for line in lines:
        is_example = line.startswith("  ")
        if not line.strip():
            continue
        if not found or found[-1][0] != is_example:
            found.append((is_example, []))
        found[-1][1].append(line.strip())
    return found


def words(folder):
    """The words for authors of scenarios: name, form, owner and meaning of each function in the folder of words."""
    for path in sorted(folder.glob("*.swift")):
        yield from words_of(path.read_text(encoding="utf-8").splitlines())


def words_of(lines):
    """The words that one file declares."""
    owner, private, comment = "", False, []
    for index, line in enumerate(lines):
        opened = re.match(r"(?:public )?(extension|struct|enum|protocol|final class)\s+(\w+)(.*)", line)
        if opened:
            owner = opened[2] if opened[1] in ("extension", "protocol") else ""
            private = opened[1] not in ("extension", "protocol")
        if re.match(r"\s*///", line):
            comment.append(line.strip().removeprefix("///").strip())
            continue
        found = re.match(r"( *)public (?:static )?func (\w+)", line)
        if found and comment and (not found[1] or (owner and not private)):
            yield found[2], form(lines, index), owner if found[1] else "", meaning(comment)
        if not re.match(r"\s*@", line):
            comment = []


def form(lines, index):
    """The declaration that begins in a line, without its body."""
    text = lines[index].strip()
    while text.count("(") > text.count(")") and index + 1 < len(lines):
        index += 1
        text += " " + lines[index].strip()
    return re.sub(r"^public (static )?func ", "", text).split(" {")[0].split(" where ")[0]


def meaning(comment):
    return " ".join(comment).split("- Parameter")[0].strip()


def word_page(found):
    """Returns the text of a page with words by name."""
    lines = ["# Words of scenarios", "",
             "All that can stand in a scenario, by name. A word with a subject stands after it, as in "
             "`alice.sends(…)`.", "",
             "| Word | Of | Meaning |", "| --- | --- | --- |"]
    for _, shape, owner, text in sorted(set(found), key=lambda word: (word[0].lower(), word[2], word[1])):
        parts = re.split(r"`+([^`]+)`+", text)
        said = "".join(code(part) if number % 2 else escaped(part) for number, part in enumerate(parts))
        lines.append(f"| {code(shape)} | {code(owner) if owner else '–'} | {cell(said)} |")
    return "\n".join(lines) + "\n"
