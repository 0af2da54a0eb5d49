import MeshCompanion
import MeshFirmware
import MeshTime
import MeshTransports

/// Faults between a companion radio and its client: frames are lost, doubled, changed, cut in two or held back, or the
/// connection ends.
///
/// Frames that are held back wait by the world's time, until `release` at `nextRelease`. Without faults everything
/// passes unchanged.
struct FaultyLink {
    /// Directions, each with faults of its own.
    enum Way: String, Sendable, CaseIterable {
        case toApp, toRadio
    }

    /// The demands that one link remembers; a further one is refused.
    static let mostDemands = 1000

    /// Effect on the client.
    enum Output: Hashable {
        case write([UInt8])
        /// The connection ends, as if the client had ended it.
        case hangUp
    }

    private struct Held {
        let due: Instant
        let bytes: [UInt8]
        /// Tells whether the connection ends behind it.
        let isLast: Bool
    }

    /// Pause between the pieces of a frame that is cut in two.
    private static let pause = TimeSpan.milliseconds(1)

    /// Frames that wait at most; later ones are lost, as with a full queue.
    private static let mostHeld = 1024

    private let draws: Seed
    private var toApp: FaultyWay
    private var toRadio: FaultyWay
    private var heldToApp: [Held] = []
    private var heldToRadio: [Held] = []
    /// Finds the frames in what the client writes, while there are faults.
    private var receiver = SerialReceiver()
    private var isReading = false
    /// Bytes that have passed, for the node to read next.
    private var passed: [UInt8] = []
    /// The connection ends when the node has read what has passed.
    private var hangsUp = false
    /// The connection has ended, and the node does not know yet.
    private var hasLeft = false
    private var outputs: [Output] = []
    /// Everything that was asked for since the run began, or since it went back to a snapshot.
    private(set) var demands: [LinkFaultDemand] = []

    init(seed: Seed) {
        draws = seed
        toApp = FaultyWay(.none, seed.stream("toApp"))
        toRadio = FaultyWay(.none, seed.stream("toRadio"))
    }

    /// Returns the effects on the client since the last call.
    mutating func takeOutputs() -> [Output] {
        guard !outputs.isEmpty else { return [] }
        defer { outputs = [] }
        return outputs
    }

    // MARK: Faults

    /// Sets the faults of a direction from the next frame on; false when the link remembers no further demand.
    @discardableResult
    mutating func set(_ faults: LinkFaults, _ way: Way, mayNotFire: Bool = false) -> Bool {
        let counter = LinkFaultCounter()
        if faults != .none {
            guard demands.count < Self.mostDemands else { return false }
            demands.append(
                LinkFaultDemand(isToApp: way == .toApp, faults: faults, counter: counter, mayNotFire: mayNotFire))
        }
        switch way {
        case .toApp: toApp.set(faults, counter: counter)
        case .toRadio: toRadio.set(faults, counter: counter)
        }
        return true
    }

    /// Ends all faults; frames that are held back pass now.
    mutating func clear(at now: Instant) {
        toApp.set(.none)
        toRadio.set(.none)
        release(at: now, all: true)
    }

    /// Returns to the beginning of a run: no faults, and the same draws again.
    mutating func forget() {
        drop()
        demands = []
        toApp = FaultyWay(.none, draws.stream("toApp"))
        toRadio = FaultyWay(.none, draws.stream("toRadio"))
    }

    /// Drops all that is held back or has passed and was not read: it is lost with the board.
    mutating func drop() {
        heldToApp = []
        heldToRadio = []
        passed = []
        outputs = []
        receiver.reset()
        isReading = false
        hangsUp = false
        hasLeft = false
    }

    /// The moment at which the next held frame passes; `.never` without one.
    var nextRelease: Instant { min(heldToApp.first?.due ?? .never, heldToRadio.first?.due ?? .never) }

