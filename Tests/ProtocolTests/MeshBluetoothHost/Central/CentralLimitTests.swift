import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The times that an app's side of a link waits for each answer, and its repeated requests in the meantime.
@Suite struct CentralLimitTests {
    private typealias Timeline = CentralTimelineTests

    /// An app that has paired with the radio and has hung up, before it dials again.
    private static func known() throws -> TestAir {
        var air = try Timeline.ready()
        air.app { $0.hangUp(at: $1, random: &$2) }
        for side in 0...1 { _ = air.told(side) }
        _ = air.put()
        return air
    }

    /// Dials, and lets the radio hear nothing more once its services are to be asked for.
    private static func dialDeaf(_ air: inout TestAir) {
        air.turn = (.discoveringServices, { $0.isDeaf = true })
        air.app { $0.start(at: $1, random: &$2) }
        air.pass(.milliseconds(100))
    }

    /// An attribute packet that the radio sends.
    private static func say(_ air: inout TestAir, _ packet: [UInt8]) {
        let payload = L2CAP.packet(packet, on: L2CAP.Channel.attributes)
        air.say(1, [2, UInt8(TestAir.handle), 0x20, UInt8(payload.count), 0] + payload)
    }

    /// Returns the time and the reason of an attempt's end.
    private static func end(_ air: inout TestAir, from began: Instant) -> (
        after: TimeSpan, why: BluetoothCentral.Failure?
    ) {
        while air.now < began + .seconds(120) {
            if let failure = Timeline.ended(air.put()) { return (air.now - began, failure) }
            air.pass(.milliseconds(100))
        }
        return (air.now - began, nil)
    }

    // MARK: Limits

    @Test(.proves("SVC-050")) func `a radio has ten seconds to be heard, and ten more to be connected to`() {
        var air = Timeline.air()
        air.sides[0].advertisement = nil
        air.start()
        #expect(Self.end(&air, from: .start) == (.seconds(10), .noDevice(Timeline.alice, heard: [])))

        air = Timeline.air()
        air.isShy = true
        air.start()
        #expect(Self.end(&air, from: .start) == (.seconds(10), .timedOut(.connecting)))
    }

    @Test(.proves("SVC-050")) func `a radio whose keys are known has fifteen seconds for its services`() throws {
        var air = try Self.known()
        let began = air.now
        Self.dialDeaf(&air)

        #expect(Self.end(&air, from: began) == (.seconds(15), .timedOut(.discoveringServices)))
    }

    @Test(.proves("SVC-050"))
    func `one that has lost its keys may take as long as any that is paired with, with its PIN typed late`() throws {
        var air = try Self.known()
        try air.ask(0, .forget(air.sides[1].address))
        air.sides[1].app = BluetoothCentral(Timeline.alice, passkey: nil, known: air.sides[1].app?.known ?? [])
        air.app { $0.start(at: $1, random: &$2) }
        #expect(air.put().last == .pinWanted)
        air.pass(.seconds(25))
        #expect(air.put().isEmpty)

        air.app { $0.enter(Timeline.pin, at: $1, random: &$2) }

        #expect(Timeline.isReady(air.put()))
    }

    @Test(.proves("SVC-050")) func `a frame has five seconds to be answered`() throws {
        var air = try Timeline.ready()
        air.isDeaf = true
        try Timeline.write(&air, [1])

        air.pass(.milliseconds(4_999))
        #expect(air.put().isEmpty)
        air.pass(.milliseconds(1))
        #expect(air.put() == [.notWritten(nil)])
    }

    // MARK: Asking again

    @Test(.proves("SVC-050", "SVC-051"))
    func
        `a radio that refuses for its security is asked again while it may be paired with, and the refusal is the error`()
        throws
    {
        var settings = HostPairingTests.Build.esp32.settings
        settings.attributes = HostTimelineTests.radio(.authorized).attributes
        var air = Timeline.air(radio: settings)
        air.start()
        let before = air.fragments
        air.pass(.seconds(34))
        #expect(Timeline.ended(air.put()) == nil)
        // Twice a second, each with its answer.
        #expect(air.fragments - before >= 2 * 2 * 33)

        let end = Self.end(&air, from: .start)
        #expect(end.after >= .seconds(35) && end.after <= .seconds(36))
        #expect(end.why == .refused(.insufficientAuthorization))
    }

    @Test(.proves("SVC-051")) func `a PIN prompt that is cancelled ends the attempt, and says what is wanted`() {
        var air = Timeline.air(passkey: nil)
        air.start()
        #expect(air.put().last == .pinWanted)

        air.app { $0.enter(nil, at: $1, random: &$2) }

        let failure = Timeline.ended(air.put())
        #expect(failure == .pinWanted && failure?.isFinal == true)
        #expect(air.sides[1].app?.known.isEmpty == true && air.sides[0].host.known.isEmpty)
    }

    @Test(.proves("SVC-052"), arguments: HostPairingTests.Build.allCases)
    func `a wrong PIN ends the attempt for good, and neither side keeps a bond`(build: HostPairingTests.Build) {
        var air = Timeline.air(build, passkey: 654_321)
        air.start()

        let outputs = air.put()
        #expect(Timeline.ended(outputs) == .wrongPIN && BluetoothCentral.Failure.wrongPIN.isFinal)
        #expect(!outputs.contains { if case .keep(let peers) = $0 { !peers.isEmpty } else { false } })
        #expect(air.sides[1].app?.known.isEmpty == true && air.sides[0].host.known.isEmpty)
    }

    @Test(.proves("SVC-R-091"))
    func `a known radio without services yet is asked for them again, and one that is new is no radio`() throws {
        /// `Attribute Not Found`, as the answer to `Find By Type Value`.
        let empty: [UInt8] = [0x01, 0x06, 1, 0, 0x0A]
        var air = try Self.known()
        let began = air.now
        Self.dialDeaf(&air)
        Self.say(&air, empty)
        #expect(Timeline.ended(air.put()) == nil && air.sides[1].app?.phase == .discoveringServices)

        air.isDeaf = false
        air.pass(.milliseconds(500))
        #expect(Timeline.isReady(air.put()) && air.now - began < .seconds(15))

        air = Timeline.air()
        air.turn = (.discoveringServices, { $0.isDeaf = true })
        air.start()
        Self.say(&air, empty)
        air.pass(.seconds(2))
        #expect(Timeline.ended(air.put()) == .noService)
    }

    // MARK: The service

    @Test(.proves("SVC-049"))
    func `a device of the wanted name is taken for its service, and its values are those of the firmware`() throws {
        var air = Timeline.air()
        // Another device of the same name, without the service.
        air.sides[0].advertisement?.data = AdvertisedData.flags()
        air.start()
        air.pass(.seconds(10))
        #expect(Timeline.ended(air.put()) == .noDevice(Timeline.alice, heard: []))

        air = try Timeline.ready()
        try Timeline.write(&air, [1, 2])
        let table = air.sides[0].host.settings.attributes
        let written = air.told(0).compactMap { event -> BluetoothUUID? in
            if case .written(_, let handle, _) = event { table[handle]?.type } else { nil }
        }
        #expect(written.map(\.description) == ["6e400002-b5a3-f393-e0a9-e50e24dcca9e"])
        #expect(table[HostTimelineTests.tx]?.type.description == "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
        #expect(BluetoothUUID.nordicUART.description == "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
        try air.ask(0, .notify(try air.link(0), handle: HostTimelineTests.tx, value: [7]))
        #expect(air.put() == [.frame([7])])
    }
}
