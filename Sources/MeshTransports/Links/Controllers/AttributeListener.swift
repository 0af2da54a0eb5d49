import CBluetooth
import Dispatch
import Glibc
package import MeshBluetoothHost

/// Accepts the connections of Bluetooth centrals to an adapter of the kernel and bluetoothd.
///
/// The connections are channels of attributes. bluetoothd listens there as well; the kernel delivers each connection to
/// the latest listener. No privileges are needed.
package final class AttributeListener {
    /// The number of centrals that may wait; more than one finds a radio that has one already.
    private static let backlog: Int32 = 4

    private let source: any DispatchSourceRead

    /// Listens until it is closed. `arrived` receives each socket, non-blocking and its own to close, on another
    /// thread.
    package init(
        on own: BluetoothAddress, for address: LinkAddress,
        arrived: @escaping @Sendable (Int32, BluetoothAddress) -> Void
    ) throws(LinkError) {
        let descriptor = try Self.listen(on: own, for: address)
        let queue = DispatchQueue(label: "Bluetooth centrals arrive")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { while let (socket, peer) = Self.accept(descriptor) { arrived(socket, peer) } }
        source.setCancelHandler { Glibc.close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    package func close() { source.cancel() }

    private static func listen(on own: BluetoothAddress, for address: LinkAddress) throws(LinkError) -> Int32 {
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_BLUETOOTH, kind, bluetooth_protocol_l2cap)
        guard descriptor >= 0 else { throw .unreachable(address, reason: reason(errno)) }
        guard SocketName(attributesAt: own).bind(descriptor) == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw .unreachable(address, reason: reason(code))
        }
        return descriptor
    }

    private static func accept(_ descriptor: Int32) -> (Int32, BluetoothAddress)? {
        let (socket, name) = SocketName.accept(descriptor)
        guard socket >= 0 else { return nil }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        return (socket, name.device)
    }

    /// Returns the meaning of a refusal of the kernel, and its remedy.
    static func reason(_ code: Int32) -> String {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            "this kernel has no Bluetooth; where it has a module for it, 'sudo modprobe bluetooth' loads it"
        case EADDRINUSE: "another program has its channel of attributes for itself; end that"
        case EADDRNOTAVAIL, ENODEV: "it is gone; 'ls /sys/class/bluetooth' lists those that there are"
        default: "the kernel does not let us listen: \(String(cString: strerror(code)))"
        }
    }
}
