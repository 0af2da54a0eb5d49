import MeshFirmware
import MeshSimulator
import MeshTime
import NIOCore

/// The ports of an emulated world by node: the input of clients, the states of links, and effects on both.
final class PortTable {
    private var ports: [NodeID: any AppPort] = [:]
    /// The nodes that have a port, in their order.
    private(set) var nodes: [NodeID] = []

    func add(_ port: any AppPort, to node: NodeID) {
        ports[node] = port
        nodes.insert(node, at: nodes.firstIndex { $0 > node } ?? nodes.count)
    }

    /// Removes all ports and ends them; the futures complete when they have ended.
    func removeAll() -> [EventLoopFuture<Void>] {
        defer { (ports, nodes) = ([:], []) }
        return nodes.compactMap { ports[$0]?.stop() }
    }

    // MARK: Inputs

    /// Passes the input of clients and the states of their links to the driver.
    ///
    /// A port may call back while it is read, so the driver is not held meanwhile.
    func read(into loop: DriverLoop, at clock: TimeSpan) {
        for node in nodes where !loop.driver.isStopped {
            guard let port = ports[node] else { continue }
            read(port, of: node, into: loop, at: clock)
            update(node, in: loop, at: clock)
        }
    }

    private func read(_ port: any AppPort, of node: NodeID, into loop: DriverLoop, at clock: TimeSpan) {
        // A new client does not wait for what the one before it has left.
        guard loop.driver.isReady(for: node) || port.hasNewClient else { return }
        // What waits at a port of packets stays there, where it is counted, until the node has room.
        let isBounded = port.isPacketwise || loop.driver.isPeer(node)
        repeat {
            let window = isBounded ? loop.driver.window(of: node) : .max
            guard window > 0, let input = port.nextInput(window: window).flatMap(NodeInput.App.init) else { return }
            loop.handle(.client(node, input), at: clock)
        } while !isBounded || loop.driver.isReady(for: node)
    }

    /// Passes the state of a node's link to the driver.
    func update(_ node: NodeID, in loop: DriverLoop, at clock: TimeSpan) {
        guard let port = ports[node], !loop.driver.isStopped else { return }
        let asksForUnread = loop.driver.asksForUnread && loop.driver.isReady(for: node)
        loop.handle(.link(node, state(of: port, asksForUnread: asksForUnread)), at: clock)
    }

    private func state(of port: any AppPort, asksForUnread: Bool) -> LinkState {
        var state = LinkState()
        state.hasClient = port.hasClient
        state.isWritable = port.isWritable
        state.hasRoom = port.hasRoom
        state.isBehind = port.isBehind
        state.hasUnread = asksForUnread && port.hasUnread
        state.bluetooth = port.bluetooth
        return state
    }

    // MARK: Effects

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
        case .arm(let fault, let number, let node):
            ports[node]?.arm(fault, number: number)
            return .link(node)
        case .disarm(let number, let node):
            ports[node]?.disarm(number)
            return .link(node)
        case .forgets(let node):
            ports[node]?.reset()
            return .link(node)
        case .persist, .replaceFiles, .recorded, .happened, .turned, .lost, .note, .stepEnded, .stepFailed, .ended,
            .linked, .roomy:
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
