import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// By what carrier and in which region answers travel.
@Suite struct ReplyScopeTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let eu = MeshHash.regionKey(name: [UInt8]("eu".utf8))
    private let uk = MeshHash.regionKey(name: [UInt8]("uk".utf8))

    /// A node that knows the region eu and perhaps has uk for its default.
    private func stage(_ role: ServerRole, hasDefault: Bool = false) -> Stage {
        var stage = Stage(role)
        #expect(stage.type("region put eu") == "OK - (flood allowed)")
        if hasDefault { #expect(stage.type("region default uk") == " default scope is now uk") }
        return stage
    }

    /// Returns the region that a packet is scoped by; its second code must be 0.
    private func scope(_ sent: Sent?) -> String {
        guard let packet = sent?.packet else { return "nothing" }
        guard let codes = packet.transportCodes else { return "none" }
        guard codes.reserved == 0 else { return "second code" }
        return codes.region == packet.transportCode(for: eu)
            ? "eu" : codes.region == packet.transportCode(for: uk) ? "uk" : "unknown"
    }

    @Test(.proves("INF-097", "OTA-089"), arguments: Stage.repeaterAndRoom)
    func `what comes in an allowed region is answered in that region`(role: ServerRole) {
        var stage = stage(role, hasDefault: true)

        let login = stage.hear(stage.login(alice, "password", at: stage.nextStamp(), by: .scoped(eu)))
        let request = stage.ask(alice, .getStatus, by: .scoped(eu))

        #expect(login.map(\.route) == [.transportFlood] && scope(login.first) == "eu")
        #expect(request.map(\.route) == [.transportFlood] && scope(request.first) == "eu")
    }

    @Test(.proves("INF-098"), arguments: Stage.repeaterAndRoom)
    func `an un-scoped flood that is allowed is answered without scope`(role: ServerRole) {
        var stage = stage(role, hasDefault: true)

        let login = stage.hear(stage.login(alice, "password", at: stage.nextStamp()))

        #expect(login.map(\.route) == [.flood])
    }

    @Test(.proves("INF-099"), arguments: Stage.repeaterAndRoom, [true, false])
    func `everything else is answered in the default region, if there is one`(role: ServerRole, hasDefault: Bool) {
        var stage = stage(role, hasDefault: hasDefault)
        let expected = hasDefault ? "uk" : "none"
        let unknown = MeshHash.regionKey(name: [UInt8]("nowhere".utf8))

        let unresolved = stage.hear(stage.login(alice, "password", at: stage.nextStamp(), by: .scoped(unknown)))
        let direct = stage.ask(alice, .getStatus)
        #expect(stage.type("region denyf *") == "OK")
        let denied = stage.ask(alice, .getStatus, by: .flood)
        #expect(stage.type("region denyf eu") == "OK")
        let deniedRegion = stage.ask(alice, .getStatus, by: .scoped(eu))

        let scopes = [unresolved, direct, denied, deniedRegion].map { scope($0.first) }
        #expect(scopes == [String](repeating: expected, count: 4))
        #expect(direct.first?.type == .response)
    }

    private struct Scopes: Decodable {
        struct Case: Decodable {
            let requestScopeResolved: Bool
            let requestWasAllowedUnscopedFlood: Bool
            let defaultScopeSet: Bool
            let scope: String
        }

        let cases: [Case]
    }

    @Test(arguments: Stage.repeaterAndRoom)
    func `REPLY-SCOPE the region of an answer depends on that of the request and on the default`(role: ServerRole) {
        for row in InfrastructureVectors.read("REPLY-SCOPE", as: Scopes.self).cases {
            var stage = stage(role, hasDefault: row.defaultScopeSet)
            let way: Peer.Way = row.requestScopeResolved ? .scoped(eu) : .flood
            if !row.requestScopeResolved, !row.requestWasAllowedUnscopedFlood { stage.type("region denyf *") }

            let sent = stage.hear(stage.login(alice, "password", at: stage.nextStamp(), by: way))

            let expected = row.scope == "NONE" ? "none" : row.scope == "DEFAULT" ? "uk" : "eu"
            #expect(scope(sent.first) == expected, "\(row)")
        }
    }

    private struct Routes: Decodable {
        struct Case: Decodable {
            let arrivedByFlood: Bool
            let pathSupplied: Bool
            let outPathKnown: Bool
            let reply: String
        }

        let cases: [Case]
    }

    /// Questions supply a path and logins do not; by flood, questions are not answered at all.
    @Test func `REPLY-ROUTE an answer to a stranger takes the path that it can`() throws {
        for row in InfrastructureVectors.read("REPLY-ROUTE", as: Routes.self).cases {
            var stage = stage(.repeater)
            #expect(stage.logIn(alice) != nil)
            if row.outPathKnown { stage.teach(alice, [0xA1, 0xA2]) }
            let way: Peer.Way = row.arrivedByFlood ? .flood : .direct
            let question = AnonymousQueryPlaintext(
                tag: stage.nextStamp(), question: 3, replyPathLength: PathLength(hashSize: 1, hops: 1),
                replyPath: [0xEE])

            let sent = stage.hear(
                row.pathSupplied
                    ? alice.anonymous(question.written(), to: Stage.key, way)
                    : stage.login(alice, "password", at: stage.nextStamp(), by: way))

            if row.arrivedByFlood, row.pathSupplied {
                #expect(sent.isEmpty, "\(row)")
                continue
            }
            let reply = try #require(sent.first)
            switch row.reply {
            case "PATH_RETURN": #expect(reply.type == .path && reply.route == .flood, "\(row)")
            case "FLOOD": #expect(reply.type == .response && reply.route == .flood, "\(row)")
            case "DIRECT_OUT_PATH": #expect(reply.route == .direct && reply.packet.path == [0xA1, 0xA2], "\(row)")
            default: #expect(reply.route == .direct && reply.packet.path == [0xEE], "\(row)")
            }
        }
    }
}
