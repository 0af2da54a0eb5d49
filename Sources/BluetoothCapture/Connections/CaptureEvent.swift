package import MeshBluetoothHost
package import MeshCapture
package import MeshCompanion

/// The place in a capture at which something was found.
package struct CapturePlace: Hashable, Sendable {
    /// The record that completed it, counted from 1.
    package var record: Int
    /// Nanoseconds since 1970, UTC.
    package var nanoseconds: Int64?
    /// Connections are counted from 0 in the order of their first packet.
    package var connection: Int
}

/// An event on a Bluetooth connection to a companion radio, other than frames.
package enum CaptureEvent: Hashable, Sendable {
    /// The connection was seen to begin, or its first packet was, in a capture that starts in the middle.
    case opened(OpenedConnection)
    /// The longest ATT packet, from now on.
    case mtuChanged(Int)
    /// The link is encrypted; frames are readable where `isReadable`.
    case encrypted(isReadable: Bool)
    /// The other side, whose name was in no advertisement, sent it on request.
    case peerNamed(String)
    /// From here on, values of these characteristics are frames.
    case handlesKnown(NordicHandles)
    /// The radio refused the write of this frame, with this ATT error.
    case rejected(frame: [UInt8], error: UInt8)
    /// The capture holds only the beginning of a value.
    case truncated(FrameDirection, part: [UInt8], length: Int)
    /// A value longer than a radio accepts.
    case oversize(FrameDirection, length: Int)
    /// A value of a handle that is not known to carry frames.
    case value(handle: UInt16, FrameDirection?, [UInt8])
    /// The pairing of the two devices, on the air.
    case pairing(CapturedPairing)
    /// Packets that no key opened, reported when the connection or the capture ends.
    case unreadable(UnreadablePackets)
    /// Something was lost: packets without their beginning, gaps, counted and named.
    case lost(String)
    /// The connection has ended; `reason` is an error code of the controller, `nil` where no packet gave it.
    case closed(reason: UInt8?)
}

/// The known facts on a connection when it begins: the devices at its ends, and its number.
package struct OpenedConnection: Hashable, Sendable {
    /// The logging side's role; `nil` on the air and where no event gave it.
    package var isLoggedByCentral: Bool?
    /// Of the other side, on the air of the peripheral.
    package var peer: BluetoothAddress?
    /// The name that the peer gave itself before the connection, in advertisements and answers to scans.
    package var peerName: String?
    /// The address of the logging side, as far as its commands give it; on the air that of the central.
    package var own: BluetoothAddress?
    /// The name that the logging side gives itself: at the radio, in its advertisements.
    package var ownName: String?
    /// The Connection_Handle of HCI, 12 bits; 0 on the air, which has none.
    package var handle: UInt16
    /// The capture begins after the connection did.
    package var isInTheMiddle: Bool
}

/// The way in which two devices agreed on a key, as a sniffer sees it.
package enum CapturedPairing: Hashable, Sendable {
    /// The old kind: readable with its PIN, which was verified where it stands here.
    case legacy(pin: UInt32?)
    /// The key comes from an exchange on an elliptic curve: nothing can be read passively, even with the PIN.
    case secureConnections
}

/// The known facts on an encrypted link without its key.
package struct UnreadablePackets: Hashable, Sendable {
    /// The record at which the encryption began.
    package var sinceRecord: Int
    /// The time of that record in nanoseconds since 1970, UTC; `nil` where the capture has no times.
    package var sinceNanoseconds: Int64?
    /// Encrypted data packets with content, of both sides.
    package var packets: Int
    /// Of payload, without headers and integrity codes.
    package var bytes: Int
}

/// The value handles of the Nordic UART service. RX is the radio's: the app writes to it.
package struct NordicHandles: Hashable, Sendable {
    /// The way in which the handles became known.
    package enum Source: Hashable, Sendable {
        case discovered
        /// From an earlier connection of the same peer.
        case remembered
        /// From evidence, in a capture that starts in the middle.
        case inferred
    }

    /// The handle of the RX characteristic's value: frames from the app are written to it.
    package var rx: UInt16
    /// The handle of the TX characteristic's value: the radio notifies frames from it.
    package var tx: UInt16
    /// The source of the two handles.
    package var source: Source
}

/// Receives the content of a capture as frames and events.
package protocol CaptureSink {
    /// A companion frame; its bytes are lent for the call. `isJoined`: put together from several notifications.
    mutating func frame(_ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool)
    /// Receives an event other than a frame; events and frames of one connection come in their order.
    mutating func event(_ place: CapturePlace, _ event: CaptureEvent)
    /// Something in the capture could not be read.
    mutating func note(_ problem: CaptureProblem)
}
