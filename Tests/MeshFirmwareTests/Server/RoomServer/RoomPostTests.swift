import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Posts as members send them, and what acknowledges them.
@Suite struct RoomPostTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob

    private struct Vector: Decodable {
        let ack: String
        let rawAckFlood: String?
        let rawAckDirectPath77: String?
        let rawMultiAckDirectPath77: String?
    }

    private let post = InfrastructureVectors.read("ROOM-POST", as: Vector.self)
    private let retry = InfrastructureVectors.read("ROOM-POST-RETRY", as: Vector.self)
    /// The time stamp of the recorded post.
    private let time = ServerStage.clock + 400

    @Test(.proves("INF-153")) func `a post is acknowledged after 200 ms, by flood or along the path`() {
        var stage = Stage.room([alice])

        let flooded = stage.post(alice, "Hello room", at: time)

        #expect(flooded.map(\.at) == [200])
        #expect(flooded.map(\.hex) == [post.rawAckFlood])

        stage = Stage.room([alice])
        stage.teach(alice, [0x77])
        let along = stage.post(alice, "Hello room", at: time)

        #expect(along.map(\.at) == [200])
        #expect(along.map(\.hex) == [post.rawAckDirectPath77])
    }

    @Test(.proves("INF-154")) func `with multi.acks a known path carries MULTIPART at 200 ms and ACK at 500 ms`() {
        var stage = Stage.room([alice]) { $0.preferences.extraAcks = 1 }
        stage.teach(alice, [0x77])

        let sent = stage.post(alice, "Hello room", at: time)

        #expect(sent.map(\.at) == [200, 500])
        #expect(sent.map(\.hex) == [post.rawMultiAckDirectPath77, post.rawAckDirectPath77])

        stage = Stage.room([alice]) { $0.preferences.extraAcks = 1 }
        #expect(stage.post(alice, "Hello room", at: time).map(\.hex) == [post.rawAckFlood])
    }

    @Test(.proves("INF-155")) func `a retry is acknowledged with its own value and stored once`() {
        var stage = Stage.room([alice])

        let first = stage.post(alice, "Hello room", at: time)
        let second = stage.post(alice, "Hello room", attempt: 1, at: time)

        #expect(first.map { $0.packet.payload.hex } == [post.ack])
        #expect(second.map { $0.packet.payload.hex } == [retry.ack])
        #expect(second.map(\.at) == [200])
        #expect(stage.postsAndPushes(alice) == [1, 0])
    }

    @Test(.proves("INF-156")) func `a text older than the last is met with silence and changes nothing`() {
        var stage = Stage.room([alice])
        stage.post(alice, "new", at: time)
        let before = stage.member(alice)

        let sent = stage.post(alice, "old", at: time - 1, observing: 5000)

        #expect(sent.isEmpty)
        #expect(stage.member(alice) == before)
        #expect(stage.postsAndPushes(alice) == [1, 0])
    }

    @Test(.proves("INF-157", "INF-158")) func `guests cannot post, whoever may only read can`() {
        var stage = Stage.room([bob]) { $0.preferences.allowsReadOnly = 1 }
        #expect(stage.logIn(alice, "no password of this room")?.permissions == 0)

        let guest = stage.post(alice, "from a guest")

        #expect(guest.isEmpty)
        #expect(stage.postsAndPushes(bob) == [0, 0])

        #expect(stage.type("setperm \(alice.key.hex) 1") == "OK")
        let reader = stage.post(alice, "from a reader")

        #expect(reader.map(\.at) == [200])
        #expect(reader.map(\.type) == [.ack])
        #expect(stage.postsAndPushes(bob) == [1, 0])
    }

    @Test(.proves("INF-159")) func `a post keeps its first 150 bytes, even half a character`() throws {
        var stage = Stage.room([alice, bob])
        let text = String(repeating: "x", count: 149) + "€€"

        stage.post(alice, text)

        let push = try #require(stage.pushes(to: bob, milliseconds: 9000).first)
        #expect(push.text.text.bytes == [UInt8](text.utf8.prefix(150)))
        #expect(push.text.text.bytes.last == 0xE2)
    }

    @Test(.proves("INF-160")) func `an author never gets its own post`() {
        var stage = Stage.room([alice])

        stage.post(alice, "to nobody")

        #expect(stage.run(milliseconds: 120_000).isEmpty)
        #expect(stage.postsAndPushes(alice) == [1, 0])
    }

    @Test func `an empty post is stored and brought like any other`() {
        var stage = Stage.room([alice, bob])

        stage.post(alice, "")

        #expect(stage.pushes(to: bob, milliseconds: 9000).map(\.words) == [""])
    }

    @Test func `texts of other types are met with silence`() {
        var stage = Stage.room([alice])
        let before = stage.member(alice)
        let signed = Peer.plaintext([1, 2, 3, 4, 65], type: .signedPlain, at: stage.nextStamp())

        #expect(stage.hear(alice.datagram(.txtMsg, signed, to: Stage.key)).isEmpty)
        #expect(stage.member(alice) == before)
    }

    @Test(.proves("INF-179")) func `a command of somebody who is no administrator is met with silence`() {
        var stage = Stage.room([bob])
        let stamp = stage.nextStamp()

        #expect(stage.command(bob, "ver", at: stamp) == nil)
        #expect(stage.command(bob, "room.post no", at: stamp + 1) == nil)

        #expect(stage.postsAndPushes(bob) == [0, 0])
        #expect(stage.logIn(bob, "password", at: stamp + 100) != nil)
        #expect(stage.command(bob, "room.post yes", at: stamp + 101) == "OK")
    }
}
