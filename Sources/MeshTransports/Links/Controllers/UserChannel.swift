import CBluetooth
import Glibc

/// The kernel's exclusive channel to a Bluetooth adapter, its *user channel*.
///
/// It carries HCI packets as on a UART (H4), one a read and one a write, while no other program has the adapter. The
/// library opens adapters only beside others (`hci_open_dev`); structures and numbers are its own.
enum UserChannel {
    /// Opens it, which needs CAP_NET_ADMIN and an adapter that is down. The descriptor does not block, and is the
    /// caller's to close.
    static func open(adapter: Int, for address: LinkAddress) throws(LinkError) -> Int32 {
        guard let index = UInt16(exactly: adapter) else {
            throw .unreachable(address, reason: reason(ENODEV, adapter: adapter))
        }
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_BLUETOOTH, kind, bluetooth_protocol_hci)
        guard descriptor >= 0 else { throw .unreachable(address, reason: reason(errno, adapter: adapter)) }
        guard SocketName(userChannelOf: index).bind(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw .unreachable(address, reason: reason(code, adapter: adapter))
        }
        return descriptor
    }

    /// Returns the meaning of a refusal of the kernel, and its remedy.
    static func reason(_ code: Int32, adapter: Int) -> String {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            "this kernel has no Bluetooth; where it has a module for it, 'sudo modprobe bluetooth' loads it"
        case ENODEV: "there is no such adapter; 'ls /sys/class/bluetooth' lists those that there are"
        case EPERM, EACCES:
            "no permission to have it alone, which needs CAP_NET_ADMIN; run this as root, or give it to the program with "
                + "'setcap cap_net_admin+ep PROGRAM'"
        // Also where another has it alone, which then has it up.
        case EBUSY, EUSERS:
            "it is in use: 'sudo btmgmt --index \(adapter) power off' takes it down, unless another program has it alone"
        case ERFKILL: "it is switched off; 'sudo rfkill unblock bluetooth' switches it on"
        default: String(cString: strerror(code))
        }
    }
}
