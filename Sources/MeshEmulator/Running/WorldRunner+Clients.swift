import MeshFirmware
import MeshLinks
import MeshSimulator
import MeshTime

// How the clients of a world stand, and what time that waits for them has to know of it.
extension WorldRunner {
    func lookAtClients() {
        guard gate != nil else { return }
        let clock = alarm.now
        for (place, node) in attached.enumerated() {
            guard let port = ports[node.index] else { continue }
            look(at: port, place, node, at: clock)
            noteGivenUp(place, node, at: clock)
        }
    }

    func look(at port: any AppPort, _ place: Int, _ node: NodeID, at clock: TimeSpan) {
        gate?.look(
            place, isPresent: port.hasClient, hasInput: port.hasInput == true,
            // That a client has gone is always heard.
            hasRoom: !port.hasClient || world.appWindow(of: node) > 0, isBehind: port.isBehind,
            isDown: !world.isUp(node), at: clock)
    }

    /// A board has gone down or come up: time may pass without its client from now on, or not any more.
    func lookAgain(at node: NodeID) {
        guard gate != nil, let port = ports[node.index], let place = attached.firstIndex(of: node) else { return }
        look(at: port, place, node, at: alarm.now)
    }

    func noteGivenUp(_ place: Int, _ node: NodeID, at clock: TimeSpan) {
        let isGivenUp = gate?.isGivenUp(place, at: clock) == true
        defer { isNoted[node.index] = isGivenUp }
        guard isGivenUp, !isNoted[node.index] else { return }
        note("\(world.label(of: node)): the client does not read; time passes without it")
    }

    /// The client of a node was told something.
    func told(_ node: NodeID) {
        guard ports.indices.contains(node.index), let port = ports[node.index], port.takeTold() else { return }
        tellings += 1
        guard gate != nil, let place = attached.firstIndex(of: node) else { return }
        let clock = alarm.now
        gate?.sent(place, at: clock)
        look(at: port, place, node, at: clock)
    }

    /// The link of a node has room: where it had none before, the node goes on in a pass of its own.
    func tellRoom(to node: NodeID) {
        guard world.holdLink(of: node, false) else { return }
        world.inject(.woke, into: node)
        deliver()
    }
}
