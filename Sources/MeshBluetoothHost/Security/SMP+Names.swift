import MeshWire

extension SMP {
    /// The reason why a pairing failed, as the packet Pairing Failed carries it.
    ///
    /// Source: Bluetooth Core, Vol 3 Part H, 3.5.5.
    package struct Reason: ExpressibleByRawValue, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The user gave up, or typed no passkey.
        package static let passkeyEntryFailed = Reason(rawValue: 0x01)
        package static let oobNotAvailable = Reason(rawValue: 0x02)
        /// A side demands more than the other can offer, as MITM protection without a keyboard.
        package static let authenticationRequirements = Reason(rawValue: 0x03)
        /// The value committed to is not that of the random number: another passkey, or an attack.
        package static let confirmValueFailed = Reason(rawValue: 0x04)
        package static let pairingNotSupported = Reason(rawValue: 0x05)
        /// The key would be too short.
        package static let encryptionKeySize = Reason(rawValue: 0x06)
        package static let commandNotSupported = Reason(rawValue: 0x07)
        package static let unspecified = Reason(rawValue: 0x08)
        /// Too little time has passed since a pairing failed.
        package static let repeatedAttempts = Reason(rawValue: 0x09)
        /// A packet of a wrong length, or a value out of range.
        package static let invalidParameters = Reason(rawValue: 0x0A)
        package static let dhKeyCheckFailed = Reason(rawValue: 0x0B)
        package static let numericComparisonFailed = Reason(rawValue: 0x0C)
        package static let pairingInProgress = Reason(rawValue: 0x0D)
        package static let crossTransportNotAllowed = Reason(rawValue: 0x0E)
        package static let keyRejected = Reason(rawValue: 0x0F)
        package static let busy = Reason(rawValue: 0x10)
    }

    /// The means of a device to show something to its user and to ask for input.
    ///
    /// Source: Bluetooth Core, Vol 3 Part H, 2.3.2.
    package struct IOCapability: ExpressibleByRawValue, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let displayOnly = IOCapability(rawValue: 0)
        package static let displayYesNo = IOCapability(rawValue: 1)
        package static let keyboardOnly = IOCapability(rawValue: 2)
        package static let noInputNoOutput = IOCapability(rawValue: 3)
        package static let keyboardDisplay = IOCapability(rawValue: 4)

        /// Six digits can be shown.
        var hasDisplay: Bool { [.displayOnly, .displayYesNo, .keyboardDisplay].contains(self) }
        /// Six digits can be typed.
        var hasKeyboard: Bool { [.keyboardOnly, .keyboardDisplay].contains(self) }
        /// Two numbers can be compared.
        var canCompare: Bool { [.displayYesNo, .keyboardDisplay].contains(self) }
    }

    /// AuthReq: what a device wants of a pairing, as bits.
    ///
    /// Source: Bluetooth Core, Vol 3 Part H, 3.5.1.
    struct Requirements: ExpressibleByRawValue, OptionSet, Hashable, Sendable {
        var rawValue: UInt8

        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Keys are kept. The field has two bits, of which only this is in use.
        static let bonding = Requirements(rawValue: 0x01)
        /// Protection against a man in the middle.
        static let mitm = Requirements(rawValue: 0x04)
        static let secureConnections = Requirements(rawValue: 0x08)
        /// The other side wants to hear of each key that is typed.
        static let keypress = Requirements(rawValue: 0x10)
    }

    /// The keys that a side sends at the end of a pairing, as bits.
    ///
    /// Source: Bluetooth Core, Vol 3 Part H, 3.6.1.
    package struct KeyDistribution: ExpressibleByRawValue, OptionSet, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The long term key with EDIV and Rand; nothing in Secure Connections, where both sides compute it.
        package static let encryption = KeyDistribution(rawValue: 0x01)
        /// The identity key (IRK) and the lasting address.
        package static let identity = KeyDistribution(rawValue: 0x02)
        /// The signing key (CSRK).
        package static let signing = KeyDistribution(rawValue: 0x04)
        /// A key for classic Bluetooth, made of this one.
        package static let link = KeyDistribution(rawValue: 0x08)
    }
}

extension SMP.Reason: CustomStringConvertible {
    /// In words; an unknown one in hex.
    package var description: String {
        Self.names.indices.contains(Int(rawValue)) && rawValue > 0
            ? Self.names[Int(rawValue)] : "reason 0x" + [rawValue].hex
    }

    /// In the order of their numbers, from 0.
    private static let names = [
        "", "passkey entry failed", "no out-of-band data", "authentication requirements not met",
        "confirm value failed", "pairing not supported", "encryption key too short", "command not supported",
        "unspecified reason", "repeated attempts", "invalid parameters", "DHKey check failed",
        "numeric comparison failed", "classic pairing in progress", "no key for the other transport", "key rejected",
        "busy",
    ]
}

extension SMP.IOCapability: CustomStringConvertible {
    /// As the specification calls it; an unknown one in hex.
    package var description: String {
        switch self {
        case .displayOnly: "DisplayOnly"
        case .displayYesNo: "DisplayYesNo"
        case .keyboardOnly: "KeyboardOnly"
        case .noInputNoOutput: "NoInputNoOutput"
        case .keyboardDisplay: "KeyboardDisplay"
        default: "0x" + [rawValue].hex
        }
    }
}

extension SMP.Requirements: CustomStringConvertible {
    /// The bits by their names; those without one in hex.
    var description: String {
        SMP.names(of: rawValue, ["bonding", nil, "MITM", "Secure Connections", "keypress"])
    }
}

extension SMP.KeyDistribution: CustomStringConvertible {
    /// The bits by their names; those without one in hex.
    package var description: String { SMP.names(of: rawValue, ["encryption", "identity", "signing", "link"]) }
}

extension SMP {
    /// The names of the bits that are set, from the lowest on.
    fileprivate static func names(of bits: UInt8, _ names: [String?]) -> String {
        var rest = bits
        var words: [String] = []
        for (bit, name) in names.enumerated() where bits >> UInt8(bit) & 1 == 1 {
            guard let name else { continue }
            words.append(name)
            rest &= ~(1 << UInt8(bit))
        }
        if rest != 0 || words.isEmpty { words.append("0x" + [rest].hex) }
        return words.joined(separator: ", ")
    }
}
