import MeshCompanion
import MeshTime

/// A planned fault on its link: follows its occasion, and changes the frames that it takes.
struct ArmedLinkFault: Sendable {
    let fault: PlannedLinkFault
    /// Counted since the link's first plan.
    let number: Int
    /// Its place in its plan, by which it is counted.
    private let place: Int
    private let counter: LinkFaultCounter
    var draws: RandomStream
    /// The occasions that it still takes.
    private(set) var left: Int
    /// Frames, commands, connections or phases of its occasion so far.
    private var seen = 0
    /// The occasion has come, and waits for a frame.
    private var isOpen = false
    /// The frame that passes now is one of the occasion.
    private var isDue = false
    /// The next attempts to connect fail.
    private var isRefusing: Bool
    /// The time of what happens now, where the link has one.
    private var now: Instant?
    /// The latest frame of this connection that may come again in a later one, and that of earlier ones.
    private var latest: [UInt8]?
    private(set) var earlier: [UInt8]?

    init(_ fault: PlannedLinkFault, number: Int, place: Int, counter: LinkFaultCounter, draws: RandomStream) {
        self.fault = fault
        self.number = number
        self.place = place
        self.counter = counter
        self.draws = draws
        left = fault.times
        isRefusing = fault.kind == .refuseConnection && fault.occasion == .nextFrame
    }

    // MARK: Connections

    /// True when the attempt to connect is to fail by it.
    var refuses: Bool { isRefusing && left > 0 }

    /// A client wants to connect.
    mutating func connects(at now: Instant?) {
        self.now = now
        guard fault.kind == .refuseConnection, case .connect(let number) = fault.occasion else { return }
        count(from: number)
        if isOpen { isRefusing = true }
    }

    mutating func begins() {
        guard fault.kind != .refuseConnection, case .connect(let number) = fault.occasion else { return }
        count(from: number)
    }

    mutating func ends() {
        isOpen = false
        isDue = false
        earlier = latest ?? earlier
        latest = nil
    }

    private mutating func count(from number: Int) {
        seen += 1
        if seen >= number { isOpen = true }
    }

    // MARK: Occasions

    /// A frame is about to pass, perhaps one with which the app enters a phase.
    mutating func look(at frame: [UInt8], _ way: FrameDirection, entering phase: LinkPhase?, now: Instant?) {
        self.now = now
        switch fault.occasion {
        case .nextFrame: isDue = true
        case .coded(let wanted, let number):
            let isIt = LinkFrameKind(of: frame, way) == wanted
            if isIt { seen += 1 }
            isDue = isIt && seen >= number
        case .after(let frames):
            if way == fault.way { seen += 1 }
            isDue = seen > frames
        case .answer(let code, let number):
            if way == .toRadio, frame.first == code.rawValue { count(from: number) }
            isDue = isOpen && way == .toApp && Self.isAnswer(frame, to: code)
        case .phase(let wanted, let number):
            if phase == wanted { count(from: number) }
            isDue = isOpen
        case .connect: isDue = isOpen
        }
    }

    private static func isAnswer(_ frame: [UInt8], to command: CommandCode) -> Bool {
        guard let code = frame.first.flatMap(RadioCode.init) else { return false }
        return code == .response(.err) || command.row.mayReply(code)
    }

    /// Tells whether it happens at this frame, were no other fault to take it.
    func isReady(_ frame: [UInt8], _ way: FrameDirection, message: [UInt8]?, isHolding: Bool) -> Bool {
        guard left > 0, isDue, fault.way == way, frame.count >= fault.kind.leastLength else { return false }
        if let frames = fault.kind.frames {
            guard let kind = LinkFrameKind(of: frame, way), frames.contains(kind) else { return false }
        }
        switch fault.kind {
        case .merge, .swap: return !isHolding
        case .garble(let place?, let value?): return frame[place] != value
        case .garble: return !frame.isEmpty
        case .otherAnswer(let other): return frame != other
        case .error(let code): return frame != Resp.Err(error: code).encoded()
        case .wrongLength(let difference): return (0...0xFFFF).contains(frame.count + difference)
        case .moreContacts(let count): return Self.announced(frame, -count) != nil
        case .fewerContacts(let count): return Self.announced(frame, count) != nil
        case .sameMessage: return message != nil && message != frame
        case .longest: return frame.count < CompanionLimits.frame
        case .overlong(let count): return frame.count < count
        case .olderSession: return earlier != nil
        // It is below the frames.
        case .bluetooth: return false
        default: return true
        }
    }

    /// A frame has passed, which may come again in a later connection.
    mutating func remember(_ frame: [UInt8], _ way: FrameDirection) {
        guard case .olderSession(let wanted) = fault.kind, way == fault.way else { return }
        if wanted == nil || LinkFrameKind(of: frame, way) == wanted { latest = frame }
    }

    /// Counts an occasion that was taken.
    mutating func fire(frame: [UInt8], isCounted: Bool = true) {
        left -= 1
        isOpen = false
        if isCounted { counter.note(planned: place, frame: frame, at: now) }
    }

    // MARK: Beside frames

    /// Adds something in front of a frame, or happens beside it; returns false where the frame is not concerned.
    mutating func addOrStand(
        beside frame: [UInt8], on carrier: LinkCarrier, _ passage: inout LinkPassage
    ) -> Bool {
        switch fault.kind {
        case .refuseConnection:
            isRefusing = true
            return false
        case .brownOut(let bytes, let span):
            passage.power.append(LinkPowerFault(kind: .brownOut(bytes: bytes, for: TimeSpan(span)), fault: number))
            // It is counted when the power fails.
            fire(frame: frame, isCounted: false)
        default:
            passage.writes.append(LinkPassage.Write(bytes: addition(on: carrier)))
            fire(frame: frame)
        }
        return true
    }

    private mutating func addition(on carrier: LinkCarrier) -> [UInt8] {
        switch fault.kind {
        case .insert(let bytes): bytes
        case .rubbish(let count): (0..<count).map { _ in draws.nextByte() }
        case .olderSession: carrier.encode(earlier ?? [], fault.way)
        case .push(let bytes): carrier.encode(bytes, fault.way)
        case .unknownCode(let code): carrier.encode([code, 1, 2, 3, 4], fault.way)
        default: carrier.encode([], fault.way)
        }
    }
}
