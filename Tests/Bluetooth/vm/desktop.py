"""The desktop around an app: bluetoothd's agent, which types PINs, and a look at the devices of bluetoothd."""

import asyncio
import subprocess

from dbus_fast import BusType, DBusError, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

BLUEZ = "org.bluez"
ADAPTER = "hci0"
AGENT_PATH = "/app/agent"


class Agent(ServiceInterface):
    """Types a PIN when it is asked, or refuses when it has none."""

    def __init__(self):
        super().__init__("org.bluez.Agent1")
        self.pin, self.asked, self.read = None, 0, None

    @method()
    async def RequestPasskey(self, device: "o") -> "u":  # noqa: F821, N802
        self.asked += 1
        if self.read is not None:
            return await self.read()
        if self.pin is None:
            raise DBusError("org.bluez.Error.Rejected", "nobody types")
        return self.pin

    @method()
    def RequestAuthorization(self, device: "o"):  # noqa: F821, N802
        pass

    @method()
    def Cancel(self):  # noqa: N802
        pass

    @method()
    def Release(self):  # noqa: N802
        pass


class Desktop:
    """bluetoothd, as a user's desktop sees it; its adapter is named, for there is another one."""

    def __init__(self):
        self.bus, self.agent, self.objects = None, Agent(), None

    async def open(self):
        self.bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        self.bus.export(AGENT_PATH, self.agent)
        manager = await self._interface("/org/bluez", "org.bluez.AgentManager1")
        await manager.call_register_agent(AGENT_PATH, "KeyboardOnly")
        await manager.call_request_default_agent(AGENT_PATH)
        self.objects = await self._interface("/", "org.freedesktop.DBus.ObjectManager")
        return self

    async def _interface(self, path, name):
        """An object of bluetoothd's, which may just be starting."""
        for attempt in range(100):
            try:
                node = await self.bus.introspect(BLUEZ, path)
                return self.bus.get_proxy_object(BLUEZ, path, node).get_interface(name)
            except Exception:
                if attempt == 99:
                    raise
                await asyncio.sleep(0.1)

    async def devices(self):
        """The other devices of bluetoothd, by path."""
        known = await self.objects.call_get_managed_objects()
        return {path: {key: value.value for key, value in interfaces["org.bluez.Device1"].items()}
                for path, interfaces in known.items() if "org.bluez.Device1" in interfaces}

    async def forget(self):
        """Removes all devices with their bonds, at both ends where bluetoothd has both."""
        for path in await self.devices():
            adapter = await self._interface(path.rsplit("/", 1)[0], "org.bluez.Adapter1")
            try:
                await adapter.call_remove_device(path)
            except DBusError:
                pass  # It is gone by itself.

    async def power(self, adapter=ADAPTER):
        """Switches an adapter on."""
        properties = await self._interface(f"/org/bluez/{adapter}", "org.freedesktop.DBus.Properties")
        await properties.call_set("org.bluez.Adapter1", "Powered", Variant("b", True))

    async def is_powered(self, adapter):
        properties = await self._interface(f"/org/bluez/{adapter}", "org.freedesktop.DBus.Properties")
        return (await properties.call_get("org.bluez.Adapter1", "Powered")).value

    async def connect(self, address):
        """Connects as a user does in the settings; whether it has a connection then."""
        path = f"/org/bluez/{ADAPTER}/dev_{address.replace(':', '_')}"
        await (await self._interface(path, "org.bluez.Device1")).call_connect()
        properties = await self._interface(path, "org.freedesktop.DBus.Properties")
        return (await properties.call_get("org.bluez.Device1", "Connected")).value

    async def pair(self, address):
        """Pairs as a user does in the settings, with the agent of this desktop, and hangs up."""
        device = await self._interface(
            f"/org/bluez/{ADAPTER}/dev_{address.replace(':', '_')}", "org.bluez.Device1")
        try:
            await device.call_pair()
        finally:
            await device.call_disconnect()


def down(adapter):
    """Switches an adapter off, so that it can be had alone."""
    done = subprocess.run(["hciconfig", adapter, "down"], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0, f"{adapter} was not switched off: {done.stderr}"
