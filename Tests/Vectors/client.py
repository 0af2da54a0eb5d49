"""Packets and frames of radios through meshcore, the client of most tools in Python."""

import logging

from meshcore.packets import PacketType
from meshcore.reader import MessageReader

from reading import REFUSED, Reading, Text, little

LIBRARY = "meshcore"
KINDS = ("packet", "frame")


class Errors(logging.Handler):
    """Counts what the library logs as an error: it raises nothing to its caller."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record):
        self.count += 1


class Events:
    """In place of the dispatcher: keeps what it is given."""

    def __init__(self):
        self.events = []

    async def dispatch(self, event):
        self.events.append(event)


class Reader:
    def __init__(self, keys):
        self.keys = keys
        self.errors = Errors()
        logger = logging.getLogger("meshcore")
        logger.handlers, logger.propagate = [self.errors], False

    async def read(self, vector):
        data = bytes.fromhex(vector["hex"])
        return await (self.packet(data) if vector["kind"] == "packet" else self.frame(data))

    async def packet(self, data):
        """As the library reads the packets that a radio has heard."""
        reader = MessageReader(Events())
        try:
            log = await reader.packet_parser.parsePacketPayload(data, {})
        except Exception:
            return REFUSED
        if log["route_type"] < 0:
            return REFUSED
        fields = {"header": log["header"], "path": log["path"],
                  "path_len": (log["path_hash_size"] - 1) << 6 | log["path_len"]}
        if "transport_code" in log:
            fields["transport_codes[0]"] = little(log["transport_code"][:4])
            fields["transport_codes[1]"] = little(log["transport_code"][4:])
        if "chan_hash" in log:
            fields.update(channel_hash=little(log["chan_hash"]), mac=log["cipher_mac"], ciphertext=log["crypted"])
        if log["payload_type"] == 4:
            if "adv_key" not in log:
                return REFUSED
            fields.update(advert(log))
        return Reading(True, fields)

    async def frame(self, data):
        events, before = Events(), self.errors.count
        reader = MessageReader(events)
        await reader.handle_rx(bytearray(data))
        # The beginning of a listing is kept in the reader and announced by no event.
        is_read = bool(events.events) or data[:1] == bytes([PacketType.CONTACT_START.value])
        failed = any(event.payload.get("reason") for event in events.events if isinstance(event.payload, dict)
                     and event.type.name == "ERROR")
        if self.errors.count > before or failed or not is_read:
            return REFUSED
        payload = events.events[0].payload if events.events else {"count": reader.contact_nb}
        return Reading(True, fields_of(data[0], payload))


def advert(log):
    fields = {"pub_key": log["adv_key"], "timestamp": log["adv_timestamp"], "signature": log["signature"],
              "flags": log["adv_flags"]}
    for name, key in (("lat", "adv_lat"), ("lon", "adv_lon")):
        if key in log:
            fields[name] = round(log[key] * 1e6)
    for name, key in (("feat1", "adv_feat1"), ("feat2", "adv_feat2")):
        if key in log:
            fields[name] = little(log[key])
    if "adv_name" in log:
        fields["name"] = Text(log["adv_name"])
    return fields


# The vectors' name of each key, where it is another one, and the number that it stands for.
DIRECT = {
    "type": None, "public_key": "public_key", "flags": "flags", "last_advert": "last_advert", "lastmod": "lastmod",
    "count": "count", "pubkey_prefix": "pubkey_prefix", "pubkey_pre": "pubkey_prefix", "pubkey": "public_key",
    "txt_type": "txt_type", "sender_timestamp": "timestamp", "signature": "author_prefix",
    "channel_idx": "channel_idx", "data_type": "data_type", "data_len": "data_len", "time": "epoch",
    "level": "battery", "used_kb": "used", "total_kb": "total", "battery_mv": "battery", "uptime_secs": "uptime",
    "errors": "error_flags", "queue_len": "queue_len", "noise_floor": "noise_floor", "last_rssi": "last_rssi",
    "tx_air_secs": "tx_air", "rx_air_secs": "rx_air", "recv": "recv", "sent": "sent", "flood_tx": "sent_flood",
    "direct_tx": "sent_direct", "flood_rx": "recv_flood", "direct_rx": "recv_direct", "recv_errors": "recv_errors",
    "config": "config", "max_hops": "max_hops", "rx_delay": "rx_delay", "airtime_factor": "airtime_factor",
    "adv_type": "adv_type", "tx_power": "tx_power", "max_tx_power": "max_tx_power", "multi_acks": "multi_acks",
    "adv_loc_policy": "adv_loc_policy", "radio_sf": "sf", "radio_cr": "cr", "fw ver": "fw_ver_code",
    "ble_pin": "ble_pin", "max_channels": "max_channels", "trip_time": "trip", "permissions": "permissions",
    "server_timestamp": "server_time", "acl_permissions": "acl_permissions", "fw_ver_level": "fw_ver_level",
    "max_length": "max_len", "tag": "tag", "auth": "auth", "error_code": "error", "rssi": "rssi", "RSSI": "rssi",
    "path_hash_mode": None, "suggested_timeout": "est_timeout",
}
TEXTS = {"adv_name": "name", "name": "name", "channel_name": "name", "text": "text", "fw_build": "build_date",
         "model": "model", "ver": "version"}
QUARTERS = {"SNR": "snr", "snr": "snr", "last_snr": "last_snr"}
MICRODEGREES = {"adv_lat": "lat", "adv_lon": "lon"}


def fields_of(code, payload):
    fields = {}
    for key, value in payload.items():
        if key in QUARTERS:
            fields[QUARTERS[key]] = round(value * 4)
        elif key in MICRODEGREES:
            fields[MICRODEGREES[key]] = round(value * 1e6)
        elif key in TEXTS and isinstance(value, str):
            fields[TEXTS[key]] = Text(value)
        elif DIRECT.get(key) and value is not None:
            fields[DIRECT[key]] = value
    fields.update(special(code, payload))
    return fields


def special(code, payload):
    """Keys that have their own form in one kind of frame."""
    kind = PacketType(code)
    fields = {}
    if kind in (PacketType.CONTACT, PacketType.PUSH_CODE_NEW_ADVERT):
        fields["type"] = payload["type"]
        fields["out_path_len"] = path_length(payload, "out_path_hash_mode", "out_path_len")
    elif kind == PacketType.MSG_SENT:
        fields["route"], fields["tag"] = payload["type"], int.from_bytes(payload["expected_ack"], "little")
    elif kind == PacketType.ACK and "code" in payload:
        fields["ack"] = little(payload["code"])
    elif kind == PacketType.SELF_INFO:
        fields["freq"], fields["bw"] = round(payload["radio_freq"] * 1000), round(payload["radio_bw"] * 1000)
        fields["telemetry_modes"] = (payload["telemetry_mode_env"] << 4 | payload["telemetry_mode_loc"] << 2
                                     | payload["telemetry_mode_base"])
    elif kind == PacketType.DEVICE_INFO:
        if "max_contacts" in payload:
            fields["max_contacts"] = payload["max_contacts"] // 2
        if "path_hash_mode" in payload:
            fields["path_hash_mode"] = payload["path_hash_mode"]
    elif kind == PacketType.BINARY_RESPONSE:
        fields["tag"], fields["data"] = little(payload["tag"]), payload["data"]
    elif kind == PacketType.CHANNEL_INFO:
        fields["secret"] = payload["channel_secret"].hex()
    elif kind == PacketType.CHANNEL_DATA_RECV:
        fields["data"] = payload["payload"]
    elif kind == PacketType.CONTACT_URI:
        fields["packet"] = payload["uri"].removeprefix("meshcore://")
    elif kind in (PacketType.SIGNATURE, PacketType.PRIVATE_KEY):
        name = kind.name.lower()
        fields[name] = bytes(payload[name]).hex()
    elif kind == PacketType.RAW_DATA:
        fields["payload"] = payload["payload"]
    elif kind == PacketType.CONTROL_DATA:
        fields["payload"], fields["path_len"] = bytes(payload["payload"]).hex(), payload["path_len"]
    elif kind == PacketType.LOG_DATA:
        fields["raw"] = payload.get("payload")
    elif kind == PacketType.ADVERT_PATH:
        fields.update(recv_time=payload["timestamp"], path=payload["path"],
                      path_len=path_length(payload, "path_hash_mode", "path_len"))
    elif kind == PacketType.PATH_DISCOVERY_RESPONSE:
        for way in ("out", "in"):
            fields[f"{way}_path_len"] = (payload[f"{way}_path_hash_len"] - 1) << 6 | payload[f"{way}_path_len"]
            fields[f"{way}_path"] = payload[f"{way}_path"]
    elif kind == PacketType.CONTACT_END:
        fields = {}
    elif "path_len" in payload and "path_hash_mode" in payload:
        fields["path_len"] = path_length(payload, "path_hash_mode", "path_len")
    return fields


def path_length(payload, mode, count):
    return 0xFF if payload[mode] < 0 else payload[mode] << 6 | payload[count]
