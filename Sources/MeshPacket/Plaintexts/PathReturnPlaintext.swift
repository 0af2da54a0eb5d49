public import MeshWire

/// The plaintext of a PATH: the route to its sender, and perhaps an acknowledgement or a response.
///
/// The path runs from the addressee of the PATH to its sender and is usable as it stands. As seen by the receiver the
/// extra includes the padding of the last block. Source: OverTheAir, "Returned paths".
public struct PathReturnPlaintext: FieldGroup, Hashable {
    /// Number and size of the hashes in the path.
    public var pathLength = PathLength.empty
    /// The relays, in order of travel.
    public var path: [UInt8] = []
    /// The payload type of the extra in the low nibble; receivers ignore the high one.
    public var extraHead: UInt8 = 0xFF
    /// An acknowledgement or a response, or nothing.
    public var extra: [UInt8] = []

    public init() {}

    /// A path with something bundled; `nil` when the path is invalid or both together exceed 161 bytes.
    public init?(pathLength: PathLength, path: [UInt8], extraType: PayloadType, extra: [UInt8]) {
        guard pathLength.isValid, path.count == pathLength.byteCount,
            path.count + extra.count <= PacketLimits.pathAndExtra
        else { return nil }
        self.pathLength = pathLength
        self.path = path
        extraHead = extraType.rawValue
        self.extra = extra
    }

    /// A path alone: its extra is marked as nothing and filled with four random bytes, so that packets differ.
    public init?(pathLength: PathLength, path: [UInt8], random: FixedBytes<4>) {
        self.init(pathLength: pathLength, path: path, extraType: .rawCustom, extra: [])
        extraHead = 0xFF
        extra = random.array
    }

    /// Reads an opened PATH. An invalid `path_len` is an error: the firmware then treats the packet as not its own.
    public init(opened plaintext: UnsafeRawBufferPointer) throws(FrameError) {
        if let first = plaintext.first, !PathLength(rawValue: first).isValid {
            throw FrameError(field: "path_len", offset: 0, reason: .invalid("is no valid path length"))
        }
        try self.init(reading: plaintext)
    }

    /// The type of `extra`: the low four bits of the byte before it.
    public var extraType: PayloadType { PayloadType(rawValue: extraHead & 15) }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.raw("path_len", &pathLength, unit: .hex)
        w.bytes("path", &path, count: pathLength.byteCount)
        w.u8("extra_type", &extraHead, unit: .hex)
        w.note(extraHead == 0xFF ? "nothing" : "\(extraType)")
        w.rest("extra", &extra, atMost: PacketLimits.pathAndExtra)
    }
}
