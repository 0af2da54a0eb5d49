extension PacketView {
    /// A packet of its parts; `nil` when path or payload do not fit.
    public init?(
        type: PayloadType, route: RouteType, codes: TransportCodes? = nil, pathLength: PathLength = .empty,
        path: [UInt8] = [], payload: [UInt8]
    ) {
        self.init(draft: type)
        setRoute(route, codes: codes)
        guard setPath(pathLength, path), setPayload(payload) else { return nil }
    }

    /// A packet that is not routed yet: route 0 with zero codes and `path_len` 0, as the firmware creates it.
    ///
    /// `nil` when the payload is longer than 184 bytes.
    public init?(unrouted type: PayloadType, payload: UnsafeRawBufferPointer) {
        self.init(draft: type)
        guard setPayload(payload) else { return nil }
    }

    /// Turns it into a flood of its originator: empty path of hashes of 1…3 bytes, scoped when codes are given.
    ///
    /// False for a TRACE, which cannot be flooded, and for other hash sizes (OverTheAir, "Originating packets").
    @discardableResult
    public mutating func routeFlood(hashSize: Int = 1, codes: TransportCodes? = nil) -> Bool {
        guard type != .trace, 1...3 ~= hashSize else { return false }
        setRoute(codes == nil ? .flood : .transportFlood, codes: codes)
        return setPath(PathLength(hashSize: hashSize))
    }

    /// Sends it along `path`. The hashes of a TRACE go behind its payload, and its path starts empty.
    ///
    /// False when the path is invalid or does not fit.
    @discardableResult
    public mutating func routeDirect(_ length: PathLength, _ path: UnsafeRawBufferPointer) -> Bool {
        if type == .trace {
            guard appendPayload(path) else { return false }
            setRoute(.direct)
            return setPath(.empty)
        }
        guard length.isValid, path.count >= length.byteCount else { return false }
        setRoute(.direct)
        return setPath(length, path)
    }

    /// Sends it along `path`, given as an array.
    @discardableResult
    public mutating func routeDirect(_ length: PathLength, _ path: [UInt8]) -> Bool {
        path.withUnsafeBytes { routeDirect(length, $0) }
    }

    /// Makes it a packet for the nodes in range, which none of them forwards.
    public mutating func routeZeroHop(codes: TransportCodes? = nil) {
        setRoute(codes == nil ? .direct : .transportDirect, codes: codes)
        setPath(.empty)
    }
}
