public import MeshWire

// What relays and originators do to a packet. Everything happens in place; what does not fit is refused and leaves
// the packet as it was.
extension PacketView {
    /// Replaces `old` bytes at `offset` by `new` ones of undefined content and moves what follows.
    private mutating func splice(at offset: Int, removing old: Int, inserting new: Int) {
        guard old != new else { return }
        let tail = count - offset - old
        precondition(offset + new + tail <= PacketLimits.frame, "a packet is longer than a radio frame")
        storage.withUnsafeMutableBytes { memory in
            let rest = UnsafeRawBufferPointer(rebasing: memory[(offset + old)..<(offset + old + tail)])
            UnsafeMutableRawBufferPointer(rebasing: memory[(offset + new)...]).copyMemory(from: rest)
        }
        length = UInt8(offset + new + tail)
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        storage.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: bytes)
        }
    }

    /// True when one more hash fits in the path field. At 63 one-byte hashes it does, see `appendHop`.
    @inlinable @inline(__always) public var canAppendHop: Bool {
        (pathLength.hopCount + 1) * pathLength.hashSize <= PacketLimits.path
    }

    /// Appends the node's own hash, as a forwarder of a flood does; false when the path is full.
    ///
    /// With 63 one-byte hashes the firmware counts to 64 in a field of six bits: the frame leaves with `path_len` 0x40
    /// and no path at all. Other nodes depend on nothing else, so it is done the same way (OTA-032).
    @discardableResult
    public mutating func appendHop(_ key: FixedBytes<32>) -> Bool {
        guard canAppendHop else { return false }
        let old = pathLength
        let new = PathLength(rawValue: old.rawValue & 0xC0 | UInt8(old.hopCount + 1))
        changePath(from: old, to: new)
        guard new.byteCount > 0 else { return true }
        for index in 0..<old.hashSize { storage[pathOffset + old.byteCount + index] = key[index] }
        return true
    }

    /// Removes the first hash, as a forwarder of a direct packet does; false when the path is empty.
    @discardableResult
    public mutating func removeFirstHop() -> Bool {
        let old = pathLength
        guard old.hopCount > 0 else { return false }
        let start = pathOffset
        splice(at: start, removing: old.hashSize, inserting: 0)
        storage[pathLengthOffset] = old.rawValue - 1
        payloadStart -= UInt8(old.hashSize)
        return true
    }

    /// Appends the SNR at which this node received a TRACE, in quarter decibels; false when `path_len` is 64 or
    /// more.
    ///
    /// The 64th byte meets the same overflow as `appendHop`.
    @discardableResult
    public mutating func appendSNR(_ quarterDecibels: Int8) -> Bool {
        let old = pathLength
        guard old.rawValue < 64 else { return false }
        let new = PathLength(rawValue: old.rawValue + 1)
        changePath(from: old, to: new)
        if new.byteCount > 0 { storage[pathOffset + old.byteCount] = UInt8(bitPattern: quarterDecibels) }
        return true
    }

    /// Changes the length of the path at its end.
    private mutating func changePath(from old: PathLength, to new: PathLength) {
        if type == .trace { facts = PacketFacts() }
        let common = min(old.byteCount, new.byteCount)
        splice(at: pathOffset + common, removing: old.byteCount - common, inserting: new.byteCount - common)
        storage[pathLengthOffset] = new.rawValue
        payloadStart = UInt8(pathOffset + new.byteCount)
    }

    /// Sets the route. Codes are written when the route carries them; without new ones the old ones or zeros stay.
    public mutating func setRoute(_ route: RouteType, codes: TransportCodes? = nil) {
        let kept = codes ?? transportCodes ?? .zero
        let old = hasTransportCodes ? 4 : 0
        let new = route.hasTransportCodes ? 4 : 0
        splice(at: 1, removing: old, inserting: new)
        payloadStart = UInt8(payloadOffset - old + new)
        storage[0] = storage[0] & ~3 | route.rawValue
        guard route.hasTransportCodes else { return }
        storage[1] = UInt8(truncatingIfNeeded: kept.region)
        storage[2] = UInt8(truncatingIfNeeded: kept.region >> 8)
        storage[3] = UInt8(truncatingIfNeeded: kept.reserved)
        storage[4] = UInt8(truncatingIfNeeded: kept.reserved >> 8)
    }

    /// Sets the payload version, bits 7…6 of the header.
    public mutating func setVersion(_ version: UInt8) {
        storage[0] = storage[0] & 0x3F | (version & 3) << 6
    }

    /// Sets the payload type and leaves the payload alone.
    public mutating func setType(_ type: PayloadType) {
        facts = PacketFacts()
        storage[0] = storage[0] & ~0x3C | type.rawValue << 2
    }

    /// Replaces the path; false when the length is invalid or announces more bytes than are given.
    @discardableResult
    public mutating func setPath(_ length: PathLength, _ path: UnsafeRawBufferPointer) -> Bool {
        guard length.isValid, path.count >= length.byteCount else { return false }
        changePath(from: pathLength, to: length)
        write(UnsafeRawBufferPointer(rebasing: path.prefix(length.byteCount)), at: pathOffset)
        return true
    }

    /// Replaces the path; false when the length is invalid or announces more bytes than are given.
    @discardableResult
    public mutating func setPath(_ length: PathLength, _ path: [UInt8] = []) -> Bool {
        path.withUnsafeBytes { setPath(length, $0) }
    }

    /// Replaces the payload; false when it is longer than 184 bytes.
    @discardableResult
    public mutating func setPayload(_ payload: UnsafeRawBufferPointer) -> Bool {
        guard payload.count <= PacketLimits.payload else { return false }
        facts = PacketFacts()
        write(payload, at: payloadOffset)
        length = UInt8(payloadOffset + payload.count)
        return true
    }

    /// Replaces the payload; false when it is longer than 184 bytes.
    @discardableResult
    public mutating func setPayload(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBytes { setPayload($0) }
    }

    /// Appends bytes to the payload; false when it becomes longer than 184 bytes.
    @discardableResult
    public mutating func appendPayload(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard payloadCount + bytes.count <= PacketLimits.payload else { return false }
        facts = PacketFacts()
        write(bytes, at: count)
        length = UInt8(count + bytes.count)
        return true
    }

    /// Lets `body` write the payload in place into 184 bytes; it returns how many it wrote, or `nil` to refuse.
    @discardableResult
    mutating func writePayload(_ body: (UnsafeMutableRawBufferPointer) -> Int?) -> Bool {
        facts = PacketFacts()
        let start = payloadOffset
        let written = storage.withUnsafeMutableBytes { memory in
            body(UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + PacketLimits.payload)]))
        }
        guard let written, written >= 0, written <= PacketLimits.payload else { return false }
        length = UInt8(start + written)
        return true
    }
}
