import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Repeaters behind a scripted radio.
@Suite struct RepeaterTests {
    // MARK: Command lines

    @Test(.proves("SVC-152"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2))])
    func `two commands to one node do not mix, and other nodes do not wait`(_ order: VirtualTime.Order) throws {
        let (answers, written) = try withNodes(
            order: order, script: { $0.code == .sendTxtMsg ? [Frames.sent(0)] : nil }
        ) { nodes in
            let one = try await nodes.connected(2, .repeater)
            let other = try await nodes.connected(3, .repeater)
            #expect(try await nodes.repeaters.fetchRepeaterSessions(deviceID: nodes.deviceID).count == 2)
            async let first = nodes.repeaters.sendCommand(sessionID: one.id, command: "get name")
            try await nodes.sleep(1)
            async let second = nodes.repeaters.sendCommand(sessionID: one.id, command: "get freq")
            async let elsewhere = nodes.repeaters.sendCommand(sessionID: other.id, command: "ver")
            try await nodes.sleep(1)
            // A text of a node that was not asked is nobody's.
            #expect(await !nodes.remote.handleCLIResponse(senderPrefix: Data(Frames.prefix(7).array), text: "> x"))
            await nodes.remote.handleCLIResponse(senderPrefix: other.publicKeyPrefix, text: "> 1.17")
            try await nodes.sleep(1)
            await nodes.remote.handleCLIResponse(senderPrefix: one.publicKeyPrefix, text: "> West Hill")
            try await nodes.sleep(1)
            await nodes.remote.handleCLIResponse(senderPrefix: one.publicKeyPrefix, text: "> 869.618")
            let answers = try await [first, second, elsewhere]
            return (answers, nodes.written.all.map { "\($0.at / .seconds(1)) \($0.text)" })
        }

        #expect(answers == ["> West Hill", "> 869.618", "> 1.17"])
        #expect(written.count == 3)
        #expect(written.first == "0.0 get name")
        #expect(written.last == "3.0 get freq", "only when the first has its answer")
    }

    @Test(.proves("SVC-152"), arguments: [(0, 10), (2, 10), (3, 15), (nil, 15)] as [(Int?, Int)])
    func `a command without an answer ends after 10 s, and 15 s for nodes far away`(_ hops: Int?, _ limit: Int) throws {
        let end = try withNodes(script: { $0.code == .sendTxtMsg ? [Frames.sent(0)] : nil }) { nodes in
            let row = try await nodes.connected(2, .repeater, hops: hops)
            return await ending(nodes.clock) {
                try await nodes.repeaters.sendCommand(sessionID: row.id, command: "reboot")
            }
        }

        #expect(end.nodeError == .noAnswer)
        #expect(end.took == .seconds(limit))
    }

    @Test(.proves("SVC-152"))
    func `commands are numbered for nodes that repeat it, and a late answer is not taken for the next`() throws {
        let (answer, written) = try withNodes(
            script: {
                switch $0.code {
                case .sendTxtMsg: [Frames.sent(0)]
                case .sendLogin: [Frames.sent(2), Frames.loginSuccess(2)]
                default: nil
                }
            }
        ) { nodes in
            let row = try await nodes.session(2, .repeater)
            try await nodes.remote.login(sessionID: row.id)
            let first = await ending(nodes.clock) {
                try await nodes.repeaters.sendCommand(sessionID: row.id, command: "get name")
            }
            #expect(first.nodeError == .noAnswer)
            async let second = nodes.repeaters.sendCommand(sessionID: row.id, command: "get freq")
            try await nodes.sleep(1)
            #expect(
                await !nodes.remote.handleCLIResponse(senderPrefix: row.publicKeyPrefix, text: "01|> West Hill"))
            #expect(await nodes.remote.handleCLIResponse(senderPrefix: row.publicKeyPrefix, text: "02|> 869.618"))
            return (try await second, nodes.written.all.map(\.text).filter { !$0.isEmpty })
        }

        #expect(written == ["01|get name", "02|get freq"])
        #expect(answer == "> 869.618")
    }

    @Test func `an answer is that of the session that asked, where two radios have one with the node`() throws {
        let answers = try withNodes(script: { $0.code == .sendTxtMsg ? [Frames.sent(0)] : nil }) { nodes in
            let own = try await nodes.connected(2, .repeater)
            let other = try await nodes.connected(nodes.sessionElsewhere(2, .repeater))
            var answers: [String] = []
            for row in [own, other] {
                async let answer = nodes.repeaters.sendCommand(sessionID: row.id, command: "get name")
                try await nodes.sleep(1)
                #expect(await nodes.remote.handleCLIResponse(senderPrefix: row.publicKeyPrefix, text: row.name))
                answers.append(try await answer)
            }
            return answers
        }

        #expect(answers == ["node 2", "the same"])
    }

    @Test func `a command that is called off makes way for the next`() throws {
        let (end, next) = try withNodes(script: { $0.code == .sendTxtMsg ? [Frames.sent(0)] : nil }) { nodes in
            let row = try await nodes.connected(2, .repeater)
            let first = Task {
                await ending(nodes.clock) { try await nodes.repeaters.sendCommand(sessionID: row.id, command: "one") }
            }
            try await nodes.sleep(1)
            async let second = nodes.repeaters.sendCommand(sessionID: row.id, command: "two")
            try await nodes.sleep(1)
            first.cancel()
            let end = await first.value
            try await nodes.sleep(1)
            await nodes.remote.handleCLIResponse(senderPrefix: row.publicKeyPrefix, text: "done")
            return (end, try await second)
        }

        #expect(end.isCancellation)
        #expect(next == "done")
    }

    @Test func `commands that wait when the service is stopped are cancelled`() throws {
        let ends = try withNodes(script: { $0.code == .sendTxtMsg ? [Frames.sent(0)] : nil }) { nodes in
            let row = try await nodes.connected(2, .repeater)
            async let first = ending(nodes.clock) {
                try await nodes.repeaters.sendCommand(sessionID: row.id, command: "one")
            }
            async let second = ending(nodes.clock) {
                try await nodes.repeaters.sendCommand(sessionID: row.id, command: "two")
            }
            try await nodes.sleep(1)
            await nodes.remote.stop()
            return await [first, second]
        }

        #expect(ends.map(\.nodeError) == [.cancelled, .cancelled])
        #expect(ends.map(\.took) == [.seconds(1), .seconds(1)])
    }

    @Test(.proves("SVC-155"))
    func `command lines and the access list are for administrators, and nothing is written otherwise`() throws {
        try withNodes { nodes in
            var errors: [StackError.Reason?] = []
            for (number, level) in [(2, .guest), (3, .readWrite)] as [(UInt8, RoomPermissionLevel)] {
                let row = try await nodes.connected(number, .repeater, level)
                errors.append(
                    await ending(nodes.clock) {
                        try await nodes.repeaters.sendCommand(sessionID: row.id, command: "ver")
                    }.nodeError)
                errors.append(
                    await ending(nodes.clock) { try await nodes.repeaters.requestACL(sessionID: row.id) }.nodeError)
            }

            #expect(errors == Array(repeating: .permissionDenied, count: 4))
            #expect(nodes.written.all == [])
        }
    }

    // MARK: Status

    @Test(.proves("SVC-153")) func `a repeater's status is stored, with airtime and neighbours`() throws {
        let (row, told) = try withNodes(
            script: {
                switch $0.requestType {
                case .getStatus: [Frames.sent(5), Frames.answer(5, Frames.status(tail: [120, 0, 0, 0, 1, 0, 0, 0]))]
                case .getNeighbours: [Frames.sent(6), Frames.answer(6, [34, 0, 0, 0])]
                default: nil
                }
            }
        ) { nodes in
            let told = Notes<UInt32?>()
            nodes.repeaters.events.observe { event in
                if case .repeaterStatus(_, let status) = event { told.add(status.receiveAirtime) }
            }
            let row = try await nodes.connected(2, .repeater)
            try await nodes.repeaters.requestStatus(sessionID: row.id)
            return (try await nodes.row(row.id), told.all)
        }

        #expect(row.lastBatteryMillivolts == 4100)
        #expect(row.lastUptimeSeconds == 3600)
        #expect(row.lastNoiseFloor == -110)
        #expect(row.lastRxAirtimeSeconds == 120)
        #expect(row.neighborCount == 34)
        #expect(told == [120])
    }

    @Test(.proves("SVC-R-106", "SVC-153")) func `a room's counters of posts are not taken for airtime`() throws {
        let (status, row) = try withNodes(
            script: {
                $0.requestType == .getStatus
                    ? [Frames.sent(5), Frames.answer(5, Frames.status(tail: [7, 0, 9, 0]))] : nil
            }
        ) { nodes in
            let row = try await nodes.connected(2, .room)
            let status = try await nodes.remote.requestStatus(sessionID: row.id)
            return (status, try await nodes.row(row.id))
        }

        #expect(status.posts == 7)
        #expect(status.pushes == 9)
        #expect(status.receiveAirtime == nil)
        #expect(row.lastRxAirtimeSeconds == nil)
        #expect(row.lastBatteryMillivolts == 4100)
    }

    // MARK: Lists

    @Test(.proves("SVC-154"))
    func `the access list has keys and permissions, without entries that name nobody`() throws {
        let list = try withNodes(
            script: { command in
                guard command.requestType == .getAccessList else { return nil }
                #expect(command.request == [5, 0, 0])
                let entries: [UInt8] =
                    [1, 1, 1, 1, 1, 1, 3] + [0, 0, 0, 0, 0, 0, 3] + [2, 2, 2, 2, 2, 2, 1] + [0, 0, 0, 0, 0]
                return [Frames.sent(5), Frames.answer(5, entries)]
            }
        ) { nodes in
            try await nodes.repeaters.requestACL(sessionID: try await nodes.connected(2, .repeater).id)
        }

        #expect(list.map(\.keyPrefix) == [Frames.prefix(1), Frames.prefix(2)])
        #expect(list.map(\.permissions) == [3, 1])
    }

    /// A page of a table of neighbours whose keys count up.
    private static func page(_ request: [UInt8], of total: Int, at most: Int = 11, until end: Int? = nil) -> [UInt8] {
        let offset = Int(request[3]) | Int(request[4]) << 8
        let numbers = Array((0..<(end ?? total)).dropFirst(offset).prefix(most))
        return [UInt8(total), 0, UInt8(numbers.count), 0]
            + numbers.flatMap { [UInt8($0), 1, 1, 1, 1, 1, 60, 0, 0, 0, 20] }
    }

    @Test(.proves("SVC-R-110")) func `34 neighbours in pages of 11 are 34, with pauses between the pages`() throws {
        let (neighbours, written, row) = try withNodes(
            script: {
                $0.requestType == .getNeighbours
                    ? [Frames.sent(5), Frames.answer(5, Self.page($0.request, of: 34))] : nil
            }
        ) { nodes in
            let row = try await nodes.connected(2, .repeater)
            let neighbours = try await nodes.repeaters.fetchAllNeighbors(sessionID: row.id, order: .strongest)
            return (neighbours, nodes.written.all, try await nodes.row(row.id))
        }

        #expect(neighbours.map { $0.keyPrefix[0] } == Array(0..<34))
        #expect(written.map { $0.request[3] } == [0, 11, 22, 33])
        #expect(written.map { $0.request[5] } == [2, 2, 2, 2])
        #expect(written.map(\.at) == [0, 1, 2, 3].map { .seconds($0) })
        #expect(Set(written.map { Array($0.request[7...]) }).count == 4, "each packet differs")
        #expect(row.neighborCount == 34)
    }

    @Test(.proves("SVC-R-110")) func `an empty page ends it, whatever the number of all says`() throws {
        let (neighbours, count) = try withNodes(
            script: {
                $0.requestType == .getNeighbours
                    ? [Frames.sent(5), Frames.answer(5, Self.page($0.request, of: 34, until: 22))] : nil
            }
        ) { nodes in
            let row = try await nodes.connected(2, .repeater)
            let neighbours = try await nodes.repeaters.fetchAllNeighbors(sessionID: row.id)
            return (neighbours, nodes.written.all.count)
        }

        #expect(neighbours.count == 22)
        #expect(count == 3)
    }

    @Test(.proves("SVC-044")) func `the five hundred and twelfth page is the last`() throws {
        let (neighbours, count) = try withNodes(
            script: {
                guard $0.requestType == .getNeighbours else { return nil }
                // One of sixty thousand.
                let entry = $0.request[3...4] + [1, 1, 1, 1, 60, 0, 0, 0, 20]
                return [Frames.sent(5), Frames.answer(5, [0x60, 0xEA, 1, 0] + entry)]
            }
        ) { nodes in
            let row = try await nodes.connected(2, .repeater)
            return (try await nodes.repeaters.fetchAllNeighbors(sessionID: row.id), nodes.written.all.count)
        }

        #expect(neighbours.count == 512)
        #expect(count == 512)
    }

    @Test func `what repeaters answer is told, until nobody listens`() throws {
        let told = Notes<String>()
        try withNodes(
            script: {
                switch $0.requestType {
                case .getNeighbours: [Frames.sent(5), Frames.answer(5, Self.page($0.request, of: 2))]
                case .getTelemetryData: [Frames.sent(5), Frames.answer(5, [1, 0x74, 0x01, 0x9A])]
                default: nil
                }
            }
        ) { nodes in
            let observation = nodes.repeaters.events.note(in: told) {
                switch $0 {
                case .repeaterNeighbours(_, let page): "\(page.total) neighbours"
                case .repeaterTelemetry(_, let points): "\(points.count) points"
                default: nil
                }
            }
            let row = try await nodes.connected(2, .repeater)
            _ = try await nodes.repeaters.requestNeighbors(sessionID: row.id)
            _ = try await nodes.repeaters.requestTelemetry(sessionID: row.id)
            observation.cancel()
            _ = try await nodes.repeaters.requestNeighbors(sessionID: row.id)
        }

        #expect(told.all == ["2 neighbours", "1 points"])
    }

    @Test func `what is for repeaters is not for rooms, nor for those who are not logged in`() throws {
        try withNodes { nodes in
            let room = try await nodes.connected(2, .room)
            let gone = try await nodes.session(3, .repeater)
            let contact = try await nodes.contact(4, .room)
            let ends = [
                await ending(nodes.clock) { _ = try await nodes.repeaters.requestStatus(sessionID: room.id) },
                await ending(nodes.clock) { _ = try await nodes.repeaters.requestStatus(sessionID: gone.id) },
                await ending(nodes.clock) {
                    _ = try await nodes.repeaters.connectAsAdmin(deviceID: nodes.deviceID, contact: contact)
                },
            ]

            #expect(ends.map(\.nodeError) == [.sessionNotFound, .nodeNotConnected, .wrongNodeType(.room)])
            #expect(nodes.written.all == [])
        }
    }
}
