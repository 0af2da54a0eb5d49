import MeshCompanion
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire
import Testing

/// Modems in a world: they share its air.
@Suite struct ModemTests {
    /// A frame that a modem has written, and when.
    private struct Said: Equatable {
        let time: Instant
        let frame: [UInt8]
    }

    /// Modems a and b and companion radio c, which all hear each other at −80 dBm.
    private final class Stage {
        var world = World(seed: Seed(1), traceCapacity: 10_000)
        private var said: [[Said]] = [[], [], []]

        init() {
            world.add(NodeDescription("a", .modem))
            world.add(NodeDescription("b", .modem))
            world.add(NodeDescription("c", .companion(.serial)))
            for sender in world.nodes {
                for listener in world.nodes where listener != sender { world.links[sender, listener] = .strong }
            }
            for node in 0..<2 {
                tell(node, .persistence, [255])
                tell(node, .txDelay, [0])
            }
            run(.zero)
        }

        func tell(_ node: Int, _ type: ModemFrameType, _ data: [UInt8]) {
            world.inject(.appBytes(KISSFraming.encode(type, data)), into: NodeID(index: node))
        }

        func run(_ span: TimeSpan) {
            world.run(until: world.now + span)
            for output in world.takeOutputs() {
                guard case .appBytes(let bytes) = output.kind, output.node.index < 2 else { continue }
                var receiver = KISSReceiver()
                _ = receiver.append(bytes)
                while let frame = receiver.nextFrame() {
                    said[output.node.index].append(Said(time: output.time, frame: frame))
                }
            }
        }

        func take(_ node: Int) -> [Said] {
            defer { said[node] = [] }
            return said[node]
        }

        func ask(_ node: Int, _ command: ModemCommand, _ data: [UInt8] = []) -> [[UInt8]] {
            _ = take(node)
            tell(node, .setHardware, [command.rawValue] + data)
            run(.zero)
            return take(node).map(\.frame)
        }

        func begins(of node: Int) -> [Instant] {
            world.trace.records.compactMap { record in
                guard record.node.index == node, case .txBegin = record.event else { return nil }
                return record.time
            }
        }

        func ends(of node: Int) -> [Instant] {
            world.trace.records.compactMap { record in
                guard record.node.index == node, case .txEnd = record.event else { return nil }
                return record.time
            }
        }
    }

    private static func airtime(_ count: Int) -> TimeSpan {
        .microseconds(LoRaParameters().airtimeMicroseconds(bytes: count))
    }

    @Test func `a packet is at the other modem after its airtime, with its strength, and its sender knows`() {
        let stage = Stage()

        stage.tell(0, .data, [1, 2, 3])
        stage.run(.seconds(5))

        let end = Instant.start + Self.airtime(3)
        #expect(stage.take(1) == [Said(time: end, frame: [0, 1, 2, 3]), Said(time: end, frame: [6, 0xF9, 40, 0xB0])])
        #expect(stage.take(0) == [Said(time: end, frame: [6, 0xF8, 1])])
        #expect(stage.world.airtime(of: NodeID(index: 0)) == Self.airtime(3))
    }

    @Test func `a modem waits for a channel that is in use, and tells its host that it is`() throws {
        let stage = Stage()
        stage.tell(1, .data, [UInt8](repeating: 7, count: 200))
        stage.run(.milliseconds(200))

        #expect(stage.ask(0, .isChannelBusy) == [[6, 0x8E, 1]])
        #expect(stage.ask(0, .getCurrentRSSI) == [[6, 0x8D, 0xB0]])
        stage.tell(0, .data, [1])
        stage.run(.seconds(10))

        let begin = try #require(stage.begins(of: 0).first)
        let end = try #require(stage.ends(of: 1).first)
        #expect(begin >= end && begin <= end + .milliseconds(2))
        #expect(stage.ask(0, .isChannelBusy) == [[6, 0x8E, 0]])
        #expect(stage.world.statistics.drops(.collision) == 0)
    }

    @Test func `a modem that sends hears nothing, also one that does not listen before`() {
        let stage = Stage()
        stage.tell(0, .fullDuplex, [1])
        stage.tell(1, .data, [UInt8](repeating: 7, count: 100))
        stage.run(.milliseconds(300))

        stage.tell(0, .data, [1])
        stage.run(.seconds(10))

        #expect(stage.take(0).map(\.frame) == [[6, 0xF8, 1]])
        #expect(stage.world.losses(at: 0).contains(.halfDuplex))
    }

    @Test func `a companion radio learns who adverts through a modem, and the modem's host who adverts to it`() throws {
        let (here, there) = (Stage(), Stage())
        // SEND_SELF_ADVERT, flood.
        here.world.inject(.appBytes([0x3C, 2, 0, 7, 1]), into: NodeID(index: 2))
        here.run(.seconds(5))
        let advert = try #require(here.take(0).first { $0.frame.first == 0 }).frame.dropFirst()

        there.world.restart(NodeID(index: 2), erasingFlash: true)
        there.run(.seconds(20))
        there.tell(0, .data, [UInt8](advert))
        there.run(.seconds(5))

        let sender = try #require(here.world.companion(NodeID(index: 2))?.publicKey)
        let known = there.world.companion(NodeID(index: 2))?.contacts.slots.map(\.publicKey) ?? []
        #expect(known.contains(sender))
    }

    @Test func `modems on two frequencies do not hear each other`() {
        let stage = Stage()

        #expect(stage.ask(1, .setRadio, [UInt8](hex: "48824536 20a10700 07 05") ?? []) == [[6, 0xF0]])
        stage.tell(0, .data, [1])
        stage.run(.seconds(5))

        #expect(stage.take(1) == [])
        #expect(stage.world.parameters(of: NodeID(index: 1)).frequencyKilohertz == 910_525)
    }

    @Test func `a restart forgets what the host has set, and keeps the identity`() {
        let stage = Stage()
        let before = stage.ask(0, .getIdentity)
        _ = stage.ask(0, .setTxPower, [3])

        #expect(stage.ask(0, .reboot) == [[6, 0xF0]])
        #expect(!stage.world.isUp(NodeID(index: 0)))
        stage.run(.seconds(20))

        #expect(stage.ask(0, .getIdentity) == before)
        #expect(stage.ask(0, .getTxPower) == [[6, 0x8C, 0]])
    }

    @Test func `a host may try as many settings as it likes, and those who end on one hear each other`() throws {
        let stage = Stage()
        for number in 0..<70_000 {
            var settings = ModemRadio()
            settings.frequency = 433_000_000 + UInt32(number) * 1000
            settings.bandwidth = 125_000
            (settings.spreadingFactor, settings.codingRate) = (7, 5)
            stage.tell(0, .setHardware, [ModemCommand.setRadio.rawValue] + settings.written())
        }
        let last = try #require(stage.ask(0, .getRadio).last).dropFirst(2)
        stage.tell(1, .setHardware, [ModemCommand.setRadio.rawValue] + last)
        stage.run(.zero)
        _ = stage.take(1)

        stage.tell(0, .data, [1])
        stage.run(.seconds(5))

        #expect(stage.take(1).map(\.frame) == [[0, 1], [6, 0xF9, 40, 0xB0]])
        #expect(stage.world.parameters(of: NodeID(index: 1)).frequencyKilohertz == 502_999)
    }
}
