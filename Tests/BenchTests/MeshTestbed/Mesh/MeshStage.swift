import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@testable import MeshWorlds

/// A mesh in which all companions have an app, its repeaters without adverts of their own.
struct MeshStage {
    private(set) var world: World
    let topology: Topology
    private var apps: [MeshApp?]
    /// All transmissions, each with its time and its sender.
    private(set) var air: [(at: Instant, node: Int, packet: PacketView)] = []
    /// Deliveries to the applications of nodes, in their order, by type of payload.
    private(set) var deliveries: [(node: Int, type: PayloadType)] = []
    private(set) var losses = 0
    private(set) var confirmed: [UInt32] = []

    init(_ topology: Topology, seed: UInt64 = 1, change: (inout WorldPlan) -> Void = { _ in }) {
        var plan = WorldPlan(topology)
        plan.silenceAdverts()
        change(&plan)
        world = plan.world(seed: Seed(seed), traceCapacity: .max)
        self.topology = topology
        apps = topology.nodes.map { $0.role == .companion ? MeshApp() : nil }
        for label in topology.nodes.map(\.label) where app(label) {
            tell(label, SetDeviceTime(epoch: 1_750_000_000))
            tell(label, SetAdvertName(name: ByteText(label)))
        }
        run(seconds: 1)
    }

    private func app(_ label: String) -> Bool { apps[node(label)] != nil }

    func node(_ label: String) -> Int { topology.nodes.firstIndex { $0.label == label } ?? 0 }
    func key(_ label: String) -> PublicKey {
        world.companion(NodeID(index: node(label)))?.publicKey ?? world.repeater(NodeID(index: node(label)))?.publicKey
            ?? PublicKey()
    }
    /// Returns the contact that one companion keeps of another.
    func contact(_ label: String, of owner: String) -> Contact? {
        let key = key(label)
        return world.companion(NodeID(index: node(owner)))?.contacts.slots.first { $0.publicKey == key }
    }

    /// Queues a command of the app of a companion.
    mutating func tell(_ label: String, _ command: some CommandFrame) { apps[node(label)]?.queue(command) }

    /// Makes two companions known to each other, without a path.
    mutating func introduce(_ one: String, _ other: String) {
        for (owner, friend) in [(one, other), (other, one)] {
            var command = AddUpdateContact()
            command.publicKey = key(friend)
            command.name = FixedBytes(text: ByteText(friend))
            tell(owner, command)
        }
        run(seconds: 1)
    }

    mutating func write(_ text: String, from: String, to: String, at time: UInt32 = 1_750_000_010) {
        tell(
            from,
            SendTxtMsg(
                attempt: 0, timestamp: time, publicKeyPrefix: FixedBytes(key(to).prefix(6)), text: ByteText(text)))
    }

    mutating func writeToAll(_ text: String, from: String, at time: UInt32 = 1_750_000_010) {
        tell(from, SendChannelTxtMsg(channelIndex: 0, timestamp: time, text: ByteText(text)))
    }

    /// Two nodes do not hear each other any more.
    mutating func cut(_ one: String, _ other: String) {
        let (a, b) = (NodeID(index: node(one)), NodeID(index: node(other)))
        world.links[a, b] = nil
        world.links[b, a] = nil
    }

    mutating func run(seconds: Int) {
        let end = world.now + .seconds(seconds)
        while world.now < end {
            for node in apps.indices {
                guard apps[node] != nil else { continue }
                if apps[node]?.connects() == true { world.inject(.appConnected, into: NodeID(index: node)) }
                if let input = apps[node]?.nextInput() { world.inject(.appBytes(input), into: NodeID(index: node)) }
            }
            world.run(until: world.now + .milliseconds(10))
            take()
        }
    }

    private mutating func take() {
        for output in world.takeOutputs() {
            guard case .appBytes(let bytes) = output.kind else { continue }
            apps[output.node.index]?.receive(bytes)
        }
        for node in apps.indices {
            for news in apps[node]?.takeNews() ?? [] { if case .confirmed(let tag) = news { confirmed.append(tag) } }
        }
        for record in world.takeTrace() {
            switch record.event {
            case .txBegin(_, let bytes, _):
                if let packet = try? PacketView(bytes) { air.append((record.time, record.node.index, packet)) }
            case .rxDrop: losses += 1
            case .reported(.delivered(let type)):
                deliveries.append((record.node.index, PayloadType(rawValue: type)))
            default: break
            }
        }
    }

    mutating func takeAir() -> [(at: Instant, node: Int, packet: PacketView)] {
        defer { air = [] }
        return air
    }
}
