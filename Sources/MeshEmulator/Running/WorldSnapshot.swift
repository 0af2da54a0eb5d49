import MeshCapture
import MeshFirmware
import MeshLinks
package import MeshSimulator
package import MeshTime
import MeshWorlds

/// A steered world as it was at a moment, with its people and what had happened: whatever a run goes back to.
///
/// Clients are not in it: a connection cannot go back in time.
package struct WorldSnapshot {
    /// What it is called.
    package let name: String
    let world: World
    let people: MeshPeople?
    let log: HappeningLog?

    package var now: Instant { world.now }
    package var digest: Digest { world.digest }
}

/// Why a run cannot go back to what it was.
package enum SnapshotProblem: Error, Hashable, Sendable {
    /// What is on the disk would not go back.
    case hasFiles
    /// A connection over a modelled link has a past of its own.
    case hasLink
    /// There are as many as are kept.
    case tooMany(Int)
    case unknown(String)
    /// A node lives elsewhere, and what is there does not go back.
    case hasGuest(String)
}

extension WorldRunner {
    /// Snapshots that are kept at most.
    package static let mostSnapshots = 64

    /// The names of the snapshots, in the order of their making.
    package var snapshotList: [WorldSnapshot] { snapshots }

    /// Keeps the world as it is now; an earlier snapshot of the name is replaced.
    package func takeSnapshot(_ name: String) throws(SnapshotProblem) {
        guard state == nil, !isWritingFiles else { throw .hasFiles }
        guard modelled.isEmpty else { throw .hasLink }
        if let guest = world.nodes.first(where: { world.guest($0) != nil && world.modem($0) == nil }) {
            throw .hasGuest(world.label(of: guest))
        }
        snapshots.removeAll { $0.name == name }
        guard snapshots.count < Self.mostSnapshots else { throw .tooMany(Self.mostSnapshots) }
        snapshots.append(WorldSnapshot(name: name, world: world, people: people, log: log))
    }

    /// Forgets a snapshot.
    package func deleteSnapshot(_ name: String) throws(SnapshotProblem) {
        guard let place = snapshots.firstIndex(where: { $0.name == name }) else { throw .unknown(name) }
        snapshots.remove(at: place)
    }

    /// Goes back to a snapshot: everything is as it was, but that clients are disconnected and that nothing goes wrong with
    /// their links. Whoever waits for time waits in vain.
    package func restore(_ name: String) throws(SnapshotProblem) {
        guard let snapshot = snapshots.first(where: { $0.name == name }) else { throw .unknown(name) }
        failSteps()
        for node in attached {
            ports[node.index]?.reset()
            faulty[node.index]?.forget()
        }
        restores += 1
        let wereUp = attached.map(world.isUp)
        world = snapshot.world
        people = snapshot.people
        log = snapshot.log
        recorder = nil
        recorded.forget()
        texts.forget()
        for (node, wasUp) in zip(attached, wereUp) where wasUp != world.isUp(node) {
            if wasUp {
                ports[node.index]?.losesPower()
            } else {
                ports[node.index]?.booted(as: RadioIdentity(node, in: world))
            }
        }
        // What the boards believed of their clients is over.
        for node in attached where world.companion(node)?.isConnected == true {
            world.inject(.appDisconnected, into: node)
        }
        gate = gate.map { ClientGate($0.rules, ports: attached.count) }
        pacer.allow(until: world.now)
        pacer.start(from: world.now, at: alarm.now)
    }
}
