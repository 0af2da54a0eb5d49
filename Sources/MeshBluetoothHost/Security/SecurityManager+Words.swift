package import MeshWire

extension SecurityManager {
    /// Our side of the connection; the central is always the one that pairs.
    package enum Role: Hashable, Sendable {
        /// The central.
        case initiator
        /// The peripheral.
        case responder
    }

    /// Our abilities and demands. The defaults are those of a central whose user can type.
    package struct Settings: Hashable, Sendable {
        /// Our means to show and to ask.
        ///
        /// Two that can both compare numbers would have to, in Secure Connections; that is not offered and refused.
        package var ioCapability = SMP.IOCapability.keyboardOnly
        /// The passkey, 0 to 999,999: the one we show, else a drawn one; or the one to type, else the user is asked.
        package var passkey: UInt32?
        /// Less than MITM protection is refused.
        package var requiresMITM = true
        /// Keys are kept: a pairing ends with a bond if the other side wants it too.
        package var bonds = true
        /// LE Secure Connections may be used.
        package var secureConnections = true
        /// Legacy pairing may be used, where one side has no Secure Connections.
        package var legacy = true
        /// The shortest and the longest key, in bytes; within 7 to 16.
        package var keySizes: ClosedRange<UInt8> = 7...16
        /// The keys that we send and accept in a pairing with bonding.
        package var keys: SMP.KeyDistribution = [.encryption, .identity]
        /// Our lasting address, if it is not the one that we connected with.
        package var identityAddress: BluetoothAddress?
        /// Our identity key (IRK), lowest byte first; all zero as long as our address does not change.
        package var identityKey = FixedBytes<16>()
        /// The link is ended after a failed pairing.
        package var disconnectsOnFailure = false

        package init() {}

        /// A peripheral that shows a passkey, drawn if none is given, and ends the link after a failure.
        ///
        /// Stacks differ in what they offer with a fixed passkey. Adafruit's Bluefruit for nRF52 takes legacy pairing
        /// only (`BLESecurity::setPIN`), the ESP32's Bluedroid both (`ESP_LE_AUTH_REQ_SC_MITM_BOND` with
        /// `setStaticPIN`).
        package static func displaying(passkey: UInt32?, secureConnections: Bool) -> Settings {
            var settings = Settings()
            settings.ioCapability = .displayOnly
            settings.passkey = passkey
            settings.secureConnections = secureConnections
            settings.disconnectsOnFailure = true
            return settings
        }
    }

    /// Effects for the owner to carry out, in this order.
    package enum Effect: Hashable, Sendable {
        /// Send a packet on the channel of the security manager.
        case send([UInt8])
        /// Central: `HCI_LE_Enable_Encryption`; the key as HCI carries it, lowest byte first.
        case startEncryption(key: FixedBytes<16>, random: UInt64, diversifier: UInt16)
        /// Peripheral: answer `HCI_LE_Long_Term_Key_Request`; `nil` is the negative reply.
        case answerKeyRequest(key: FixedBytes<16>?)
        /// Ask the user for the passkey that the other side shows; pass the answer to `passkeyGiven`.
        case askPasskey
        /// Show a passkey, in six digits, until `secured` or `failed` comes.
        case showPasskey(UInt32)
        /// The connection is encrypted, and reaches this level.
        case secured(SecurityLevel)
        /// Keep the bond; it replaces one with the same peer.
        case bonded(Bond)
        /// Encryption or pairing failed. The link stays unless `disconnect` follows.
        case failed(Failure)
        /// End the link, when what was sent before is sent.
        case disconnect
    }

