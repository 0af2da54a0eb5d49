package import MeshCapture
import MeshCompanion
package import MeshFirmware
package import MeshSimulator
import MeshTime
package import MeshTransports
package import MeshWorlds
import Synchronization

// What somebody who steers a running world can do to it, beside what `World` and `MeshPeople` offer themselves.
extension WorldRunner {
    /// Everything that happens from now on; `nil` when there are as many followers as are served.
    package func follow() -> AsyncStream<HappeningLog.Line>? { followers.follow() }

    /// Lets somebody look at the world and change it, at the present moment.
    func change<R>(_ body: (inout World) throws -> R) rethrows -> R {
        try steer { try body(&$0.world) }
    }

    /// Lets somebody steer the world at the present moment.
    package func steer<R>(_ body: (WorldRunner) throws -> R) rethrows -> R {
        advance()
        defer {
            deliver()
            people?.lookAhead(in: &world)
            advance()
        }
        return try body(self)
    }

    /// How time passes.
    package var pace: Pace { pacer.pace }

    /// How things stand.
    package var standing: RunOutcome { outcome }

    /// Lets the people of the world do something.
    package func withPeople<R, E: Error>(
        _ body: (inout MeshPeople, inout World) throws(E) -> R
    ) throws(E) -> R? {
        guard var people else { return nil }
        // No second copy of what they have while it changes.
        self.people = nil
        defer { self.people = people }
        return try body(&people, &world)
    }

    /// Changes the world.
    package func withWorld<R>(_ body: (inout World) throws -> R) rethrows -> R { try body(&world) }

    /// Looks at a companion radio in its place.
    package func look<R>(at node: NodeID, _ body: (CompanionRadio) throws -> R) rethrows -> R? {
        try world.withCompanion(node) { try body($0) }
    }

    // MARK: Nodes

    /// Switches a new node on, which hears nobody yet.
    package func add(_ node: Topology.Node, _ description: NodeDescription) -> NodeID {
        let added = world.add(description)
        people?.add(node, at: world.now)
        ports.append(nil)
        isNoted.append(false)
        return added
    }

    /// Takes a node away: power and links.
    package func remove(_ node: NodeID) {
        world.links.disconnect(node)
        if world.isUp(node) { world.powerOff(node) }
    }

    // MARK: Clients

    /// Whether a node has an endpoint.
    package func hasEndpoint(_ node: NodeID) -> Bool { ports.indices.contains(node.index) && ports[node.index] != nil }

    /// Whether a client is connected to a node's endpoint.
    package func hasClient(_ node: NodeID) -> Bool {
        ports.indices.contains(node.index) && ports[node.index]?.hasClient == true
    }

    /// Whether frames pass at a node's endpoint with which something can go wrong.
    package func hasFrames(_ node: NodeID) -> Bool { faulty[node.index] != nil }

    /// Lets frames to or from a client go wrong.
    package func setLinkFaults(_ faults: LinkFaults, toApp: Bool, of node: NodeID) {
        faulty[node.index]?.set(faults, toApp ? .toApp : .toRadio)
    }

    /// Lets frames of a node's client pass again, those that are held back included.
    package func clearLinkFaults(of node: NodeID) { faulty[node.index]?.clear() }

    /// Ends the connection of a node's client.
    package func hangUp(_ node: NodeID) { faulty[node.index]?.hangUp() }

    /// Sends a node's client a frame that its radio never sent; false when nobody takes it.
    package func push(_ frame: [UInt8], to node: NodeID) -> Bool {
        guard let port = faulty[node.index], port.push(frame) else { return false }
        told(node)
        return true
    }

    // MARK: Consoles

    /// Types a line at the console of an infrastructure node that has no endpoint, and returns what the console writes.
    package func type(_ line: String, at node: NodeID) -> [UInt8] {
        deliver()
        typing = (node, [])
        defer { typing = nil }
        world.inject(.appBytes(Array(line.utf8) + [0x0D]), into: node)
        deliver()
        return typing?.output ?? []
    }

    // MARK: Recordings

    /// Begins a recording of what passes at a companion radio with an endpoint; false where there is one, or no client could
    /// be.
    package func startRecording(of node: NodeID) -> Bool {
        guard let link = links[node.index], hasFrames(node), !isRecordingFiles else { return false }
        let label = world.label(of: node)
        guard recorded.begin(label, at: world.now) else { return false }
        if recorder == nil {
            recorder = RadioRecorder(nodes: world.nodes.count) { [recorded] in recorded.add($1, of: $0) }
        }
        recorder?.add(node, label, over: link)
        return true
    }

    /// Ends it; what was recorded, over which link.
    package func endRecording(of node: NodeID) -> (entries: [RecordingEntry], link: RecordingLink)? {
        guard let link = links[node.index], let entries = recorded.end(world.label(of: node)) else { return nil }
        return (entries, link)
    }
}

/// What is being recorded for those who steer a world, by the node's name.
final class RecordedLines: Sendable {
    /// Lines of one recording at most; what comes after them is not in it.
    static let most = 1_000_000

    private struct Open {
        let since: Instant
        var entries: [RecordingEntry] = []
    }

    private let open = Mutex<[String: Open]>([:])

    /// False where one of this name is open.
    func begin(_ label: String, at now: Instant) -> Bool {
        open.withLock { open in
            guard open[label] == nil else { return false }
            open[label] = Open(since: now)
            return true
        }
    }

    func add(_ entry: RecordingEntry, of label: String) {
        open.withLock { open in
            guard let count = open[label]?.entries.count, count < Self.most else { return }
            open[label]?.entries.append(entry)
        }
    }

    func end(_ label: String) -> [RecordingEntry]? {
        open.withLock { $0.removeValue(forKey: label)?.entries }
    }

    func forget() { open.withLock { $0 = [:] } }
}
