import MeshCompanion
import MeshRadio
public import MeshWire

/// The settings of a companion radio, as it holds them in memory: floating point where the firmware has floating point.
///
/// Source: `NodePrefs` of the companion; CompanionStatements, CMP-050 to CMP-082.
public struct CompanionPreferences: Hashable, Sendable {
    /// At most 31 bytes.
    public var name: ByteText = ""
    /// In degrees.
    public var latitude = 0.0
    /// In degrees.
    public var longitude = 0.0
    /// In MHz.
    public var frequency: Float
    /// In kHz.
    public var bandwidth: Float
    /// 5 to 12.
    public var spreadingFactor: UInt8
    /// The denominator of 4/x, 5 to 8.
    public var codingRate: UInt8
    /// In dBm.
    public var txPower: Int8
    /// Base of the delay of weakly received floods; 0 for none.
    public var receiveDelayBase: Float = 0
    /// Silence per time of sending: 1 is a duty cycle of one half.
    public var airtimeFactor: Float = 1
    /// Not 0: forwards packets of others. Until 1.16 as the app sent it (FWV-081).
    public var repeatByte: UInt8 = 0
    /// Forwards packets of others.
    public var repeats: Bool {
        get { repeatByte != 0 }
        set { repeatByte = newValue ? 1 : 0 }
    }
    /// Hash size of originated floods less one.
    public var pathHashMode: UInt8 = 0
    /// Not 0: own acknowledgements on direct routes are sent twice; as a repeater, this number of copies goes
    /// ahead.
    public var multiAcks: UInt8 = 0
    /// Only bit 0 has a meaning.
    public var manualAdd: UInt8 = 0
    /// The requesters of battery and the like that are answered: 0 none, 1 contacts with the flag, 2 all.
    public var telemetryBase: UInt8 = 0
    /// The requesters of the position that are answered: 0 none, 1 contacts with the flag, 2 all.
    public var telemetryLocation: UInt8 = 0
    /// The requesters of sensor values that are answered: 0 none, 1 contacts with the flag, 2 all.
    public var telemetryEnvironment: UInt8 = 0
    /// 0 keeps the position out of adverts.
    public var advertLocationPolicy: UInt8 = 0
    /// The code for pairing over Bluetooth; 0 for the board's own.
    public var blePin: UInt32 = 0
    /// Bit 0 overwrites the oldest, bits 1 to 4 add chat, repeater, room and sensor in manual mode.
    public var autoAdd: UInt8 = 0
    /// Adverts with as many hops or more add no contact; 0 for no limit, 64 at most.
    public var autoAddMaxHops: UInt8 = 0
    /// 31 bytes, the name and whatever an older, longer one left behind its NUL.
    public var scopeName: FixedBytes<31> = FixedBytes()
    /// Key of the default scope; all zero for none.
    public var scopeKey: FixedBytes<16> = FixedBytes()
    /// The switch of the GPS receiver: 0 off, 1 on.
    public var gpsEnabled: UInt8 = 0
    /// In seconds.
    public var gpsInterval: UInt32 = 0
    var boostedGain: UInt8 = 1

    // MARK: Since 1.18 (FWV-123, FWV-134)

    /// Part of the airtime from which the delay of forwarded floods is drawn, 0…2.
    package var floodDelayFactor: Float = 0.5
    /// The same for direct packets.
    package var directDelayFactor: Float = 0.2
    /// These are stored only, as those of infrastructure nodes are.
    var cadEnabled: UInt8 = 0
    var interferenceThreshold: UInt8 = 0
    /// In seconds, divided by four.
    var agcResetInterval: UInt8 = 0
    var femReceiveGain: UInt8 = 1
    var femTransmitGain: UInt8 = 0
    /// Hours from UTC, for displays.
    var timeZoneOffset: Int8 = 0

    // MARK: What no command changes

    var buzzerQuiet: UInt8 = 0
    var vibrationQuiet: UInt8 = 0

    /// The settings of a factory-fresh board, still without a name.
    public init(board: BoardProfile) {
        frequency = Self.megahertz(fromKilohertz: board.radio.frequencyKilohertz)
        bandwidth = Self.kilohertz(fromHertz: board.radio.bandwidthHertz)
        spreadingFactor = board.radio.spreadingFactor
        codingRate = board.radio.codingRate
        txPower = board.txPower
    }

    // MARK: Floating point

    /// Single precision of a quotient in double precision, as `(float)freq / 1000.0` is computed.
    static func megahertz(fromKilohertz value: UInt32) -> Float { Float(Double(Float(value)) / 1000.0) }
    static func kilohertz(fromHertz value: UInt32) -> Float { Float(Double(Float(value)) / 1000.0) }
    /// All in single precision: some values come back one lower.
    static func factor(fromThousandths value: UInt32) -> Float { Float(value) / 1000 }
    static func degrees(fromMicrodegrees value: Int32) -> Double { Double(value) / 1_000_000.0 }

    // MARK: Boot

    /// Puts loaded values into their ranges (CMP-067).
    mutating func clampAtBoot(board: BoardProfile) {
        receiveDelayBase = min(max(receiveDelayBase, 0), 20)
        airtimeFactor = min(max(airtimeFactor, 0), 9)
        let lowest = Float(board.firmware.switches.lowestFrequencyAtBoot) / 1000
        frequency = min(max(frequency, lowest), 2500)
        bandwidth = min(max(bandwidth, 7.8), 500)
        spreadingFactor = min(max(spreadingFactor, 5), 12)
        codingRate = min(max(codingRate, 5), 8)
        txPower = min(max(txPower, -9), board.maxTxPower)
        floodDelayFactor = min(max(floodDelayFactor, 0), 2)
        directDelayFactor = min(max(directDelayFactor, 0), 2)
        gpsEnabled = min(gpsEnabled, 1)
        gpsInterval = min(gpsInterval, 86400)
    }
}
