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

/// Rooms behind a scripted radio.
@Suite struct RoomTests {
    /// A radio that accepts our login, posts and keep-alives.
    @Sendable private static func script(_ command: Written) async -> [[UInt8]]? {
        switch command.code {
        case .sendLogin: [Frames.sent(2), Frames.loginSuccess(command.node, permissions: 0, acl: 2)]
        case .sendBinaryReq: [Frames.sent(40)]
        case .sendTxtMsg: [Frames.sent(77)]
        default: nil
        }
    }

    private static let bob = Data([0xB0, 0xB0, 0xB0, 0xB0])

    private static func bring(
        _ nodes: NodeBench, _ text: String, at timestamp: UInt32, from author: Data = bob, room: UInt8 = 2
    ) async throws -> RoomMessageDTO? {
        try await nodes.rooms.handleIncomingMessage(
            deviceID: nodes.deviceID, senderPublicKeyPrefix: Data(Frames.prefix(room).array), timestamp: timestamp,
            authorPrefix: author, text: text)
    }

    // MARK: Posts of others

    @Test(.proves("SVC-149"))
    func `a post is stored once per time stamp, author and text, and moves the position forward only`() throws {
        let told = Notes<String>()
        let (new, row, texts) = try withNodes(script: Self.script) { nodes in
            nodes.rooms.events.note(in: told) {
                if case .roomMessageReceived(let room, let post) = $0 {
                    "\(room.unreadCount) \(post.text)"
                } else {
                    nil
                }
            }
            let room = try await nodes.connected(2, .room, .readWrite)
            let other = Data([0xC0, 0xC0, 0xC0, 0xC0])
            var new: [Bool] = []
            for (text, timestamp, author) in [
                ("hi", 100, Self.bob), ("hi", 100, Self.bob), ("hi", 101, Self.bob), ("hi", 100, other),
                ("ho", 100, Self.bob), ("old", 50, Self.bob),
            ] as [(String, UInt32, Data)] {
                new.append(try await Self.bring(nodes, text, at: timestamp, from: author) != nil)
            }
            let texts = try await nodes.rooms.fetchMessages(sessionID: room.id).map(\.text)
            return (new, try await nodes.row(room.id), texts)
        }

        #expect(new == [true, false, true, true, true, true])
        #expect(row.unreadCount == 5)
        #expect(row.lastSyncTimestamp == 101)
        #expect(texts == ["old", "hi", "hi", "ho", "hi"])
        #expect(told.all == ["1 hi", "2 hi", "3 hi", "4 ho", "5 old"])
    }

    @Test(.proves("SVC-149")) func `an own post that comes back raises nothing`() throws {
        let told = Notes<String>()
        let (message, row) = try withNodes(script: Self.script) { nodes in
            nodes.rooms.events.note(in: told) {
                if case .roomMessageReceived(_, let post) = $0 { post.text } else { nil }
            }
            await nodes.rooms.setSelfPublicKeyPrefix(Data(Frames.key(1).array))
            let room = try await nodes.connected(2, .room, .readWrite)
            let message = try await Self.bring(nodes, "mine", at: 100, from: Data([1, 1, 1, 1]))
            return (message, try await nodes.row(room.id))
        }

        #expect(message?.isFromSelf == true)
        #expect(message?.authorName == "alice")
        #expect(row.unreadCount == 0)
        #expect(row.lastSyncTimestamp == 0)
        #expect(told.all == [])
    }

    @Test(.proves("SVC-R-022"))
    func `equal time stamps, and live posts between those of the history, stand in order`() throws {
        let (texts, pages) = try withNodes(script: Self.script) { nodes in
            let room = try await nodes.connected(2, .room, .readWrite)
            for (text, timestamp) in [("b", 20), ("live", 90), ("c", 20), ("a", 10), ("d", 20), ("e", 30)] {
                _ = try await Self.bring(nodes, text, at: UInt32(timestamp))
            }
            let texts = try await nodes.rooms.fetchMessages(sessionID: room.id).map(\.text)
            var pages: [[String]] = []
            for offset in [0, 2, 4] {
                let page = try await nodes.rooms.fetchMessages(sessionID: room.id, limit: 2, offset: offset)
                pages.append(page.map(\.text))
            }
            return (texts, pages)
        }

        #expect(texts == ["a", "b", "c", "d", "e", "live"])
        #expect(pages == [["e", "live"], ["c", "d"], ["a", "b"]])
    }

