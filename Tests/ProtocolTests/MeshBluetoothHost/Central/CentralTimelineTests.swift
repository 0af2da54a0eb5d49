import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// An app's side of a link from the first scan to the end, on time that the test passes.
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
        // The lasting address that is made of the controller's own.
        #expect(air.sides[1].address == BluetoothAddress(number: 0xC000_0000_00BB, isRandom: true))
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

    // MARK: Keys

    private static func pairings(_ outputs: [BluetoothCentral.Output]) -> Int {
        outputs.count { if case .keep(let peers) = $0 { !peers.isEmpty } else { false } }
    }

    /// Ends the link and dials again as an app without the PIN, and returns its outputs.
    private static func again(
        _ air: inout TestAir, passkey: UInt32? = nil, known: [BluetoothHost.KnownPeer]? = nil
    ) -> [BluetoothCentral.Output] {
        air.app { $0.hangUp(at: $1, random: &$2) }
        let kept = known ?? air.sides[1].app?.known ?? []
        air.sides[1].app = BluetoothCentral(alice, passkey: passkey, known: kept)
        _ = air.put()
        air.app { $0.start(at: $1, random: &$2) }
        return air.put()
    }

    @Test(arguments: HostPairingTests.Build.allCases)
    func `with the bond no PIN is asked for`(build: HostPairingTests.Build) throws {
        var air = try Self.ready(build)

        let outputs = Self.again(&air)

        #expect(Self.isReady(outputs) && !outputs.contains(.pinWanted))
        #expect(try air.sides[0].host.level(of: air.link(0)) == build.level)
    }

    @Test(.proves("SVC-R-095"), arguments: HostPairingTests.Build.allCases)
    func `a radio that has forgotten the app is paired with anew, once`(build: HostPairingTests.Build) throws {
        var air = try Self.ready(build)
        try air.ask(0, .forget(air.sides[1].address))

        let outputs = Self.again(&air, passkey: Self.pin)

        #expect(outputs.contains(.keep([])) && Self.pairings(outputs) == 1)
        #expect(Self.isReady(outputs) && air.sides[0].host.known.count == 1)
    }

    @Test(arguments: HostPairingTests.Build.allCases)
    func `an app that has forgotten the radio pairs anew`(build: HostPairingTests.Build) throws {
        var air = try Self.ready(build)

        let outputs = Self.again(&air, passkey: Self.pin, known: [])

        #expect(Self.isReady(outputs) && Self.pairings(outputs) == 1)
    }

    @Test(.proves("SVC-R-095"), arguments: HostPairingTests.Build.allCases)
    func `keys that differ are dropped, and the next connection pairs`(build: HostPairingTests.Build) throws {
        var air = try Self.ready(build)
        var known = try #require(air.sides[1].app?.known)
        known[0].bond.longTermKey = .init()

        let outputs = Self.again(&air, passkey: Self.pin, known: known)

        #expect(Self.isReady(outputs) && outputs.contains(.keep([])) && Self.pairings(outputs) == 1)
        #expect(outputs.count { if case .note(let text) = $0 { text.hasPrefix("connected") } else { false } } == 2)
    }

    @Test(arguments: HostPairingTests.Build.allCases)
    func `the PIN may be typed late`(build: HostPairingTests.Build) throws {
        var air = Self.air(build, passkey: nil)
        air.start()
        #expect(air.put().last == .pinWanted)
        air.pass(.seconds(25))
        #expect(air.put().isEmpty)

        air.app { $0.enter(Self.pin, at: $1, random: &$2) }

        #expect(Self.isReady(air.put()))
    }

    @Test func `a radio that lets anybody subscribe is paired with all the same`() throws {
        var settings = HostPairingTests.Build.esp32.settings
        settings.attributes = HostTimelineTests.radio(.open).attributes
        var air = Self.air(radio: settings)

        air.start()

        #expect(Self.isReady(air.put()))
        #expect(try air.sides[0].host.level(of: air.link(0)) == .authenticatedSecure)
    }

    // MARK: Frames

    @Test(arguments: [23, 24, 50, 185, 517] as [UInt16], [27, 251] as [UInt16])
    func `frames pass whatever the MTU, in parts where one packet is too short`(mtu: UInt16, dataSize: UInt16) throws {
        var limits = BluetoothCentral.Limits()
        limits.mtu = mtu
        var air = try Self.ready(limits: limits, dataSize: dataSize)
        let frame = (0..<176).map { UInt8($0) }

        try Self.write(&air, frame)
        try Self.write(&air, [UInt8](frame.prefix(Int(mtu) - 3)), withResponse: false)

        let written = air.told(0).compactMap { if case .written(_, _, let value) = $0 { value } else { nil } }
        #expect(written == [frame, [UInt8](frame.prefix(Int(mtu) - 3))])
        let longest = mtu - 3
        let tooLong = [UInt8](repeating: 1, count: Int(longest) + 1)
        #expect(throws: BluetoothCentral.Refusal.tooLong(limit: Int(longest))) {
            try Self.write(&air, tooLong, withResponse: false)
        }
        #expect(throws: BluetoothCentral.Refusal.tooLong(limit: 512)) {
            try Self.write(&air, [UInt8](repeating: 1, count: 513))
        }
    }

    @Test func `a radio that takes answered frames alone gets them so`() throws {
        var settings = HostPairingTests.Build.esp32.settings
        settings.attributes = ATT.AttributeTable()
        settings.attributes.addService(.nordicUART)
        let receive = settings.attributes.addCharacteristic(.nordicRX, [.write], write: .authenticated)
        settings.attributes.addCharacteristic(.nordicTX, [.notify], configuration: .authenticated)
        var air = Self.air(radio: settings)
        air.start()
        _ = air.told(0)

        for number in 0..<3 as Range<UInt8> { try Self.write(&air, [number], withResponse: false) }

        let link = try air.link(0)
        #expect(air.told(0) == (0..<3).map { .written(link, handle: receive, value: [$0]) })
    }

    @Test func `frames that wait are bounded, and room is told`() throws {
        var air = try Self.ready()
        air.holdsBuffers = true
        var count: UInt8 = 0
        while count < 100, (try? Self.write(&air, [count])) != nil { count += 1 }
        // Three are in the controller's buffers, one waits for its answer, and the others for their turn.
        #expect(count == 3 + 1 + 16 && air.sides[1].app?.unwritten == 17)
        #expect(throws: BluetoothCentral.Refusal.full) { try Self.write(&air, [99]) }

        air.holdsBuffers = false
        air.pass(.zero)

        #expect(air.put() == [.hasRoom])
        let written = air.told(0).compactMap { if case .written(_, _, let value) = $0 { value[0] } else { nil } }
        #expect(written == Array(0..<count))
        #expect(air.sides[1].app?.unwritten == 0)
    }

    @Test func `a frame that is not answered in its time is told, and the next one waits`() throws {
        var air = try Self.ready()
        air.isDeaf = true
        try Self.write(&air, [1])
        try Self.write(&air, [2])

        air.pass(.milliseconds(4_999))
        #expect(air.put().isEmpty)
        air.pass(.milliseconds(1))

        #expect(air.put() == [.notWritten(nil)])
        #expect(air.sides[1].app?.phase == .connected && air.sides[1].app?.unwritten == 2)
        air.pass(.seconds(24))
        #expect(air.put().isEmpty)
        air.pass(.seconds(1))
        #expect(Self.ended(air.put()) == .faulty(.silent))
    }

    @Test func `nothing is written before the link is ready`() {
        var air = Self.air()
        #expect(throws: BluetoothCentral.Refusal.notReady) { try Self.write(&air, [1]) }
        air.turn = (
            .subscribingToNotifications,
            { air in #expect(throws: BluetoothCentral.Refusal.notReady) { try Self.write(&air, [1]) } }
        )
        air.start()
        #expect(Self.isReady(air.put()))
    }

    @Test func `a central that looks for nobody tells who is in range, connects to none, and ends with its time`() {
        var air = Self.air(peer: .nobody)
        air.start()
        air.pass(.seconds(10))

        let outputs = air.put()
        let found = outputs.compactMap { if case .found(let advertiser) = $0 { advertiser.facts.name } else { nil } }
        #expect(Set(found) == ["MeshCore-alice"])
        #expect(Self.ended(outputs) == .hungUp)
        #expect(air.sides[0].host.openLinks.isEmpty)
    }

    @Test func `other radios are named where the wanted one is not heard`() throws {
        var air = Self.air(peer: .name("MeshCore-bob"))
        air.start()
        air.pass(.seconds(10))

        let failure = try #require(Self.ended(air.put()))
        #expect(failure == .noDevice(.name("MeshCore-bob"), heard: ["MeshCore-alice"]))
        #expect("\(failure)".hasSuffix("(heard: MeshCore-alice)"))
    }

    @Test func `a name that is cut in the advertisement is found by what is there`() {
        var air = Self.air(peer: .name("MeshCore-alice of the northern hills and valleys"))
        air.sides[0].advertisement?.scanResponse = AdvertisedData.name(
            "MeshCore-alice of the northern hills and valleys".utf8)
        air.start()
        #expect(Self.isReady(air.put()))
    }

    @Test func `nothing that is printed holds the PIN or what passes`() throws {
        var air = Self.air()
        air.start()
        let app = try #require(air.sides[1].app)
        var texts = ["\(app)"]
        let outputs: [BluetoothCentral.Output] = [.send([1, 0xDE, 0xAD]), .frame([0xDE, 0xAD])]
        for value in [app] + outputs as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            texts += [dumped, "\(value)", String(reflecting: value)]
        }
        for text in texts {
            for secret in ["123456", "222", "de, ad", "DEAD", "passkey", "longTermKey"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }
}
