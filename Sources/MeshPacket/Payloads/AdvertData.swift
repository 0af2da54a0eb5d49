public import MeshWire

/// The application data of an advert: the kind of node, and its position and name if present.
///
/// The flags decide which fields follow, so set them through `init(type:…)` or `location`. Bytes behind the announced
/// fields are not read. Source: OverTheAir, "Adverts"; the firmware's `AdvertDataHelpers`.
public struct AdvertData: FieldGroup, Hashable {
    /// A place in millionths of a degree.
    public struct Location: Hashable, Sendable {
        /// Millionths of a degree, north positive, -90 000 000 to 90 000 000.
        public var latitude: Int32
        /// Millionths of a degree, east positive, -180 000 000 to 180 000 000.
        public var longitude: Int32

        public init(latitude: Int32, longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    enum Flag {
        static let location: UInt8 = 0x10
        static let feature1: UInt8 = 0x20
        static let feature2: UInt8 = 0x40
        static let name: UInt8 = 0x80
    }

    /// The node type in the low nibble, and a bit for each group of fields that follows.
    public private(set) var flags: UInt8 = 0
    private var latitude: Int32 = 0
    private var longitude: Int32 = 0
    /// Meaningful only to nodes that know the feature; 0 when absent.
    public private(set) var feature1: UInt16 = 0
    /// Meaningful only to nodes that know the feature; 0 when absent.
    public private(set) var feature2: UInt16 = 0
    /// The name field as it stands, up to the end of the data.
    public private(set) var nameField = ByteText()

    public init() {}

    /// Application data as the firmware writes it: features only when not zero, and as much of the name as fits.
    ///
    /// The name ends at its first NUL, at the first malformed UTF-8 sequence, or before the character that does not
    /// fit. Until 1.16 firmware cut it at the byte instead (FWV-090).
    public init(
        type: NodeType, location: Location? = nil, feature1: UInt16 = 0, feature2: UInt16 = 0,
        name: ByteText = ByteText(), cutsBetweenCharacters: Bool = true
    ) {
        flags = type.rawValue & 15
        if let location {
            flags |= Flag.location
            latitude = location.latitude
            longitude = location.longitude
        }
        if feature1 != 0 {
            flags |= Flag.feature1
            self.feature1 = feature1
        }
        if feature2 != 0 {
            flags |= Flag.feature2
            self.feature2 = feature2
        }
        let room = PacketLimits.advertData - fixedSize
        nameField = cutsBetweenCharacters ? name.validUTF8Prefix(atMost: room) : name.untilNUL.prefix(room)
        if !nameField.isEmpty { flags |= Flag.name }
    }

    /// Reads application data; only the first 32 bytes count, and no bytes at all are invalid.
    public init(appData: [UInt8]) throws(FrameError) {
        self.init()
        var failure: FrameError?
        appData.prefix(PacketLimits.advertData).withUnsafeBytes {
            var reader = FieldReader($0)
            walk(&reader)
            failure = reader.failure
        }
        if let failure { throw failure }
    }

    /// The node's role: the low four bits of the flags.
    public var nodeType: NodeType { NodeType(rawValue: flags & 15) }
    /// The position that the node advertises; nil when it advertises none.
    public var location: Location? {
        has(Flag.location) ? Location(latitude: latitude, longitude: longitude) : nil
    }
    /// The name up to its first NUL; empty when there is none.
    public var name: ByteText { nameField.untilNUL }

    private func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Bytes in front of the name.
    private var fixedSize: Int {
        1 + (has(Flag.location) ? 8 : 0) + (has(Flag.feature1) ? 2 : 0) + (has(Flag.feature2) ? 2 : 0)
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("flags", &flags, unit: .hex)
        w.note("\(nodeType)")
        if has(Flag.location) {
            w.i32("lat", &latitude, unit: .microdegrees, in: GeoPoint.latitudeMicrodegrees)
            w.i32("lon", &longitude, unit: .microdegrees, in: GeoPoint.longitudeMicrodegrees)
        }
        if has(Flag.feature1) { w.u16("feat1", &feature1, unit: .hex) }
        if has(Flag.feature2) { w.u16("feat2", &feature2, unit: .hex) }
        if has(Flag.name) { w.rest("name", &nameField, atMost: PacketLimits.advertData - fixedSize) }
    }
}

extension ByteText {
    /// The longest beginning that is well-formed UTF-8, has no NUL and fits in `limit` bytes.
    ///
    /// Overlong forms, surrogates and values above U+10FFFF end it. Since 1.17.0 adverts cut their names this way.
    public func validUTF8Prefix(atMost limit: Int) -> ByteText {
        var end = 0
        while let size = sequenceSize(at: end), end + size <= limit { end += size }
        return prefix(end)
    }

    /// The size of the well-formed character at `start`; `nil` for a malformed one, NUL and the end.
    private func sequenceSize(at start: Int) -> Int? {
        guard start < bytes.count, bytes[start] != 0 else { return nil }
        let first = bytes[start]
        let size: Int
        // What the second byte may be: narrower where overlong forms, surrogates or too large values would begin.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: size = 2
        case 0xE0...0xEF:
            size = 3
            if first == 0xE0 { second = 0xA0...0xBF }
            if first == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            size = 4
            if first == 0xF0 { second = 0x90...0xBF }
            if first == 0xF4 { second = 0x80...0x8F }
        default: return nil
        }
        guard start + size <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
        for index in (start + 2)..<max(start + 2, start + size) where !(0x80...0xBF).contains(bytes[index]) {
            return nil
        }
        return size
    }
}
