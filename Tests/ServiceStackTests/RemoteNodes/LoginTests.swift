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

/// Logging in to repeaters and rooms.
@Suite struct LoginTests {
    // MARK: How long

    @Test(
        .proves("SVC-143"),
        arguments: [
            (0, 1000, 5), (1, 1000, 15), (3, 1000, 35), (4, 1000, 45), (8, 1000, 60), (nil, 1000, 60), (0, 20_000, 24),
            (0, 200_000, 60),
        ] as [(Int?, UInt32, Int)])
    func `a login waits 5 s and 10 s a hop, or 1.2 times the estimate, and 60 s at most`(
        _ hops: Int?, _ estimate: UInt32, _ limit: Int
    ) throws {
        let known = Notes<Duration>()
        let end = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2, timeout: estimate)] : nil }) {
            nodes in
            let row = try await nodes.session(2, hops: hops)
            return await ending(nodes.clock) {
                try await nodes.remote.login(sessionID: row.id, onTimeoutKnown: { known.add($0) })
            }
        }

        #expect(end.nodeError == .noAnswer)
        #expect(end.took == .seconds(limit))
        #expect(known.all == [.seconds(limit)])
    }

    @Test func `a login tells how far the node's clock is ahead of ours`() throws {
        let leads = try withNodes(script: {
            $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess($0.node)] : nil
        }) { nodes in
            let row = try await nodes.session(2)
            let before = await nodes.remote.clockLead(of: row.id)
            let now = Int(nodes.bench.dependencies.seconds)
            try await nodes.remote.login(sessionID: row.id)
            let after = await nodes.remote.clockLead(of: row.id)
            await nodes.remote.forgetClockLead(of: row.id)
            return [before, after.map { $0 - (1_749_900_000 - now) }, await nodes.remote.clockLead(of: row.id)]
        }

        #expect(leads == [nil, 0, nil])
    }

    @Test(.proves("SVC-143")) func `the limit counts from the write, however late the radio says SENT`() throws {
        let end = try withNodes { nodes in
            let (radio, clock) = (nodes.radio, nodes.clock)
            await radio?.answerEach { frame in
                guard frame.first == CommandCode.sendLogin.rawValue else { return [] }
                try? await clock.sleep(for: .seconds(4))
                return [Frames.sent(2, timeout: 8000)]
            }
            let row = try await nodes.session(2, hops: 1)
            return await ending(clock) { try await nodes.remote.login(sessionID: row.id) }
        }

        #expect(end.nodeError == .noAnswer)
        #expect(end.took == .seconds(15))
    }

    @Test(.proves("SVC-143")) func `a way that the caller knows counts more than the stored one`() throws {
        let end = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }) { nodes in
            let row = try await nodes.session(2, hops: 1)
            return await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id, pathLength: 2) }
        }

        #expect(end.took == .seconds(25))
    }

    @Test(.proves("SVC-143"))
    func `a login that is lost is sent again after twice the estimate, and others have their turn meanwhile`() throws {
        let (lost, other, logins) = try withNodes(
            script: { command in
                guard command.code == .sendLogin else { return nil }
                // The frame to the first node is lost until its fourth second.
                let isLost = command.node == 2 && command.at < .seconds(4)
                return [Frames.sent(2)] + (isLost ? [] : [Frames.loginSuccess(command.node)])
            }
        ) { nodes in
            let (row, next) = (try await nodes.session(2, hops: nil), try await nodes.session(3, hops: nil))
            async let lost = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(1)
            let other = await ending(nodes.clock) { try await nodes.remote.login(sessionID: next.id) }
            let end = await lost
            return (end, other, nodes.written.all.filter { $0.code == .sendLogin })
        }

        #expect(logins.map(\.node) == [2, 3, 2, 2])
        #expect(logins.map(\.at) == [0, 2, 2, 4].map { .seconds($0) })
        #expect(lost.value?.isAdmin == true)
        #expect(lost.took == .seconds(4))
        #expect(other.value?.isAdmin == true)
        #expect(other.took == .seconds(1))
    }

    @Test(.proves("SVC-143")) func `a login ends at its limit, also while it waits for another turn`() throws {
        let (end, logins) = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2, timeout: $0.node == 2 ? 1000 : 30_000)] : nil }
        ) { nodes in
            let (row, next) = (try await nodes.session(2, hops: 0), try await nodes.session(3, hops: nil))
            async let silent = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(1)
            // From the second second on the radio waits a minute for this one.
            async let long = ending(nodes.clock) { try await nodes.remote.login(sessionID: next.id) }
            let end = await silent
            _ = await long
            return (end, nodes.written.all.filter { $0.code == .sendLogin }.map(\.node))
        }

        #expect(end.nodeError == .noAnswer)
        #expect(end.took == .seconds(5))
        #expect(logins == [2, 3])
    }

    @Test func `a login is sent once where the profile wants that`() throws {
        var profile = StackProfile.architectureV2
        profile.remoteNodes.login.retransmits = false
        let (times, end) = try withNodes(
            profile: profile, script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, hops: nil)
            let end = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            return (nodes.times(.sendLogin), end)
        }

        #expect(times == [.zero])
        #expect(end.took == .seconds(60))
    }

    @Test func `a profile that sends logins again does so within 20 s`() throws {
        let (times, end) = try withNodes(
            profile: .upstreamFinal, script: { $0.code == .sendLogin ? [Frames.sent(2, timeout: 3000)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, hops: nil)
            let end = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            return (nodes.times(.sendLogin), end)
        }

        #expect(times == [.zero, .seconds(6), .seconds(12), .seconds(18)])
        #expect(end.took == .seconds(20))
        #expect(end.nodeError == .noAnswer)
    }

    // MARK: Whose answer

    @Test(.proves("SVC-144"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(3)), .drawn(Seed(4))])
    func `an answer of another node is not taken for that of the one asked`(_ order: VirtualTime.Order) throws {
        let end = try withNodes(order: order, script: { $0.code == .sendLogin ? [Frames.sent(2, timeout: 5000)] : nil })
        { nodes in
            let row = try await nodes.session(2)
            async let login = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(1)
            await nodes.radio?.simulateReceive(Frames.loginSuccess(3))
            await nodes.radio?.simulateReceive(Frames.loginFail(4))
            try await nodes.sleep(1)
            #expect(try await nodes.remote.state(of: row.id) == .authenticating)
            await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
            let end = await login
            #expect(try await nodes.remote.state(of: row.id) == .connected(.admin))
            return end
        }

        #expect(end.value?.isAdmin == true)
        #expect(end.took == .seconds(2))
    }

    @Test(.proves("SVC-144"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(3)), .drawn(Seed(4))])
    func `a second login to a node cancels the first`(_ order: VirtualTime.Order) throws {
        let (first, second, states) = try withNodes(
            order: order, script: { $0.code == .sendLogin ? [Frames.sent(2, timeout: 5000)] : nil }
        ) { nodes in
            let row = try await nodes.session(2)
            async let first = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id, password: "a") }
            try await nodes.sleep(2)
            async let second = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id, password: "b") }
            try await nodes.sleep(2)
            await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
            return await (first, second, nodes.states.all)
        }

        #expect(first.nodeError == .cancelled)
        #expect(first.took == .seconds(2))
        #expect(second.value?.isAdmin == true)
        #expect(second.took == .seconds(2))
        #expect(states == [.connected(.admin)])
    }

    @Test func `a login whose caller is cancelled ends with that, and leaves nothing behind`() throws {
        let (end, state) = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }) { nodes in
            let row = try await nodes.session(2)
            let login = Task { await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) } }
            try await nodes.sleep(1)
            login.cancel()
            return (await login.value, try await nodes.remote.state(of: row.id))
        }

        #expect(end.isCancellation)
        #expect(end.took == .seconds(1))
        #expect(state == .disconnected)
    }

    @Test func `a login that waits when the service is stopped is cancelled`() throws {
        let end = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }) { nodes in
            let row = try await nodes.session(2)
            async let login = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(1)
            await nodes.remote.stop()
            return await login
        }

        #expect(end.nodeError == .cancelled)
        #expect(end.took == .seconds(1))
    }

    // MARK: Refused

    @Test(.proves("SVC-145", "SVC-R-104"))
    func `a refused password is an error, and neither it nor a session is kept`() throws {
        let (end, row, isKept) = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginFail(2)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, password: "wrong")
            let end = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            let isKept = try await nodes.remote.hasPassword(forNodeKey: row.publicKey)
            let again = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            #expect(again.nodeError == .passwordNotFound, "what was refused is not tried again")
            return (end, try await nodes.row(row.id), isKept)
        }

        #expect(end.nodeError == .loginFailed("the node refused the password"))
        #expect(!row.isConnected)
        #expect(row.lastConnectedDate == nil)
        #expect(!isKept)
    }

    @Test(.proves("SVC-145")) func `a password is kept after a success, if it is to be`() throws {
        let kept = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess($0.node)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, password: "right")
            let before = try await nodes.remote.hasPassword(forNodeKey: row.publicKey)
            try await nodes.remote.login(sessionID: row.id)
            let after = try await nodes.credentials.retrievePassword(forNodeKey: row.publicKey)
            let other = try await nodes.remote.createSession(
                deviceID: nodes.deviceID, contact: try await nodes.contact(3), password: "once",
                rememberPassword: false)
            try await nodes.remote.login(sessionID: other.id)
            // In memory it serves for as long as the service lives.
            try await nodes.remote.login(sessionID: other.id)
            return (before, after, try await nodes.remote.hasPassword(forNodeKey: other.publicKey))
        }

        #expect(kept.0 == false)
        #expect(kept.1 == "right")
        #expect(kept.2 == false)
    }

    @Test func `what cannot be a login is refused before anything is written`() throws {
        try withNodes { nodes in
            let chat = try await nodes.contact(4, .chat)
            let long = String(repeating: "x", count: 16)
            let row = try await nodes.session(2, password: nil)
            let ends = [
                await ending(nodes.clock) {
                    _ = try await nodes.remote.createSession(deviceID: nodes.deviceID, contact: chat)
                },
                await ending(nodes.clock) { _ = try await nodes.remote.login(sessionID: row.id, password: long) },
                await ending(nodes.clock) { _ = try await nodes.remote.login(sessionID: row.id) },
                await ending(nodes.clock) { _ = try await nodes.remote.login(sessionID: UUID()) },
            ]

            #expect(
                ends.map(\.nodeError) == [
                    .wrongNodeType(.chat), .loginFailed("the password has more than 15 bytes"), .passwordNotFound,
                    .sessionNotFound,
                ])
            #expect(nodes.written.all == [])
        }
    }

    // MARK: What it allows

    @Test(
        .proves("SVC-R-105", "SVC-150"),
        arguments: [
            (Frames.loginSuccess(2, permissions: 1, acl: 3), RoomPermissionLevel.admin, true),
            (Frames.loginSuccess(2, permissions: 0, acl: 2), .readWrite, true),
            // A room's guest: 2 in the byte that says 1 of an administrator.
            (Frames.loginSuccess(2, permissions: 2, acl: 0), .guest, false),
            (Frames.loginSuccess(2, permissions: 0, acl: 1), .guest, false),
            (
                Push.LoginSuccess(permissions: 2, publicKeyPrefix: Frames.prefix(2), serverTime: 1).encoded(), .guest,
                false
            ),
            (Push.LoginSuccess(permissions: 0, publicKeyPrefix: Frames.prefix(2)).encoded(), .readWrite, true),
        ] as [([UInt8], RoomPermissionLevel, Bool)])
    func `whatever the encoding, a guest is no admin, and who may only read cannot post`(
        _ success: [UInt8], _ level: RoomPermissionLevel, _ mayPost: Bool
    ) throws {
        let (result, post) = try withNodes(
            script: {
                switch $0.code {
                case .sendLogin: [Frames.sent(2), success]
                case .sendTxtMsg: [Frames.sent(77)]
                default: nil
                }
            }
        ) { nodes in
            let row = try await nodes.session(2)
            let result = try await nodes.remote.login(sessionID: row.id)
            #expect(try await nodes.row(row.id).permissionLevel == result.permissionLevel)
            let post = await ending(nodes.clock) { try await nodes.rooms.postMessage(sessionID: row.id, text: "hi") }
            #expect(nodes.times(.sendTxtMsg).count == (post.value == nil ? 0 : 1))
            return (result, post)
        }

        #expect(result.permissionLevel == level)
        #expect(result.isAdmin == (level == .admin))
        #expect((post.value != nil) == mayPost)
        if !mayPost { #expect(post.roomError == .permissionDenied) }
    }

    // MARK: Too late

    @Test(.proves("SVC-R-108"), arguments: [(45.5, true), (104, true), (105.5, false)])
    func `a room four hops away has 45 s, and a success up to a minute later still counts`(
        _ seconds: Double, _ counts: Bool
    ) throws {
        let (end, row, isKept, states) = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, hops: 4)
            async let login = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(seconds)
            let end = await login
            #expect(try await nodes.remote.state(of: row.id) == .disconnected)
            await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
            try await nodes.sleep(1)
            return (
                end, try await nodes.row(row.id), try await nodes.remote.hasPassword(forNodeKey: row.publicKey),
                nodes.states.all
            )
        }

        #expect(end.nodeError == .noAnswer)
        #expect(end.took == .seconds(45))
        #expect(row.isConnected == counts)
        #expect(isKept == counts)
        #expect(states == (counts ? [.connected(.admin)] : []))
    }

    @Test(.proves("SVC-R-108")) func `a late success ends nothing of a session that was removed meanwhile`() throws {
        let rows = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }) { nodes in
            let row = try await nodes.session(2, hops: 0)
            _ = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.remote.removeSession(sessionID: row.id)
            await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
            try await nodes.sleep(1)
            return try await nodes.store.fetchRemoteNodeSessions(deviceID: nodes.deviceID)
        }

        #expect(rows == [])
    }

    @Test(.proves("SVC-R-108"))
    func `a late success is that of the session that asked, where two radios have one with the node`() throws {
        let states = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2)] : nil }) { nodes in
            let own = try await nodes.session(2, .repeater, hops: 0)
            let other = try await nodes.sessionElsewhere(2, .repeater)
            var states: [[RemoteNodeState]] = []
            for row in [own, other] {
                _ = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
                await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
                try await nodes.sleep(1)
                states.append([
                    try await nodes.remote.state(of: own.id), try await nodes.remote.state(of: other.id),
                ])
            }
            return states
        }

        #expect(states == [[.connected(.admin), .disconnected], [.connected(.admin), .connected(.admin)]])
    }

    // MARK: Dropped by the radio

    @Test(.proves("SVC-R-109"))
    func `a repeater that the radio has dropped is added back, and the login works`() throws {
        let isBack = Notes<Bool>()
        let (codes, added, state) = try withNodes(script: { command in
            switch command.code {
            case .sendLogin:
                isBack.all.isEmpty ? [Frames.refusal(.notFound)] : [Frames.sent(2), Frames.loginSuccess(2)]
            case .addUpdateContact:
                {
                    isBack.add(true)
                    return [Frames.ok]
                }()
            default: nil
            }
        }) { nodes in
            let row = try await nodes.session(2, .repeater, hops: 2)
            try await nodes.remote.login(sessionID: row.id)
            let added = nodes.written.all.first { $0.code == .addUpdateContact }
            return (nodes.written.all.map(\.code), added?.frame, try await nodes.remote.state(of: row.id))
        }

        #expect(codes == [.sendLogin, .addUpdateContact, .sendLogin])
        #expect(added?[1..<33] == Frames.key(2).array[...], "its key")
        #expect(added?[33] == NodeType.repeater.rawValue)
        #expect(added?[35] == 2, "the path that was known last")
        #expect(state == .connected(.admin))
    }

    @Test(.proves("SVC-R-109")) func `a node that the radio will not have is tried once more only`() throws {
        let (end, codes) = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.refusal(.notFound)] : nil }
        ) { nodes in
            let row = try await nodes.session(2, .repeater)
            let end = await ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            return (end, nodes.written.all.map(\.code))
        }

        #expect(end.nodeError == .contactNotFound)
        #expect(codes == [.sendLogin, .addUpdateContact, .sendLogin])
    }

    // MARK: The end of a session

    @Test(.proves("SVC-128")) func `removing a contact ends the session with that node, and no other`() throws {
        let (rows, states, posts) = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess($0.node)] : nil }
        ) { nodes in
            let (one, other) = (try await nodes.session(2), try await nodes.session(3))
            try await nodes.remote.login(sessionID: one.id)
            try await nodes.remote.login(sessionID: other.id)
            try await nodes.rooms.handleIncomingMessage(
                deviceID: nodes.deviceID, senderPublicKeyPrefix: one.publicKeyPrefix, timestamp: 5,
                authorPrefix: Data([9, 9, 9, 9]), text: "hi")
            try await nodes.contacts.removeContact(deviceID: nodes.deviceID, publicKey: one.publicKey)
            try await nodes.clock.sleep(for: .milliseconds(1))
            #expect(await nodes.remote.keptAliveSessions == [other.id])
            return (
                [try await nodes.row(one.id), try await nodes.row(other.id)], nodes.states.all,
                try await nodes.rooms.fetchMessages(sessionID: one.id)
            )
        }

        #expect(rows.map(\.isConnected) == [false, true])
        #expect(states == [.connected(.admin), .connected(.admin), .disconnected])
        #expect(posts.count == 1, "what was posted stays")
    }

    @Test(.proves("SVC-156")) func `the password goes with the session, and with no other end of it`() throws {
        let kept = try withNodes(
            script: { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess($0.node)] : nil }
        ) { nodes in
            var kept: [Bool] = []
            let row = try await nodes.session(2)
            let other = try await nodes.session(3)
            try await nodes.remote.login(sessionID: row.id)
            try await nodes.remote.login(sessionID: other.id)
            try await nodes.remote.logout(sessionID: row.id)
            kept.append(try await nodes.remote.hasPassword(forNodeKey: row.publicKey))
            try await nodes.remote.removeSession(sessionID: row.id)
            kept.append(try await nodes.remote.hasPassword(forNodeKey: row.publicKey))
            kept.append(try await nodes.remote.hasPassword(forNodeKey: other.publicKey))
            return kept
        }

        #expect(kept == [true, false, true])
    }
}
