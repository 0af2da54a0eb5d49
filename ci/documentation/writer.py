"""Markdown for MkDocs, written from the tokens of a CommonMark parser.

Articles are CommonMark, as code-hosting pages and DocC read them. Python-Markdown, on which MkDocs stands, reads nested
lists, escapes and tables differently. So an article is parsed once, and written again in a form that both agree on.
"""

import re

INDENT = " " * 4
# What Python-Markdown takes for markup inside of a line.
_MARKUP = re.compile(r"[\\`*_{}\[\]]")
# What it takes for the begin of another block at the begin of a line.
_BLOCK = re.compile(r"(?:[#+:=~-]|!(?!\[)|\d+(?=[.)]))")


def escaped(text):
    """Returns text that Python-Markdown shows as it is, anywhere in a line."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(lambda found: "\\" + found[0], text)


def code(text):
    """Returns a code span."""
    text = text.replace("\n", " ")
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text, language=""):
    """Returns the lines of a block of code."""
    longest = max((len(run) for run in re.findall(r"^\s*(`+)", text, re.M)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + (language or "text"), *text.rstrip("\n").split("\n"), fence]


def cell(text):
    """Returns Markdown as it stands in a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def link(words, target, title=""):
    """Returns a link; words are Markdown already."""
    target = f"<{target}>" if re.search(r"[\s()]", target) else target
    return f"[{words}]({target}" + (f' "{title}"' if title else "") + ")"


def inline(tokens, in_table=False):
    """Returns the Markdown of the children of an inline token, as one line."""
    parts, targets = [], []
    for token in tokens:
        if token.type in ("text", "text_special"):
            text = escaped(token.content)
            parts.append(text.replace("|", "\\|") if in_table else text)
        elif token.type == "code_inline":
            parts.append(code(token.content))
        elif token.type in ("strong_open", "strong_close"):
            parts.append("**")
        elif token.type in ("em_open", "em_close"):
            parts.append("*")
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("  \n")
        elif token.type == "link_open":
            targets.append((len(parts), token.attrGet("href"), token.attrGet("title")))
        elif token.type == "link_close":
            begin, target, title = targets.pop()
            words = "".join(parts[begin:])
            parts[begin:] = [words if target is None else link(words, target, title or "")]
        elif token.type == "image":
            parts.append("!" + link(escaped(token.content), token.attrGet("src"), token.attrGet("title") or ""))
        else:
            raise ValueError(f"no Markdown is known for '{token.type}'")
    return "".join(parts)


def paragraph(text):
    """Returns the lines of a paragraph; the begin of one must not look like another block."""
    lines = text.split("\n")
    found = _BLOCK.match(lines[0])
    if found:
        end = found.end()
        lines[0] = "\\" + lines[0] if not found[0].isdigit() else f"{lines[0][:end]}\\{lines[0][end:]}"
    return lines


class Tree:
    """A block with the blocks inside of it, from the flat list of a parser."""

    def __init__(self, token=None):
        self.token, self.children = token, []

    @property
    def kind(self):
        return self.token.type.removesuffix("_open") if self.token else "root"


def tree(tokens):
    """Returns the blocks of a list of tokens."""
    root = Tree()
    path = [root]
    for token in tokens:
        if token.nesting == -1:
            path.pop()
            continue
        node = Tree(token)
        path[-1].children.append(node)
        if token.nesting == 1:
            path.append(node)
    return root


def written(tokens):
    """Returns the Markdown of a whole text."""
    return "\n".join(blocks(tree(tokens).children)) + "\n"


def blocks(nodes, tight=False):
    """Returns the lines of blocks; blank ones between them, except in a list without."""
    lines = []
    for node in nodes:
        said = block(node)
        # A list follows its paragraph at once; code needs a blank line even there.
        if lines and said and not (tight and node.kind in ("bullet_list", "ordered_list")):
            lines.append("")
        lines += said
    return lines


def block(node):
    """Returns the lines of one block."""
    kind, token = node.kind, node.token
    if kind == "paragraph":
        return paragraph(inline(node.children[0].token.children))
    if kind == "heading":
        words = inline(node.children[0].token.children)
        anchor = token.attrGet("id")
        return [f"{'#' * int(token.tag[1])} {words}" + (f" {{ #{anchor} }}" if anchor else "")]
    if kind in ("fence", "code_block"):
        return fenced(token.content, token.info.split()[0] if token.info.split() else "")
    if kind in ("bullet_list", "ordered_list"):
        return items(node)
    if kind == "blockquote":
        return quotation(node)
    if kind == "table":
        return table(node)
    if kind == "hr":
        return ["---"]
    raise ValueError(f"no Markdown is known for '{kind}'")


def items(node):
    """Returns the lines of a list. Python-Markdown wants four columns for what is inside of an item."""
    ordered = node.kind == "ordered_list"
    number = int(node.token.attrGet("start") or 1) if ordered else 0
    paragraphs = [child for item in node.children for child in item.children if child.kind == "paragraph"]
    is_tight = bool(paragraphs) and all(child.token.hidden for child in paragraphs)
    lines = []
    for place, item in enumerate(node.children):
        mark = f"{number + place}." if ordered else "-"
        inside = blocks(item.children, tight=is_tight) or [""]
        if lines and not is_tight:
            lines.append("")
        lines.append(f"{mark:<4}{inside[0]}".rstrip())
        lines += [INDENT + line if line else "" for line in inside[1:]]
    return lines


def quotation(node):
    """Returns the lines of a quotation, or of an aside where the reader of the article has named it one."""
    inside = blocks(node.children)
    aside = node.token.meta.get("aside")
    if aside:
        kind, title = aside
        return [f'!!! {kind} "{title}"', "", *(INDENT + line if line else "" for line in inside)]
    return [f"> {line}".rstrip() for line in inside]


def table(node):
    """Returns the lines of a table."""
    rows = [row for part in node.children for row in part.children]
    lines = []
    for row in rows:
        cells = [inline(cell.children[0].token.children, in_table=True) for cell in row.children]
        lines.append("| " + " | ".join(cells) + " |")
        if row is rows[0]:
            marks = {"left": ":---", "right": "---:", "center": ":---:"}
            styles = [str(cell.token.attrGet("style") or "").removeprefix("text-align:") for cell in row.children]
            lines.append("| " + " | ".join(marks.get(style, "---") for style in styles) + " |")
    return lines
