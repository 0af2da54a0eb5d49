public import FoundationEssentials
import Logging
public import MeshCore
public import Observation

/// Keeps the stack connected to the radio that its user wants: opens, sets up, notices losses, opens again.
///
/// One task, the driver, owns everything on a link, from the opening to the end of the last service. A new wish ends
/// the old driver and waits for it, so never do two sessions read one link. `ConnectionPlan` makes the decisions.
@MainActor @Observable
public final class ConnectionManager {
    /// The state of the connection.
    public internal(set) var connectionState = DeviceConnectionState.disconnected
    /// The radio as it is in the store; stays while its lost link is opened again.
    public internal(set) var connectedDevice: DeviceDTO?
    /// The services of the connection, from the handshake on.
    public internal(set) var services: (any ServiceGraph)?
    /// The values that outlast the program.
    var memory = ConnectionMemory()
    /// The error of the last failed attempt or of the last connection that ended; `nil` once connected.
    public internal(set) var lastError: StackError?

    @ObservationIgnored package let store: PersistenceStore
    /// The values by which services decide; those of a connection are fixed when it is made.
    @ObservationIgnored package private(set) var profile: StackProfile {
        didSet { chosen?.profile = profile }
    }
    @ObservationIgnored private var chosen: ChosenProfile?
    @ObservationIgnored package let dependencies: ServiceDependencies
    @ObservationIgnored let links: LinkKeeper
    @ObservationIgnored let parts: ConnectionParts

    @ObservationIgnored var plan: ConnectionPlan { didSet { publishState() } }
    @ObservationIgnored var hooks = ConnectionHooks()
    @ObservationIgnored private var tasks = ConnectionTasks()
    @ObservationIgnored private var waiters = ConnectionWaiters()

    /// A manager that is not connected; `makeGraph` makes the services of each connection.
    public init(
        store: PersistenceStore, transports: any TransportMaking, profile: StackProfile,
        dependencies: ServiceDependencies, sessionConfiguration: SessionConfiguration = .default,
        bonds: (any BondKeeping)? = nil, makeGraph: @escaping ServiceGraphMaker
    ) {
        self.store = store
        self.profile = profile
        self.dependencies = dependencies
        links = LinkKeeper(
            transports: transports, bonds: bonds, policy: profile.connection, dependencies: dependencies)
        parts = ConnectionParts(sessionConfiguration: sessionConfiguration, makeGraph: makeGraph)
        plan = ConnectionPlan(policy: profile.connection)
    }

    /// Sets the source of the profile for each further connection.
    func followProfile(_ chosen: ChosenProfile) { self.chosen = chosen }

    /// Chooses how messages are sent from the next connection on: attempts, queue, channel slots and pictures.
    package func choose(_ preset: RetryPreset) {
        profile.messages = preset.profile.messages
        profile.channels = preset.profile.channels
        profile.images = preset.profile.images
    }

    /// The generation of the connection: changes with each attempt and each wish.
    public var generation: UInt64 { plan.generation }
    /// The radio that the user wants connected; `nil` when the user wants none.
    public var wantedEndpoint: RadioEndpoint? { plan.intent }

    /// The radio of the last connection that became ready.
    public var lastConnectedDeviceID: UUID? { memory.lastDeviceID }
    /// The name of that radio, as it reported it.
    public var lastConnectedDeviceName: String? { memory.lastDeviceName }

    /// A callback when the radio has introduced itself and the services exist, before the first synchronisation.
    public var onConnectionReady: (@MainActor () async -> Void)? {
        get { hooks.onConnectionReady }
        set { hooks.onConnectionReady = newValue }
    }

    /// A callback for each new state, in order.
    public var onStateChange: (@MainActor (DeviceConnectionState) -> Void)? {
        get { hooks.onStateChange }
        set { hooks.onStateChange = newValue }
    }

    private func publishState() {
        let state = plan.shown
        guard connectionState != state else { return }
        connectionState = state
        hooks.onStateChange?(state)
    }

    // MARK: What users do

    /// Restores the state of the last run of the program, and resumes the radio that was wanted then.
    ///
    /// Returns without waiting for the radio, which may appear at any time later.
    public func activate() async throws(StackError) {
        let generation = plan.generation
        try await prepare()
        guard plan.generation == generation, plan.phase == .idle, let wanted = memory.wanted else { return }
        if plan.want(wanted, byUser: false) == .begin { startDriver() }
    }

