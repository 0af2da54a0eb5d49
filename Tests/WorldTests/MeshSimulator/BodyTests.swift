import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshSimulator

/// Nodes whose battery, supply, sensors and noise floor are told, in worlds.
@Suite struct BodyTests {
    private let hill = NodeID(index: 0)

    private static func hours(_ count: Double) -> Instant { .microseconds(Int64(count * 3.6e9)) }

    /// A repeater with this body, and one beside it that hears it with 8 dB.
    private func world(
        _ body: NodeBody?, board: BoardProfile = .heltecV3, _ change: (inout ServerSetup) -> Void = { _ in }
    ) -> World {
        var world = World(seed: Seed(3), traceCapacity: 100_000)
        var setup = ServerSetup(.repeater, board: board)
        setup.silenceAdverts()
        change(&setup)
        var node = NodeDescription("hill", .repeater, board: board, setup: setup)
        node.body = body
        world.add(node)
        var other = ServerSetup(.repeater, board: .heltecV3)
        other.silenceAdverts()
        world.add(NodeDescription("mill", .repeater, setup: other))
        world.links.connect(hill, NodeID(index: 1), AirLink(Signal(snrHundredths: 800, rssiHundredths: -9000)))
        return world
    }

    private func type(_ line: String, into world: inout World, at node: NodeID) -> String {
        _ = world.takeOutputs()
        world.inject(.appBytes([UInt8]((line + "\r").utf8)), into: node)
        return world.takeOutputs().reduce(into: "") { text, output in
            if case .appBytes(let bytes) = output.kind { text += String(decoding: bytes, as: UTF8.self) }
        }
    }

    private func millivolts(_ world: World) -> UInt16? {
        world.environment(of: hill)?.batteryMillivolts(at: world.now)
    }

    // MARK: Without power

    @Test func `an empty cell takes a board's power, and the sun of the next day gives it back`() throws {
        var body = NodeBody()
        body.battery = .cell(BatteryCell(capacity: 100, charge: 100, load: 20_000, panel: 60_000))
        var world = world(body)

        // 100 mAh last five hours of the night; the sun gives 20 mA beside the load from nine o'clock on.
        world.run(until: Self.hours(4.9))
        #expect(world.isUp(hill) && world.outage(of: hill) == nil)
        world.run(until: Self.hours(5.1))
        #expect(!world.isUp(hill) && world.outage(of: hill) == .emptyBattery)
        world.run(until: Self.hours(12))

        #expect(world.isUp(hill) && world.outage(of: hill) == nil)
        let turns = world.trace.records.filter { $0.node == hill && [.poweredOff, .booted].contains($0.event) }
        #expect(turns.map(\.event) == [.poweredOff, .booted])
        // Off while it is charged, it takes nothing: 6.7 mAh are there an hour after sunrise.
        #expect(Self.hours(6)..<Self.hours(7.5) ~= turns[1].time)
        #expect(world.statistics.events < 3000)
    }

    @Test func `a node that sends drains its cell, one that only listens does not`() throws {
        var cell = BatteryCell(capacity: 100, charge: 100, load: 0)
        cell.transmitLoad = 100_000
        var body = NodeBody()
        body.battery = .cell(cell)
        var world = world(body)
        for minute in 1...30 {
            _ = type("advert", into: &world, at: hill)
            world.run(until: .seconds(minute * 60))
        }

        let airtime = world.airtime(of: hill)
        let charge = try #require(world.environment(of: hill)?.battery.ofCell?.chargeMillionths(at: world.now))
        #expect(airtime > .seconds(10))
        // A microampere-hour of 100 mAh is ten millionths.
        let spent = Int(airtime.microseconds) / 36_000
        #expect(abs(1_000_000 - charge - spent * 10) <= 20, "\(charge) after \(airtime)")
    }

