import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire

/// A mutant at work, and what it remembers.
struct Mutation: Sendable {
    let mutant: Mutant
    /// The board as it would be without the fault: what the next boot begins with.
    let board: BoardProfile
    /// The frames that were to be written, as they should have been.
    var history: [[UInt8]] = []
    /// Frames that are late, each with the time when it comes.
    var late: [(due: Instant, frame: [UInt8])] = []
    /// Frames that come behind the next one.
    var overtaken: [[UInt8]] = []
    /// Whatever else the fault needs to know of the past.
    var note: [UInt8] = []

    init(_ mutant: Mutant, on board: BoardProfile) {
        self.mutant = mutant
        self.board = board
    }
}

// A radio without a fault comes here never: each caller has asked `isMutated` before.
extension CompanionRadio {
    /// The fault that this radio has, if it has one.
    public var mutant: Mutant? { mutation.first?.mutant }

    var isMutated: Bool { !mutation.isEmpty }
    private var faults: [Defect] { mutation.first?.mutant.faults ?? [] }

    // MARK: Boot

    static func board(_ board: BoardProfile, of mutant: Mutant) -> BoardProfile {
        mutant.faults.reduce(into: board) { board, fault in
            if case .board(let change) = fault { change(&board) }
        }
    }

    static func quirks(_ quirks: QuirkSet, of mutant: Mutant) -> QuirkSet {
        mutant.faults.reduce(quirks) { quirks, fault in
            if case .quirkOff(let quirk) = fault { quirks.removing(quirk) } else { quirks }
        }
    }

    mutating func spoilBoot() {
        for case .booted(let change) in faults { change(&self) }
    }

    // MARK: Passes

    /// The link's and the mesh's part of a pass.
    mutating func spoiltPass(_ input: NodeInput, _ link: (inout CompanionRadio, NodeInput) -> Void) {
        let input = spoilt(input)
        let before = self
        link(&self, input)
        spoilLink(input, before)
        let linked = self
        loopPass(input)
        for case .meshed(let change) in faults { change(&self, linked) }
        writeLateFrames()
    }

    private mutating func spoilt(_ input: NodeInput) -> NodeInput {
        switch input {
        case .appBytes(var bytes):
            for case .bytesFromApp(let change) in faults { change(&bytes, &self) }
            return .appBytes(bytes)
        case .heard(let frame, let signal): return spoiltHearing(frame.bytes, signal)
        case .heardPacket(let shared, let signal): return spoiltHearing(shared.packet.bytes, signal)
        case .receiveError, .transmitDone, .appConnected, .appDisconnected, .woke: return input
        }
    }

    private mutating func spoiltHearing(_ bytes: [UInt8], _ signal: Signal) -> NodeInput {
        var (bytes, signal) = (bytes, signal)
        for case .hearing(let change) in faults { change(&bytes, &signal, &self) }
        return .heard(RadioFrame(bytes), signal)
    }

    private mutating func spoilLink(_ input: NodeInput, _ before: CompanionRadio) {
        let isThere: Bool
        switch input {
        case .appConnected: isThere = true
        case .appDisconnected: isThere = false
        default: return
        }
        for case .linkChanged(let change) in faults { change(&self, before, isThere) }
    }

    /// What leaves the node in a pass, from the first of its effects on.
    mutating func spoil(_ effects: inout [NodeEffect], from first: Int) {
        for index in effects.indices.dropFirst(first) {
            switch effects[index] {
            case .appBytes(var bytes):
                for case .bytesToApp(let change) in faults { change(&bytes, interface) }
                effects[index] = .appBytes(bytes)
            case .transmit(let frame):
                var bytes = frame.bytes
                for case .packet(let change) in faults { change(&bytes) }
                effects[index] = .transmit(RadioFrame(bytes))
            case .tune, .setTxPower, .appClosed, .appReplaced, .flash, .powerOff, .reboot, .trace: break
            }
        }
    }

    // MARK: Commands

    /// Executes a frame as the fault has it.
    mutating func spoiltExecution(_ frame: [UInt8], _ execute: (inout CompanionRadio, [UInt8]) -> Void) {
        guard let code = frame.first else { return }
        var frame = frame
        let before = self
        for case .command(let concerned, let change) in faults where concerned == nil || concerned?.rawValue == code {
            switch change(&frame, &self) {
            case .executed: break
            case .ignored: return
            case .answeredOK: return ok()
            case .refused(let error): return refuse(error)
            }
        }
        execute(&self, frame)
        for case .executed(let concerned, let change) in faults where concerned.rawValue == code {
            change(&self, before)
        }
    }

    // MARK: Frames

    /// Writes a frame for the app as the fault has it, which may be not at all.
    mutating func putSpoilt(_ bytes: [UInt8]) {
        var frames = [bytes]
        for case .frame(let code, let treatment) in faults where code == nil || code == bytes.first {
            treat(&frames, treatment)
        }
        mutation[0].history = mutation[0].history.suffix(63) + [bytes]
        guard !frames.isEmpty else { return }
        // What is overtaken by this one is taken out first, so that it cannot be held back again.
        let overtaken = mutation[0].overtaken
        mutation[0].overtaken = []
        for frame in frames + overtaken { interface.write(frame, into: &core.effects) }
    }

    private mutating func treat(_ frames: inout [[UInt8]], _ treatment: Defect.Treatment) {
        switch treatment {
        case .changed(let change):
            let context = FrameContext(radio: self, history: mutation[0].history)
            for index in frames.indices { change(&frames[index], context) }
            frames.removeAll { $0.isEmpty }
        case .doubled: frames += frames
        case .late(let span):
            mutation[0].late += frames.map { (core.now + span, $0) }
            frames = []
        case .overtaken:
            guard mutation[0].overtaken.isEmpty else { return }
            mutation[0].overtaken = frames
            frames = []
        case .followed(let span, let next): mutation[0].late += frames.map { (core.now + span, next($0)) }
        }
    }

    private mutating func writeLateFrames() {
        while let first = mutation[0].late.first, first.due <= core.now {
            mutation[0].late.removeFirst()
            interface.write(first.frame, into: &core.effects)
        }
    }

    /// When a late frame comes.
    var lateFrameDue: Instant { mutation.first?.late.first?.due ?? .never }

    // MARK: The air

    /// What is sealed into a packet of this type.
    func spoilt(_ plaintext: [UInt8], of type: PayloadType) -> [UInt8] {
        var plaintext = plaintext
        for case .plaintext(let concerned, let change) in faults where concerned == type { change(&plaintext, self) }
        return plaintext
    }

    /// By how much answers are late, in milliseconds.
    var answerLag: UInt32 {
        faults.reduce(0) { lag, fault in
            if case .answersLater(let milliseconds) = fault { lag + milliseconds } else { lag }
        }
    }
}
