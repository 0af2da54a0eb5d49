"""What the virtual machine with Bluetooth is packed from."""

import os
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Bluetooth", "vm"))

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
    """Where a part cannot be had, the reason is said."""

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


if __name__ == "__main__":
    unittest.main()
