public import MeshCrypto
public import MeshWire

/// The plaintext of a sealed payload, in place: whole cipher blocks, the last one perhaps padded with zeros.
public struct OpenedPayload: Sendable {
    @usableFromInline var storage = FixedBytes<184>()
    /// Bytes of plaintext and padding.
    public private(set) var count = 0

    init?(_ sealed: UnsafeRawBufferPointer, secret: SharedSecret) {
        guard let size = storage.withUnsafeMutableBytes({ Sealing.open(sealed, secret: secret, into: $0) }) else {
            return nil
        }
        count = size
    }

    /// Lends plaintext and padding.
    @inlinable
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try Swift.withUnsafeBytes(of: storage) { (memory: UnsafeRawBufferPointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// Plaintext and padding as an array.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    /// Reads fields from the plaintext; offsets in errors count from its first byte.
    public func read<G: FieldGroup>(_ type: G.Type = G.self) throws(FrameError) -> G {
        try withBytes { (memory: UnsafeRawBufferPointer) throws(FrameError) -> G in try G(reading: memory) }
    }
}

extension PacketView {
    /// The offset of the MAC in the payload; `nil` for types that are not sealed.
    var sealOffset: Int? {
        if type.isDatagram { return 2 }
        if type.isGroup { return 1 }
        return type == .anonReq ? 33 : nil
    }

    /// Opens a sealed payload; `nil` when the type is not sealed, or the secret is not the right one.
    public func opened(with secret: SharedSecret) -> OpenedPayload? {
        guard let start = sealOffset, payloadCount > start else { return nil }
        return withPayload { OpenedPayload(UnsafeRawBufferPointer(rebasing: $0[start...]), secret: secret) }
    }

    /// The addressee's hash of a datagram or an anonymous request.
    @inlinable public var destinationHash: UInt8? {
        type.isDatagram || type == .anonReq ? payloadByte(at: 0) : nil
    }

    /// The sender's hash of a datagram.
    @inlinable public var sourceHash: UInt8? { type.isDatagram ? payloadByte(at: 1) : nil }

    /// The channel hash of a group packet.
    @inlinable public var channelHash: UInt8? { type.isGroup ? payloadByte(at: 0) : nil }
}
