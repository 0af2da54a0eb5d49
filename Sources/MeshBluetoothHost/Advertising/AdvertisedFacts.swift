/// The facts of interest here from a device's advertisements and its answers to scans.
package struct AdvertisedFacts: Hashable, Sendable {
    /// The latest complete name, else the latest shortened one; without what would disturb a terminal.
    package private(set) var name: String?
    /// The name is the whole one.
    package private(set) var isNameComplete = false
    /// It named the Nordic UART service.
    package private(set) var hasNordicUART = false
    /// It said at which power it sends.
    package private(set) var hasPower = false
    /// It said which connection intervals suit it.
    package private(set) var hasIntervals = false

    /// The longest data of an advertisement, in as many packets as that needs.
    package static let longestData = 1650

    package init() {}

    /// Reads one advertisement.
    package init(_ data: Span<UInt8>) {
        read(data)
    }

    /// The types of the structures that are read (Bluetooth, Assigned Numbers, 2.3).
    private enum Kind {
        static let someLongUUIDs: UInt8 = 0x06
        static let allLongUUIDs: UInt8 = 0x07
        static let shortenedName: UInt8 = 0x08
        static let completeName: UInt8 = 0x09
        static let power: UInt8 = 0x0A
        static let intervals: UInt8 = 0x12
    }

    /// Walks the structures of an advertisement: length, type, data. An empty or a broken one ends the walk.
    package mutating func read(_ data: Span<UInt8>) {
        var offset = 0
        while offset + 1 < data.count {
            let length = Int(data[offset])
            guard length > 0, offset + 1 + length <= data.count else { return }
            take(type: data[offset + 1], data.extracting(offset + 2..<offset + 1 + length))
            offset += 1 + length
        }
    }

    private mutating func take(type: UInt8, _ value: Span<UInt8>) {
        switch type {
        case Kind.someLongUUIDs, Kind.allLongUUIDs:
            for start in stride(from: 0, through: value.count - 16, by: 16) where !hasNordicUART {
                hasNordicUART =
                    value.number(at: start, count: 8) == BluetoothUUID.nordicUART.low
                    && value.number(at: start + 8, count: 8) == BluetoothUUID.nordicUART.high
            }
        case Kind.completeName:
            guard let text = Self.text(value) else { return }
            (name, isNameComplete) = (text, true)
        case Kind.shortenedName where !isNameComplete:
            if let text = Self.text(value) { name = text }
        case Kind.power: hasPower = true
        case Kind.intervals: hasIntervals = true
        default: break
        }
    }

    /// A name up to its first NUL, for some devices pad; control characters would be obeyed by a terminal.
    package static func text(_ value: Span<UInt8>) -> String? {
        let bytes = value.array.prefix { $0 != 0 }
        guard !bytes.isEmpty else { return nil }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // What joins emoji is of the kind that also turns the direction of writing.
            let kind = scalar.properties.generalCategory
            text.append(kind == .control || (kind == .format && scalar != "\u{200D}") ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }
}

extension AdvertisedFacts: CustomStringConvertible {
    /// The name and the service, as far as they were said.
    package var description: String {
        [name, hasNordicUART ? "Nordic UART service" : nil].compactMap { $0 }.joined(separator: ", ")
    }
}
