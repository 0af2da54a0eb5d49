"""Holds the dissector of `meshbed capture dissector` against the vectors: each field as tshark shows it has to be the JSON's.

    python3 Tests/Vectors/tshark.py [--meshbed PATH] [--folder FOLDER] [--dissector FILE]

Packets go through LoRaTap, frames of apps and radios through TCP. Then it reads what the commands write: the packets of a mesh,
those of a recording, and a recording as a Bluetooth capture. Needs tshark, and nothing else that Python does not have.
"""

import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

RECORDING = "Captures/v1.17.1/heltec-v3/login-to-a-repeater.capture"
ENVELOPE = ("header", "transport_codes[0]", "transport_codes[1]", "path_len", "path")
LORATAP, RAW_IP = 270, 101
PORT = 5000


def pcap(path, link, records):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link))
        for number, record in enumerate(records):
            file.write(struct.pack("<IIII", number, 0, len(record), len(record)) + record)


def on_air(packet):
    """With a header of LoRaTap: 869.618 MHz, SF 8, the sync word of private networks."""
    return struct.pack(">BBHIBBBBBBB", 0, 0, 15, 869_618_000, 0, 8, 0, 0, 0, 0, 0x12) + packet


def on_tcp(number, frame, to_radio):
    """One segment of a connection of its own, so that no frame is put together with another."""
    ports = (10_000 + number, PORT) if to_radio else (PORT, 10_000 + number)
    content = (b"<" if to_radio else b">") + struct.pack("<H", len(frame)) + frame
    segment = struct.pack(">HHIIBBHHH", *ports, 1, 1, 0x50, 0x18, 65535, 0, 0) + content
    local = bytes((127, 0, 0, 1))
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(segment), number & 0xFFFF, 0, 64, 6, 0, local, local) + segment


