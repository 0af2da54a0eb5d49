"""ci/documentation: declarations of symbol graphs, the search for one by its path, and the pages of public names."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci"))

from documentation.api_pages import ApiPages, broken, front_matter  # noqa: E402
from documentation.symbols import Compiler, Index, Unreadable, packages, products, read  # noqa: E402


def entry(path, kind="struct", access="public", comment="", line=0, fragments=None):
    """A declaration as the compiler writes it."""
    return {
        "kind": {"identifier": f"swift.{kind}"}, "identifier": {"precise": "s:" + "/".join(path)}, "pathComponents": path,
        "accessLevel": access, "docComment": {"lines": [{"text": text} for text in comment.split("\n")]},
        "declarationFragments": fragments or [{"kind": "keyword", "spelling": kind}, {"kind": "text", "spelling": " "},
                                              {"kind": "identifier", "spelling": path[-1]}],
        "location": {"uri": "file:///somewhere/Sources/M/File.swift", "position": {"line": line}}}


def graph(*entries, relations=()):
    return {"symbols": list(entries), "relationships": list(relations)}


def radio(*more):
    """A module with a type, its members and a type inside of it."""
    named = [{"kind": "text", "spelling": "func send() -> "},
             {"kind": "typeIdentifier", "spelling": "Reply", "preciseIdentifier": "s:Reply"}]
    return read(graph(
        entry(["Radio"], comment="A radio, as ``Reply`` | says.\n\nMore in <doc:M>.", line=1),
        entry(["Radio", "send()"], "method", comment="Sends. See ``Kind/far``.", line=2, fragments=named),
        entry(["Radio", "send(_:)"], "method", line=3),
        entry(["Radio", "secret"], "property", "internal", line=4),
        entry(["Radio", "Kind"], "enum", line=5),
        entry(["Radio", "Kind", "far"], "enum.case", line=6),
        entry(["Reply"], line=7), entry(["Hidden"], access="package", line=8),
        entry(["listen(to:)"], "func", line=9), *more,
        relations=[{"kind": "conformsTo", "source": "s:Radio", "target": "s:Reply", "targetFallback": "M.Reply"},
                   {"kind": "conformsTo", "source": "s:Radio", "target": "s:s8SendableP", "targetFallback": "Swift.Sendable"}]),
        "M")


class ReadTest(unittest.TestCase):
    def test_a_declaration_has_its_place_from_the_root_and_its_conformances(self):
        symbol = radio()[0]

        self.assertEqual((symbol.kind, symbol.path), ("struct", ("Radio",)))
        self.assertEqual((symbol.source, symbol.line), ("Sources/M/File.swift", 2))
        self.assertEqual([name for _, name in symbol.conforms], ["Reply", "Sendable"])
        self.assertEqual([symbol.is_public for symbol in radio()].count(False), 2)

    def test_libraries_of_a_manifest_are_products(self):
        manifest = {"products": [{"name": "A", "targets": ["A", "B"], "type": {"library": ["automatic"]}},
                                 {"name": "c", "targets": ["c"], "type": {"executable": None}}],
                    "targets": [{"name": "A"}, {"name": "CBus", "pkgConfig": "dbus-1"}]}

        self.assertEqual(products(manifest), [("A", ["A", "B"])])
        self.assertEqual(packages(manifest), ["dbus-1"])

    def test_a_build_without_modules_is_named(self):
        with self.assertRaisesRegex(Unreadable, "ci/build release"):
            Compiler(ROOT, ROOT / "ci")


class FindTest(unittest.TestCase):
    def setUp(self):
        near = read(graph(entry(["Station"])), "Near")
        far = read({"symbols": [dict(entry(["Station"]), identifier={"precise": "s:far"})], "relationships": []}, "Far")
        self.index = Index([*radio(), *far, *near], [["M", "Near"]])

    def found(self, words, *context):
        symbol = self.index.find(words, "M", context)
        return (symbol.module, "/".join(symbol.path)) if symbol else None

    def test_a_path_is_found_with_labels_without_them_and_with_a_hash(self):
        self.assertEqual(self.found("Radio/send(_:)"), ("M", "Radio/send(_:)"))
        self.assertEqual(self.found("Radio/send"), ("M", "Radio/send()"))
        self.assertEqual(self.found("Radio/send(_:)-7gh2x"), ("M", "Radio/send(_:)"))
        self.assertEqual(self.found("M/Radio"), ("M", "Radio"))

    def test_a_member_is_found_from_inside_its_type(self):
        self.assertEqual(self.found("far", "Radio", "Kind"), ("M", "Radio/Kind/far"))
        self.assertEqual(self.found("Kind/far", "Radio", "send()"), ("M", "Radio/Kind/far"))
        self.assertIsNone(self.found("far"))

    def test_a_module_of_the_same_product_comes_first(self):
        self.assertEqual(self.found("Station"), ("Near", "Station"))

    def test_what_nothing_declares_is_not_found(self):
        self.assertIsNone(self.found("Nothing"))
        self.assertIsNone(self.found("Radio/nothing()"))


class PageTest(unittest.TestCase):
    def pages(self, *symbols):
        api = ApiPages(Index([*radio(), *symbols]), ["M"], {"M"})
        return api, {page: text for page, text, _ in api.pages()}

    def test_each_public_type_has_a_page_and_others_none(self):
        _, pages = self.pages()

        self.assertEqual(sorted(pages), ["M/api/Radio.md", "M/api/Reply.md", "M/api/index.md"])
        self.assertNotIn("secret", "".join(pages.values()))
        self.assertNotIn("Hidden", "".join(pages.values()))

    def test_a_page_has_declarations_comments_and_links(self):
        text = self.pages()[1]["M/api/Radio.md"]

        self.assertIn("A radio, as [`Reply`](Reply.md) | says.", text)
        self.assertIn("More in [doc:M](../M.md).", text)
        self.assertIn("### `send()` { #send }", text)
        self.assertIn("### `send(_:)` { #send-_ }", text)
        self.assertIn('func send() -&gt; <span class="nc"><a href="Reply.html">Reply</a></span>', text)
        self.assertIn("See [`far`](#Kind.far).", text)
        self.assertIn("## `Radio.Kind` { #Kind }", text)
        self.assertIn("Conforms to [`Reply`](Reply.md).", text)

    def test_the_list_of_a_module_has_types_and_functions(self):
        text = self.pages()[1]["M/api/index.md"]

        self.assertIn("| [`Radio`](Radio.md) | A radio, as Reply \\| says. |", text)
        self.assertIn("### `listen(to:)` { #listen-to }", text)

    def test_members_whose_anchors_would_be_equal_have_two(self):
        other = [dict(entry(["Radio", "send"], "property", line=20), identifier={"precise": "s:other"})]
        api, _ = self.pages(*read({"symbols": other, "relationships": []}, "M"))

        self.assertEqual({api.places["s:Radio/send()"][1], api.places["s:other"][1]}, {"send", "send-2"})

    def test_what_extends_a_foreign_type_is_on_the_list(self):
        _, pages = self.pages(*read(graph(entry(["Array", "radios()"], "method")), "M"))

        self.assertIn("## In types of others\n\n### `Array.radios()` { #Array.radios }", pages["M/api/index.md"])

    def test_a_long_declaration_has_a_line_for_each_parameter(self):
        words = "func send(first: [Int, String], second: (Int, Int) -> Void, third: " + "T" * 60 + ") async"
        text = "".join(part["spelling"] for part in broken([{"kind": "text", "spelling": words}]))

        self.assertEqual(text, "func send(\n    first: [Int, String],\n    second: (Int, Int) -> Void,\n    third: "
                         + "T" * 60 + "\n) async")
        self.assertEqual(broken([{"kind": "text", "spelling": "f(a, b)"}]), [{"kind": "text", "spelling": "f(a, b)"}])

    def test_what_stands_before_a_page_is_yaml(self):
        self.assertEqual(front_matter('A "b"', "c: d", hide=["navigation"], source=""),
                         '---\ntitle: "A \\"b\\""\ndescription: "c: d"\nhide: [\'navigation\']\n---\n\n')


if __name__ == "__main__":
    unittest.main()
