public import MeshCrypto
public import MeshWire

/// The plaintext of a TXT_MSG.
///
/// The text ends at its first NUL or at the padding. An attempt number above 3 rides behind that NUL, so that the
/// packet differs from earlier attempts although the acknowledgement does not. Source: OverTheAir, "Text plaintext".
public struct TextPlaintext: FieldGroup, Hashable {
    /// The sender's clock or a number it chose, in Unix seconds.
    public var timestamp: UInt32 = 0
    /// Text type in bits 7…2, the attempt's low two bits in bits 1…0.
    public var head: UInt8 = 0
    /// The first four bytes of the author's key; on the air for signed text only.
    public var authorPrefix = FixedBytes<4>()
    /// The text with whatever stands behind it: trailer and padding.
    public var body: [UInt8] = []

    public init() {}

    /// A message to be sent; `nil` when the text is too long.
    ///
    /// The limit is 160 bytes, and 158 for plain text whose attempt is above 3. Other types carry the attempt's low two
    /// bits only. Text ends at its first NUL.
    public init?(
        timestamp: UInt32, type: TextType = .plain, attempt: UInt8 = 0, text: ByteText,
        authorPrefix: FixedBytes<4> = FixedBytes()
    ) {
        let text = text.untilNUL
        let isExtended = type == .plain && attempt > 3
        guard text.count <= (isExtended ? PacketLimits.textWithExtendedAttempt : PacketLimits.text) else { return nil }
        self.timestamp = timestamp
        head = type.rawValue << 2 | attempt & 3
        self.authorPrefix = type == .signedPlain ? authorPrefix : FixedBytes()
        body = text.bytes
        if isExtended { body += [0, attempt] }
    }

    /// The type of the text: the upper six bits of the byte before it.
    public var type: TextType { TextType(rawValue: head >> 2) }
    /// The text without trailer and padding.
    public var text: ByteText { ByteText(bytes: body).untilNUL }

    /// The byte behind the text's NUL: the attempt number when that is above 3, otherwise 0.
    public var extendedAttempt: UInt8 {
        guard let end = body.firstIndex(of: 0), end + 1 < body.count else { return 0 }
        return body[end + 1]
    }

    /// The number of this attempt, counted from 0.
    public var attempt: UInt8 { extendedAttempt > 3 ? extendedAttempt : head & 3 }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.u8("type_and_attempt", &head, unit: .hex)
        w.note("\(type), attempt \(head & 3)")
        if type == .signedPlain { w.fixed("author_prefix", &authorPrefix) }
        w.rest(Field("text", unit: .text), &body, atMost: PacketLimits.datagramPlaintext - 5)
    }

    /// The hash that acknowledges this message; `nil` for a type that is not acknowledged.
    public func ackHash(sender: PublicKey, receiver: PublicKey) -> UInt32? {
        written().withUnsafeBytes { AckHash.text($0, sender: sender, receiver: receiver) }
    }
}

/// The hashes that acknowledge messages, from plaintexts in place.
public enum AckHash {
    /// The hash for the plaintext of a TXT_MSG, padded or not; `nil` when it is too short or of a type without one.
    ///
    /// Plain text is hashed with the sender's key and signed text with the receiver's, up to the text's first NUL.
    /// So the attempts 0, 4, 8… of one text share a hash. Source: OverTheAir, "Acknowledgement hash" (OTA-061).
    public static func text(
        _ plaintext: UnsafeRawBufferPointer, sender: PublicKey, receiver: PublicKey
    ) -> UInt32? {
        guard plaintext.count >= 5 else { return nil }
        let type = TextType(rawValue: plaintext[4] >> 2)
        guard type == .plain || type == .signedPlain else { return nil }
        let start = type == .signedPlain ? 9 : 5
        guard plaintext.count >= start else { return nil }
        let end = plaintext[start...].firstIndex(of: 0) ?? plaintext.count
        return MeshHash.ackHash(
            plaintext: UnsafeRawBufferPointer(rebasing: plaintext[..<end]), key: type == .plain ? sender : receiver)
    }

    /// The hash for a keep-alive: the first nine bytes of the request with the client's key; `nil` when it is shorter.
    public static func keepAlive(_ plaintext: UnsafeRawBufferPointer, client: PublicKey) -> UInt32? {
        guard plaintext.count >= 9 else { return nil }
        return MeshHash.ackHash(plaintext: UnsafeRawBufferPointer(rebasing: plaintext[..<9]), key: client)
    }
}
