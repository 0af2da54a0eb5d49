"""The links of a written site: each leads somewhere in it, and nothing is loaded from another host."""

import html.parser
import re
import urllib.parse

# What a browser loads by itself, beside links that a reader follows.
LOADED = {("script", "src"), ("img", "src"), ("source", "src"), ("video", "src"), ("iframe", "src")}
LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "manifest"}


class Page(html.parser.HTMLParser):
    """The anchors of a written page, where its links go, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.aims, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("id"):
            self.anchors.add(attrs["id"])
        for name in ("href", "src"):
            aim = attrs.get(name)
            if aim is None:
                continue
            self.aims.append(aim)
            if (tag, name) in LOADED or (tag == "link" and LOADED_LINKS & set((attrs.get("rel") or "").split())):
                self.loaded.append(aim)


def is_elsewhere(aim):
    parts = urllib.parse.urlsplit(aim)
    return bool(parts.netloc) or parts.scheme in ("http", "https")


def problems_of(folder, private=()):
    """Returns what is wrong with a written site, and how many links were followed.

    `private` are texts that no file of it may contain, such as a path of the machine.
    """
    folder = folder.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: {aim} is loaded from elsewhere" for aim in page.loaded if is_elsewhere(aim)]
        for aim in page.aims:
            parts = urllib.parse.urlsplit(aim)
            if is_elsewhere(aim) or parts.scheme in ("data", "mailto", "javascript"):
                continue
            count += 1
            aimed = urllib.parse.unquote(parts.path)
            there = (path.parent / aimed).resolve() if aimed else path
            if path.name == "404.html" and aimed.startswith("/"):
                # A server shows this page at any address, so its links begin at the root, which is where it is.
                there = (path.parent / aimed.lstrip("/")).resolve()
            there = there / "index.html" if there.is_dir() else there
            anchor = urllib.parse.unquote(parts.fragment)
            if not there.is_file():
                found.append(f"{name}: {aim} is not there")
            elif anchor and there in pages and anchor not in pages[there].anchors:
                found.append(f"{name}: {aim}: no such place")
    for path in sorted(folder.rglob("*.css")):
        for aim in re.findall(r"(?:url\(|@import\s*)[\"']?([^\"')]+)", path.read_text(encoding="utf-8")):
            if is_elsewhere(aim):
                found.append(f"{path.relative_to(folder)}: {aim} is loaded from elsewhere")
    for path in sorted(folder.rglob("*")):
        if private and path.suffix in (".html", ".json", ".css", ".js", ".xml") and ".git" not in path.parts:
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{path.relative_to(folder)}: contains {words}" for words in private if words in text]
    return found, count
