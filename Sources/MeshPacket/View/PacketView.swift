public import MeshWire

/// The bytes of one packet in place: lengths checked once, content unchecked, no heap.
///
/// It is all that a relay needs. The value is about 260 bytes and is copied as plain memory. Reading an accessor
/// cannot fail; `Packet(view)` decides what the payload means, and whether it makes sense.
public struct PacketView: Sendable {
    /// The origin of the bytes, which decides what is refused.
    @frozen
    public enum Source: Hashable, Sendable {
        /// A frame received by the radio: the version must be 0, an empty payload is allowed (OTA-001, OTA-005).
        case radio
        /// Stored or imported: any version, but no empty payload (OTA-006).
        case blob
    }

    // What is needed of every packet stands before the bytes, of which few packets fill all.
    @usableFromInline var length: UInt8
    @usableFromInline var payloadStart: UInt8
    /// The SNR at which this node received the packet, in quarter decibels; 0 for a packet of its own.
    public var snr: Int8
    /// The facts already known of this type and payload; forgotten when they change.
    @usableFromInline var facts = PacketFacts()
    @usableFromInline var storage: FixedBytes<255>

    /// Checks and copies a frame; the error names field and offset.
    public init(
        _ frame: UnsafeRawBufferPointer, as source: Source = .radio, snr: Int8 = 0
    ) throws(FrameError) {
        let verdict = FrameVerdict(of: frame, from: source)
        guard case .accepted(let start) = verdict else {
            throw verdict.error ?? FrameError(field: "header", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        self.init(accepted: frame, payloadStart: start, snr: snr)
    }

    /// Checks and copies a frame received by the radio; `nil` for one that the firmware silently discards.
    public init?(radio frame: UnsafeRawBufferPointer, snr: Int8 = 0) {
        guard case .accepted(let start) = FrameVerdict(of: frame, from: .radio) else { return nil }
        self.init(accepted: frame, payloadStart: start, snr: snr)
    }

    /// Becomes the same packet as `other`, and copies no more than it has bytes.
    public mutating func replace(with other: borrowing PacketView) {
        length = other.length
        payloadStart = other.payloadStart
        snr = other.snr
        facts = other.facts
        other.withBytes { bytes in storage.withUnsafeMutableBytes { $0.copyMemory(from: bytes) } }
    }

    /// Checks and copies a frame given as an array.
    public init(_ frame: [UInt8], as source: Source = .radio, snr: Int8 = 0) throws(FrameError) {
        let verdict = frame.withUnsafeBytes { FrameVerdict(of: $0, from: source) }
        guard case .accepted(let start) = verdict else {
            throw verdict.error ?? FrameError(field: "header", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        self = frame.withUnsafeBytes { PacketView(accepted: $0, payloadStart: start, snr: snr) }
    }

    init(accepted frame: UnsafeRawBufferPointer, payloadStart: Int, snr: Int8) {
        storage = FixedBytes(frame)
        length = UInt8(frame.count)
        self.payloadStart = UInt8(payloadStart)
        self.snr = snr
    }

    /// An empty packet as the firmware creates it before it is routed: route 0 with zero codes, `path_len` 0.
    init(draft type: PayloadType) {
        storage = FixedBytes()
        storage[0] = type.rawValue << 2
        length = 6
        payloadStart = 6
        snr = 0
    }
}

// Always inlined: the compiler calls others of these with a copy of the whole packet, one for each question.
extension PacketView {
    /// The first byte: version, type and route.
    @inlinable @inline(__always) public var header: UInt8 { storage[0] }
    /// Flood or direct, with or without transport codes: bits 0 and 1 of the header.
    @inlinable public var route: RouteType { RouteType(header: header) }
    /// True when all relays pass the packet on.
    @inlinable @inline(__always) public var isFlood: Bool { header & 2 == 0 }
    /// True when the packet names its relays, or has none.
    @inlinable @inline(__always) public var isDirect: Bool { header & 2 != 0 }
    /// The type of the payload: bits 2 to 5 of the header.
    @inlinable @inline(__always) public var type: PayloadType { PayloadType(header: header) }
    /// 0 for everything in use; 1…3 are reserved and only a blob may hold them.
    @inlinable public var version: UInt8 { header >> 6 }
    /// True when four bytes of transport codes follow the header.
    @inlinable @inline(__always) public var hasTransportCodes: Bool { header & 3 == 0 || header & 3 == 3 }

    /// The transport codes, if the route carries any.
    @inlinable public var transportCodes: TransportCodes? {
        guard hasTransportCodes else { return nil }
        return TransportCodes(
            region: UInt16(storage[1]) | UInt16(storage[2]) << 8,
            reserved: UInt16(storage[3]) | UInt16(storage[4]) << 8)
    }

    @inlinable @inline(__always) var pathLengthOffset: Int { hasTransportCodes ? 5 : 1 }
    /// The offset of the path in the frame.
    @inlinable @inline(__always) public var pathOffset: Int { pathLengthOffset + 1 }
    /// The offset of the payload in the frame.
    @inlinable @inline(__always) public var payloadOffset: Int { Int(payloadStart) }

    /// Number and size of the hashes in the path.
    @inlinable @inline(__always) public var pathLength: PathLength { PathLength(rawValue: storage[pathLengthOffset]) }
    /// Hashes in the path; in a TRACE the hops that have added their SNR.
    @inlinable @inline(__always) public var hopCount: Int { pathLength.hopCount }

    /// Bytes of the whole frame.
    @inlinable @inline(__always) public var count: Int { Int(length) }
    /// Bytes of the payload, 0…184.
    @inlinable @inline(__always) public var payloadCount: Int { Int(length) - Int(payloadStart) }
    /// The length that the firmware puts into send time-outs, whatever the packet looks like later (OTA-070).
    @inlinable public var timeoutLength: Int { payloadCount + 6 }

    /// The byte of the payload at `index`, or `nil` behind its end.
    @inlinable
    public func payloadByte(at index: Int) -> UInt8? {
        index >= 0 && index < payloadCount ? storage[Int(payloadStart) + index] : nil
    }

    /// Lends the whole frame.
    @inlinable
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withRange(0, count, body)
    }

    /// Lends the path.
    @inlinable
    public func withPath<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withRange(pathOffset, payloadOffset, body)
    }

    /// Lends the payload.
    @inlinable
    public func withPayload<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withRange(payloadOffset, count, body)
    }

    @inlinable
    func withRange<R, E: Error>(
        _ start: Int, _ end: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try Swift.withUnsafeBytes(of: storage) { (memory: UnsafeRawBufferPointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: memory[start..<end]))
        }
    }

