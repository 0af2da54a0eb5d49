import MeshFirmware
import MeshSimulator
import MeshTime
import NIOCore

/// The programs of a world's external nodes, at their ports; lives on the world's event loop.
final class PeerTable {
    private struct Peer {
        let node: NodeID
        let label: String
        let port: any AppPort
    }

    /// What the world's driver does next.
    enum Turn {
        case goOn
        case wait
        case hand([(NodeID, NodeInput)])
    }

    private var peers: [Peer] = []
    private var desk: PeerDesk

    init(_ rules: PeerDesk.Rules) {
        desk = PeerDesk(rules)
    }

    /// Whether no time may pass.
    var isWaiting: Bool { desk.isWaiting }
    /// When to look again although nothing has happened.
    var deadline: TimeSpan? { desk.deadline }

    func attach(_ port: any AppPort, to node: NodeID, _ label: String) {
        let place = peers.firstIndex { $0.node > node } ?? peers.count
        peers.insert(Peer(node: node, label: label, port: port), at: place)
        desk.addPeer(at: place)
    }

    // MARK: Answers

    /// What to do now, while the world stands at `moment` and the clock shows `clock`.
    func turn(at clock: TimeSpan, _ moment: Instant) throws(EmulatorError) -> Turn {
        guard !peers.isEmpty else { return .goOn }
        for place in peers.indices { try listen(to: place, moment) }
        do throws(PeerDesk.Failure) {
            switch try desk.turn(at: clock) {
            case .goOn: return .goOn
            case .wait: return .wait
            case .hand(let entries):
                return .hand(entries.map { (peers[$0.place].node, $0.line.map(NodeInput.appBytes) ?? .appConnected) })
            }
        } catch {
            throw failure(error.place, error.problem, moment)
        }
    }

    private func listen(to place: Int, _ moment: Instant) throws(EmulatorError) {
        while let input = peers[place].port.nextInput(window: desk.window(place)) {
            do throws(PeerProblem) { try desk.take(input, from: place) } catch { throw failure(place, error, moment) }
        }
    }

    /// Looks at a node that has had its answer.
    func check(_ node: NodeID, _ guest: (any GuestNode)?, _ moment: Instant) throws(EmulatorError) {
        guard let place = place(of: node), let external = guest as? ExternalNode else { return }
        if let problem = external.problem { throw failure(place, problem, moment) }
        if external.hasLeft { desk.left(place) }
    }

    private func failure(_ place: Int, _ problem: PeerProblem, _ moment: Instant) -> EmulatorError {
        .badPeer(label: peers[place].label, at: moment, reason: "\(problem)")
    }

    // MARK: Requests

    /// Takes what an external node says; false for what is another node's, or of interest to others too.
    func take(_ output: WorldOutput, at clock: TimeSpan) -> Bool {
        guard !peers.isEmpty, let place = place(of: output.node) else { return false }
        switch output.kind {
        case .appBytes(let bytes):
            desk.asked(place, at: clock)
            // There is one line at a time, which a link always has room for.
            peers[place].port.send(bytes)
            return true
        case .booted:
            desk.booted(place)
            return false
        case .appClosed, .flash, .rebooted, .poweredOff: return false
        }
    }

    private func place(of node: NodeID) -> Int? { peers.firstIndex { $0.node == node } }

    // MARK: Ending

    /// Tells all programs that the run has ended in good order.
    func end(at moment: Instant) {
        for peer in peers { peer.port.send(PeerRequest.end(now: moment.microseconds).line) }
    }

    func stop() -> [EventLoopFuture<Void>] {
        defer { peers = [] }
        return peers.map { $0.port.stop() }
    }
}
