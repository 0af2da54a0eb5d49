package import MeshCapture
import MeshCompanion
import MeshFirmware
package import MeshSimulator
import MeshTime
import MeshTransports
import MeshWorlds

// The clients of a driven world: their places, what they do, and what time that waits for them has to know.
extension WorldDriver {
    // MARK: Places

    /// Gives a node's client a place.
    ///
    /// - Parameters:
    ///   - interface: the number of the node's interface, where it has several.
    ///   - link: the kind that recordings name; `nil` where nothing is recorded.
    ///   - isLine: whether a client stays when its board shuts it out, as on a terminal.
    ///   - bluetooth: settings of a modelled link between both.
    ///   - isStream: whether the client of a modelled link writes a stream of bytes.
    package mutating func attach(
        _ node: NodeID, at interface: Int = 0, over link: RecordingLink?, isLine: Bool = false,
        bluetooth: LoopbackBluetooth? = nil, isStream: Bool = true
    ) {
        let client = ClientID(node, interface: interface)
        let place = seats.firstIndex { $0.client > client } ?? seats.count
        seats.insert(ClientSeat(client: client, link: link, isLine: isLine), at: place)
        course.links.insert(CourseLink(), at: place)
        gate?.addPort(at: place)
        let label = course.world.label(of: node)
        if let bluetooth, let radio = RadioIdentity(node, in: course.world) {
            course.links[place].bluetooth = ModelledLink(
                radio, bluetooth.of(label), isStream: isStream, at: course.world.now)
            if !course.world.isUp(node) {
                course.links[place].bluetooth?.handle(.poweredOff, nil, at: course.world.now)
            }
        }
        // What passes at the console of the others are no frames.
        guard course.world.companion(node) != nil, let link else { return }
        if settings.emitsRecordings { course.recorder?.add(client, over: link) }
        guard settings.isSteered || settings.hasLinkFaults else { return }
        if settings.isSteered { course.texts.add(client, over: link) }
        let seed = course.world.seed.part("endpoint", label)
        course.links[place].faults = FaultyLink(
            seed: interface == 0 ? seed : seed.part("\(interface)"),
            FaultyLink.Shape(over: link, isLine: isLine, isModelled: bluetooth != nil))
    }

    /// Gives the program of an external node its place.
    package mutating func attachPeer(_ node: NodeID) { peers.attach(node, course.world.label(of: node)) }

    /// Tells whether a node is external.
    package func isPeer(_ node: NodeID) -> Bool { peers.holds(node) }

    func place(of client: ClientID) -> Int? { seats.firstIndex { $0.client == client } }

    /// Returns the place of a node's first client: that at the lowest of its interfaces that have one.
    func place(of node: NodeID) -> Int? { seats.firstIndex { $0.node == node } }

    /// Tells whether a client has a place.
    package func hasEndpoint(_ client: ClientID) -> Bool { place(of: client) != nil }

    /// Tells whether any client of a node has a place.
    package func hasEndpoint(_ node: NodeID) -> Bool { seats.contains { $0.node == node } }

    /// Tells whether a client is connected to a node, at whatever interface.
    package func hasClient(_ node: NodeID) -> Bool { seats.contains { $0.node == node && $0.state.hasClient } }

    /// Tells whether the shell may hand in more of a client: what it did before has been read.
    package func isReady(for client: ClientID) -> Bool {
        place(of: client).map { seats[$0].inbox.isEmpty } ?? peers.holds(client.node)
    }

    /// Bytes that a client's node has room for now.
    package func window(of client: ClientID) -> Int {
        peers.window(of: client.node) ?? course.world.appWindow(of: client.node, at: client.interface)
    }

    // MARK: Inputs

    /// Keeps what a client has done until its node reads it.
    mutating func receive(_ event: NodeInput.App, from client: ClientID) {
        if let failure = peers.receive(event, from: client.node, at: course.world.now) { return stop(failure) }
        guard let place = place(of: client) else { return }
        // A new client takes the place of another, with what that one had sent.
        if event == .connected { seats[place].inbox.removeAll() }
        seats[place].inbox.add(event)
    }

    /// Notes how a link stands.
    mutating func update(_ client: ClientID, _ state: LinkState) {
        guard let place = place(of: client) else { return }
        seats[place].state = state
        // By the clock nobody waits for room that a client left behind.
        if gate == nil, !seats[place].isPresentByLink { seats[place].inbox.removeBytes() }
        // What was written leaves now: the client's time to answer begins.
        if seats[place].isTold { gate?.sent(place, at: clock) }
        seats[place].isTold = false
        // Before its next pass: a busy link leaves further frames with the node.
        if state.hasRoom == false { _ = course.world.holdLink(of: client.node, true, at: client.interface) }
        look(at: place)
    }

    // MARK: Links

    /// Brings the way to a client to the present: faults let go what is due, and a modelled link carries on.
    mutating func advanceLink(at place: Int) {
        let now = course.world.now
        if course.links[place].faults?.nextRelease ?? .never <= now {
            course.links[place].faults?.release(at: now)
            passLinkOutputs(of: place)
            wantsTurn = true
            mustPerform = true
        }
        guard course.links[place].bluetooth != nil else { return }
        course.links[place].bluetooth?.advance(to: now)
        attend(place)
        strike()
    }

