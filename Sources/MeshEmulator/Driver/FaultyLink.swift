import MeshCapture
import MeshCompanion
import MeshFiles
import MeshFirmware
import MeshTime
import MeshTransports

/// Faults between a companion radio and its client: frames are lost, doubled, changed, cut in two or held back, or the
/// connection ends.
///
/// Frames that are held back wait by the world's time, until `release` at `nextRelease`. Without faults everything
/// passes unchanged. Planned faults decide first (`LinkFaultMachine`); a frame that they leave alone meets the rates.
struct FaultyLink {
    /// The way in which client and node write.
    struct Shape {
        /// The link that planned faults know.
        var carrier = LinkCarrier.tcp
        /// Tells whether frames have a header on it: not on Bluetooth, but with a client at a modelled link.
        var isFramed = true
        /// Tells whether no event tells of the client's coming: its connection begins with `CMD_APP_START`.
        var isLine = false

        init() {}

        /// - Parameter isModelled: whether the client is at the far end of a modelled link.
        init(over link: RecordingLink, isLine: Bool, isModelled: Bool) {
            carrier = link == .ble ? .bluetooth : isLine ? .serial : .tcp
            isFramed = link != .ble || isModelled
            self.isLine = isLine
        }

        /// Refuses a plan that such a link cannot have.
        func check(_ plan: LinkFaultPlan) throws(FileProblem) {
            try plan.check(on: carrier)
            guard isLine, let place = plan.faults.firstIndex(where: { $0.kind == .refuseConnection }) else { return }
            throw FileProblem(
                line: 0, field: "faults[\(place)].fault", reason: "refuse-connection: a terminal takes every client")
        }
    }

    /// The demands that one link remembers; a further one is refused.
    static let mostDemands = 1000

    /// Effect on the client.
    enum Output: Hashable {
        case write([UInt8])
        /// The connection ends, as if the client had ended it.
        case hangUp
        /// The connection ends before the node has learned of it.
        case refuse
    }

    /// Pause between the pieces of a frame that is cut in two.
    private static let pause = TimeSpan.milliseconds(1)

    private let shape: Shape
    private let draws: Seed
    private var toApp: FaultyWay
    private var toRadio: FaultyWay
    private var planned: LinkFaultMachine
    private var heldToApp = HeldWrites()
    private var heldToRadio = HeldWrites()
    /// Nothing passes before this moment.
    private var silentUntil = Instant.start
    /// Finds the frames in what the client writes, while there are faults.
    private var receiver = SerialReceiver()
    private var isReading = false
    /// Bytes that have passed, for the node to read next; frames, where they have no header.
    private var passed: [UInt8] = []
    private var passedFrames: [[UInt8]] = []
    /// The connection ends when the node has read what has passed.
    private var hangsUp = false
    /// The connection has ended, and the node does not know yet.
    private var hasLeft = false
    /// The client was refused: what it has sent reaches nobody.
    private(set) var isRefusing = false
    /// The power of the board is about to change: nothing passes before it has.
    private var isDark = false
    private var outputs: [Output] = []
    private var power: [LinkPowerFault] = []
    /// Everything that was asked for since the run began, or since it went back to a snapshot.
    private(set) var demands: [LinkFaultDemand] = []

    init(seed: Seed, _ shape: Shape = Shape()) {
        self.shape = shape
        draws = seed
        toApp = FaultyWay(.none, seed.stream("toApp"))
        toRadio = FaultyWay(.none, seed.stream("toRadio"))
        planned = LinkFaultMachine(shape.carrier, seed: seed)
    }

    /// Returns the effects on the client since the last call.
    mutating func takeOutputs() -> [Output] {
        guard !outputs.isEmpty else { return [] }
        defer { outputs = [] }
        return outputs
    }

    /// Returns the changes of the board's power since the last call.
    mutating func takePower() -> [LinkPowerFault] {
        guard !power.isEmpty else { return [] }
        defer { power = [] }
        return power
    }

    // MARK: Faults

    /// Sets the faults of a direction from the next frame on; false when the link remembers no further demand.
    @discardableResult
    mutating func set(_ faults: LinkFaults, _ way: FrameDirection, mayNotFire: Bool = false) -> Bool {
        let counter = LinkFaultCounter()
        if faults != .none {
            guard demands.count < Self.mostDemands else { return false }
            demands.append(LinkFaultDemand(faults, way, counter: counter, mayNotFire: mayNotFire))
        }
        switch way {
        case .toApp: toApp.set(faults, counter: counter)
        case .toRadio: toRadio.set(faults, counter: counter)
        }
        return true
    }

