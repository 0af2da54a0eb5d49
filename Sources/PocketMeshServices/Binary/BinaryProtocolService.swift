public import FoundationEssentials
import Logging
public import MeshCompanion
public import MeshCore
public import MeshPacket
import MeshWire

/// Requests to nodes that need no session here: each node decides whether it answers.
///
/// `key` is always the whole key of the node. Measurements are emitted only if the node passes the filter of trusted
/// contacts; the caller receives them in any case.
public actor BinaryProtocolService {
    private let session: MeshCoreSession
    private let store: PersistenceStore
    private let dependencies: ServiceDependencies
    private let trusted: TrustedContactsManager
    private var monitoring: Task<Void, Never>?
    /// The events about answers of nodes: `nodeStatus`, `nodeNeighbours`, and `nodeTelemetry` of trusted ones.
    public nonisolated let events: StackEvents

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), trusted: TrustedContactsManager
    ) {
        self.session = session
        self.store = store
        self.dependencies = dependencies
        self.trusted = trusted
        self.events = events
    }

    // MARK: Life

    /// Emits answers that come as pushes of their own: those to the older commands for status and telemetry.
    public func startEventMonitoring(deviceID: UUID) async {
        guard monitoring == nil else { return }
        let answers = await session.events(
            filter: .eventType("statusResponse").or(.eventType("telemetryResponse")))
        guard monitoring == nil else { return }
        monitoring = Task(name: "answers of nodes") { for await event in answers { await heard(event, deviceID) } }
    }

    /// Ends the background tasks; they can be started again.
    public func stopEventMonitoring() {
        monitoring?.cancel()
        monitoring = nil
    }

    /// Ends the monitoring, as `stopEventMonitoring` does; questions under way go on.
    public func stop() async { stopEventMonitoring() }

    private func heard(_ event: MeshEvent, _ deviceID: UUID) async {
        do {
            switch event {
            case .statusResponse(let push):
                let prefix = Data(push.publicKeyPrefix.array)
                let contact = try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: prefix)?.contact
                let status = try NodeStatus(push.data, from: contact?.type ?? .repeater)
                events.emit(.nodeStatus(key: prefix, status))
            case .telemetryResponse(let push):
                // The radio's own measurements come as the same push.
                let isOwn = await session.currentSelfInfo?.publicKey.starts(with: push.publicKeyPrefix.array) ?? false
                if !isOwn { try await forward(LPPDecoder.decode(push.lpp), of: Data(push.publicKeyPrefix.array)) }
            default: break
            }
        } catch {
            dependencies.log.info("an answer was not passed on: \(error)")
        }
    }

    /// Emits the measurements of a node that passes the filter.
    private func forward(_ points: [LPPDataPoint], of key: Data) async throws {
        guard try await trusted.passes(key: key) else { return }
        events.emit(.nodeTelemetry(key: key, points))
    }

    // MARK: Questions

    /// Asks a server for its status; throws when no answer comes in time.
    public func requestStatus(key: Data, type: NodeType) async throws -> NodeStatus {
        let status = try await asking { try await session.requestStatus(from: Self.whole(key), type: type) }
        events.emit(.nodeStatus(key: key, status))
        return status
    }

    /// Requests telemetry of a node; it is emitted only for nodes that are trusted.
    public func requestTelemetry(key: Data) async throws -> [LPPDataPoint] {
        let points = try await asking { try await session.requestTelemetry(from: Self.whole(key)) }
        try await forward(points, of: key)
        return points
    }

    /// Asks a repeater for one page of its neighbours, `count` at most from `offset` on, in this order.
    public func requestNeighbours(
        key: Data, count: UInt8 = 20, offset: UInt16 = 0, order: NeighborSortOrder = .newest, prefixLength: UInt8 = 6
    ) async throws -> NeighboursPage {
        let random = UInt32(truncatingIfNeeded: dependencies.random.number())
        let page = try await asking {
            try await session.requestNeighbours(
                from: Self.whole(key), count: count, offset: offset, order: order.onAir, prefixLength: prefixLength,
                random: random)
        }
        events.emit(.nodeNeighbours(key: key, page))
        return page
    }

    /// The extremes and means of a sensor's measurements from `start` seconds ago until `end` seconds ago.
    public func requestMMA(key: Data, start: UInt32, end: UInt32) async throws -> [MinMaxAverage] {
        try await asking { try await session.requestMMA(from: Self.whole(key), start: start, end: end) }
    }

    /// Asks a server for its access list; servers answer administrators only.
    public func requestACL(key: Data) async throws -> [AccessEntry] {
        try await asking { try await session.requestACL(from: Self.whole(key)) }
    }

    /// Asks a repeater for its owner's name and notes.
    public func requestOwnerInfo(key: Data) async throws -> String {
        try await asking { try await session.requestOwnerInfo(from: Self.whole(key)) }
    }

    /// The regions that a repeater in reach floods for.
    public func requestRegions(key: Data) async throws -> [String] {
        try await asking { try await session.requestRegions(from: Self.whole(key)) }
    }

    /// The radio's own measurements.
    public func getSelfTelemetry() async throws -> [LPPDataPoint] {
        try await asking { try await session.getSelfTelemetry() }
    }

    /// The ways to a node and back.
    public func sendPathDiscovery(key: Data) async throws -> PathInfo {
        try await asking { try await session.sendPathDiscovery(to: Self.whole(key)) }
    }

    /// Sends a trace along a path and returns the SNR of each hop.
    public func sendTrace(path: Data, flags: UInt8 = 0) async throws -> TraceInfo {
        let tag = UInt32(truncatingIfNeeded: dependencies.random.number())
        return try await asking { try await session.sendTrace(tag: tag, flags: flags, path: [UInt8](path)) }
    }

    private static func whole(_ key: Data) throws(StackError) -> FixedBytes<32> {
        guard key.count == 32 else { throw StackError(.requests, .invalidKey(count: key.count)) }
        return FixedBytes(key)
    }

    private func asking<T: Sendable>(_ work: () async throws -> T) async throws -> T {
        try await inTerms(of: .requests, work)
    }
}
