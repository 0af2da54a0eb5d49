import MeshCompanion
public import MeshPacket
public import MeshWire

// Binary requests with their meaning.
extension MeshCoreSession {
    /// Pages that a table of neighbours can have at most.
    public static var neighbourPages: Int { 512 }

    /// A node's account of itself; `type` says which counters it has.
    public func requestStatus(
        from key: FixedBytes<32>, type: NodeType, limit: Duration? = nil
    ) async throws -> NodeStatus {
        let bytes = try await binaryRequest(to: key, type: .getStatus, limit: limit)
        return try read(.sendBinaryReq) { () throws(FrameError) in try NodeStatus(bytes, from: type) }
    }

    /// A part of a repeater's table of neighbours; `random` makes the packet differ from others.
    public func requestNeighbours(
        from key: FixedBytes<32>, count: UInt8 = 20, offset: UInt16 = 0,
        order: NeighboursRequest.Order = .newestFirst, prefixLength: UInt8 = 6, random: UInt32
    ) async throws -> NeighboursPage {
        var request = NeighboursRequest()
        (request.count, request.offset, request.order) = (count, offset, order)
        request.prefixLength = min(prefixLength, UInt8(CompanionLimits.publicKey))
        request.random = withUnsafeBytes(of: random.littleEndian) { FixedBytes($0) }
        let bytes = try await binaryRequest(to: key, type: .getNeighbours, payload: request.written())
        let length = Int(request.prefixLength)
        return try read(.sendBinaryReq) { () throws(FrameError) in try NeighboursPage(bytes, prefixLength: length) }
    }

    /// A repeater's whole table of neighbours, page by page until it is complete, or a page is empty.
    public func fetchAllNeighbours(
        from key: FixedBytes<32>, order: NeighboursRequest.Order = .newestFirst, prefixLength: UInt8 = 6,
        random: @Sendable () -> UInt32
    ) async throws -> [Neighbour] {
        var neighbours: [Neighbour] = []
        for _ in 0..<Self.neighbourPages {
            let page = try await requestNeighbours(
                from: key, offset: UInt16(clamping: neighbours.count), order: order, prefixLength: prefixLength,
                random: random())
            neighbours += page.neighbours
            if page.neighbours.isEmpty || neighbours.count >= page.total { break }
        }
        return neighbours
    }

    /// Requests the rights of each client of a node; it answers administrators only.
    public func requestACL(from key: FixedBytes<32>) async throws -> [AccessEntry] {
        AccessEntry.list(try await binaryRequest(to: key, type: .getAccessList, payload: [0, 0]))
    }

    /// The extremes and means of a sensor's measurements from `start` seconds ago until `end` seconds ago.
    public func requestMMA(from key: FixedBytes<32>, start: UInt32, end: UInt32) async throws -> [MinMaxAverage] {
        let span = [start, end].flatMap { number in withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } }
        return MinMaxAverage.list(try await binaryRequest(to: key, type: .getAvgMinMax, payload: span + [0, 0]))
    }

    /// A repeater's name and owner, as its owner wrote them.
    public func requestOwnerInfo(from key: FixedBytes<32>) async throws -> String {
        ByteText(bytes: try await binaryRequest(to: key, type: .getOwnerInfo)).untilNUL.readable
    }

    /// The regions that a repeater in reach floods for, without a login.
    public func requestRegions(from key: FixedBytes<32>) async throws -> [String] {
        // The node's clock goes before.
        let answer = try await anonymousRequest(to: key, question: AnonymousQueryPlaintext.regions).dropFirst(4)
        return ByteText(bytes: [UInt8](answer)).untilNUL.readable.split(separator: ",").map(String.init)
    }

    private func read<T>(_ command: CommandCode, _ body: () throws(FrameError) -> T) throws(SessionError) -> T {
        do { return try body() } catch { throw .unreadableReply(command, error) }
    }
}
