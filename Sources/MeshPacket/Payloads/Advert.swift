public import MeshCrypto
public import MeshWire

/// A node's signed description of itself.
///
/// The signature covers key, timestamp and application data, of which only the first 32 bytes count: longer data is
/// verified over its beginning and forwarded whole. Source: OverTheAir, "Adverts" (OTA-077).
public struct Advert: FieldGroup, Hashable {
    /// Key of the node that describes itself.
    public var publicKey = PublicKey()
    /// The sender's clock, in Unix seconds.
    public var timestamp: UInt32 = 0
    /// Signature over key, timestamp and application data, 64 bytes.
    public var signature = Signature()
    /// The fields of `AdvertData`, as bytes.
    public var appData: [UInt8] = []

    /// Payload bytes in front of the application data.
    public static let headSize = 100

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("pub_key", &publicKey)
        w.u32("timestamp", &timestamp, unit: .unixTime)
        w.fixed("signature", &signature)
        w.rest("app_data", &appData, atMost: PacketLimits.advertData)
    }

    /// The meaning of the application data; offsets in errors count from its first byte.
    public func data() throws(FrameError) -> AdvertData {
        try AdvertData(appData: appData)
    }

    /// True when the signature is valid.
    public var isSignatureValid: Bool {
        written().withUnsafeBytes { Self.isSigned(payload: $0) }
    }

    /// Returns whether the payload of an advert is long enough and its signature is valid.
    static func isSigned(payload: UnsafeRawBufferPointer) -> Bool {
        guard payload.count >= headSize else { return false }
        let message = SignedPart(payload: payload)
        let signature = Signature(UnsafeRawBufferPointer(rebasing: payload[36..<headSize]))
        let key = PublicKey(UnsafeRawBufferPointer(rebasing: payload[..<32]))
        return message.bytes.withUnsafeBytes {
            Ed25519.verify(signature, of: UnsafeRawBufferPointer(rebasing: $0.prefix(message.count)), by: key)
        }
    }

    /// The bytes that are signed, gathered in place from around the signature.
    struct SignedPart {
        var bytes = FixedBytes<68>()
        var count: Int

        init(payload: UnsafeRawBufferPointer) {
            let data = payload[headSize...].prefix(PacketLimits.advertData)
            count = 36 + data.count
            bytes.withUnsafeMutableBytes {
                $0.copyBytes(from: payload[..<36])
                UnsafeMutableRawBufferPointer(rebasing: $0[36...]).copyBytes(from: data)
            }
        }
    }
}
