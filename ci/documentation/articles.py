"""Articles of DocC catalogues, converted to pages for MkDocs. Pure functions: text in, text out.

Translated are links between articles, ``symbols``, asides (`> Note:`), metadata (`@Metadata { … }`), the heading
Overview, lists below Topics, and comments to other tools. What the site cannot show is a problem, with the place of it.
"""

import re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from documentation.writer import written

ASIDES = {"note": "note", "tip": "tip", "important": "info", "experiment": "example", "warning": "warning"}
# Directives of DocC that say nothing to readers of a site.
SILENT = {"@Metadata", "@Options", "@Comment"}


@dataclass
class Article:
    """What was read of a text: the tokens, the title, the abstract, and the anchors of its headings."""

    title: str = ""
    abstract: str = ""
    tokens: list = field(default_factory=list)
    anchors: list = field(default_factory=list)
    # Anchors of headings that pages of the site do not show.
    dropped: list = field(default_factory=list)
    problems: list = field(default_factory=list)

    def links(self):
        """Each link and image, as tokens whose targets can be set."""
        return [child for token in self.tokens for child in token.children or []
                if child.type in ("link_open", "image")]

    def markdown(self):
        return written(self.tokens)


def slug(text, taken):
    """Returns the anchor of a heading, as code-hosting pages make it."""
    base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.append(name)
    return name


def plain(token):
    """Returns the words of an inline token, without markup."""
    return "".join(" " if child.type == "softbreak" else child.content for child in token.children or [])


def _directive(state, begin, end, silent):
    """A rule of the parser for DocC's `@Name(…) { … }`, which may go over many lines."""
    if state.is_code_block(begin):
        return False
    first = state.getLines(begin, begin + 1, state.blkIndent, False)
    found = re.match(r"(@[A-Z]\w*)\s*(\([^)]*\))?\s*(\{)?", first)
    if not found:
        return False
    if silent:
        return True
    last = begin + 1
    if found[3]:
        depth = first.count("{") - first.count("}")
        while depth > 0 and last < end:
            text = state.getLines(last, last + 1, state.blkIndent, False)
            depth += text.count("{") - text.count("}")
            last += 1
    token = state.push("directive", "", 0)
    token.content, token.map = found[1], [begin, last]
    state.line = last
    return True


def _parser():
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.block.ruler.before("paragraph", "directive", _directive, {"alt": ["paragraph"]})
    return markdown


_PARSER = _parser()


def parsed(text):
    """Returns the article of a text, with an anchor at each heading."""
    article = Article()
    for token in _PARSER.parse(text):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "html_block":
            if not token.content.strip().startswith("<!--"):
                article.problems.append(f"line {line}: HTML is not shown everywhere: {token.content.split()[0]}")
            continue
        if token.type == "directive":
            if token.content not in SILENT:
                article.problems.append(f"line {line}: the directive {token.content} has no meaning on a page")
            continue
        for child in token.children or []:
            if child.type == "html_inline":
                article.problems.append(f"line {line}: HTML is not shown everywhere: {child.content}")
                child.type = "text"
        article.tokens.append(token)
    for place, token in enumerate(article.tokens):
        if token.type == "heading_open":
            words = plain(article.tokens[place + 1])
            token.attrSet("id", slug(words, article.anchors))
            article.title = article.title or words
        elif token.type == "paragraph_open" and not article.abstract and article.title:
            article.abstract = plain(article.tokens[place + 1])
    _asides(article.tokens)
    return article


def _asides(tokens):
    """Marks the quotations that begin with a word such as "Note:"."""
    for place, token in enumerate(tokens):
        if token.type != "blockquote_open" or tokens[place + 1].type != "paragraph_open":
            continue
        words = tokens[place + 2].children
        found = re.match(r"(\w+):\s*", words[0].content) if words and words[0].type == "text" else None
        if found and found[1].lower() in ASIDES:
            token.meta["aside"] = (ASIDES[found[1].lower()], found[1].capitalize())
            words[0].content = words[0].content[found.end():]
            if words[0].content == "" and len(words) > 1 and words[1].type == "softbreak":
                del words[1]


def without_overview(article):
    """Drops the heading Overview, which DocC wants, and raises the headings below it to its level."""
    tokens, kept, is_below, drop = article.tokens, [], False, 0
    for place, token in enumerate(tokens):
        if drop:
            drop -= 1
            continue
        if token.type == "heading_open":
            words = plain(tokens[place + 1])
            if token.tag == "h2" and words == "Overview" and not article.dropped:
                article.dropped.append(token.attrGet("id"))
                is_below, drop = True, 2
                continue
            is_below = is_below and token.tag != "h2"
        if is_below and token.type in ("heading_open", "heading_close"):
            token.tag = f"h{int(token.tag[1]) - 1}"
        kept.append(token)
    article.tokens = kept
    return article


def is_symbol(token):
    """Tells whether a code span names a declaration: ``Name``."""
    return token.type == "code_inline" and token.markup == "``"


def link_symbols(article, resolve):
    """Turns each ``symbol`` into a link where `resolve(path)` gives a target, and into code elsewhere."""
    for token in article.tokens:
        changed, is_linked = [], False
        for child in token.children or []:
            is_linked = child.type == "link_open" or (is_linked and child.type != "link_close")
            target = resolve(child.content) if is_symbol(child) else None
            if is_symbol(child):
                child.content = re.sub(r"-\w{4,6}$", "", child.content).rpartition("/")[2]
                child.markup = "`"
            if target and not is_linked:
                changed += [Token("link_open", "a", 1, {"href": target}), child, Token("link_close", "a", -1)]
            else:
                changed.append(child)
        if token.children is not None:
            token.children = changed
    return article


def topics(article):
    """Returns the lists below Topics: titles with the links of each, `(words, target)`; symbols have no target."""
    found, is_there, depth = [], False, 0
    for place, token in enumerate(article.tokens):
        if token.type == "heading_open":
            words = plain(article.tokens[place + 1])
            if token.tag == "h2":
                is_there = words == "Topics"
            elif is_there:
                found.append((words, []))
        elif token.type in ("list_item_open", "list_item_close"):
            depth += token.nesting
        elif is_there and depth and found and token.type == "inline":
            for number, child in enumerate(token.children):
                if child.type == "link_open":
                    end = next(i for i in range(number, len(token.children)) if token.children[i].type == "link_close")
                    said = "".join(part.content for part in token.children[number + 1:end])
                    found[-1][1].append((said, child.attrGet("href")))
                elif is_symbol(child):
                    found[-1][1].append((child.content, None))
    return found


def explain_topics(article, explain):
    """Adds to each entry below Topics what `explain(token)` says of its link."""
    is_there, depth = False, 0
    for place, token in enumerate(article.tokens):
        if token.type == "heading_open" and token.tag == "h2":
            is_there = plain(article.tokens[place + 1]) == "Topics"
        elif token.type in ("list_item_open", "list_item_close"):
            depth += token.nesting
        elif is_there and depth and token.type == "inline" and len(token.children) > 1:
            words = token.children[-1]
            if token.children[0].type == "link_open" and words.type == "link_close":
                said = explain(token.children[0].attrGet("href"))
                if said:
                    token.children.append(Token("text", "", 0, content=": " + said))
    return article