    @Test func `an author is named when one contact has the prefix, and shown by it when two have`() throws {
        let names = try withNodes(script: Self.script) { nodes in
            _ = try await nodes.connected(2, .room, .readWrite)
            var names: [String?] = []
            names.append(try await Self.bring(nodes, "1", at: 1)?.authorDisplayName)
            for (number, name) in [(1, "Bob"), (2, "Bobby")] as [(UInt8, String)] {
                let key = Self.bob + Data(repeating: number, count: 28)
                try await nodes.store.saveContact(ContactDTO(deviceID: nodes.deviceID, publicKey: key, name: name))
                names.append(try await Self.bring(nodes, "\(name)", at: 2)?.authorDisplayName)
            }
            return names
        }

        #expect(names == ["B0B0B0B0", "Bob", "B0B0B0B0"])
    }

    @Test func `a post of a room without a session is kept, and one of nobody is an error`() throws {
        try withNodes { nodes in
            _ = try await nodes.contact(2)
            _ = try await nodes.contact(3, .chat)
            let kept = try await Self.bring(nodes, "hi", at: 1)
            let chat = await ending(nodes.clock) { try await Self.bring(nodes, "hi", at: 1, room: 3) }
            let nobody = await ending(nodes.clock) { try await Self.bring(nodes, "hi", at: 1, room: 4) }
            let rooms = try await nodes.rooms.fetchRoomSessions(deviceID: nodes.deviceID)

            #expect(kept != nil)
            #expect(rooms.map(\.name) == ["node 2"])
            #expect(rooms.first?.isConnected == false)
            #expect(chat.roomError == .sessionNotFound)
            #expect(nobody.roomError == .sessionNotFound)
        }
    }

    @Test func `rooms are read, found while they are connected, and left with all that is kept of them`() throws {
        try withNodes(script: Self.script) { nodes in
            let room = try await nodes.rooms.joinRoom(
                deviceID: nodes.deviceID, contact: try await nodes.contact(2), password: "secret")
            _ = try await Self.bring(nodes, "hi", at: 1)
            try await nodes.rooms.markAsRead(sessionID: room.id)
            #expect(try await nodes.row(room.id).unreadCount == 0)
            let found = try await nodes.rooms.getConnectedSession(
                deviceID: nodes.deviceID, publicKeyPrefix: room.publicKeyPrefix)
            #expect(found?.id == room.id)
            try await nodes.rooms.leaveRoom(sessionID: room.id)

            #expect(nodes.times(.logout).count == 1)
            #expect(try await nodes.store.fetchRemoteNodeSession(id: room.id) == nil)
            #expect(try await !nodes.remote.hasPassword(forNodeKey: room.publicKey))
            #expect(try await nodes.rooms.fetchMessages(sessionID: room.id) == [])
        }
    }

    // MARK: Joining

    @Test(.proves("SVC-151"))
    func `joining asks for everything when the room is new, else for what came after the last post`() throws {
        let requests = try withNodes(script: Self.script) { nodes in
            let contact = try await nodes.contact(2)
            let room = try await nodes.rooms.joinRoom(
                deviceID: nodes.deviceID, contact: contact, password: "secret")
            _ = try await Self.bring(nodes, "hi", at: 0x0102)
            try await nodes.rooms.joinRoom(deviceID: nodes.deviceID, contact: contact)
            try await nodes.rooms.reconnectRoom(sessionID: room.id)
            return nodes.written.all.map(\.request).filter { !$0.isEmpty }
        }

        #expect(requests == [[2, 1, 0, 0, 0], [2, 2, 1, 0, 0], [2, 2, 1, 0, 0]])
    }

