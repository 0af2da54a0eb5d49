import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Details of flood scopes, hash sizes and traces that are sharper than the statements of the suite.
@Suite struct ScopeStatementTests {
    private static let session = FixedBytes<16>(repeatElement(0x55, count: 16))
    private static let stored = FixedBytes<16>(repeatElement(0x66, count: 16))

    private func code(of packet: PacketView, _ key: FixedBytes<16>) -> UInt16 {
        MeshHash.transportCode(key: key, type: packet.type.rawValue, payload: packet.payload)
    }

    @Test func `floods go by the session's scope, then by the stored one, or by none`() {
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

    @Test func `a flooded advert goes by the stored scope only`() {
        var bench = CompanionBench.knowing()
        bench.send(SetFloodScopeKey(key: Self.session))
        bench.send([7, 1])
        bench.send(SetDefaultFloodScope(scope: FloodScope(name: FixedBytes(text: "s"), key: Self.stored)))
        bench.send(SetFloodScopeKey.unscoped)
        bench.wait(milliseconds: 1000)
        bench.send([7, 1])

        #expect(bench.airAfter().map(\.route) == [.flood, .transportFlood])
    }

    @Test func `adverts carry hash size, position and route as they are set`() throws {
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

    @Test func `sixty-four entries of a trace count as none for its time-out`() {
        var bench = CompanionBench.knowing()

        let path = [UInt8](repeating: 1, count: 64)
        let sent = bench.sent(SendTracePath(tag: 7, auth: 8, flags: 0, path: path))

        #expect((sent?.timeout ?? .max) < 20_000)
    }
}
