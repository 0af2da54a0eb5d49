import MeshBluetoothHost
package import MeshCapture
package import MeshWire

/// A command of a host or an event of its controller, for people.
package struct HostLine: Hashable, Sendable {
    /// Counted from 1.
    package var record: Int
    /// Nanoseconds since 1970, UTC.
    package var nanoseconds: Int64?
    /// The number of the adapter; 0 where the capture has only one.
    package var adapter: UInt16
    /// A command, not an event.
    package var isCommand: Bool
    /// As the specification calls it.
    package var name: String
    /// The fields of those that the readers understand; never those that hold keys.
    package var fields: [PrintedField]
    /// The meaning of the fields, where it fits in a few words; else nothing.
    package var words: String
}

/// Names the commands and events of a capture, each as it comes.
package struct HostLister: HostPacketSink, AirPacketSink {
    /// The problems of the capture.
    package private(set) var problems: [CaptureProblem] = []
    private let take: (HostLine) -> Void

    /// The number of problems that are kept.
    package static let problemLimit = 1000

    /// Calls `take` with each command and event, in the order of the capture.
    package init(_ take: @escaping (HostLine) -> Void) {
        self.take = take
    }

    package mutating func note(_ problem: CaptureProblem) {
        if problems.count < Self.problemLimit { problems.append(problem) }
    }

    /// Ignores packets on the air: they carry no commands.
    package mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {}

    package mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        switch header.kind {
        case .command where bytes.count >= 2: take(header, command: bytes)
        case .event where bytes.count >= 1: take(header, event: bytes)
        default: break
        }
    }

    private mutating func take(_ header: HostPacketHeader, command bytes: Span<UInt8>) {
        var line = line(header, isCommand: true, HCI.name(ofCommand: bytes.word(at: 0)))
        do throws(FrameError) {
            let command = try HCI.Command(decoding: bytes)
            (line.fields, line.words) = (command.fields, command.words)
        } catch {
            line.words = "cannot be read: \(error)"
        }
        take(line)
    }

    private mutating func take(_ header: HostPacketHeader, event bytes: Span<UInt8>) {
        let name = HCI.name(ofEvent: bytes[0], lowEnergy: bytes.count > 2 ? bytes[2] : nil)
        var line = line(header, isCommand: false, name)
        do throws(FrameError) {
            let event = try HCI.Event(decoding: bytes)
            (line.fields, line.words) = (event.fields, event.words)
        } catch {
            line.words = "cannot be read: \(error)"
        }
        take(line)
    }

    private func line(_ header: HostPacketHeader, isCommand: Bool, _ name: String) -> HostLine {
        HostLine(
            record: header.record.number, nanoseconds: header.record.nanoseconds, adapter: header.adapter,
            isCommand: isCommand, name: name, fields: [], words: "")
    }
}
