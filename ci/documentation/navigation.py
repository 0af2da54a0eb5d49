"""The order of the pages: sections are the Topics of the first article, then the libraries, then all other modules."""

from documentation.api_pages import ApiPages

# The module whose articles are for users; its Topics are the sections.
UMBRELLA = "MeshTestbed"
FIRST, REFERENCE, PROJECT = "Home", "Reference", "The project"
LIBRARIES, MODULES = "Swift libraries", "Modules"


def navigation(topics, pages, products, generated):
    """Returns the navigation of MkDocs, and the pages that no section has.

    `topics` are sections with `(words, page)`, `pages` all pages of articles with their titles, `products` names with
    their modules, and `generated` pages that no article has, each with its section and its words.
    """
    sections, placed = [{FIRST: "index.md"}], {"index.md"}
    for title, entries in topics:
        chosen = [(words, page) for words, page in entries if not is_module_page(page) and page not in placed]
        placed.update(page for _, page in chosen)
        before = [entry for section, *entry in generated if section == title]
        rest = others(products, pages, placed) if title == PROJECT else []
        behind = [{MODULES: rest}] if rest else []
        sections.append({title: [{words: page} for words, page in [*before, *chosen]] + behind})
    place = next((number for number, section in enumerate(sections) if PROJECT in section), len(sections))
    found = libraries(products, pages, generated)
    if found:
        sections.insert(place, {LIBRARIES: found})
    missing = [page for page in pages if page not in listed(sections)]
    return sections, missing


def is_module_page(page):
    """Tells whether a page is the one of its module: `MeshCore/MeshCore.md`."""
    module, _, name = page.rpartition("/")
    return bool(module) and name == module + ".md"


def libraries(products, pages, generated):
    """Each product with its modules, and the list of all names in each."""
    found = [{words: page} for section, words, page in generated if section == LIBRARIES]
    seen = set()
    for product, modules in products:
        entries = []
        for module in modules:
            if module in seen:
                continue
            seen.add(module)
            page = f"{module}/{module}.md"
            if page in pages:
                entries.append({module: page})
            entries.append({f"All of {module}": ApiPages.list_place(module)})
        if entries:
            found.append({product: entries})
    return found


def others(products, pages, placed):
    """The modules below the products, and articles of any module that no section has."""
    inside = {module for _, modules in products for module in modules}
    found = []
    for module in sorted({page.partition("/")[0] for page in pages if "/" in page}):
        mine = [page for page in pages if page.startswith(module + "/") and page not in placed]
        if module == UMBRELLA:
            # Its articles belong to sections.
            mine = [page for page in mine if is_module_page(page)]
        mine = [page for page in mine if not (module in inside and is_module_page(page))]
        entries = [{module if is_module_page(page) else pages[page]: page} for page in mine]
        if entries:
            found.append({module: entries} if len(entries) > 1 or not is_module_page(mine[0]) else entries[0])
    return found


def listed(sections):
    """All pages of a navigation."""
    found = set()
    for section in sections:
        for value in section.values() if isinstance(section, dict) else [section]:
            found |= listed(value) if isinstance(value, list) else {value}
    return found
