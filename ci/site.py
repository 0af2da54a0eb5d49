"""Makes the site of ci/docs: site.py MESHBED FOLDER."""

import html
import html.parser
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

from markdown_it import MarkdownIt

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from commands import Unknown, arguments, described, spelled, walk  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = ROOT / "Sources/MeshScenarios/Words"

STYLE = """\
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; display: flex; flex-wrap: wrap; }
nav { flex: 1 1 14rem; max-width: 18rem; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav ul { list-style: none; padding-left: .8rem; margin: .2rem 0 .8rem; } nav > ul { padding: 0; }
main { flex: 4 1 30rem; min-width: 0; max-width: 54rem; padding: 1.5rem 2rem 4rem; }
pre, code { font: .88em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; } dt { font-weight: 600; margin-top: .8rem; }
h1, h2, h3 { line-height: 1.25; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; margin-top: 2.2rem; }
"""


class Page:
    """A page of the site: where it comes from (None for those that are made), where it goes, its title and its content."""

    def __init__(self, source, target, title, body):
        self.source, self.target, self.title, self.body = source, target, title, body


def slug(text, taken):
    """The anchor of a heading, as code-hosting pages make it."""
    base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name


def plain(inline):
    return "".join(child.content for child in inline.children or [])


def rendered(text):
    """The HTML of Markdown, with its title, its anchors and the targets of its links."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Remarks to ci/readme are no text.
    tokens = markdown.parse(re.sub(r"^<!-- .*? -->\n", "", text, flags=re.M))
    title, anchors, links = "", set(), []
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            said = plain(tokens[index + 1])
            token.attrSet("id", slug(said, anchors))
            title = title or said
        for child in token.children or []:
            if child.type in ("link_open", "image"):
                links.append(child)
    return title, anchors, links, tokens, markdown


def target_of(source):
    """The page of a Markdown file: Sources/M/M.docc/A.md is M/A.html."""
    parts = source.relative_to(ROOT).parts
    if parts == ("README.md",):
        return "index.html"
    return f"{parts[-3]}/{source.stem}.html"


def catalogues():
    """The articles, the page of a module before its others."""
    found = sorted(ROOT.glob("Sources/*/*.docc/*.md"))
    return sorted(found, key=lambda path: (path.parts[-3], path.stem != path.parts[-3], path.stem))


class Maker:
    def __init__(self, folder):
        self.folder, self.pages, self.problems = folder, [], []
        self.sources = [ROOT / "README.md", *catalogues()]
        self.texts = {source: rendered(source.read_text(encoding="utf-8")) for source in self.sources}

    def problem(self, where, what):
        self.problems.append(f"{where}: {what}")

    def article(self, source):
        """A Markdown file with its links turned to pages; each must lead somewhere in the repository, too."""
        title, _, links, tokens, markdown = self.texts[source]
        target, shown = target_of(source), source.relative_to(ROOT)
        for link in links:
            name = "src" if link.type == "image" else "href"
            href = link.attrGet(name)
            parts = urllib.parse.urlsplit(href)
            if parts.scheme in ("http", "https"):
                continue
            if parts.scheme:
                self.problem(shown, f"{href} leads nowhere on a code-hosting page; write [Title](File.md)")
                continue
            aim = (source.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else source
            if not aim.exists():
                self.problem(shown, f"{href} does not exist")
            elif aim in self.texts:
                if parts.fragment and parts.fragment not in self.texts[aim][1]:
                    self.problem(shown, f"{href}: no such heading")
                there = os.path.relpath(target_of(aim), os.path.dirname(target) or ".")
                link.attrSet(name, there + (f"#{parts.fragment}" if parts.fragment else ""))
            elif link.type == "image" or aim == ROOT / "LICENSE":
                copy = self.folder / os.path.dirname(target) / aim.name
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(aim, copy)
                link.attrSet(name, aim.name)
            else:
                self.problem(shown, f"{href} is no page of the site")
        body = markdown.renderer.render(tokens, markdown.options, {})
        self.pages.append(Page(source, target, title, body))

    def write(self):
        for page in self.pages:
            path = self.folder / page.target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.whole(page), encoding="utf-8")
        (self.folder / "style.css").write_text(STYLE, encoding="utf-8")

    def whole(self, page):
        up = "../" * page.target.count("/")
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(page.title)} – Meshbed</title>"
            f'<link rel="stylesheet" href="{up}style.css"></head>\n<body>\n'
            f"<nav>{self.contents(page, up)}</nav>\n<main>\n{page.body}</main>\n</body></html>\n"
        )

    def contents(self, here, up):
        """The list of all pages; the articles of other modules stay folded away."""
        def entry(page):
            return f'<li><a href="{up}{page.target}">{html.escape(page.title)}</a>'

        lines = ["<ul>"]
        for page in self.pages:
            module, _, name = page.target.rpartition("/")
            if not module or name == module + ".html":
                lines.append(entry(page))
                if module and here.target.startswith(module + "/"):
                    others = [p for p in self.pages if p.target.startswith(module + "/") and p is not page]
                    if others:
                        lines += ["<ul>", *(entry(other) for other in others), "</ul>"]
        return "\n".join([*lines, "</ul>"])


def command_page(program):
    """Each command with what it is for and what it takes."""
    commands = list(walk(described(program)))
    lines = ["<h1>Commands</h1>", "<table><thead><tr><th>Command</th><th>Purpose</th></tr></thead><tbody>"]
    for name, command in commands:
        anchor = name.replace(" ", "-")
        lines.append(f'<tr><td><a href="#{anchor}"><code>{html.escape(name)}</code></a></td>'
                     f"<td>{html.escape(command.get('abstract', ''))}</td></tr>")
    lines.append("</tbody></table>")
    for name, command in commands:
        lines.append(f'<h2 id="{name.replace(" ", "-")}">{html.escape(name)}</h2>')
        lines.append(f"<p>{html.escape(command.get('abstract', ''))}</p>")
        for part in re.split(r"\n\s*\n", command.get("discussion", "").strip("\n")):
            for example, block in groups(part.split("\n")):
                text = html.escape("\n".join(block))
                lines.append(f"<pre><code>{text}</code></pre>" if example else f"<p>{text}</p>")
        taken = arguments(command)
        if taken:
            lines.append("<dl>")
            for argument in taken:
                head = spelled(argument)
                if argument["kind"] != "flag":
                    head = f"{head} <{argument['valueName']}>".strip()
                text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
                lines.append(f"<dt><code>{html.escape(head)}</code></dt><dd>{html.escape(text)}</dd>")
            lines.append("</dl>")
    return Page(None, "commands.html", "Commands", "\n".join(lines) + "\n")


def groups(lines):
    """Lines of examples, which are indented, and of text, in their order."""
    found = []
    for line in lines:
        example = line.startswith("  ")
        if not line.strip():
            continue
        if not found or found[-1][0] != example:
            found.append((example, []))
        found[-1][1].append(line.strip())
    return found


def words():
    """The words for authors of scenarios: name, form, owner and meaning of each function in the folder of words."""
    for path in sorted(WORDS.glob("*.swift")):
        owner, comment, lines = "", [], path.read_text(encoding="utf-8").splitlines()
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
                form = line.strip()
                while form.count("(") > form.count(")") and index + 1 < len(lines):
                    index += 1
                    form += " " + lines[index].strip()
                form = re.sub(r"^public (static )?func ", "", form).split(" {")[0].split(" where ")[0]
                meaning = " ".join(comment).split("- Parameter")[0].strip()
                yield found[2], form, owner if found[1] else "", meaning
            if not re.match(r"\s*@", line):
                comment = []


def word_page():
    found = sorted(set(words()), key=lambda word: (word[0].lower(), word[2], word[1]))
    lines = ["<h1>Words of scenarios</h1>",
             "<p>What can stand in a scenario, by name. A word with a subject stands after it, as in "
             "<code>alice.sends(…)</code>.</p>",
             "<table><thead><tr><th>Word</th><th>Of</th><th>Meaning</th></tr></thead><tbody>"]
    for name, form, owner, meaning in found:
        text = re.sub(r"`+([^`]+)`+", r"<code>\1</code>", html.escape(meaning, quote=False))
        subject = f"<code>{html.escape(owner)}</code>" if owner else "–"
        lines.append(f"<tr><td><code>{html.escape(form)}</code></td><td>{subject}</td><td>{text}</td></tr>")
    lines.append("</tbody></table>")
    return Page(None, "words.html", "Words of scenarios", "\n".join(lines) + "\n"), len(found)


class Links(html.parser.HTMLParser):
    """The anchors of a written page, and where its links go."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.aims = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.anchors.add(attrs["id"])
        for name in ("href", "src"):
            if name in attrs:
                self.aims.append(attrs[name])


