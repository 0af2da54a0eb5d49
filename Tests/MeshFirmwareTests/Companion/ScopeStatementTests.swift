import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Statements on flood scopes, hash sizes, traces and keys that show on the air or inside.
@Suite struct ScopeStatementTests {
    private static let session = FixedBytes<16>(repeatElement(0x55, count: 16))
    private static let stored = FixedBytes<16>(repeatElement(0x66, count: 16))

    private func code(of packet: PacketView, _ key: FixedBytes<16>) -> UInt16 {
        MeshHash.transportCode(key: key, type: packet.type.rawValue, payload: packet.payload)
    }

    @Test(.proves("CMP-078", "CMP-081")) func `floods go by the session's scope, then by the stored one, or by none`() {
        var bench = CompanionBench.knowing(.bob)
        bench.send(SetDefaultFloodScope(scope: FloodScope(name: FixedBytes(text: "s"), key: Self.stored)))
        bench.send(SetFloodScopeKey(key: Self.session))
        bench.sendText("1", to: .bob)
        bench.disconnect()
        bench.connect()
        bench.send(AppStart())
        bench.sendText("2", to: .bob)
        bench.send(SetFloodScopeKey.unscoped)
        bench.sendText("3", to: .bob)
        bench.send(SetFloodScopeKey(key: nil))
        bench.sendText("4", to: .bob)

        let air = bench.airAfter(milliseconds: 5000)

        #expect(air.map(\.route) == [.transportFlood, .transportFlood, .flood, .transportFlood])
        let keys = [Self.session, Self.session, nil, Self.stored]
        #expect(
            zip(air, keys).allSatisfy { packet, key in
                packet.transportCodes?.region == key.map { code(of: packet, $0) }
            })
        #expect(air.allSatisfy { ($0.transportCodes?.reserved ?? 0) == 0 })
    }

    @Test func `acknowledgements by flood carry the scope too`() {
        var bench = CompanionBench.knowing(.bob)
        bench.send(SetFloodScopeKey(key: Self.session))
        bench.hear(Peer.bob.text("hi", at: 1, to: bench.key, .flood([1])))

        #expect(bench.airAfter().map(\.route) == [.transportFlood])
    }

    @Test(.proves("CMP-080")) func `a flooded advert goes by the stored scope only`() {
        var bench = CompanionBench.knowing()
        bench.send(SetFloodScopeKey(key: Self.session))
        bench.send([7, 1])
        bench.send(SetDefaultFloodScope(scope: FloodScope(name: FixedBytes(text: "s"), key: Self.stored)))
        bench.send(SetFloodScopeKey.unscoped)
        bench.wait(milliseconds: 1000)
        bench.send([7, 1])

        #expect(bench.airAfter().map(\.route) == [.flood, .transportFlood])
    }

    @Test(.proves("CMP-071", "CMP-112", "CMP-113"))
    func `adverts carry hash size, position and route as they are set`() throws {
        var bench = CompanionBench.knowing()
        bench.send(SetPathHashMode(mode: 1))
        bench.send(SetAdvertLatlon(latitude: 1_000_000, longitude: -2_000_000))
        bench.send([7, 1])
        bench.wait(milliseconds: 1000)
        bench.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 1))
        bench.send([7, 2])

        let air = bench.airAfter()
        let data = try air.map { try AdvertData(appData: Array($0.payload.dropFirst(100))) }

        #expect(air.map(\.route) == [.flood, .direct])
        #expect(air.map(\.pathLength.rawValue) == [0x40, 0])
        #expect(data.map(\.location) == [nil, AdvertData.Location(latitude: 1_000_000, longitude: -2_000_000)])
    }

    @Test(.proves("CMP-186", "CMP-187")) func `traces are checked and timed by their entries`() {
        var bench = CompanionBench.knowing()

        #expect(bench.sent(SendTracePath(tag: 7, auth: 8, flags: 0, path: [1, 2]))?.timeout == 5984)
        #expect(bench.ask(SendTracePath(tag: 7, auth: 8, flags: 1, path: [1, 2, 3])) == Answer.illegal)
        let many = [UInt8](repeating: 1, count: 65)
        #expect(bench.ask(SendTracePath(tag: 7, auth: 8, flags: 0, path: many)) == Answer.illegal)
        // 64 entries wrap to none.
        let wrapped = bench.sent(SendTracePath(tag: 7, auth: 8, flags: 0, path: Array(many.dropLast())))
        #expect((wrapped?.timeout ?? .max) < 20_000)
    }

    @Test(.proves("CMP-199", "CMP-200", "CMP-201", "CMP-202", "CMP-203")) func `signing takes 8192 bytes in order`() {
        var bench = CompanionBench.knowing()
        #expect(bench.ask([0x22, 1]) == Answer.badState)
        #expect(bench.ask([0x23]) == Answer.badState)
        #expect(bench.ask([0x21]) == [[0x13, 0, 0, 0x20, 0, 0]])
        bench.send([0x22, 9, 9])
        bench.send([0x21])
        let chunk = [UInt8](repeating: 7, count: 128)
        for _ in 0..<64 { #expect(bench.ask([0x22] + chunk) == Answer.ok) }
        #expect(bench.ask([0x22, 1]) == Answer.tableFull)
        bench.disconnect()
        bench.connect()
        bench.send(AppStart())

        let signature = bench.ask([0x23])[0].dropFirst()

        let message = [UInt8](repeating: 7, count: 8192)
        #expect(Array(signature) == bench.radio.identity.sign(message).array)
        #expect(bench.ask([0x23]) == Answer.badState)
    }

    @Test(.proves("CMP-195", "CMP-196", "CMP-197")) func `keys are given and taken where the build allows it`() {
        var board = BoardProfile.vectors
        board.allowsPrivateKeyExport = false
        board.allowsPrivateKeyImport = false
        var closed = CompanionBench(board: board)
        #expect(closed.ask([0x17]) == [[0x0F]])
        #expect(closed.ask(ImportPrivateKey(privateKey: FixedBytes())) == [[0x0F]])

        var open = CompanionBench()
        #expect(open.ask([0x17]) == [[0x0E] + open.radio.identity.privateKey.array])
        #expect(open.ask(ImportPrivateKey(privateKey: FixedBytes())) == Answer.illegal)
        open.send(ImportPrivateKey(privateKey: Peer.bob.identity.privateKey))
        open.reboot()
        #expect(open.key == Peer.bob.key)
    }
}
