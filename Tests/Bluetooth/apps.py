"""`meshbed app` without a page: its API, asked as its page asks it."""

import asyncio
import json
import os
import urllib.request

# Of one answer, on a machine that is busy: a radio over Bluetooth may take 75 s to be connected.
LIMIT = 200


class AppProgram:
    """The app of one client: with that client's keys, and a database that outlives it."""

    def __init__(self, client):
        self.client, self.process, self.ready = client, None, None

    async def open(self):
        # Without the machine's own Bluetooth, which some have and some have not.
        environment = {**os.environ, "XDG_STATE_HOME": self.client.folder,
                       "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nothing/here"}
        self.process = await asyncio.create_subprocess_exec(
            self.client.binary, "app", "--db", os.path.join(self.client.folder, "app.sqlite"), "--ready-json",
            "--until-stdin-closes", env=environment, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL)
        line = await asyncio.wait_for(self.process.stdout.readline(), LIMIT)
        assert line, "the app did not start"
        self.ready = json.loads(line)
        return self

    async def get(self, path):
        return await asyncio.to_thread(self._ask, path, None)

    async def post(self, path, body):
        return await asyncio.to_thread(self._ask, path, json.dumps(body).encode())

    def _ask(self, path, body):
        request = urllib.request.Request(
            f"{self.ready['address']}/api/{path}", data=body,
            headers={"Authorization": f"Bearer {self.ready['token']}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=LIMIT) as answer:
            return json.load(answer)

    async def connects(self, address):
        """Connects to an address; the answer, with its error if there is one."""
        return await self.post("devices/connect", {"address": address})

    async def until(self, ask, fits):
        """Asks until an answer fits."""
        for _ in range(LIMIT * 10):
            if fits(answer := await ask()):
                return answer
            await asyncio.sleep(0.1)
        raise AssertionError(f"it stays at {answer}")

    async def until_ready(self):
        await self.until(lambda: self.get("state"), lambda answer: answer["link"]["state"] == "ready")

    async def stop(self):
        """Ends it as an interrupt does."""
        if self.process is None:
            return
        process, self.process = self.process, None
        process.stdin.close()
        status = await asyncio.wait_for(process.wait(), LIMIT)
        assert status == 0, f"the app ended with {status}"

    def discard(self):
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
