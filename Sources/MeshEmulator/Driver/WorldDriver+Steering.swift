import MeshBluetoothHost
package import MeshCapture
import MeshCompanion
package import MeshFiles
package import MeshFirmware
package import MeshSimulator
import MeshTime
import MeshTransports
package import MeshWorlds

// What a tester can do to a running world, beside what `World` and `MeshPeople` offer themselves.
extension WorldDriver {
    /// Lets the people of the world do something.
    package mutating func withPeople<R, E: Error>(
        _ body: (inout MeshPeople, inout World) throws(E) -> R
    ) throws(E) -> R? {
        // No second copy of what they have while it changes.
        guard var people = course.people.take() else { return nil }
        defer { course.people = people }
        return try body(&people, &course.world)
    }

    /// Changes the world.
    package mutating func withWorld<R>(_ body: (inout World) throws -> R) rethrows -> R { try body(&course.world) }

    /// Looks at a companion radio in its place.
    package mutating func look<R>(at node: NodeID, _ body: (CompanionRadio) throws -> R) rethrows -> R? {
        try course.world.withCompanion(node) { try body($0) }
    }

    // MARK: Nodes

    /// Switches a new node on, which hears nobody yet.
    package mutating func add(_ node: Topology.Node, _ description: NodeDescription) -> NodeID {
        let added = course.world.add(description)
        course.people?.add(node, at: course.world.now)
        return added
    }

    /// Removes a node's power and links.
    package mutating func remove(_ node: NodeID) {
        course.world.links.disconnect(node)
        if course.world.isUp(node) { course.world.powerOff(node) }
    }

    // MARK: Clients

    /// Tells whether frames pass at a node's endpoint that can be lost or changed.
    package func hasFrames(_ node: NodeID) -> Bool { place(of: node).map { course.links[$0].faults != nil } ?? false }

    /// Sets the faults of frames to or from a client, and arms planned ones; false when as many were set as one link
    /// remembers, and nothing is done.
    ///
    /// Throws for a plan that this link cannot have.
    package mutating func give(_ wish: LinkFaultWish, to node: NodeID) throws(FileProblem) -> Bool {
        guard let place = place(of: node) else { return false }
        return try give(wish, at: place)
    }

    /// The same at the place of one client.
    mutating func give(_ wish: LinkFaultWish, at place: Int) throws(FileProblem) -> Bool {
        guard var link = course.links[place].faults else { return false }
        if let rates = wish.rates {
            guard link.set(rates.faults, rates.way, mayNotFire: rates.mayNotFire) else { return false }
        }
        if let plan = wish.plan {
            // The whole plan: a refusal names the place that the fault has in it.
            try link.check(plan)
            guard try link.arm(plan.ofFrames) else { return false }
            try armBluetooth(of: plan, at: seats[place].node)
        }
        course.links[place].faults = link
        return true
    }

    /// Returns the faults of frames that the link of a node's client was given since the run began.
    package func linkFaultDemands(of node: NodeID) -> [LinkFaultDemand] {
        guard let place = place(of: node) else { return [] }
        return (course.links[place].faults?.demands ?? []) + bluetoothDemands(of: node)
    }

    /// The faults of links that have done nothing and had to, in words.
    var idleLinkFaults: [String] {
        seats.indices.flatMap { place in
            let node = seats[place].node
            let below = place == bluetoothPlace(of: node) ? bluetoothDemands(of: node) : []
            return ((course.links[place].faults?.demands ?? []) + below).flatMap { demand in
                demand.effects(in: course.world).filter(demand.isIdle).map {
                    "\($0.words(course.world.label(of: node))): it never took effect"
                }
            }
        }
    }

    /// Lets frames of a node's client pass again, those that are held back included.
    package mutating func clearLinkFaults(of node: NodeID) {
        guard let place = place(of: node) else { return }
        course.links[place].faults?.clear(at: course.world.now)
        disarm(nil, of: node)
        passLinkOutputs(of: place)
        wantsTurn = true
    }

    /// Sends a node's client a frame that its radio never sent; false when nobody reads it.
    package mutating func push(_ frame: [UInt8], to node: NodeID) -> Bool {
        guard let place = place(of: node), course.links[place].faults != nil, seats[place].state.hasClient,
            seats[place].state.isWritable
        else { return false }
        course.links[place].faults?.push(frame)
        passLinkOutputs(of: place)
        return true
    }

    // MARK: Consoles