    /// Lets pass what is due.
    mutating func release(at now: Instant, all: Bool = false) {
        while let first = heldToApp.first, all || first.due <= now {
            heldToApp.removeFirst()
            if !first.bytes.isEmpty { outputs.append(.write(first.bytes)) }
            if first.isLast { outputs.append(.hangUp) }
        }
        while let first = heldToRadio.first, all || first.due <= now {
            heldToRadio.removeFirst()
            passed += first.bytes
            if first.isLast { hangsUp = true }
        }
    }

    /// Learns that the connection was ended from this side: the node reads of it next.
    mutating func hungUp() { hasLeft = true }

    // MARK: To the app

    /// Sends one write of the node: a frame behind its marker and length.
    mutating func send(_ bytes: [UInt8], at now: Instant) {
        guard toApp.isOn || !heldToApp.isEmpty, bytes.count >= StreamFraming.headerSize else {
            return outputs.append(.write(bytes))
        }
        let fate = toApp.next(Array(bytes.dropFirst(StreamFraming.headerSize)))
        let pieces = pieces(of: fate) { StreamFraming.encode(toApp: $0) ?? [] }
        Self.hold(pieces, fate, at: now, in: &heldToApp)
        release(at: now)
    }

    /// Sends a frame that no radio sent; also one that the framing could not carry.
    mutating func push(_ frame: [UInt8]) {
        let length = frame.count
        let header = [
            StreamFraming.toAppMarker, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
        ]
        outputs.append(.write(header + frame))
    }

    // MARK: To the radio

    /// Tells whether the node can read something that has passed.
    var hasInput: Bool { !passed.isEmpty || hangsUp || hasLeft }

    /// Returns the next action of the client that passes, with at most `window` bytes.
    mutating func nextInput(window: Int, from inbox: inout ClientInbox, at now: Instant) -> NodeInput.App? {
        while true {
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
                return .disconnected
            }
            guard let input = inbox.next(window: window) else { return nil }
            guard case .bytes(let bytes) = input else {
                receiver.reset()
                isReading = false
                heldToRadio = []
                return input
            }
            guard toRadio.isOn || isReading || !heldToRadio.isEmpty else { return input }
            read(bytes, at: now)
        }
    }

    /// Finds whole frames in what the client wrote, and lets each pass or not.
    private mutating func read(_ bytes: [UInt8], at now: Instant) {
        isReading = true
        for frame in receiver.frames(in: bytes) {
            let fate = toRadio.next(frame)
            Self.hold(pieces(of: fate, StreamFraming.encode(toRadio:)), fate, at: now, in: &heldToRadio)
            release(at: now)
        }
        // A frame of which a part is here is waited for.
        isReading = receiver.hasPart || toRadio.isOn
    }

    // MARK: Pieces

    /// Returns a frame as writes of the stream: a cut frame is two of them, marker and length in the first.
    private func pieces(of fate: FaultyWay.Fate, _ encode: ([UInt8]) -> [UInt8]) -> [[UInt8]] {
        fate.frames.flatMap { frame in
            let bytes = encode(frame)
            guard let cut = fate.cut else { return [bytes] }
            return [Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]
        }
    }

    /// Queues pieces behind those that are held; those for which there is no place are lost.
    private static func hold(
        _ pieces: [[UInt8]], _ fate: FaultyWay.Fate, at now: Instant, in queue: inout [Held]
    ) {
        guard queue.count + pieces.count < mostHeld else { return }
        var due = max(queue.last?.due ?? now, now + TimeSpan(fate.held))
        for (place, piece) in pieces.enumerated() {
            // The second half of a frame comes by itself.
            if place > 0, fate.cut != nil { due = due + pause }
            queue.append(Held(due: due, bytes: piece, isLast: fate.isLast && place == pieces.count - 1))
        }
        // A frame that is lost may be the last one all the same.
        if pieces.isEmpty, fate.isLast { queue.append(Held(due: due, bytes: [], isLast: true)) }
    }
}
