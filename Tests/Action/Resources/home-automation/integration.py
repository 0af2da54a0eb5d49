"""Stands for an integration: the name of a radio, and the texts that wait on it."""

from meshcore import EventType, MeshCore


class Integration:
    def __init__(self, client):
        self.client = client

    @classmethod
    async def at(cls, host, port):
        return cls(await MeshCore.create_tcp(host, port))

    @property
    def name(self):
        return self.client.self_info["name"]

    async def next_text(self):
        await self.client.wait_for_event(EventType.MESSAGES_WAITING, timeout=30)
        return (await self.client.commands.get_msg()).payload.get("text")

    async def close(self):
        await self.client.disconnect()