    /// Refuses a plan that this link cannot have.
    func check(_ plan: LinkFaultPlan) throws(FileProblem) { try shape.check(plan) }

    /// Arms the faults of a plan; false when the link remembers no further demands.
    ///
    /// Throws for a plan that this link cannot have.
    mutating func arm(_ plan: LinkFaultPlan) throws(FileProblem) -> Bool {
        try check(plan)
        guard demands.count + plan.faults.count <= Self.mostDemands else { return false }
        let counter = LinkFaultCounter()
        let numbers = planned.arm(plan, counter: counter)
        for (place, fault) in plan.faults.enumerated() {
            demands.append(
                LinkFaultDemand(fault, place: place, number: numbers.lowerBound + place, counter: counter))
        }
        return true
    }

    /// Takes the planned fault of a demand back; false for one that is none.
    mutating func disarm(demand place: Int) -> Bool {
        guard let number = demands[place].number else { return false }
        planned.disarm(number..<number + 1)
        return true
    }

    /// Notes the fault of the world that a planned change of the power has become.
    mutating func note(worldFault: Int, of fault: LinkPowerFault) {
        guard let place = demands.firstIndex(where: { $0.number == fault.fault }) else { return }
        demands[place].worldFaults.append(worldFault)
    }

    /// Ends all faults; frames that are held back pass now.
    mutating func clear(at now: Instant) {
        toApp.set(.none)
        toRadio.set(.none)
        let held = planned.disarm()
        silentUntil = .start
        heldToApp.add(wired(held.toApp, .toApp), due: now, isLast: false)
        heldToRadio.add(wired(held.toRadio, .toRadio), due: now, isLast: false)
        release(at: now, all: true)
    }

    /// Returns to the beginning of a run: no faults, and the same draws again.
    mutating func forget() { self = FaultyLink(seed: draws, shape) }

    /// Drops all that is held back or has passed and was not read: it is lost with the board.
    mutating func drop() {
        heldToApp = HeldWrites()
        heldToRadio = HeldWrites()
        (passed, passedFrames) = ([], [])
        outputs = []
        receiver.reset()
        isReading = false
        hangsUp = false
        hasLeft = false
        isRefusing = false
        boardWentDown()
    }

    /// Learns that the board has restarted or has no power: its connection is over.
    mutating func boardWentDown() {
        isDark = false
        power = []
        planned.disconnected()
    }

    /// The moment at which the next held frame passes; `.never` without one.
    var nextRelease: Instant { min(heldToApp.nextDue, heldToRadio.nextDue) }

    /// Lets pass what is due.
    mutating func release(at now: Instant, all: Bool = false) {
        for held in heldToApp.take(at: now, all: all) {
            if let bytes = held.bytes { outputs.append(.write(bytes)) }
            if held.isLast { outputs.append(.hangUp) }
        }
        for held in heldToRadio.take(at: now, all: all) {
            if let bytes = held.bytes { if shape.isFramed { passed += bytes } else { passedFrames.append(bytes) } }
            if held.isLast { hangsUp = true }
        }
    }

    /// Learns that the connection was ended from this side: the node reads of it next.
    mutating func hungUp() {
        hasLeft = true
        planned.disconnected()
    }

    // MARK: To the app

    /// Sends one write of the node: a frame, behind its marker and length where frames have such.
    mutating func send(_ bytes: [UInt8], at now: Instant) {
        guard !isDark else { return }
        let header = shape.isFramed ? StreamFraming.headerSize : 0
        guard toApp.isOn || !heldToApp.isEmpty || planned.isOn || now < silentUntil, bytes.count >= header else {
            return outputs.append(.write(bytes))
        }
        let frame = header == 0 ? bytes : Array(bytes.dropFirst(header))
        if let passage = planned.take(frame, .toApp, at: now) {
            perform(passage, .toApp, at: now)
        } else {
            hold(toApp.next(frame, at: now), .toApp, at: now)
        }
        release(at: now)
    }

    /// Sends a frame that no radio sent; also one that the framing could not carry.
    mutating func push(_ frame: [UInt8]) { outputs.append(.write(shape.isFramed ? framed(frame, .toApp) : frame)) }

    // MARK: To the radio

    /// Tells whether the node can read something that has passed.
    var hasInput: Bool { !passed.isEmpty || !passedFrames.isEmpty || hangsUp || hasLeft }

