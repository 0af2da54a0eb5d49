import MeshBluetoothHost
import MeshCompanion
import MeshFirmware
import MeshTime
import NIOCore

/// The port of a board whose client, on TCP or a terminal, is an app behind a modelled Bluetooth link.
///
/// Frames of the client go over the air as an app's do, and what the node says reaches it when the air has carried it, all on
/// the world's time. It has the client's bytes and frames; connection events, pairing and pace are ``RadioAir``'s, as in
/// ``LoopbackWorld``. While the link comes about the client's frames wait, and the client is shut out when the link ends.
///
/// ```
/// client -- bytes --> waiting frames --> RadioAir ~~~ nextDelivery --> node
///        <-- bytes ----------------------        ~~~ <----- send ----
/// ```
final class ModelledPort: AppPort {
    /// Bytes of frames that wait for the air; more stay with the client.
    private static let waitingLimit = 8 * 1024

    private let client: any AppPort
    private let label: String
    private let owner: any PortOwner
    /// Where the world is.
    private let now: () -> Instant
    private var air: RadioAir
    private var receiver = ClientReceiver(
        marker: StreamFraming.toRadioMarker, longest: Int(UInt16.max), capacity: 0)
    private var waiting: [[UInt8]] = []
    private var waitingBytes = 0
    /// What the air has led to, and nobody has been told yet.
    private var outcomes: [RadioAir.Outcome] = []
    /// The air has been asked to connect the client, and the link has not ended.
    private var isDialed = false
    private var hasTold = false
    /// Why the last link did not come about, so that it is told of once.
    private var latestFailure: BluetoothCentral.Failure?

    /// Round a port that has just been opened.
    init(
        _ client: any AppPort, _ radio: RadioIdentity, _ link: LoopbackBluetooth, label: String, owner: any PortOwner,
        now: @escaping () -> Instant
    ) {
        self.client = client
        self.label = label
        self.owner = owner
        self.now = now
        air = RadioAir(radio, link, at: now())
    }

    // MARK: Time

    /// When `advance` wants to be called.
    var deadline: Instant? { outcomes.isEmpty && !air.hasOutcomes ? air.deadline : now() }

    /// Brings the link to the present.
    func advance() { air.advance(to: now()) }

    /// The next thing that the node learns from the air; what the client learns on the way it is told.
    func nextDelivery() -> NodeInput? {
        while true {
            if outcomes.isEmpty { outcomes = air.takeOutcomes() }
            guard !outcomes.isEmpty else { return nil }
            switch outcomes.removeFirst() {
            case .node(let input): return input.input
            case .app(let output): take(output)
            }
        }
    }

    private func take(_ output: BluetoothCentral.Output) {
        switch output {
        case .ready:
            latestFailure = nil
            owner.note("\(label): the modelled Bluetooth link is there")
            write()
        case .frame(let frame):
            guard let bytes = StreamFraming.encode(toApp: frame), client.send(bytes) else { return }
            hasTold = true
        case .hasRoom: write()
        case .ended(let failure): ended(failure)
        default: break
        }
    }

    private func ended(_ failure: BluetoothCentral.Failure) {
        if isDialed, failure != latestFailure {
            owner.note("\(label): the modelled Bluetooth link has ended: \(failure)")
        }
        latestFailure = failure
        guard isDialed else { return }
        client.shutOut()
        hasTold = true
        // A terminal is still there, and its app dials again.
        if client.hasClient { dial() } else { forget() }
    }

    // MARK: The client

    /// Takes what the client has done; whether it had done anything.
    func takeInput() -> Bool {
        var hasTaken = false
        while let input = client.nextInput(window: max(0, Self.waitingLimit - waitingBytes)) {
            hasTaken = true
            switch input {
            case .appConnected: dial()
            case .appBytes(let bytes):
                if !isDialed { dial() }
                let frames = receiver.frames(in: bytes)
                waiting += frames
                waitingBytes += frames.reduce(0) { $0 + $1.count }
            case .appDisconnected: hangUp()
            case .heard, .heardPacket, .receiveError, .transmitDone, .woke: break
            }
        }
        // Of a terminal nobody says who comes and goes.
        if client.hasClient != isDialed {
            hasTaken = true
            if client.hasClient { dial() } else { hangUp() }
        }
        write()
        return hasTaken
    }

    private func dial() {
        forget()
        isDialed = true
        air.connect(at: now())
    }

    private func hangUp() {
        forget()
        air.disconnect(at: now())
    }

    private func forget() {
        isDialed = false
        (waiting, waitingBytes) = ([], 0)
        receiver.reset()
    }

    /// Hands over as many frames as the link takes.
    private func write() {
        while let frame = waiting.first {
            do throws(BluetoothCentral.Refusal) {
                try air.write(frame, at: now())
            } catch {
                // A frame that no value can hold is lost, as on a stream; the others wait.
                guard case .tooLong = error else { return }
            }
            waiting.removeFirst()
            waitingBytes -= frame.count
        }
    }

    // MARK: AppPort

    var hasClient: Bool { client.hasClient }
    var hasRoom: Bool? { air.hasRoom }
    var hasUnread: Bool { client.hasUnread }
    var isBehind: Bool { client.isBehind }

    var hasInput: Bool? {
        client.hasClient != isDialed || waitingBytes < Self.waitingLimit && client.hasInput == true
    }

    /// Only the air tells the node anything: `takeInput` and `nextDelivery` are in this one's place.
    func nextInput(window: Int) -> NodeInput? { nil }

    func send(_ bytes: [UInt8]) -> Bool {
        air.notify(bytes, at: now())
        return true
    }

    func takeTold() -> Bool {
        defer { hasTold = false }
        return hasTold
    }

    func shutOut() -> Int {
        air.hangUp(at: now())
        return 0
    }

    func restarts() { air.restart(at: now()) }

    /// The client is told when its supervision time-out is over.
    func losesPower() -> Bool {
        air.losePower(at: now())
        return false
    }

    func booted(as radio: RadioIdentity?) -> Bool {
        if let radio { air.boot(as: radio, at: now()) }
        return false
    }

    func reset() {
        hangUp()
        client.reset()
    }

    func stop() -> EventLoopFuture<Void> { client.stop() }
}

extension StreamReceiver {
    /// The frames that these bytes complete, in order.
    mutating func frames(in bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { bytes in
            var (frames, taken): ([[UInt8]], Int) = ([], 0)
            while taken < bytes.count {
                taken += append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
                while let frame = nextFrame() { frames.append(frame) }
            }
            return frames
        }
    }
}
