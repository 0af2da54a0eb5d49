"""The parts of the virtual machine: Debian's packages, and the kernel of one that is unpacked, never installed."""

import glob
import os
import re
import shutil
import stat
import subprocess

# A program, and the Debian package that has it.
PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86", "btvirt": "bluez-test-tools", "btmon": "bluez", "busybox": "busybox-static",
    "dbus-daemon": "dbus-daemon", "cpio": "cpio", "dpkg-deb": "dpkg", "tshark": "tshark",
}
# Not that of clouds, which has neither Bluetooth nor the file system of the host.
KERNEL = "linux-image-amd64"
# In this order. Without `drbg` before it `ecdh_generic` fails its self test, and with it Secure Connections; the
# virtual controllers compute with the sockets of `algif_…`.
MODULES = ("virtio_pci 9pnet_virtio 9p overlay ctr sha512_generic hmac drbg ecdh_generic cmac ecb algif_hash"
           " algif_skcipher bluetooth hci_vhci uhid").split()


class Missing(Exception):
    """A part that cannot be had here; the machine is skipped."""


def run(*words, **more):
    """Runs a program; what it printed. Raises `Missing` with its last line when it fails."""
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C")
    done = subprocess.run(words, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        last = (done.stderr.strip() or f"exit {done.returncode}").splitlines()[-1]
        raise Missing(f"{words[0]}: {last}")
    return done.stdout


def path_of(program):
    """The path of a program, also among those that only root has in the path."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing_packages():
    names = {package for program, package in PROGRAMS.items() if path_of(program) is None}
    if not os.path.exists("/usr/libexec/bluetooth/bluetoothd"):
        names.add("bluez")
    return sorted(names)


def install(folder):
    """Installs and unpacks what is not there yet; the paths of the kernel and of its first file system."""
    if os.uname().machine != "x86_64":
        raise Missing(f"the machine is one of x86_64, and this is {os.uname().machine}")
    if shutil.which("apt-get") is None:
        raise Missing("there is no apt-get")
    if packages := missing_packages():
        root = [] if os.getuid() == 0 else ["sudo", "-n"]
        if root and shutil.which("sudo") is None:
            raise Missing(f"not installed, and this is not root: apt-get install {' '.join(packages)}")
        run(*root, "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "update")
        run(*root, "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "install", "--no-install-recommends", "-y",
            *packages)
    os.makedirs(folder, exist_ok=True)
    kernel, first = os.path.join(folder, "vmlinuz"), os.path.join(folder, "initramfs")
    source = [os.path.join(os.path.dirname(__file__), name) for name in ("init", "parts.py")]
    newest = max(os.path.getmtime(path) for path in source)
    if not (os.path.exists(first) and os.path.getmtime(first) > newest):
        unpack(folder, kernel, first)
    return kernel, first


def unpack(folder, kernel, first):
    """Gets the kernel's package and takes out what the machine starts with."""
    scratch = os.path.join(folder, "unpacked")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    try:
        found = re.search(r"Depends: (linux-image-\S+)", run("apt-cache", "depends", KERNEL))
        if found is None:
            raise Missing(f"there is no package {KERNEL}")
        run("apt-get", "-qq", "download", found[1], cwd=scratch)
        run("dpkg-deb", "-x", glob.glob(os.path.join(scratch, "*.deb"))[0], scratch)
        shutil.copy(glob.glob(os.path.join(scratch, "boot", "vmlinuz-*"))[0], kernel)
        pack(glob.glob(os.path.join(scratch, "lib", "modules", "*"))[0], os.path.join(scratch, "first"), first)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def pack(modules, tree, archive):
    """Writes the first file system: a shell, the kernel's modules with a list of their order, and our `init`."""
    for name in ("bin", "modules", "dev", "proc", "sys", "root", "host", "over"):
        os.makedirs(os.path.join(tree, name))
    shutil.copy(path_of("busybox"), os.path.join(tree, "bin", "busybox"))
    files = {os.path.basename(path)[:-3].replace("-", "_"): path
             for path in glob.glob(os.path.join(modules, "**", "*.ko"), recursive=True)}
    order = []
    for name in MODULES:
        add(name, files, order)
    for name in order:
        shutil.copy(files[name], os.path.join(tree, "modules", f"{name}.ko"))
    with open(os.path.join(tree, "modules", "order"), "w", encoding="utf-8") as list_of_modules:
        list_of_modules.write("".join(f"{name}\n" for name in order))
    init = os.path.join(tree, "init")
    shutil.copy(os.path.join(os.path.dirname(__file__), "init"), init)
    os.chmod(init, stat.S_IRWXU)
    names = "\n".join(os.path.relpath(path, tree) for path in glob.glob(os.path.join(tree, "**"), recursive=True))
    made = subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=tree, input=names.encode(), capture_output=True)
    if made.returncode != 0:
        raise Missing(f"cpio: {made.stderr.decode(errors='replace').strip()}")
    with open(archive + ".new", "wb") as file:
        file.write(made.stdout)
    os.replace(archive + ".new", archive)


def add(name, files, order):
    """Appends a module behind those that it depends on, where it is not part of the kernel itself."""
    if name in order or name not in files:
        return
    with open(files[name], "rb") as file:
        found = re.search(rb"\0depends=([^\0]*)\0", file.read())
    for need in (found[1].decode().split(",") if found else []):
        add(need.replace("-", "_"), files, order)
    order.append(name)
