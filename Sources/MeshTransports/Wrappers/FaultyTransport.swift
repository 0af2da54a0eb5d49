import MeshCompanion
public import MeshCore
public import MeshFiles
public import MeshTime

/// A transport round a transport on which things go wrong, the same ones for the same seed.
///
/// Faults have rates (``LinkFaults``), or are planned (``LinkFaultPlan``). A frame that a planned fault has changed
/// meets no rate. Counts and draws go on over reconnections, so a link that was cut is cut once.
public actor FaultyTransport: MeshTransport {
    /// Changes the power of the board behind the link.
    package typealias Power = @Sendable (LinkPowerFault) async -> Void

    private let inner: any MeshTransport
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let carrier: LinkCarrier
    private var toRadio: FaultyWay
    private var toApp: FaultyWay
    private var planned: LinkFaultMachine
    private var power: Power?
    /// The readers of both ends, where the link stands for a stream and a plan was armed.
    private var readers: Readers?
    /// Nothing passes before this time of the stopwatch.
    private var silentUntil = Duration.zero
    private var inbox = FrameInbox()
    private var pump: Task<Void, Never>?
    /// The last frame to the radio, after which the next one waits; `waitingSends` counts those that wait.
    private var lastSend: Task<Void, Never>?
    private var waitingSends = 0

    private struct Readers {
        var app = ClientReceiver()
        var radio = SerialReceiver()
    }

    /// The outcome for a frame in one direction.
    private struct Passage {
        /// Frames, or the bytes of a stream; each with a pause in front of it.
        var writes: [(bytes: [UInt8], pause: Duration)]
        /// Tells whether the writes are frames, also where the link stands for a stream.
        var areFrames: Bool
        var held: Duration
        var isLast: Bool
        var power: [LinkPowerFault] = []
        /// Tells whether nothing follows an end of the link, as after a planned one.
        var isPlanned = false

        var takesTime: Bool { held > .zero || writes.contains { $0.pause > .zero } }
    }

    /// Makes a faulty link round another. Its stalls use the clock.
    ///
    /// - Parameter carrier: the link that it stands for; planned faults change the bytes that this link would carry.
    public init(
        _ inner: any MeshTransport, toRadio: LinkFaults = .none, toApp: LinkFaults = .none, seed: Seed,
        clock: any Clock<Duration>, carrier: LinkCarrier = .bluetooth
    ) {
        self.inner = inner
        self.clock = clock
        self.carrier = carrier
        elapsed = clock.stopwatch()
        self.toRadio = FaultyWay(toRadio, seed.stream("link", "to radio"))
        self.toApp = FaultyWay(toApp, seed.stream("link", "to app"))
        planned = LinkFaultMachine(carrier, seed: seed.part("link"))
    }

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }
    public var connectionState: ConnectionState { get async { await inner.connectionState } }
    public var capabilities: TransportCapabilities { get async { await inner.capabilities } }

    // MARK: Faults

    /// Changes the faults from the next frame on; their effects are counted in `counter`.
    public func setFaults(
        toRadio: LinkFaults? = nil, toApp: LinkFaults? = nil, counter: LinkFaultCounter = LinkFaultCounter()
    ) {
        if let toRadio { self.toRadio.set(toRadio, counter: counter) }
        if let toApp { self.toApp.set(toApp, counter: counter) }
    }

    /// Arms the faults of a plan beside those that are armed; their effects are counted in `counter`.
    ///
    /// Throws for a plan that this link cannot have: see ``LinkFaultPlan/check(on:hasPower:)``.
    public func arm(_ plan: LinkFaultPlan, counter: LinkFaultCounter = LinkFaultCounter()) throws(FileProblem) {
        _ = try arm(plan, counter: counter, power: nil)
    }

    /// The same on a link whose board has a power that can be cut; returns the numbers of the faults on this link.
    package func arm(
        _ plan: LinkFaultPlan, counter: LinkFaultCounter, power: Power?
    ) throws(FileProblem) -> Range<Int> {
        try plan.check(on: carrier, hasPower: (power ?? self.power) != nil)
        if let place = plan.faults.firstIndex(where: \.kind.isOfBluetooth) {
            throw FileProblem(
                line: 0, field: "faults[\(place)].fault",
                reason: "\(plan.faults[place].kind.name) happens below the frames that pass here: arm it at the radio")
        }
        if let power { self.power = power }
        if carrier.isStream, readers == nil { readers = Readers() }
        return planned.arm(plan, counter: counter)
    }

    /// Removes planned faults; a frame that one of them holds back is lost.
    package func disarm(_ numbers: Range<Int>) { planned.disarm(numbers) }

    // MARK: Connections

    public func connect() async throws {
        if pump != nil, await inner.isConnected { return }
        await pump?.value
        if planned.refusesConnection() {
            throw MeshTransportError.connectionFailed("a planned fault of the link refuses it")
        }
        try await inner.connect()
        planned.connected()
        if readers != nil { readers = Readers() }
        let inbox = FrameInbox()
        self.inbox = inbox
        let frames = await inner.receivedData
        pump = Task(name: "faults of a link") {
            for await frame in frames {
                guard await receive(frame, inbox) else { break }
            }
            inbox.finish()
            planned.disconnected()
            pump = nil
        }
    }

    public func disconnect() async {
        await inner.disconnect()
        await pump?.value
    }

    // MARK: Frames

    /// Lets a frame of the radio pass; returns false where the link has ended by a plan.
    private func receive(_ frame: [UInt8], _ inbox: FrameInbox) async -> Bool {
        let passage = decide(on: frame, .toApp)
        for fault in passage.power { await power?(fault) }
        await hold(passage.held)
        while silentUntil > .zero, silentUntil > elapsed() { await hold(silentUntil - elapsed()) }
        var fits = true
        for write in passage.writes {
            await hold(write.pause)
            let frames = frames(in: write.bytes, passage, .toApp)
            if !frames.allSatisfy(inbox.deliver) { fits = false }
        }
        if !fits || passage.isLast { await inner.disconnect() }
        return !(passage.isLast && passage.isPlanned)
    }

    public func send(_ frame: [UInt8]) async throws {
        guard await inner.isConnected else { throw MeshTransportError.notConnected }
        var passage = decide(on: frame, .toRadio)
        if silentUntil > .zero { passage.held = max(passage.held, silentUntil - elapsed()) }
        guard passage.takesTime || waitingSends > 0 else { return try await pass(passage) }
        // The link has taken the frame; it travels on its own, behind those before it.
        let previous = lastSend
        waitingSends += 1
        lastSend = Task(name: "a frame held back") { [passage] in
            await previous?.value
            await hold(passage.held)
            try? await pass(passage)
            waitingSends -= 1
        }
    }

    private func pass(_ passage: Passage) async throws {
        for fault in passage.power { await power?(fault) }
        for write in passage.writes {
            await hold(write.pause)
            for frame in frames(in: write.bytes, passage, .toRadio) { try await inner.send(frame) }
        }
        if passage.isLast { await inner.disconnect() }
    }

    private func decide(on frame: [UInt8], _ way: FrameDirection) -> Passage {
        if let decided = planned.take(frame, way) {
            if decided.silence > .zero {
                silentUntil = max(silentUntil, elapsed() + .microseconds(decided.silence.microseconds))
            }
            return Passage(
                writes: decided.writes.map { ($0.bytes, .microseconds($0.pause.microseconds)) }, areFrames: false,
                held: .microseconds(decided.late.microseconds), isLast: decided.isLast, power: decided.power,
                isPlanned: true)
        }
        let fate = way == .toApp ? toApp.next(frame) : toRadio.next(frame)
        return Passage(
            writes: fate.pieces.map { ($0, .zero) }, areFrames: true, held: fate.held, isLast: fate.isLast)
    }

    /// The frames that the receiving end finds in a write.
    private func frames(in bytes: [UInt8], _ passage: Passage, _ way: FrameDirection) -> [[UInt8]] {
        guard readers != nil else { return [bytes] }
        let bytes = passage.areFrames ? carrier.encode(bytes, way) : bytes
        return way == .toApp ? readers?.app.frames(in: bytes) ?? [] : readers?.radio.frames(in: bytes) ?? []
    }

    private func hold(_ time: Duration) async {
        if time > .zero { try? await clock.sleep(for: time) }
    }
}
