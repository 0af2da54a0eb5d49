import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// The clients that are admitted, and the route of the answer.
@Suite struct ServerLoginTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob

    private struct Login: Decodable {
        let rawFloodZeroHop: String
        let rawFloodPath2X2Byte: String
    }

    /// The recorded login of an administrator.
    private func recorded(_ role: ServerRole) -> Login {
        switch role {
        case .repeater: InfrastructureVectors.read("LOGIN-REQ-REP-ADMIN")
        case .roomServer: InfrastructureVectors.read("LOGIN-REQ-ROOM-ADMIN")
        case .sensor: InfrastructureVectors.read("LOGIN-REQ-SEN-ADMIN")
        }
    }

    @Test(.proves("INF-035", "INF-036"), arguments: Stage.all)
    func `a login by flood brings back a path with the answer, a path brings back nothing`(role: ServerRole) throws {
        var stage = Stage(role)

        let sent = stage.hear(recorded(role).rawFloodZeroHop)

        let reply = try #require(sent.first)
        #expect(sent.count == 1 && reply.at == 300)
        #expect(reply.route == .flood && reply.type == .path)
        let path = try #require(reply.pathReturn(for: alice))
        #expect(path.extraType == .response)
        // 13 bytes, and the padding of the last block.
        #expect(path.extra.count == 14 && path.extra[13] == 0)
        #expect(stage.teach(alice, [0x77], by: .flood).isEmpty)
    }

    @Test(.proves("INF-037", "INF-038", "OTA-089"), arguments: Stage.all)
    func `the path that came comes back as it is, in a flood of its hash size`(role: ServerRole) throws {
        var stage = Stage(role)

        let reply = try #require(stage.hear(recorded(role).rawFloodPath2X2Byte).first)

        #expect(reply.packet.pathLength.rawValue == 0x40)
        let path = try #require(reply.pathReturn(for: alice))
        #expect(path.pathLength.rawValue == 0x42)
        #expect(path.path == [0x11, 0x22, 0x33, 0x44])
    }

    @Test(.proves("INF-039", "INF-042"), arguments: Stage.all)
    func `the answer grants, and tells role, permissions and level`(role: ServerRole) {
        var stage = Stage(role)

        let answer = stage.logIn(alice)

        #expect(answer?.result == 0 && answer?.keepAlive == 0)
        #expect(answer?.level == (role == .repeater ? 2 : 1))
        #expect(answer?.admin == 1)
        #expect(answer?.permissions == (role == .sensor ? 0xC3 : 3))
    }

    @Test(.proves("INF-040")) func `a repeater tells administrators from guests`() {
        var stage = Stage(.repeater)
        #expect(stage.type("set guest.password guest") == "OK")

        let admin = stage.logIn(alice)
        let guest = stage.logIn(bob, "guest")

        #expect(admin?.admin == 1 && admin?.permissions == 3)
        #expect(guest?.admin == 0 && guest?.permissions == 0)
    }

    @Test(.proves("INF-043"), arguments: Stage.all)
    func `a wrong password is met with silence`(role: ServerRole) {
        var stage = Stage(role)

        #expect(stage.hear(stage.login(alice, "nope", at: 1_767_226_000)).isEmpty)
        #expect(stage.hear(stage.login(alice, "Password", at: 1_767_226_001)).isEmpty)
        #expect(stage.hear(stage.login(alice, "password1", at: 1_767_226_002)).isEmpty)
    }

    @Test(.proves("INF-044"), arguments: Stage.all)
    func `a login that is not newer than the last is met with silence`(role: ServerRole) {
        var stage = Stage(role)
        if role != .sensor { #expect(stage.type("set guest.password guest") == "OK") }
        #expect(stage.logIn(alice, at: 1_767_226_000) != nil)

        #expect(stage.logIn(alice, at: 1_767_225_999) == nil)
        #expect(stage.logIn(alice, "guest", at: 1_767_226_000) == nil)
        #expect(stage.logIn(alice, at: 1_767_226_001) != nil)
    }

    @Test(.proves("INF-045"), arguments: Stage.repeaterAndRoom)
    func `a known client needs no password, and the time does not matter`(role: ServerRole) {
        var stage = Stage(role)
        #expect(stage.logIn(alice, at: 1_767_226_000) != nil)

        let answer = stage.logIn(alice, "", at: 1_767_220_000)

        #expect(answer?.admin == 1 && answer?.permissions == 3)
        #expect(stage.command(alice, "get role", at: 1_767_226_001) != nil)
    }

    @Test(.proves("INF-046")) func `a stranger without a password is a repeater's guest unless guests need one`() {
        var open = Stage(.repeater)
        #expect(open.logIn(alice, "")?.permissions == 0)

        var closed = Stage(.repeater)
        #expect(closed.type("set guest.password x") == "OK")
        #expect(closed.logIn(alice, "") == nil)
        #expect(closed.logIn(alice, "x") != nil)
    }

    @Test(.proves("INF-047")) func `a stranger without a password is not let into a room that has one`() {
        var stage = Stage(.roomServer)

        #expect(stage.logIn(alice, "") == nil)
        #expect(stage.logIn(alice, "hello")?.permissions == 2)
    }

    @Test(.proves("INF-041", "INF-050")) func `a room tells administrators, members and those who only read`() {
        var stage = Stage(.roomServer)
        let admin = stage.logIn(alice)
        let member = stage.logIn(bob, "hello")
        #expect(stage.logIn(ServerStage.carol, "nope") == nil)
        #expect(stage.type("set allow.read.only on") == "OK")

        let guest = stage.logIn(ServerStage.carol, "nope")

        #expect(admin?.admin == 1 && admin?.permissions == 3)
        #expect(member?.admin == 0 && member?.permissions == 2)
        #expect(guest?.admin == 2 && guest?.permissions == 0)
    }

    @Test(.proves("INF-048")) func `a sensor lets no strangers in without a password, and knows no guests`() {
        var stage = Stage(.sensor)
        #expect(stage.type("set guest.password guest") == "OK")

        #expect(stage.logIn(alice, "") == nil)
        #expect(stage.logIn(alice, "guest") == nil)
        #expect(stage.type("password ") == "password now: ")
        #expect(stage.logIn(alice, "") == nil)
    }

    @Test(.proves("INF-053")) func `a sensor floods its answer to a direct login, whatever it knows`() throws {
        var stage = Stage(.sensor)
        #expect(stage.type("region default eu") == " default scope is now eu")

        let first = try #require(stage.hear(stage.login(alice, "password", at: 1_767_226_000, by: .direct)).first)
        stage.teach(alice, [0xA1, 0xA2])
        let second = try #require(stage.hear(stage.login(alice, "password", at: 1_767_226_001, by: .direct)).first)

        for reply in [first, second] { #expect(reply.route == .flood && reply.type == .response && reply.at == 300) }
        #expect(second.answer(for: alice)?[6] == 1)
    }

    @Test(.proves("INF-021")) func `a sensor keeps no regions`() {
        var stage = Stage(.sensor)

        #expect(stage.type("region save") == "Err - save failed")
        #expect(stage.server.flash["/regions2"] == nil)
    }

    @Test(.proves("INF-049")) func `logging in as a guest takes an administrator's rights from him`() {
        var stage = Stage(.repeater)
        stage.type("set guest.password guest")
        #expect(stage.logIn(alice) != nil)
        #expect(stage.command(alice, "get role") == "> repeater")

        #expect(stage.logIn(alice, "guest")?.permissions == 0)

        #expect(stage.command(alice, "get role") == nil)
    }

    @Test(.proves("INF-051"), arguments: Stage.all)
    func `where both passwords are one, it is the administrator's`(role: ServerRole) {
        var stage = Stage(role)
        #expect(stage.type("set guest.password password") == "OK")

        #expect(stage.logIn(alice)?.admin == 1)
        #expect(stage.command(alice, "get role") == "> \(role.commandName)")
    }

    @Test(.proves("INF-052"), arguments: Stage.repeaterAndRoom)
    func `a direct login is answered by flood, or along the path that is known`(role: ServerRole) throws {
        var stage = Stage(role)

        let flooded = try #require(stage.hear(stage.login(alice, "password", at: 1_767_226_000, by: .direct)).first)
        stage.teach(alice, [0xA1, 0xA2])
        let direct = try #require(stage.hear(stage.login(alice, "password", at: 1_767_226_001, by: .direct)).first)

        #expect(flooded.route == .flood && flooded.type == .response && flooded.at == 300)
        #expect(direct.route == .direct && direct.type == .response && direct.at == 300)
        #expect(direct.packet.path == [0xA1, 0xA2])
        #expect([flooded, direct].allSatisfy { $0.answer(for: alice)?[6] == 1 })
    }

    @Test(.proves("INF-034"), arguments: Stage.all)
    func `a direct login leaves the path as it is`(role: ServerRole) throws {
        var stage = Stage(role)
        #expect(stage.logIn(alice) != nil)
        stage.teach(alice, [0xA1, 0xA2])

        #expect(stage.logIn(alice, by: .direct) != nil)

        let reply = try #require(stage.ask(alice, .getTelemetryData).first)
        #expect(reply.route == .direct && reply.packet.path == [0xA1, 0xA2])
    }

    @Test(.proves("INF-054"), arguments: Stage.all)
    func `the times in answers grow, even within one second`(role: ServerRole) throws {
        var stage = Stage(role)
        let peers = [alice, bob, ServerStage.carol]
        var sent: [Sent] = []
        for (index, peer) in peers.enumerated() {
            let frame = stage.login(peer, "password", at: 1_767_226_000)
            sent += stage.hear(frame, observing: index == 2 ? 5000 : 0)
        }

        let times = zip(sent, peers).compactMap { sent, peer in
            sent.answer(for: peer).flatMap {
                $0.withUnsafeBytes { try? LoginResponsePlaintext(reading: $0).serverTime }
            }
        }

        #expect(times == [Stage.clock, Stage.clock + 1, Stage.clock + 2])
    }

    @Test(.proves("INF-055"), arguments: Stage.all)
    func `the same login packet once more is a duplicate`(role: ServerRole) {
        var stage = Stage(role)
        let frame = stage.login(alice, "password", at: 1_767_226_000)

        #expect(stage.hear(frame).count == 1)
        #expect(stage.hear(frame).isEmpty)
        #expect(stage.hear(Peer.routed(try? PacketView(frame), .direct)).isEmpty)
        #expect(stage.bench.core.seen.floodDuplicates == 1 && stage.bench.core.seen.directDuplicates == 1)
    }

    @Test(.proves("INF-056"), arguments: Stage.all)
    func `logins do not need what forwarding needs`(role: ServerRole) {
        var stage = Stage(role)
        #expect(stage.type("set repeat off") == "OK - repeat is now OFF")
        #expect(stage.type("region denyf *") == "OK")
        #expect(stage.type("set flood.max 0") == "OK")

        #expect(stage.logIn(alice) != nil)
    }
}
