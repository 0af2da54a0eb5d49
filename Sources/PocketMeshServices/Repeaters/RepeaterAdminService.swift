public import FoundationEssentials
import Logging
public import MeshCore
public import MeshPacket
import MeshWire

/// The order in which a repeater sorts its table of neighbours.
public enum NeighborSortOrder: UInt8, Sendable, Hashable, CaseIterable {
    case newest = 0
    case oldest = 1
    case strongest = 2
    case weakest = 3

    var onAir: NeighboursRequest.Order { NeighboursRequest.Order(rawValue: rawValue) }
}

/// Administration of repeaters: status, neighbours, access list, command lines.
public actor RepeaterAdminService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: RemoteNodePolicy
    let dependencies: ServiceDependencies
    let remoteNodes: RemoteNodeService
    /// The events about answers of repeaters: status, telemetry, neighbours, and answers to command lines.
    public nonisolated let events: StackEvents

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), remoteNodes: RemoteNodeService
    ) {
        self.session = session
        self.store = store
        policy = profile.remoteNodes
        self.dependencies = dependencies
        self.events = events
        self.remoteNodes = remoteNodes
    }

    // MARK: Sessions

    /// Logs in to a repeater. The session has the rights of the login: a guest's password makes a guest's session.
    @discardableResult
    public func connectAsAdmin(
        deviceID: UUID, contact: ContactDTO, password: String? = nil, rememberPassword: Bool = true,
        pathLength: UInt8? = nil, onTimeoutKnown: (@Sendable (Duration) -> Void)? = nil
    ) async throws -> RemoteNodeSessionDTO {
        guard contact.type == .repeater else { throw StackError(.nodes, .wrongNodeType(contact.type)) }
        let row = try await remoteNodes.createSession(
            deviceID: deviceID, contact: contact, password: password, rememberPassword: rememberPassword)
        try await remoteNodes.login(
            sessionID: row.id, password: password, pathLength: pathLength, onTimeoutKnown: onTimeoutKnown)
        return try await repeater(row.id)
    }

    /// Logs out of a repeater.
    public func disconnect(sessionID: UUID) async throws {
        try await remoteNodes.logout(sessionID: try await repeater(sessionID).id)
    }

    /// The sessions with repeaters over a radio.
    public func fetchRepeaterSessions(deviceID: UUID) async throws -> [RemoteNodeSessionDTO] {
        try await store.fetchRemoteNodeSessions(deviceID: deviceID).filter(\.isRepeater)
    }

    /// Returns the connected repeater whose key begins with this prefix.
    public func getConnectedSession(deviceID: UUID, publicKeyPrefix: Data) async throws -> RemoteNodeSessionDTO? {
        let node = try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKeyPrefix: publicKeyPrefix)
        guard let node, node.isRepeater, await remoteNodes.mayRequest(node) else { return nil }
        return node
    }

    // MARK: Questions

    /// Requests the repeater's status and its number of neighbours; the session's row stores both.
    @discardableResult
    public func requestStatus(sessionID: UUID) async throws -> NodeStatus {
        let node = try await connected(sessionID)
        let status = try await remoteNodes.requestStatus(sessionID: node.id)
        do {
            // The status does not say it; one entry of the table comes with the count of all.
            _ = try await neighbours(of: node, count: 1, offset: 0, .newest, prefixLength: 4)
        } catch let error as CancellationError {
            throw error
        } catch {
            dependencies.log.info("a repeater did not say how many neighbours it has: \(error)")
        }
        events.emit(.repeaterStatus(sessionID: sessionID, status))
        return status
    }

    /// Requests telemetry of a repeater; throws unless it has accepted our login.
    public func requestTelemetry(sessionID: UUID) async throws -> [LPPDataPoint] {
        let points = try await remoteNodes.requestTelemetry(sessionID: try await connected(sessionID).id)
        events.emit(.repeaterTelemetry(sessionID: sessionID, points))
        return points
    }

    /// A part of the table of neighbours, with the number of all.
    public func requestNeighbors(
        sessionID: UUID, count: UInt8 = 20, offset: UInt16 = 0, order: NeighborSortOrder = .newest,
        prefixLength: UInt8 = 6
    ) async throws -> NeighboursPage {
        let page = try await neighbours(
            of: try await connected(sessionID), count: count, offset: offset, order, prefixLength: prefixLength)
        events.emit(.repeaterNeighbours(sessionID: sessionID, page))
        return page
    }

    /// Requests the whole table of neighbours page by page, with pauses, until it is complete or a page is empty.
    ///
    /// There are at most `MeshCoreSession.neighbourPages` pages.
    public func fetchAllNeighbors(
        sessionID: UUID, order: NeighborSortOrder = .newest, prefixLength: UInt8 = 6
    ) async throws -> [Neighbour] {
        let node = try await connected(sessionID)
        var found: [Neighbour] = []
        var offset = 0
        for number in 0..<MeshCoreSession.neighbourPages {
            if number > 0 { try await dependencies.clock.sleep(for: policy.neighbourPagePause) }
            let page = try await neighbours(
                of: node, count: 20, offset: UInt16(clamping: offset), order, prefixLength: prefixLength)
            offset += page.neighbours.count
            // A table that changed in between may give one of them twice.
            found += page.neighbours.filter { new in !found.contains { $0.keyPrefix == new.keyPrefix } }
            if page.neighbours.isEmpty || offset >= page.total { break }
        }
        return found
    }

    /// Requests the rights of each node on the repeater, without entries that name nobody. Administrators only.
    public func requestACL(sessionID: UUID) async throws -> [AccessEntry] {
        let node = try await remoteNodes.administeredNode(sessionID)
        return try await inTerms(of: .nodes) { try await session.requestACL(from: FixedBytes(node.publicKey)) }
    }

    /// Gives the repeater a command line, and returns its answer. Administrators only.
    public func sendCommand(sessionID: UUID, command: String) async throws -> String {
        let answer = try await remoteNodes.sendCLICommand(sessionID: sessionID, command: command)
        events.emit(.commandAnswered(sessionID: sessionID, text: answer))
        return answer
    }

    private func neighbours(
        of node: RemoteNodeSessionDTO, count: UInt8, offset: UInt16, _ order: NeighborSortOrder, prefixLength: UInt8
    ) async throws -> NeighboursPage {
        let random = UInt32(truncatingIfNeeded: dependencies.random.number())
        do {
            let page = try await session.requestNeighbours(
                from: FixedBytes(node.publicKey), count: count, offset: offset, order: order.onAir,
                prefixLength: prefixLength, random: random)
            try await store.updateRemoteNodeStatus(
                id: node.id, batteryMillivolts: nil, uptimeSeconds: nil, noiseFloor: nil, rxAirtimeSeconds: nil,
                neighborCount: page.total)
            return page
        } catch {
            throw StackError.meaning(of: error, in: .nodes)
        }
    }

    private func repeater(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        guard let node = try await store.fetchRemoteNodeSession(id: sessionID), node.isRepeater else {
            throw StackError(.nodes, .sessionNotFound)
        }
        return node
    }

    private func connected(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        let node = try await repeater(sessionID)
        guard await remoteNodes.mayRequest(node) else { throw StackError(.nodes, .nodeNotConnected) }
        return node
    }
}
