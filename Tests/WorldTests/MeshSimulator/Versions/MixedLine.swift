import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

/// Nodes in a line, each with a version of its own; apps speak serial frames.
struct MixedLine {
    enum Kind { case companion, repeater }

    private(set) var world: World
    private var receivers: [NodeID: ClientReceiver] = [:]

    init(
        _ nodes: [(Kind, FirmwareVersion)], seed: UInt64 = 1, quirks: QuirkSet = .all, rssiHundredths: Int16 = -8000
    ) {
        world = World(seed: Seed(seed), traceCapacity: 100_000)
        for (index, node) in nodes.enumerated() {
            var setup = ServerSetup(.repeater, board: .heltecV3)
            setup.silenceAdverts()
            let role = node.0 == .companion ? NodeRole.companion(.serial) : .repeater
            var description = NodeDescription("n\(index)", role, setup: node.0 == .repeater ? setup : nil)
            description.run(node.1)
            description.quirks = quirks
            let id = world.add(description)
            guard index > 0 else { continue }
            let link = AirLink(Signal(snrHundredths: 800, rssiHundredths: rssiHundredths))
            world.links.connect(NodeID(index: index - 1), id, link)
        }
        wait(1)
        // Most replies and pushes come in the layouts of app version 3.
        for id in world.nodes where world.companion(id) != nil { world.command([0x16, 3], to: id.index) }
        wait(1)
    }

    /// Two companions that know each other, with a repeater of some version between them.
    static func overRelay(_ relay: FirmwareVersion) -> MixedLine {
        var line = MixedLine([(.companion, .standard), (.repeater, relay), (.companion, .standard)])
        line.meet(0, 2)
        return line
    }

    /// Two companions in reach of each other.
    static func pair(
        _ one: FirmwareVersion, _ other: FirmwareVersion, seed: UInt64 = 1, quirks: QuirkSet = .all,
        rssiHundredths: Int16 = -8000
    ) -> MixedLine {
        var line = MixedLine(
            [(.companion, one), (.companion, other)], seed: seed, quirks: quirks, rssiHundredths: rssiHundredths)
        line.meet(0, 1)
        return line
    }

    mutating func meet(_ one: Int, _ other: Int) {
        for node in [one, other] {
            world.sendAdvert(from: node)
            wait(20)
        }
    }

    mutating func wait(_ seconds: Int64) { wait(.seconds(seconds)) }

    mutating func wait(_ span: TimeSpan) {
        world.run(until: world.now + span)
        for output in world.takeOutputs() {
            guard case .appBytes(let bytes) = output.kind else { continue }
            _ = bytes.withUnsafeBytes {
                receivers[output.node, default: ClientReceiver(capacity: 65_536)].append($0)
            }
        }
    }

    mutating func command(_ frame: [UInt8], to node: Int) { world.command(frame, to: node) }

    /// A line at the console of a repeater.
    mutating func type(_ line: String, at node: Int) {
        world.inject(.appBytes(Array(line.utf8) + [0x0D]), into: NodeID(index: node))
        wait(1)
    }

    mutating func sendText(_ text: String, from node: Int, to other: Int, attempt: UInt8 = 0, at time: UInt32) {
        guard let key = world.companion(NodeID(index: other))?.publicKey else { return }
        command([2, 0, attempt] + time.wireBytes + key.prefix(6) + Array(text.utf8), to: node)
    }

    /// Frames that the app of a node has received since it was last asked.
    mutating func frames(of node: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while let frame = receivers[NodeID(index: node)]?.nextFrame() { frames.append(frame) }
        return frames
    }

    /// The answer to a command.
    mutating func ask(_ frame: [UInt8], of node: Int) -> [UInt8]? {
        _ = frames(of: node)
        command(frame, to: node)
        wait(1)
        return frames(of: node).first
    }

    /// Packets of a type, by the four bits in their header, that a node has begun to send.
    func sent(_ type: UInt8, by node: Int) -> [[UInt8]] {
        world.trace.records.compactMap { record in
            guard record.node.index == node, case .txBegin(_, let bytes, _) = record.event else { return nil }
            return bytes.first.map { ($0 >> 2) & 0x0F == type } == true ? bytes : nil
        }
    }

    /// Returns the times at which a node was sending.
    func transmissions(of node: Int) -> [Range<Instant>] {
        world.trace.records.compactMap { record in
            guard record.node.index == node, case .txBegin(_, _, let airtime) = record.event else { return nil }
            return record.time..<record.time + airtime
        }
    }

    /// Transmits a packet of another sender at a node's place.
    mutating func transmit(_ packet: [UInt8], near node: Int) {
        world.transmit(RadioFrame(packet), near: NodeID(index: node))
    }

    mutating func forgetTrace() { _ = world.takeTrace() }
}

extension UInt32 {
    /// Its four bytes, the lowest first.
    var wireBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