def broken_links(folder):
    """Each link of the written site that leads nowhere in it, and how many were followed."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    broken, count = [], 0
    for path, links in pages.items():
        for aim in links.aims:
            parts = urllib.parse.urlsplit(aim)
            if parts.scheme in ("http", "https"):
                continue
            count += 1
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not there.is_file():
                broken.append(f"{path.relative_to(folder)}: {aim} is not there")
            elif parts.fragment and there in pages and parts.fragment not in pages[there].anchors:
                broken.append(f"{path.relative_to(folder)}: {aim}: no such place")
    return broken, count


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    if not os.access(program, os.X_OK):
        print(f"ci/docs: {program} is not a program; ci/build release makes it", file=sys.stderr)
        return 2
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    maker = Maker(folder)
    for source in maker.sources:
        maker.article(source)
    try:
        commands = command_page(program)
    except Unknown as unknown:
        print(f"ci/docs: {unknown}", file=sys.stderr)
        return 2
    glossary, count = word_page()
    # Behind the first page, which is the README.
    maker.pages[1:1] = [commands, glossary]
    maker.write()
    broken, followed = broken_links(folder)
    problems = maker.problems + broken
    if count == 0:
        problems.append(f"{WORDS.relative_to(ROOT)}: no word of scenarios was found")
    for problem in problems:
        print(problem)
    print(f"{folder.relative_to(ROOT)}/index.html: {len(maker.pages)} pages, {count} words of scenarios, "
          f"{followed} links followed, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
