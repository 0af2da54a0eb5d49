import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

/// A mutant at work in a radio, and what it remembers.
struct Mutation: Sendable {
    let mutant: Mutant
    /// The frames that were to be written, as they should have been; the last 64 at most.
    var history: [[UInt8]] = []
    /// Frames that are late, each with the time when it comes.
    var late: [(due: Instant, frame: [UInt8])] = []
    /// Frames that come behind the next one.
    var overtaken: [[UInt8]] = []
    /// Further notes of the fault about earlier events.
    var note: [UInt8] = []

    init(_ mutant: Mutant) {
        self.mutant = mutant
    }

    private var faults: [Defect] { mutant.faults }
}

extension CompanionRadio {
    /// The memory of the radio's fault; for mutants only, as a radio without a fault has none.
    var mutation: Mutation {
        get {
            guard let mutation = hooks.first as? Mutation else { preconditionFailure("a radio without a fault") }
            return mutation
        }
        set { hooks = [newValue] }
    }
}

extension Mutation: CompanionHooks {
    // MARK: Boot

    func prepare(_ board: inout BoardProfile, _ quirks: inout QuirkSet) {
        for fault in faults {
            switch fault {
            case .board(let change): change(&board)
            case .quirkOff(let quirk): quirks = quirks.removing(quirk)
            default: break
            }
        }
    }

    func booted(_ radio: inout CompanionRadio) {
        radio.mutation = Mutation(mutant)
        for case .booted(let change) in faults { change(&radio) }
    }

    // MARK: Passes

    func pass(
        _ input: NodeInput, of radio: inout CompanionRadio, link: (inout CompanionRadio, NodeInput) -> Void,
        mesh: (inout CompanionRadio, NodeInput) -> Void
    ) {
        let input = changed(input, of: &radio)
        let before = radio
        link(&radio, input)
        changeLink(of: &radio, input, before)
        let linked = radio
        mesh(&radio, input)
        for case .meshed(let change) in faults { change(&radio, linked) }
        Self.writeLateFrames(of: &radio)
    }

    private func changed(_ input: NodeInput, of radio: inout CompanionRadio) -> NodeInput {
        switch input {
        case .appBytes(var bytes):
            for case .bytesFromApp(let change) in faults { change(&bytes, &radio) }
            return .appBytes(bytes)
        case .heard(let frame, let signal): return heard(frame.bytes, signal, by: &radio)
        case .heardPacket(let shared, let signal): return heard(shared.packet.bytes, signal, by: &radio)
        case .receiveError, .transmitDone, .appConnected, .appDisconnected, .bridge, .atInterface, .woke: return input
        }
    }

    private func heard(_ bytes: [UInt8], _ signal: Signal, by radio: inout CompanionRadio) -> NodeInput {
        var (bytes, signal) = (bytes, signal)
        for case .hearing(let change) in faults { change(&bytes, &signal, &radio) }
        return .heard(RadioFrame(bytes), signal)
    }

    private func changeLink(of radio: inout CompanionRadio, _ input: NodeInput, _ before: CompanionRadio) {
        let isThere: Bool
        switch input {
        case .appConnected: isThere = true
        case .appDisconnected: isThere = false
        default: return
        }
        for case .linkChanged(let change) in faults { change(&radio, before, isThere) }
    }

    func endPass(of radio: inout CompanionRadio, _ effects: inout [NodeEffect], from first: Int) {
        // A board that restarts writes nothing.
        if !radio.isHalted, radio.restartsAt == nil, let late = radio.mutation.late.first {
            radio.nextWake = min(radio.nextWake, late.due)
        }
        for index in effects.indices.dropFirst(first) {
            switch effects[index] {
            case .appBytes(var bytes):
                for case .bytesToApp(let change) in faults { change(&bytes, radio.interface) }
                effects[index] = .appBytes(bytes)
            case .transmit(let frame):
                var bytes = frame.bytes
                for case .packet(let change) in faults { change(&bytes) }
                effects[index] = .transmit(RadioFrame(bytes))
            case .tune, .setTxPower, .bridge, .atInterface, .appClosed, .appReplaced, .flash, .powerOff, .reboot,
                .trace:
                break
            }
        }
    }

    // MARK: Commands

    func execute(
        _ frame: [UInt8], on radio: inout CompanionRadio, execute: (inout CompanionRadio, [UInt8]) -> Void
    ) {
        guard let code = frame.first else { return }
        var frame = frame
        let before = radio
        for case .command(let concerned, let change) in faults where concerned == nil || concerned?.rawValue == code {
            switch change(&frame, &radio) {
            case .executed: break
            case .ignored: return
            case .answeredOK: return radio.ok()
            case .refused(let error): return radio.refuse(error)
            }
        }
        execute(&radio, frame)
        for case .executed(let concerned, let change) in faults where concerned.rawValue == code {
            change(&radio, before)
        }
    }

    // MARK: Frames

    /// Writes a frame for the app as the fault has it, which may be not at all.
    func write(_ frame: [UInt8], of radio: inout CompanionRadio) {
        var frames = [frame]
        for case .frame(let code, let treatment) in faults where code == nil || code == frame.first {
            Self.treat(&frames, treatment, of: &radio)
        }
        radio.mutation.history = radio.mutation.history.suffix(63) + [frame]
        guard !frames.isEmpty else { return }
        // What is overtaken by this one is taken out first, so that it cannot be held back again.
        let overtaken = radio.mutation.overtaken
        radio.mutation.overtaken = []
        for frame in frames + overtaken { radio.interface.write(frame, into: &radio.core.effects) }
    }

    private static func treat(_ frames: inout [[UInt8]], _ treatment: Defect.Treatment, of radio: inout CompanionRadio)
    {
        switch treatment {
        case .changed(let change):
            let context = FrameContext(radio: radio, history: radio.mutation.history)
            for index in frames.indices { change(&frames[index], context) }
            frames.removeAll { $0.isEmpty }
        case .doubled: frames += frames
        case .late(let span):
            radio.mutation.late += frames.map { (radio.core.now + span, $0) }
            frames = []
        case .overtaken:
            guard radio.mutation.overtaken.isEmpty else { return }
            radio.mutation.overtaken = frames
            frames = []
        case .followed(let span, let next):
            radio.mutation.late += frames.map { (radio.core.now + span, next($0)) }
        }
    }

    private static func writeLateFrames(of radio: inout CompanionRadio) {
        while let first = radio.mutation.late.first, first.due <= radio.core.now {
            radio.mutation.late.removeFirst()
            radio.interface.write(first.frame, into: &radio.core.effects)
        }
    }

    // MARK: The air

    func sealed(_ plaintext: [UInt8], as type: PayloadType, by radio: CompanionRadio) -> [UInt8] {
        var plaintext = plaintext
        for case .plaintext(let concerned, let change) in faults where concerned == type { change(&plaintext, radio) }
        return plaintext
    }
}
