import MeshCapture
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds

// How clients' bytes reach the nodes of a driven world, and its outputs reach clients, files and testers.
extension WorldDriver {
    /// Passes of a board while time stands still: more than the frames of the longest answer, the list of all contacts.
    private static let mostPasses = 4096

    // MARK: From clients

    /// Handles what clients have done, node by node: it is the same order in each run.
    mutating func takeInputs() {
        // Who answers comes before who speaks, whatever came first.
        guard !peers.isWaiting else { return }
        let isRound = gate?.takesInputs(at: clock) ?? true
        for place in seats.indices {
            let client = seats[place].client
            if seats[place].state.hasRoom == true { resume(client) }
            guard isRound else { continue }
            if course.links[place].bluetooth != nil {
                readOverAir(place)
                continue
            }
            while !isStopped, let input = nextInput(place) {
                // The power fails before what passed then reaches the board.
                strike(place)
                gate?.took(place, at: clock)
                hand(input, to: client)
                passLinkOutputs(of: place)
                if gate != nil { answer(client.node) }
                course.people?.lookAhead(in: &course.world)
                // Whoever has answered may be the last one that was waited for.
                if gate != nil { wantsTurn = true }
            }
            strike(place)
            passLinkOutputs(of: place)
        }
    }

    private mutating func nextInput(_ place: Int) -> NodeInput.App? {
        // Frames of Bluetooth are whole, and a socket's bytes wait for room.
        let client = seats[place].client
        let window = seats[place].link == .ble ? .max : course.world.appWindow(of: client.node, at: client.interface)
        guard course.links[place].faults != nil else { return seats[place].inbox.next(window: window) }
        return course.links[place].faults?.nextInput(
            window: window, from: &seats[place].inbox, at: course.world.now)
    }

    /// Gives a node an input of its client.
    mutating func hand(_ action: NodeInput.App, to client: ClientID) {
        guard let action = settings.hasJig ? withoutJig(action, of: client) : action else { return }
        record { recorder, time in recorder.took(action.input, client, at: time) }
        let lost = takeText(action, client)
        for number in lost { course.people?.lose(number, at: course.world.now) }
        // A text is named before it is on the air.
        emitWords()
        course.world.inject(client.input(action), into: client.node)
        deliver()
    }

    private mutating func takeText(_ action: NodeInput.App, _ client: ClientID) -> [Int] {
        guard settings.isSteered else { return [] }
        var people = course.people.take()
        defer { course.people = people }
        return course.texts.took(action, client) { people?.enter($0, of: client.node, in: course.world) }
    }

    /// Lets a board do at this moment what takes it milliseconds otherwise: it reads or writes one frame a pass.
    ///
    /// So a client is answered while time stands still, and several commands have the same answers in whatever pieces
    /// they come.
    private mutating func answer(_ node: NodeID) {
        for _ in 0..<Self.mostPasses {
            guard !isStopped, course.world.isUp(node),
                course.world.withCompanion(node, { $0.wantsPassForApp() }) == true
            else { break }
            course.world.inject(.woke, into: node)
            deliver()
        }
    }

    /// Lets a node go on whose link has room again, in a pass of its own.
    mutating func resume(_ client: ClientID) {
        guard course.world.holdLink(of: client.node, false, at: client.interface) else { return }
        course.world.inject(.woke, into: client.node)
        deliver()
    }

    // MARK: To clients

    /// Delivers the world's outputs in their order: a change of flash is durable before anything later leaves.
    mutating func deliver() {
        // Before anything leaves: what an app has seen is in the recording, however the run ends.
        emitWords()
        if !settings.leavesTrace {
            let trace = course.world.takeTrace()
            if settings.isSteered || settings.emitsLines || settings.emitsLosses { emitLines(of: trace) }
            record { recorder, _ in recorder.happened(trace) }
        }
        for output in course.world.takeOutputs() where !isStopped {
            if let request = peers.take(output, at: clock) {
                emit(.write(request, to: ClientID(output.node)))
            } else if hasEndpoint(output.node) {
                deliverToClients(output)
            } else {
                course.people?.take(output)
                deliver(output)
            }
        }
        strike()
    }

    /// Delivers an output of a node that has no client.
    private mutating func deliver(_ output: WorldOutput) {
        switch output.kind {
        case .appBytes(let bytes): if typing?.node == output.node { typing?.output += bytes }
        case .appClosed: break
        case .flash(let change): emit(.persist(change, of: output.node))
        case .rebooted, .poweredOff, .booted: noteBoard(output)
        }
    }

