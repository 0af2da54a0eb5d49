"""The cases of a radio among the controllers of the Android emulator's netsim: a stand-in for it, see netsim_controllers.py."""

import os
import subprocess
import tempfile

from central import Central
from lane import same
from netsim_controllers import Netsim

GET_TIME, TIME = 5, 9


async def found_by_its_file(stage):
    """a radio at ble:android-netsim finds netsim by its file, and a phone in netsim's air pairs with it"""
    await stage.radio.stop()
    with tempfile.TemporaryDirectory(prefix="meshbed-netsim-") as folder:
        netsim = await Netsim(folder).open()
        await stage.radio.start_at("android-netsim", environment=netsim.environment)
        phone = await Central(netsim.port).open()
        try:
            await phone.begin()
            same((await phone.ask(bytes([GET_TIME]), TIME))[0], TIME, "answer")
        finally:
            await phone.close()
            # Before its controller goes.
            await stage.radio.stop()
            await netsim.close()


async def not_there(stage):
    """without netsim, and where it takes no packets, the emulator says what it looked for, with exit 2"""
    with tempfile.TemporaryDirectory(prefix="meshbed-netsim-") as folder:
        environment = {**os.environ, "TMPDIR": folder, "XDG_RUNTIME_DIR": folder, "NETSIM_HCI_PORT": "1"}
        words = [stage.radio.binary, "emulate", "--world", "solo", "--endpoint", "alice=ble:android-netsim:7"]
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        same(done.returncode, 2, "exit status without a file")
        assert f"no netsim_7.ini in {folder} or /tmp: start the Android emulator first" in done.stderr, done.stderr

        with open(os.path.join(folder, "netsim_7.ini"), "w", encoding="utf-8") as file:
            file.write("grpc.port=43210\n")
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        same(done.returncode, 2, "exit status without a listener")
        assert "takes no HCI packets on port 1 (Connection refused)" in done.stderr, done.stderr


# Of the emulator alone.
EMULATED = [found_by_its_file, not_there]
