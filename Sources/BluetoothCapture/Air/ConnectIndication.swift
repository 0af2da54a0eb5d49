import MeshBluetoothHost

/// The packet on an advertising channel that begins a connection: who with whom, and under which name on the air.
struct ConnectIndication: Hashable, Sendable {
    /// Bytes of the body: two addresses of 6 bytes, and the link layer's data (LLData) of 22.
    static let size = 34

    /// The central.
    var initiator: BluetoothAddress
    /// The peripheral.
    var advertiser: BluetoothAddress
    /// The first bytes of the connection's packets.
    var accessAddress: UInt32
    /// The start value of their check sums, 24 bits.
    var checkSumStart: UInt32
    /// Between the events of the connection, in steps of 1.25 ms.
    var interval: UInt16

    /// Reads the body of the packet behind its header of two bytes; `nil` when it is too short.
    init?(header: UInt8, _ body: Span<UInt8>) {
        guard body.count >= Self.size else { return nil }
        initiator = BluetoothAddress(body, at: 0, isRandom: header & 0x40 != 0)
        advertiser = BluetoothAddress(body, at: 6, isRandom: header & 0x80 != 0)
        accessAddress = UInt32(body.number(at: 12, count: 4))
        checkSumStart = UInt32(body.number(at: 16, count: 3))
        interval = UInt16(body.number(at: 22, count: 2))
    }
}
