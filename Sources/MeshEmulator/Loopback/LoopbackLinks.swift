import MeshCore
import MeshFirmware
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
        places = Array(repeating: Place(), count: nodes * SeveralInterfaces.most)
    }

    private func index(of client: ClientID) -> Int {
        client.node.index * SeveralInterfaces.most + client.interface
    }

    /// Gives a radio this link, in place of another.
    mutating func add(_ link: LoopbackTransport.Link, to client: ClientID, isPacketwise: Bool) {
        end(client, "another client has taken the radio")
        places[index(of: client)].link = link
        places[index(of: client)].isPacketwise = isPacketwise
    }

    /// Tells whether the client of a radio has this link.
    func holds(_ link: LoopbackTransport.Link, of client: ClientID) -> Bool { places[index(of: client)].link === link }

    /// Ends the link of a client.
    mutating func end(_ client: ClientID, _ reason: String) { end(index(of: client), reason) }

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
    mutating func add(_ writer: CheckedContinuation<Void, Never>, of client: ClientID) {
        places[index(of: client)].writers.append(writer)
    }

    private mutating func resumeWriters(_ index: Int) {
        let writers = places[index].writers
        places[index].writers = []
        for writer in writers { writer.resume() }
    }

    // MARK: Effects

    /// Performs an effect on a link; returns the client that does not keep up, whose link has ended.
    mutating func perform(_ effect: DriverEffect) -> ClientID? {
        switch effect {
        case .write(let bytes, let client):
            guard !receive(bytes, client) else { return nil }
            end(client, "too many frames wait for the reader")
            return client
        case .linked(let client): places[index(of: client)].link?.open()
        case .roomy(let client): resumeWriters(index(of: client))
        case .shutOut(let client, .linkLost(let reason)): end(client, reason)
        case .shutOut(let client, _): end(client, "the radio has closed the connection")
        case .restarts(let client): end(client, "the radio restarts")
        // A radio without power says nothing; one that has it back knows of no link from before.
        case .booted(let client, _): end(client, "the radio has started anew")
        case .losesPower, .forgets, .arm, .disarm, .persist, .replaceFiles, .recorded, .happened, .turned, .lost, .note,
            .stepEnded, .stepFailed, .ended:
            break
        }
        return nil
    }

    /// Tells whether the app of a radio keeps up with its bytes; without an app they are lost.
    private func receive(_ bytes: [UInt8], _ client: ClientID) -> Bool {
        let place = places[index(of: client)]
        guard let link = place.link else { return true }
        return place.isPacketwise ? link.inbox.deliver(bytes) : link.receive(bytes)
    }
}
