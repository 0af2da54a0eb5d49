import MeshCapture
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWorlds

// How the outputs of a driven world reach clients, files and testers.
extension WorldDriver {
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
                emit(.write(request, to: output.node))
            } else if let place = place(of: output.node) {
                deliver(output, to: place)
            } else {
                course.people?.take(output)
                deliver(output)
            }
        }
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

    private mutating func deliver(_ output: WorldOutput, to place: Int) {
        let node = output.node
        if case .flash(let change) = output.kind { return emit(.persist(change, of: node)) }
        if course.links[place].bluetooth != nil {
            let radio = RadioIdentity(node, in: course.world)
            course.links[place].bluetooth?.handle(output.kind, radio, at: course.world.now)
            // Before its next pass: a busy link leaves further frames with the node.
            if case .appBytes = output.kind, course.links[place].bluetooth?.hasRoom == false {
                course.links[place].bluetooth?.isHeld = true
                _ = course.world.holdLink(of: node, true)
            }
            look(at: place)
            attend(place)
        } else {
            deliverDirectly(output, to: place)
        }
        noteBoard(output)
    }

    private mutating func deliverDirectly(_ output: WorldOutput, to place: Int) {
        let node = output.node
        switch output.kind {
        case .appBytes(let bytes):
            guard course.links[place].faults != nil else { return write(bytes, to: place) }
            course.links[place].faults?.send(bytes, at: course.world.now)
            passLinkOutputs(of: place)
        case .appClosed: shutOut(place, .closed)
        case .rebooted:
            emit(.restarts(node))
            if seats[place].state.hasClient { told(at: place) }
            if !seats[place].isLine { seats[place].state.hasClient = false }
            look(at: place)
        case .poweredOff:
            course.links[place].faults?.drop()
            seats[place].inbox.removeAll()
            emit(.losesPower(node))
            look(at: place)
        case .booted:
            emit(.booted(node, RadioIdentity(node, in: course.world)))
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
            if settings.isSteered, case .appBytes(let bytes) = line.event { listen(bytes, line.node) }
            emitLine(HappeningLog.Line(line.time, line.node, .event(line.event)))
        }
    }

    /// Follows what a radio says to its client: perhaps what has become of a text.
    private mutating func listen(_ bytes: [UInt8], _ node: NodeID) {
        let (news, lost) = course.texts.said(bytes, node)
        for one in news { course.people?.enter(one, ofClientAt: node, at: course.world.now) }
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
