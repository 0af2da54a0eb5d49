"""The page of all library products, and what each of their modules is for. Text for MkDocs."""

from documentation.api_pages import ApiPages, front_matter
from documentation.writer import cell, escaped, link

ABSTRACT = "The libraries of the package, for programs in Swift: test benches, apps, and tools for radios and meshes."


def library_page(products, index, pages, abstracts):
    """Returns the text of the page; `pages` have articles, `abstracts` are those of modules."""
    lines = [front_matter("Swift libraries", ABSTRACT), "# Swift libraries", "", ABSTRACT, "",
             "They need Swift 6.2 or newer on Linux. A package names the product that it needs; its modules come with it.",
             "",
             "```swift", '.package(path: "../meshbed"),', "// …",
             '.product(name: "MeshTestbed", package: "meshbed"),', "```", ""]
    seen = set()
    for product, modules in products:
        own = [module for module in modules if module not in seen]
        seen.update(own)
        lines += [f"## {product} {{ #{product} }}", "", "| Module | For | Names |", "| --- | --- | --- |"]
        for module in own:
            count = public_count(index, module)
            page = f"{module}/{module}.md"
            name = link(module, page) if page in pages else module
            names = link(str(count), ApiPages.list_place(module)) if count else "–"
            lines.append(f"| {name} | {cell(escaped(abstracts.get(module, '')))} | {names} |")
        others = [module for module in modules if module not in own]
        if others:
            lines += ["", f"With it come {', '.join(others)}."]
        lines.append("")
    return "\n".join(lines) + "\n"


def public_count(index, module):
    """How many public types and functions of a module stand by themselves."""
    return sum(1 for symbol in index.by_id.values()
               if symbol.module == module and symbol.is_public and len(symbol.path) == 1)
