import Glibc
import Testing

@testable import MeshTransports

/// The reasons why an adapter cannot be used exclusively.
///
/// There is none where tests run; those of the virtual machine are in Tests/Bluetooth/vm.
@Suite struct UserChannelTests {
    @Test(arguments: [
        (EAFNOSUPPORT, "sudo modprobe bluetooth"), (EPROTONOSUPPORT, "this kernel has no Bluetooth"),
        (ENODEV, "ls /sys/class/bluetooth"), (EPERM, "cap_net_admin+ep"), (EACCES, "CAP_NET_ADMIN"),
        (EBUSY, "sudo btmgmt --index 3 power off"), (EUSERS, "another program"),
        (ERFKILL, "sudo rfkill unblock bluetooth"),
        (ENOMEM, "memory"),
    ])
    func `a refusal says what it is and what to do`(code: Int32, words: String) {
        let reason = UserChannel.reason(code, adapter: 3)

        #expect(reason.contains(words), "\(reason)")
        #expect(!reason.contains("\n") && !reason.hasSuffix("."))
    }
}
