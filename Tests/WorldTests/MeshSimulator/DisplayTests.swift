import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire
import Testing

@testable import MeshSimulator

/// The text on displays and the button beside them. The texts stand in the firmware's `UITask` of each role.
@Suite struct DisplayTests {
    private let node = NodeID(index: 0)
    private let other = NodeID(index: 1)
    private static let version = "v1.17.1 (14 Aug 2026)"

    private static func server(_ role: ServerRole, board: BoardProfile = .heltecV3) -> World {
        var world = World(seed: Seed(3), traceCapacity: 1000)
        var setup = ServerSetup(role, board: board)
        setup.silenceAdverts()
        setup.preferences.name = "hill"
        (setup.preferences.frequency, setup.preferences.bandwidth) = (869.618, 62.5)
        (setup.preferences.spreadingFactor, setup.preferences.codingRate) = (8, 8)
        world.add(NodeDescription("hill", .server(role), board: board, setup: setup))
        return world
    }

    /// Two companion radios that hear each other: one with an app on a cable, one without an app.
    private func companions(_ link: AppLink = .wifi) -> World {
        var world = World(seed: Seed(3), traceCapacity: 1000)
        for (name, link) in [("ann", AppLink.serial), ("bob", link)] {
            var description = NodeDescription(name, .companion(link))
            description.name = ByteText(name)
            world.add(description)
        }
        world.links.connect(node, other, AirLink(Signal(snrHundredths: 800, rssiHundredths: -8000)))
        return world
    }

    private func lines(_ world: World, of node: NodeID) -> [String]? { world.display(of: node)?.lines }

    // MARK: Repeaters, rooms and sensors

    @Test(arguments: [
        (ServerRole.repeater, "< Repeater >", 4000), (.roomServer, "< Room Server >", 3000),
        (.sensor, "< Sensor >", 3000),
    ])
    func `a server shows its build, then its settings, and goes dark`(
        role: ServerRole, name: String, splash: Int64
    ) {
        var world = Self.server(role)
        let settings = ["hill", "FREQ: 869.618 SF8", "BW: 62.50 CR: 8"]

        #expect(lines(world, of: node) == ["https://meshcore.io", Self.version, name])
        world.run(until: .microseconds((splash - 1) * 1000))
        #expect(lines(world, of: node)?.last == name)
        world.run(until: .microseconds(splash * 1000))
        #expect(lines(world, of: node) == settings)
        world.run(until: .seconds(20))
        #expect(lines(world, of: node) == settings)
        world.run(until: .microseconds(20_000_001))
        #expect(world.display(of: node) == .off)

        world.run(until: .seconds(100))
        #expect(world.press(.click, on: node) == .pressed)
        #expect(lines(world, of: node) == settings)
        world.run(until: .seconds(121))
        #expect(world.display(of: node) == .off)
    }

    @Test func `builds before 1.16 show no address`() {
        var board = BoardProfile.heltecV3
        board.firmware = .v1_15
        #expect(lines(Self.server(.repeater, board: board), of: node) == ["v1.15.0 (19 Apr 2026)", "< Repeater >"])
    }

