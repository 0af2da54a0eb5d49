import MeshCompanion
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWorlds

struct FaultListRecord: Encodable, Sendable {
    let faults: [FaultRecord]
    let idle: Int
    let total: Int
}

/// A fault that was asked for, with what it did: one of the world, or one kind on the link of a client.
struct FaultRecord: Encodable, Sendable {
    let fault: Int?
    let node: String?
    let way: String?
    let words: String
    let begin: Double?
    let mayNotFire: Bool
    let isIdle: Bool
    let times: Int
    let frames: Int
    let bytes: Int
    let nodes: [String]
    let firstAt: Double?
    let lastAt: Double?

    /// All faults of the run: those of the world by their numbers, then those of links, node by node.
    static func all(of driver: WorldDriver) -> [FaultRecord] {
        let world = driver.world
        let faults = (0..<world.faultCount).map { FaultRecord(fault: $0, in: world) }
        return faults
            + world.nodes.flatMap { node in
                driver.linkFaultDemands(of: node).flatMap { demand in
                    demand.effects(in: world).map { FaultRecord($0, of: demand, at: world.label(of: node)) }
                }
            }
    }

    private init(fault number: Int, in world: World) {
        let asked = world.fault(number)
        let count = world.effect(ofFault: number)
        (fault, node, way) = (number, nil, nil)
        words = asked.kind.words(world.label(of:))
        begin = asked.begin.seconds
        mayNotFire = asked.mayNotFire
        isIdle = !asked.mayNotFire && !count.hasFired
        (times, frames, bytes) = (count.times, count.frames, count.bytes)
        nodes = count.nodes.map { world.label(of: NodeID(index: $0)) }
        (firstAt, lastAt) = (count.first?.seconds, count.last?.seconds)
    }

    private init(_ effect: LinkFaultDemand.Effect, of demand: LinkFaultDemand, at label: String) {
        let count = effect.count
        (fault, node, way) = (nil, label, demand.way == .toApp ? "toApp" : "toRadio")
        words = effect.words(label)
        begin = nil
        mayNotFire = demand.mayNotFire
        isIdle = demand.isIdle(effect)
        (times, frames, bytes) = (count.times, count.frames, count.bytes)
        nodes = count.hasFired ? [label] : []
        (firstAt, lastAt) = (count.first?.seconds, count.last?.seconds)
    }
}