    private mutating func deliverToClients(_ output: WorldOutput) {
        if case .flash(let change) = output.kind { return emit(.persist(change, of: output.node)) }
        for place in seats.indices
        where output.isOfBoard ? seats[place].node == output.node : seats[place].client == output.client {
            deliver(output, to: place)
        }
        noteBoard(output)
    }

    private mutating func deliver(_ output: WorldOutput, to place: Int) {
        let (node, interface) = (output.node, seats[place].client.interface)
        switch output.kind {
        case .rebooted: course.links[place].faults?.boardWentDown()
        case .poweredOff: course.links[place].faults?.drop()
        case .appBytes, .appClosed, .flash, .booted: break
        }
        if course.links[place].bluetooth != nil {
            let radio = RadioIdentity(node, in: course.world)
            course.links[place].bluetooth?.handle(output.kind, radio, at: course.world.now)
            // Before its next pass: a busy link leaves further frames with the node.
            if case .appBytes = output.kind, course.links[place].bluetooth?.hasRoom == false {
                course.links[place].bluetooth?.isHeld = true
                _ = course.world.holdLink(of: node, true, at: interface)
            }
            look(at: place)
            attend(place)
        } else {
            deliverDirectly(output, to: place)
        }
    }

    private mutating func deliverDirectly(_ output: WorldOutput, to place: Int) {
        let client = seats[place].client
        switch output.kind {
        case .appBytes(let bytes): writeThroughFaults(bytes, to: place)
        case .appClosed: shutOut(place, .closed)
        case .rebooted:
            emit(.restarts(client))
            if seats[place].state.hasClient { told(at: place) }
            if !seats[place].isLine { seats[place].state.hasClient = false }
            look(at: place)
        case .poweredOff:
            seats[place].inbox.removeAll()
            emit(.losesPower(client))
            look(at: place)
        case .booted:
            emit(.booted(client, RadioIdentity(client.node, in: course.world)))
            // A board that has started knows of no connection from before.
            if !seats[place].isLine { seats[place].state.hasClient = false }
            look(at: place)
        case .flash: break
        }
    }

    private mutating func noteBoard(_ output: WorldOutput) {
        let label = course.world.label(of: output.node)
        switch output.kind {
        case .rebooted: note(.note("\(label): restarts"))
        case .poweredOff: note(.note("\(label): has no power"))
        case .booted: note(.note("\(label): is up again"))
        case .appBytes, .appClosed, .flash: break
        }
    }

    // MARK: Lines

    /// Emits what has happened in the world, with what clients have said and how messages have ended.
    private mutating func emitLines(of trace: [TraceRecord]) {
        var moment: Instant?
        for line in trace {
            if settings.isSteered, moment != line.time {
                moment = line.time
                course.people?.tellEnds(before: line.time)
            }
            course.people?.enter(line)
            // Before it, messages may have come to an end.
            emitWords()
            if settings.isSteered { listen(line) }
            emitLine(HappeningLog.Line(line.time, line.node, .event(line.event)))
        }
    }

    /// Follows what a radio says to a client: perhaps what has become of a text.
    private mutating func listen(_ line: TraceRecord) {
        switch line.event {
        case .appBytes(let bytes): listen(bytes, ClientID(line.node))
        case .interfaceBytes(let number, let bytes): listen(bytes, ClientID(line.node, interface: Int(number)))
        default: break
        }
    }

    private mutating func listen(_ bytes: [UInt8], _ client: ClientID) {
        let (news, lost) = course.texts.said(bytes, client)
        for one in news { course.people?.enter(one, ofClientAt: client.node, at: course.world.now) }
        for number in lost { course.people?.lose(number, at: course.world.now) }
        emitWords()
    }

    /// Emits what people have said and learned.
    mutating func emitWords() {
        guard let lines = course.people?.takeLines(), !lines.isEmpty else { return }
        for line in lines { emitLine(line) }
    }

    mutating func emitLine(_ line: HappeningLog.Line) {
        course.log?.append(line)
        if let words = course.losses?.take(line) { note(.lost(words)) }
        if settings.emitsLines { note(.happened(line)) }
    }

    // MARK: Recordings

    /// Lets the recorder work, and hands its lines on.
    mutating func record(_ body: (inout RadioRecorder, Instant) -> Void) {
        guard var recorder = course.recorder.take() else { return }
        body(&recorder, course.world.now)
        let lines = recorder.takeLines()
        course.recorder = recorder
        for (node, entry) in lines {
            if settings.emitsRecordings {
                note(.recorded(entry, of: node))
            } else if let place = place(of: node) {
                course.links[place].recording?.add(entry)
            }
        }
    }
}
