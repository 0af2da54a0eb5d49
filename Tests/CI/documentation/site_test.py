"""ci/documentation: the order of pages, those of commands and words, the links of a written site, and its versions."""

import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci"))

from documentation import hooks, links, tables, versions  # noqa: E402
from documentation.navigation import listed, navigation  # noqa: E402


class NavigationTest(unittest.TestCase):
    PAGES = {"readme.md": "Meshbed", "MeshTestbed/MeshTestbed.md": "MeshTestbed", "MeshTestbed/App.md": "Testing an app",
             "MeshCore/MeshCore.md": "MeshCore", "MeshCore/More.md": "More of it", "MeshWire/MeshWire.md": "MeshWire"}
    TOPICS = [("Apps", [("An app", "MeshTestbed/App.md"), ("MeshCore", "MeshCore/MeshCore.md")]), ("The project", [])]
    GENERATED = [("The project", "Features", "readme.md"), ("Swift libraries", "Libraries", "swift.md")]

    def test_sections_are_topics_then_libraries_then_the_rest(self):
        products = [("MeshTestbed", ["MeshTestbed", "MeshCore"])]
        order, missing = navigation(self.TOPICS, self.PAGES, products, self.GENERATED)

        self.assertEqual(order, [
            {"Home": "index.md"},
            {"Apps": [{"An app": "MeshTestbed/App.md"}]},
            {"Swift libraries": [{"Libraries": "swift.md"}, {"MeshTestbed": [
                {"MeshTestbed": "MeshTestbed/MeshTestbed.md"}, {"All of MeshTestbed": "MeshTestbed/api/index.md"},
                {"MeshCore": "MeshCore/MeshCore.md"}, {"All of MeshCore": "MeshCore/api/index.md"}]}]},
            {"The project": [{"Features": "readme.md"}, {"Modules": [
                {"MeshCore": [{"More of it": "MeshCore/More.md"}]}, {"MeshWire": "MeshWire/MeshWire.md"}]}]}])
        self.assertEqual(missing, [])

    def test_an_article_that_no_topic_lists_is_missing(self):
        pages = {**self.PAGES, "MeshTestbed/New.md": "New"}
        order, missing = navigation(self.TOPICS, pages, [("MeshTestbed", ["MeshTestbed"])], self.GENERATED)

        self.assertEqual(missing, ["MeshTestbed/New.md"])
        self.assertIn("MeshWire/MeshWire.md", listed(order))


    def test_a_release_without_libraries_has_its_modules_in_the_project(self):
        order, missing = navigation(self.TOPICS, self.PAGES, [], self.GENERATED[:1])

        self.assertEqual([next(iter(section)) for section in order], ["Home", "Apps", "The project"])
        self.assertIn("MeshTestbed/MeshTestbed.md", listed(order))
        self.assertEqual(missing, [])


class TablesTest(unittest.TestCase):
    def test_commands_have_their_arguments_and_examples(self):
        root = {"commandName": "meshbed", "abstract": "Tests <radios>.", "subcommands": [
            {"commandName": "mesh", "abstract": "Runs | draws.", "discussion": "Words.\n\n  meshbed mesh run\n", "arguments": [
                {"kind": "option", "valueName": "seed", "names": [{"kind": "long", "name": "seed"}], "abstract": "A seed."}]}]}
        text = tables.command_page(root)

        self.assertIn("| [`meshbed mesh`](#meshbed-mesh) | Runs \\| draws. |", text)
        self.assertIn("## meshbed mesh { #meshbed-mesh }", text)
        self.assertIn("Words.\n\n```sh\nmeshbed mesh run\n```", text)
        self.assertIn("| `--seed <seed>` | A seed. |", text)
        self.assertIn("Tests &lt;radios&gt;.", text)

    def test_words_are_public_functions_with_their_owners(self):
        found = list(tables.words_of([
            "extension Person {", "    /// Sends a ``Text``.", "    public func sends(", "        _ text: String",
            "    ) -> Step {", "    /// Private.", "    func hides() {", "}", "/// Waits.", "public func waits() -> Step {",
            "public struct Inner {", "    /// Not a word.", "    public func inner() {"]))

        self.assertEqual(found, [("sends", "sends( _ text: String ) -> Step", "Person", "Sends a ``Text``."),
                                 ("waits", "waits() -> Step", "", "Waits.")])
        self.assertIn("| `waits() -> Step` | – | Waits. |", tables.word_page(found))
        self.assertIn("Sends a `Text`.", tables.word_page(found))

    def test_this_repository_has_words(self):
        self.assertGreater(len(list(tables.words(ROOT / "Sources/MeshScenarios/Words"))), 50)


