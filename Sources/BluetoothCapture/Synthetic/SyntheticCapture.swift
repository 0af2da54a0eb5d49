package import MeshCapture
import MeshTime

/// A recording dressed up as a capture of Bluetooth, so that any tool for such captures shows it.
///
/// It is valid from end to end: the central's host connects, agrees on an MTU, discovers the Nordic UART service,
/// switches notifications on. Then each frame is a write or a notification, and in the end the link is closed. It
/// is not real, and files should state that: `comment` is for them.
package struct SyntheticCapture: Sendable {
    /// The part of a packet that a controller accepts at once.
    package enum FragmentSize: Int, Sendable, CaseIterable {
        /// The size that every controller supports.
        case plain = 27
        /// With the extension of the data length.
        case extended = 251
    }

    /// The comment on their origin in synthetic files.
    package static let comment = "Synthetic: made from a recording of frames, not captured from a Bluetooth link."

    /// The frames, whose times count from `began` on; packets of the air are left out.
    package var recording: Recording
    /// The time at which the recording began, in nanoseconds since 1970.
    package var began: Int64
    /// The longest piece of an L2CAP packet in one HCI data packet.
    package var fragmentSize: FragmentSize
    /// The MTU that both sides support; frames beyond it are left out.
    package var mtu: UInt16
    /// The address of the radio, most significant byte first: random and static.
    package var peer: [UInt8]

    /// 14 November 2023, for recordings without a date.
    package static let someTime: Int64 = 1_700_000_000_000_000_000

    package init(
        _ recording: Recording, began: Int64 = someTime, fragmentSize: FragmentSize = .extended, mtu: UInt16 = 517,
        peer: [UInt8] = [0xC0, 0x00, 0x00, 0x00, 0x00, 0x01]
    ) {
        self.recording = recording
        self.began = began
        self.fragmentSize = fragmentSize
        self.mtu = mtu
        self.peer = peer
    }

    /// Delivers the packets that host and controller would have sent, with record numbers from 1.
    ///
    /// Entries that are no frames between app and radio have no place on such a link and are left out. Where the
    /// recorded world went back to a snapshot the link is closed, and time goes on from where it was: no such file has
    /// times that go back.
    package func write(into sink: inout some HostPacketSink) {
        var link = SyntheticLink(self)
        var (last, offset) = (TimeSpan.zero, TimeSpan.zero)
        for entry in recording.entries where entry.link != .air {
            if case .turn(.restored) = entry.event { offset = last - entry.time }
            last = entry.time + offset
            link.nanoseconds = Self.time(last, since: began)
            switch entry.event {
            case .connected:
                link.disconnect(reason: 0x16, into: &sink)
                link.connect(into: &sink)
            case .frame(let direction, let bytes) where !bytes.isEmpty:
                link.connect(into: &sink)
                link.frame(direction, bytes, into: &sink)
            case .disconnected, .turn(.restored): link.disconnect(reason: 0x13, into: &sink)
            case .frame, .packet, .problem, .turn(.snapshot): break
            }
        }
        link.disconnect(reason: 0x16, into: &sink)
    }

    private static func time(_ time: TimeSpan, since began: Int64) -> Int64 {
        let (distance, isTooFar) = time.microseconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooLate) = began.addingReportingOverflow(distance)
        return isTooFar || isTooLate ? .max : sum
    }
}
