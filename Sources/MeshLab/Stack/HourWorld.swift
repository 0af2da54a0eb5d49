import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire

/// The mesh of an hour: alice, repeaters and rooms around her, contacts in her range, and contacts that only a repeater
/// hears.
struct HourWorld: Sendable {
    /// Unix seconds when the hour begins, by everybody's clock.
    static let startOfTime: UInt32 = 1_750_000_000
    static let repeaters = 2
    static let password = "hello"
    /// Short symbols: a text takes some 30 ms, so an hour has the air time for all of it.
    static let parameters = LoRaParameters(
        frequencyKilohertz: 869_618, bandwidthHertz: 500_000, spreadingFactor: 7, codingRate: 5)

    let hour: StackHour
    let seed: Seed

    /// Unix seconds at a moment of the run.
    static func seconds(at moment: VirtualClock.Instant) -> UInt32 {
        startOfTime + UInt32(moment.sinceStart.components.seconds)
    }

    static func repeater(_ number: Int) -> String { "rep\(number)" }
    static func room(_ number: Int) -> String { "room\(number)" }
    static func peer(_ number: Int) -> String { "p\(number)" }

    /// A channel that peers and alice share.
    static func channel(_ number: Int) -> (index: UInt8, name: String, secret: FixedBytes<16>) {
        let secret = (0..<16).map { UInt8(truncatingIfNeeded: 16 * (number + 1) + $0) }
        return (UInt8(number + 1), "#lane\(number)", FixedBytes(secret))
    }

    /// Every node, and who hears whom.
    func make() -> World {
        var world = World(seed: seed.part("world"), traceCapacity: 1_000_000, checks: false)
        let alice = world.add(NodeDescription("alice", .companion(.wifi)))
        let repeaters = (0..<Self.repeaters).map {
            world.add(server(Self.repeater($0), .repeater, .repeater))
        }
        let rooms = (0..<hour.rooms).map { world.add(server(Self.room($0), .roomServer, .roomServer)) }
        for node in repeaters + rooms { link(&world, alice, node) }
        link(&world, repeaters[0], repeaters[1])
        for room in rooms { for node in repeaters { link(&world, room, node) } }
        let peers = (0..<hour.contacts).map { world.add(NodeDescription(Self.peer($0), .companion(.wifi))) }
        for number in peers.indices {
            let heard = number < hour.near ? [alice] : hearers(of: number).map { repeaters[$0] }
            for node in heard { link(&world, peers[number], node) }
            for room in rooms.indices where hour.members(of: room).contains(number) && number < hour.near {
                link(&world, peers[number], rooms[room])
            }
            for other in 0..<number where isTogether(number, other) { link(&world, peers[number], peers[other]) }
        }
        for node in repeaters + rooms { world.setClock(of: node, to: Self.startOfTime) }
        return world
    }

    /// The repeaters that a far contact reaches: one, the other, or both.
    private func hearers(of number: Int) -> [Int] { [[0], [1], [0, 1]][number % 3] }

    /// Contacts in alice's range hear each other; so do far ones at the same repeater.
    private func isTogether(_ one: Int, _ other: Int) -> Bool {
        if one < hour.near || other < hour.near { return one < hour.near && other < hour.near }
        return hearers(of: one).contains(where: hearers(of: other).contains)
    }

    private func link(_ world: inout World, _ one: NodeID, _ other: NodeID) {
        world.links.connect(one, other, AirLink(.good, lossPerTenThousand: hour.lossPerTenThousand))
    }

    private func server(_ label: String, _ role: NodeRole, _ kind: ServerRole) -> NodeDescription {
        var setup = ServerSetup(kind, board: .heltecV3)
        setup.silenceAdverts()
        setup.preferences.name = ByteText(label)
        setup.preferences.guestPassword = ByteText(Self.password)
        setup.preferences.frequency = Float(Self.parameters.frequencyKilohertz) / 1000
        setup.preferences.bandwidth = Self.parameters.bandwidthKilohertz
        setup.preferences.spreadingFactor = Self.parameters.spreadingFactor
        setup.preferences.codingRate = Self.parameters.codingRate
        return NodeDescription(label, role, setup: setup)
    }
}
