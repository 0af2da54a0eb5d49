"""Empties the queue of a radio with the library from PyPI, and says how many messages it held and how long that took.

`meshbed bench sync --client` runs it, to compare: drain.py HOST PORT prints {"messages": N, "seconds": S}.
"""

import asyncio
import json
import sys
import time

from meshcore import EventType, MeshCore


async def drain(host, port):
    client = await MeshCore.create_tcp(host, port, only_error=True, default_timeout=10)
    assert client is not None, "the radio does not answer"
    # From here on messages come in the layouts of protocol 3.
    await client.commands.send_device_query()
    count, start = 0, time.monotonic()
    while (event := await client.commands.get_msg()).type != EventType.NO_MORE_MSGS:
        assert not event.is_error(), f"fetching a message: {event.payload}"
        count += 1
    seconds = time.monotonic() - start
    await client.disconnect()
    return {"messages": count, "seconds": seconds}


print(json.dumps(asyncio.run(drain(sys.argv[1], int(sys.argv[2])))))