    /// Performs what faults have let pass to the client.
    mutating func passLinkOutputs(of place: Int) {
        guard let outputs = course.links[place].faults?.takeOutputs(), !outputs.isEmpty else { return }
        for output in outputs {
            switch output {
            case .write(let bytes): write(bytes, to: place)
            case .hangUp: hangUp(place)
            case .refuse: shutOut(place, .hungUp)
            }
        }
    }

    /// Writes bytes to a client, as far as faults let them pass.
    mutating func writeThroughFaults(_ bytes: [UInt8], to place: Int) {
        guard course.links[place].faults != nil else { return write(bytes, to: place) }
        course.links[place].faults?.send(bytes, at: course.world.now)
        passLinkOutputs(of: place)
        mustStrike = true
    }

    /// Changes the power of boards as planned faults of their links have asked for.
    mutating func strike() {
        guard mustStrike else { return }
        mustStrike = false
        for place in seats.indices { strike(place) }
    }

    mutating func strike(_ place: Int) {
        guard let power = course.links[place].faults?.takePower(), !power.isEmpty else { return }
        for fault in power {
            let worldFault = course.world.schedule(fault.kind.fault(of: seats[place].node, at: course.world.now))
            course.links[place].faults?.note(worldFault: worldFault, of: fault)
        }
        deliver()
    }

    /// Writes bytes to a client; they are lost where nobody is there or nothing fits.
    mutating func write(_ bytes: [UInt8], to place: Int) {
        emit(.write(bytes, to: seats[place].client))
        if seats[place].state.hasClient, seats[place].state.isWritable { told(at: place) }
    }

    /// Ends the connections of a node's clients, as if the clients had.
    package mutating func hangUp(_ node: NodeID) {
        for place in seats.indices where seats[place].node == node { hangUp(place) }
    }

    private mutating func hangUp(_ place: Int) {
        guard seats[place].state.hasClient else { return }
        course.links[place].faults?.hungUp()
        shutOut(place, .hungUp)
        wantsTurn = true
    }

    /// Shuts a client out.
    mutating func shutOut(_ place: Int, _ farewell: Farewell) {
        emit(.shutOut(seats[place].client, farewell))
        guard seats[place].state.hasClient else { return }
        told(at: place)
        if !seats[place].isLine { seats[place].state.hasClient = false }
    }

    /// Reads what a client on a modelled link has done: it reaches the node when time has passed.
    mutating func readOverAir(_ place: Int) {
        guard course.links[place].bluetooth?.hasInput(seats[place], through: course.links[place].faults) == true else {
            return
        }
        var faults = course.links[place].faults.take()
        let hasRead = course.links[place].bluetooth?.read(&seats[place], through: &faults, at: course.world.now)
        course.links[place].faults = faults
        strike(place)
        passLinkOutputs(of: place)
        guard hasRead == true else { return }
        gate?.took(place, at: clock)
        attend(place)
        wantsTurn = true
    }

    /// Tells node and client what has come of the modelled link between them.
    mutating func attend(_ place: Int) {
        let seat = seats[place]
        while !isStopped,
            let output = course.links[place].bluetooth?.next(
                at: course.world.now, staysThere: seat.isLine && seat.state.hasClient)
        {
            switch output {
            case .node(let input):
                hand(input, to: seat.client)
                course.people?.lookAhead(in: &course.world)
            case .write(let bytes): writeThroughFaults(bytes, to: place)
            case .linked: emit(.linked(seat.client))
            case .roomy: emit(.roomy(seat.client))
            case .ended(let reason): shutOut(place, .linkLost(reason))
            case .note(let text): note(.note("\(course.world.label(of: seat.node)): \(text)"))
            }
        }
        // A node that waits for room goes on in a pass of its own.
        guard course.links[place].bluetooth?.isHeld == true, course.links[place].bluetooth?.hasRoom == true else {
            return
        }
        course.links[place].bluetooth?.isHeld = false
        resume(seat.client)
    }

    // MARK: Waiting for clients

    /// Says to the gate how all clients stand, and to people which of them do not read.
    mutating func lookAtClients() {
        guard gate != nil else { return }
        for place in seats.indices {
            look(at: place)
            noteGivenUp(place)
        }
    }

    mutating func look(at place: Int) {
        guard gate != nil else { return }
        let (client, isPresent) = (seats[place].client, seats[place].isPresent)
        let hasInput =
            course.links[place].bluetooth?.hasInput(seats[place], through: course.links[place].faults)
            ?? (course.links[place].faults?.hasInput == true || !seats[place].inbox.isEmpty)
        gate?.look(
            place, isPresent: isPresent, hasInput: hasInput,
            // That a client has gone is always heard.
            hasRoom: !isPresent || course.world.appWindow(of: client.node, at: client.interface) > 0,
            isBehind: seats[place].state.isBehind, isDown: !course.world.isUp(client.node), at: clock)
    }

    private mutating func noteGivenUp(_ place: Int) {
        let isGivenUp = gate?.isGivenUp(place, at: clock) == true
        defer { seats[place].isNoted = isGivenUp }
        guard isGivenUp, !seats[place].isNoted else { return }
        let label = course.world.label(of: seats[place].node)
        note(.note("\(label): the client does not read; time passes without it"))
    }

    /// A client received something.
    mutating func told(_ client: ClientID) {
        if let place = place(of: client) { told(at: place) }
    }

    mutating func told(at place: Int) {
        tellings += 1
        mustPerform = true
        seats[place].isTold = true
        gate?.sent(place, at: clock)
        look(at: place)
    }
}
