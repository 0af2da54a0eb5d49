"""The comparison of Tests/Vectors, and its list of disagreements."""

import os
import sys
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Vectors"))

import disagreements  # noqa: E402
import tshark  # noqa: E402
from reading import REFUSED, Reading, Text, differences  # noqa: E402

VECTOR = {
    "id": "adverts/a", "kind": "packet", "name": "ADVERT FLOOD, 0 hops of 1 B, payload of 106 bytes", "hex": "1100",
    "verdict": "valid", "fields": [
        {"name": "header", "offset": 0, "length": 1, "type": "number", "value": 17},
        {"name": "pub_key", "offset": 2, "length": 2, "type": "bytes", "value": "0a0b"},
        {"name": "name", "offset": 4, "length": 2, "type": "text", "value": "4100", "text": "A"},
    ],
}
KNOWN = [{"library": "meshcore", "title": "keys", "why": "It reads them otherwise.", "vectors": {"pub_key": ["a", "b"]}}]


class Differences(unittest.TestCase):
    def test_equal_fields_and_those_that_a_library_does_not_give_are_no_difference(self):
        self.assertEqual(differences(VECTOR, Reading(True, {"header": 17, "name": Text("A")})), [])

    def test_each_field_that_differs_is_named_in_the_order_of_the_vector(self):
        reading = Reading(True, {"name": Text("B"), "pub_key": "0a0c", "header": 17})
        self.assertEqual(differences(VECTOR, reading), ["pub_key", "name"])

    def test_another_verdict_hides_the_fields(self):
        self.assertEqual(differences(VECTOR, REFUSED), ["verdict"])
        self.assertEqual(differences({**VECTOR, "verdict": "refused", "reason": "malformed"}, REFUSED), [])

    def test_another_reason_for_a_refusal_is_a_difference_where_a_library_has_one(self):
        refused = {**VECTOR, "verdict": "refused", "reason": "ERR_CODE_NOT_FOUND"}
        self.assertEqual(differences(refused, Reading(False, reason="ERR_CODE_NOT_FOUND")), [])
        self.assertEqual(differences(refused, Reading(False, reason="ERR_CODE_ILLEGAL_ARG")), ["reason"])


class List(unittest.TestCase):
    def test_what_is_known_is_no_problem(self):
        self.assertEqual(disagreements.problems(KNOWN, "meshcore", {"a": "pub_key", "b": "pub_key"}), [])

    def test_a_new_one_and_one_that_went_away_are_problems(self):
        found = disagreements.problems(KNOWN, "meshcore", {"a": "pub_key", "c": "verdict"})
        self.assertEqual(len(found), 2)
        self.assertIn("c differs in verdict, which is not in the list", found[0])
        self.assertIn("b is in the list for pub_key, but differs no longer so (keys)", found[1])

    def test_one_that_differs_in_something_else_is_both(self):
        self.assertEqual(len(disagreements.problems(KNOWN, "meshcore", {"a": "name", "b": "pub_key"})), 2)

    def test_an_entry_without_an_explanation_is_a_problem(self):
        entries = [{**KNOWN[0], "why": ""}]
        found = disagreements.problems(entries, "meshcore", {"a": "pub_key", "b": "pub_key"})
        self.assertEqual(found, ["meshcore: 'keys' has no explanation"])

    def test_a_renewed_list_keeps_explanations_and_leaves_new_ones_without(self):
        entries = disagreements.renewed(KNOWN, "meshcore", {"a": "pub_key", "c": "verdict"})
        self.assertEqual([(entry["title"], entry["why"]) for entry in entries],
                         [("keys", KNOWN[0]["why"]), ("not explained yet", "")])
        self.assertEqual(entries[0]["vectors"], {"pub_key": ["a"]})

    def test_the_article_shows_every_entry(self):
        article = "before\n" + disagreements.BEGIN + "old\n" + disagreements.END + "after\n"
        shown = disagreements.shown(article, KNOWN)
        self.assertIn("| meshcore | keys: `pub_key` | It reads them otherwise. | 2, as `a` |", shown)
        self.assertNotIn("old", shown)
        self.assertTrue(shown.startswith("before\n") and shown.endswith("after\n"))


class Tshark(unittest.TestCase):
    FIELDS = {"meshcore.packet.header": "0x11", "meshcore.advert.pub_key": "0a:0b", "meshcore.advert.name": "A"}

    def test_fields_that_are_shown_as_they_are_have_no_problem(self):
        self.assertEqual(tshark.problems(VECTOR, self.FIELDS), [])

    def test_a_value_that_is_shown_otherwise_is_named(self):
        found = tshark.problems(VECTOR, {**self.FIELDS, "meshcore.advert.name": "B"})
        self.assertEqual(found, ["name is 4100, tshark shows B"])

    def test_a_field_that_is_not_shown_is_named(self):
        fields = {key: value for key, value in self.FIELDS.items() if "pub_key" not in key}
        self.assertEqual(tshark.problems(VECTOR, fields), ["pub_key is 0a0b, tshark shows None"])

    def test_fault_with_a_valid_packet_and_none_with_a_broken_one_are_problems(self):
        self.assertEqual(tshark.problems(VECTOR, {**self.FIELDS, "meshcore.malformed": ""}), ["tshark finds fault with it"])
        broken = {**VECTOR, "verdict": "refused", "reason": "malformed"}
        self.assertEqual(tshark.problems(broken, self.FIELDS), ["tshark finds nothing wrong with it"])


if __name__ == "__main__":
    unittest.main()
