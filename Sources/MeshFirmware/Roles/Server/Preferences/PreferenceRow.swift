public import MeshCompanion
import MeshRadio
import MeshWire

/// A setting or a fact that `get`, `set` or the file of an infrastructure node knows.
///
/// The rows are in the file's order, and those that are not in it follow. Source: the article
/// Preferences; InfrastructureNodes, "Files and preferences" and "Settings by command".
public struct PreferenceRow: Sendable {
    /// The keyword of `get` and `set`; `nil` when they do not know it.
    public let keyword: String?
    /// Its key in `/prefs.json`, behind that of the object it is in (`radio.freq`); `nil` when it is not there.
    public let fileKey: String?
    let field: PreferenceField?
    let syntax: PreferenceSyntax
    /// Of the number on the command line; empty for none.
    public let unit: String
    let confirmation: PreferenceConfirmation
    let consequence: PreferenceConsequence
    /// The roles that heed it; the others keep it all the same.
    public let roles: [ServerRole]
    /// The first release of the repeater with it.
    public let since: Release
    /// The ability that a board must have for it.
    public let needs: BoardAbility?
    /// The accesses that are possible on the serial console only.
    public let serialOnly: PreferenceAccess

    init(
        _ keyword: String?, file fileKey: String? = nil, in field: PreferenceField? = nil, _ syntax: PreferenceSyntax,
        unit: String = "", says confirmation: PreferenceConfirmation = .text("OK"),
        then consequence: PreferenceConsequence = .atOnce, for roles: [ServerRole] = ServerRole.allCases,
        since: Release = "1.0.0", needs: BoardAbility? = nil, serialOnly: PreferenceAccess = []
    ) {
        self.keyword = keyword
        self.fileKey = fileKey
        self.field = field
        self.syntax = syntax
        self.unit = unit
        self.confirmation = confirmation
        self.consequence = consequence
        self.roles = roles
        self.since = since
        self.needs = needs
        self.serialOnly = serialOnly
    }
}

/// The ways to a setting. Source: InfrastructureNodes, "Settings by command".
public struct PreferenceAccess: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let get = Self(rawValue: 1)
    public static let set = Self(rawValue: 2)
}

/// The place of a setting, in the width that the firmware stores.
enum PreferenceField: Sendable {
    typealias Path<Value> = any WritableKeyPath<ServerPreferences, Value> & Sendable

    /// With the most bytes it may have.
    case text(Path<ByteText>, most: Int)
    case i8(Path<Int8>)
    case u8(Path<UInt8>)
    case u16(Path<UInt16>)
    case u32(Path<UInt32>)
    case float(Path<Float>)
    case double(Path<Double>)
}

/// The syntax of a setting on the command line, both read and written.
enum PreferenceSyntax: Sendable {
    /// `get` and `set` do not have it; the command that has, or empty.
    case command(String)
    /// Bytes that are refused may be anywhere, also behind the end of the stored text.
    case text(refused: String = "", refusal: String = "")
    /// Lines, separated by `|`.
    case lines
    /// 1 for what begins with the word, else 0; and how `get` shows both.
    case flag(_ word: String, one: String, zero: String)
    case number(NumberRule)
    /// No range accepts anything.
    case decimal(ClosedRange<Float>?, refusal: String = "")
    /// By its beginning; numbers beyond the last count as it.
    case choice([String], refusal: String)
    /// One that is like no other.
    case special(SpecialPreference)

    static let onOff = PreferenceSyntax.flag("on", one: "on", zero: "off")
}

/// The rule by which a whole number is read, checked and stored.
struct NumberRule: Sendable {
    enum Reading: Sendable {
        /// `atoi`.
        case signed
        /// `_atoi`, wrapped at 32 bits and then read as signed.
        case digits
        /// `atoi`, of which the lowest byte counts.
        case byte
    }

    var reading = Reading.signed
    /// The numbers that are accepted; all when empty.
    var ranges: [ClosedRange<Int32>] = []
    var refusal = ""
    /// Kept is the number over this, and shown the kept one times this.
    var divisor: Int32 = 1
}

/// Settings and facts that `get` and `set` treat like no other.
enum SpecialPreference: Sendable, CaseIterable {
    case dutyCycle
    case radio
    case privateKey
    case adcMultiplier
    case extraSpreadingFactors
    // Facts from here on.
    case publicKey
    case role
    case bridgeType
    case bootLoader
    case powerSupport
    case powerSource
    case bootReason
    case bootVoltage
}

/// The answer of `set` when it has done it.
enum PreferenceConfirmation: Sendable {
    case text(String)
    /// Followed by what `get` would show, in capitals if so.
    case value(String, capitals: Bool = false)
}

/// The consequence of a changed setting, beside that it is saved.
enum PreferenceConsequence: Sendable {
    /// It counts from the next time it is looked at.
    case atOnce
    case inNextAdvert
    case atReboot
    case localAdverts
    case floodAdverts
    case txPower
    case boostedGain
    case receiveAmplifier
    case transmitAmplifier
    case adcMultiplier
    case bridgeState
    case bridgeRestart
}

/// Abilities of some boards or builds only. Source: InfrastructureNodes, "Settings by command".
public enum BoardAbility: Hashable, Sendable, CaseIterable {
    case bridge
    case serialBridge
    case espNowBridge
    case gps
    case boostedGain
    case switchedReceiveAmplifier
    case switchedTransmitAmplifier
    case adcMultiplier
    case sideDetectors

    /// Returns whether the firmware is compiled without the keyword where the ability is missing.
    ///
    /// Otherwise it answers that it is unsupported.
    func isBuildOption(of switches: FirmwareSwitches) -> Bool {
        switch self {
        case .bridge, .serialBridge, .espNowBridge, .gps, .sideDetectors: true
        case .boostedGain: switches.receiveGain != .all
        case .switchedReceiveAmplifier, .switchedTransmitAmplifier, .adcMultiplier: false
        }
    }

    /// The answer where the ability is missing and the keyword is known.
    func refusal(of switches: FirmwareSwitches) -> String {
        switches.hasShortRefusals ? "Error: unsupported" : "Error: unsupported by this board"
    }

    /// True when a setting for it is kept and saved also where it is missing.
    var isKeptWithout: Bool { self == .boostedGain }

    /// The accesses that need the ability; the others work without it.
    func gates(of switches: FirmwareSwitches) -> PreferenceAccess {
        switch self {
        case .boostedGain: switches.receiveGain == .all ? .set : [.get, .set]
        case .sideDetectors: .set
        default: [.get, .set]
        }
    }

    /// Returns whether a node of this role on this board has it.
    public func isPresent(on board: BoardProfile, role: ServerRole) -> Bool {
        switch self {
        case .bridge: role == .repeater && board.bridge != .none
        case .serialBridge: role == .repeater && board.bridge == .rs232
        case .espNowBridge: role == .repeater && board.bridge == .espNow
        case .gps: board.gpsBuild != .absent
        case .boostedGain:
            switch board.firmware.switches.receiveGain {
            case .all: role != .sensor && board.chip != .sx127x
            case .sx126xAndLR1110: board.chip == .sx126x || board.chip == .lr1110
            case .sx126x: board.chip == .sx126x
            }
        case .switchedReceiveAmplifier: board.hasSwitchedReceiveAmplifier
        case .switchedTransmitAmplifier: board.hasSwitchedTransmitAmplifier
        case .adcMultiplier: board.adcMultiplier != nil
        case .sideDetectors: board.chip == .lr2021
        }
    }
}
