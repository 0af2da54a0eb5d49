import MeshCompanion
import MeshFirmware
import MeshTime
import MeshTransports
import NIOCore

/// The way from a companion radio to its client, on which things go wrong when somebody says so: frames are lost, doubled,
/// changed, cut in two or held back, or the connection ends.
///
/// What is held back waits by the world's time: whoever runs the node asks `nextRelease`, and calls `release` then. While
/// nothing goes wrong, everything passes as if the port stood there alone.
final class FaultyPort: AppPort {
    /// Which frames something goes wrong with.
    enum Way: String, Sendable, CaseIterable {
        case toApp, toRadio
    }

    private struct Held {
        let due: Instant
        let bytes: [UInt8]
        /// Whether the connection ends behind it.
        let isLast: Bool
    }

    /// Between the pieces of a frame that is cut in two.
    private static let pause = TimeSpan.milliseconds(1)

    /// Frames that wait at most; what comes behind them is lost, as with a full queue.
    private static let mostHeld = 1024

    private let inner: any AppPort
    private let now: () -> Instant
    private let draws: Seed
    private var toApp: FaultyWay
    private var toRadio: FaultyWay
    private var heldToApp: [Held] = []
    private var heldToRadio: [Held] = []
    /// Finds the frames in what the client writes, while something goes wrong with them.
    private var receiver = SerialReceiver()
    private var isReading = false
    /// What the node gets next: frames that have passed.
    private var passed: [UInt8] = []
    /// The connection ends when the node has had what has passed.
    private var hangsUp = false
    /// The connection has ended, and the node does not know yet.
    private var hasLeft = false

    init(_ inner: any AppPort, seed: Seed, now: @escaping () -> Instant) {
        self.inner = inner
        self.now = now
        draws = seed
        toApp = FaultyWay(.none, seed.stream("toApp"))
        toRadio = FaultyWay(.none, seed.stream("toRadio"))
    }

    // MARK: Faults

    /// Lets things go wrong from the next frame on.
    func set(_ faults: LinkFaults, _ way: Way) {
        switch way {
        case .toApp: toApp.faults = faults
        case .toRadio: toRadio.faults = faults
        }
    }

    /// Nothing goes wrong any more, and what is held back passes now.
    func clear() {
        toApp.faults = .none
        toRadio.faults = .none
        release(all: true)
    }

    /// As at the beginning of a run: no faults, and the same draws again.
    func forget() {
        heldToApp = []
        heldToRadio = []
        passed = []
        receiver.reset()
        isReading = false
        toApp = FaultyWay(.none, draws.stream("toApp"))
        toRadio = FaultyWay(.none, draws.stream("toRadio"))
    }

    /// When something is held back no longer; `.never` when nothing is.
    var nextRelease: Instant { min(heldToApp.first?.due ?? .never, heldToRadio.first?.due ?? .never) }

    /// Lets go of what is due; true when the client was told something by it.
    @discardableResult
    func release(all: Bool = false) -> Bool {
        var hasTold = false
        while let first = heldToApp.first, all || first.due <= now() {
            heldToApp.removeFirst()
            if !first.bytes.isEmpty { hasTold = inner.send(first.bytes) || hasTold }
            if first.isLast { hangUp() }
        }
        while let first = heldToRadio.first, all || first.due <= now() {
            heldToRadio.removeFirst()
            passed += first.bytes
            if first.isLast { hangsUp = true }
        }
        return hasTold
    }

    /// Sends the client a frame that no radio sent; also one that the framing could not carry.
    func push(_ frame: [UInt8]) -> Bool {
        let length = frame.count
        let header = [
            StreamFraming.toAppMarker, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
        ]
        return inner.send(header + frame)
    }

    /// Ends the connection, as if the client had.
    func hangUp() {
        guard inner.hasClient else { return }
        inner.shutOut()
        hasLeft = true
    }

