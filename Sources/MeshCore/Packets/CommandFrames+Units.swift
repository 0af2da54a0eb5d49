public import MeshCompanion
import MeshPacket
public import MeshWire

// Commands from numbers in people's units. Values that do not fit take the nearest that does; nothing traps.

extension ByteText {
    /// Returns the longest beginning of at most `limit` bytes that does not end inside a character.
    public func cut(to limit: Int) -> ByteText {
        guard bytes.count > limit else { return self }
        var end = max(0, limit)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return ByteText(bytes: [UInt8](bytes[..<end]))
    }

    /// The text for people: a last character that was cut off is left out, invalid UTF-8 is replaced.
    public var readable: String {
        guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 else { return string }
        let needed = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return bytes.count - start < needed ? ByteText(bytes: [UInt8](bytes[..<start])).string : string
    }
}

/// Rounding that has an answer for everything.
enum Nearest {
    /// Returns the whole number nearest to the value times the scale, within the range; the fallback for a NaN.
    static func whole<T: FixedWidthInteger>(
        _ value: Double, times scale: Double, in range: ClosedRange<T>, else fallback: T
    ) -> T {
        value.isNaN ? fallback : T(nearest: value * scale, in: range)
    }
}

extension AppStart {
    /// `clientID` is cut to five characters.
    public init(clientID: String) {
        self.init(
            version: 3, reserved: FixedBytes(repeatElement(UInt8(ascii: " "), count: 6)),
            appName: ByteText(clientID.prefix(5)))
    }
}

extension SetRadioParams {
    public init(megahertz: Double, kilohertz: Double, spreadingFactor: UInt8, codingRate: UInt8, repeats: Bool? = nil) {
        self.init(
            frequency: Nearest.whole(megahertz, times: 1000, in: 150_000...2_500_000, else: 150_000),
            bandwidth: Nearest.whole(kilohertz, times: 1000, in: 7000...500_000, else: 7000),
            spreadingFactor: spreadingFactor, codingRate: codingRate, clientRepeat: repeats.map { $0 ? 1 : 0 })
    }
}

extension SetAdvertLatlon {
    /// Makes a position from degrees; values out of range become the nearest.
    public init(latitudeDegrees: Double, longitudeDegrees: Double) {
        self.init(
            latitude: Nearest.whole(latitudeDegrees, times: 1e6, in: GeoPoint.latitudeMicrodegrees, else: 0),
            longitude: Nearest.whole(longitudeDegrees, times: 1e6, in: GeoPoint.longitudeMicrodegrees, else: 0),
            altitude: 0)
    }
}

extension SetTuningParams {
    public init(receiveDelay: Double, airtimeFactor: Double) {
        self.init(
            receiveDelay: Nearest.whole(receiveDelay, times: 1000, in: 0...UInt32.max, else: 0),
            airtimeFactor: Nearest.whole(airtimeFactor, times: 1000, in: 0...UInt32.max, else: 0))
    }
}

extension SetDeviceTime {
    /// Makes a time from seconds since 1970; a time beyond the radio's range becomes its end.
    public init(seconds: Double) {
        self.init(epoch: Nearest.whole(seconds, times: 1, in: 0...UInt32.max, else: 0))
    }
}

extension SetAdvertName {
    /// Cut to 31 bytes, not inside a character.
    public init(_ name: String) {
        self.init(name: ByteText(name).cut(to: CompanionLimits.name - 1))
    }
}

extension SetChannel {
    /// The name is cut so that the last byte of its field stays NUL.
    public init(index: UInt8, name: String, secret: FixedBytes<16>) {
        self.init(
            channelIndex: index, name: FixedBytes(text: ByteText(name).cut(to: CompanionLimits.name - 1)),
            secret: secret)
    }
}

extension AddUpdateContact {
    /// Writes the contact as it stands, without the time of its change: the radio stamps it from its own clock.
    public init(_ contact: ContactRecord) {
        self.init(
            publicKey: contact.publicKey, type: contact.type, flags: contact.flags,
            outPathLength: contact.outPathLength, outPath: contact.outPath, name: contact.name,
            lastAdvert: contact.lastAdvert,
            position: Position(latitude: contact.latitude, longitude: contact.longitude))
    }
}

extension SendControlData {
    /// Makes a discovery request to the nodes nearby; `filter` has a bit for each node type.
    public init(discover filter: UInt8, prefixOnly: Bool, tag: UInt32, since: UInt32? = nil) {
        self.init(payload: DiscoverRequest(filter: filter, tag: tag, since: since, prefixOnly: prefixOnly).written())
    }
}

/// The information that a radio gives others unasked: the values of `SetOtherParams`.
public struct OtherParams: Hashable, Sendable {
    /// Bit 0: new contacts wait for the app.
    public var manualAdd: UInt8
    /// The nodes that may request telemetry.
    public var telemetryModes: TelemetryModes
    /// The policy for positions in adverts: 0 none, other values include one.
    public var advertLocationPolicy: UInt8
    /// The number of extra acknowledgements; with any other than 0, own ones on direct routes are sent twice.
    ///
    /// A repeating radio sends this many copies ahead.
    public var multiAcks: UInt8

    /// The values that a radio has now.
    public init(_ info: Resp.SelfInfo) {
        manualAdd = info.manualAdd
        telemetryModes = TelemetryModes(rawValue: info.telemetryModes)
        advertLocationPolicy = info.advertLocationPolicy
        multiAcks = info.multiAcks
    }

    var command: SetOtherParams {
        SetOtherParams(
            manualAdd: manualAdd, telemetryModes: telemetryModes.rawValue,
            advertLocationPolicy: advertLocationPolicy, multiAcks: multiAcks)
    }
}

/// The nodes that may request telemetry: three modes of two bits each.
public struct TelemetryModes: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(base: UInt8, location: UInt8, environment: UInt8) {
        rawValue = (environment & 3) << 4 | (location & 3) << 2 | base & 3
    }

    /// Battery and the like: 0 deny, 1 by contact flags, 2 allow all.
    public var base: UInt8 {
        get { rawValue & 3 }
        set { rawValue = rawValue & ~3 | newValue & 3 }
    }

    /// Position: 0 deny, 1 by contact flags, 2 allow all.
    public var location: UInt8 {
        get { rawValue >> 2 & 3 }
        set { rawValue = rawValue & ~(3 << 2) | (newValue & 3) << 2 }
    }

    /// The measurements of sensors: 0 deny, 1 by contact flags, 2 allow all.
    public var environment: UInt8 {
        get { rawValue >> 4 & 3 }
        set { rawValue = rawValue & ~(3 << 4) | (newValue & 3) << 4 }
    }
}
