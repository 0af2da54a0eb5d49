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

/// Keeping rooms alive.
@Suite struct KeepAliveTests {
    /// A radio that lets us in at once, and does with requests what the test says.
    private static func script(
        _ request: @escaping @Sendable (Written) -> [[UInt8]]? = { _ in nil }
    ) -> @Sendable (Written) async -> [[UInt8]]? {
        { command in
            if let answer = request(command) { return answer }
            return switch command.code {
            case .sendLogin: [Frames.sent(2), Frames.loginSuccess(command.node)]
            case .sendBinaryReq where command.requestType == .keepAlive: [Frames.sent(40)]
            case .sendBinaryReq: [Frames.sent(41), Frames.answer(41, Frames.status(tail: [1, 0, 2, 0]))]
            default: nil
            }
        }
    }

    private static func seconds(_ list: Int...) -> [Duration] { list.map { .seconds($0) } }

    @Test(.proves("SVC-146")) func `a connected room gets a keep-alive every 90 s, which wants nothing`() throws {
        let told = Notes<UInt8?>()
        let written = try withNodes(script: Self.script()) { nodes in
            nodes.remote.events.observe { event in
                if case .keepAliveAnswered(_, let count) = event { told.add(count) }
            }
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(400)
            return nodes.written.all.filter { $0.requestType == .keepAlive }
        }

        #expect(written.map(\.at) == Self.seconds(90, 180, 270, 360))
        #expect(written.map(\.request) == Array(repeating: [2, 0, 0, 0, 0], count: 4))
        // The room was not heard to answer.
        #expect(told.all == [nil, nil, nil, nil])
    }

    @Test(.proves("SVC-146")) func `the room's answer, as the radio hears it, tells what is to come`() throws {
        let told = Notes<UInt8?>()
        let counts = try withNodes(script: Self.script()) { nodes in
            nodes.remote.events.observe { event in
                if case .keepAliveAnswered(_, let count) = event { told.add(count) }
            }
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            var counts: [Int?] = []
            func hear(_ tag: UInt32, _ posts: UInt8...) async throws {
                let request = RequestPlaintext(keepAlive: tag, syncSince: 0).written()
                let client = FixedBytes<32>(nodes.bench.device.publicKey)
                let hash = try #require(request.withUnsafeBytes { AckHash.keepAlive($0, client: client) })
                let answer = try #require(PacketFactory.ack(hash, extra: posts))
                await nodes.radio?.simulateReceive(Push.LogRxData(snr: 8, rssi: -80, raw: answer.bytes).encoded())
                try await nodes.sleep(1)
                counts.append(try await nodes.row(row.id).unsyncedCount)
            }
            // Before the first request, and with another tag than that of the request, it answers nothing of ours.
            try await hear(40, 9)
            try await nodes.sleep(91)
            try await hear(39, 9)
            try await hear(40)
            try await hear(40, 7)
            try await hear(40, 9)
            try await nodes.sleep(90)
            try await hear(40, 3)
            // Nor does one that comes when the session has ended.
            try await nodes.sleep(90)
            try await nodes.remote.logout(sessionID: row.id)
            try await hear(40, 5)
            return counts
        }

        #expect(counts == [nil, nil, nil, 7, 7, 3, 3])
        #expect(told.all == [nil, 7, nil, 3, nil])
    }

    @Test(.proves("SVC-146")) func `a keep-alive behind a repeated post names the post's time`() throws {
        let requests = try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            func bring(_ text: String, at time: UInt32) async throws {
                try await nodes.rooms.handleIncomingMessage(
                    deviceID: nodes.deviceID, senderPublicKeyPrefix: Data(Frames.prefix(2).array), timestamp: time,
                    authorPrefix: Data([0xB0, 0xB0, 0xB0, 0xB0]), text: text)
            }
            try await bring("one", at: 0x100)
            try await nodes.sleep(91)
            // The room has not heard the confirmation, and has an older post for us as well.
            try await bring("two", at: 0x300)
            try await bring("one", at: 0x100)
            try await nodes.sleep(90)
            // It has gone on.
            try await bring("three", at: 0x400)
            try await nodes.sleep(90)
            return nodes.written.all.filter { $0.requestType == .keepAlive }.map(\.request)
        }

