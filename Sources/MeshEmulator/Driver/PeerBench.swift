import MeshFirmware
import MeshSimulator
import MeshTime

/// Programs of a world's external nodes: which node each is, and what waits for its answer.
struct PeerBench {
    private struct Peer {
        let node: NodeID
        let label: String
    }

    /// Next act of the driver.
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

    /// Tells whether no time may pass.
    var isWaiting: Bool { desk.isWaiting }
    /// The clock at which to look again although no answer came.
    var deadline: TimeSpan? { desk.deadline }
    /// The nodes of all programs, in their order.
    var nodes: [NodeID] { peers.map(\.node) }

    func holds(_ node: NodeID) -> Bool { place(of: node) != nil }

    private func place(of node: NodeID) -> Int? { peers.firstIndex { $0.node == node } }

    mutating func attach(_ node: NodeID, _ label: String) {
        let place = peers.firstIndex { $0.node > node } ?? peers.count
        peers.insert(Peer(node: node, label: label), at: place)
        desk.addPeer(at: place)
    }

    // MARK: Answers

    /// Bytes that a program may say now; `nil` for a node that has none.
    func window(of node: NodeID) -> Int? { place(of: node).map(desk.window) }

    /// Receives what a program has done; returns why the run cannot go on.
    mutating func receive(_ event: NodeInput.App, from node: NodeID, at moment: Instant) -> EmulatorError? {
        guard let place = place(of: node) else { return nil }
        do throws(PeerProblem) {
            try desk.take(event.input, from: place)
            return nil
        } catch {
            return failure(place, error, moment)
        }
    }

    /// Returns what to do now, while the world stands at `moment` and the clock shows `clock`.
    mutating func turn(at clock: TimeSpan, _ moment: Instant) throws(EmulatorError) -> Turn {
        guard !peers.isEmpty else { return .goOn }
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

    /// Looks at a node that has had its answer.
    mutating func check(_ node: NodeID, _ guest: (any GuestNode)?, _ moment: Instant) throws(EmulatorError) {
        guard let place = place(of: node), let external = guest as? ExternalNode else { return }
        if let problem = external.problem { throw failure(place, problem, moment) }
        if external.hasLeft { desk.left(place) }
    }

    private func failure(_ place: Int, _ problem: PeerProblem, _ moment: Instant) -> EmulatorError {
        .badPeer(label: peers[place].label, at: moment, reason: "\(problem)")
    }

    // MARK: Requests

    /// Takes the request in what an external node says; `nil` for outputs of other nodes, or of interest to others too.
    mutating func take(_ output: WorldOutput, at clock: TimeSpan) -> [UInt8]? {
        guard !peers.isEmpty, let place = place(of: output.node) else { return nil }
        switch output.kind {
        case .appBytes(let bytes):
            desk.asked(place, at: clock)
            return bytes
        case .booted:
            desk.booted(place)
            return nil
        case .appClosed, .flash, .rebooted, .poweredOff: return nil
        }
    }
}

extension WorldDriver {
    /// Lets external nodes read what they were answered at this moment; false while one of them is waited for.
    mutating func hearPeers() -> Bool {
        do throws(EmulatorError) {
            while !isStopped {
                switch try peers.turn(at: clock, course.world.now) {
                case .goOn: return true
                case .wait: return false
                case .hand(let inputs):
                    // A board that went down at this moment has forgotten what it had asked for.
                    for (node, input) in inputs where course.world.isUp(node) {
                        course.world.inject(input, into: node)
                        try peers.check(node, course.world.guest(node), course.world.now)
                    }
                    deliver()
                }
            }
        } catch {
            stop(error)
        }
        return false
    }
}
