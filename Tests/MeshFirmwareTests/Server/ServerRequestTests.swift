import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Requests of clients: which are answered, and by what carrier.
@Suite struct ServerRequestTests {
    private typealias Stage = ServerStage
    private let alice = ServerStage.alice
    private let bob = ServerStage.bob

    /// A node that alice administrates.
    private func stage(_ role: ServerRole) -> Stage {
        var stage = Stage(role)
        #expect(stage.logIn(alice) != nil)
        return stage
    }

    /// Returns the request that a role answers for all clients.
    private func answered(_ role: ServerRole) -> RequestType { role == .sensor ? .getTelemetryData : .getStatus }
    private let unanswered = RequestType(rawValue: 0x55)

    @Test(.proves("INF-067"), arguments: Stage.all)
    func `an answer begins with the time stamp of its request`(role: ServerRole) throws {
        var stage = stage(role)

        let sent = stage.ask(alice, .getTelemetryData, at: 0xF1E2_D3C4)

        let reply = try #require(sent.first)
        #expect(sent.count == 1 && reply.at == 300)
        #expect(reply.answer(for: alice)?.prefix(4).elementsEqual([0xC4, 0xD3, 0xE2, 0xF1]) == true)
    }

    @Test(.proves("INF-068", "INF-069"), arguments: Stage.all)
    func `a flood is answered by a path, a direct request by flood or along the path`(role: ServerRole) throws {
        var stage = stage(role)

        let unknown = try #require(stage.ask(alice, .getTelemetryData).first)
        stage.teach(alice, [0xA1, 0xA2])
        let direct = try #require(stage.ask(alice, .getTelemetryData).first)
        let flood = try #require(stage.ask(alice, .getTelemetryData, by: .flood([0x11])).first)

        #expect(unknown.route == .flood && unknown.type == .response)
        #expect(direct.route == .direct && direct.type == .response && direct.packet.path == [0xA1, 0xA2])
        #expect(flood.route == .flood && flood.type == .path)
        #expect(flood.pathReturn(for: alice)?.path == [0x11])
        #expect(flood.pathReturn(for: alice)?.extraType == .response)
    }

    @Test(.proves("INF-070", "INF-071"), arguments: Stage.all)
    func `a time stamp that was used is refused, by a room only an older one`(role: ServerRole) {
        var stage = stage(role)
        #expect(stage.answer(alice, .getTelemetryData, [0, 0, 0, 0, 1, 1, 1, 1], at: 1_767_227_000) != nil)

        let again = stage.answer(alice, .getTelemetryData, [0, 0, 0, 0, 2, 2, 2, 2], at: 1_767_227_000)
        let older = stage.answer(alice, .getTelemetryData, [0, 0, 0, 0, 3, 3, 3, 3], at: 1_767_226_999)

        #expect((again != nil) == (role == .roomServer))
        #expect(older == nil)
    }

    @Test(.proves("INF-072", "INF-073"), arguments: Stage.all)
    func `a request without an answer uses its time up in a room only`(role: ServerRole) {
        var stage = stage(role)
        let now = stage.nextStamp()

        #expect(stage.answer(alice, unanswered, at: now + 100) == nil)
        let next = stage.answer(alice, answered(role), at: now + 1)

        #expect((next == nil) == (role == .roomServer))
    }

    // MARK: Status