    // MARK: To the app

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard toApp.isOn || !heldToApp.isEmpty else { return inner.send(bytes) }
        // One write is one frame, behind its marker and length.
        guard bytes.count >= StreamFraming.headerSize else { return inner.send(bytes) }
        let fate = toApp.next(Array(bytes.dropFirst(StreamFraming.headerSize)))
        let pieces = pieces(of: fate) { StreamFraming.encode(toApp: $0) ?? [] }
        guard Self.hold(pieces, fate, at: now(), in: &heldToApp) else { return false }
        return release()
    }

    // MARK: To the radio

    var hasInput: Bool? {
        if !passed.isEmpty || hangsUp || hasLeft { return true }
        return inner.hasInput
    }

    func nextInput(window: Int) -> NodeInput? {
        while true {
            if !passed.isEmpty {
                guard window > 0 else { return nil }
                let piece = Array(passed.prefix(window))
                passed.removeFirst(piece.count)
                return .appBytes(piece)
            }
            if hangsUp || hasLeft {
                if hangsUp { inner.shutOut() }
                hangsUp = false
                hasLeft = false
                return .appDisconnected
            }
            guard let input = inner.nextInput(window: window) else { return nil }
            guard case .appBytes(let bytes) = input else {
                receiver.reset()
                isReading = false
                heldToRadio = []
                return input
            }
            guard toRadio.isOn || isReading || !heldToRadio.isEmpty else { return input }
            read(bytes)
        }
    }

    /// Takes whole frames out of what the client wrote, and lets them pass or not.
    private func read(_ bytes: [UInt8]) {
        isReading = true
        for frame in receiver.frames(in: bytes) { take(frame) }
        // A frame of which a part is here is waited for.
        isReading = receiver.hasPart || toRadio.isOn
    }

    private func take(_ frame: [UInt8]) {
        let fate = toRadio.next(frame)
        let pieces = pieces(of: fate, StreamFraming.encode(toRadio:))
        _ = Self.hold(pieces, fate, at: now(), in: &heldToRadio)
        release()
    }

    // MARK: Pieces

    /// What becomes of a frame, as writes of the stream: a cut frame is two of them, marker and length in the first.
    private func pieces(of fate: FaultyWay.Fate, _ encode: ([UInt8]) -> [UInt8]) -> [[UInt8]] {
        fate.frames.flatMap { frame in
            let bytes = encode(frame)
            guard let cut = fate.cut else { return [bytes] }
            return [Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]
        }
    }

    /// Queues pieces behind those that are held; false when there are too many.
    private static func hold(
        _ pieces: [[UInt8]], _ fate: FaultyWay.Fate, at now: Instant, in queue: inout [Held]
    ) -> Bool {
        guard queue.count + pieces.count < mostHeld else { return false }
        var due = max(queue.last?.due ?? now, now + TimeSpan(fate.held))
        for (place, piece) in pieces.enumerated() {
            // The second half of a frame comes by itself.
            if place > 0, fate.cut != nil { due = due + pause }
            queue.append(Held(due: due, bytes: piece, isLast: fate.isLast && place == pieces.count - 1))
        }
        // A frame that is lost may be the last one all the same.
        if pieces.isEmpty, fate.isLast { queue.append(Held(due: due, bytes: [], isLast: true)) }
        return true
    }

    // MARK: As the port

    var hasClient: Bool { inner.hasClient }
    var hasRoom: Bool? { inner.hasRoom }
    var hasUnread: Bool { inner.hasUnread }
    var isBehind: Bool { inner.isBehind }
    func takeTold() -> Bool { inner.takeTold() }
    func shutOut() -> Int { inner.shutOut() }
    func restarts() { inner.restarts() }
    func booted(as radio: RadioIdentity?) -> Bool { inner.booted(as: radio) }

    /// Bytes that are held back, or that have passed and the node has not read, is lost with the board.
    func losesPower() -> Bool {
        drop()
        return inner.losesPower()
    }

    func stop() -> EventLoopFuture<Void> { inner.stop() }

    func reset() {
        drop()
        inner.reset()
    }

    private func drop() {
        heldToApp = []
        heldToRadio = []
        passed = []
        receiver.reset()
        isReading = false
        hangsUp = false
        hasLeft = false
    }
}
