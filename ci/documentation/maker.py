"""Writes the pages of ci/docs for MkDocs, into a folder with a configuration."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse

import yaml

from commands import described
from documentation import articles, tables
from documentation.api_pages import ApiPages, front_matter
from documentation.libraries import library_page
from documentation.licences import licence_page
from documentation.navigation import LIBRARIES, PROJECT, REFERENCE, navigation
from documentation.symbols import Compiler, Index, packages, products
from documentation.versions import edit_address

OWN = pathlib.Path(__file__).resolve().parent
WORDS = "Sources/MeshScenarios/Words"
FIRST = "Sources/MeshTestbed/MeshTestbed.docc/MeshTestbed.md"
README = "readme.md"
# Pages that stand where code-hosting pages look for them: file, page and title in the navigation.
ELSEWHERE = [(".github/CONTRIBUTING.md", "contributing.md", "Contributing"), (".github/SECURITY.md", "security.md", "Security")]
DECLARED = r"\b(?:case|func|var|let|struct|enum|class|actor|protocol|typealias) `?{}\b"


class Maker:
    """All pages of one tree of sources; problems are kept, with the file that each is in.

    Without a program there are no pages of commands and of public names, and the README is the first page.
    """

    def __init__(self, root, program, folder):
        self.root, self.program, self.folder = pathlib.Path(root), program, folder
        self.docs, self.problems = folder / "docs", []
        # Earlier versions do not have all of them.
        self.elsewhere = [row for row in ELSEWHERE if (self.root / row[0]).exists()]
        self.sources = [self.root / "README.md", *(self.root / file for file, _, _ in self.elsewhere), *self.catalogues()]
        self.articles = {path: articles.parsed(path.read_text(encoding="utf-8")) for path in self.sources}
        self.pages = {self.page_of(path): self.articles[path].title for path in self.sources}
        dumped = subprocess.run(["swift", "package", "dump-package"], cwd=self.root, check=True, capture_output=True)
        manifest = json.loads(dumped.stdout)
        self.products = products(manifest)
        self.read_symbols(packages(manifest))

    def read_symbols(self, libraries):
        with_pages = {path.parts[-3] for path in self.catalogues()}
        inside = [module for _, modules in self.products for module in modules]
        symbols = []
        if self.program:
            compiler = Compiler(self.root, os.path.dirname(os.path.realpath(self.program)), libraries)
            every = list(dict.fromkeys([*inside, *sorted(with_pages)]))
            symbols = compiler.symbols(every, self.folder / "symbols")
        self.index = Index(symbols, [modules for _, modules in self.products])
        self.api = ApiPages(self.index, dict.fromkeys(inside), with_pages)

    def catalogues(self):
        """The articles, the page of a module before its others."""
        found = self.root.glob("Sources/*/*.docc/*.md")
        return sorted(found, key=lambda path: (path.parts[-3], path.stem != path.parts[-3], path.stem))

    def problem(self, where, what):
        self.problems.append(f"{where}: {what}")

    def page_of(self, path):
        """The page of a Markdown file: Sources/M/M.docc/A.md is M/A.md."""
        parts = path.relative_to(self.root).parts
        own = {file: page for file, page, _ in ELSEWHERE} | {"README.md": README}
        return own.get("/".join(parts)) or f"{parts[-3]}/{path.name}"

    def write(self, page, text):
        path = self.docs / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # Articles

    def article(self, path):
        """Writes an article with its links turned to pages; each must lead somewhere in the repository, too."""
        article, page, shown = self.articles[path], self.page_of(path), path.relative_to(self.root)
        for problem in article.problems:
            self.problem(shown, problem)
        for token in article.links():
            name = "src" if token.type == "image" else "href"
            token.attrSet(name, self.target(path, page, token.attrGet(name), token.type == "image"))
        module = page.partition("/")[0]
        articles.link_symbols(article, lambda words: self.symbol(words, module, page, shown))
        articles.explain_topics(article, lambda target: self.abstract(target, page))
        text = articles.without_overview(article).markdown()
        self.write(page, front_matter(article.title, article.abstract, source=str(shown)) + text)

    def target(self, path, page, href, is_image):
        """Where a link leads on the site."""
        parts, shown = urllib.parse.urlsplit(href), path.relative_to(self.root)
        if parts.scheme in ("http", "https"):
            return href
        if parts.scheme:
            self.problem(shown, f"{href} leads nowhere on a code-hosting page; write [Title](File.md)")
            return "#"
        aim = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not aim.exists():
            self.problem(shown, f"{href} does not exist")
        elif aim in self.articles:
            there = os.path.relpath(self.page_of(aim), os.path.dirname(page) or ".") if parts.path else ""
            if not parts.fragment or parts.fragment in self.articles[aim].dropped:
                return there or os.path.basename(page)
            if parts.fragment not in self.articles[aim].anchors:
                self.problem(shown, f"{href}: no such heading")
            return f"{there}#{parts.fragment}"
        elif is_image or aim == self.root / "LICENSE":
            copy = self.docs / os.path.dirname(page) / (aim.name if is_image else "LICENSE.txt")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(aim, copy)
            return copy.name
        else:
            self.problem(shown, f"{href} is no page of the site")
        return "#"

    def symbol(self, words, module, page, shown):
        """The page of a declaration; a name that nothing declares is a problem."""
        if f"{words}/{words}.md" in self.pages:
            aim = f"{words}/{words}.md"
            return None if aim == page else os.path.relpath(aim, os.path.dirname(page) or ".")
        found = self.index.find(words, module)
        if found or not self.program:
            return self.api.target(found, page) if found else None
        # The compiler writes no symbols of what needs a package import; the sources have them.
        name = re.escape(re.split(r"[(-]", words.rpartition("/")[2])[0])
        sources = self.root.glob(f"Sources/{module}/**/*.swift")
        if not any(re.search(DECLARED.format(name), source.read_text(encoding="utf-8")) for source in sources):
            self.problem(shown, f"``{words}`` is declared nowhere")
        return None

    def abstract(self, target, page):
        """What a page or a declaration is, for lists of topics."""
        path, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        for source in self.sources:
            if self.page_of(source) == there and not anchor:
                return self.articles[source].abstract
        for identity, place in self.api.places.items():
            if place == (there, anchor):
                return articles.parsed("# x\n\n" + self.index.by_id[identity].comment).abstract
        return ""

    # The whole

    def link_repository(self, address):
        """Has each page lead to its source, where the repository has pages."""
        if address:
            # The theme's own name for it, repo_url, would have each reader's browser ask the host how liked it is.
            self.config["extra"]["edit"] = edit_address(address)

    def make(self):
        """Writes all pages and the configuration; returns how many words of scenarios there are."""
        topics = [(title, [(words, self.topic_page(href)) for words, href in entries if href])
                  for title, entries in articles.topics(self.articles[self.root / FIRST])]
        for path in self.sources:
            self.article(path)
        words = list(tables.words(self.root / WORDS))
        if not words:
            self.problem(WORDS, "no word of scenarios was found")
        generated = [(REFERENCE, "Words of scenarios", "words.md"), (PROJECT, "Features and limits", README),
                     *((PROJECT, title, page) for _, page, title in self.elsewhere), (PROJECT, "Licences", "licences.md")]
        self.write("words.md", tables.word_page(words))
        self.write("licences.md", licence_page())
        shutil.copytree(OWN / "pages", self.docs, dirs_exist_ok=True)
        if self.program:
            generated = [(REFERENCE, "Commands", "commands.md"), (LIBRARIES, "Libraries", "swift.md"), *generated]
            self.write_names()
        else:
            shutil.copyfile(self.docs / README, self.docs / "index.md")
        order, missing = navigation(topics, self.pages, self.products if self.program else [], generated)
        for page in missing:
            self.problem(page, f"no topic of {FIRST} lists it")
        self.configure(order)
        return len(words)

    def write_names(self):
        """Writes the pages of commands and of public names."""
        for page, text, source in self.api.pages():
            self.write(page, text.replace("---\n", f"---\nsource: {source}\n", 1) if source else text)
        self.write("commands.md", tables.command_page(described(self.program)))
        abstracts = {path.parts[-3]: self.articles[path].abstract for path in self.catalogues()
                     if path.stem == path.parts[-3]}
        self.write("swift.md", library_page(self.products, self.index, self.pages, abstracts))

    def topic_page(self, href):
        return self.page_of((self.root / FIRST).parent.joinpath(href).resolve())

    def configure(self, order):
        config = yaml.safe_load((OWN / "mkdocs.yml").read_text(encoding="utf-8"))
        config["docs_dir"], config["hooks"], config["nav"] = str(self.docs), [str(OWN / "hooks.py")], order
        config["theme"]["custom_dir"] = str(OWN / "overrides")
        self.config = config
