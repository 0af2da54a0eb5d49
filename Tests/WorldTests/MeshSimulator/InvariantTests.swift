import MeshFirmware
import MeshPacket
import MeshTime
import Testing

@testable import MeshSimulator

/// A guest that pretends to be firmware and does what its client orders, however wrong.
///
/// First byte of a client's write: 0 transmits the rest, 1 claims the acknowledgement in the next four bytes, 2
/// transmits the rest again and again.
private struct Rogue: GuestNode {
    var nextWake = Instant.never
    let flash = Flash()
    var accounts: CoreAccounts?
    private var chorus: RadioFrame?

    init(packetsInUse: Int = 0) {
        accounts = CoreAccounts(packetsInUse: packetsInUse, packetsHeld: 0, airtimeFactor: 1, relaysFloods: true)
    }

    mutating func handle(_ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]) {
        switch input {
        case .appBytes(let bytes):
            let rest = Array(bytes.dropFirst())
            switch bytes.first {
            case 1: effects.append(.trace(.acked(rest.reduce(0) { $0 << 8 | UInt32($1) })))
            case 2: chorus = RadioFrame(rest)
            default: effects.append(.transmit(RadioFrame(rest)))
            }
            if let chorus { effects.append(.transmit(chorus)) }
        case .transmitDone: if let chorus { effects.append(.transmit(chorus)) }
        default: break
        }
    }
}

@Suite struct `Every invariant fires when its rule is broken` {
    private let rogue = NodeID(index: 0)

    /// A rogue and a repeater that hear each other.
    private func world(packetsInUse: Int = 0) -> World {
        var world = World(seed: Seed(1), traceCapacity: 1000)
        world.add(NodeDescription("rogue", .guest { _ in Rogue(packetsInUse: packetsInUse) }))
        world.add(NodeDescription("other", .repeater))
        world.links.connect(NodeID(index: 0), NodeID(index: 1), AirLink(.strong))
        world.run(until: .seconds(1))
        return world
    }

    private func rules(_ world: World) -> Set<Violation.Rule> { Set(world.invariants.violations.map(\.rule)) }

    /// A flooded GRP_TXT with so many hops of one byte.
    private func flood(hops: UInt8) -> [UInt8] {
        [0x15, hops] + [UInt8](repeating: 0xAB, count: Int(hops)) + [UInt8](repeating: 0x11, count: 19)
    }

    @Test func `transmits-twice: a node begins to transmit while it transmits`() {
        var world = world()

        world.inject(.appBytes([0] + flood(hops: 1)), into: rogue)
        #expect(rules(world) == [])
        world.run(until: world.now + .milliseconds(20))
        world.inject(.appBytes([0] + flood(hops: 2)), into: rogue)

        #expect(rules(world).contains(.transmitsTwice))
        #expect(world.invariants.violations.first { $0.rule == .transmitsTwice }?.node == rogue)
        #expect(world.trace.records.contains { $0.event == .violated(.transmitsTwice) })
    }

    @Test(arguments: [
        // 33 hops of two bytes, hash size 4, a path longer than the frame, no path length at all.
        [0x15, 0x61] + [UInt8](repeating: 0xAB, count: 66) + [1, 2, 3], [0x15, 0xC1, 1, 2, 3, 4, 5],
        [0x15, 9, 1, 2, 3],
        [0x15], [0x14, 1, 2, 3, 4],
    ])
    func `path-bounds: a node sends what nobody takes for a packet`(frame: [UInt8]) {
        var world = world()

        world.inject(.appBytes([0] + frame), into: rogue)

        #expect(rules(world) == [.pathBounds])
    }

    @Test func `path-bounds: what everybody discards on purpose is no violation`() {
        var world = world()

        world.inject(.appBytes([0, 0xFF, 0xC1, 1]), into: rogue)

        #expect(rules(world) == [])
    }

    @Test func `relays-twice: a node floods a packet of others again`() {
        var world = world()

        world.inject(.appBytes([0] + flood(hops: 1)), into: rogue)
        world.run(until: world.now + .seconds(2))
        #expect(rules(world) == [])
        world.inject(.appBytes([0] + flood(hops: 2)), into: rogue)

        #expect(rules(world) == [.relaysTwice])
    }

    @Test func `airtime-budget: a node never pauses`() {
        var world = world()

        world.inject(.appBytes([2] + [0xFF] + [UInt8](repeating: 1, count: 200)), into: rogue)
        world.run(until: .seconds(3500))
        #expect(rules(world) == [])
        world.run(until: .seconds(3700))

        #expect(rules(world) == [.airtimeBudget])
    }

    @Test func `queue-accounting: a packet is missing in the pool and in no queue`() {
        #expect(rules(world(packetsInUse: 1)) == [.queueAccounting])
    }

    @Test func `ack-without-delivery: a node takes for acknowledged what nobody has acknowledged`() {
        var world = world()

        world.inject(.appBytes([1, 0, 0, 0, 0]), into: rogue)
        #expect(rules(world) == [], "a zero is a quirk of the firmware")
        world.inject(.appBytes([1, 0xDE, 0xAD, 0xBE, 0xEF]), into: rogue)

        #expect(rules(world) == [.ackWithoutDelivery])
    }

    @Test func `hears-while-sending: an air that forgets who transmits is found out`() {
        var world = world()

        world.inject(.appBytes([0] + flood(hops: 1)), into: rogue)
        world.run(until: world.now + .milliseconds(100))
        world.radios[1].readyAt = .never

        world.run(until: world.now + .seconds(2))
        #expect(rules(world) == [.hearsWhileSending])
    }
}
