import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// Boot and adverts of infrastructure nodes.
@Suite struct ServerAdvertTests {
    private func data(_ sent: Sent) throws -> AdvertData {
        try AdvertData(appData: [UInt8](sent.packet.payload.dropFirst(100)))
    }

    private func isZeroHopAdvert(_ sent: Sent) -> Bool {
        sent.type == .advert && sent.route == .direct && sent.packet.pathLength.rawValue == 0
    }

    /// Returns the advert that a command sends within two seconds.
    private func advert(after command: String, _ stage: inout ServerStage) throws -> Sent {
        stage.type(command)
        return try #require(stage.run(milliseconds: 2000).first)
    }

    @Test(.proves("INF-001"), arguments: ServerStage.all)
    func `the first thing sent is an advert of the time of boot, 16 s after it`(role: ServerRole) throws {
        var stage = ServerStage(role, clock: nil, adverts: true)

        let sent = stage.run(milliseconds: 17_000)

        #expect(sent.map(\.at) == [16_000])
        let advert = try #require(sent.first)
        #expect(isZeroHopAdvert(advert) && advert.packet.hasValidAdvertSignature)
        #expect(advert.packet.payloadU32(at: 32) == 1_715_770_351)
    }

    @Test(.proves("INF-002"), arguments: ServerStage.all)
    func `a node that nobody has configured adverts every two minutes, without jitter`(role: ServerRole) {
        var stage = ServerStage(role, clock: nil, adverts: true)

        let sent = stage.run(milliseconds: 600_000)

        #expect(sent.allSatisfy(isZeroHopAdvert))
        #expect(sent.map(\.at) == [16_000, 120_002, 240_003, 360_004, 480_005])
    }

    @Test(.proves("INF-003"), arguments: ServerStage.all)
    func `the first saved setting ends the local adverts after one more`(role: ServerRole) {
        var stage = ServerStage(role, clock: nil, adverts: true)
        stage.run(milliseconds: 20_000)

        let reply = stage.type("set name X")
        let sent = stage.run(milliseconds: 340_000)

        #expect(reply == "OK")
        #expect(sent.map(\.at) == [100_002])
        #expect(stage.type("get advert.interval") == "> 0")
    }

    @Test(.proves("INF-004"), arguments: ServerStage.all)
    func `setting the radio leaves the local adverts as they are`(role: ServerRole) {
        var stage = ServerStage(role, clock: nil, adverts: true)
        stage.run(milliseconds: 20_000)

        #expect(stage.type("set radio 869.525,250,11,5") == "OK - reboot to apply")

        #expect(stage.type("get advert.interval") == "> 2")
        #expect(stage.run(milliseconds: 341_000).count == 3)
    }

    @Test(.proves("INF-005", "INF-008"), arguments: ServerStage.all)
    func `adverts hold the type, and a place even when it is 0, 0`(role: ServerRole) throws {
        var stage = ServerStage(role)

        let advert = try advert(after: "advert.zerohop", &stage)

        let bytes = advert.packet.payload.dropFirst(100)
        #expect(bytes.first == 0x90 | role.rawValue)
        #expect([2, 3, 4].contains(role.rawValue))
        #expect(bytes.dropFirst().prefix(8).elementsEqual([UInt8](repeating: 0, count: 8)))
    }

    @Test(
        .proves("INF-006"),
        arguments: ServerStage.all,
        [
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHIJKLMNOPQRSTUVW"),
            ("ABCDEFGHIJKLMNOPQRSTUVé", "ABCDEFGHIJKLMNOPQRSTUV"),
        ])
    func `beside a place the name is cut to 23 bytes, between characters`(role: ServerRole, names: (String, ByteText))
        throws
    {
        var stage = ServerStage(role)
        #expect(stage.type("set name \(names.0)") == "OK")

        let advert = try advert(after: "advert.zerohop", &stage)

        #expect(try data(advert).nameField == names.1)
    }

    @Test(.proves("INF-007"), arguments: ServerStage.all)
    func `without a place the name has room for 31 bytes`(role: ServerRole) throws {
        var stage = ServerStage(role) { $0.preferences.advertLocation = .none }
        #expect(stage.type("set name ABCDEFGHIJKLMNOPQRSTUVWXYZ01234") == "OK")

        let advert = try advert(after: "advert.zerohop", &stage)

        #expect(try data(advert).location == nil)
        #expect(try data(advert).nameField == "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234")
    }

    @Test(.proves("INF-009"), arguments: ServerStage.all)
    func `adverts on command leave after 1500 ms, by flood with the hash size that is set`(role: ServerRole) throws {
        var stage = ServerStage(role)
        #expect(stage.type("set path.hash.mode 1") == "OK")

        #expect(stage.type("advert.zerohop") == "OK - zerohop advert sent")
        let zeroHop = try #require(stage.run(milliseconds: 5000).first)
        #expect(stage.type("advert") == "OK - Advert sent")
        let flood = try #require(stage.run(milliseconds: 5000).first)

        #expect(isZeroHopAdvert(zeroHop) && zeroHop.at == 1500)
        #expect(flood.type == .advert && flood.route == .flood && flood.at == 1500)
        #expect(flood.packet.pathLength.rawValue == 0x40)
    }

    @Test(.proves("INF-010", "INF-011"), arguments: ServerStage.all)
    func `adverts are flooded in the default region, but for those of a sensor`(role: ServerRole) throws {
        var stage = ServerStage(role)
        #expect(stage.type("region default eu") == " default scope is now eu")

        let advert = try advert(after: "advert", &stage)

        guard role != .sensor else { return #expect(advert.route == .flood) }
        let key = MeshHash.regionKey(name: [UInt8]("eu".utf8))
        #expect(advert.route == .transportFlood)
        #expect(advert.packet.transportCodes == TransportCodes(region: advert.packet.transportCode(for: key)))
    }

    @Test(.proves("INF-012"), arguments: ServerStage.all)
    func `a flooded advert begins the local interval anew`(role: ServerRole) {
        var stage = ServerStage(role)
        let hour = 3_600_000
        #expect(stage.type("set advert.interval 240") == "OK")
        #expect(stage.type("set flood.advert.interval 3") == "OK")
        let everyThree = stage.run(milliseconds: 13 * hour)

        #expect(stage.type("set advert.interval 240") == "OK")
        #expect(stage.type("set flood.advert.interval 5") == "OK")
        let everyFive = stage.run(milliseconds: 13 * hour)

        #expect(everyThree.map(\.route) == [.flood, .flood, .flood, .flood])
        #expect(everyFive.map(\.route) == [.direct, .flood, .direct, .flood])
        #expect(everyFive.map { Int($0.at) / hour } == [4, 5, 9, 10])
    }

    @Test(.proves("INF-013"), arguments: ServerStage.all)
    func `the identity file holds the public key and then the private one`(role: ServerRole) throws {
        let stage = ServerStage(role)

        let file = try #require(stage.server.flash["/identity/_main.id"])

        #expect(file.count == 96)
        #expect(file.prefix(32).elementsEqual(ServerStage.key.array))
        #expect(file.dropFirst(32).elementsEqual(InfrastructureVectors.server.privateKey.array))
        #expect(stage.restarted().server.flash["/identity/_main.id"] == file)
    }

    @Test(.proves("INF-022"), arguments: ServerStage.all)
    func `without a battery the clock begins on 2024-05-15`(role: ServerRole) {
        var stage = ServerStage(role, clock: nil)

        #expect(stage.type("clock") == "10:52 - 15/5/2024 UTC")
        #expect(stage.type("clkreboot") == "")
    }
}
