import MeshBluetoothHost
import MeshTime
import Testing

/// An app's side of a link from the first scan to the end, on time that is handed in.
@Suite struct CentralTimelineTests {
    static let alice = BluetoothCentral.Peer.name("MeshCore-alice")
    static let pin: UInt32 = 123_456

    /// A radio that can be found, and an app that has not begun.
    static func air(
        _ build: HostPairingTests.Build = .esp32, radio: BluetoothHost.Settings? = nil,
        peer: BluetoothCentral.Peer = alice, passkey: UInt32? = pin, limits: BluetoothCentral.Limits = .init(),
        dataSize: UInt16 = 27
    ) -> TestAir {
        var air = TestAir(
            peripheral: radio ?? build.settings, central: BluetoothHost.Settings(), dataSize: dataSize)
        air.sides[0].advertisement = HostTimelineTests.advertisement
        air.sides[1].app = BluetoothCentral(peer, passkey: passkey, limits: limits)
        return air
    }

    /// A link that is ready.
    static func ready(
        _ build: HostPairingTests.Build = .esp32, limits: BluetoothCentral.Limits = .init(), dataSize: UInt16 = 27
    ) throws -> TestAir {
        var air = air(build, limits: limits, dataSize: dataSize)
        air.start()
        let outputs = air.put()
        try #require(outputs.contains(.ready(mtu: Int(limits.mtu))), "\(outputs)")
        _ = air.told(0)
        return air
    }

    static func ended(_ outputs: [BluetoothCentral.Output]) -> BluetoothCentral.Failure? {
        outputs.compactMap { if case .ended(let failure) = $0 { failure } else { nil } }.first
    }

    static func isReady(_ outputs: [BluetoothCentral.Output]) -> Bool {
        outputs.contains { if case .ready = $0 { true } else { false } }
    }

    static func write(_ air: inout TestAir, _ frame: [UInt8], withResponse: Bool = true) throws {
        try air.app { app, now, random in
            try app.send(frame, withResponse: withResponse, at: now, random: &random)
        }
    }

    @Test(
        arguments: HostPairingTests.Build.allCases,
        [alice, .address(0xAA)] as [BluetoothCentral.Peer])
    func `a radio is found, paired with and subscribed to, by name or address`(
        build: HostPairingTests.Build, peer: BluetoothCentral.Peer
    ) throws {
        var air = Self.air(build, peer: peer)

        air.start()

        let outputs = air.put()
        #expect(outputs.contains { if case .found = $0 { true } else { false } })
        #expect(outputs.contains { if case .keep(let peers) = $0 { peers.count == 1 } else { false } })
        #expect(outputs.last == .ready(mtu: 517))
        let radio = try air.link(0)
        #expect(air.sides[0].host.level(of: radio) == build.level)
        _ = air.told(0)
        try Self.write(&air, [1, 2, 3])
        try Self.write(&air, [4], withResponse: false)
        try air.ask(0, .notify(radio, handle: HostTimelineTests.tx, value: [7, 8]))
        #expect(
            air.told(0) == [
                .written(radio, handle: HostTimelineTests.rx, value: [1, 2, 3]),
                .written(radio, handle: HostTimelineTests.rx, value: [4]),
            ])
        #expect(air.put() == [.frame([7, 8])])
        air.app { $0.hangUp(at: $1, random: &$2) }
        #expect(air.put() == [.ended(.hungUp)])
        #expect(air.told(0) == [.disconnected(radio, reason: 0x13), .advertising(true)])
    }
}
