"""The page that names the licences of what the site carries. Text for MkDocs."""

import importlib.metadata

from documentation.api_pages import front_matter

ABSTRACT = "Licences of what this site carries, beside its own text."

# What ends up in the pages: name, package of its version, what of it, licence, whose, where.
CARRIED = (
    ("Material for MkDocs", "mkdocs-material", "templates, styles, scripts", "MIT", "Martin Donath",
     "https://squidfunk.github.io/mkdocs-material/"),
    ("MkDocs", "mkdocs", "form of search index and site map", "BSD-2-Clause", "Tom Christie", "https://www.mkdocs.org"),
    ("mike", "mike", "list of versions, redirects", "BSD-3-Clause", "Jim Porter", "https://github.com/jimporter/mike"),
    ("Lunr", None, "search, in Material's worker", "MIT", "Oliver Nightingale", "https://lunrjs.com"),
    ("RxJS", None, "in Material's scripts", "Apache-2.0", "Google, Netflix, Microsoft and contributors",
     "https://rxjs.dev"),
    ("clipboard.js", None, "in Material's scripts", "MIT", "Zeno Rocha", "https://clipboardjs.com"),
    ("escape-html", None, "in Material's scripts", "MIT", "TJ Holowaychuk, Andreas Lubbe, Tiancheng Gu",
     "https://github.com/component/escape-html"),
    ("focus-visible", None, "in Material's scripts", "W3C-20150513", "W3C",
     "https://github.com/WICG/focus-visible"),
    ("tslib", None, "in Material's scripts", "0BSD", "Microsoft", "https://github.com/microsoft/tslib"),
    ("Material Design Icons", None, "icons", "Apache-2.0", "Google and the Pictogrammers",
     "https://pictogrammers.com/library/mdi/"),
)


def licence_page():
    """Returns the text of the page."""
    lines = [front_matter("Licences", ABSTRACT), "# Licences", "", ABSTRACT, "",
             "Text, pictures and code of these pages are Meshbed's, under the [MIT licence](LICENSE.txt). The pages "
             "load nothing from other hosts, set no cookies and count no visitors; the choice of colours and of a "
             "version stays in the browser.", "",
             "| Part | Of it | Licence | Copyright |", "| --- | --- | --- | --- |"]
    for name, package, part, licence, holder, address in CARRIED:
        version = f" {importlib.metadata.version(package)}" if package else ""
        lines.append(f"| [{name}]({address}){version} | {part} | {licence} | {holder} |")
    text = next(file for file in importlib.metadata.files("mkdocs-material") if file.name == "LICENSE")
    lines += ["", "## Material for MkDocs", "", "```text", text.read_text(encoding="utf-8").strip(), "```"]
    return "\n".join(lines) + "\n"
