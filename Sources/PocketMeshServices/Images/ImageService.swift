public import FoundationEssentials
import MeshCompanion
public import MeshCore
import MeshRadio
import MeshWire

/// Sends pictures as raw data, and assembles those of others.
///
/// Raw data is never flooded, never acknowledged and never kept for later: what a node misses, it misses. So an
/// outgoing picture is sent when the radio has accepted its last chunk. The receiver then reports the chunks it lacks,
/// and they are sent again. The picture is delivered when the receiver says that it lacks none. A receiver of the
/// founding protocol sends no report; the picture remains sent. Errors are `StackError` or `CancellationError`.
public actor ImageService {
    /// Receives the progress of a picture that is sent; the transfer goes on when it returns.
    public typealias ProgressHandler = @Sendable (ImageProgress) async -> Void

    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: ImagePolicy
    let dependencies: ServiceDependencies
    let notifier: (any MessageNotifying)?
    private let preparation: ImagePreparation

    // Sending
    /// The line of pictures: one is sent at a time, the others wait.
    let sending = AsyncSemaphore()
    var outgoing: [UUID: OutgoingTask] = [:]
    private var hasStopped = false
    /// The moment at which the relays of the last packet are over.
    var air = RelayTurn()
    /// The last packet, until another one goes or its first relay is heard.
    var onAir: ChunkOnAir?
    /// The waits for relays.
    var rests: [(number: Int, task: Task<Bool, Never>)] = []
    var restNumber = 0

    // After sending
    /// The chunks that the other ends have of the pictures that were sent.
    var deliveries: [UUID: ImageDelivery] = [:]
    /// The keys of `deliveries`, the first first.
    var deliveryOrder: [UUID] = []
    /// The waits for reports on pictures that were sent.
    var alarms: [UUID: Task<Void, Never>] = [:]
    /// The number of the last `ImageWord`; `nil` before the first.
    var wordNumber: UInt8?
    /// The callers that wait for the end of a delivery.
    var waiting: [UUID: [CheckedContinuation<Bool, Never>]] = [:]

    // Receiving
    var assembly: ImageAssembly
    /// The facts about incoming transfers that the assembly does not hold.
    var incoming: [ImageAssembly.Key: IncomingRecord] = [:]
    var askings: [ImageAssembly.Key: ImageAsking] = [:]
    /// The pictures that are complete, and the reports about them.
    var answers = ImageAnswers()
    /// The reports that are due later.
    var asks: [ImageAssembly.Key: Task<Void, Never>] = [:]
    /// The radio whose raw data is received; `nil` before and after.
    private(set) var monitoredDeviceID: UUID?
    let elapsed: @Sendable () -> Duration
    var reader: Task<Void, Never>?
    var listener: Task<Void, Never>?
    var expiry: Task<Void, Never>?

    /// The events about transfers both ways, complete pictures, and raw data that belongs to no picture.
    public nonisolated let events: StackEvents

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(),
        notifier: (any MessageNotifying)? = nil, codec: (any ImageCodec)? = nil
    ) {
        self.session = session
        self.store = store
        policy = profile.images
        self.dependencies = dependencies
        self.events = events
        self.notifier = notifier
        preparation = ImagePreparation(policy: profile.images, codec: codec)
        elapsed = dependencies.clock.stopwatch()
        assembly = ImageAssembly(
            ImageAssembly.Bounds(
                transfers: policy.maxIncoming, bytes: policy.maxIncomingBytes, chunks: policy.maxChunks,
                expiry: policy.expiry, memory: max(policy.expiry, policy.reportWindow)))
    }

    // MARK: Life

    /// Accepts pictures from now on, and resumes those that a lost link interrupted.
    public func startEventMonitoring(deviceID: UUID) async throws {
        stopReceiving()
        if hasStopped { sending.open() }
        hasStopped = false
        monitoredDeviceID = deviceID
        let raw = await session.trackedEvents(filter: .rawData, bufferSize: Self.bufferSize)
        reader = Task(name: "reader of pictures") {
            for await event in raw.events {
                guard case .rawData(let data) = event, !Task.isCancelled else { continue }
                await self.receive(data, deviceID: deviceID)
            }
        }
        // Apart from the reading, which waits for the store.
        let heard = await session.trackedEvents(filter: .heardRawData, bufferSize: Self.bufferSize)
        listener = Task(name: "relays of chunks") {
            for await event in heard.events where !Task.isCancelled { self.heard(event) }
        }
        try await inTerms(of: .pictures) {
            try await tidy(deviceID: deviceID)
            guard policy.isEnabled else { return }
            try await restore(deviceID: deviceID)
            try await resumeTransfers(deviceID: deviceID)
        }
    }

    /// Frames of raw data that wait while one is being stored.
    static let bufferSize = 1024

    /// Ends everything; returns when that is done. Outgoing pictures wait in the store for the next link. Not to be
    /// called from a progress handler.
    public func stop() async {
        stopReceiving()
        hasStopped = true
        sending.close(.notStarted)
        for id in outgoing.keys.sorted(by: { $0.uuidString < $1.uuidString }) { outgoing[id]?.end = .pause }
        let tasks = outgoing.values.sorted { $0.number < $1.number }.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    private func stopReceiving() {
        reader?.cancel()
        reader = nil
        listener?.cancel()
        listener = nil
        expiry?.cancel()
        expiry = nil
        for wait in asks.values { wait.cancel() }
        for wait in alarms.values { wait.cancel() }
        for id in waiting.keys.sorted() { endWaits(for: id, hasArrived: false) }
        (asks, alarms, askings, deliveries, deliveryOrder) = ([:], [:], [:], [:], [])
        monitoredDeviceID = nil
        assembly.removeAll()
        answers.removeAll()
        incoming = [:]
    }

    // MARK: Preparing

    /// A JPEG that is small enough to be sent. Throws a `StackError`.
    public nonisolated func prepare(imageData: Data) throws(StackError) -> Data { try preparation.prepare(imageData) }
}

extension EventFilter {
    fileprivate static let rawData = EventFilter { if case .rawData = $0 { true } else { false } }
}
