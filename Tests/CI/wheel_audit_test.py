"""ci/wheel_audit.py on what auditwheel found: it says what a platform lacks, and takes what runs on older systems too."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "ci"))

import wheel_audit

PLATFORM = "manylinux_2_35_x86_64"


def found(**others):
    return {
        "wheel": "meshbed.whl", "pure": False, "overall_tag": PLATFORM, "external_libs": {}, "unsupported_isa": False,
        "versioned_symbols": {"libc.so.6": ["GLIBC_2.2.5", "GLIBC_2.9", "GLIBC_2.35"], "libm.so.6": ["GLIBC_2.27"]}, **others}


class WheelAuditTest(unittest.TestCase):
    def judged(self, report, platform=PLATFORM):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(report, file)
            file.flush()
            said, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
                status = wheel_audit.main(platform, file.name)
        return status, said.getvalue() + errors.getvalue()

    def test_a_program_for_the_platform_passes_in_silence(self):
        self.assertEqual(self.judged(found()), (0, ""))

    def test_a_program_for_older_systems_passes_and_says_so(self):
        status, said = self.judged(found(overall_tag="manylinux_2_34_x86_64", versioned_symbols={}))
        self.assertEqual(status, 0)
        self.assertIn("would do for manylinux_2_34_x86_64 as well", said)

    def test_libraries_of_others_are_named(self):
        libraries = {"libsodium.so.23": "/lib/libsodium.so.23", "libcrypto.so.3": None}
        status, said = self.judged(found(external_libs=libraries, overall_tag="linux_x86_64"))
        self.assertEqual(status, 1)
        self.assertIn("needs libcrypto.so.3, libsodium.so.23, which are not part of manylinux_2_35_x86_64", said)

    def test_symbols_of_a_newer_library_are_named(self):
        late = {"libc.so.6": ["GLIBC_2.9", "GLIBC_2.36", "GLIBC_2.41", "GLIBC_PRIVATE"], "libm.so.6": ["GLIBC_2.36"]}
        status, said = self.judged(found(versioned_symbols=late, overall_tag="manylinux_2_41_x86_64"))
        self.assertEqual(status, 1)
        self.assertIn("needs symbols of GLIBC_2.36, GLIBC_2.41, which are newer", said)

    def test_another_judgement_of_auditwheel_is_no_agreement(self):
        for tag in ("linux_x86_64", "manylinux_2_36_x86_64", "manylinux_2_35_aarch64", "musllinux_1_2_x86_64"):
            status, said = self.judged(found(overall_tag=tag))
            self.assertEqual((status, f"takes it for {tag}" in said), (1, True), tag)

    def test_a_wheel_without_a_program_and_one_for_newer_processors_fail(self):
        self.assertEqual(self.judged(found(pure=True))[0], 1)
        self.assertIn("newer processor", self.judged(found(unsupported_isa=True))[1])


if __name__ == "__main__":
    unittest.main()
