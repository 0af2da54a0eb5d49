import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The answers of a repeater to clients that have not logged in.
@Suite struct AnonymousQuestionTests {
    private let carol = ServerStage.carol

    private func question(
        _ kind: UInt8, at time: UInt32, pathLength: UInt8 = 0, path: [UInt8] = [], _ way: Peer.Way = .direct
    ) -> [UInt8] {
        carol.anonymous(Peer.bytes(time) + [kind, pathLength] + path, to: ServerStage.key, way)
    }

    /// The text of an answer, without padding.
    private func text(_ sent: [Sent]) -> String? {
        sent.first?.answer(for: carol).map { ByteText(bytes: [UInt8]($0.dropFirst(8))).untilNUL.string }
    }

    private struct Question: Decodable {
        let rawDirectZeroHop: String
    }

    @Test(
        .proves("INF-057"),
        arguments: [
            ("ANON-REQ-REGIONS", "00", "2a"), ("ANON-REQ-OWNER", "01ee", "48696c6c746f700a"),
            ("ANON-REQ-BASIC", "42aabbccdd", "00"),
        ])
    func `strangers who ask direct are answered along the path that they give`(id: String, route: String, body: String)
        throws
    {
        var stage = ServerStage(.repeater)
        stage.type("set name Hilltop")

        let sent = stage.hear(InfrastructureVectors.read(id, as: Question.self).rawDirectZeroHop)

        let reply = try #require(sent.first)
        #expect(sent.count == 1 && reply.at == 300)
        #expect(reply.hex.hasPrefix("06" + route + "ca8a"))
        let answer = try #require(reply.answer(for: carol))
        #expect(answer.hex.hasPrefix((Peer.bytes(1_767_225_800) + Peer.bytes(ServerStage.clock)).hex + body))
        #expect(stage.server.clients.count == 0)
    }

    @Test(.proves("INF-058")) func `questions by flood are not answered and use nothing up`() {
        var stage = ServerStage(.repeater)
        #expect(stage.hear(question(1, at: 1, .flood)).isEmpty)

        let answers = (2...6).map { stage.hear(question(1, at: $0)).count }

        #expect(answers == [1, 1, 1, 1, 0])
    }

    private struct Limit: Decodable {
        struct Call: Decodable {
            let at: UInt32
            let allowed: Bool
        }

        let calls: [Call]
    }

    @Test(.proves("INF-059", "INF-060")) func `four are answered in 180 s, counted from the first`() {
        var stage = ServerStage(.repeater)
        for call in InfrastructureVectors.read("RATE-LIMIT-ANON", as: Limit.self).calls {
            stage.setClock(ServerStage.clock + call.at)

            let sent = stage.hear(question(3, at: 1_767_226_000 + call.at), observing: 900)

            #expect((sent.count == 1) == call.allowed, "after \(call.at) s")
        }
    }

    @Test(.proves("INF-061"), arguments: [0xC1, 0xC0, 0xFF, 0xA1] as [UInt8])
    func `a way back that cannot be is not answered, and counts`(length: UInt8) {
        var stage = ServerStage(.repeater)

        let answers = [length, 0, 0, 0, 0].enumerated().map { index, length in
            stage.hear(question(1, at: 1_767_226_000 + UInt32(index), pathLength: length)).count
        }

        #expect(answers == [0, 1, 1, 1, 0])
    }

    @Test(.proves("INF-062")) func `the regions that may be flooded are listed without #`() {
        var stage = ServerStage(.repeater)
        let fresh = text(stage.hear(question(1, at: 1)))

        #expect(stage.type("region put #uk") == "OK - (flood allowed)")
        #expect(stage.type("region put de") == "OK - (flood allowed)")
        #expect(stage.type("region put fr") == "OK - (flood allowed)")
        #expect(stage.type("region denyf de") == "OK")

        #expect(fresh == "*")
        #expect(text(stage.hear(question(1, at: 2))) == "*,uk,fr")
        #expect(stage.type("region denyf *") == "OK")
        #expect(text(stage.hear(question(1, at: 3))) == "uk,fr")
    }

    @Test(.proves("INF-063")) func `the features tell that a repeater does not repeat`() throws {
        var stage = ServerStage(.repeater)
        #expect(try #require(stage.hear(question(3, at: 1)).first?.answer(for: carol))[8] == 0)

        #expect(stage.type("set repeat off") == "OK - repeat is now OFF")

        #expect(try #require(stage.hear(question(3, at: 2)).first?.answer(for: carol))[8] == 0x80)
    }

    @Test(.proves("INF-064")) func `other questions are met with silence and count for nothing`() {
        var stage = ServerStage(.repeater)
        for kind in 4...31 as ClosedRange<UInt8> {
            #expect(stage.hear(question(kind, at: 1_767_226_000)).isEmpty, "\(kind)")
        }

        #expect((1...5).map { stage.hear(question(3, at: $0)).count } == [1, 1, 1, 1, 0])
    }

    @Test(.proves("INF-065", "INF-066"), arguments: ServerStage.all.filter { $0 != .repeater })
    func `sensors and rooms take a question for a login, which it is not`(role: ServerRole) {
        var stage = ServerStage(role)

        for kind in 1...31 as ClosedRange<UInt8> {
            #expect(stage.hear(question(kind, at: 1_767_226_000)).isEmpty)
        }
        #expect(stage.server.clients.count == 0)
    }
}