class LinksTest(unittest.TestCase):
    def problems(self, private=(), **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name.replace("__", "/").replace("_", "."))
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return links.problems_of(pathlib.Path(folder), private)

    def test_links_that_lead_somewhere_are_counted(self):
        found, count = self.problems(a_html='<a href="b/c.html#x">c</a><a href="https://example.org/y">y</a><a href="#z" id="z">',
                                     b__c_html='<p id="x"><a href="../a.html">a</a><a href="./">.</a>', b__index_html="")

        self.assertEqual((found, count), ([], 4))

    def test_a_page_and_a_place_that_are_not_there_are_named(self):
        found, _ = self.problems(a_html='<a href="no.html">n</a><a href="b.html#no">b</a><a href="/b.html">', b_html="")

        self.assertEqual(found, ["a.html: no.html is not there", "a.html: b.html#no: no such place",
                                 "a.html: /b.html is not there"])

    def test_links_of_the_page_for_what_is_missing_begin_at_the_root(self):
        found, _ = self.problems(**{"404_html": '<a href="/b.html">b</a><a href="/no.html">'}, b_html="")

        self.assertEqual(found, ["404.html: /no.html is not there"])

    def test_what_is_loaded_from_elsewhere_is_named_and_a_link_is_not(self):
        found, _ = self.problems(
            a_html='<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//fonts.example/f.css">'
                   '<link rel="canonical" href="https://example.org"><img src="http://example.org/i.png">',
            a_css='@import "https://fonts.example/a.css"; b { background: url(data:image/png;base64,AA) }')

        self.assertEqual(found, [f"a.html: {aim} is loaded from elsewhere" for aim in
                                 ("https://cdn.example/x.js", "//fonts.example/f.css", "http://example.org/i.png")]
                         + ["a.css: https://fonts.example/a.css is loaded from elsewhere"])


    def test_a_path_of_the_machine_is_named(self):
        found, _ = self.problems(["/home/me"], a_html="<p>/home/me/x</p>", b_json='"/home/you"')

        self.assertEqual(found, ["a.html: contains /home/me"])


class VersionsTest(unittest.TestCase):
    TABLE = [("0.1.0", "abc1234"), ("0.1.1", "def5678")]

    def test_the_sources_are_dev_until_they_are_released(self):
        for name in ("dev", "0.2.0-dev"):
            self.assertEqual(versions.chosen(name, "0.2.0-dev", self.TABLE), versions.Version("dev", "0.2.0-dev"))

    def test_a_release_that_the_sources_are_is_the_newest(self):
        for table in (self.TABLE, [*self.TABLE, ("0.2.0", "0123456")]):
            self.assertEqual(versions.chosen("0.2.0", "0.2.0", table), versions.Version("0.2.0", "0.2.0", is_newest=True))

    def test_an_older_release_comes_from_its_commit(self):
        self.assertEqual(versions.chosen("0.1.0", "0.2.0-dev", self.TABLE), versions.Version("0.1.0", "0.1.0", "abc1234"))
        self.assertTrue(versions.chosen("0.1.1", "0.2.0-dev", self.TABLE).is_newest)

    def test_another_name_is_refused_with_those_that_there_are(self):
        for name, present in (("0.3.0", "0.2.0-dev"), ("dev", "0.2.0")):
            with self.assertRaisesRegex(versions.Mistake, "there are 0.1.0, 0.1.1, "):
                versions.chosen(name, present, self.TABLE)

    def test_the_table_and_the_version_of_this_repository_make_sense(self):
        self.assertEqual(versions.releases("# none\n\n0.1.0 abc1234 # first\n"), [("0.1.0", "abc1234")])
        self.assertEqual(versions.named(ROOT, "0.1.0").name, "0.1.0")

    def test_pages_of_a_repository_are_where_it_is_cloned_from(self):
        for remote in ("https://git.example/o/mesh.git", "git@git.example:o/mesh.git", "ssh://git@git.example/o/mesh",
                       "https://name:secret@git.example/o/mesh/"):
            self.assertEqual(versions.web_address(remote), "https://git.example/o/mesh")
        for remote in ("", "/somewhere/mesh", "../mesh", "file:///somewhere/mesh"):
            self.assertIsNone(versions.web_address(remote))

    def test_a_page_leads_to_its_source_where_the_repository_has_pages(self):
        page, config = types.SimpleNamespace(meta={"source": "Sources/A.md"}), types.SimpleNamespace(extra={})
        hooks.on_page_context({}, page, config, None)
        self.assertIsNone(page.edit_url)

        for address, edit in (("https://git.example/o/mesh/", "https://git.example/o/mesh/edit/main/Sources/A.md"),
                              ("https://gitlab.example/o/mesh", "https://gitlab.example/o/mesh/-/edit/main/Sources/A.md")):
            config.extra["edit"] = versions.edit_address(address)
            hooks.on_page_context({}, page, config, None)
            self.assertEqual(page.edit_url, edit)

    def test_files_for_searching_in_other_languages_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "assets/javascripts/lunr/min").mkdir(parents=True)
            for _ in range(2):
                hooks.on_post_build(types.SimpleNamespace(site_dir=folder))

            self.assertEqual([path.name for path in pathlib.Path(folder).rglob("*")], ["assets", "javascripts"])


if __name__ == "__main__":
    unittest.main()
