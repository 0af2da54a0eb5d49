"""Pages of the public declarations of products, for MkDocs: one for each type, and a list of all for each module."""

import html
import os
import re

from documentation.articles import link_symbols, parsed
from documentation.symbols import SILENT
from documentation.writer import cell, code, escaped, link

# Kinds of the compiler, in words; the order is that of a page.
GROUPS = (
    ("Types", ("struct", "class", "enum", "protocol", "actor")),
    ("Type aliases", ("typealias", "associatedtype")),
    ("Cases", ("enum.case",)),
    ("Initialisers", ("init",)),
    ("Properties of the type", ("type.property", "type.subscript")),
    ("Properties", ("property", "subscript", "var")),
    ("Methods of the type", ("type.method",)),
    ("Methods", ("method", "func")),
    ("Operators", ("func.op",)),
)
WORDS = {"struct": "Structure", "class": "Class", "enum": "Enumeration", "protocol": "Protocol", "actor": "Actor"}
# Colours of the theme's highlighter.
COLOURS = {"keyword": "kd", "attribute": "nd", "typeIdentifier": "nc", "identifier": "nf", "externalParam": "nv",
           "internalParam": "nv", "genericParameter": "nc", "number": "mi", "string": "s"}
WIDTH = 90
# The search shows articles before public names, unless a name is what was asked for.
BEHIND = {"boost": 0.5}


