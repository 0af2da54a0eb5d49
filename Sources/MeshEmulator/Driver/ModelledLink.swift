import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

/// Modelled Bluetooth between a node and its client, on the world's time.
///
/// Connection events, pairing and pace are ``RadioAir``'s. A client on a stream (TCP, a terminal) writes bytes: its
/// frames wait here while the link comes about, and it is shut out when the link ends. A client in this process writes
/// frames, and waits itself.
///
/// ```
/// client -- bytes --> waiting frames --> RadioAir ~~~ node
///        <-- bytes ---------------------         <~~~
/// ```
struct ModelledLink {
    /// Effect of the link.
    enum Output {
        /// The node learns this.
        case node(NodeInput.App)
        /// Bytes or a frame for the client.
        case write([UInt8])
        case linked
        case roomy
        /// The link has ended; the client is shut out.
        case ended(String)
        /// A line for people.
        case note(String)
    }

    /// Bytes of frames that wait for the air; more stay with the client.
    private static let waitingLimit = 8 * 1024

    var air: RadioAir
    /// Tells whether the client writes a stream of bytes.
    private let isStream: Bool
    private var receiver = ClientReceiver(
        marker: StreamFraming.toRadioMarker, longest: Int(UInt16.max), capacity: 0)
    private var waiting: [[UInt8]] = []
    private var waitingBytes = 0
    private var outputs: [Output] = []
    /// The air has been asked to connect the client, and the link has not ended.
    private var isDialed = false
    /// Reason for which the last link did not come about, so that it is told once.
    private var latestFailure: BluetoothCentral.Failure?
    /// The node leaves its frames until there is room.
    var isHeld = false

    init(_ radio: RadioIdentity, _ settings: LoopbackBluetooth, isStream: Bool, at now: Instant) {
        air = RadioAir(radio, settings, at: now)
        self.isStream = isStream
    }

    // MARK: Time

    /// The moment at which `advance` is due next; `nil` for none.
    func deadline(at now: Instant) -> Instant? { outputs.isEmpty && !air.hasOutcomes ? air.deadline : now }

    /// Brings the link to the present.
    mutating func advance(to now: Instant) { air.advance(to: now) }

    /// Removes and returns the next effect of all calls so far.
    ///
    /// - Parameter staysThere: whether the client is still there when it is shut out, as on a terminal.
    mutating func next(at now: Instant, staysThere: Bool) -> Output? {
        while outputs.isEmpty {
            let outcomes = air.takeOutcomes()
            guard !outcomes.isEmpty else { return nil }
            for outcome in outcomes {
                switch outcome {
                case .node(let input): outputs.append(.node(input))
                case .app(let output): receive(output, at: now, staysThere)
                }
            }
        }
        return outputs.removeFirst()
    }

    private mutating func receive(_ output: BluetoothCentral.Output, at now: Instant, _ staysThere: Bool) {
        switch output {
        case .ready:
            latestFailure = nil
            outputs.append(.linked)
            if isStream {
                outputs.append(.note("the modelled Bluetooth link is there"))
                writeWaiting(at: now)
            }
        case .frame(let frame):
            guard isStream else { return outputs.append(.write(frame)) }
            if let bytes = StreamFraming.encode(toApp: frame) { outputs.append(.write(bytes)) }
        case .hasRoom: if isStream { writeWaiting(at: now) } else { outputs.append(.roomy) }
        case .ended(let failure): ended(failure, at: now, staysThere)
        default: break
        }
    }

    private mutating func ended(_ failure: BluetoothCentral.Failure, at now: Instant, _ staysThere: Bool) {
        guard isStream else { return outputs.append(.ended("\(failure)")) }
        if isDialed, failure != latestFailure {
            outputs.append(.note("the modelled Bluetooth link has ended: \(failure)"))
        }
        latestFailure = failure
        guard isDialed else { return }
        outputs.append(.ended("\(failure)"))
        // A terminal is still there, and its app dials again.
        if staysThere { dial(at: now) } else { forget() }
    }