    @Test(.proves("SVC-151"))
    func `a room whose clock was in 2106 once is asked for everything, not for nothing`() throws {
        let near = UInt32(ServiceBench.startDate.timeIntervalSince1970) + 80_000
        let requests = try withNodes(script: Self.script) { nodes in
            let contact = try await nodes.contact(2)
            try await nodes.rooms.joinRoom(deviceID: nodes.deviceID, contact: contact, password: "secret")
            for moment in [near, .max] {
                _ = try await Self.bring(nodes, "hi", at: moment)
                try await nodes.rooms.joinRoom(deviceID: nodes.deviceID, contact: contact)
            }
            return nodes.written.all.map(\.request).filter { !$0.isEmpty }
        }

        let since = withUnsafeBytes(of: near.littleEndian) { [UInt8]($0) }
        #expect(requests == [[2, 1, 0, 0, 0], [2] + since, [2, 1, 0, 0, 0]])
    }

    @Test(.proves("SVC-151"))
    func `a room without a path is asked for the way first, and the radio told of it`() throws {
        let (codes, added, stored) = try withNodes(
            script: { command in
                switch command.code {
                case .getContactByKey: [Frames.frame(Frames.node(2, hops: nil))]
                case .sendPathDiscoveryReq:
                    [
                        Frames.sent(8),
                        Push.PathDiscoveryResponse(
                            publicKeyPrefix: Frames.prefix(2), outPathLength: PathLength(hashSize: 1, hops: 2),
                            outPath: [0xA1, 0xA2], inPath: []
                        ).encoded(),
                    ]
                default: await Self.script(command)
                }
            }
        ) { nodes in
            let contact = try await nodes.contact(2, hops: nil)
            try await nodes.rooms.joinRoom(deviceID: nodes.deviceID, contact: contact, password: "secret")
            let added = nodes.written.all.first { $0.code == .addUpdateContact }?.frame
            let stored = try await nodes.store.fetchContact(id: contact.id)
            return (nodes.written.all.map(\.code), added, stored)
        }

        #expect(
            codes == [
                .sendLogin, .getDeviceTime, .getContactByKey, .sendPathDiscoveryReq, .getContactByKey,
                .addUpdateContact, .sendBinaryReq,
            ])
        #expect(added?[35...37] == [2, 0xA1, 0xA2])
        #expect(stored?.outPath == Data([0xA1, 0xA2]))
    }

    @Test(.proves("SVC-151")) func `a path that the store learns meanwhile will do, within half a second`() throws {
        let times = try withNodes(
            script: { command in
                switch command.code {
                case .getContactByKey: [Frames.frame(Frames.node(2, hops: nil))]
                case .sendPathDiscoveryReq: [Frames.sent(8)]
                default: await Self.script(command)
                }
            }
        ) { nodes in
            let contact = try await nodes.contact(2, hops: nil)
            async let join = nodes.rooms.joinRoom(
                deviceID: nodes.deviceID, contact: contact, password: "secret")
            try await nodes.sleep(3.2)
            _ = try await nodes.contact(2, hops: 1)
            _ = try await join
            return nodes.times(.sendBinaryReq)
        }

        #expect(times == [.milliseconds(3500)])
    }

    @Test(.proves("SVC-151")) func `a room to which no way is found in 10 s is joined all the same`() throws {
        let (end, state, asked) = try withNodes(
            script: { command in
                switch command.code {
                case .getContactByKey: [Frames.frame(Frames.node(2, hops: nil))]
                case .sendPathDiscoveryReq: [Frames.sent(8)]
                default: await Self.script(command)
                }
            }
        ) { nodes in
            let contact = try await nodes.contact(2, hops: nil)
            let end = await ending(nodes.clock) {
                try await nodes.rooms.joinRoom(deviceID: nodes.deviceID, contact: contact, password: "secret")
            }
            let id = try #require(end.value).id
            let state = try await nodes.remote.state(of: id)
            let asked = await ending(nodes.clock) {
                try await nodes.remote.requestHistorySync(sessionID: id, since: 1)
            }
            return (end, state, asked)
        }

        #expect(end.took == .seconds(10))
        #expect(state == .connected(.readWrite))
        #expect(asked.nodeError == .pathDiscoveryFailed)
    }

    // MARK: Own posts

    @Test(.proves("SVC-150")) func `an own post is stored at once, and leaves the position where it is`() throws {
        let told = Notes<MessageStatus>()
        let (post, row, states, stored) = try withNodes(script: Self.script) { nodes in
            nodes.rooms.events.note(in: told) { if case .postStatusChanged(_, let status) = $0 { status } else { nil } }
            let room = try await nodes.connected(2, .room, .readWrite)
            _ = try await Self.bring(nodes, "earlier", at: 7)
            let post = try await nodes.rooms.postMessage(sessionID: room.id, text: "mine")
            var states = [try await nodes.rooms.fetchMessages(sessionID: room.id).last?.status]
            try await nodes.sleep(1)
            await nodes.radio?.simulateReceive(Push.SendConfirmed(ack: 77, roundTrip: 900).encoded())
            try await nodes.sleep(1)
            states.append(try await nodes.rooms.fetchMessages(sessionID: room.id).last?.status)
            return (post, try await nodes.row(room.id), states, try await nodes.rooms.fetchMessages(sessionID: room.id))
        }

        #expect(post.isFromSelf)
        #expect(post.authorKeyPrefix == Data([1, 1, 1, 1]))
        #expect(states == [.sent, .delivered])
        #expect(told.all == [.sent, .delivered])
        #expect(row.lastSyncTimestamp == 7)
        #expect(row.unreadCount == 1)
        #expect(stored.count == 2)
    }

    @Test(.proves("SVC-150")) func `a post that the radio refuses is stored as failed`() throws {
        let (end, status) = try withNodes(
            script: { $0.code == .sendTxtMsg ? [Frames.refusal(.tableFull)] : await Self.script($0) }
        ) { nodes in
            let room = try await nodes.connected(2, .room, .readWrite)
            let end = await ending(nodes.clock) { try await nodes.rooms.postMessage(sessionID: room.id, text: "mine") }
            return (end, try await nodes.rooms.fetchMessages(sessionID: room.id).first?.status)
        }

        #expect(end.roomError == .notSent("the radio has no room for another packet"))
        #expect(status == .failed)
    }

    @Test(.proves("SVC-150"))
    func `a post without a confirmation is sent again with its time stamp, then it has failed`() throws {
        let (written, status, resets) = try withNodes(
            script: {
                $0.code == .sendTxtMsg ? [Frames.sent(UInt32($0.frame[2]), timeout: 5000)] : await Self.script($0)
            }
        ) { nodes in
            let room = try await nodes.connected(2, .room, .readWrite)
            try await nodes.rooms.postMessage(sessionID: room.id, text: "mine")
            try await nodes.sleep(30)
            let status = try await nodes.rooms.fetchMessages(sessionID: room.id).first?.status
            return (nodes.written.all.filter { $0.code == .sendTxtMsg }, status, nodes.times(.resetPath))
        }

        #expect(written.map(\.at) == [0, 6, 12, 18].map { .seconds($0) })
        #expect(written.map { $0.frame[2] } == [0, 1, 2, 3])
        #expect(Set(written.map(\.timestamp)).count == 1)
        #expect(resets == [.seconds(12)], "then it floods")
        #expect(status == .failed)
    }

    @Test(.proves("SVC-150"))
    func `posts have time stamps of their own, behind what the radio stamped its requests with`() throws {
        let stamps = try withNodes(
            script: { $0.code == .sendBinaryReq ? [Frames.sent(1_749_900_030)] : await Self.script($0) }
        ) { nodes in
            let room = try await nodes.connected(2)
            for text in ["a", "b"] { try await nodes.rooms.postMessage(sessionID: room.id, text: text) }
            _ = await ending(nodes.clock) { try await nodes.remote.sendCLICommand(sessionID: room.id, command: "ver") }
            // The radio's clock is ahead of the host's.
            try await nodes.remote.sendKeepAlive(sessionID: room.id)
            try await nodes.rooms.postMessage(sessionID: room.id, text: "c")
            // Those of first attempts, the command among them.
            return nodes.written.all.filter { $0.code == .sendTxtMsg && $0.frame[2] == 0 }
                .map { $0.timestamp - 1_749_900_000 }
        }

        #expect(stamps == [0, 1, 2, 31])
    }

    @Test(.proves("SVC-150"))
    func `a post has a time stamp behind the radio's time at the login, which the room knows`() throws {
        let stamps = try withNodes(
            script: {
                $0.code == .getDeviceTime ? [Resp.CurrTime(epoch: 1_749_900_040).encoded()] : await Self.script($0)
            }
        ) { nodes in
            let contact = try await nodes.contact(2)
            let room = try await nodes.rooms.joinRoom(
                deviceID: nodes.deviceID, contact: contact, password: "secret")
            try await nodes.rooms.postMessage(sessionID: room.id, text: "a")
            return nodes.written.all.filter { $0.code == .sendTxtMsg }.map { $0.timestamp - 1_749_900_000 }
        }

        #expect(stamps == [41])
    }

    @Test(.proves("SVC-147", "SVC-150"))
    func `nobody posts over a new link before the room has been entered again`() throws {
        let (early, posted) = try withNodes(script: Self.script) { nodes in
            let row = try await nodes.connected(2, .room, .readWrite)
            // The services of the next connection.
            let next = await NodeBench(nodes.bench, written: nodes.written, credentials: nodes.credentials)
            try await nodes.credentials.storePassword("secret", forNodeKey: row.publicKey)
            let early = await ending(nodes.clock) {
                try await next.rooms.postMessage(sessionID: row.id, text: "early")
            }
            #expect(try await next.remote.state(of: row.id) == .disconnected, "its row says connected")
            try await next.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            #expect(try await next.remote.state(of: row.id) == .connected(.readWrite))
            let late = try await next.rooms.postMessage(sessionID: row.id, text: "late")
            let posts = try await nodes.rooms.fetchMessages(sessionID: row.id)
            await next.stop()
            return (early, posts.map(\.id) == [late.id])
        }

        #expect(early.roomError == .nodeNotConnected)
        #expect(posted)
    }

    @Test(.proves("SVC-150"))
    func `a post that nobody has confirmed when the services end has failed, and a late word delivers it`() throws {
        let (ended, late) = try withNodes(
            // A room's posts are confirmed by the first byte of its key.
            script: { $0.code == .sendTxtMsg ? [Frames.sent(UInt32($0.frame[7]))] : await Self.script($0) }
        ) { nodes in
            let room = try await nodes.connected(2, .room, .readWrite)
            let late = try await nodes.rooms.postMessage(sessionID: room.id, text: "late")
            // Four attempts of 1.2 seconds each.
            try await nodes.sleep(10)
            let before = try await nodes.rooms.fetchMessages(sessionID: room.id).first?.status
            await nodes.radio?.simulateReceive(Push.SendConfirmed(ack: 2, roundTrip: 900).encoded())
            try await nodes.sleep(1)
            let after = try await nodes.rooms.fetchMessages(sessionID: room.id).first { $0.id == late.id }?.status
            let row = try await nodes.connected(3, .room, .readWrite)
            try await nodes.rooms.postMessage(sessionID: row.id, text: "ended")
            await nodes.rooms.stop()
            return (try await nodes.rooms.fetchMessages(sessionID: row.id).first?.status, [before, after])
        }

        #expect(late == [.failed, .delivered])
        #expect(ended == .failed)
    }

    @Test(.proves("SVC-150"))
    func `who may not post, is not connected, or has nothing to say, writes nothing`() throws {
        try withNodes(script: Self.script) { nodes in
            let guest = try await nodes.connected(2, .room, .guest)
            let gone = try await nodes.connected(3, .room, .admin)
            try await nodes.remote.disconnect(sessionID: gone.id)
            let room = try await nodes.connected(4, .room, .readWrite)
            let long = String(repeating: "ä", count: 76)
            var errors: [StackError.Reason?] = []
            for (id, text) in [
                (guest.id, "hi"), (gone.id, "hi"), (room.id, ""), (room.id, "a\0b"), (room.id, long), (UUID(), "hi"),
            ] {
                errors.append(
                    await ending(nodes.clock) { try await nodes.rooms.postMessage(sessionID: id, text: text) }.roomError
                )
            }

            #expect(
                errors == [
                    .permissionDenied, .nodeNotConnected, .notSent("there is no text"),
                    .notSent("the text has a NUL character"), .notSent("the text has more than 151 bytes"),
                    .sessionNotFound,
                ])
            #expect(nodes.times(.sendTxtMsg) == [])
        }
    }
}
