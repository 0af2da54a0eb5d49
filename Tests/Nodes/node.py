"""A node of somebody else's on our air: openhop-core, a MeshCore in Python, with one of our modems as its radio."""

import asyncio
import time

import on_pty
from lane import MESH_LIMIT
from openhop_core import CompanionRadio, LocalIdentity
from openhop_core.hardware.kiss_modem_wrapper import KissModemWrapper

# As all radios of our worlds are set, fresh from the factory.
RADIO = {"frequency": 869_618_000, "bandwidth": 62_500, "spreading_factor": 8, "coding_rate": 5, "power": 22}
# The modem sends at once when the channel is clear: its waits are of the clock of the world, those of the node of ours.
MODEM = {"tx_delay_ms": 0, "kiss_persistence": 255, "kiss_slottime_ms": 0}
KEY = bytes(range(32))
EVENTS = ("advert_received", "node_discovered", "message_event", "send_confirmed", "contact_path_updated", "login_result")


class Node:
    """openhop-core's node, and everything it told, in order."""

    def __init__(self, name, emulator):
        self.name, self.emulator, self.modem, self.companion, self.events = name, emulator, None, None, []
        self._news = asyncio.Event()

    async def connect(self):
        on_pty.overlook_missing_modem_lines()
        self.modem = KissModemWrapper(self.emulator.links[self.name], radio_config=RADIO | MODEM)
        assert await asyncio.to_thread(self.modem.connect), f"the modem of {self.name} does not answer"
        self.modem.set_event_loop(asyncio.get_running_loop())
        self.companion = CompanionRadio(self.modem, LocalIdentity(KEY), node_name=self.name, radio_config=RADIO)
        for kind in EVENTS:
            getattr(self.companion, f"on_{kind}")(self._listener(kind))
        await self.companion.start()
        return self

    def _listener(self, kind):
        def hear(*arguments):
            self.events.append((kind, arguments))
            self._news.set()
        return hear

    async def disconnect(self):
        if self.companion is not None:
            await self.companion.stop()
            self.companion = None
        if self.modem is not None:
            await asyncio.to_thread(self.modem.cleanup)
            self.modem = None

    @property
    def key(self):
        return bytes(self.companion.get_public_key())

    def contact(self, key):
        return self.companion.get_contact_by_key(key)

    def mark(self):
        """The place in the list of events to look from."""
        return len(self.events)

    async def wait(self, kind, since, wanted=lambda *_: True, within=MESH_LIMIT):
        """The arguments of the first event of a kind after `since` that is as wanted; None when none comes in time."""
        deadline = time.monotonic() + within
        while True:
            self._news.clear()
            for told, arguments in self.events[since:]:
                if told == kind and wanted(*arguments):
                    return arguments
            try:
                await asyncio.wait_for(self._news.wait(), max(0, deadline - time.monotonic()))
            except asyncio.TimeoutError:
                return None
