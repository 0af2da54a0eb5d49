import MeshFirmware
import MeshSimulator
import MeshTime
import NIOCore

/// The ports of an emulated world by client: their input, the states of their links, and effects on both.
final class PortTable {
    private var ports: [ClientID: any AppPort] = [:]
    /// The clients that have a port, in their order.
    private(set) var clients: [ClientID] = []

    func add(_ port: any AppPort, to client: ClientID) {
        ports[client] = port
        clients.insert(client, at: clients.firstIndex { $0 > client } ?? clients.count)
    }

    /// Removes all ports and ends them; the futures complete when they have ended.
    func removeAll() -> [EventLoopFuture<Void>] {
        defer { (ports, clients) = ([:], []) }
        return clients.compactMap { ports[$0]?.stop() }
    }

    // MARK: Inputs

    /// Passes the input of clients and the states of their links to the driver.
    ///
    /// A port may call back while it is read, so the driver is not held meanwhile.
    func read(into loop: DriverLoop, at clock: TimeSpan) {
        for client in clients where !loop.driver.isStopped {
            guard let port = ports[client] else { continue }
            read(port, of: client, into: loop, at: clock)
            update(client, in: loop, at: clock)
        }
    }

    private func read(_ port: any AppPort, of client: ClientID, into loop: DriverLoop, at clock: TimeSpan) {
        // A new client does not wait for what the one before it has left.
        guard loop.driver.isReady(for: client) || port.hasNewClient else { return }
        // What waits at a port of packets stays there, where it is counted, until the node has room.
        let isBounded = port.isPacketwise || loop.driver.isPeer(client.node)
        repeat {
            let window = isBounded ? loop.driver.window(of: client) : .max
            guard window > 0, let input = port.nextInput(window: window).flatMap(NodeInput.App.init) else { return }
            loop.handle(.client(client, input), at: clock)
        } while !isBounded || loop.driver.isReady(for: client)
    }

    /// Passes the state of a client's link to the driver.
    func update(_ client: ClientID, in loop: DriverLoop, at clock: TimeSpan) {
        guard let port = ports[client], !loop.driver.isStopped else { return }
        let asksForUnread = loop.driver.asksForUnread && loop.driver.isReady(for: client)
        loop.handle(.link(client, state(of: port, asksForUnread: asksForUnread)), at: clock)
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
        case link(ClientID)
        /// The client received something from the link itself, too.
        case client(ClientID)
    }

    /// Performs an effect on a port.
    func perform(_ effect: DriverEffect) -> Reach {
        switch effect {
        case .write(let bytes, let client):
            ports[client]?.send(bytes)
            return .link(client)
        case .shutOut(let client, _):
            ports[client]?.shutOut()
            return .link(client)
        case .restarts(let client):
            ports[client]?.restarts()
            return .link(client)
        case .losesPower(let client): return ports[client]?.losesPower() == true ? .client(client) : .link(client)
        case .booted(let client, let radio):
            return ports[client]?.booted(as: radio) == true ? .client(client) : .link(client)
        case .arm(let fault, let number, let client):
            ports[client]?.arm(fault, number: number)
            return .link(client)
        case .disarm(let number, let client):
            ports[client]?.disarm(number)
            return .link(client)
        case .forgets(let client):
            ports[client]?.reset()
            return .link(client)
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
        case .heard, .heardPacket, .receiveError, .transmitDone, .bridge, .atInterface, .woke: return nil
        }
    }
}
