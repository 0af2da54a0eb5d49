import MeshTime
import Testing

@testable import MeshBluetoothHost

/// A fault between an app and a radio, and its remedy.
struct LinkFault: Sendable, CustomTestStringConvertible {
    /// The fault in the words of the article.
    let what: String
    var air: @Sendable () -> TestAir = { CentralTimelineTests.air() }
    /// From the start of the app to its end.
    var play: @Sendable (inout TestAir) throws -> Void
    /// The action of a user before the next attempt.
    var mend: @Sendable (inout TestAir) -> Void = { _ in }

    var testDescription: String { what }

    /// The outcome of a fault and of the next attempt.
    struct Outcome {
        var failure: BluetoothCentral.Failure?
        /// The time from the fault to the end.
        var after: TimeSpan
        var worksAgain: Bool
    }

    func outcome() throws -> Outcome {
        var air = air()
        try play(&air)
        let began = air.now
        var outputs = air.put()
        while CentralTimelineTests.ended(outputs) == nil, air.now < began + .seconds(120) {
            air.pass(.milliseconds(100))
            outputs += air.put()
        }
        let failure = CentralTimelineTests.ended(outputs)
        let after = air.now - began
        #expect(air.sides[1].app?.phase == .idle && air.sides[1].app?.deadline == nil, "\(what)")
        mend(&air)
        air.app { $0.start(at: $1, random: &$2) }
        air.pass(.seconds(3))
        return Outcome(failure: failure, after: after, worksAgain: CentralTimelineTests.isReady(air.put()))
    }
}

extension LinkFault {
    private static let pin = CentralTimelineTests.pin
    private static let alice = CentralTimelineTests.alice

    static let all = finding + pairing + silence + ends(of: 0) + ends(of: 1)

    // MARK: Finding

    private static let finding: [LinkFault] = [
        LinkFault(
            what: "the radio is off, far away, or linked with another app",
            air: { airWith { $0.sides[0].advertisement = nil } }, play: { $0.start() },
            mend: { try? $0.ask(0, .advertise(HostTimelineTests.advertisement)) }),
        LinkFault(
            what: "it advertises and does not answer to a connection", air: { airWith { $0.isShy = true } },
            play: { $0.start() }, mend: { $0.isShy = false }),
        LinkFault(
            what: "the device has no Nordic UART service",
            air: { airWith { $0.sides[0].host = BluetoothHost(radio { _ in }) } }, play: { $0.start() },
            mend: renewed),
        LinkFault(
            what: "the service has no value that notifies",
            air: {
                airWith {
                    $0.sides[0].host = BluetoothHost(
                        radio { table in
                            table.addService(.nordicUART)
                            table.addCharacteristic(.nordicRX, [.write], write: .authenticated)
                            table.addCharacteristic(.nordicTX, [.read], read: .authenticated)
                        })
                }
            },
            play: { $0.start() }, mend: renewed),
        LinkFault(
            what: "the radio refuses to be subscribed to, whoever asks",
            air: {
                airWith {
                    var settings = HostPairingTests.Build.esp32.settings
                    settings.attributes = HostTimelineTests.radio(.authorized).attributes
                    $0.sides[0].host = BluetoothHost(settings)
                }
            },
            play: { $0.start() }, mend: renewed),
    ]

    private static func airWith(_ change: (inout TestAir) -> Void) -> TestAir {
        var air = CentralTimelineTests.air()
        change(&air)
        return air
    }

    /// A device that shows a PIN, with attributes of its own.
    private static func radio(_ fill: (inout ATT.AttributeTable) -> Void) -> BluetoothHost.Settings {
        var settings = HostPairingTests.Build.esp32.settings
        settings.attributes = ATT.AttributeTable()
        settings.attributes.addService(BluetoothUUID(0x1800))
        fill(&settings.attributes)
        return settings
    }

    /// Another firmware, and both begin anew.
    @Sendable private static func renewed(_ air: inout TestAir) {
        air.sides[0].host = BluetoothHost(HostPairingTests.Build.esp32.settings)
        again(&air)
    }

