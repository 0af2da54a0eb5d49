import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import Testing

@testable import MeshEmulator

/// External nodes in a world without sockets: their program answers in the middle of the test.
@Suite struct ExternalNodeTests {
    private static let alice = NodeID(index: 0)
    private static let bob = NodeID(index: 1)

    /// Alice and bob, who hear each other, with a program in alice's place.
    private func world(seed: UInt64 = 7) -> World {
        var description = WorldDescription.desk
        description.nodes[0].role = .guest { ExternalNode($0) }
        return World(description, seed: Seed(seed))
    }

    /// The requests to alice's program now.
    private func requests(_ world: inout World) -> [String] {
        world.takeOutputs().compactMap { output in
            guard output.node == Self.alice, case .appBytes(let bytes) = output.kind else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func answer(_ text: String, _ world: inout World) {
        world.inject(.appBytes([UInt8](text.utf8)), into: Self.alice)
    }

    private func problem(_ world: World) -> String? {
        (world.guest(Self.alice) as? ExternalNode)?.problem?.description
    }

    @Test func `a program is told of its board first, and asked again when it wanted to be`() throws {
        var world = world()

        #expect(requests(&world).isEmpty, "nobody is there yet")
        world.inject(.appConnected, into: Self.alice)
        let start = try #require(requests(&world).first)
        answer("{\"wake\":5000000}", &world)
        world.run(until: .seconds(4))
        let early = requests(&world)
        world.run(until: .seconds(6))

        #expect(
            start.hasPrefix(
                "{\"start\":{\"boots\":0,\"node\":\"alice\",\"now\":0,\"protocol\":1,\"radio\":{\"bw\":62500,"))
        #expect(early.isEmpty)
        #expect(requests(&world) == ["{\"tick\":{\"busy\":false,\"noise\":-110,\"now\":5000000}}\n"])
    }

    @Test func `a frame that the program transmits is on the air for its time, and its end is told`() throws {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        _ = requests(&world)

        answer("{\"transmit\":\"\(Beacon.packet)\"}", &world)
        world.run(until: .seconds(2))

        #expect(world.framesSent(by: Self.alice) == 1)
        #expect(world.statistics.receptions == 1, "bob has heard it")
        let tick = try #require(requests(&world).last)
        #expect(tick.hasSuffix("\"sent\":true}}\n"))
        #expect(Beacon.number("now", in: tick) == world.airtime(of: Self.alice).microseconds)
    }

    @Test func `what is heard while an answer is owed is told with the next request`() throws {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        let signal = Signal(snrHundredths: 725, rssiHundredths: -9050)

        world.inject(.heard(RadioFrame([1, 2]), signal), into: Self.alice)
        world.inject(.heard(RadioFrame([3]), signal), into: Self.alice)
        #expect(requests(&world).count == 1)
        answer("{}", &world)

        let heard = "{\"frame\":\"0102\",\"rssi\":-9050,\"snr\":725},{\"frame\":\"03\",\"rssi\":-9050,\"snr\":725}"
        #expect(try #require(requests(&world).first).contains("\"heard\":[\(heard)]"))
    }

    @Test func `a board that restarts starts its program again, and keeps what was asked before to itself`() throws {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        _ = requests(&world)
        answer("{}", &world)

        world.restart(Self.alice)
        world.run(until: .seconds(60))
        #expect(world.isUp(Self.alice))
        world.inject(.appConnected, into: Self.alice)

        #expect(try #require(requests(&world).first).hasPrefix("{\"start\":{\"boots\":1,"))
    }

    @Test func `a program that leaves is asked no more`() {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        _ = requests(&world)

        answer("{\"leave\":true}", &world)
        world.run(until: .seconds(10))

        #expect(!world.isUp(Self.alice))
        #expect((world.guest(Self.alice) as? ExternalNode)?.hasLeft == true)
        #expect(requests(&world).isEmpty)
    }

    @Test func `new settings of the radio hold at once`() {
        var world = world()
        world.inject(.appConnected, into: Self.alice)

        answer("{\"radio\":{\"freq\":868000,\"bw\":125000,\"sf\":7,\"cr\":6,\"power\":14}}", &world)

        let wanted = LoRaParameters(
            frequencyKilohertz: 868_000, bandwidthHertz: 125_000, spreadingFactor: 7, codingRate: 6)
        #expect(world.parameters(of: Self.alice) == wanted)
        #expect(problem(world) == nil)
    }

    @Test(arguments: [
        ("", "its answer is no answer"), ("hello", "its answer is no answer"), ("[]", "its answer is no answer"),
        ("{\"wake\":\"soon\"}", "its answer is no answer (wake: "),
        ("{\"wake\":0}", "\"wake\" is 0, which is not after now"),
        ("{\"wake\":9007199254740993}", "or too far away"), ("{\"wake\":1e300}", "its answer is no answer"),
        ("{\"wakes\":1}", "\"wakes\" is not known here; known are wake, transmit, radio, leave"),
        ("{\"transmit\":\"\"}", "\"transmit\" must be 1 to 255 bytes in hex"),
        ("{\"transmit\":\"0g\"}", "\"transmit\" must be 1 to 255 bytes in hex"),
        ("{\"transmit\":\"\(String(repeating: "00", count: 256))\"}", "\"transmit\" must be 1 to 255 bytes in hex"),
        ("{\"radio\":{\"freq\":869618}}", "its answer is no answer"),
        ("{\"radio\":{\"freq\":1,\"bw\":62500,\"sf\":8,\"cr\":5,\"power\":22}}", "\"radio\" has a setting"),
        ("{\"radio\":{\"freq\":869618,\"bw\":62500,\"sf\":8,\"cr\":5,\"power\":99}}", "\"radio\" has a setting"),
        (String(repeating: "[", count: 2000), "its answer is no answer"),
    ])
    func `what is no answer is told, and ends what the node does`(text: String, reason: String) {
        var world = world()
        world.inject(.appConnected, into: Self.alice)

        answer(text, &world)

        #expect(problem(world)?.contains(reason) == true, "\(problem(world) ?? "no problem")")
        _ = requests(&world)
        world.run(until: .seconds(100))
        #expect(requests(&world).isEmpty)
    }

    @Test func `a second frame while the first is on the air is refused`() {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        answer("{\"transmit\":\"00\",\"wake\":1000}", &world)
        world.run(until: .milliseconds(2))

        answer("{\"transmit\":\"00\"}", &world)

        #expect(problem(world) == "it transmits before \"sent\" has ended its last frame")
    }

    @Test func `a program that was not asked and speaks is refused`() {
        var world = world()
        world.inject(.appConnected, into: Self.alice)
        answer("{}", &world)

        answer("{}", &world)

        #expect(problem(world) == "it speaks although it was not asked")
    }
}

/// A program that sends a packet every five seconds.
struct Beacon: Sendable {
    /// A flooded text to a channel without members.
    static let packet = "150077c0dbc0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
    private var next: Int64 = 0

    /// The answer to a request; `nil` at the end.
    mutating func answer(_ request: String) -> String? {
        guard !request.hasPrefix("{\"end\"") else { return nil }
        let now = Self.number("now", in: request)
        if request.hasPrefix("{\"start\"") {
            next = now + 1_000_000
        } else if now >= next {
            next += 5_000_000
            return "{\"transmit\":\"\(Self.packet)\",\"wake\":\(next)}"
        }
        return "{\"wake\":\(next)}"
    }

    static func number(_ name: String, in request: String) -> Int64 {
        guard let place = request.firstRange(of: "\"\(name)\":") else { return -1 }
        return Int64(request[place.upperBound...].prefix { $0 == "-" || $0.isNumber }) ?? -1
    }
}
