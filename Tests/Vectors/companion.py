"""Packets and commands through openhop-core, another implementation of MeshCore."""

import asyncio
import logging
from unittest import mock

from openhop_core.companion import CompanionBridge
from openhop_core.companion.frame_server import CompanionFrameServer
from openhop_core.protocol.crypto import CryptoUtils
from openhop_core.protocol.identity import Identity, LocalIdentity
from openhop_core.protocol.packet import Packet
from openhop_core.protocol.utils import decode_appdata, parse_advert_payload

from reading import REFUSED, Reading, Text

LIBRARY = "openhop-core"
KINDS = ("packet", "command")

# Unix seconds, as the README of the vectors has them.
CLOCK = 1_790_000_000
# The bytes in front of the seal, by the payload's type.
PAYLOADS = {0: 2, 1: 2, 2: 2, 8: 2, 5: 1, 6: 1, 7: 33}
ERRORS = {1: "ERR_CODE_UNSUPPORTED_CMD", 2: "ERR_CODE_NOT_FOUND", 3: "ERR_CODE_TABLE_FULL", 4: "ERR_CODE_BAD_STATE",
          5: "ERR_CODE_FILE_IO_ERROR", 6: "ERR_CODE_ILLEGAL_ARG"}


class Server(CompanionFrameServer):
    """The server of the library without its socket."""

    def __init__(self, bridge):
        super().__init__(bridge, "vectors")
        self.frames = []

    def _write_frame(self, data):
        self.frames.append(bytes(data))

    def _enqueue_frame(self, data):
        self.frames.append(bytes(data))


class Reader:
    def __init__(self, keys):
        self.keys = keys
        self.nodes = {node["name"]: node for node in keys["nodes"]}
        for name in ("openhop_core", "CompanionFrameServer"):
            logging.getLogger(name).setLevel(logging.CRITICAL)

    async def read(self, vector):
        data = bytes.fromhex(vector["hex"])
        return self.packet(data, vector) if vector["kind"] == "packet" else await self.command(data)

    # Packets

    def packet(self, data, vector):
        packet = Packet()
        try:
            packet.read_from(data)
            fields = {"header": packet.header, "path_len": packet.path_len, "path": bytes(packet.path).hex()}
            if packet.has_transport_codes():
                fields["transport_codes[0]"], fields["transport_codes[1]"] = packet.transport_codes
            fields.update(self.content(packet, vector))
        except (ValueError, IndexError, RuntimeError):
            # The last one is that of the library's crypto, for a key that is none.
            return REFUSED
        return Reading(True, fields)

    def content(self, packet, vector):
        kind, payload = packet.get_payload_type(), packet.get_payload()
        if kind == 4:
            return advert(payload)
        head = PAYLOADS.get(kind)
        if head is None:
            return {}
        if "sealed" in vector:
            secret = bytes.fromhex(vector["sealed"]["secret"])
            plaintext = CryptoUtils.mac_then_decrypt(secret[:16], secret, payload[head:])
            if not plaintext.hex().startswith(vector["sealed"]["plaintext"]):
                raise ValueError("another plaintext")
        return {}

    # Commands

    async def command(self, data):
        # The clock of the radio that was asked, so that the result does not hang on the day.
        with mock.patch("time.time", lambda: float(CLOCK)):
            return await self.executed(data)

    async def executed(self, data):
        server = await self.prepared()
        before = asyncio.all_tasks()
        await server._handle_cmd(data)
        await asyncio.sleep(0)
        for task in asyncio.all_tasks() - before:
            task.cancel()
        errors = [frame for frame in server.frames if frame[:1] == b"\x01"]
        if errors:
            return Reading(False, reason=ERRORS.get(errors[0][1], str(errors[0][1])))
        return Reading(True)

    async def prepared(self):
        """A radio of the library in the state that the README of the vectors describes."""
        async def send(*_, **__):
            return True

        bridge = CompanionBridge(LocalIdentity(bytes.fromhex(self.nodes["bob"]["seed"])), send, node_name="Bob")
        server = Server(bridge)
        channel = next(channel for channel in self.keys["channels"] if channel["name"] == "vectors")
        preparation = [
            b"\x16\x03", b"\x01\x03" + bytes(6) + b"vectors",
            b"\x06" + CLOCK.to_bytes(4, "little"),
            b"\x12" + bytes.fromhex(self.keys["introduction"]),
            b"\x20\x01" + b"vectors".ljust(32, b"\0") + bytes.fromhex(channel["key"]),
        ]
        for command in preparation:
            await server._handle_cmd(command)
        # An imported advert is handled by a task of its own.
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=5)
        refused = [frame for frame in server.frames if frame[:1] == b"\x01"]
        assert not refused, f"openhop-core cannot be prepared: {refused}"
        server.frames.clear()
        return server


def advert(payload):
    parsed = parse_advert_payload(payload)
    signed = bytes.fromhex(parsed["pubkey"]) + parsed["timestamp"].to_bytes(4, "little") + parsed["appdata"][:32]
    if not Identity(bytes.fromhex(parsed["pubkey"])).verify(signed, bytes.fromhex(parsed["signature"])):
        raise ValueError("the signature fails")
    fields = {"pub_key": parsed["pubkey"], "timestamp": parsed["timestamp"], "signature": parsed["signature"]}
    data = decode_appdata(parsed["appdata"])
    fields["flags"] = data["flags"]
    if "latitude" in data:
        fields["lat"], fields["lon"] = round(data["latitude"] * 1e6), round(data["longitude"] * 1e6)
    for name, key in (("feat1", "feature_1"), ("feat2", "feature_2")):
        if key in data:
            fields[name] = data[key]
    if "node_name" in data:
        fields["name"] = Text(data["node_name"])
    return fields
