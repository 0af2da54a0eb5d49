"""The parts of the virtual machine with Bluetooth, and its end."""

import asyncio
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Bluetooth", "vm"))

import machine  # noqa: E402
import parts  # noqa: E402


class ModulesTest(unittest.TestCase):
    """The order in which the kernel's modules are loaded."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def files(self, **needs):
        """Modules as the package has them, each with the names of those that it needs."""
        paths = {}
        for name, text in needs.items():
            paths[name] = os.path.join(self.folder.name, f"{name}.ko")
            with open(paths[name], "wb") as file:
                file.write(b"\x7fELF\0license=GPL\0depends=" + text.encode() + b"\0name=" + name.encode() + b"\0")
        return paths

    def test_needs_come_first_and_once(self):
        files, order = self.files(bluetooth="ecdh_generic,rfkill", ecdh_generic="ecc", ecc="", rfkill="", hci="bluetooth"), []

        for name in ("hci", "bluetooth"):
            parts.add(name, files, order)

        self.assertEqual(order, ["ecc", "ecdh_generic", "rfkill", "bluetooth", "hci"])

    def test_names_with_a_dash_are_those_with_an_underscore(self):
        files, order = self.files(virtio_pci="virtio-ring", virtio_ring=""), []

        parts.add("virtio_pci", files, order)

        self.assertEqual(order, ["virtio_ring", "virtio_pci"])

    def test_what_is_in_the_kernel_itself_is_left_out(self):
        order = []

        parts.add("hmac", self.files(drbg=""), order)

        self.assertEqual(order, [])

    def test_random_numbers_are_there_before_keys_are_tried(self):
        self.assertLess(parts.MODULES.index("drbg"), parts.MODULES.index("ecdh_generic"))
        self.assertLess(parts.MODULES.index("ecdh_generic"), parts.MODULES.index("bluetooth"))


class MissingTest(unittest.TestCase):
    """A missing part is reported with its reason."""

    def test_another_processor(self):
        with mock.patch("os.uname", return_value=mock.Mock(machine="aarch64")):
            with self.assertRaisesRegex(parts.Missing, "aarch64"):
                parts.install("/nowhere")

    def test_no_apt(self):
        with mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(parts.Missing, "apt-get|x86_64"):
                parts.install("/nowhere")

    def test_the_reason_is_the_last_line_of_who_failed(self):
        with self.assertRaisesRegex(parts.Missing, "^bash: the reason$"):
            parts.run("bash", "-c", "echo first >&2; echo the reason >&2; exit 3")


class AnswerTest(unittest.IsolatedAsyncioTestCase):
    """A machine that does not answer holds nobody up."""

    async def asyncSetUp(self):
        self.machine = machine.Machine("kernel", "first", "/nowhere", "meshbed")
        # In the place of the machine a program that runs until it is killed.
        self.machine.process = await asyncio.create_subprocess_exec("cat", stdin=asyncio.subprocess.PIPE)
        self.machine.reader, self.machine.writer = asyncio.StreamReader(), mock.Mock(drain=mock.AsyncMock())
        self.machine.attached.set()
        self.addAsyncCleanup(self.machine.process.wait)
        self.addCleanup(self.machine.end)

    def answered(self, **answer):
        self.machine.reader.feed_data(json.dumps(answer).encode() + b"\n")

    async def test_a_case_has_its_limit(self):
        self.answered(problem=None)

        await self.machine.run("pairing", 7)

        self.assertEqual(json.loads(self.machine.writer.write.call_args[0][0]), {"case": "pairing", "limit": 7})
        self.assertTrue(self.machine.is_running)

    async def test_what_went_wrong_is_raised(self):
        self.answered(problem="no pairing")

        with self.assertRaisesRegex(AssertionError, "^no pairing$"):
            await self.machine.run("pairing", 7)
        self.assertTrue(self.machine.is_running)

    async def test_one_that_says_nothing_is_ended(self):
        with self.assertRaisesRegex(machine.Ended, "no answer"):
            await self.machine.answer(0)

        self.assertFalse(self.machine.is_running)
        await self.machine.process.wait()

    async def test_one_whose_answer_nobody_awaits_any_more_is_ended(self):
        waiting = asyncio.create_task(self.machine.answer(3600))
        for _ in range(5):
            await asyncio.sleep(0)
        waiting.cancel()

        with self.assertRaises(asyncio.CancelledError):
            await waiting
        self.assertFalse(self.machine.is_running)
        # Nobody takes what it still says for the answer to the next case.
        self.assertLessEqual(len(asyncio.all_tasks()), 2)
        await self.machine.process.wait()

    async def test_one_that_ends_says_so(self):
        self.machine.process.kill()

        with self.assertRaisesRegex(machine.Ended, "has ended"):
            await self.machine.answer(3600)


if __name__ == "__main__":
    unittest.main()