    /// The whole frame as an array.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }
    /// The path as an array.
    public var path: [UInt8] { withPath { [UInt8]($0) } }
    /// The payload as an array.
    public var payload: [UInt8] { withPayload { [UInt8]($0) } }
}

extension PacketView {
    /// Returns whether the hash at `index` of the path is a prefix of `key`; false when there is no such hash.
    @inlinable
    public func hop(at index: Int, matches key: FixedBytes<32>) -> Bool {
        let length = pathLength
        guard index >= 0, index < length.hopCount else { return false }
        let start = pathOffset + index * length.hashSize
        for offset in 0..<length.hashSize where storage[start + offset] != key[offset] { return false }
        return true
    }

    /// Returns whether the first hash of the path is a prefix of `key`: the node is the next hop of a direct packet.
    @inlinable
    public func isNextHop(_ key: FixedBytes<32>) -> Bool { hop(at: 0, matches: key) }

    /// Returns the number of times that the path holds the hash of `key`, for loop detection.
    @inlinable
    public func hops(matching key: FixedBytes<32>) -> Int {
        var found = 0
        for index in 0..<hopCount where hop(at: index, matches: key) { found += 1 }
        return found
    }
}

extension PacketView: Hashable {
    /// Compares the frames; the SNR belongs to the reception, not to the packet.
    public static func == (a: PacketView, b: PacketView) -> Bool {
        guard a.length == b.length else { return false }
        for index in 0..<a.count where a.storage[index] != b.storage[index] { return false }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }
}
