"""Declarations of modules, from the symbol graphs that the compiler writes, and the search for one by its path."""

import json
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

TYPES = ("class", "struct", "enum", "protocol", "actor")
# Conformances that the compiler adds to nearly everything.
SILENT = {"Sendable", "SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"}


class Unreadable(Exception):
    """A module of which the compiler writes no symbols."""


@dataclass
class Symbol:
    """A declaration: its kind in words of the compiler, its path, its declaration in fragments and its comment."""

    id: str
    kind: str
    module: str
    path: tuple
    fragments: list
    comment: str = ""
    is_public: bool = True
    source: str = ""
    line: int = 0
    conforms: list = field(default_factory=list)

    @property
    def name(self):
        return self.path[-1]

    @property
    def is_type(self):
        return self.kind in TYPES

    @property
    def order(self):
        return (self.source, self.line, self.name)


def read(graph, module):
    """Returns the declarations of one graph, as the compiler writes it."""
    found = {}
    for entry in graph["symbols"]:
        location = entry.get("location", {})
        source = location.get("uri", "")
        comment = "\n".join(line["text"] for line in entry.get("docComment", {}).get("lines", []))
        symbol = Symbol(
            id=entry["identifier"]["precise"], kind=entry["kind"]["identifier"].removeprefix("swift."), module=module,
            path=tuple(entry["pathComponents"]), fragments=entry["declarationFragments"], comment=comment,
            is_public=entry["accessLevel"] in ("public", "open"),
            source=source[source.rfind("/Sources/") + 1:] if "/Sources/" in source else "",
            line=location.get("position", {}).get("line", -1) + 1)
        found[symbol.id] = symbol
    for relation in graph["relationships"]:
        if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in found:
            name = relation.get("targetFallback", "").rpartition(".")[2]
            found[relation["source"]].conforms.append((relation["target"], name))
    return list(found.values())


def bare(name):
    """Returns the name of a function without its labels."""
    return name.partition("(")[0]


class Index:
    """All declarations of some modules; `families` are the modules that one product hands out together."""

    def __init__(self, symbols, families=()):
        self.families = [set(family) for family in families]
        self.by_id = {symbol.id: symbol for symbol in symbols}
        self.modules = {symbol.module for symbol in symbols}
        self.by_path, self.by_name = {}, {}
        for symbol in sorted(self.by_id.values(), key=lambda symbol: symbol.order):
            loose = (*symbol.path[:-1], bare(symbol.name))
            for path in {symbol.path, loose}:
                self.by_path.setdefault((symbol.module, path), symbol)
                self.by_name.setdefault(path, []).append(symbol)

    def find(self, words, module, context=()):
        """Returns what a path such as `Type/method(_:)` names on a page of a module, in a type; None for nothing."""
        path = tuple(re.sub(r"-\w{4,7}$", "", words).split("/"))
        if path[0] in self.modules and len(path) > 1:
            return self.by_path.get((path[0], path[1:]))
        for depth in range(len(context), -1, -1):
            found = self.by_path.get((module, (*context[:depth], *path)))
            if found:
                return found
        near = {other for family in self.families if module in family for other in family}
        found = self.by_name.get(path, [])
        return next((symbol for symbol in found if symbol.module in near), found[0] if found else None)

    def children(self, symbol):
        """Returns the members of a type in the order of the sources."""
        return sorted((other for other in self.by_id.values()
                       if other.path[:-1] == symbol.path and self.owner(other) == symbol.module), key=lambda s: s.order)

    def owner(self, symbol):
        """The module that declares the outermost type of a path; an extension may stand in another one."""
        if (symbol.module, symbol.path[:1]) in self.by_path and self.by_path[symbol.module, symbol.path[:1]].is_type:
            return symbol.module
        outer = [other for other in self.by_name.get(symbol.path[:1], []) if other.is_type]
        return outer[0].module if outer else symbol.module


class Compiler:
    """The compiler's own reader of the modules that a release build has left."""

    def __init__(self, root, build, packages=()):
        # `packages` are the names by which pkg-config knows the libraries of C.
        self.root, self.build, self.packages = pathlib.Path(root), pathlib.Path(build).resolve(), list(packages)
        if not (self.build / "Modules").is_dir():
            raise Unreadable(f"{build} has no modules; ci/build release makes them")

    def arguments(self):
        """Where modules are, and headers of C."""
        checkouts = self.build.parent.parent / "checkouts"
        maps = [*sorted(self.root.glob("Sources/*/module.modulemap")),
                *sorted(checkouts.glob("*/Sources/*/module.modulemap")),
                *sorted(checkouts.glob("*/Sources/*/include/module.modulemap")),
                *sorted(self.build.glob("C*.build/module.modulemap")),
                *sorted(self.build.glob("_C*.build/module.modulemap"))]
        flags = [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
        for package in self.packages:
            headers = subprocess.run(
                ["pkg-config", "--cflags-only-I", package], capture_output=True, text=True, check=False)
            flags += [word for flag in headers.stdout.split() for word in ("-Xcc", flag)]
        return ["-target", self.build.parent.name, "-I", str(self.build / "Modules"), *flags]

    def symbols(self, modules, folder):
        """Returns the declarations of modules, those that only the module itself sees included."""
        folder.mkdir(parents=True, exist_ok=True)
        common, found = self.arguments(), []
        for module in modules:
            done = subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", module, *common, "-minimum-access-level", "internal",
                 "-skip-synthesized-members", "-omit-extension-block-symbols", "-output-dir", str(folder)],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise Unreadable(f"{module}: {(done.stderr.strip() or done.stdout.strip()).splitlines()[0]}")
            for path in sorted(folder.glob(f"{module}.symbols.json")) + sorted(folder.glob(f"{module}@*.symbols.json")):
                found += read(json.loads(path.read_text(encoding="utf-8")), module)
        return found


def products(manifest):
    """Returns the library products of a dumped manifest, each with its modules."""
    return [(product["name"], product["targets"]) for product in manifest["products"] if "library" in product["type"]]


def packages(manifest):
    """Returns the names by which pkg-config knows the libraries of a dumped manifest."""
    return sorted({target["pkgConfig"] for target in manifest["targets"] if target.get("pkgConfig")})