def front_matter(title, description, **more):
    """Returns the lines before a page's text, in YAML."""
    def quoted(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    fields = {"title": title, "description": description, **more}
    lines = [f"{name}: {quoted(value) if isinstance(value, str) else value}" for name, value in fields.items() if value]
    return "\n".join(["---", *lines, "---", "", ""])


def broken(fragments, width=WIDTH):
    """Returns the fragments of a declaration; each parameter of a long one begins a line."""
    if sum(len(fragment["spelling"]) for fragment in fragments) <= width:
        return fragments
    depth, lines, opened, is_first = 0, [], False, True
    for fragment in fragments:
        text = ""
        for letter in fragment["spelling"]:
            if letter == ")" and depth == 1 and opened:
                text, opened = text + "\n", False
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
            text += letter
            if depth == 1 and (letter == "," or (letter == "(" and is_first)):
                text, opened, is_first = text + "\n    ", True, False
        lines.append({**fragment, "spelling": text.replace("\n     ", "\n    ")})
    for before, after in zip(lines, lines[1:]):
        if before["spelling"].endswith("\n    "):
            after["spelling"] = after["spelling"].removeprefix(" ")
    return lines


class ApiPages:
    """The pages of the public declarations of some modules, for one index of declarations."""

    def __init__(self, index, modules, described=()):
        # Modules that are described by a page of their own.
        self.index, self.modules, self.described = index, list(modules), set(described)
        self.places, self.anchors = {}, {}
        for symbol in sorted(index.by_id.values(), key=lambda symbol: symbol.order):
            if symbol.is_public and symbol.module in self.modules:
                self.places[symbol.id] = self.place(symbol)

    def place(self, symbol):
        """The page of a declaration, and the anchor on it; no anchor for what the page is about."""
        owner = self.index.owner(symbol)
        outer = self.index.by_path.get((owner, symbol.path[:1]))
        if owner not in self.modules or outer is None or not (outer.is_type and outer.is_public):
            return self.list_place(symbol.module), self.anchor(symbol, self.list_place(symbol.module), symbol.path)
        page = f"{owner}/api/{symbol.path[0]}.md"
        return page, self.anchor(symbol, page, symbol.path[1:]) if len(symbol.path) > 1 else ""

    def anchor(self, symbol, page, path):
        base = name = re.sub(r"[^\w.]+", "-", ".".join(path)).strip("-")
        number = 1
        while self.anchors.setdefault((page.lower(), name.lower()), symbol.id) != symbol.id:
            number += 1
            name = f"{base}-{number}"
        return name

    @staticmethod
    def list_place(module):
        return f"{module}/api/index.md"

    def target(self, symbol, page):
        """The link from a page to a declaration; None where it has no page."""
        there = self.places.get(symbol.id)
        if there is None:
            return None
        path, anchor = there
        near = "" if path == page and anchor else os.path.relpath(path, os.path.dirname(page) or ".")
        return near + (f"#{anchor}" if anchor else "")

    def pages(self):
        """Each page with its text, and the source of what it is about."""
        for module in self.modules:
            yield self.list_place(module), self.list(module), ""
        for symbol in sorted(self.index.by_id.values(), key=lambda symbol: symbol.order):
            place = self.places.get(symbol.id)
            if place and not place[1] and symbol.is_type:
                yield place[0], self.page(symbol, place[0]), symbol.source

    def public(self, symbols):
        return [symbol for symbol in symbols if symbol.id in self.places]

    def list(self, module):
        """The text of the list of all public declarations of a module that stand by themselves."""
        page = self.list_place(module)
        mine = [symbol for symbol in self.index.by_id.values() if symbol.module == module]
        own = self.public(sorted(mine, key=lambda symbol: symbol.name.lower()))
        outermost = [symbol for symbol in own if len(symbol.path) == 1]
        lines = [front_matter(f"All of {module}", f"The public declarations of the module {module}.", search=BEHIND),
                 f"# All of {module}", "",
                 f"The public declarations of {self.module_link(module)}, by name.", ""]
        for title, kinds in GROUPS:
            members = [symbol for symbol in outermost if symbol.kind in kinds]
            if not members:
                continue
            lines += [f"## {title}", ""]
            if title == "Types":
                lines += ["| Name | Meaning |", "| --- | --- |"]
                for symbol in members:
                    name = link(code(symbol.name), self.target(symbol, page))
                    lines.append(f"| {name} | {cell(escaped(abstract(symbol)))} |")
                lines.append("")
            else:
                for symbol in members:
                    lines += self.member(symbol, page)
        foreign = [symbol for symbol in own if self.places[symbol.id][0] == page and len(symbol.path) > 1]
        if foreign:
            lines += ["## In types of others", ""]
            for symbol in foreign:
                lines += self.member(symbol, page, name=".".join(symbol.path))
        return "\n".join(lines) + "\n"

    def page(self, symbol, page):
        """The text of the page of a type."""
        lines = [front_matter(symbol.name, abstract(symbol), hide=["navigation"], search=BEHIND),
                 f"# `{symbol.name}` {{ #{symbol.name} }}", "", self.kind_line(symbol), ""]
        lines += self.body(symbol, page)
        nested = self.members(symbol, page, lines, "##")
        while nested:
            inner = nested.pop(0)
            lines += [f"## `{'.'.join(inner.path)}` {{ #{self.places[inner.id][1]} }}", ""]
            lines += self.body(inner, page)
            nested[:0] = self.members(inner, page, lines, "")
        return "\n".join(lines) + "\n"

    def kind_line(self, symbol):
        kind = "Actor" if any(part["spelling"] == "actor" for part in symbol.fragments) else WORDS[symbol.kind]
        return f"{kind} of {self.module_link(symbol.module)} · [all names](index.md)\n{{ .api-kind }}"

    def module_link(self, module):
        return link(module, f"../{module}.md") if module in self.described else module

    def members(self, symbol, page, lines, level):
        """Adds the members of a type, in groups where headings have room; returns the types inside of it."""
        mine = self.public(self.index.children(symbol))
        for title, kinds in GROUPS:
            chosen = [other for other in mine if other.kind in kinds and not other.is_type]
            if chosen and level:
                lines += [f"{level} {title}", ""]
            for other in chosen:
                lines += self.member(other, page)
        return [other for other in mine if other.is_type]

    def member(self, symbol, page, name=None):
        anchor = self.places[symbol.id][1]
        return [f"### `{name or symbol.name}` {{ #{anchor} }}", "", *self.body(symbol, page)]

    def body(self, symbol, page):
        """The declaration, the comment, and what it conforms to."""
        lines = [self.declaration(symbol, page), "", self.comment(symbol, page), ""]
        conforms = []
        for target, name in symbol.conforms:
            if name and name not in SILENT:
                other = self.index.by_id.get(target)
                there = self.target(other, page) if other else None
                conforms.append(link(f"`{name}`", there) if there else f"`{name}`")
        if conforms:
            lines += [f"Conforms to {', '.join(sorted(set(conforms)))}.", "{ .api-conforms }", ""]
        return lines

    def declaration(self, symbol, page):
        """The declaration in colours; names of types that have a page lead there."""
        parts = []
        for fragment in broken(symbol.fragments):
            text = html.escape(fragment["spelling"], quote=False)
            other = self.index.by_id.get(fragment.get("preciseIdentifier"))
            there = self.target(other, page) if other else None
            if there:
                text = f'<a href="{re.sub(r"[.]md(?=#|$)", ".html", there)}">{text}</a>'
            colour = COLOURS.get(fragment["kind"])
            parts.append(f'<span class="{colour}">{text}</span>' if colour else text)
        return f'<div class="highlight api-declaration"><pre><code>{"".join(parts)}</code></pre></div>'

    def comment(self, symbol, page):
        """The comment of a declaration as Markdown, its symbols linked."""
        article = parsed(symbol.comment)
        for token in article.tokens:
            if token.type == "heading_open":
                token.attrs.pop("id", None)
            if token.type in ("heading_open", "heading_close"):
                token.tag = "h4"
        for child in article.links():
            if str(child.attrGet("href")).startswith("doc:"):
                child.attrSet("href", self.article_target(child.attrGet("href"), symbol.module))
        owner = self.index.owner(symbol)

        def resolve(words):
            found = self.index.find(words, owner, symbol.path)
            return self.target(found, page) if found else None
        return link_symbols(article, resolve).markdown()

    @staticmethod
    def article_target(address, module):
        """The page of an article that a comment names with DocC's own scheme."""
        name, _, heading = address.removeprefix("doc:").partition("#")
        name = name.rpartition("/")[2]
        return f"../{name}.md" + (f"#{heading.lower()}" if heading else "")


def abstract(symbol):
    """The first paragraph of a comment, as plain words."""
    first = symbol.comment.strip().split("\n\n")[0]
    return re.sub(r"`+([^`]*)`+", r"\1", " ".join(first.split()))
