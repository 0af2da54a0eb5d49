import MeshBluetoothHost
import Testing

@testable import MeshTransports

/// Facts of the kernel about adapters, addresses and sockets, as the bytes and texts that they are.
@Suite struct BluetoothAdaptersTests {
    private static let radio = BluetoothAddress(number: 0xC011_2233_44FF, isRandom: true)

    // MARK: Adapters

    @Test(arguments: [(0b1110, false), (0b0101, true), (0, false), (1, true)] as [(UInt32, Bool)])
    func `an adapter is up by its flag, and has the address that it has`(flags: UInt32, isUp: Bool) {
        let address = BluetoothAddress(number: 0x001A_7DDA_7113, isRandom: false)
        let adapter = BluetoothAdapters.Adapter(index: 2, flags: flags, address: address)
        // Of a controller for low energy alone.
        let other = BluetoothAdapters.Adapter(index: 3, flags: 0, address: BluetoothAddress(number: 0, isRandom: false))

        #expect((adapter.index, adapter.isUp, adapter.address) == (2, isUp, "00:1A:7D:DA:71:13"))
        #expect(other.address == nil)
    }

    // MARK: Addresses as text

    @Test(arguments: ["C0:11:22:33:44:FF", "c0:11:22:33:44:ff"])
    func `an address is read in either case, and printed as people and bluetoothd write it`(text: String) {
        let address = BluetoothAddress(text: text, isRandom: true)

        #expect(address == Self.radio)
        #expect(address?.text == "C0:11:22:33:44:FF")
        #expect(BluetoothRadio.Peer.address(0x0A).description == "00:00:00:00:00:0A")
    }

    @Test(arguments: [
        "", ":::::", "C0:11:22:33:44", "C0:11:22:33:44:FF:00", "C01:1:22:33:44:FF", "C0-11-22-33-44-FF",
        "C0:11:22:33:44:FG", "+0:11:22:33:44:FF", " 0:11:22:33:44:FF", "C0:11:22:33:44:F\0", "C0:11:22:33:44:FF\0",
        "\0C0:11:22:33:44:F", "C0:11:22:33:44:F ", "é0:11:22:33:44:F", "C0:11:22:33:44:\u{10FFFF}",
    ])
    func `what is no address is none`(text: String) {
        #expect(BluetoothAddress(text: text) == nil)
    }

    // MARK: Names of sockets

    @Test func `the user channel of an adapter has the kernel's name for it`() {
        // Family, device, channel.
        #expect(
            Self.words(SocketName(userChannelOf: 0x0102).bytes) == [31, 0x0102, 1])
    }

    @Test(arguments: [(true, 2), (false, 1)] as [(Bool, UInt8)])
    func `the channel of attributes has the kernel's name for it, and is read out of one`(isRandom: Bool, kind: UInt8) {
        let own = BluetoothAddress(number: Self.radio.number, isRandom: isRandom)
        let name = SocketName(attributesAt: own)

        #expect(Self.words(Array(name.bytes.prefix(4))) == [31, 0])
        #expect(name.bytes[4..<13] == [0xFF, 0x44, 0x33, 0x22, 0x11, 0xC0, 4, 0, kind])
        #expect(name.bytes.count == 14)
        #expect(name.device == own)
    }

    /// Words in the order of this machine's bytes.
    private static func words(_ bytes: [UInt8]) -> [UInt16] {
        stride(from: 0, to: bytes.count, by: 2).map { index in
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt16.self) }
        }
    }

    // MARK: Protection

    @Test func `a level without a key that encrypts, or of a channel that is lost, is none`() {
        #expect(SecurityLevel(ofSocket: 2, keySize: 16, isOpen: true) == .encrypted)
        #expect(SecurityLevel(ofSocket: 3, keySize: 16, isOpen: true) == .authenticated)
        #expect(SecurityLevel(ofSocket: 4, keySize: 7, isOpen: true) == .authenticatedSecure)
        #expect(SecurityLevel(ofSocket: 3, keySize: 0, isOpen: true) == .none)
        #expect(SecurityLevel(ofSocket: 4, keySize: 16, isOpen: false) == .none)
        for level in [0, 1, 9] as [UInt8] {
            #expect(SecurityLevel(ofSocket: level, keySize: 16, isOpen: true) == .none)
        }
    }
}