def shark(file, script, *arguments):
    done = subprocess.run(["tshark", "-X", f"lua_script:{script}", "-r", str(file), *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "Lua" not in done.stderr, f"tshark: {done.stderr.strip()}"
    return done.stdout


def shown(file, script):
    """What the dissector shows of each record: fields by their names, lists for those that repeat."""
    records = json.loads(shark(file, script, "-T", "json", "--no-duplicate-keys"))
    return [flattened(record["_source"]["layers"]) for record in records]


def flattened(layers):
    found = {}

    def walk(value):
        for key, inner in value.items():
            if isinstance(inner, dict):
                walk(inner)
            if key.startswith("meshcore."):
                found[key] = inner
            elif isinstance(inner, list):
                for element in inner:
                    if isinstance(element, dict):
                        walk(element)

    walk(layers)
    return found


def slug(name):
    return re.sub(r"_+$", "", re.sub("[^a-z0-9_]", "_", name.lower()))


def abbreviation(vector, name):
    if vector["kind"] == "packet":
        context = "packet" if name in ENVELOPE else slug(re.split("[ ,]", vector["name"])[0])
        return f"meshcore.{context}.{slug(name)}"
    return "meshcore.code" if name == "code" else f"meshcore.{slug(vector['name'])}.{slug(name)}"


def is_equal(entry, value):
    if entry["type"] == "number":
        return isinstance(value, str) and int(value, 0) == entry["value"]
    if entry["type"] == "bytes":
        return isinstance(value, str) and value.replace(":", "") == entry["value"]
    # Bytes that are no UTF-8 are shown by tshark in its own way.
    return entry.get("text") is None or value == entry["text"]


def problems(vector, fields):
    """Why tshark does not show the vector as it is."""
    if not fields and vector["hex"]:
        return ["nothing is shown"]
    found = []
    names = [entry["name"] for entry in vector["fields"]]
    for entry in vector["fields"]:
        # A field without bytes cannot be shown, and one that is there twice belongs to a list.
        if entry["length"] == 0 or names.count(entry["name"]) > 1 or vector["name"].startswith("unknown code"):
            continue
        value = fields.get(abbreviation(vector, entry["name"]))
        if not is_equal(entry, value):
            found.append(f"{entry['name']} is {entry['value']}, tshark shows {value}")
    # The dissector's own marks: Wireshark marks texts with a NUL, too.
    is_marked = "meshcore.malformed" in fields or "meshcore.refused" in fields
    is_broken = vector.get("reason") == "malformed" or "problem" in vector
    if vector["kind"] == "packet" and is_broken and not is_marked:
        found.append("tshark finds nothing wrong with it")
    if vector["kind"] == "packet" and vector["verdict"] == "valid" and not is_broken and is_marked:
        found.append("tshark finds fault with it")
    return found


def check_vectors(folder, script, work):
    vectors = []
    manifest = json.loads((folder / "manifest.json").read_text())
    for entry in manifest["files"]:
        vectors += json.loads((folder / entry["name"]).read_text())["vectors"]
    failed = []
    for name, link, own in (("air", LORATAP, [v for v in vectors if v["kind"] == "packet"]),
                            ("tcp", RAW_IP, [v for v in vectors if v["kind"] != "packet"])):
        file = work / f"{name}.pcap"
        pcap(file, link, [record(number, vector) for number, vector in enumerate(own)])
        records = shown(file, script)
        assert len(records) == len(own), f"tshark shows {len(records)} of {len(own)} records"
        for vector, fields in zip(own, records):
            failed += [f"{vector['id']}: {problem}" for problem in problems(vector, fields)]
        print(f"{name}: {len(own)} vectors, as tshark shows them", flush=True)
    assert len(vectors) == manifest["count"]
    return failed


def record(number, vector):
    content = bytes.fromhex(vector["hex"])
    return on_air(content) if vector["kind"] == "packet" else on_tcp(number, content, vector["kind"] == "command")


def check_commands(meshbed, script, work):
    """The packets of a mesh and of a recording, and its frames over Bluetooth."""
    failed = []

    def compare(what, seen, expected):
        print(f"{what}: {seen} of {expected}, as tshark shows them", flush=True)
        if seen != expected or not expected:
            failed.append(f"{what}: tshark shows {seen} of {expected}")

    air, trace = work / "mesh.pcap", work / "mesh.ndjson"
    subprocess.run([meshbed, "mesh", "run", "line:4", "--for", "120s", "--pcap", air, "--trace", trace], check=True,
                   stdout=subprocess.DEVNULL)
    sent = [line for line in trace.read_text().splitlines() if '"txBegin"' in line]
    compare("packets of a mesh", count(air, script, "meshcore.packet.path_len"), len(sent))

    lines = pathlib.Path(RECORDING).read_text().splitlines()
    packets, frames = work / "recording.pcap", work / "recording.pcapng"
    subprocess.run([meshbed, "capture", "export", RECORDING, packets, "--keep-secrets"], check=True)
    compare("packets of a recording", count(packets, script, "meshcore.packet.path_len"),
            len([line for line in lines if re.match(r"\d\S* air [<>] ", line)]))
    subprocess.run([meshbed, "capture", "convert", RECORDING, frames, "--keep-secrets"], check=True)
    compare("frames of a recording over Bluetooth", count(frames, script, "meshcore.code"),
            len([line for line in lines if re.match(r"\d\S* (?!air)\S+ [<>] ", line)]))
    return failed


def count(file, script, field):
    return len(shark(file, script, "-Y", field, "-T", "fields", "-e", "frame.number").splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"))
    parser.add_argument("--folder", help="vectors that were made before, in place of new ones")
    parser.add_argument("--dissector", help="a dissector that was made before; what the commands write is then not read")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        folder, script = pathlib.Path(arguments.folder or work / "vectors"), arguments.dissector or work / "meshcore.lua"
        if not arguments.folder:
            subprocess.run([arguments.meshbed, "vectors", "-o", folder], check=True)
        if not arguments.dissector:
            subprocess.run([arguments.meshbed, "capture", "dissector", "-o", script], check=True)
        failed = check_vectors(folder, script, work)
        if not arguments.dissector:
            failed += check_commands(arguments.meshbed, script, work)
    for problem in failed[:40]:
        print(f"FAILED  {problem}", file=sys.stderr)
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