    @Test func `a supply carries the board and charges its cell, and power is lost when it goes`() {
        var cell = BatteryCell(capacity: 100, charge: 1, load: 50_000)
        cell.charger = 1000
        var body = NodeBody()
        body.battery = .cell(cell)
        body.supply = [.init(isOn: true), .init(Self.hours(1), isOn: false), .init(Self.hours(3), isOn: true)]
        var world = world(body)

        world.run(until: Self.hours(0.99))
        #expect(world.isUp(hill))
        // 2 mAh at 50 mA are two minutes and a half.
        world.run(until: Self.hours(1.1))
        #expect(world.outage(of: hill) == .emptyBattery)
        world.run(until: Self.hours(3) + .seconds(5))
        #expect(world.isUp(hill))
        #expect(world.environment(of: hill)?.isExternallyPowered == true)
    }

    @Test func `a repeater that saves power takes less, and on an ESP32 not before two minutes`() throws {
        var cell = BatteryCell(capacity: 1000, charge: 100, load: 100_000)
        cell.sleepLoad = 10_000
        var body = NodeBody()
        body.battery = .cell(cell)
        func left(_ board: BoardProfile, saving: Bool) throws -> Int {
            var world = world(body, board: board) { $0.preferences.powerSaving = saving ? 1 : 0 }
            world.run(until: Self.hours(1))
            return try #require(world.environment(of: hill)?.battery.ofCell?.chargeMillionths(at: world.now))
        }

        #expect(try left(.heltecV3, saving: false) == 900_000)
        // An hour at 10 mA, and three minutes at most at 100 mA.
        #expect(985_000...987_500 ~= (try left(.heltecV3, saving: true)))
        #expect(989_900...990_000 ~= (try left(.rak4631, saving: true)))
    }

    // MARK: Boards that do not start

    /// Falls to 2.9 V within an hour and is charged to 3.7 V in the next eight.
    private static let valley = Battery.voltage(
        .line([
            .init(.start, 3700), .init(hours(1), 2900), .init(hours(9), 3700),
        ]))

    @Test func `an nRF52 board whose battery is too low starts when a comparator wakes it`() {
        var body = NodeBody()
        body.battery = Self.valley
        body.cutoffMillivolts = 3000
        body.recoveryMillivolts = 3100
        var rak = world(body, board: .rak4631)
        var heltec = world(body)

        // 3000 mV are passed after 52 min and again at two hours; 3100 at three, 3300 at five, 3440 at 6.4.
        for (hour, isUp, outage) in [
            (0.8, true, nil), (1.5, false, PowerOutage.emptyBattery), (4, false, .bootLock), (6, false, .bootLock),
            (6.6, true, nil),
        ] {
            rak.run(until: Self.hours(hour))
            #expect(rak.isUp(hill) == isUp && rak.outage(of: hill) == outage, "at \(hour) h")
        }
        heltec.run(until: Self.hours(4))
        #expect(heltec.isUp(hill))
        #expect(type("get pwrmgt.bootmv", into: &rak, at: hill).contains("> 34"))
    }

    @Test func `a companion that switched itself off stays off while it is charged, until it is reset`() {
        var body = NodeBody()
        body.battery = .voltage(.line([.init(.start, 3600), .init(Self.hours(1), 3350), .init(Self.hours(2), 4000)]))
        body.autoShutdownMillivolts = 3400
        var world = World(seed: Seed(3))
        var node = NodeDescription("alice", .companion(.wifi))
        node.body = body
        let alice = world.add(node)

        world.run(until: Self.hours(0.75))
        #expect(world.isUp(alice))
        world.run(until: Self.hours(3))
        #expect(!world.isUp(alice) && world.outage(of: alice) == .switchedOff)
        world.powerOn(alice)
        world.run(until: Self.hours(4))
        #expect(world.isUp(alice))
    }

