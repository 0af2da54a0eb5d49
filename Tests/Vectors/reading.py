"""What a library makes of one vector, in the words of the vectors, and how that differs from them."""

from dataclasses import dataclass, field


@dataclass
class Reading:
    """`fields` are those that the library decodes, by the vectors' names: numbers, hex of bytes, or text."""

    is_valid: bool
    fields: dict = field(default_factory=dict)
    reason: str = ""


REFUSED = Reading(False)


class Text(str):
    """A value that is compared with the text of a field and not with its bytes."""


def differences(vector, reading):
    """The names that differ, `verdict` or those of fields, in the order of the vector."""
    if reading.is_valid != (vector["verdict"] == "valid"):
        return ["verdict"]
    if not reading.is_valid:
        return ["reason"] if reading.reason and reading.reason != vector["reason"] else []
    names = [entry["name"] for entry in vector["fields"]]
    # A name that is there twice belongs to a list, which no library gives by the names of its elements.
    return [entry["name"] for entry in vector["fields"]
            if names.count(entry["name"]) == 1 and entry["name"] in reading.fields
            and not is_equal(entry, reading.fields[entry["name"]])]


def is_equal(entry, value):
    if isinstance(value, Text):
        # Bytes that are no text are replaced by each library in its own way.
        return entry.get("text") is None or value == entry["text"]
    return value == entry["value"]


def number(text):
    """A number that a library writes in hex, most significant digit first."""
    return int(text, 16)


def little(text):
    """A number that a library leaves as hex of its bytes."""
    return int.from_bytes(bytes.fromhex(text), "little")
