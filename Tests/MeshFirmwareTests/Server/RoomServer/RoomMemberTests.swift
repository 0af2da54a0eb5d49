import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// A room's knowledge of its members: their progress, and their presence.
@Suite struct RoomMemberTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob

    private struct KeepAlive: Decodable {
        struct Fields: Decodable {
            let since: UInt32
        }

        let fields: Fields?
        let payload: String?
        let ackHash: String
        let rawReplyDirectPath77: String?
    }

    /// A keep-alive as the recordings have it.
    private func keepAlive(since: UInt32?, at time: UInt32, _ way: Peer.Way = .direct) -> [UInt8] {
        let plaintext =
            since.map { RequestPlaintext(keepAlive: time, syncSince: $0) }
            ?? RequestPlaintext(tag: time, type: .keepAlive, parameters: [])
        return bob.datagram(.req, plaintext.written(), to: Stage.key, way)
    }

    /// A room with bob at the path 77, and three posts that wait for him.
    private func stage() -> Stage {
        var stage = Stage.room([alice, bob])
        stage.teach(bob, [0x77])
        for text in ["one", "two", "three"] { stage.post(alice, text) }
        return stage
    }

    @Test(
        .proves("INF-172", "INF-173"),
        arguments: ["ROOM-KEEPALIVE-ZERO", "ROOM-KEEPALIVE-SINCE", "ROOM-KEEPALIVE-SHORT"])
    func `a keep-alive is answered after 300 ms with how many posts wait, rested or not`(id: String) throws {
        let vector = InfrastructureVectors.read(id, as: KeepAlive.self)
        var stage = stage()
        let frame = keepAlive(since: vector.fields?.since, at: Stage.clock + 450)
        if let payload = vector.payload { #expect(try PacketView(frame).payload.hex == payload) }

        let sent = stage.hear(frame, observing: 1000)

        #expect(sent.map(\.at) == [300])
        #expect(sent.map(\.hex) == ["0e0177" + vector.ackHash + "03"])
        if let raw = vector.rawReplyDirectPath77 { #expect(sent.map(\.hex) == [raw]) }
    }

    @Test(.proves("INF-174")) func `a keep-alive says up to where the member has read, also backwards`() throws {
        var stage = stage()
        #expect(stage.texts(for: bob, milliseconds: 30_000) == ["one", "two", "three"])
        let read = try #require(stage.member(bob)?.syncSince)

        stage.hear(keepAlive(since: 0, at: Stage.clock + 1000), observing: 1000)
        #expect(stage.member(bob)?.syncSince == read)
        #expect(stage.texts(for: bob, milliseconds: 10_000).isEmpty)

        stage.hear(keepAlive(since: read - 1, at: Stage.clock + 1001), observing: 0)
        #expect(stage.member(bob)?.syncSince == read - 1)
        #expect(stage.texts(for: bob, milliseconds: 10_000) == ["three"])
    }

    @Test(.proves("INF-174")) func `a keep-alive gives up the push that is under way`() throws {
        var stage = stage()
        let push = try #require(stage.pushes(to: bob, milliseconds: 9000).first)
        #expect(stage.member(bob)?.pendingAck == push.ack)

        stage.hear(keepAlive(since: 0, at: Stage.clock + 1000), observing: 0)

        #expect(stage.member(bob)?.pendingAck == 0)
        #expect(stage.pushes(to: bob, milliseconds: 3000).map(\.words) == ["one"])
    }

    @Test(.proves("INF-175")) func `without a path, or by flood, a keep-alive is met with silence`() throws {
        var stage = Stage.room([alice, bob])
        #expect(stage.hear(keepAlive(since: 7, at: Stage.clock + 1000)).isEmpty)
        #expect(stage.member(bob)?.syncSince == 7)

        stage.teach(bob, [0x77])
        #expect(stage.hear(keepAlive(since: 9, at: Stage.clock + 1001, .flood)).isEmpty)
        #expect(stage.member(bob)?.syncSince == 7, "by flood it does not count at all")

        #expect(stage.hear(keepAlive(since: 9, at: Stage.clock + 1002)).map(\.at) == [300])
    }

    @Test(.proves("INF-170")) func `a login with a time brings what is newer`() throws {
        var stage = Stage.room([alice])
        for text in ["one", "two", "three"] { stage.post(alice, text) }

        stage.logIn(bob, Stage.roomPassword, since: 0)
        let all = stage.pushes(to: bob, milliseconds: 9000)
        let time = try #require(all.first?.text.timestamp)
        stage.logIn(bob, Stage.roomPassword, since: time)

        #expect(all.first?.words == "one")
        #expect(stage.texts(for: bob, milliseconds: 30_000) == ["two", "three"])
    }

    @Test(.proves("INF-171")) func `a blank login leaves the place where the member reads`() {
        var stage = stage()
        #expect(stage.texts(for: bob, milliseconds: 30_000) == ["one", "two", "three"])
        let read = stage.member(bob)?.syncSince

        #expect(stage.logIn(bob, "", since: 0) != nil)

        #expect(stage.member(bob)?.syncSince == read)
        #expect(stage.texts(for: bob, milliseconds: 30_000).isEmpty)
    }

    @Test(.proves("INF-177")) func `a member from flash is brought nothing until it says something`() {
        for sign in ["request", "text", "path", "login"] {
            var stage = Stage.room([])
            stage.logIn(bob, "password")
            stage.run(milliseconds: 10_000)
            stage = stage.restarted()
            stage.type("room.post for the returned")

            #expect(stage.pushes(to: bob, milliseconds: 60_000).isEmpty)
            // A login without password is no sign of life.
            #expect(stage.logIn(bob, "") != nil)
            #expect(stage.pushes(to: bob, milliseconds: 60_000).isEmpty)

            switch sign {
            case "request": stage.ask(bob, .getStatus)
            case "text": stage.post(bob, "back")
            case "path": stage.teach(bob, [0x77])
            default: stage.logIn(bob, "password")
            }
            #expect(stage.pushes(to: bob, milliseconds: 20_000).first?.words == "for the returned", "\(sign)")
        }
    }

    @Test(.proves("INF-178")) func `posts and their counts do not survive a restart`() {
        var stage = Stage.room([])
        stage.logIn(alice, "password")
        stage.post(alice, "soon forgotten")
        #expect(stage.postsAndPushes(alice) == [1, 0])

        stage.run(milliseconds: 10_000)
        stage = stage.restarted()
        stage.logIn(bob, "password", since: 0)

        #expect(stage.postsAndPushes(bob) == [0, 0])
        #expect(stage.texts(for: bob, milliseconds: 60_000).isEmpty)
    }
}
