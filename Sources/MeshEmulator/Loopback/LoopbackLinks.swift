import MeshCore
import MeshSimulator

/// The links of apps to the radios of a world in this process, and the writers that wait for room on them.
struct LoopbackLinks {
    private struct Place {
        var link: LoopbackTransport.Link?
        /// Tells whether the radio's frames come whole, as over the air, and not in a stream.
        var isPacketwise = false
        /// Writers that wait until a Bluetooth link takes a further frame.
        var writers: [CheckedContinuation<Void, Never>] = []
    }

    private var places: [Place]

    init(nodes: Int) {
        places = Array(repeating: Place(), count: nodes)
    }

    /// Gives a radio this link, in place of another.
    mutating func add(_ link: LoopbackTransport.Link, to node: NodeID, isPacketwise: Bool) {
        end(node, "another client has taken the radio")
        places[node.index].link = link
        places[node.index].isPacketwise = isPacketwise
    }

    /// Tells whether a radio has this link.
    func holds(_ link: LoopbackTransport.Link, of node: NodeID) -> Bool { places[node.index].link === link }

    /// Ends the link of a radio.
    mutating func end(_ node: NodeID, _ reason: String) { end(node.index, reason) }

    /// Ends all links.
    mutating func endAll(_ reason: String) {
        for index in places.indices { end(index, reason) }
    }

    private mutating func end(_ index: Int, _ reason: String) {
        places[index].link?.end(reason)
        places[index].link = nil
        resumeWriters(index)
    }

    /// Lets a writer wait for room.
    mutating func add(_ writer: CheckedContinuation<Void, Never>, of node: NodeID) {
        places[node.index].writers.append(writer)
    }

    private mutating func resumeWriters(_ index: Int) {
        let writers = places[index].writers
        places[index].writers = []
        for writer in writers { writer.resume() }
    }

    // MARK: Effects

    /// Performs an effect on a link; returns the radio whose app does not keep up, which has ended the link.
    mutating func perform(_ effect: DriverEffect) -> NodeID? {
        switch effect {
        case .write(let bytes, let node):
            guard !receive(bytes, node) else { return nil }
            end(node, "too many frames wait for the reader")
            return node
        case .linked(let node): places[node.index].link?.open()
        case .roomy(let node): resumeWriters(node.index)
        case .shutOut(let node, .linkLost(let reason)): end(node, reason)
        case .shutOut(let node, _): end(node, "the radio has closed the connection")
        case .restarts(let node): end(node, "the radio restarts")
        // A radio without power says nothing; one that has it back knows of no link from before.
        case .booted(let node, _): end(node, "the radio has started anew")
        case .losesPower, .forgets, .arm, .disarm, .persist, .replaceFiles, .recorded, .happened, .turned, .lost, .note,
            .stepEnded, .stepFailed, .ended:
            break
        }
        return nil
    }

    /// Tells whether the app of a radio keeps up with its bytes; without an app they are lost.
    private func receive(_ bytes: [UInt8], _ node: NodeID) -> Bool {
        let place = places[node.index]
        guard let link = place.link else { return true }
        return place.isPacketwise ? link.inbox.deliver(bytes) : link.receive(bytes)
    }
}