    /// Types a line at the console of an infrastructure node that has no endpoint, and returns what the console writes.
    package mutating func type(_ line: String, at node: NodeID) -> [UInt8] {
        deliver()
        typing = (node, [])
        defer { typing = nil }
        course.world.inject(.appBytes(Array(line.utf8) + [0x0D]), into: node)
        deliver()
        return typing?.output ?? []
    }

    // MARK: Recordings

    /// Begins a recording of what passes at a companion radio with an endpoint; false where there is one, or no client
    /// could be.
    package mutating func startRecording(of node: NodeID) -> Bool {
        guard let place = place(of: node), let link = seats[place].link, hasFrames(node), !settings.emitsRecordings,
            course.links[place].recording == nil
        else { return false }
        course.links[place].recording = OpenRecording()
        if course.recorder == nil { course.recorder = RadioRecorder(nodes: course.world.nodes.count) }
        course.recorder?.add(seats[place].client, over: link)
        return true
    }

    /// Ends a recording and returns its lines, with the kind of link; `nil` where there is none.
    package mutating func endRecording(of node: NodeID) -> (entries: [RecordingEntry], link: RecordingLink)? {
        guard let place = place(of: node), let link = seats[place].link,
            let recording = course.links[place].recording.take()
        else { return nil }
        return (recording.entries, link)
    }

    // MARK: Snapshots

    /// Snapshots that are kept at most.
    package static var mostSnapshots: Int { 64 }

    /// Keeps the course of the run as it is now; an earlier snapshot of the name is replaced.
    package mutating func takeSnapshot(_ name: String) throws(SnapshotProblem) {
        let world = course.world
        if let guest = world.nodes.first(where: { world.guest($0) != nil && world.modem($0) == nil }) {
            throw .hasGuest(world.label(of: guest))
        }
        snapshots.removeAll { $0.name == name }
        guard snapshots.count < Self.mostSnapshots else { throw .tooMany(Self.mostSnapshots) }
        let snapshot = WorldSnapshot(name: name, course: course)
        snapshots.append(snapshot)
        noteTurn(.snapshot(name), at: snapshot.now)
    }

    /// Deletes a snapshot.
    package mutating func deleteSnapshot(_ name: String) throws(SnapshotProblem) {
        guard let place = snapshots.firstIndex(where: { $0.name == name }) else { throw .unknown(name) }
        snapshots.remove(at: place)
    }

    /// Goes back to a snapshot: everything is as it was, but that clients are disconnected and that their links have no
    /// faults. Steps fail; files of nodes become what they were, and files of traces and recordings get a mark.
    package mutating func restore(_ name: String) throws(SnapshotProblem) {
        guard let snapshot = snapshots.first(where: { $0.name == name }) else { throw .unknown(name) }
        failSteps()
        restores += 1
        noteTurn(.restored(name), at: snapshot.now)
        let wereUp = seats.map { course.world.isUp($0.node) }
        course = snapshot.course
        course.texts.forget()
        course.recorder?.endConnections()
        for place in seats.indices {
            emit(.forgets(seats[place].client))
            seats[place].state.hasClient = seats[place].isLine && seats[place].state.hasClient
            seats[place].inbox.removeAll()
            course.links[place].faults?.forget()
            forgetBluetoothFaults(at: place)
        }
        for (place, wasUp) in wereUp.enumerated() {
            let client = seats[place].client
            // Controllers of a modelled link went back with the course.
            guard course.links[place].bluetooth == nil, wasUp != course.world.isUp(client.node) else { continue }
            emit(wasUp ? .losesPower(client) : .booted(client, RadioIdentity(client.node, in: course.world)))
        }
        for node in course.world.nodes { emit(.replaceFiles(course.world.flash(of: node), of: node)) }
        endConnections()
        gate = gate.map { ClientGate($0.rules, ports: seats.count) }
        pacer.allow(until: course.world.now)
        pacer.start(from: course.world.now, at: clock)
    }

    /// Ends what the boards believe of clients that a snapshot had.
    private mutating func endConnections() {
        for place in seats.indices {
            let client = seats[place].client
            if course.links[place].bluetooth != nil {
                course.links[place].bluetooth?.hangUp(at: course.world.now)
                attend(place)
            } else if course.world.companion(client.node)?.isConnected == true {
                // The turn in a recording ends its connection already.
                course.world.inject(client.input(.disconnected), into: client.node)
                deliver()
            }
        }
    }

    /// Notes a turn in files: they do not go back.
    private mutating func noteTurn(_ turn: RunTurn, at moment: Instant) {
        record { recorder, now in recorder.turned(turn, at: moment, now: now) }
        if settings.emitsLines { note(.turned(turn, at: moment)) }
    }
}
