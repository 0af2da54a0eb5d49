public import MeshWire

/// A position, in millionths of a degree; north and east are positive.
public struct Position: FieldGroup, Hashable {
    /// Latitude in millionths of a degree, north positive.
    public var latitude: Int32 = 0
    /// Longitude in millionths of a degree, east positive.
    public var longitude: Int32 = 0

    @inlinable public init() {}

    @inlinable
    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.i32("lat", &latitude, unit: .microdegrees)
        w.i32("lon", &longitude, unit: .microdegrees)
    }
}

/// A flood scope: its name and the key that its transport codes are made with.
public struct FloodScope: FieldGroup, Hashable {
    /// 1 to 30 bytes and a NUL.
    public var name: FixedBytes<31> = FixedBytes()
    /// Usually the first 16 bytes of SHA-256 over `#` and the name; the radio does not check that.
    public var key: FixedBytes<16> = FixedBytes()

    @inlinable public init() {}

    @inlinable
    public init(name: FixedBytes<31>, key: FixedBytes<16>) {
        self.name = name
        self.key = key
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.text("name", &name)
        w.fixed("key", &key)
    }
}

/// The used and total size of a file system.
public struct StorageUse: FieldGroup, Hashable {
    /// Kibibytes in use.
    public var used: UInt32 = 0
    /// Kibibytes in all.
    public var total: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public init(used: UInt32, total: UInt32) {
        self.used = used
        self.total = total
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("used", &used, unit: .kibibytes)
        w.u32("total", &total, unit: .kibibytes)
    }
}

/// A range of frequencies, both ends included.
public struct FrequencyRange: FieldGroup, Hashable {
    /// The lowest frequency, in kHz.
    public var low: UInt32 = 0
    /// The highest frequency, in kHz.
    public var high: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public init(low: UInt32, high: UInt32) {
        self.low = low
        self.high = high
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("low", &low, unit: .kilohertz)
        w.u32("high", &high, unit: .kilohertz)
    }
}

/// The SNR with which one node of a trace received the packet.
public struct HopSNR: FieldGroup, Hashable {
    /// The SNR with which the node received the packet, in quarter decibels.
    public var snr: Int8 = 0

    @inlinable public init() {}

    @inlinable
    public init(_ snr: Int8) {
        self.snr = snr
    }

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.i8("path_snr", &snr, unit: .quarterDecibels)
    }
}