    /// Returns the next action of the client that passes, with at most `window` bytes.
    mutating func nextInput(window: Int, from inbox: inout ClientInbox, at now: Instant) -> NodeInput.App? {
        while !isDark {
            if !passedFrames.isEmpty { return .bytes(passedFrames.removeFirst()) }
            if !passed.isEmpty {
                guard window > 0 else { return nil }
                let piece = Array(passed.prefix(window))
                passed.removeFirst(piece.count)
                return .bytes(piece)
            }
            if hangsUp || hasLeft {
                if hangsUp { outputs.append(.hangUp) }
                hangsUp = false
                hasLeft = false
                planned.disconnected()
                return .disconnected
            }
            guard let input = inbox.next(window: window) else { return nil }
            guard case .bytes(let bytes) = input else {
                guard isPassed(input, at: now) else { continue }
                return input
            }
            if isRefusing { continue }
            guard toRadio.isOn || isReading || !heldToRadio.isEmpty || planned.isOn || now < silentUntil else {
                return input
            }
            read(bytes, at: now)
        }
        return nil
    }

    /// Learns that a client has come or gone; false where the node does not learn of it.
    private mutating func isPassed(_ input: NodeInput.App, at now: Instant) -> Bool {
        receiver.reset()
        isReading = false
        heldToRadio = HeldWrites()
        let wasRefused = isRefusing
        isRefusing = input == .connected && planned.refusesConnection(at: now)
        if isRefusing { outputs.append(.refuse) }
        if input == .connected, !isRefusing { planned.connected() } else { planned.disconnected() }
        return !isRefusing && !(wasRefused && input == .disconnected)
    }

    /// Finds whole frames in what the client wrote, and lets each pass or not.
    private mutating func read(_ bytes: [UInt8], at now: Instant) {
        isReading = true
        for frame in shape.isFramed ? receiver.frames(in: bytes) : [bytes] where !isDark {
            if shape.isLine, frame.first == CommandCode.appStart.rawValue { planned.connected() }
            if let passage = planned.take(frame, .toRadio, at: now) {
                perform(passage, .toRadio, at: now)
            } else {
                hold(toRadio.next(frame, at: now), .toRadio, at: now)
            }
            release(at: now)
        }
        // A frame of which a part is here is waited for.
        isReading = receiver.hasPart || toRadio.isOn
    }

    // MARK: Passing

    /// Performs what planned faults have decided.
    private mutating func perform(_ passage: LinkPassage, _ way: FrameDirection, at now: Instant) {
        power += passage.power
        // A board that is about to lose its power says and hears nothing any more.
        isDark = passage.power.contains { $0.kind.isAtOnce }
        if passage.silence > .zero {
            silentUntil = max(silentUntil, now + passage.silence)
            heldToApp.wait(until: silentUntil)
            heldToRadio.wait(until: silentUntil)
        }
        let due = max(now + passage.late, silentUntil)
        add(wired(passage.writes, way), way, due: due, isLast: passage.isLast)
    }

    /// Queues what the rates have made of a frame.
    private mutating func hold(_ fate: FaultyWay.Fate, _ way: FrameDirection, at now: Instant) {
        let writes = pieces(of: fate, way).enumerated().map { place, bytes in
            // The second half of a frame comes by itself.
            LinkPassage.Write(bytes: bytes, pause: place > 0 && fate.cut != nil ? Self.pause : .zero)
        }
        add(writes, way, due: max(now + TimeSpan(fate.held), silentUntil), isLast: fate.isLast)
    }

    private mutating func add(_ writes: [LinkPassage.Write], _ way: FrameDirection, due: Instant, isLast: Bool) {
        switch way {
        case .toApp: heldToApp.add(writes, due: due, isLast: isLast)
        case .toRadio: heldToRadio.add(writes, due: due, isLast: isLast)
        }
    }

    /// Returns a frame as writes: on a stream, a cut frame is two of them, marker and length in the first.
    private func pieces(of fate: FaultyWay.Fate, _ way: FrameDirection) -> [[UInt8]] {
        guard shape.carrier.isStream else { return fate.pieces.map { shape.isFramed ? framed($0, way) : $0 } }
        return fate.frames.flatMap { frame in
            let bytes = framed(frame, way)
            guard let cut = fate.cut else { return [bytes] }
            return [Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]
        }
    }

    /// The writes as the client of this link reads them.
    private func wired(_ writes: [LinkPassage.Write], _ way: FrameDirection) -> [LinkPassage.Write] {
        guard shape.isFramed, !shape.carrier.isStream else { return writes }
        return writes.map { LinkPassage.Write(bytes: framed($0.bytes, way), pause: $0.pause) }
    }

    private func framed(_ frame: [UInt8], _ way: FrameDirection) -> [UInt8] {
        let marker = way == .toApp ? StreamFraming.toAppMarker : StreamFraming.toRadioMarker
        return StreamFraming.wrap(marker, frame, stating: frame.count)
    }
}
