import MeshCompanion
import MeshRadio
public import MeshWire

/// The settings of a repeater, room server or sensor, as the firmware holds them in memory.
///
/// The names on the command line and in the file, ranges and roles are in one table, ``rows``. Nothing is checked
/// when a file is loaded: any value of its type may be there, and decimals may be infinite or no numbers. Source:
/// InfrastructureNodes, "Files and preferences"; firmware, `NodePrefs` in `CommonCLI.h`.
public struct ServerPreferences: Hashable, Sendable {
    /// In adverts; at most 31 bytes.
    public var name: ByteText
    /// The password of administrators; at most 15 bytes.
    public var password: ByteText = "password"
    /// The password of a repeater's guests or a room server's members; a sensor has no use for it.
    ///
    /// At most 15 bytes, empty for none.
    public var guestPassword: ByteText
    /// Free text about the owner, lines separated by newlines; at most 119 bytes.
    public var ownerInfo: ByteText = ""
    /// Minutes between zero-hop adverts, halved; 0 for none.
    public var advertInterval: UInt8 = 1
    /// Hours between flooded adverts; 0 for none.
    public var floodAdvertInterval: UInt8
    /// In degrees.
    public var latitude = 0.0
    /// In degrees.
    public var longitude = 0.0

    // MARK: Radio

    /// In MHz.
    public var frequency: Float
    /// In kHz.
    public var bandwidth: Float
    /// 5 to 12.
    public var spreadingFactor: UInt8
    /// The denominator of 4/x, 5 to 8.
    public var codingRate: UInt8
    /// Looks for LoRa activity before it sends. Stored only: the emulated radio listens before it talks in any case.
    public var cadEnabled: UInt8 = 0
    /// In dB above the noise floor; 0 for off. Stored only.
    public var interferenceThreshold: UInt8 = 0
    /// These three gains are stored only.
    public var boostedGain: UInt8
    /// Amplifier before the receiver: 0 off, 1 on.
    public var femReceiveGain: UInt8 = 1
    /// Amplifier behind the transmitter: 0 off, 1 on.
    public var femTransmitGain: UInt8 = 0
    /// In dBm.
    public var txPower: Int8
    /// Seconds between resets of the gain control, divided by four; 0 for never. Stored only.
    public var agcResetInterval: UInt8 = 0
    /// Bytes of the path hashes of originated floods, less one.
    public var pathHashMode: UInt8 = 0
    /// Extra copies of direct acknowledgements.
    public var extraAcks: UInt8 = 0

    // MARK: Bridge

    /// Lets packets cross the bridge, unless it is 0.
    public var bridgeEnabled: UInt8
    /// In milliseconds.
    public var bridgeDelay: UInt16
    /// The packets that the bridge carries: 0 for sent ones, 1 for received ones.
    public var bridgeSource: UInt8 = 0
    /// Speed of a serial bridge, in bits a second.
    public var bridgeBaud: UInt32
    /// Wi-Fi channel of a bridge without a wire.
    public var bridgeChannel: UInt8
    /// At most 15 bytes.
    public var bridgeSecret: ByteText

    // MARK: GPS

    /// State of the GPS receiver: 0 off, 1 on.
    public var gpsEnabled: UInt8 = 0
    /// In seconds.
    public var gpsInterval: UInt32 = 0
    /// A raw ``AdvertLocationPolicy``; higher numbers mean the same as ``AdvertLocationPolicy/preferences``.
    public var advertLocationPolicy = AdvertLocationPolicy.preferences.rawValue

    // MARK: Room and power

    /// Lets those into a room who know no password, to read.
    public var allowsReadOnly: UInt8 = 0
    /// 0 for the board's own.
    public var adcMultiplier: Float = 0
    /// Stored only: an emulated node never sleeps.
    public var powerSaving: UInt8 = 0
    /// Unix seconds of the last change of the regions that was saved; not in the file.
    public var discoveryModified: UInt32 = 0
    /// Spreading factors that an LR2021 receives beside its own, at most three; not in the file.
    public var extraSpreadingFactors: [UInt8] = []

    // MARK: Forwarding

    // At the end, beside what every pass looks at in a node among thousands.

