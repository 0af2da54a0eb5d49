"""Packets through meshcoredecoder, a decoder for observers of the mesh."""

import contextlib
import io

from meshcoredecoder.decoder.packet_decoder import MeshCorePacketDecoder
from meshcoredecoder.types.enums import PayloadType, RouteType

from reading import Reading, Text, little, number

LIBRARY = "meshcoredecoder"
KINDS = ("packet",)


class Reader:
    def __init__(self, keys):
        self.keys = keys

    async def read(self, vector):
        # It prints what it finds wrong with signatures.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            packet = MeshCorePacketDecoder.decode_with_verification(vector["hex"])
        payload = packet.payload["decoded"] if packet.payload else None
        if not packet.is_valid or (payload is not None and not payload.is_valid):
            return Reading(False)
        if payload is not None and getattr(payload, "signature_valid", None) is False:
            return Reading(False)
        return Reading(True, {**envelope(packet), **content(payload, packet)})


def envelope(packet):
    hash_size = packet.path_hash_size or 1
    fields = {
        "header": packet.payload_version.value << 6 | packet.payload_type.value << 2 | packet.route_type.value,
        "path_len": (hash_size - 1) << 6 | packet.path_length,
        "path": "".join(packet.path or []).lower(),
    }
    if packet.route_type in (RouteType.TransportFlood, RouteType.TransportDirect):
        codes = packet.transport_codes or (None, None)
        fields["transport_codes[0]"], fields["transport_codes[1]"] = codes[0], codes[1]
    return fields


def content(payload, packet):
    if payload is None:
        return {}
    kind = packet.payload_type
    if kind == PayloadType.Advert:
        return advert(payload)
    if kind == PayloadType.Trace:
        return {"tag": number(payload.trace_tag), "auth_code": payload.auth_code, "flags": payload.flags,
                "path_hashes": "".join(payload.path_hashes).lower()}
    if kind == PayloadType.Ack:
        return {"ack": little(payload.checksum)}
    if kind == PayloadType.Control:
        return control(payload)
    return sealed(payload)


def advert(payload):
    fields = {"pub_key": payload.public_key.lower(), "timestamp": payload.timestamp,
              "signature": payload.signature.lower(), "flags": payload.app_data["flags"]}
    place = payload.app_data.get("location")
    if payload.app_data.get("has_location"):
        fields["lat"] = round(place["latitude"] * 1e6) if place else None
        fields["lon"] = round(place["longitude"] * 1e6) if place else None
    if payload.app_data.get("has_name"):
        fields["name"] = Text(payload.app_data.get("name") or "")
    return fields


def control(payload):
    parsed = payload.parsed or {}
    fields = {"sub_type": payload.flags}
    if "type_filter" in parsed:
        fields["filter"] = parsed["type_filter"]
        fields["tag"], fields["since"] = parsed.get("tag"), parsed.get("since")
    elif "snr_raw" in parsed:
        snr = parsed["snr_raw"]
        fields["snr"], fields["tag"] = snr - 256 if snr > 127 else snr, parsed.get("tag")
    return fields


def sealed(payload):
    """The outer form of whatever is sealed; the names are those of the attributes."""
    fields = {}
    for name, attribute in (("dest_hash", "destination_hash"), ("src_hash", "source_hash"),
                            ("channel_hash", "channel_hash")):
        value = getattr(payload, attribute, None)
        if value:
            fields[name] = number(value)
    for name, attribute in (("mac", "cipher_mac"), ("ciphertext", "ciphertext"),
                            ("sender_pub_key", "sender_public_key")):
        value = getattr(payload, attribute, None)
        if value:
            fields[name] = value.lower()
    return fields
