package import MeshCapture
import MeshPacket
import MeshTime
import MeshWire

/// Records as recordings, which the tools for recordings show, compare and convert.
package struct ObserverRecordings {
    /// The packets of one observer, with the line of the file for each.
    package struct Part {
        package var observer: HeardPacket.Observer?
        package var recording: Recording
        package var lines: [Int]
    }

    /// The recordings, in the order in which their observers come up; times count from the first packet of each.
    package private(set) var parts: [Part] = []

    /// Packets that are left out, as they have no byte or more than any on the air.
    package private(set) var misfits: [HeardPacket] = []

    /// Sorts packets by observer.
    package init(_ packets: [HeardPacket]) {
        var places: [HeardPacket.Observer?: Int] = [:]
        var starts: [RecordTime?] = []
        for packet in packets {
            guard 1...PacketLimits.frame ~= packet.bytes.count else {
                misfits.append(packet)
                continue
            }
            let place = places[packet.observer] ?? parts.count
            if place == parts.count {
                places[packet.observer] = place
                parts.append(Part(observer: packet.observer, recording: Recording(RecordingHeader()), lines: []))
                starts.append(nil)
            }
            starts[place] = [starts[place], packet.time].compactMap(\.self).min()
            parts[place].lines.append(packet.line)
            parts[place].recording.entries.append(packet.entry)
        }
        for index in parts.indices { parts[index].begin(at: starts[index]) }
    }
}

extension HeardPacket {
    /// The line of a recording; its time is still since 1970, and negative where the record has none.
    fileprivate var entry: RecordingEntry {
        var signal: RecordingEntry.Signal?
        if let snr, let rssi {
            signal = .init(snrQuarterDecibels: Int8(nearest: snr * 4), rssi: Int8(nearest: rssi))
        }
        let time = TimeSpan(microseconds: time?.microseconds ?? -1)
        return RecordingEntry(time, .air, .packet(isSent ? .transmitted : .heard, bytes, signal: isSent ? nil : signal))
    }
}

extension ObserverRecordings.Part {
    /// Counts the times from a moment; a packet without a time has that of the one before it.
    fileprivate mutating func begin(at start: RecordTime?) {
        // The format ends at 2³² seconds.
        let longest = (Int64(1) << 32) * 1_000_000 - 1
        var last = TimeSpan.zero
        for index in recording.entries.indices {
            let time = recording.entries[index].time
            if let start, time >= .zero {
                last = TimeSpan(microseconds: min(max(0, time.microseconds - start.microseconds), longest))
            }
            recording.entries[index].time = last
        }
        if let start {
            recording.header.date = CalendarDay(microseconds: start.microseconds)?.description
            recording.header.began = TimeSpan(microseconds: start.microseconds % 86_400_000_000)
        }
        if let observer { recording.header.rows.append(.init("observer", observer.text)) }
    }
}
