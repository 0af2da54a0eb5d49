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
    ///   - link: the kind that recordings name; `nil` where nothing is recorded.
    ///   - isLine: whether a client stays when its board shuts it out, as on a terminal.
    ///   - bluetooth: settings of a modelled link between both.
    ///   - isStream: whether the client of a modelled link writes a stream of bytes.
    package mutating func attach(
        _ node: NodeID, over link: RecordingLink?, isLine: Bool = false, bluetooth: LoopbackBluetooth? = nil,
        isStream: Bool = true
    ) {
        let place = seats.firstIndex { $0.node > node } ?? seats.count
        seats.insert(ClientSeat(node: node, link: link, isLine: isLine), at: place)
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
        if settings.emitsRecordings { course.recorder?.add(node, over: link) }
        guard settings.isSteered || settings.hasLinkFaults else { return }
        if settings.isSteered { course.texts.add(node, over: link) }
        course.links[place].faults = FaultyLink(
            seed: course.world.seed.part("endpoint", label),
            FaultyLink.Shape(over: link, isLine: isLine, isModelled: bluetooth != nil))
    }

    /// Gives the program of an external node its place.
    package mutating func attachPeer(_ node: NodeID) { peers.attach(node, course.world.label(of: node)) }

    /// Tells whether a node is external.
    package func isPeer(_ node: NodeID) -> Bool { peers.holds(node) }

    func place(of node: NodeID) -> Int? { seats.firstIndex { $0.node == node } }

    /// Tells whether a node's client has a place.
    package func hasEndpoint(_ node: NodeID) -> Bool { place(of: node) != nil }

    /// Tells whether a client is connected to a node.
    package func hasClient(_ node: NodeID) -> Bool { place(of: node).map { seats[$0].state.hasClient } ?? false }

    /// Tells whether the shell may hand in more of a node's client: what it did before has been read.
    package func isReady(for node: NodeID) -> Bool {
        place(of: node).map { seats[$0].inbox.isEmpty } ?? peers.holds(node)
    }

    /// Bytes that a node has room for now.
    package func window(of node: NodeID) -> Int {
        peers.window(of: node) ?? course.world.appWindow(of: node)
    }

    // MARK: Inputs

    /// Keeps what a client has done until its node reads it.
    mutating func receive(_ event: NodeInput.App, from node: NodeID) {
        if let failure = peers.receive(event, from: node, at: course.world.now) { return stop(failure) }
        guard let place = place(of: node) else { return }
        // A new client takes the place of another, with what that one had sent.
        if event == .connected { seats[place].inbox.removeAll() }
        seats[place].inbox.add(event)
    }

    /// Notes how a link stands.
    mutating func update(_ node: NodeID, _ state: LinkState) {
        guard let place = place(of: node) else { return }
        seats[place].state = state
        // By the clock nobody waits for room that a client left behind.
        if gate == nil, !seats[place].isPresentByLink { seats[place].inbox.removeBytes() }
        // What was written leaves now: the client's time to answer begins.
        if seats[place].isTold { gate?.sent(place, at: clock) }
        seats[place].isTold = false
        // Before its next pass: a busy link leaves further frames with the node.
        if state.hasRoom == false { _ = course.world.holdLink(of: node, true) }
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
        let node = seats[place].node
        for output in outputs {
            switch output {
            case .write(let bytes): write(bytes, to: place)
            case .hangUp: hangUp(node)
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
        emit(.write(bytes, to: seats[place].node))
        if seats[place].state.hasClient, seats[place].state.isWritable { told(at: place) }
    }

    /// Ends the connection of a node's client, as if the client had.
    package mutating func hangUp(_ node: NodeID) {
        guard let place = place(of: node), seats[place].state.hasClient else { return }
        course.links[place].faults?.hungUp()
        shutOut(place, .hungUp)
        wantsTurn = true
    }

    /// Shuts a client out.
    mutating func shutOut(_ place: Int, _ farewell: Farewell) {
        emit(.shutOut(seats[place].node, farewell))
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
                hand(input, to: seat.node)
                course.people?.lookAhead(in: &course.world)
            case .write(let bytes): writeThroughFaults(bytes, to: place)
            case .linked: emit(.linked(seat.node))
            case .roomy: emit(.roomy(seat.node))
            case .ended(let reason): shutOut(place, .linkLost(reason))
            case .note(let text): note(.note("\(course.world.label(of: seat.node)): \(text)"))
            }
        }
        // A node that waits for room goes on in a pass of its own.
        guard course.links[place].bluetooth?.isHeld == true, course.links[place].bluetooth?.hasRoom == true else {
            return
        }
        course.links[place].bluetooth?.isHeld = false
        resume(seat.node)
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
        let (node, isPresent) = (seats[place].node, seats[place].isPresent)
        let hasInput =
            course.links[place].bluetooth?.hasInput(seats[place], through: course.links[place].faults)
            ?? (course.links[place].faults?.hasInput == true || !seats[place].inbox.isEmpty)
        gate?.look(
            place, isPresent: isPresent, hasInput: hasInput,
            // That a client has gone is always heard.
            hasRoom: !isPresent || course.world.appWindow(of: node) > 0, isBehind: seats[place].state.isBehind,
            isDown: !course.world.isUp(node), at: clock)
    }

    private mutating func noteGivenUp(_ place: Int) {
        let isGivenUp = gate?.isGivenUp(place, at: clock) == true
        defer { seats[place].isNoted = isGivenUp }
        guard isGivenUp, !seats[place].isNoted else { return }
        let label = course.world.label(of: seats[place].node)
        note(.note("\(label): the client does not read; time passes without it"))
    }

    /// A client received something.
    mutating func told(_ node: NodeID) {
        if let place = place(of: node) { told(at: place) }
    }

    mutating func told(at place: Int) {
        tellings += 1
        mustPerform = true
        seats[place].isTold = true
        gate?.sent(place, at: clock)
        look(at: place)
    }
}