        #expect(requests == [[2, 0, 0, 0, 0], [2, 0, 1, 0, 0], [2, 0, 0, 0, 0]])
    }

    @Test(.proves("SVC-146")) func `repeaters get none, and a room none after its logout`() throws {
        let times = try withNodes(script: Self.script()) { nodes in
            let repeater = try await nodes.session(3, .repeater)
            try await nodes.remote.login(sessionID: repeater.id)
            let room = try await nodes.session(2)
            try await nodes.remote.login(sessionID: room.id)
            try await nodes.sleep(100)
            try await nodes.remote.logout(sessionID: room.id)
            try await nodes.sleep(200)
            return nodes.written.all.filter { $0.requestType == .keepAlive }.map(\.node)
        }

        #expect(times == [2])
    }

    @Test(.proves("SVC-146"))
    func `a keep-alive whose turn comes late is left out when a post is on its way by then`() throws {
        let (posts, times) = try withNodes(
            script: Self.script {
                switch ($0.code, $0.node) {
                // Another node is silent for five seconds, and has the radio's turn.
                case (.sendLogin, 3): [Frames.sent(3, timeout: 5000)]
                case (.sendTxtMsg, _): [Frames.sent(77, timeout: 20_000)]
                default: nil
                }
            }
        ) { nodes in
            let room = try await nodes.session(2)
            try await nodes.remote.login(sessionID: room.id)
            let silent = try await nodes.session(3, .repeater, hops: 0)
            try await nodes.sleep(89)
            async let login = ending(nodes.clock) { try await nodes.remote.login(sessionID: silent.id) }
            try await nodes.sleep(3)
            try await nodes.rooms.postMessage(sessionID: room.id, text: "hi")
            _ = await login
            try await nodes.sleep(3)
            return (nodes.times(.sendTxtMsg), nodes.times(.sendBinaryReq, .keepAlive))
        }

        #expect(posts == Self.seconds(92))
        #expect(times == [])
    }

    @Test(.proves("SVC-146", "SVC-150"))
    func `a post that begins while a keep-alive is written is stamped behind it`() throws {
        let stamps = try withNodes { nodes in
            let (written, radio, clock, bench) = (nodes.written, nodes.radio, nodes.clock, nodes.bench)
            await radio?.answerEach { frame in
                let command = Written(at: clock.now.sinceStart, frame: frame)
                written.add(command)
                switch command.code {
                case .sendLogin: return [Frames.sent(2), Frames.loginSuccess(command.node)]
                case .getDeviceTime: return [Resp.CurrTime(epoch: bench.dependencies.seconds).encoded()]
                case .sendBinaryReq:
                    let tag = bench.dependencies.seconds
                    try? await clock.sleep(for: .milliseconds(500))
                    return [Frames.sent(tag)]
                case .sendTxtMsg: return [Frames.sent(77)]
                default: return []
                }
            }
            let room = try await nodes.session(2)
            try await nodes.remote.login(sessionID: room.id)
            try await nodes.sleep(90.2)
            let start = bench.dependencies.seconds
            try await nodes.rooms.postMessage(sessionID: room.id, text: "hi")
            return written.all.filter { $0.code == .sendTxtMsg }.map { $0.timestamp - start }
        }

        #expect(stamps == [1])
    }

    /// The radio of a test in which a post and a status request have to do with each other.
    private static func withStatusRequest<R: Sendable>(
        tag: @escaping @Sendable (NodeBench) -> UInt32,
        _ body: @escaping @Sendable (NodeBench, UUID) async throws -> R
    ) throws -> R {
        try withNodes { nodes in
            let (written, radio, clock, bench) = (nodes.written, nodes.radio, nodes.clock, nodes.bench)
            await radio?.answerEach { frame in
                let command = Written(at: clock.now.sinceStart, frame: frame)
                written.add(command)
                switch command.code {
                case .sendLogin: return [Frames.sent(2), Frames.loginSuccess(command.node)]
                case .getDeviceTime: return [Resp.CurrTime(epoch: bench.dependencies.seconds).encoded()]
                case .sendBinaryReq:
                    let tag = tag(nodes)
                    try? await clock.sleep(for: .milliseconds(500))
                    return [Frames.sent(tag)]
                case .sendTxtMsg: return [Frames.sent(77)]
                default: return []
                }
            }
            let room = try await nodes.session(2)
            try await nodes.remote.login(sessionID: room.id)
            try await nodes.sleep(10)
            return try await body(nodes, room.id)
        }
    }

    @Test(.proves("SVC-150"))
    func `a post beside a status request is stamped behind the radio's stamp of it`() throws {
        // The radio's clock is a second before the app's.
        let stamp = try Self.withStatusRequest(tag: { $0.bench.dependencies.seconds + 1 }) { nodes, room in
            let start = nodes.bench.dependencies.seconds
            async let status = ending(nodes.clock) { _ = try await nodes.remote.requestStatus(sessionID: room) }
            try await nodes.sleep(0.1)
            try await nodes.rooms.postMessage(sessionID: room, text: "hi")
            let stamp = nodes.written.all.first { $0.code == .sendTxtMsg }.map { $0.timestamp - start }
            _ = await status
            return stamp
        }

        #expect(stamp == 2)
    }

    @Test(.proves("SVC-150"))
    func `a post whose stamp a request has taken is not copied`() throws {
        // The room would acknowledge a copy, and not store it.
        let copies = try Self.withStatusRequest(tag: { nodes in
            nodes.written.all.last { $0.code == .sendTxtMsg }?.timestamp ?? 0
        }) { nodes, room in
            try await nodes.rooms.postMessage(sessionID: room, text: "hi")
            _ = await ending(nodes.clock) { _ = try await nodes.remote.requestStatus(sessionID: room) }
            try await nodes.sleep(120)
            return nodes.written.all.count { $0.code == .sendTxtMsg }
        }

        #expect(copies == 1)
    }

    @Test(.proves("SVC-146")) func `a room without a path gets none, until there is one`() throws {
        let (times, state) = try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2, hops: nil)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(200)
            #expect(nodes.times(.sendBinaryReq).isEmpty)
            _ = try await nodes.contact(2, hops: 2)
            try await nodes.sleep(200)
            return (nodes.times(.sendBinaryReq), try await nodes.remote.state(of: row.id))
        }

        #expect(times == Self.seconds(270, 360))
        #expect(state == .connected(.admin))
    }

    @Test(.proves("SVC-146")) func `the loop survives one failure, and ends with two in a row`() throws {
        let failing: Set<Duration> = [.seconds(90), .seconds(270), .seconds(360)]
        let (times, states, row) = try withNodes(
            script: Self.script {
                $0.requestType == .keepAlive && failing.contains($0.at) ? [Frames.refusal(.tableFull)] : nil
            }
        ) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(600)
            return (nodes.times(.sendBinaryReq), nodes.states.all, try await nodes.row(row.id))
        }

        #expect(times == Self.seconds(90, 180, 270, 360))
        #expect(states == [.connected(.admin), .disconnected])
        #expect(!row.isConnected)
        #expect(row.permissionLevel == .admin, "kept for the look of it")
    }

    @Test(.proves("SVC-146")) func `every fifth interval without a post the room has to say something`() throws {
        let (keepAlives, questions) = try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            // A post in the third interval.
            try await nodes.sleep(200)
            try await nodes.rooms.handleIncomingMessage(
                deviceID: nodes.deviceID, senderPublicKeyPrefix: row.publicKeyPrefix, timestamp: 5,
                authorPrefix: Data([9, 9, 9, 9]), text: "hi")
            try await nodes.sleep(1000)
            return (nodes.times(.sendBinaryReq, .keepAlive), nodes.times(.sendBinaryReq, .getStatus))
        }

        #expect(keepAlives.count == 13)
        #expect(questions == Self.seconds(630, 1080))
    }

    @Test(.proves("SVC-146"))
    func `a room that does not say anything is asked once more, and then it is gone`() throws {
        let (questions, states, end) = try withNodes(
            script: Self.script { $0.requestType == .getStatus ? [Frames.sent(41, timeout: 500)] : nil }
        ) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(540 + 39)
            #expect(try await nodes.row(row.id).isConnected)
            try await nodes.sleep(2)
            let states = nodes.states.all
            let end = nodes.times(.sendBinaryReq, .keepAlive).last
            try await nodes.sleep(300)
            return (nodes.times(.sendBinaryReq, .getStatus), states, end)
        }

        // Each question is repeated every second for 40 s.
        #expect(questions.filter { $0 < .seconds(540) }.first == .seconds(450))
        #expect(questions.filter { $0 >= .seconds(540) }.first == .seconds(540))
        #expect(questions.last == .seconds(579))
        #expect(states == [.connected(.admin), .disconnected])
        #expect(end == .seconds(540))
    }

    @Test(.proves("SVC-R-103")) func `the contact is that of the session's own radio, and the loop lives on`() throws {
        let (times, state) = try withNodes(script: Self.script()) { nodes in
            // Another radio knows the room too, without a path; it is the one in use elsewhere.
            try await nodes.store.setActiveDevice(id: try await nodes.sessionElsewhere(2).deviceID)
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(400)
            return (nodes.times(.sendBinaryReq), try await nodes.remote.state(of: row.id))
        }

        #expect(times == Self.seconds(90, 180, 270, 360))
        #expect(state == .connected(.admin))
    }

    @Test(.proves("SVC-R-103")) func `a room whose contact is gone ends at the next interval`() throws {
        let (times, states) = try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.sleep(100)
            let contact = try await nodes.store.fetchContact(deviceID: nodes.deviceID, publicKey: row.publicKey)
            try await nodes.store.deleteContact(id: try #require(contact).id)
            try await nodes.sleep(100)
            return (nodes.times(.sendBinaryReq), nodes.states.all)
        }

        #expect(times == Self.seconds(90))
        #expect(states == [.connected(.admin), .disconnected])
    }

    @Test func `a lost link ends no session: it is logged in again with the link`() throws {
        let (row, states) = try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2)
            try await nodes.remote.login(sessionID: row.id)
            await nodes.radio?.simulateLoss()
            try await nodes.sleep(1000)
            return (try await nodes.row(row.id), nodes.states.all)
        }

        #expect(row.isConnected)
        #expect(states == [.connected(.admin)])
    }

    @Test func `one keep-alive by hand needs a session and a path`() throws {
        try withNodes(script: Self.script()) { nodes in
            let row = try await nodes.session(2, hops: nil)
            let before = await ending(nodes.clock) { try await nodes.remote.sendKeepAlive(sessionID: row.id) }
            try await nodes.remote.login(sessionID: row.id)
            let flooded = await ending(nodes.clock) { try await nodes.remote.sendKeepAlive(sessionID: row.id) }
            _ = try await nodes.contact(2, hops: 0)
            try await nodes.remote.sendKeepAlive(sessionID: row.id, syncSince: 0x0102_0304)

            #expect(before.nodeError == .nodeNotConnected)
            #expect(flooded.nodeError == .floodRouted)
            #expect(nodes.written.all.last?.request == [2, 4, 3, 2, 1])
        }
    }

    @Test func `what goes on with a node ends when the service is stopped`() throws {
        let count = try withNodes(script: Self.script()) { nodes in
            for number: UInt8 in 2...4 {
                try await nodes.remote.login(sessionID: try await nodes.session(number).id)
            }
            #expect(await nodes.remote.keptAliveSessions.count == 3)
            await nodes.remote.stop()
            try await nodes.sleep(1000)
            return nodes.times(.sendBinaryReq).count
        }

        #expect(count == 0)
    }
}
