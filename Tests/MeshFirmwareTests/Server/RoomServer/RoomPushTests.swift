import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The delivery of posts to a room's members: times, form and number.
@Suite struct RoomPushTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob
    private let carol = ServerStage.carol

    private struct Vector: Decodable {
        let plaintext: String
        let payload: String?
        let expectedAck: String?
        let expectedAckFromBob: String?
    }

    /// From the look that finds something to do to the begin of the transmission: one pass of this board.
    private let handOver: Int64 = 1

    /// The first look at or after which the room's clock lets a post go, where every look is at the same member.
    ///
    /// - Parameter rested: milliseconds until the post has rested for six seconds.
    private func firstLook(posted: Int64 = 0, rested: Int64) -> Int64 {
        var look = posted + 2001
        while look < rested { look += 151 }
        return look
    }

    @Test(.proves("INF-161", "INF-168"))
    func `a push waits for six seconds of the clock and two after the last post`() {
        var stage = Stage.room([bob])

        stage.type("room.post one")
        let one = stage.pushes(to: bob, milliseconds: 5900)
        stage.type("room.post two")
        let two = stage.pushes(to: bob, milliseconds: 4000)

        #expect(one.isEmpty)
        #expect(two.map(\.at) == [2001 + handOver])
        #expect(two.map(\.words) == ["one"])

        stage = Stage.room([bob])
        stage.type("room.post alone")
        #expect(stage.pushes(to: bob, milliseconds: 9000).map(\.at) == [firstLook(rested: 6000) + handOver])
    }

    @Test(.proves("INF-161")) func `the rest is one of the clock, which may be set`() {
        var stage = Stage.room([bob])

        stage.type("room.post one")
        stage.run(milliseconds: 3000)
        stage.setClock(Stage.clock + 16)
        stage.type("clock")
        let pushes = stage.pushes(to: bob, milliseconds: 1000)

        // Looks go on in the rhythm of 151 ms that the post began.
        #expect(pushes.map(\.at) == [firstLook(rested: 3000) + handOver - 3000])
    }

    @Test(.proves("INF-162")) func `pushes have the attempt's random bits, the author and the post's time`() throws {
        let vectors = (0...3).map { InfrastructureVectors.read("ROOM-PUSH-\($0)", as: Vector.self) }
        var stage = Stage.room([alice, bob])
        stage.setClock(Stage.clock + 7)
        stage.post(alice, "Hello room", at: Stage.clock + 400)

        var seen: [UInt8: [String]] = [:]
        for _ in 0..<12 {
            for sent in stage.run(milliseconds: 40_000) where sent.type == .txtMsg {
                let opened = try #require(sent.opened(by: bob))
                let ack = Stage.pushes([sent], to: bob).map { Peer.bytes($0.ack).hex }
                seen[opened[4] & 3] = [opened[..<19].hex, sent.packet.payload.hex] + ack
                #expect(opened[4] >> 2 == TextType.signedPlain.rawValue)
            }
            // A sign of life, without which the room gives up after the third.
            stage.ask(bob, .getStatus)
        }

        #expect(seen.keys.sorted() == [0, 1, 2, 3])
        for (bits, vector) in vectors.enumerated() {
            #expect(seen[UInt8(bits)] == [vector.plaintext, vector.payload ?? "", vector.expectedAck ?? ""])
        }
    }

    @Test(.proves("INF-163")) func `pushes to successive members are 1200 ms apart, looks in vain 150 ms`() {
        var stage = Stage.room([bob, carol])

        stage.type("room.post both")
        let sent = stage.run(milliseconds: 9000)

        let times = [bob, carol].flatMap { Stage.pushes(sent, to: $0) }.map(\.at)
        #expect(times.count == 2)
        #expect(abs(times[0] - times[1]) == 1201)

        // Alone, the second member would have been found one look after the first.
        stage = Stage.room([bob, carol])
        let before = stage.members.index(of: bob.key)
        stage.post(bob, "for carol")
        let alone = stage.pushes(to: carol, milliseconds: 9000)
        #expect(before == 0 && alone.count == 1)
        #expect((alone[0].at + 1000 - handOver - 2001) % 151 == 0)
    }

    @Test(.proves("INF-164")) func `a member has one push outstanding at most`() {
        var stage = Stage.room([bob])
        for number in 1...3 { stage.type("room.post \(number)") }

        let sent = stage.pushes(to: bob, milliseconds: 17_000)

        #expect(sent.map(\.words) == ["1"])
        #expect(stage.member(bob)?.pendingAck == sent.first?.ack)
    }

    private struct Timeouts: Decodable {
        struct Row: Decodable {
            let hops: Int?
            let timeoutMs: Int64
        }

        let table: [Row]
    }

    @Test(.proves("INF-165")) func `an unacknowledged push is repeated at the first look after its time`() {
        for row in InfrastructureVectors.read("ROOM-TIMEOUT", as: Timeouts.self).table {
            var stage = Stage.room([bob])
            if let hops = row.hops { stage.teach(bob, [UInt8](repeating: 0x77, count: hops)) }
            stage.run(milliseconds: 1000)

            stage.type("room.post again")
            let pushes = stage.pushes(to: bob, milliseconds: Int(row.timeoutMs) + 12_000)

            #expect(pushes.count >= 2, "\(row)")
            guard pushes.count >= 2 else { continue }
            // The next look is 1201 ms after the push, then one follows every 151 ms.
            let wanted = row.timeoutMs + 1
            #expect(pushes[1].at - pushes[0].at == 1201 + (wanted - 1201 + 150) / 151 * 151, "\(row)")
            #expect(pushes.allSatisfy { $0.route == (row.hops == nil ? .flood : .direct) })
        }
    }

    @Test(.proves("INF-166"), arguments: ["request", "text", "login"])
    func `after three failures only a sign of life brings pushes back`(sign: String) {
        var stage = Stage.room([bob])
        stage.type("room.post nobody hears")

        let pushes = stage.pushes(to: bob, milliseconds: 120_000)
        stage.teach(bob, [0x77])
        let afterPath = stage.pushes(to: bob, milliseconds: 60_000)

        #expect(pushes.count == 3)
        #expect(stage.member(bob)?.pushFailures == 3)
        #expect(afterPath.isEmpty, "a PATH is not enough")

        switch sign {
        case "request": stage.ask(bob, .getAccessList)
        case "text": stage.post(bob, "here")
        default: stage.logIn(bob, Stage.roomPassword)
        }
        #expect(stage.pushes(to: bob, milliseconds: 20_000).first?.words == "nobody hears")
    }

    @Test(.proves("INF-167"), arguments: ["ACK", "MULTIPART", "PATH", "passing ACK"])
    func `whatever form an acknowledgement has, it moves the member on`(form: String) throws {
        var stage = Stage.room([bob])
        for number in 1...2 { stage.type("room.post \(number)") }
        let first = try #require(stage.pushes(to: bob, milliseconds: 9000).first)

        switch form {
        case "ACK": stage.hear(Peer.ack(first.ack, .flood), observing: 0)
        case "MULTIPART":
            let multi = Peer.bytes(first.ack).withUnsafeBytes { PacketFactory.multiAck(copying: $0, remaining: 1) }
            stage.hear(Peer.routed(multi, .direct), observing: 0)
        case "PATH":
            stage.hear(
                bob.pathReturn(
                    PathLength(hashSize: 1, hops: 1), [0x77], extra: .ack, Peer.bytes(first.ack), to: Stage.key),
                observing: 0)
        default:
            // Somebody else is its next hop; the room overhears it.
            var passing = PacketFactory.ack(first.ack)
            passing?.routeDirect(PathLength(hashSize: 1, hops: 2), [0x55, 0x66])
            stage.hear(passing?.bytes ?? [], observing: 0)
        }

        #expect(stage.member(bob)?.pendingAck == 0)
        #expect(stage.member(bob)?.syncSince == first.text.timestamp)
        #expect(stage.pushes(to: bob, milliseconds: 9000).first?.words == "2")
    }

    @Test(.proves("INF-167")) func `an acknowledgement of an earlier attempt is worth nothing`() throws {
        var stage = Stage.room([bob])
        stage.type("room.post again")
        let pushes = stage.pushes(to: bob, milliseconds: 33_000)
        let last = try #require(pushes.last)
        let other = try #require(pushes.first { $0.text.head != last.text.head })

        stage.hear(Peer.ack(other.ack), observing: 0)
        #expect(stage.member(bob)?.pendingAck == last.ack)
        #expect(stage.member(bob)?.syncSince == 0)

        stage.hear(Peer.ack(last.ack), observing: 0)
        #expect(stage.member(bob)?.syncSince == last.text.timestamp)
    }

    @Test(.proves("INF-168")) func `posts arrive oldest first`() {
        var stage = Stage.room([alice, bob])
        for text in ["one", "two", "three"] { stage.post(alice, text) }

        #expect(stage.texts(for: bob, milliseconds: 30_000) == ["one", "two", "three"])
    }

    @Test(.proves("INF-169")) func `the 33rd post takes the place of the first`() {
        var stage = Stage.room([alice])
        for number in 1...33 { stage.post(alice, "post \(number)") }

        #expect(stage.logIn(bob, Stage.roomPassword, since: 0) != nil)

        #expect(stage.texts(for: bob, milliseconds: 120_000) == (2...33).map { "post \($0)" })
        #expect(stage.postsAndPushes(bob)?.first == 33)
    }

    @Test(.proves("INF-176")) func `a post of the room itself goes to everybody with its unique time`() throws {
        let vector = InfrastructureVectors.read("ROOM-PUSH-SYSTEM", as: Vector.self)
        var stage = Stage.room([alice, bob])
        stage.setClock(Stage.clock + 9)

        #expect(stage.type("room.post   Maintenance tonight") == "OK")
        #expect(stage.type("room.post") == "ERR empty message")
        let sent = stage.run(milliseconds: 9000)

        for member in [alice, bob] {
            let push = try #require(Stage.pushes(sent, to: member).first)
            #expect(push.text.authorPrefix.array == [UInt8](Stage.key.prefix(4)))
            #expect(push.text.timestamp == Stage.clock + 9)
            #expect(push.words == "Maintenance tonight")
            var first = push.text
            first.head &= ~3
            #expect(first.written().prefix(28).elementsEqual([UInt8](hex: vector.plaintext) ?? []))
            if member.key == bob.key {
                let ack = first.ackHash(sender: Stage.key, receiver: bob.key).map { Peer.bytes($0).hex }
                #expect(ack == vector.expectedAckFromBob)
            }
        }
    }
}
