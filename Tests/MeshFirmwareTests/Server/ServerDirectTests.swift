import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Direct packets, acknowledgements and traces on their way.
@Suite struct ServerDirectTests {
    private let body = String(repeating: "42", count: 20)

    @Test(
        .proves("INF-123"),
        arguments: [
            ("0a038a2233", "0a022233"), ("0a018a", "0a00"), ("0a02018a", nil), ("0a428a882233", "0a412233"),
            ("0a428a892233", nil), ("0a818a88e3", "0a80"),
        ])
    func `the next hop of a direct packet sends it on without its own hash`(frame: String, forward: String?) {
        var stage = ServerStage()

        let sent = stage.hear(frame + body)

        #expect(sent.map(\.hex) == (forward.map { [$0 + body] } ?? []))
    }

    @Test(.proves("INF-124")) func `the last hop leaves no hash and the size as it was`() {
        var stage = ServerStage()

        #expect(stage.hear("0a418a88" + body).map(\.hex) == ["0a40" + body])
    }

    @Test(.proves("INF-125")) func `codes of direct packets stay, but for acknowledgements`() {
        var stage = ServerStage()

        #expect(stage.hear("0b11112222028a22" + body).map(\.hex) == ["0b111122220122" + body])
        #expect(stage.hear("0f01000200028a225cb9a7e9").map(\.hex) == ["0e01225cb9a7e9"])
    }

    @Test(.proves("INF-126")) func `a direct acknowledgement goes on at once and whole`() {
        var stage = ServerStage()

        let sent = stage.hear("0e028a22112233445566")

        #expect(sent.map(\.hex) == ["0e0122112233445566"])
        #expect(sent.map(\.at) == [0])
    }

    @Test(.proves("INF-127")) func `with multi.acks a copy goes before the acknowledgement`() {
        var stage = ServerStage()
        #expect(stage.type("set multi.acks 1") == "OK")

        let sent = stage.hear("0e028a2211223344", observing: 5000)

        #expect(sent.map(\.hex) == ["2a01221311223344", "0e012211223344"])
        // Both are due at once, 300 ms and a random pause later; the copy was queued first.
        #expect(sent.allSatisfy { (300...1600).contains($0.at) })
    }

    @Test(.proves("INF-128"), arguments: [("13", 600), ("23", 900), ("03", 300)] as [(String, Int64)])
    func `a copy becomes an acknowledgement that waits for those to come`(head: String, pause: Int64) {
        var stage = ServerStage()

        let sent = stage.hear("2a028a22\(head)947f98f9")

        #expect(sent.map(\.hex) == ["0e0122947f98f9"])
        #expect(sent.map(\.at) == [pause])
    }

    @Test(.proves("INF-129")) func `the acknowledgement that follows its copy is forwarded as well`() {
        var stage = ServerStage()

        let copy = stage.hear("2a028a2213947f98f9", observing: 100)
        let plain = stage.hear("0e028a22947f98f9")

        #expect(copy.isEmpty)
        #expect(plain.map(\.hex) == ["0e0122947f98f9", "0e0122947f98f9"])
        #expect(stage.hear("0e028a22947f98f9").isEmpty)
    }

    // MARK: Traces

    private struct Traces: Decodable {
        struct Case: Decodable {
            let flags: Int
            let heardSnr: Double
            let `in`: String
            let out: String
        }

        let cases: [Case]
    }

    @Test(.proves("INF-130", "INF-131"), arguments: ServerStage.all)
    func `a trace gains the SNR, whatever the size of its entries`(role: ServerRole) {
        var stage = ServerStage(role)
        if role != .repeater { stage.type("set repeat on") }
        let cases = InfrastructureVectors.read("TRACE-FORWARD", as: Traces.self).cases

        let sent = cases.flatMap { stage.hear($0.in, snr: $0.heardSnr) }

        #expect(sent.map(\.hex) == cases.map(\.out))
        // Eight bytes an entry, the own one in second place.
        let entries = String(repeating: "55", count: 8) + ServerStage.key.prefix(8).map { [$0].hex }.joined()
        let long = stage.hear("26011004030201" + "00000000" + "03" + entries, snr: 2)
        #expect(long.map(\.hex) == ["26021008" + "04030201" + "00000000" + "03" + entries])
    }

    @Test(.proves("INF-132")) func `a trace that has ended is met with silence`() {
        var stage = ServerStage()

        #expect(stage.hear("26011001000000000000000055").isEmpty)
        #expect(stage.hear("2601100100000000000000018a88").isEmpty)
    }

    @Test(.proves("INF-133")) func `a trace that comes twice is forwarded twice`() {
        var stage = ServerStage()
        let tail = "0403020100000000008a558a"

        let first = stage.hear("2600" + tail, snr: 5)
        let again = stage.hear("2600" + tail, snr: 5)
        let second = stage.hear("26021416" + tail, snr: 6)

        #expect(first.map(\.hex) == ["260114" + tail])
        #expect(again.isEmpty)
        #expect(second.map(\.hex) == ["2603141618" + tail])
    }
}
