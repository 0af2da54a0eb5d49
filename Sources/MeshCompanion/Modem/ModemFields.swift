package import MeshWire

/// The radio's settings as a modem receives them, in ten bytes. Source: firmware 1.17.1, `handleSetRadio` of
/// `kiss_modem`.
package struct ModemRadio: FieldGroup, Hashable {
    /// Carrier frequency, in Hz.
    package var frequency: UInt32 = 0
    /// Bandwidth, in Hz.
    package var bandwidth: UInt32 = 0
    package var spreadingFactor: UInt8 = 0
    /// 5 stands for 4/5.
    package var codingRate: UInt8 = 0

    package static let size = 10

    package init() {}

    package mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("freq", &frequency, unit: .hertz)
        w.u32("bw", &bandwidth, unit: .hertz)
        w.u8("sf", &spreadingFactor)
        w.u8("cr", &codingRate)
    }
}

/// The counters of a modem since it started.
package struct ModemStatistics: FieldGroup, Hashable {
    /// Packets received and delivered.
    package var received: UInt32 = 0
    /// Packets sent.
    package var sent: UInt32 = 0
    /// Frames received with a wrong checksum.
    package var errors: UInt32 = 0

    package init() {}

    package mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("rx", &received)
        w.u32("tx", &sent)
        w.u32("errors", &errors)
    }
}
