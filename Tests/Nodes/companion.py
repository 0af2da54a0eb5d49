"""openhop-core's companion at a TCP port, with a modem of an emulated world as its radio, for runs of comply.

    python Tests/Nodes/companion.py TERMINAL

Prints its address, and serves until it is interrupted.
"""

import asyncio
import logging
import os
import signal
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))

import on_pty  # noqa: E402
from node import KEY, MODEM, RADIO  # noqa: E402
from openhop_core import CompanionRadio, LocalIdentity  # noqa: E402
from openhop_core.companion.frame_server import CompanionFrameServer  # noqa: E402
from openhop_core.hardware.kiss_modem_wrapper import KissModemWrapper  # noqa: E402


async def main(path):
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    on_pty.overlook_missing_modem_lines()
    modem = KissModemWrapper(path, radio_config=RADIO | MODEM)
    if not await asyncio.to_thread(modem.connect):
        sys.exit(f"no modem answers at {path}")
    modem.set_event_loop(asyncio.get_running_loop())
    companion = CompanionRadio(modem, LocalIdentity(KEY), node_name="alice", radio_config=RADIO)
    await companion.start()
    server = CompanionFrameServer(companion, "00", port=0, bind_address="127.0.0.1")
    await server.start()
    print(f"listening on tcp://127.0.0.1:{server._server.sockets[0].getsockname()[1]}", flush=True)
    await ended.wait()
    await server.stop()
    await companion.stop()
    await asyncio.to_thread(modem.cleanup)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    logging.basicConfig(level=logging.CRITICAL)
    asyncio.run(main(sys.argv[1]))
