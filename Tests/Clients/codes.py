"""QR codes as `meshbed` prints them, read by another program's decoder."""

import zxingcpp

# The light halves of a character, upper and lower.
HALVES = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}
# Pixels of a module's side.
SCALE = 4


def read(rows):
    """The text of a code, from rows of modules of which the light ones are true; each code has exactly one text."""
    lines = [bytes(255 if light else 0 for light in row for _ in range(SCALE)) * SCALE for row in rows]
    picture = memoryview(b"".join(lines)).cast("B", (len(rows) * SCALE, len(rows[0]) * SCALE))
    found = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(found) == 1, f"{len(found)} codes instead of one"
    return found[0].bytes.decode()


def texts(output):
    """The texts of all codes in the output of a command, in their order."""
    found, rows = [], []
    for line in [*output.splitlines(), ""]:
        if len(line) >= 21 and all(character in HALVES for character in line):
            rows += [[HALVES[character][half] for character in line] for half in (0, 1)]
        elif rows:
            found.append(read(rows))
            rows = []
    return found
