import MeshBluetoothHost
import MeshBus
import MeshTime

/// An app's side of a radio's link, above bluetoothd: finds the radio, pairs, and passes frames.
///
/// A value without bus and clock, as ``BluetoothCentral`` is one without controller. Its phases, limits and failures
/// are the same. Below them are calls of bluetoothd's objects, their answers and their signals. It does automatically
/// what an ordinary user may do:
///
/// ```
/// start ─> objects, owner, agent ─> (known or heard?) ─ no ─> discovery ─> heard
///                                          └──── yes ──────> Connect <──────┘
///          ServicesResolved ─> Nordic UART? ─> Pair, unless paired ─> StartNotify ─> WriteValue, Value
/// ```
///
/// At its end it releases the discovery, its own connection, and the agent. The bond stays. Values come as signals,
/// which bluetoothd sends one by one; `AcquireNotify` would open a socket for the same bytes.
struct DesktopCentral: Sendable {
    typealias Failure = BluetoothCentral.Failure
    typealias Refusal = BluetoothCentral.Refusal
    typealias Phase = BluetoothCentral.Phase
    typealias Peer = BluetoothCentral.Peer
    typealias Limits = BluetoothCentral.Limits

    /// The actions that it requests, in this order.
    enum Output: Hashable, Sendable {
        /// Call a method; the answer comes with this number, within this number of milliseconds.
        case ask(Int, BusRequest, limit: Int)
        /// Answer bluetoothd's call of the agent.
        case answer(BusCall, [BusValue])
        /// Refuse a call, with the name of an error.
        case refuse(BusCall, name: String)
        /// The link is encrypted and subscribed; frames pass.
        case ready(mtu: Int)
        /// A frame of the radio.
        case frame([UInt8])
        /// The radio has room again after a refusal.
        case hasRoom
        /// A frame was not written: the radio's error, or none where it has not answered in time.
        case notWritten(ATT.ErrorCode?)
        /// A radio was heard, by a central that looks for no radio in particular.
        case found(BluetoothNeighbor)
        /// The link has ended, or was not made.
        case ended(Failure)
    }

    /// The subject of a request.
    enum Step: Hashable, Sendable {
        case objects, owner, agent, filter, scan, connect, pair, trust, subscribe, write, forget
        /// The release of a service of bluetoothd.
        case release
    }

    /// Our agent; each link has a connection to the bus, and so objects, of its own.
    static let agentPath = "/meshbed/agent"
    /// Calls with a limit of ours end by that, and not by the bus's.
    static let patience = 60_000
    /// The time for which bluetoothd delays the end of a connection, before it answers (`DISCONNECT_TIMER`).
    static let farewell = TimeSpan.seconds(2)

    /// The radio that it dials.
    let peer: Peer
    /// The limits of times and numbers.
    let limits: Limits
    /// The number of the adapter, where that matters.
    let number: Int?
    let passkey: UInt32
    var state = State.idle
    var objects = DesktopObjects()
    /// The name of bluetoothd on the bus: no other connection is given the PIN.
    var owner = ""
    /// The path of the adapter.
    var adapter = ""
    var held = Held()
    /// Questions without an answer, and the phase's number in which they were asked.
    var asked: [Int: (step: Step, epoch: Int)] = [:]
    var epoch = 0
    private var latestNumber = 0
    var keys = KeyTrust.trusted
    /// Connections that broke before the first frame.
    var brokenAttempts = 0
    /// Names of radios that were heard and are not the wanted one.
    var heard: [String] = []
    /// The radios in range that were reported.
    var told: [String: BluetoothNeighbor] = [:]
    /// Gathered in one call.
    var outputs: [Output] = []

    init(_ peer: Peer, adapter number: Int?, passkey: UInt32, limits: Limits = Limits()) {
        self.peer = peer
        self.number = number
        self.passkey = passkey
        self.limits = limits
    }

    /// The phase of the link.
    var phase: Phase { state.phase }

    /// The moment at which `expire` has to be called.
    var deadline: Instant? { state.deadline }

    /// The number of accepted frames that the radio has not answered.
    var unwritten: Int {
        guard case .connected(let session) = state else { return 0 }
        return session.waiting.count + (session.isWriting ? 1 : 0)
    }

    mutating func ask(_ step: Step, _ request: BusRequest, limit: Int = Bus.answerLimit) {
        latestNumber += 1
        asked[latestNumber] = (step, epoch)
        outputs.append(.ask(latestNumber, request, limit: limit))
    }
}

// MARK: - Inputs

extension DesktopCentral {
    /// Dials; `ready` follows, or `ended`. Nothing while a link is there.
    mutating func start(at now: Instant) -> [Output] {
        guard case .idle = state else { return [] }
        (keys, brokenAttempts, heard, told) = (.trusted, 0, [], [:])
        (objects, owner, adapter, held, asked) = (DesktopObjects(), "", "", Held(), [:])
        transition(to: .waitingForBluetooth)
        // A bluetoothd that does not run is started by this where the system is set up so.
        ask(.objects, DesktopNames.objects)
        return take()
    }

    /// The answer to a question.
    mutating func answered(_ number: Int, _ result: Result<[BusValue], BusError>, at now: Instant) -> [Output] {
        guard let (step, epoch) = asked.removeValue(forKey: number) else { return [] }
        if step == .release {
            released(at: now)
        } else if epoch == self.epoch {
            switch result {
            case .success(let values): done(step, values, at: now)
            case .failure(let error): refused(step, error, at: now)
            }
        }
        return take()
    }

    /// A signal of bluetoothd's or of the bus.
    mutating func told(_ signal: BusSignal, at now: Instant) -> [Output] {
        guard phase != .idle else { return [] }
        if signal.interface == DesktopNames.bus, signal.name == "NameOwnerChanged" {
            ownerChanged(signal)
        } else if let change = objects.take(signal) {
            switch change {
            case .notified(let path, let value): notified(path, value)
            case .changed(let path), .removed(let path): changed(path, at: now)
            }
        }
        return take()
    }

    /// Handles a call of a method of ours.
    mutating func called(_ call: BusCall) -> [Output] {
        answer(call)
        return take()
    }

    /// The moment of `deadline` has come.
    mutating func expire(at now: Instant) -> [Output] {
        expireState(at: now)
        return take()
    }

    /// The bus is gone.
    mutating func close() -> [Output] {
        drop(.desktop(.noDaemon))
        return take()
    }

    /// Sends a frame to the radio, by the kind of write that its characteristic offers.
    mutating func send(_ frame: [UInt8], at now: Instant) throws(Refusal) -> [Output] {
        guard case .connected(var session) = state else { throw .notReady }
        guard frame.count <= session.longest else { throw .tooLong(limit: session.longest) }
        guard session.waiting.count < limits.queue else {
            session.wantsRoom = true
            state = .connected(session)
            throw .full
        }
        session.waiting.append(frame)
        state = .connected(session)
        write(at: now)
        return take()
    }

    /// Ends the link, or the attempt; `ended` follows.
    mutating func hangUp(at now: Instant) -> [Output] {
        fail(.hungUp, at: now)
        return take()
    }

    private mutating func take() -> [Output] {
        defer { outputs = [] }
        return outputs
    }
}
