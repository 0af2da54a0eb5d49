public import MeshWire

/// A probe along a given route; each hop adds the SNR at which it received the probe. Direct only.
///
/// Source: OverTheAir, "Traces" (OTA-053).
public struct Trace: FieldGroup, Hashable {
    /// Chosen by the originator to know its probe again.
    public var tag: UInt32 = 0
    /// A number for authentication that travels along unchanged.
    public var authCode: UInt32 = 0
    /// Flags whose low two bits *z* mean that each entry below has 2^z bytes.
    public var flags: UInt8 = 0
    /// The hashes of the nodes to visit, one behind the other.
    public var pathHashes: [UInt8] = []

    public init() {}

    public init(tag: UInt32, authCode: UInt32, flags: UInt8 = 0, pathHashes: [UInt8] = []) {
        self.tag = tag
        self.authCode = authCode
        self.flags = flags
        self.pathHashes = pathHashes
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("tag", &tag, unit: .hex)
        w.u32("auth_code", &authCode, unit: .hex)
        w.u8("flags", &flags, unit: .hex)
        w.rest("path_hashes", &pathHashes, atMost: 175)
    }
}