    @Test func `an nRF52 board that was switched off is waked by a cable, an ESP32 is not`() {
        var body = NodeBody()
        body.supply = [.init(Self.hours(1), isOn: true)]
        for (board, isUp) in [(BoardProfile.rak4631, true), (.heltecV3, false)] {
            var world = world(body, board: board)
            world.run(until: .seconds(20))
            _ = type("poweroff", into: &world, at: hill)
            #expect(world.outage(of: hill) == .switchedOff)
            world.run(until: Self.hours(2))
            #expect(world.isUp(hill) == isUp)
            if isUp { #expect(type("get pwrmgt.source", into: &world, at: hill).contains("> external")) }
        }
    }

    @Test func `power that somebody takes is not given back by a full battery`() {
        var body = NodeBody()
        body.battery = .cell(BatteryCell(capacity: 1000, load: 10_000, panel: 90_000))
        var world = world(body)
        world.run(until: .seconds(100))
        world.powerOff(hill)
        world.run(until: Self.hours(40))

        #expect(!world.isUp(hill) && world.outage(of: hill) == nil)
        world.powerOn(hill)
        world.run(until: Self.hours(41))
        #expect(world.isUp(hill))
    }

    // MARK: Noise and changes

    @Test func `noise at a place lowers what is received there, and is what the node reports`() throws {
        var body = NodeBody()
        body.noiseFloor = .steps(first: -110, then: [.init(.seconds(600), -104.5)])
        var world = world(body)
        let mill = NodeID(index: 1)
        func heardSNR() -> [Int16] {
            world.trace.records.compactMap {
                if case .rxEnd(_, let signal) = $0.event, $0.node == hill { signal.snrHundredths } else { nil }
            }
        }
        world.run(until: .seconds(20))
        _ = type("advert.zerohop", into: &world, at: mill)
        world.run(until: .seconds(700))
        _ = type("advert.zerohop", into: &world, at: mill)
        world.run(until: .seconds(720))

        #expect(heardSNR() == [800, 250])
        #expect(type("stats-radio", into: &world, at: hill).contains(#""noise_floor":-10"#))
        #expect(type("stats-radio", into: &world, at: mill).contains(#""noise_floor":-110"#))
    }

    @Test func `a body that is given later counts from then on, and a new battery is looked at at once`() {
        var world = world(nil)
        world.run(until: .seconds(100))
        #expect(world.body(of: hill) == nil && millivolts(world) == 4200)

        var body = NodeBody()
        body.battery = .millivolts(2500)
        world.setBody(body, of: hill)
        #expect(world.outage(of: hill) == .emptyBattery)

        world.setSupply(true, of: hill)
        world.run(until: .seconds(110))
        #expect(world.isUp(hill) && millivolts(world) == 2500)

        world.setBody(NodeBody(), of: hill)
        #expect(millivolts(world) == 4200)
    }

    @Test func `a cloud over the panel leaves the charge that is there`() throws {
        var body = NodeBody()
        body.battery = .cell(BatteryCell(capacity: 1000, charge: 50, load: 0, panel: 100_000))
        var world = world(body)
        world.run(until: Self.hours(12))
        let before = try #require(world.environment(of: hill)?.battery.ofCell?.chargeMillionths(at: world.now))
        world.changeCell(of: hill) { $0.panel = 0 }
        world.run(until: Self.hours(16))

        let after = try #require(world.environment(of: hill)?.battery.ofCell?.chargeMillionths(at: world.now))
        #expect(before > 800_000 && after == before)
        #expect(world.bodyNow(of: hill)?.battery?.ofCell?.panel == 0)
    }

    @Test func `a world whose bodies are all at rest has no events of theirs`() {
        var body = NodeBody()
        body.battery = .millivolts(3900)
        body.boardTemperature = .day(minimum: 0, maximum: 30, maximumAtHour: 15)
        body.parts = .bme280
        var (with, without) = (world(body), world(nil))
        with.run(until: Self.hours(50))
        without.run(until: Self.hours(50))

        #expect(with.digest == without.digest)
        // The first look.
        #expect(with.statistics.events == without.statistics.events + 1)
    }
}