    @Test(.proves("INF-074", "INF-075", "INF-076"), arguments: Stage.all)
    func `a status has the layout of its role, and a sensor has none`(role: ServerRole) throws {
        var stage = stage(role)
        stage.teach(alice, [0x77])

        let sent = stage.ask(alice, .getStatus)

        guard role != .sensor else { return #expect(sent.isEmpty) }
        let answer = try #require(sent.first?.answer(for: alice))
        // Behind the time stamp: 56 bytes and padding to 64, or 52 and padding to 64.
        #expect(answer.count == 64)
        let status = try [UInt8](answer[4...]).withUnsafeBytes { try ServerStatus(reading: $0) }
        #expect(status.noiseFloor == -110 && status.lastRSSI == -60 && status.lastSNR == 40)
        #expect(status.packetsReceived == 3 && status.packetsSent == 1)
        #expect(status.sentFlood == 1 && status.sentDirect == 0)
        #expect(status.receivedFlood == 1 && status.receivedDirect == 2)
        #expect(status.queueLength == 0 && status.errorFlags == 0)
        #expect(answer.suffix(role == .roomServer ? 8 : 4).allSatisfy { $0 == 0 })
    }

    @Test(.proves("INF-077"), arguments: Stage.repeaterAndRoom)
    func `a guest may read the status`(role: ServerRole) {
        var stage = Stage(role)
        if role == .roomServer { #expect(stage.type("set allow.read.only on") == "OK") }

        #expect(stage.logIn(bob, role == .roomServer ? "nope" : "")?.permissions == 0)

        #expect(stage.answer(bob, .getStatus) != nil)
    }

    // MARK: Access list

    @Test(.proves("INF-085"), arguments: Stage.all)
    func `the access list is for administrators, with both reserved bytes zero`(role: ServerRole) {
        var stage = stage(role)
        #expect(stage.type("setperm \(bob.key.hex) 2") == "OK")

        #expect(stage.answer(bob, .getAccessList) == nil)
        #expect(stage.answer(alice, .getAccessList, [1, 0, 0, 0, 1, 2, 3, 4]) == nil)
        #expect(stage.answer(alice, .getAccessList, [0, 1, 0, 0, 1, 2, 3, 4]) == nil)
        #expect(stage.answer(alice, .getAccessList, [0, 0, 1, 1, 1, 2, 3, 4]) != nil)
    }

    private struct List: Decodable {
        let body: String
        let plaintext: String
    }

    @Test(.proves("INF-086", "INF-087"), arguments: Stage.all)
    func `the access list names who has permissions, in a room the administrators`(role: ServerRole) throws {
        var stage = Stage(role)
        for (peer, permissions) in [(alice, 3), (bob, 2), (ServerStage.carol, 195)] {
            #expect(stage.type("setperm \(peer.key.hex) \(permissions)") == "OK")
        }
        // Somebody without permissions is on no list.
        if role == .repeater { #expect(stage.logIn(.eve, "") != nil) }

        let answer = try #require(stage.ask(alice, .getAccessList, at: 1_767_225_930).first?.answer(for: alice))

        let vector = InfrastructureVectors.read("ACL-RESP", as: List.self)
        let entries = stride(from: 0, to: vector.body.count, by: 14).map { vector.body.dropFirst($0).prefix(14) }
        let expected = role == .roomServer ? [entries[0], entries[2]] : entries
        #expect(entries.count == 3)
        #expect(answer.hex.hasPrefix(vector.plaintext.prefix(8) + expected.joined()))
        #expect(answer.dropFirst(4 + 7 * expected.count).allSatisfy { $0 == 0 })
    }

    // MARK: Extremes

    @Test(.proves("INF-094")) func `a sensor tells extremes to those who have a role`() throws {
        var stage = stage(.sensor)
        let carol = ServerStage.carol
        let day = Peer.bytes(86_400) + Peer.bytes(0) + [0, 0]
        // A refused login leaves an entry without role and with a secret of zeros.
        #expect(stage.logIn(carol, at: 0) == nil)
        func asking(_ type: RequestType, at time: UInt32) -> [UInt8] {
            let request = RequestPlaintext(tag: time, type: type, parameters: day).written()
            let packet = request.withUnsafeBytes {
                PacketFactory.datagram(
                    .req, to: ServerStage.key[0], from: carol.key[0],
                    secret: SharedSecret(), $0)
            }
            return Peer.routed(packet, .direct)
        }

        let extremes = stage.answer(alice, .getAvgMinMax, day)
        let answer = try #require(extremes)

        #expect(answer.prefix(4).elementsEqual(Peer.bytes(stage.server.clients[0].lastActivity)))
        #expect(answer.dropFirst(4).prefix(2).elementsEqual([1, 116]))
        #expect(answer.count == 12)
        #expect(stage.hear(asking(.getAvgMinMax, at: 5)).isEmpty)
        #expect(stage.hear(asking(.getTelemetryData, at: 6)).count == 1)
    }

    // MARK: Owner

    private struct Owner: Decodable {
        let tag: UInt32
        let plaintext: String
    }

    @Test(.proves("INF-092")) func `version, name and owner stand in lines`() throws {
        var stage = stage(.repeater)
        #expect(stage.type("set name Hilltop") == "OK")
        #expect(stage.type("set owner.info Bob|bob@example.org") == "OK")
        let vector = InfrastructureVectors.read("OWNER-RESP", as: Owner.self)

        let answer = try #require(stage.ask(alice, .getOwnerInfo, [1, 2, 3, 4], at: 1_767_230_000).first)

        let body = try #require(answer.answer(for: alice)).dropFirst(4)
        #expect([UInt8](body).hex.hasPrefix(vector.plaintext.dropFirst(8)))
        #expect(body.dropFirst(vector.plaintext.count / 2 - 4).allSatisfy { $0 == 0 })
    }

    @Test(.proves("INF-093", "INF-214")) func `what is too long disappears, and its request counts`() throws {
        var stage = stage(.repeater)
        let owner = String(repeating: "o", count: 119)
        #expect(stage.type("set name \(String(repeating: "n", count: 31))") == "OK")
        #expect(stage.type("set owner.info \(owner)") == "OK")

        let flood = stage.ask(alice, .getOwnerInfo, at: 1_767_230_000, by: .flood)
        let direct = stage.answer(alice, .getOwnerInfo, at: 1_767_230_001)
        let used = stage.ask(alice, .getStatus, at: 1_767_230_001)

        #expect(flood.isEmpty)
        #expect(direct?.count == 176 - 4)
        #expect(
            try #require(direct).prefix(159).elementsEqual(
                "v1.17.1\n\(String(repeating: "n", count: 31))\n\(owner)".utf8))
        #expect(used.isEmpty)
        #expect(stage.ask(alice, .getOwnerInfo, at: 1_767_230_002, by: .flood).isEmpty)
        #expect(stage.ask(alice, .getStatus, [0, 0, 0, 0, 5, 5, 5, 5], at: 1_767_230_002).isEmpty)
    }
}
