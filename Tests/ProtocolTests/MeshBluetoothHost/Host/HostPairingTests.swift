import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Pairing with a passkey, bonds and encryption, from the host's side: both kinds of radios.
@Suite struct HostPairingTests {
    /// A node of these builds, whose service needs a passkey.
    enum Build: CaseIterable, Sendable {
        case nRF52, esp32

        var settings: BluetoothHost.Settings {
            var settings = HostTimelineTests.radio(.authenticated)
            settings.security = .displaying(passkey: 123_456, secureConnections: self == .esp32)
            return settings
        }

        /// The level that a link with it reaches.
        var level: SecurityLevel { self == .nRF52 ? .authenticated : .authenticatedSecure }
    }

    /// An app whose user can type; `passkey`: typed without asking.
    private static func app(_ passkey: UInt32?) -> BluetoothHost.Settings {
        var settings = BluetoothHost.Settings()
        settings.security.passkey = passkey
        return settings
    }

    private static func connected(_ build: Build, passkey: UInt32?, dataSize: UInt16 = 27) throws -> TestAir {
        var air = TestAir(peripheral: build.settings, central: app(passkey), dataSize: dataSize)
        air.start()
        try connect(&air)
        return air
    }

    private static func connect(_ air: inout TestAir) throws {
        try air.ask(0, .advertise(HostTimelineTests.advertisement))
        try air.ask(1, .connect(air.sides[0].address))
        for side in 0...1 { _ = air.told(side) }
    }

    private static func write(_ air: inout TestAir) throws {
        try air.ask(1, .write(try air.link(1), handle: HostTimelineTests.rx, value: [1, 2], withResponse: true))
    }

    private static func levels(_ events: [BluetoothHost.Event]) -> [SecurityLevel] {
        events.compactMap { if case .secured(_, let level) = $0 { level } else { nil } }
    }

    @Test(arguments: Build.allCases)
    func `a central that is refused pairs with the PIN, and writes`(build: Build) throws {
        var air = try Self.connected(build, passkey: 123_456)
        let (radio, app) = (try air.link(0), try air.link(1))

        try Self.write(&air)

        let (toldRadio, toldApp) = (air.told(0), air.told(1))
        #expect(Self.levels(toldRadio) == [build.level] && Self.levels(toldApp) == [build.level])
        #expect(toldRadio.contains(.written(radio, handle: HostTimelineTests.rx, value: [1, 2])))
        #expect(toldApp.last == .accepted(app, handle: HostTimelineTests.rx))
        #expect(air.sides.allSatisfy { $0.host.known.count == 1 })
        #expect(air.sides[0].host.level(of: radio) == build.level)
    }

    @Test(arguments: Build.allCases)
    func `the user is asked for the PIN, and may take his time`(build: Build) throws {
        var air = try Self.connected(build, passkey: nil)
        let app = try air.link(1)
        try air.ask(1, .pair(app))
        #expect(air.told(1) == [.passkeyWanted(app)])
        #expect(throws: BluetoothHost.Refusal.outOfRange) { try air.ask(1, .passkey(app, 1_000_000)) }
        air.pass(.seconds(25))

        try air.ask(1, .passkey(app, 123_456))

        #expect(Self.levels(air.told(1)) == [build.level])
    }

    @Test(arguments: Build.allCases)
    func `a wrong PIN writes nothing, and the radio ends the link`(build: Build) throws {
        var air = try Self.connected(build, passkey: 123_457)
        let (radio, app) = (try air.link(0), try air.link(1))

        try Self.write(&air)
        air.pass(.seconds(10))

        let (toldRadio, toldApp) = (air.told(0), air.told(1))
        #expect(toldRadio.contains { if case .securityFailed(radio, _) = $0 { true } else { false } })
        #expect(toldRadio.last == .disconnected(radio, reason: 0x16))
        #expect(!toldRadio.contains { if case .written = $0 { true } else { false } })
        let refused = BluetoothHost.Event.refused(
            app, .writeRequest, handle: HostTimelineTests.rx, .insufficientAuthentication)
        #expect(toldApp.contains(refused) && toldApp.last == .disconnected(app, reason: 0x05))
        #expect(air.sides.allSatisfy { $0.host.known.isEmpty })
    }

    @Test(arguments: Build.allCases)
    func `with the bond the link is encrypted without the PIN, and what was switched on holds`(build: Build) throws {
        var air = try Self.connected(build, passkey: nil)
        let first = try air.link(1)
        try air.ask(1, .discover(first, service: nil))
        try air.ask(1, .pair(first))
        try air.ask(1, .passkey(first, 123_456))
        try air.ask(1, .subscribe(first, value: HostTimelineTests.tx, .notifications))
        try air.ask(1, .disconnect(first))
        try Self.connect(&air)
        let (radio, app) = (try air.link(0), try air.link(1))
        #expect(throws: BluetoothHost.Refusal.notSubscribed(HostTimelineTests.tx)) {
            try air.ask(0, .notify(radio, handle: HostTimelineTests.tx, value: [1]))
        }

        try Self.write(&air)

