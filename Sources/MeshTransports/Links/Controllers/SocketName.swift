import CBluetooth
import Glibc
import MeshBluetoothHost

/// A name that a Bluetooth socket is bound to, or that its peer has, as the library lays it out.
struct SocketName: Hashable {
    /// The bytes as the system receives them.
    let bytes: [UInt8]

    /// The exclusive way to an adapter, its user channel.
    init(userChannelOf adapter: UInt16) {
        self.init { bluetooth_name_user_channel(adapter, $0) }
    }

    /// The channel of attributes at an adapter with this address.
    init(attributesAt own: BluetoothAddress) {
        self.init { name in
            bluetooth_name_channel(own.systemBytes, own.isRandom ? 1 : 0, L2CAP.Channel.attributes, name)
        }
    }

    private init(_ write: (UnsafeMutablePointer<UInt8>) -> UInt32) {
        bytes = [UInt8](unsafeUninitializedCapacity: Self.capacity) { name, count in
            name.initialize(repeating: 0)
            count = name.baseAddress.map { min(Int(write($0)), Self.capacity) } ?? 0
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let capacity = bluetooth_name_capacity

    /// The device whose channel of attributes it is.
    var device: BluetoothAddress {
        // The library reads as much as a whole name has.
        let name = bytes + [UInt8](repeating: 0, count: max(0, Self.capacity - bytes.count))
        var address = [UInt8](repeating: 0, count: 6)
        let isRandom = bluetooth_read_name(name, &address) != 0
        return BluetoothAddress(address.span, at: 0, isRandom: isRandom)
    }

    /// Binds a socket to it: 0, or -1 with `errno`.
    func bind(_ descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { name in
            name.baseAddress.map {
                Glibc.bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(name.count))
            } ?? -1
        }
    }

    /// Accepts a connection: its descriptor, or -1 with `errno`, and the name of its peer.
    static func accept(_ descriptor: Int32) -> (descriptor: Int32, name: SocketName) {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var length = socklen_t(capacity)
        let taken = bytes.withUnsafeMutableBytes { name in
            name.baseAddress.map {
                Glibc.accept(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length)
            } ?? -1
        }
        return (taken, SocketName(bytes: [UInt8](bytes.prefix(Int(min(length, socklen_t(capacity)))))))
    }
}
