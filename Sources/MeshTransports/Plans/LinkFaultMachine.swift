package import MeshCompanion
package import MeshTime

/// The planned faults of one link: decides on each frame, in both directions, without a clock.
///
/// It sees every frame of the link in the order of its passing, and the beginning and end of its connections. Each
/// fault draws from a stream of its own, so that one more changes no other draws.
package struct LinkFaultMachine: Sendable {
    /// The frame that waits for the next one of its direction, and the fault that holds it back.
    struct Held {
        let frame: [UInt8]
        let isMerged: Bool
        let fault: Int
    }

    /// One direction.
    struct Side {
        var held: Held?
    }

    let carrier: LinkCarrier
    private let seed: Seed
    private var faults: [ArmedLinkFault] = []
    /// The number of faults armed so far.
    private var armed = 0
    private var sides = (toApp: Side(), toRadio: Side())
    /// The phase of the latest command of the connection.
    private var phase: LinkPhase?
    /// The latest message of the radio's queue.
    private var message: [UInt8]?

    package init(_ carrier: LinkCarrier, seed: Seed) {
        self.carrier = carrier
        self.seed = seed
    }

    // MARK: Plans

    /// Arms the faults of a plan, which count from now on and report to the counter by their places in it.
    ///
    /// Returns the numbers of the faults on this link.
    @discardableResult
    package mutating func arm(_ plan: LinkFaultPlan, counter: LinkFaultCounter) -> Range<Int> {
        let first = armed
        for (place, fault) in plan.faults.enumerated() {
            faults.append(
                ArmedLinkFault(
                    fault, number: armed, place: place, counter: counter,
                    draws: seed.stream("planned", String(armed))))
            armed += 1
        }
        return first..<armed
    }

    /// Removes faults; a frame that one of them holds back is lost.
    package mutating func disarm(_ numbers: Range<Int>) {
        faults.removeAll { numbers.contains($0.number) }
        if let held = sides.toApp.held, numbers.contains(held.fault) { sides.toApp.held = nil }
        if let held = sides.toRadio.held, numbers.contains(held.fault) { sides.toRadio.held = nil }
    }

    /// Removes all faults; returns the frames that they hold back, to pass now.
    package mutating func disarm() -> (toApp: [LinkPassage.Write], toRadio: [LinkPassage.Write]) {
        faults = []
        defer { sides = (Side(), Side()) }
        func writes(_ side: Side, _ way: FrameDirection) -> [LinkPassage.Write] {
            side.held.map { [LinkPassage.Write(bytes: carrier.encode($0.frame, way))] } ?? []
        }
        return (writes(sides.toApp, .toApp), writes(sides.toRadio, .toRadio))
    }

    /// True while a fault may still happen, or a frame is held back.
    package var isOn: Bool { !faults.isEmpty || sides.toApp.held != nil || sides.toRadio.held != nil }

    // MARK: Connections

    /// Decides on an attempt to connect; true when it is to fail.
    package mutating func refusesConnection(at now: Instant? = nil) -> Bool {
        for place in faults.indices { faults[place].connects(at: now) }
        guard let place = faults.firstIndex(where: \.refuses) else { return false }
        faults[place].fire(frame: [])
        prune()
        return true
    }

    /// Learns that a connection has begun, and that the one before it has ended.
    package mutating func connected() {
        disconnected()
        for place in faults.indices { faults[place].begins() }
    }

    /// Learns that the connection has ended: what was held back is lost.
    package mutating func disconnected() {
        sides = (Side(), Side())
        phase = nil
        message = nil
        for place in faults.indices { faults[place].ends() }
    }

    // MARK: Frames

    /// Decides on a frame; `nil` for one that passes as it is. Effects are counted with the time, where there is one.
    package mutating func take(_ frame: [UInt8], _ way: FrameDirection, at now: Instant? = nil) -> LinkPassage? {
        guard isOn else { return nil }
        look(at: frame, way, now)
        let isHolding = side(way).held != nil
        let ready = faults.indices.filter { faults[$0].isReady(frame, way, message: message, isHolding: isHolding) }
        var passage = LinkPassage()
        var isTouched = isHolding
        for place in ready where faults[place].fault.kind.role != .takesFrame {
            if faults[place].addOrStand(beside: frame, on: carrier, &passage) { isTouched = true }
        }
        let taker = ready.first { faults[$0].fault.kind.role == .takesFrame }
        if let taker {
            isTouched = true
            change(frame, way, by: taker, &passage)
        } else {
            passage.writes.append(LinkPassage.Write(bytes: carrier.encode(frame, way)))
        }
        if isHolding { release(into: &passage, way) }
        if taker.map({ faults[$0].fault.kind != .sameMessage }) ?? true { remember(message: frame, way) }
        for place in faults.indices { faults[place].remember(frame, way) }
        prune()
        return isTouched ? passage : nil
    }

    private mutating func change(
        _ frame: [UInt8], _ way: FrameDirection, by place: Int, _ passage: inout LinkPassage
    ) {
        switch faults[place].fault.kind {
        case .merge: hold(Held(frame: frame, isMerged: true, fault: faults[place].number), way)
        case .swap: hold(Held(frame: frame, isMerged: false, fault: faults[place].number), way)
        default: faults[place].change(frame, on: carrier, message: message, &passage)
        }
    }

    /// Learns of a frame before anything is decided about it.
    private mutating func look(at frame: [UInt8], _ way: FrameDirection, _ now: Instant?) {
        var entered: LinkPhase?
        if way == .toRadio, let code = frame.first.flatMap(CommandCode.init) {
            if code.linkPhase != phase { entered = code.linkPhase }
            phase = code.linkPhase
        }
        for place in faults.indices { faults[place].look(at: frame, way, entering: entered, now: now) }
    }

    private mutating func remember(message frame: [UInt8], _ way: FrameDirection) {
        guard way == .toApp, let code = frame.first.flatMap(ResponseCode.init),
            LinkFaultKind.messages.contains(code)
        else { return }
        message = frame
    }

    private mutating func prune() { faults.removeAll { $0.left == 0 } }

    // MARK: Held frames

    private func side(_ way: FrameDirection) -> Side { way == .toApp ? sides.toApp : sides.toRadio }

    private mutating func hold(_ held: Held?, _ way: FrameDirection) {
        if way == .toApp { sides.toApp.held = held } else { sides.toRadio.held = held }
    }

    /// Adds the frame that waited for this one.
    private mutating func release(into passage: inout LinkPassage, _ way: FrameDirection) {
        guard let held = side(way).held else { return }
        hold(nil, way)
        let bytes = carrier.encode(held.frame, way)
        // Where this frame was taken away, the other one comes alone, and its fault waits for the next.
        guard !passage.writes.isEmpty else { return passage.writes.append(LinkPassage.Write(bytes: bytes)) }
        if held.isMerged {
            passage.writes[0].bytes = bytes + passage.writes[0].bytes
        } else {
            passage.writes.append(LinkPassage.Write(bytes: bytes))
        }
        guard let place = faults.firstIndex(where: { $0.number == held.fault }) else { return }
        faults[place].fire(frame: held.frame)
    }
}