    /// The reason why a connection was not secured.
    package enum Failure: Hashable, Sendable {
        /// We ended the pairing; the other side has received the reason.
        case ended(SMP.Reason, Cause)
        /// The other side ended the pairing.
        case endedByPeer(SMP.Reason)
        /// Nothing came for 30 s. No pairing can be had on this link any more.
        case timedOut
        /// One side has a key that the other has not: the bond is lost. The next attempt pairs anew.
        case keyMissing
        /// The controller could not encrypt; its status (Vol 1 Part F).
        case notEncrypted(status: UInt8)

        /// The cause for which we ended a pairing.
        package enum Cause: Hashable, Sendable {
            /// A packet that does not belong here.
            case unexpected(code: UInt8)
            /// A packet that cannot be read, or with a value out of range.
            case malformed(code: UInt8)
            /// The peer must have a keyboard where we have a display, or the other way round.
            case noWayToProve
            /// One of us has Secure Connections only, the other legacy pairing only.
            case noCommonMethod
            /// The other side has data for us that came another way (OOB), and we have none.
            case noOutOfBandData
            /// The user gave no passkey.
            case noPasskey
            /// Another passkey was typed: found in this round of 20, or in the only one (1) of legacy pairing.
            case wrongPasskey(round: Int)
            /// Without a passkey: the value committed to is another one.
            case wrongConfirm
            /// The public key is no point of the curve.
            case invalidPublicKey
            /// The public key is our own, sent back.
            case reflectedPublicKey
            /// The final check of Secure Connections is wrong.
            case wrongCheck
            /// A key of so many bytes, which are fewer than we want.
            case shortKey(UInt8)
            /// Too many pairings failed, and it is too early for another.
            case tooManyAttempts
        }
    }
}

extension SecurityManager.Effect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of effect; of packets their code and length, of keys nothing, and the passkey not.
    package var description: String {
        switch self {
        case .send(let packet): "send code 0x\([packet.first ?? 0].hex), \(packet.count) bytes"
        case .startEncryption(_, let random, let diversifier):
            "start encryption, rand \(random), ediv \(diversifier)"
        case .answerKeyRequest(let key): key == nil ? "answer: no key" : "answer: a key"
        case .askPasskey: "ask for the passkey"
        case .showPasskey: "show the passkey"
        case .secured(let level): "secured: \(level)"
        case .bonded(let bond): "bonded: \(bond)"
        case .failed(let failure): "failed: \(failure)"
        case .disconnect: "disconnect"
        }
    }

    package var debugDescription: String { description }
    /// Without what it holds, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecurityManager.Settings: CustomStringConvertible, CustomReflectable {
    /// The means to show and to ask, and the demands; no passkey and no identity key.
    package var description: String {
        "pairing settings: \(ioCapability)\(requiresMITM ? ", MITM protection" : "")\(bonds ? ", bonds" : "")"
    }

    /// Without passkey and identity key, for `dump` and test reports.
    package var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "ioCapability": ioCapability, "requiresMITM": requiresMITM, "bonds": bonds,
                "secureConnections": secureConnections, "legacy": legacy, "keySizes": keySizes, "keys": keys,
                "disconnectsOnFailure": disconnectsOnFailure,
            ])
    }
}

extension SecurityManager.Failure: CustomStringConvertible {
    /// One sentence without a full stop.
    package var description: String {
        switch self {
        case .ended(let reason, let cause): "pairing ended (\(reason)): \(cause)"
        case .endedByPeer(let reason): "the other side ended the pairing: \(reason)"
        case .timedOut: "no answer to the pairing for 30 s"
        case .keyMissing: "the bond is lost on one side; pair again"
        case .notEncrypted(let status): "the controller could not encrypt, status 0x\([status].hex)"
        }
    }
}

extension SecurityManager.Failure.Cause: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unexpected(let code): "unexpected packet with code 0x\([code].hex)"
        case .malformed(let code): "malformed packet with code 0x\([code].hex)"
        case .noWayToProve:
            "MITM protection is demanded, and no passkey can be shown on one side and typed on the other"
        case .noCommonMethod: "one side wants Secure Connections only, the other legacy pairing only"
        case .noOutOfBandData: "out-of-band data is wanted"
        case .noPasskey: "no passkey was given"
        case .wrongPasskey(let round): "wrong passkey, found in round \(round)"
        case .wrongConfirm: "wrong confirm value"
        case .invalidPublicKey: "the public key is not on the curve"
        case .reflectedPublicKey: "the public key is our own"
        case .wrongCheck: "wrong DHKey check"
        case .shortKey(let size): "a key of \(size) bytes is too short"
        case .tooManyAttempts: "too many failed attempts"
        }
    }
}
