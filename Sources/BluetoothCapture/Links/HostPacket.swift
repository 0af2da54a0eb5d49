package import MeshCapture

/// The head of a packet between a host and its controller, without the container's and the link type's wrapping.
package struct HostPacketHeader: Hashable, Sendable {
    /// The kind of packet: those of HCI, and the other logs of the system.
    package enum Kind: Hashable, Sendable {
        case command
        case event
        case data
        /// A note of the system or of a daemon, as text.
        case note
        /// The monitor's report of an adapter that came, left, was opened or closed.
        case adapter(opcode: UInt16)
        /// Synchronous, isochronous or vendor data: counted only.
        case other

        /// The adapter is new, gone, opened or closed: none of its connections continues.
        var endsConnections: Bool {
            if case .adapter(let opcode) = self { [0, 1, 8, 9].contains(opcode) } else { false }
        }
    }

    /// The record that the packet stood in; its `originalLength` counts the packet's bytes alone.
    package var record: RecordHeader
    /// The adapter; 0 where there is only one.
    package var adapter: UInt16 = 0
    /// The kind of packet that the bytes are; no type byte stands in front of them.
    package var kind: Kind
    /// The direction; `nil` where it is unknown, for data of link type 187.
    package var way: HostWay?
}

/// Receives the packets between hosts and controllers.
package protocol HostPacketSink {
    /// The bytes, without a type byte, are lent for the call. `record.originalLength` counts these bytes alone.
    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>)
    /// A record could not be read as a packet.
    mutating func note(_ problem: CaptureProblem)
}

/// A packet of the low-energy link layer, from its access address to its check sum, dewhitened.
package struct AirPacketHeader: Hashable, Sendable {
    /// The device of the two that sent the packet.
    package enum Way: Hashable, Sendable {
        case fromCentral
        case fromPeripheral
    }

    /// The record that the packet stood in.
    package var record: RecordHeader
    /// The channel index, 0 to 39, 37 to 39 for advertising; `nil` where the capture has none.
    package var channelIndex: UInt8?
    /// The signal in dBm.
    package var rssi: Int8?
    /// The sender; `nil` on advertising channels, and where the capture does not name it.
    package var way: Way?
    /// `nil` where the sniffer did not check it.
    package var isCRCGood: Bool?
    /// The sniffer decrypted it; the integrity code may still be there.
    package var isDecrypted: Bool = false
}

/// Receives packets that a sniffer captured.
package protocol AirPacketSink {
    /// The bytes, from the access address to the check sum, are lent for the call.
    mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>)
    /// A record could not be read as a packet.
    mutating func note(_ problem: CaptureProblem)
}