        let (toldRadio, toldApp) = (air.told(0), air.told(1))
        #expect(Self.levels(toldApp) == [build.level])
        #expect(!toldApp.contains(.passkeyWanted(app)))
        let subscription = ATT.Subscription(value: HostTimelineTests.tx, configuration: .notifications)
        #expect(toldRadio.contains(.subscribed(radio, subscription)))
        try air.ask(0, .notify(radio, handle: HostTimelineTests.tx, value: [9]))
        #expect(air.told(1) == [.notified(app, handle: HostTimelineTests.tx, value: [9])])
    }

    /// A radio whose switches are open, and that knows its central; both are connected anew.
    private static func knownAgain(_ build: Build, hasKeys: Bool) throws -> TestAir {
        var settings = build.settings
        settings.attributes = HostTimelineTests.radio(.open).attributes
        var air = TestAir(peripheral: settings, central: app(123_456))
        air.start()
        try connect(&air)
        try air.ask(1, .discover(try air.link(1), service: nil))
        try air.ask(1, .pair(try air.link(1)))
        try air.ask(1, .subscribe(try air.link(1), value: HostTimelineTests.tx, .notifications))
        try air.ask(1, .disconnect(try air.link(1)))
        if !hasKeys { try air.ask(1, .forget(air.sides[0].address)) }
        try connect(&air)
        try air.ask(1, .discover(try air.link(1), service: nil))
        for side in 0...1 { _ = air.told(side) }
        return air
    }

    @Test(arguments: Build.allCases)
    func `who only has the address of a known peer changes nothing that is kept of it`(build: Build) throws {
        var air = try Self.knownAgain(build, hasKeys: false)
        let known = air.sides[0].host.known
        #expect(known.map(\.subscriptions) == [[.init(value: HostTimelineTests.tx, configuration: .notifications)]])

        try air.ask(1, .subscribe(try air.link(1), value: HostTimelineTests.tx, .indications))
        try air.ask(1, .subscribe(try air.link(1), value: HostTimelineTests.tx, []))

        let told = air.told(0)
        #expect(told.count == 2 && !told.contains { if case .known = $0 { true } else { false } })
        #expect(air.sides[0].host.known == known)
    }

    @Test(arguments: Build.allCases, [[.indications], []] as [ATT.ClientConfiguration])
    func `what a known peer switched before it was encrypted is kept then`(
        build: Build, configuration: ATT.ClientConfiguration
    ) throws {
        var air = try Self.knownAgain(build, hasKeys: true)
        try air.ask(1, .subscribe(try air.link(1), value: HostTimelineTests.tx, configuration))
        _ = air.told(0)

        try air.ask(1, .pair(try air.link(1)))

        let expected =
            configuration.isEmpty
            ? [] : [ATT.Subscription(value: HostTimelineTests.tx, configuration: configuration)]
        let told = air.told(0)
        #expect(told.compactMap { if case .known(let peer) = $0 { peer.subscriptions } else { nil } } == [expected])
        #expect(!told.contains { if case .subscribed = $0 { true } else { false } })
        #expect(air.sides[0].host.known.map(\.subscriptions) == [expected])
    }

    @Test(arguments: Build.allCases, [0, 1])
    func `a bond that one side has lost ends in a stated error, and pairing anew works`(build: Build, side: Int) throws
    {
        var air = try Self.connected(build, passkey: 123_456)
        try Self.write(&air)
        try air.ask(1, .disconnect(try air.link(1)))
        try air.ask(side, .forget(air.sides[1 - side].address))
        #expect(air.sides[side].host.known.isEmpty)

        var levels: [SecurityLevel] = []
        for _ in 0..<3 where levels.isEmpty {
            if air.sides[1].host.openLinks.isEmpty { try Self.connect(&air) }
            try? Self.write(&air)
            air.pass(.seconds(5))
            levels = Self.levels(air.told(1))
        }

        #expect(levels == [build.level])
        #expect(air.sides.allSatisfy { $0.host.known.count == 1 })
    }

    @Test(arguments: Build.allCases, [0, 1])
    func `a side that vanishes while the PIN is awaited leaves nothing behind`(build: Build, side: Int) throws {
        var air = try Self.connected(build, passkey: nil)
        try Self.write(&air)

        air.vanish(side)

        #expect(air.told(side).last == .failed(.closed))
        #expect(air.sides[1 - side].host.openLinks.isEmpty && air.sides[1 - side].host.deadline == nil)
        air.sides[side].isGone = false
        air.reset()
        air.start()
        try Self.connect(&air)
        try air.ask(1, .pair(try air.link(1)))
        try air.ask(1, .passkey(try air.link(1), 123_456))
        #expect(Self.levels(air.told(1)) == [build.level])
    }

    @Test(arguments: Build.allCases)
    func `who guesses the PIN has to wait, also on the next connection from the same address`(build: Build) throws {
        var air = TestAir(peripheral: build.settings, central: Self.app(nil))
        air.start()
        func guess() throws -> [BluetoothHost.Event] {
            try Self.connect(&air)
            let app = try air.link(1)
            try air.ask(1, .pair(app))
            try? air.ask(1, .passkey(app, 123_450))
            air.pass(.milliseconds(100))
            return air.told(0)
        }
        for _ in 0..<3 { _ = try guess() }

        let told = try guess()

        #expect(
            told.contains {
                if case .securityFailed(_, .ended(_, .tooManyAttempts)) = $0 { true } else { false }
            })
        air.pass(.seconds(5))
        try Self.connect(&air)
        try air.ask(1, .pair(try air.link(1)))
        try air.ask(1, .passkey(try air.link(1), 123_456))
        #expect(Self.levels(air.told(1)) == [build.level])
    }
}