    @Test func `a repeater whose button is held switches itself off after three seconds`() {
        var world = Self.server(.repeater)
        world.run(until: .seconds(10))
        _ = world.takeOutputs()

        #expect(world.press(.long, on: node) == .pressed)

        #expect(lines(world, of: node) == ["https://meshcore.io", "Turning OFF"])
        let said = world.takeOutputs().reduce(into: "") { text, output in
            if case .appBytes(let bytes) = output.kind { text += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(said == "Powering Off\r\n")
        world.run(until: .seconds(13))
        #expect(world.isUp(node))
        world.run(until: .seconds(14))
        #expect(!world.isUp(node) && world.display(of: node) == .off)
        #expect(world.press(.click, on: node) == .isOff)

        world.powerOn(node)
        world.run(until: .seconds(18))
        #expect(lines(world, of: node)?.last == "< Repeater >")
    }

    @Test func `a room and an older repeater take a long press for a click`() {
        var board = BoardProfile.heltecV3
        board.firmware = .v1_16
        for var world in [Self.server(.roomServer), Self.server(.repeater, board: board)] {
            world.run(until: .seconds(60))
            #expect(world.press(.long, on: node) == .pressed)
            world.run(until: .seconds(70))
            #expect(world.isUp(node) && lines(world, of: node)?.first == "hill")
        }
    }

    // MARK: Companion radios

    @Test func `a companion shows its build, then its name, and goes dark`() {
        var world = companions()

        #expect(lines(world, of: other) == ["https://meshcore.io", "v1.17.1", "14 Aug 2026"])
        world.run(until: .seconds(3))
        #expect(lines(world, of: other) == ["bob", "MSG: 0"])
        world.run(until: .seconds(16))
        #expect(world.display(of: other) == .off)

        world.inject(.appConnected, into: other)
        world.press(.click, on: other)
        #expect(lines(world, of: other) == ["bob", "MSG: 0", "< Connected >"])
    }

    @Test func `a build with Bluetooth shows its PIN`() {
        var world = companions(.bluetooth)
        world.run(until: .seconds(4))
        #expect(lines(world, of: other) == ["bob", "MSG: 0", "Pin:123456"])
    }

    @Test func `clicks turn the pages`() {
        var world = companions()
        world.run(until: .seconds(10))
        let pages = (0..<7).map { _ in
            world.press(.click, on: other)
            world.run(until: world.now + .seconds(1))
            return Array(lines(world, of: other)?.dropFirst() ?? [])
        }
        #expect(
            pages == [
                [], ["FQ: 869.618   SF: 8", "BW: 62.50     CR: 5", "TX: 22dBm", "Noise floor: -110"],
                ["toggle: long press"], ["advert: long press"], ["gps off no fix", "sat 0"], ["hibernate:long press"],
                ["MSG: 0"],
            ])
    }

    @Test func `a held button on the page of adverts sends one, which others show`() {
        var world = companions()
        world.run(until: .seconds(10))
        for _ in 0..<4 { world.press(.click, on: other) }

        #expect(world.press(.long, on: other) == .pressed)

        #expect(lines(world, of: other) == ["bob", "advert: long press", "Advert sent!"])
        world.run(until: .seconds(12))
        #expect(lines(world, of: other) == ["bob", "advert: long press"])
        #expect(world.framesSent(by: other) == 1)
        world.press(.click, on: node)
        let recent = lines(world, of: node) ?? []
        #expect(recent.first == "ann" && recent.last == "Recent adverts")
        #expect(recent.count == 3 && recent[1].hasPrefix("bob ") && recent[1].hasSuffix("s"))
    }

    @Test func `a held button on the last page switches the radio off`() {
        var world = companions()
        world.run(until: .seconds(10))
        for _ in 0..<6 { world.press(.click, on: other) }
        #expect(world.press(.long, on: other) == .pressed)
        #expect(!world.isUp(other) && world.display(of: other) == .off)
    }

    @Test func `the rescue console and the switch of Bluetooth are not modelled`() {
        var world = companions()
        world.run(until: .seconds(7))
        #expect(world.press(.long, on: other) == .unknown)
        world.run(until: .seconds(10))
        for _ in 0..<3 { world.press(.click, on: other) }
        #expect(world.press(.long, on: other) == .unknown)
    }

    @Test func `a text lights the display of a radio without an app, and a click takes it away`() throws {
        var world = companions()
        world.run(until: .seconds(60))
        #expect(world.display(of: other) == .off)

        world.sendChannelText("hüt", from: 0)
        world.run(until: .seconds(63))

        let shown = try #require(lines(world, of: other))
        #expect(shown.count == 3 && shown[0].hasPrefix("Unread: 1 ") && shown[0].hasSuffix("s"))
        #expect(Array(shown.dropFirst()) == ["(0) Public:", "ann: h█t"])
        world.press(.click, on: other)
        #expect(lines(world, of: other) == ["bob", "MSG: 1"])
    }

    @Test func `a text leaves a display dark while an app is connected, and goes when the app has read it`() {
        var world = companions(.serial)
        world.run(until: .seconds(60))
        world.sendChannelText("hi", from: 0)
        world.run(until: .seconds(63))
        #expect(world.display(of: other) == .off)
        world.press(.click, on: other)
        #expect(lines(world, of: other)?.last == "ann: hi")

        world.command([10], to: 1)
        world.run(until: .seconds(64))
        #expect(lines(world, of: other) == ["bob", "MSG: 0", "< Connected >"])
    }

    @Test func `displays that are looked at change nothing in a run`() {
        var (watched, alone) = (companions(), companions())
        for second in 1...70 {
            for index in [0, 1] { _ = watched.display(of: NodeID(index: index)) }
            if second == 30 {
                watched.sendChannelText("hi", from: 0)
                alone.sendChannelText("hi", from: 0)
            }
            watched.run(until: .seconds(second))
            alone.run(until: .seconds(second))
        }
        #expect(watched.digest == alone.digest && watched.unseed == alone.unseed)
        #expect(watched.statistics == alone.statistics)
    }
}