    // MARK: The client

    /// Dials the radio for the client; an earlier connection of it ends first.
    mutating func dial(at now: Instant) {
        forget()
        isDialed = true
        air.connect(at: now)
    }

    /// Ends the client's connection.
    mutating func hangUp(at now: Instant) {
        forget()
        air.disconnect(at: now)
    }

    private mutating func forget() {
        isDialed = false
        (waiting, waitingBytes) = ([], 0)
        receiver.reset()
    }

    /// Six digits that the app's user types from the next connection on; `nil` for those that the radio shows.
    var pin: UInt32? {
        get { air.pin }
        set { air.pin = newValue }
    }

    /// Writes a frame of a client that waits itself; throws when the link does not take it.
    mutating func write(_ frame: [UInt8], at now: Instant) throws(BluetoothCentral.Refusal) {
        try air.write(frame, at: now)
    }

    /// Tells whether the client on a stream has done something that there is room for.
    func hasInput(_ seat: ClientSeat, through faults: FaultyLink?) -> Bool {
        isPresent(seat, faults) != isDialed
            || waitingBytes < Self.waitingLimit && (faults?.hasInput == true || !seat.inbox.isEmpty)
    }

    /// A client that a fault has refused is not there.
    private func isPresent(_ seat: ClientSeat, _ faults: FaultyLink?) -> Bool {
        seat.isPresent && faults?.isRefusing != true
    }

    /// Reads what the client on a stream has done, as far as faults let it pass; returns whether it had done anything.
    mutating func read(_ seat: inout ClientSeat, through faults: inout FaultyLink?, at now: Instant) -> Bool {
        var hasRead = false
        while let input = next(of: &seat, through: &faults, at: now) {
            hasRead = true
            switch input {
            case .connected: dial(at: now)
            case .bytes(let bytes):
                if !isDialed { dial(at: now) }
                let frames = receiver.frames(in: bytes)
                waiting += frames
                waitingBytes += frames.reduce(0) { $0 + $1.count }
            case .disconnected: hangUp(at: now)
            }
        }
        // On a terminal no event tells of a client that comes or goes.
        let isPresent = isPresent(seat, faults)
        if isPresent != isDialed {
            hasRead = true
            if isPresent { dial(at: now) } else { hangUp(at: now) }
        }
        writeWaiting(at: now)
        return hasRead
    }

    private func next(
        of seat: inout ClientSeat, through faults: inout FaultyLink?, at now: Instant
    ) -> NodeInput.App? {
        let window = max(0, Self.waitingLimit - waitingBytes)
        guard faults != nil else { return seat.inbox.next(window: window) }
        return faults?.nextInput(window: window, from: &seat.inbox, at: now)
    }

    /// Writes as many frames as the link takes.
    private mutating func writeWaiting(at now: Instant) {
        while let frame = waiting.first {
            do throws(BluetoothCentral.Refusal) {
                try air.write(frame, at: now)
            } catch {
                // A frame that no value can hold is lost, as on a stream; the others wait.
                guard case .tooLong = error else { return }
            }
            waiting.removeFirst()
            waitingBytes -= frame.count
        }
    }

    // MARK: The node

    /// Tells whether the link has room for a further frame of the node.
    var hasRoom: Bool { air.hasRoom }

    /// Handles an output of the node.
    mutating func handle(_ output: WorldOutput.Kind, _ radio: RadioIdentity?, at now: Instant) {
        switch output {
        case .appBytes(let bytes): air.notify(bytes, at: now)
        case .appClosed: air.hangUp(at: now)
        case .rebooted: air.restart(at: now)
        case .poweredOff: air.losePower(at: now)
        case .booted: if let radio { air.boot(as: radio, at: now) }
        case .flash: break
        }
    }
}
