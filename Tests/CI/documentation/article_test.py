"""ci/documentation: articles of DocC are read as CommonMark, and MkDocs reads what is written of them the same way."""

import html.parser
import pathlib
import re
import sys
import unittest

import markdown
import yaml
from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci"))

from documentation import articles  # noqa: E402
from documentation.writer import code, escaped, link, paragraph  # noqa: E402


class Look(html.parser.HTMLParser):
    """What a reader sees of HTML: elements, targets and words; paragraphs inside of items are a matter of spacing."""

    SILENT = {"p", "div", "span", "thead", "tbody"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.seen = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in self.SILENT:
            attrs = dict(attrs)
            self.seen.append(("begin", tag, attrs.get("href") or attrs.get("src"), attrs.get("start")))

    def handle_endtag(self, tag):
        if tag not in self.SILENT:
            self.seen.append(("end", tag))

    def handle_data(self, data):
        words = re.sub(r"\s+", "", data)
        if words and self.seen and self.seen[-1][0] == "words":
            self.seen[-1] = ("words", self.seen[-1][1] + words)
        elif words:
            self.seen.append(("words", words))


def site_markdown():
    """The reader of MkDocs with the extensions of the site, without colours and anchors."""
    config = yaml.safe_load((ROOT / "ci/documentation/mkdocs.yml").read_text(encoding="utf-8"))
    names = [name if isinstance(name, str) else next(iter(name)) for name in config["markdown_extensions"]]
    plain = [name for name in names if name not in ("pymdownx.highlight", "toc")]
    return markdown.Markdown(extensions=plain)


def as_commonmark(text):
    comments = re.sub(r"^<!--.*?-->\n", "", text, flags=re.M)
    return Look(MarkdownIt("commonmark", {"html": False}).enable("table").render(comments)).seen


def as_site(text):
    return Look(site_markdown().convert(articles.parsed(text).markdown())).seen


class SameReadingTest(unittest.TestCase):
    maxDiff = 2000

    def test_every_article_of_this_repository_reads_the_same(self):
        reader = site_markdown()
        sources = [ROOT / "README.md", *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
        self.assertGreater(len(sources), 50)
        for path in sources:
            text = path.read_text(encoding="utf-8")
            with self.subTest(path.name):
                seen = Look(reader.reset().convert(articles.parsed(text).markdown())).seen
                self.assertEqual(seen, as_commonmark(text))

    def test_texts_that_the_two_readers_part_over_read_the_same(self):
        for text in (
            "- one\n  - two\n    - three\n- four\n",
            "1. one\n   ```sh\n   ls\n   ```\n2. two\n\n   more\n",
            "7. seven\n8. eight\n",
            "text\n- a list at once\n",
            "`` a ` b `` and `c`\n",
            "snake_case_name, 2 * 3 * 4, a\\*b, [no link], {no: attribute}, \\# no heading\n",
            "&amp; <b>bold</b> < > &copy;\n",
            "| a | b |\n|:--|--:|\n| `x\\|y` | *z* \\| w |\n",
            "> quoted\n>\n> - list\n",
            "1986\\. A year\n\n+1 is no list\n\n!!! is none either\n\n~~~ is code\n",
            "A [link](a%20b.md \"title\") and ![picture](a.svg)\n",
            "![picture](a.svg)\n",
            "hard  \nbreak\n\n---\n",
            "```json\n{\"a\": \"```\"}\n```\n",
            "    indented\n",
        ):
            with self.subTest(text):
                self.assertEqual(as_site(text), as_commonmark(text))


class WriterTest(unittest.TestCase):
    def test_code_keeps_its_backticks(self):
        self.assertEqual([code("a"), code("a`b"), code("`")], ["`a`", "``a`b``", "`` ` ``"])

    def test_a_target_with_a_bracket_is_set_off(self):
        self.assertEqual(link("f", "a.md#f(_:)"), "[f](<a.md#f(_:)>)")

    def test_words_of_markup_are_only_words(self):
        self.assertEqual(escaped("<b> *x* [y] `z` {w}"), "&lt;b&gt; \\*x\\* \\[y\\] \\`z\\` \\{w\\}")

    def test_a_paragraph_does_not_begin_another_block(self):
        self.assertEqual([paragraph("# x"), paragraph("- x"), paragraph("1. x"), paragraph("2) x"), paragraph("x")],
                         [["\\# x"], ["\\- x"], ["1\\. x"], ["2\\) x"], ["x"]])


class DocCTest(unittest.TestCase):
    def test_title_abstract_and_anchors_are_read(self):
        article = articles.parsed("# The *title*\n\nWhat it\nis.\n\n## A `b`, c!\n\n## A b c\n\n### A b c\n")

        self.assertEqual((article.title, article.abstract), ("The title", "What it is."))
        self.assertEqual(article.anchors, ["the-title", "a-b-c", "a-b-c-1", "a-b-c-2"])

    def test_metadata_and_comments_are_left_out(self):
        article = articles.parsed(
            "# T\n\n@Metadata {\n    @PageKind(article)\n    @PageColor(blue)\n}\n\n@Comment(no)\n\n<!-- ci: x -->\ntext\n")

        self.assertEqual(article.markdown(), "# T { #t }\n\ntext\n")
        self.assertEqual(article.problems, [])

    def test_another_directive_and_html_are_problems_with_their_lines(self):
        article = articles.parsed("# T\n\n@Row {\n  x\n}\n\na <b>bold</b> word\n\n<div>\n</div>\n")

        self.assertEqual([problem.split(":")[0] for problem in article.problems],
                         ["line 3", "line 7", "line 7", "line 9"])
        self.assertIn("@Row", article.problems[0])

    def test_a_directive_in_code_or_within_a_line_is_text(self):
        article = articles.parsed("```swift\n@Metadata {\n}\n```\n\nmail a@Metadata\n")

        self.assertEqual(article.markdown(), "```swift\n@Metadata {\n}\n```\n\nmail a@Metadata\n")

    def test_asides_become_admonitions_and_quotations_stay(self):
        text = "> Note: Mind\n> this.\n>\n> - and that\n\n> Warning:\n> Hot.\n\n> Said: so.\n"

        self.assertEqual(articles.parsed(text).markdown(),
                         '!!! note "Note"\n\n    Mind this.\n\n    -   and that\n\n'
                         '!!! warning "Warning"\n\n    Hot.\n\n> Said: so.\n')

    def test_the_heading_overview_goes_and_those_below_it_rise(self):
        text = "# T\n\n## Overview\n\nx\n\n### A\n\n#### B\n\n## Topics\n\n### C\n"
        article = articles.without_overview(articles.parsed(text))

        self.assertEqual(article.markdown(), "# T { #t }\n\nx\n\n## A { #a }\n\n### B { #b }\n\n"
                                             "## Topics { #topics }\n\n### C { #c }\n")
        self.assertEqual(article.dropped, ["overview"])

    def test_symbols_become_links_where_they_have_a_page(self):
        asked = []
        article = articles.parsed("A ``Type/run(_:)-7gh2x``, ``Other``, `code` and [a ``Type``](x.md).\n")
        articles.link_symbols(article, lambda path: asked.append(path) or ("T.md#run" if "Type" in path else None))

        self.assertEqual(article.markdown(), "A [`run(_:)`](T.md#run), `Other`, `code` and [a `Type`](x.md).\n")
        self.assertEqual(asked, ["Type/run(_:)-7gh2x", "Other", "Type"])

    def test_topics_are_sections_with_links_and_symbols(self):
        article = articles.parsed("# T\n\n- [no](N.md)\n\n## Topics\n\n### A\n\n- [One](One.md)\n- ``Two``\n\n### B\n\n"
                                  "- [Three](../M/Three.md)\n\n## Else\n\n### C\n\n- [Four](Four.md)\n")

        self.assertEqual(articles.topics(article), [("A", [("One", "One.md"), ("Two", None)]),
                                                    ("B", [("Three", "../M/Three.md")])])

    def test_entries_of_topics_say_what_they_lead_to(self):
        article = articles.parsed("# T\n\n- [no](N.md)\n\n## Topics\n\n### A\n\n- [One](One.md)\n- [Two](Two.md) is said\n")
        articles.explain_topics(article, {"N.md": "n", "One.md": "The first.", "Two.md": "no"}.get)

        self.assertIn("-   [One](One.md): The first.\n-   [Two](Two.md) is said", article.markdown())
        self.assertIn("-   [no](N.md)\n", article.markdown())

    def test_docs_own_scheme_is_a_link_that_can_be_turned(self):
        article = articles.parsed("See <doc:MeshCore>.\n")

        self.assertEqual([token.attrGet("href") for token in article.links()], ["doc:MeshCore"])


if __name__ == "__main__":
    unittest.main()
