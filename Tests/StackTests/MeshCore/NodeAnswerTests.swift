import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@Suite struct NodeAnswerTests {
    private static let status: [UInt8] = {
        var status = RepeaterStatus()
        (status.server.batteryMillivolts, status.server.uptime) = (4011, 77)
        (status.receiveAirtime, status.receiveErrors) = (0x0004_0003, 9)
        return status.written()
    }()

    @Test(.proves("SVC-022")) func `a status is read from 48 bytes on, with whatever more there is`() throws {
        for count in 48...64 {
            let bytes = Array((Self.status + [UInt8](repeating: 0, count: 8)).prefix(count))
            let repeater = try NodeStatus(bytes, from: .repeater)
            #expect((repeater.server.batteryMillivolts, repeater.server.uptime) == (4011, 77))
            #expect(repeater.receiveAirtime == (count >= 52 ? 0x0004_0003 : nil))
            #expect(repeater.receiveErrors == (count >= 56 ? 9 : nil))
        }
        for count in [0, 1, 47] {
            #expect(throws: FrameError.self) { try NodeStatus(Array(Self.status.prefix(count)), from: .repeater) }
        }
    }

    @Test(.proves("SVC-022", "SVC-R-106")) func `the same bytes are post counters from a room`() throws {
        let room = try NodeStatus(Self.status, from: .room)

        #expect((room.posts, room.pushes) == (3, 4))
        #expect(room.receiveAirtime == nil)
        #expect(try NodeStatus(Array(Self.status.prefix(50)), from: .room).pushes == nil)
    }

    /// Makes pages of a repeater with this number of neighbours that sends eleven at most.
    private static func pages(_ total: Int, from offset: Int, most: Int = 11) -> [UInt8] {
        var answer = NeighboursAnswer()
        answer.total = UInt16(total)
        for number in offset..<max(offset, min(total, offset + most)) {
            answer.append(
                FixedBytes(repeatElement(UInt8(truncatingIfNeeded: number), count: 32)), prefix: 6,
                secondsAgo: UInt32(number) << 8, snr: -4
            )
        }
        return answer.written()
    }

    private func fetch(_ total: Int, most: Int = 11) throws -> (neighbours: [Neighbour], requests: Int) {
        let tags = Notes<UInt32>()
        return try withSession(answers: { frame in
            guard let request = try? SendBinaryReq(decoding: frame), request.request.first == 6 else { return [] }
            let offset = Int(request.request[3]) | Int(request.request[4]) << 8
            let tag = UInt32(tags.all.count)
            tags.add(tag)
            return [
                Fixture.sent(tag),
                Push.BinaryResponse(tag: tag, data: Self.pages(total, from: offset, most: most)).encoded(),
            ]
        }) { session, _, _ in
            let neighbours = try await session.fetchAllNeighbours(from: Fixture.key(2)) { 7 }
            return (neighbours, tags.all.count)
        }
    }

    @Test(.proves("SVC-044", "SVC-R-110")) func `neighbours are fetched page by page until all are there`() throws {
        let (neighbours, requests) = try fetch(34)

        #expect(neighbours.map { Int($0.keyPrefix[0]) } == Array(0..<34))
        #expect(neighbours.map { Int($0.secondsAgo) } == (0..<34).map { $0 << 8 })
        #expect(neighbours.allSatisfy { $0.snr == -4 && $0.keyPrefix.count == 6 })
        #expect(requests == 4)
    }

    @Test(.proves("SVC-044")) func `an empty page and the five hundred and twelfth end the fetching`() throws {
        #expect(try fetch(9, most: 0).requests == 1)
        #expect(try fetch(60_000, most: 1).requests == 512)
    }

    @Test(.proves("SVC-154")) func `an access list is pairs, and its padding is nobody`() throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 3] + [7, 7, 7, 7, 7, 7, 2] + [UInt8](repeating: 0, count: 10)

        #expect(AccessEntry.list(bytes).map { $0.keyPrefix.hex } == ["010203040506", "070707070707"])
        #expect(AccessEntry.list(bytes).map(\.permissions) == [3, 2])
        #expect(AccessEntry.list([1, 2, 3]).isEmpty && AccessEntry.list([]).isEmpty)
    }

    @Test func `series are read up to the first that makes no sense`() throws {
        let bytes: [UInt8] = [0, 0, 0, 0] + [1, 0x74, 1, 0x90, 1, 0xA4, 1, 0x9A] + [2, 0x68, 10, 20]

        let series = MinMaxAverage.list(bytes)

        #expect(series.count == 1)
        #expect(
            series[0].minimum.values == [4] && series[0].maximum.values == [4.2] && series[0].average.values == [4.1])
        #expect(MinMaxAverage.list([]).isEmpty)
    }

    @Test func `an answer that is too short for its kind fails its request`() throws {
        try withSession(answers: { frame in
            frame.first == 0x32 ? [Fixture.sent(1), Push.BinaryResponse(tag: 1, data: [1, 2]).encoded()] : []
        }) { session, _, clock in
            let end = await outcome(clock) { try await session.requestStatus(from: Fixture.key(2), type: .repeater) }

            #expect(
                end.result.sessionError
                    == .unreadableReply(
                        .sendBinaryReq, FrameError(field: "status", offset: 0, reason: .truncated(needed: 48, left: 2)))
            )
        }
    }
}
