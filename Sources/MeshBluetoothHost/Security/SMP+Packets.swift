package import MeshWire

/// One kind of packet of the security manager: its code, and the fields behind it.
package protocol SecurityMessage: FieldGroup, Hashable {
    /// The first byte of all packets of this kind.
    static var code: UInt8 { get }
}

extension SecurityMessage {
    /// The packet as bytes.
    package func encoded() -> [UInt8] {
        var writer = FieldWriter(reserving: 65)
        writer.output.append(Self.code)
        var fields = self
        fields.walk(&writer)
        return writer.output
    }

    /// Reads a packet from its code on, which the caller has looked at. It must have the length of its kind.
    init(whole bytes: Span<UInt8>) throws(FrameError) {
        var left = 0
        try self.init(behindCode: bytes, left: &left)
        guard left > 0 else { return }
        let end = bytes.count - left
        throw FrameError(field: "packet", offset: end, reason: .tooLong(count: bytes.count, limit: end))
    }
}

// Numbers and keys stand as they travel, the lowest byte first. Source: Bluetooth Core, Vol 3 Part H, 3.5 and 3.6.
extension SMP {
    /// Abilities, demands and keys of a device: the fields of both packets that begin a pairing.
    struct Features: FieldGroup, Hashable {
        /// The means to show and to type.
        var ioCapability = IOCapability.noInputNoOutput
        /// 1: the device has data of the peer that came another way (OOB).
        var outOfBand: UInt8 = 0
        /// The demands of the device.
        var requirements: Requirements = []
        /// The longest key that it accepts, in bytes.
        var maximumKeySize: UInt8 = 16
        /// The keys that the initiator sends.
        var initiatorKeys: KeyDistribution = []
        /// The keys that the responder sends.
        var responderKeys: KeyDistribution = []

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.raw("io", &ioCapability, in: 0...4)
            w.u8("oob", &outOfBand, in: 0...1)
            w.raw("auth_req", &requirements)
            w.u8("key_size", &maximumKeySize, in: 7...16)
            w.raw("initiator_keys", &initiatorKeys)
            w.raw("responder_keys", &responderKeys)
        }
    }

    /// Asks for a pairing.
    struct PairingRequest: SecurityMessage {
        static let code = Code.pairingRequest
        /// Of the central.
        var features = Features()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.group(&features) }
    }

    /// Agrees to a pairing; its keys are among those that the request offered.
    struct PairingResponse: SecurityMessage {
        static let code = Code.pairingResponse
        /// Of the peripheral.
        var features = Features()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.group(&features) }
    }

    /// The commitment of a side before it shows its random number.
    struct PairingConfirm: SecurityMessage {
        static let code = Code.pairingConfirm
        /// The result of c1 or f4.
        var value = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("confirm", &value) }
    }

    /// The random number of a side.
    struct PairingRandom: SecurityMessage {
        static let code = Code.pairingRandom
        /// The number that the confirm value was made of.
        var value = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("random", &value) }
    }

    /// Ends a pairing.
    struct PairingFailed: SecurityMessage {
        static let code = Code.pairingFailed
        /// The reason of the failure.
        var reason = Reason.unspecified

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.raw("reason", &reason) }
    }

    /// The public key of a side; Secure Connections only.
    struct PairingPublicKey: SecurityMessage {
        static let code = Code.pairingPublicKey
        /// The first coordinate.
        var x = FixedBytes<32>()
        /// The second coordinate.
        var y = FixedBytes<32>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("x", &x)
            w.fixed("y", &y)
        }
    }

    /// Proves that a side has the same secret and heard the same; Secure Connections only.
    struct PairingDHKeyCheck: SecurityMessage {
        static let code = Code.pairingDHKeyCheck
        /// The result of f6, made of keys, numbers, features and addresses.
        var value = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("check", &value) }
    }

    /// A report that the user types.
    struct KeypressNotification: SecurityMessage {
        static let code = Code.keypressNotification
        /// 0 started, 1 digit entered, 2 digit erased, 3 cleared, 4 completed.
        var type: UInt8 = 0

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.u8("type", &type, in: 0...4) }
    }

    /// Of the peripheral: asks the central to encrypt, or to pair.
    struct SecurityRequest: SecurityMessage {
        static let code = Code.securityRequest
        /// The demands of the peripheral.
        var requirements: Requirements = []

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.raw("auth_req", &requirements) }
    }
}

// What is handed over at the end of a pairing, on the encrypted link.
extension SMP {
    /// Holds a long term key.
    struct EncryptionInformation: SecurityMessage {
        static let code = Code.encryptionInformation
        /// As many of its lowest bytes as agreed; the others are zero.
        var longTermKey = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("ltk", &longTermKey) }
    }

    /// The numbers by which the peripheral finds the long term key again.
    struct CentralIdentification: SecurityMessage {
        static let code = Code.centralIdentification
        /// EDIV.
        var diversifier: UInt16 = 0
        /// Rand.
        var random: UInt64 = 0

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("ediv", &diversifier, unit: .hex)
            w.integer(Field("rand", unit: .hex), &random, in: nil)
        }
    }

    /// Holds the key that resolves a device's changing addresses; all zero for a device that has none.
    struct IdentityInformation: SecurityMessage {
        static let code = Code.identityInformation
        /// The IRK.
        var identityKey = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("irk", &identityKey) }
    }

    /// A device's lasting address.
    struct IdentityAddressInformation: SecurityMessage {
        static let code = Code.identityAddressInformation
        /// 0 public, 1 random and static.
        var type: UInt8 = 0
        /// Lowest byte first.
        var address = FixedBytes<6>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("type", &type, in: 0...1)
            w.fixed("address", &address)
        }
    }

    /// Holds a key for signed writes.
    struct SigningInformation: SecurityMessage {
        static let code = Code.signingInformation
        /// The CSRK.
        var signingKey = FixedBytes<16>()

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) { w.fixed("csrk", &signingKey) }
    }
}

// Whatever prints a packet with a key, as a log or a failed test, prints no key.

extension SMP.EncryptionInformation: CustomStringConvertible, CustomReflectable {
    var description: String { "a long term key" }
    /// Without the key, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP.IdentityInformation: CustomStringConvertible, CustomReflectable {
    var description: String { "an identity key" }
    /// Without the key, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP.SigningInformation: CustomStringConvertible, CustomReflectable {
    var description: String { "a signing key" }
    /// Without the key, for `dump` and test reports.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SMP {
    /// All kinds of packets.
    package static let messages: [any SecurityMessage.Type] = [
        PairingRequest.self, PairingResponse.self, PairingConfirm.self, PairingRandom.self, PairingFailed.self,
        EncryptionInformation.self, CentralIdentification.self, IdentityInformation.self,
        IdentityAddressInformation.self, SigningInformation.self, SecurityRequest.self, PairingPublicKey.self,
        PairingDHKeyCheck.self, KeypressNotification.self,
    ]

    /// Reads a packet, which must have the length of its kind; `nil` for an unknown code or no bytes.
    package static func message(_ bytes: Span<UInt8>) throws(FrameError) -> (any SecurityMessage)? {
        guard !bytes.isEmpty, let type = messages.first(where: { $0.code == bytes[0] }) else { return nil }
        return try read(type, bytes)
    }

    /// Reads a packet, as the function for spans does.
    package static func message(_ bytes: [UInt8]) throws(FrameError) -> (any SecurityMessage)? {
        try message(bytes.span)
    }

    private static func read<M: SecurityMessage>(
        _ type: M.Type, _ bytes: Span<UInt8>
    ) throws(FrameError) -> any SecurityMessage { try M(whole: bytes) }
}