    /// Connects, and returns when the connection is ready.
    ///
    /// A connect that fails is tried again as the profile says; an attempt that runs already for the same radio is
    /// used. Another radio's connection is ended first.
    ///
    /// Throws a `StackError` of `connection`, one of `sync` where the profile keeps no link without a synchronisation,
    /// or `CancellationError`.
    public func connect(endpoint: RadioEndpoint) async throws {
        try await prepare()
        switch plan.want(endpoint, byUser: true) {
        case .isReady: return
        case .join: tasks.nap?.cancel()
        case .begin:
            answerWaiters(.failure(StackError(.connection, .superseded)))
            connectedDevice = nil
            startDriver()
        }
        try await waitUntilReady()
    }

    /// Ends the connection, and wants none until `connect` is called; returns when nothing of it is left.
    public func disconnect() async {
        plan.drop()
        await endAll { await self.keepMemory() }
    }

    /// Ends the connection as the end of the program does: the next `activate` resumes it.
    public func stop() async {
        plan.halt()
        await endAll { [tasks] in await tasks.keeping?.value }
    }

    /// The world has changed, and the pause before the next attempt may be pointless: makes it now.
    public func reconnectNow() {
        tasks.nap?.cancel()
    }

    /// Ends the driver, and does something that does not have to wait for that.
    private func endAll(_ meanwhile: () async -> Void) async {
        connectedDevice = nil
        services = nil
        answerWaiters(.failure(StackError(.connection, .superseded)))
        let ending = tasks.driver
        ending?.cancel()
        tasks.nap?.cancel()
        await meanwhile()
        await ending?.value
    }

    // MARK: Start-up and memory

    /// Restores, once before the first connection, the state that a restart needs.
    func prepare() async throws(StackError) {
        let task =
            tasks.preparing
            ?? Task(name: "restoration") {
                _ = try await store.resetAllRemoteNodeSessionConnections()
                _ = try await store.failStaleSending()
                memory = try await ConnectionMemory(from: store)
                await hooks.beforeConnecting?()
            }
        tasks.preparing = task
        do { try await task.value } catch {
            if tasks.preparing == task { tasks.preparing = nil }
            throw (error as? StackError)?.during(.connection)
                ?? StackError(.connection, .initializationFailed("\(error)"))
        }
    }

    /// Stores the present wish; of several calls the last one's counts.
    func keepMemory() async {
        let previous = tasks.keeping
        let task = Task(name: "memory of a connection") {
            await previous?.value
            do {
                // What is not known yet is not overwritten.
                try await prepare()
                memory.wanted = plan.intent
                try await memory.save(to: store)
            } catch {
                dependencies.log.error("what is to be connected was not stored: \(error)")
            }
        }
        tasks.keeping = task
        await task.value
    }

    // MARK: Waiting users

    private func waitUntilReady() async throws {
        let (number, outcome) = waiters.add()
        do { try await outcome.take() } catch {
            waiters.remove(number)
            if error is CancellationError, waiters.isEmpty, plan.leave() { await endAll { await keepMemory() } }
            throw error
        }
    }

    func answerWaiters(_ result: Result<Void, any Error>) {
        waiters.answer(result)
    }

    // MARK: The driver

    private func startDriver() {
        let previous = tasks.driver
        previous?.cancel()
        tasks.nap?.cancel()
        let generation = plan.generation
        tasks.driver = Task(name: "driver of a connection") {
            await previous?.value
            await drive(generation)
        }
    }

    /// Makes attempts until one of them was the last.
    private func drive(_ start: UInt64) async {
        var generation = start
        while let attempt = plan.begin(generation), let target = plan.target {
            generation = attempt
            let ending = await run(LiveConnection(generation: attempt, endpoint: target))
            let verdict = plan.end(
                attempt, steady: ending.steady, isFinal: ending.isFinal,
                draw: dependencies.random.fraction(in: 0...1))
            guard let verdict else { return }
            lastError = ending.error as? StackError
            dependencies.log.notice("connection \(attempt) to \(target) ended: \(ending.error); next: \(verdict.next)")
            if verdict.answersUser { answerWaiters(.failure(ending.error)) }
            guard case .again(let pause) = verdict.next else { return await giveUp(ending.error) }
            await rest(for: pause)
        }
    }

    private func giveUp(_ error: any Error) async {
        connectedDevice = nil
        answerWaiters(.failure(error))
        await keepMemory()
    }

    private func rest(for pause: Duration) async {
        let clock = dependencies.clock
        let nap = Task<Void, Never>(name: "pause before an attempt") { try? await clock.sleep(for: pause) }
        tasks.nap = nap
        await withTaskCancellationHandler {
            await nap.value
        } onCancel: {
            nap.cancel()
        }
    }
}
