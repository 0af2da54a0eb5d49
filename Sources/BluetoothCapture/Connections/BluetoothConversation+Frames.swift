import MeshBluetoothHost
import MeshCompanion

// What waits is reported as soon as it is clear what it is.
extension BluetoothConversation {
    /// The whole that a notification is a part of.
    private enum Whole {
        case itself
        /// These later entries belong to it.
        case joined([Int])
        /// Its end is missing: it should have at least this many bytes.
        case cut(Int)
        /// The next notification decides.
        case unclear
    }

    /// Reports what does not have to wait any longer.
    ///
    /// `isLast`: no later packet will decide on the rest.
    mutating func drain<Sink: CaptureSink>(isLast: Bool = false, into sink: inout Sink) {
        while !held.isEmpty {
            let mayWait = !isLast && !held.isFull
            if handles == nil, mayWait { return }
            let entry = held.entries[held.head]
            switch entry.kind {
            case .taken: break
            case .event: sink.event(place(entry), held.firstEvent)
            case .write:
                if case .waiting = entry.state, mayWait { return }
                reportWrite(entry, into: &sink)
            case .notification:
                guard isFrame(entry) else {
                    reportValue(entry, into: &sink)
                    break
                }
                switch whole(entry, mayWait: mayWait) {
                case .unclear: return
                case .itself: reportFrame(entry, .toApp, into: &sink)
                case .joined(let parts): reportJoined(entry, parts, into: &sink)
                case .cut(let length):
                    sink.event(place(entry), .truncated(.toApp, part: bytes(entry), length: length))
                }
            }
            held.removeFirst()
        }
    }

    private func place(_ entry: HeldValues.Entry) -> CapturePlace {
        CapturePlace(record: entry.record, nanoseconds: entry.nanoseconds, connection: number)
    }

    private func bytes(_ entry: HeldValues.Entry) -> [UInt8] { [UInt8](held.bytes[entry.range]) }

    private mutating func reportWrite<Sink: CaptureSink>(_ entry: HeldValues.Entry, into sink: inout Sink) {
        guard isFrame(entry) else { return reportValue(entry, into: &sink) }
        if case .rejected(let error) = entry.state {
            sink.event(place(entry), .rejected(frame: bytes(entry), error: error))
        } else {
            reportFrame(entry, .toRadio, into: &sink)
        }
    }

    private func reportFrame<Sink: CaptureSink>(
        _ entry: HeldValues.Entry, _ direction: FrameDirection, into sink: inout Sink
    ) {
        if entry.length > CompanionLimits.frame {
            sink.event(place(entry), .oversize(direction, length: entry.length))
        } else if entry.isCut {
            sink.event(place(entry), .truncated(direction, part: bytes(entry), length: entry.length))
        } else if entry.range.isEmpty {
            reportValue(entry, into: &sink)
        } else {
            sink.frame(place(entry), direction, held.bytes.span.extracting(entry.range), isJoined: false)
        }
    }

    private func reportValue<Sink: CaptureSink>(_ entry: HeldValues.Entry, into sink: inout Sink) {
        sink.event(place(entry), .value(handle: entry.handle, direction(entry), bytes(entry)))
    }

    private mutating func reportJoined<Sink: CaptureSink>(
        _ entry: HeldValues.Entry, _ parts: [Int], into sink: inout Sink
    ) {
        var frame = bytes(entry)
        var last = entry
        for index in parts {
            last = held.entries[index]
            frame += bytes(last)
            held.take(index)
        }
        sink.frame(place(last), .toApp, frame.span, isJoined: true)
    }

    // MARK: Parts

    /// Finds the entries that belong to the first one.
    ///
    /// A radio cuts a long frame into notifications of the longest kind. Only the length of the frame's type shows
    /// that more is due.
    private func whole(_ entry: HeldValues.Entry, mayWait: Bool) -> Whole {
        let count = entry.range.count
        guard !entry.isCut, count > 0 else { return .itself }
        let shape = FrameShape.bounds(held.bytes[entry.range.lowerBound])
        let isLongest = mtu.map { count == ATT.longestValue(mtu: $0) } ?? (count >= 20 && count < shape.shortest)
        guard isLongest, count < shape.longest else { return .itself }
        var total = count
        var parts: [Int] = []
        for index in held.entries.indices[(held.head + 1)...] where isSameValue(held.entries[index], entry) {
            let next = held.entries[index]
            if total >= shape.shortest, FrameShape.isFromRadio(held.bytes[next.range]) {
                return parts.isEmpty ? .itself : .joined(parts)
            }
            let isWrong = next.isCut || next.range.isEmpty || next.range.count > count
            if isWrong || total + next.range.count > shape.longest {
                return short(of: shape.shortest, total, parts)
            }
            total += next.range.count
            parts.append(index)
            if total == shape.longest { return .joined(parts) }
            if next.range.count < count { return short(of: shape.shortest, total, parts) }
        }
        return mayWait ? .unclear : short(of: shape.shortest, total, parts)
    }

    private func short(of shortest: Int, _ total: Int, _ parts: [Int]) -> Whole {
        if total < shortest { return .cut(shortest) }
        return parts.isEmpty ? .itself : .joined(parts)
    }

    private func isSameValue(_ entry: HeldValues.Entry, _ first: HeldValues.Entry) -> Bool {
        guard case .notification = entry.kind else { return false }
        return entry.handle == first.handle && entry.side == first.side
    }
}
