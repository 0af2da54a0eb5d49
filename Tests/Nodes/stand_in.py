"""Companion radios that nobody would build, at a TCP port, for runs of comply.

    python3 Tests/Nodes/stand_in.py level-3|unsupported

`level-3` answers what a radio of protocol level 3 knows, and ends DEVICE_INFO behind its version. `unsupported` answers
every command with UNSUPPORTED_CMD. Prints its address, and serves until it is interrupted.
"""

import asyncio
import sys

# DEVICE_INFO of protocol level 3: 80 bytes, and nothing behind the version.
OLD_DEVICE_INFO = (bytes.fromhex("0d03320800000000") + b"19 Mar 2025".ljust(12, b"\0")
                   + b"Some Board".ljust(40, b"\0") + b"v1.4.0".ljust(20, b"\0"))
SELF_INFO = (bytes.fromhex("05011616") + bytes(range(32)) + bytes(12) + (869_525).to_bytes(4, "little")
             + (250_000).to_bytes(4, "little") + bytes([11, 5]) + b"Stranger")
UNKNOWN, OK = bytes([1, 1]), bytes([0])
TIME = 1_760_000_000
CHANNELS = 8


def old_radio(command):
    """The frames that a radio of level 3 answers a command with, as far as it knows it."""
    code = command[:1].hex()
    if code == "1f":
        slot = command[1] if len(command) > 1 else CHANNELS
        return [bytes([0x12, slot]) + bytes(48)] if slot < CHANNELS else [bytes([1, 2])]
    return {
        "01": [SELF_INFO], "16": [OLD_DEVICE_INFO], "05": [bytes([9]) + TIME.to_bytes(4, "little")],
        "04": [bytes([2, 0, 0, 0, 0]), bytes([4, 0, 0, 0, 0])], "0a": [bytes([10])], "06": [OK], "08": [OK],
        "0e": [OK], "0b": [OK], "0c": [OK], "20": [OK], "26": [OK],
    }.get(code, [UNKNOWN])


def refusing_radio(_):
    """It answers every command alike."""
    return [UNKNOWN]


RADIOS = {"level-3": old_radio, "unsupported": refusing_radio}


async def serve(answer, reader, writer):
    """Answers the frames of one client until it hangs up."""
    try:
        while await reader.readexactly(1):
            length = int.from_bytes(await reader.readexactly(2), "little")
            for frame in answer(await reader.readexactly(length) if length else b""):
                writer.write(b">" + len(frame).to_bytes(2, "little") + frame)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(name):
    answer = RADIOS[name]
    server = await asyncio.start_server(lambda *streams: serve(answer, *streams), "127.0.0.1", 0)
    print(f"listening on tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in RADIOS:
        sys.exit(__doc__)
    try:
        asyncio.run(main(sys.argv[1]))
    except KeyboardInterrupt:
        pass
