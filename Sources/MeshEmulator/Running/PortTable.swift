import MeshFirmware
import MeshSimulator
import MeshTime
import NIOCore

/// Ports of an emulated world, by node: what clients do goes to the driver, and what it wants of them is performed.
struct PortTable {
    private var ports: [NodeID: any AppPort] = [:]
    /// The nodes that have a port, in their order.
    private var nodes: [NodeID] = []

    mutating func add(_ port: any AppPort, to node: NodeID) {
        ports[node] = port
        nodes.insert(node, at: nodes.firstIndex { $0 > node } ?? nodes.count)
    }

    /// Removes all ports and ends them; the futures complete when they have ended.
    mutating func removeAll() -> [EventLoopFuture<Void>] {
        defer { (ports, nodes) = ([:], []) }
        return nodes.compactMap { ports[$0]?.stop() }
    }

    // MARK: To the driver

    /// Gives the driver what clients have done, and how their links stand.
    func read(into driver: inout WorldDriver, at clock: TimeSpan, _ effects: inout [DriverEffect]) {
        for node in nodes where !driver.isStopped {
            guard let port = ports[node] else { continue }
            read(port, of: node, into: &driver, at: clock, &effects)
            update(node, in: &driver, at: clock, &effects)
        }
    }

    private func read(
        _ port: any AppPort, of node: NodeID, into driver: inout WorldDriver, at clock: TimeSpan,
        _ effects: inout [DriverEffect]
    ) {
        guard driver.isReady(for: node) else { return }
        // What waits at a port of packets stays there, where it is counted, until the node has room.
        let isBounded = port.isPacketwise || driver.isPeer(node)
        repeat {
            let window = isBounded ? driver.window(of: node) : .max
            guard window > 0, let input = port.nextInput(window: window).flatMap(NodeInput.App.init) else { return }
            driver.handle(.client(node, input), at: clock, into: &effects)
        } while !isBounded || driver.isReady(for: node)
    }

    /// Says to the driver how a link stands.
    func update(
        _ node: NodeID, in driver: inout WorldDriver, at clock: TimeSpan, _ effects: inout [DriverEffect]
    ) {
        guard let port = ports[node], !driver.isStopped else { return }
        var state = LinkState()
        state.hasClient = port.hasClient
        state.isWritable = port.isWritable
        state.hasRoom = port.hasRoom
        state.isBehind = port.isBehind
        state.hasUnread = driver.asksForUnread && driver.isReady(for: node) && port.hasUnread
        driver.handle(.link(node, state), at: clock, into: &effects)
    }

    // MARK: From the driver

    /// Effect of a performed one on a link.
    enum Reach {
        /// The effect is no port's.
        case none
        /// The link may stand differently now.
        case link(NodeID)
        /// The client received something from the link itself, too.
        case client(NodeID)
    }

    /// Performs an effect on a port.
    func perform(_ effect: DriverEffect) -> Reach {
        switch effect {
        case .write(let bytes, let node):
            ports[node]?.send(bytes)
            return .link(node)
        case .shutOut(let node, _):
            ports[node]?.shutOut()
            return .link(node)
        case .restarts(let node):
            ports[node]?.restarts()
            return .link(node)
        case .losesPower(let node): return ports[node]?.losesPower() == true ? .client(node) : .link(node)
        case .booted(let node, let radio): return ports[node]?.booted(as: radio) == true ? .client(node) : .link(node)
        case .forgets(let node):
            ports[node]?.reset()
            return .link(node)
        case .persist, .replaceFiles, .recorded, .happened, .turned, .lost, .note, .stepEnded, .stepFailed, .ended,
            .linked,
            .roomy:
            return .none
        }
    }
}

extension NodeInput.App {
    /// An input of a port; `nil` for what no client does.
    init?(_ input: NodeInput) {
        switch input {
        case .appConnected: self = .connected
        case .appBytes(let bytes): self = .bytes(bytes)
        case .appDisconnected: self = .disconnected
        case .heard, .heardPacket, .receiveError, .transmitDone, .woke: return nil
        }
    }
}
