import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshTime
import MeshWire

/// Turns the events of one connection into lines.
extension RecordingCollector.Collected {
    /// The number of lines that a connection may have before anything shows that it leads to a radio.
    private static let uncertainLimit = 64

    /// The connection begins here.
    init(at place: CapturePlace) {
        var header = RecordingHeader(transport: .ble)
        header.date = place.nanoseconds.flatMap(CalendarDay.init(nanoseconds:))?.description
        self.init(connection: place.connection, began: place.nanoseconds, recording: Recording(header))
    }

    /// Something shows that the other end is a companion radio.
    var leadsToRadio: Bool {
        handles != nil || recording.entries.contains { if case .frame = $0.event { true } else { false } }
    }

    mutating func take(
        _ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool
    ) {
        let frame = bytes.array
        append(place, .frame(direction, frame), note: isJoined ? "joined from several notifications" : "")
        if let packet = RecordingEntry(loggedBy: frame, direction, at: last) { recording.entries.append(packet) }
    }

    mutating func take(_ place: CapturePlace, _ event: CaptureEvent) {
        switch event {
        case .opened(let opened):
            self.opened = opened
            peerName = opened.peerName
            append(place, .connected, note: whoAndSince)
        case .peerNamed(let name):
            peerName = name
            if let first = recording.entries.indices.first, recording.entries[first].event == .connected {
                recording.entries[first].note = whoAndSince
            }
        case .mtuChanged(let mtu): self.mtu = mtu
        case .handlesKnown(let handles): self.handles = handles
        case .value: break
        case .closed(let reason):
            append(place, .disconnected(reason: reason.map(HCI.disconnectReason) ?? ""))
            isClosed = true
        default:
            if let words = event.problem { append(place, .problem(words)) }
        }
    }

    private mutating func append(_ place: CapturePlace, _ event: RecordingEntry.Event, note: String = "") {
        let isFrame = if case .frame = event { true } else { false }
        guard isFrame || handles != nil || recording.entries.count < Self.uncertainLimit else { return }
        if let now = place.nanoseconds, let began {
            let (distance, overflow) = now.subtractingReportingOverflow(began)
            if !overflow { last = max(last, .microseconds(min(Self.latest, distance / 1000))) }
        }
        recording.entries.append(RecordingEntry(last, .ble, event, note: note))
    }

    /// The latest time of a line, in microseconds.
    static let latest = Int64(UInt32.max) * 1_000_000
}

/// The devices at the two ends.
extension RecordingCollector.Collected {
    /// Name and address of the other side, as far as they are known: `MeshCore-ABCD, c0:ff:ee:00:11:22 (random)`.
    package var peer: String? { Self.words(peerName, opened?.peer) }

    /// The same of the logging side, on the air of the central.
    package var own: String? { Self.words(opened?.ownName, opened?.own) }

    private var whoAndSince: String {
        let since = opened?.isInTheMiddle == true ? "the capture begins later" : nil
        return [peer, since].compactMap { $0 }.joined(separator: "; ")
    }

    private static func words(_ name: String?, _ address: BluetoothAddress?) -> String? {
        let words = [name, address?.description].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