    /// Nothing is forwarded unless it is 0.
    public var forwardingDisabled: UInt8
    /// Number of hops from which on floods are not relayed: all of them, un-scoped ones, adverts.
    public var floodMax: UInt8 = 64
    /// The same for floods without a scope.
    public var floodMaxUnscoped: UInt8
    /// The same for adverts.
    public var floodMaxAdvert: UInt8
    /// A raw ``LoopDetection``; higher numbers mean the same as ``LoopDetection/strict``.
    public var loopDetect = LoopDetection.off.rawValue
    /// Silence per time of sending: 1 is a duty cycle of one half.
    public var airtimeFactor: Float = 1
    /// Base of the delay of weakly received floods; 0 for none.
    public var receiveDelayBase: Float = 0
    /// Part of the airtime from which the delay of forwarded floods is drawn, 0…2.
    public var floodDelayFactor: Float = 0.5
    /// The same for direct packets.
    public var directDelayFactor: Float

    /// The settings of a factory-fresh node of this role on this board.
    public init(role: ServerRole, board: BoardProfile) {
        frequency = CompanionPreferences.megahertz(fromKilohertz: board.radio.frequencyKilohertz)
        bandwidth = CompanionPreferences.kilohertz(fromHertz: board.radio.bandwidthHertz)
        spreadingFactor = board.radio.spreadingFactor
        codingRate = board.radio.codingRate
        txPower = board.txPower
        let isRepeater = role == .repeater
        let switches = board.firmware.switches
        let boosts = role == .repeater || role == .roomServer && switches.receiveGain == .all
        boostedGain = boosts && board.chip == .sx126x && board.boostsReceiveGain ? 1 : 0
        guestPassword = role == .roomServer ? "hello" : ""
        floodAdvertInterval = role == .sensor ? 0 : switches.floodAdvertHours
        directDelayFactor = isRepeater ? 0.3 : 0.2
        forwardingDisabled = isRepeater ? 0 : 1
        if isRepeater, switches.detectsLoops { loopDetect = LoopDetection.minimal.rawValue }
        floodMaxUnscoped = role == .sensor ? 0 : 64
        floodMaxAdvert = role == .sensor ? 0 : 8
        bridgeEnabled = isRepeater ? 1 : 0
        bridgeDelay = isRepeater ? 500 : 0
        bridgeBaud = isRepeater ? 115_200 : 0
        bridgeChannel = isRepeater ? 1 : 0
        bridgeSecret = isRepeater ? "LVSITANOS" : ""
        name = role.factoryName
    }

    /// Replaces the settings that still have one version's factory values by those of another (FWV-072, FWV-113).
    package mutating func changeDefaults(from old: ServerPreferences, to new: ServerPreferences) {
        if floodAdvertInterval == old.floodAdvertInterval { floodAdvertInterval = new.floodAdvertInterval }
        if loopDetect == old.loopDetect { loopDetect = new.loopDetect }
        if boostedGain == old.boostedGain { boostedGain = new.boostedGain }
    }

    // MARK: Meanings

    /// The switch ``forwardingDisabled`` as a truth value.
    public var isForwardingDisabled: Bool {
        get { forwardingDisabled != 0 }
        set { forwardingDisabled = newValue ? 1 : 0 }
    }

    /// The rule by which a flood that has been here before is not relayed.
    public var loopDetection: LoopDetection {
        get { LoopDetection(rawValue: loopDetect) ?? .strict }
        set { loopDetect = newValue.rawValue }
    }

    /// The position that adverts carry; an unknown number counts as `preferences`.
    public var advertLocation: AdvertLocationPolicy {
        get { AdvertLocationPolicy(rawValue: advertLocationPolicy) ?? .preferences }
        set { advertLocationPolicy = newValue.rawValue }
    }

    /// Prepares for saving, as every command that saves does first, except `set radio`.
    ///
    /// A node that was set up no longer adverts itself more often than once an hour.
    ///
    /// Source: InfrastructureNodes, "Files and preferences" (INF-003); firmware, `CommonCLI::savePrefs`.
    public mutating func prepareToSave() {
        if advertInterval < 30 { advertInterval = 0 }
    }
}

/// The position that an infrastructure node puts in its adverts (`gps advert`).
///
/// Source: InfrastructureNodes, "Adverts".
public enum AdvertLocationPolicy: UInt8, Hashable, Sendable, CaseIterable {
    case none
    /// The position that the GPS reports.
    case share
    /// The place that was set.
    case preferences

    /// The word for it behind `gps advert`.
    package var word: String {
        switch self {
        case .none: "none"
        case .share: "share"
        case .preferences: "prefs"
        }
    }
}