    @Sendable private static func again(_ air: inout TestAir) {
        for side in 0...1 { air.sides[side].isGone = false }
        (air.isDeaf, air.turn) = (false, nil)
        air.reset()
        air.start()
        _ = air.put()
        // The attempt that counts is the one that follows.
        air.app { $0.hangUp(at: $1, random: &$2) }
        _ = air.put()
    }

    // MARK: Pairing

    private static let pairing: [LinkFault] = [
        LinkFault(
            what: "a wrong PIN", air: { CentralTimelineTests.air(passkey: 123_457) }, play: { $0.start() },
            mend: typed),
        LinkFault(
            what: "a wrong PIN, of a radio that pairs as Bluetooth 4.0 did",
            air: { CentralTimelineTests.air(.nRF52, passkey: 123_457) }, play: { $0.start() }, mend: typed),
        LinkFault(
            what: "too many wrong PINs", air: { CentralTimelineTests.air(passkey: 123_457) },
            play: { air in
                for _ in 0..<3 {
                    air.app { $0.start(at: $1, random: &$2) }
                    if air.sides[0].host.isReady { air.pass(.milliseconds(100)) } else { air.start() }
                    _ = air.put()
                }
                air.app { $0.start(at: $1, random: &$2) }
            },
            mend: { air in
                air.pass(.seconds(60))
                typed(&air)
            }),
        LinkFault(
            what: "there is no PIN", air: { CentralTimelineTests.air(passkey: nil) },
            play: { air in
                air.start()
                air.app { $0.enter(nil, at: $1, random: &$2) }
            }, mend: typed),
        LinkFault(
            what: "nobody types the PIN", air: { CentralTimelineTests.air(passkey: nil) }, play: { $0.start() },
            mend: typed),
        LinkFault(
            what: "the radio has lost the keys, and shows another PIN",
            air: {
                var air = CentralTimelineTests.air()
                air.start()
                air.app { $0.hangUp(at: $1, random: &$2) }
                var settings = HostPairingTests.Build.esp32.settings
                settings.security.passkey = 654_321
                air.sides[0].host = BluetoothHost(settings)
                air.reset()
                _ = air.put()
                return air
            }, play: { $0.start() }, mend: renewed),
    ]

    /// The right PIN, by an app that knows the same radios.
    @Sendable private static func typed(_ air: inout TestAir) {
        air.sides[1].app = BluetoothCentral(alice, passkey: pin, known: air.sides[1].app?.known ?? [])
    }

    // MARK: Silence

    private static let silence: [LinkFault] =
        [
            (.discoveringServices, "while its services are asked for"),
            (.subscribingToNotifications, "while it is paired with"),
        ].map { (phase: BluetoothCentral.Phase, when: String) in
            LinkFault(
                what: "the radio hangs \(when)",
                play: { air in
                    air.turn = (phase, { $0.isDeaf = true })
                    air.start()
                }, mend: again)
        } + [
            LinkFault(
                what: "the radio hangs while a frame is written",
                play: { air in
                    air.start()
                    air.isDeaf = true
                    try CentralTimelineTests.write(&air, [1])
                }, mend: again),
            LinkFault(
                what: "the radio hangs up at once",
                play: { air in
                    air.turn = (.discoveringServices, hangUp)
                    air.start()
                }),
        ]

    @Sendable private static func hangUp(_ air: inout TestAir) {
        guard let link = air.sides[0].host.openLinks.first else { return }
        try? air.ask(0, .disconnect(link))
    }

    // MARK: Vanishing

    private static func ends(of side: Int) -> [LinkFault] {
        let phases: [(BluetoothCentral.Phase, String)] = [
            (.scanning, "before one is found"), (.connecting, "before they are connected"),
            (.discoveringServices, "while services are asked for"),
            (.subscribingToNotifications, "while they pair"),
        ]
        let who = side == 0 ? "the radio vanishes" : "the controller of the app vanishes"
        return phases.map { phase, when in
            LinkFault(
                what: "\(who) \(when)",
                play: { air in
                    air.turn = (phase, { $0.lose(side) })
                    air.start()
                }, mend: again)
        } + [
            LinkFault(
                what: "\(who) while frames pass",
                play: { air in
                    air.start()
                    air.vanish(side)
                }, mend: again)
        ]
    }
}
