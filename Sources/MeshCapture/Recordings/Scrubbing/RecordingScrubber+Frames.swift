import MeshCompanion
import MeshPacket
import MeshWire

extension RecordingScrubber {
    /// The frame with its secrets replaced in place: every field keeps its length, so that it is read as before.
    mutating func scrubbed(frame bytes: [UInt8], _ direction: FrameDirection) -> [UInt8] {
        let printed = FramePrinter.printed(bytes, direction: direction)
        if case .unknownCode = printed.failure?.reason { return unknownFrame(bytes) }
        var frame = ScrubbedFrame(bytes, printed)
        remember(frame)
        for field in printed.fields.dropFirst() {
            if let secret = FieldMeaning(field.name, in: printed.name)?.secret { replace(secret, field, in: &frame) }
            blankResidue(field, in: &frame)
        }
        let end = printed.fields.last.map { $0.offset + $0.size } ?? 0
        if end < bytes.count, bytes[end...].contains(where: { $0 != 0 }) {
            for index in end..<bytes.count { frame.bytes[index] = 0 }
            report.blanked += 1
        }
        return frame.bytes
    }

    /// Scrubs a frame of a later release, whose content is unknown.
    private mutating func unknownFrame(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1 else { return bytes }
        report.unknown += 1
        return [bytes[0]] + substitution.bytes(.bytes, bytes, count: bytes.count - 1)
    }

    /// Blanks the bytes behind the NUL of a text, which are left over from other frames.
    private mutating func blankResidue(_ field: PrintedField, in frame: inout ScrubbedFrame) {
        guard field.unit == FieldUnit.text.description else { return }
        let range = frame.range(of: field)
        guard let end = frame.bytes[range].firstIndex(of: 0) else { return }
        for index in end..<range.upperBound { frame.bytes[index] = 0 }
    }

    private mutating func replace(_ secret: FieldSecret, _ field: PrintedField, in frame: inout ScrubbedFrame) {
        let range = frame.range(of: field)
        let old = [UInt8](frame.original[range])
        guard !old.isEmpty else { return }
        switch secret {
        case .privateKey: change(range, to: substitution.privateKey(old), as: .keys, in: &frame)
        case .channelSecret: change(range, to: substitution.channelSecret(old), as: .keys, in: &frame)
        case .pin:
            let pin = substitution.pin(UInt32(truncatingIfNeeded: old[...].littleEndianNumber))
            change(range, to: pin.littleEndianBytes, as: .pins, in: &frame)
        case .password: change(range, to: substitution.letters(.password, old), as: .passwords, in: &frame)
        case .latitude: replacePosition(at: range.lowerBound, in: &frame)
        case .longitude: break
        case .text: replaceText(range, in: &frame)
        case .data:
            change(range, to: substitution.bytes(.bytes, old, count: old.count), as: .texts, in: &frame)
        case .name:
            let name = [UInt8](old.prefix { $0 != 0 })
            let start = range.lowerBound
            change(start..<start + name.count, to: substitution.letters(.name, name), as: .names, in: &frame)
        case .packet: frame.bytes.replaceSubrange(range, with: scrubbed(packet: old))
        case .telemetry: frame.bytes.replaceSubrange(range, with: scrubbed(telemetry: old))
        case .answer: replaceAnswer(range, in: &frame)
        case .variables: replaceVariables(range, in: &frame)
        case .anonymousRequest: replaceLogin(range, in: &frame)
        }
    }

    /// Writes the replacement, if this kind of secret is to be replaced and is one.
    mutating func change(
        _ range: Range<Int>, to new: [UInt8], as secret: RecordingHeader.Secret, in frame: inout ScrubbedFrame
    ) {
        guard secrets.contains(secret), !frame.original[range].elementsEqual(new) else { return }
        frame.bytes.replaceSubrange(range, with: new)
        count(secret)
    }

    mutating func count(_ secret: RecordingHeader.Secret) {
        switch secret {
        case .keys: report.keys += 1
        case .pins: report.pins += 1
        case .passwords: report.passwords += 1
        case .positions: report.positions += 1
        case .texts: report.texts += 1
        case .names: report.names += 1
        }
    }

    /// Latitude and longitude stand together in all frames, and are replaced together.
    private mutating func replacePosition(at start: Int, in frame: inout ScrubbedFrame) {
        let range = start..<min(start + 8, frame.original.count)
        guard range.count == 8 else { return change(range, to: range.map { _ in 0 }, as: .positions, in: &frame) }
        change(range, to: substitution.position(in: frame.original[range]), as: .positions, in: &frame)
    }

    /// Telemetry with another place in it, where it has one.
    mutating func scrubbed(telemetry bytes: [UInt8]) -> [UInt8] {
        guard secrets.contains(.positions) else { return bytes }
        var bytes = bytes
        var reader = LPPReader(bytes)
        while let record = reader.next() {
            let start = reader.offset - record.data.count
            if record.type == .gps {
                let place = substitution.position(
                    Int32(clamping: record.numbers[0]) * 100, Int32(clamping: record.numbers[1]) * 100)
                let numbers = [Int(place.latitude) / 100, Int(place.longitude) / 100, 0]
                let new = LPPRecord(channel: record.channel, type: .gps, numbers: numbers)
                bytes.replaceSubrange(start..<reader.offset, with: new.data)
                count(.positions)
            } else if record.type == .polyline, record.data.count > 1 {
                let new = substitution.bytes(.position, record.data, count: record.data.count - 1)
                bytes.replaceSubrange(start + 1..<reader.offset, with: new)
                count(.positions)
            }
        }
        return bytes
    }
}

extension Substitution {
    /// Eight bytes of latitude and longitude.
    func position(in bytes: ArraySlice<UInt8>) -> [UInt8] {
        let latitude = Int32(truncatingIfNeeded: bytes.prefix(4).littleEndianNumber)
        let longitude = Int32(truncatingIfNeeded: bytes.dropFirst(4).littleEndianNumber)
        let place = position(latitude, longitude)
        return place.latitude.littleEndianBytes + place.longitude.littleEndianBytes
    }
}

/// A frame in progress: the original and its replacement.
struct ScrubbedFrame {
    let original: [UInt8]
    var bytes: [UInt8]
    let name: String
    let fields: [PrintedField]

    init(_ bytes: [UInt8], _ printed: PrintedFrame) {
        original = bytes
        self.bytes = bytes
        name = printed.name
        fields = printed.fields
    }

    func range(of field: PrintedField) -> Range<Int> {
        let start = min(field.offset, original.count)
        return start..<min(original.count, start + field.size)
    }

    /// The bytes of the first field of this name.
    subscript(name: String) -> ArraySlice<UInt8>? {
        fields.first { $0.name == name }.map { original[range(of: $0)] }
    }
}
