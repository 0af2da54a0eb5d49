public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
public import MeshPacket
import MeshWire

extension RemoteNodeService {
    /// Requests the node's status; values with a column in the row are stored.
    @discardableResult
    public func requestStatus(sessionID: UUID) async throws -> NodeStatus {
        try await readStatus(try await connectedNode(sessionID))
    }

    /// The node's measurements.
    public func requestTelemetry(sessionID: UUID) async throws -> [LPPDataPoint] {
        let node = try await connectedNode(sessionID)
        nextStamp()
        return try await meaning { try await session.requestTelemetry(from: FixedBytes(node.publicKey)) }
    }

    @discardableResult
    func readStatus(_ node: RemoteNodeSessionDTO) async throws -> NodeStatus {
        let type: NodeType = node.isRoom ? .room : .repeater
        nextStamp()
        let status = try await meaning {
            try await session.requestStatus(from: FixedBytes(node.publicKey), type: type)
        }
        try await store.updateRemoteNodeStatus(
            id: node.id, batteryMillivolts: status.server.batteryMillivolts, uptimeSeconds: status.server.uptime,
            noiseFloor: status.server.noiseFloor, rxAirtimeSeconds: status.receiveAirtime, neighborCount: nil)
        return status
    }

    // MARK: History

    /// Asks a room for its posts after a moment of its clock; they come as messages.
    ///
    /// A moment of more than a day from now comes from a room that once had a wrong clock. Since then there would never
    /// be a post, so all are requested. The request travels in a keep-alive, which needs a path: one is searched for
    /// when none is known. Throws `pathDiscoveryFailed` when none is found.
    public func requestHistorySync(sessionID: UUID, since: UInt32) async throws {
        let node = try await connectedNode(sessionID)
        if try await !learnsPath(node) { try await findPath(node) }
        let isToCome = Int64(since) > Int64(dependencies.seconds) + 24 * 3600
        // 0 would leave the room where it is.
        try await writeKeepAlive(node, isToCome ? 1 : max(1, since))
    }

    /// Reads the radio's record of the node, which learns a path by the login; returns whether it has one.
    private func learnsPath(_ node: RemoteNodeSessionDTO) async throws -> Bool {
        let record = try await meaning { try await session.getContact(publicKey: FixedBytes(node.publicKey)) }
        try await store.saveContact(deviceID: node.deviceID, from: record)
        return !record.outPathLength.isUnknown
    }

    /// Looks for a path: asks the node, and watches whether the store learns of one in another way.
    private func findPath(_ node: RemoteNodeSessionDTO) async throws {
        let isFound = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.discoverPath(node) }
            group.addTask { await self.awaitPath(node) }
            for await isFound in group where isFound {
                group.cancelAll()
                return true
            }
            return false
        }
        try Task.checkCancellation()
        guard isFound else { throw StackError(.nodes, .pathDiscoveryFailed) }
    }

    /// Asks the node for the path, and writes it to radio and store: the radio only passes it on.
    private func discoverPath(_ node: RemoteNodeSessionDTO) async -> Bool {
        do {
            let key = FixedBytes<32>(node.publicKey)
            let path = try await session.sendPathDiscovery(to: key, limit: policy.pathDiscoveryLimit)
            let record = try await session.getContact(publicKey: key)
            try await session.changeContactPath(record, length: path.outPathLength, path: path.outPath)
            try await store.updateContactPath(
                id: try await contact(of: node).id, lengthRaw: path.outPathLength.rawValue, path: Data(path.outPath))
            return true
        } catch {
            dependencies.log.info("no path was discovered: \(error)")
            return false
        }
    }

    private func awaitPath(_ node: RemoteNodeSessionDTO) async -> Bool {
        let elapsed = dependencies.clock.stopwatch()
        while elapsed() < policy.pathDiscoveryLimit {
            guard (try? await dependencies.clock.sleep(for: policy.pathCheckInterval)) != nil else { return false }
            if let isKnown = try? await hasPath(node), isKnown { return true }
        }
        return false
    }

    // MARK: After a lost link

    /// Logs in again to the nodes that were connected when the link was lost, one after the other.
    ///
    /// Favourites come first, then those connected last. Rooms are asked for the posts since.
    ///
    /// A node that refuses is disconnected. When the link is lost again the rest stay connected for the next time. A
    /// second call during one does nothing.
    public func handleLinkReconnection(deviceID: UUID) async throws {
        guard !isReconnecting else { return }
        isReconnecting = true
        defer { isReconnecting = false }
        for node in try await store.fetchConnectedRemoteNodeSessions(deviceID: deviceID) {
            try Task.checkCancellation()
            // It may have been logged out meanwhile.
            guard try await store.fetchRemoteNodeSession(id: node.id)?.isConnected == true else { continue }
            let entered = known(node)
            entered.entering += 1
            defer { entered.entering -= 1 }
            do {
                try await login(sessionID: node.id)
                if node.isRoom { await syncAgain(node.id) }
            } catch let error where error.stackReason == .nodeNotConnected {
                throw StackError(.nodes, .nodeNotConnected)
            } catch let error as CancellationError {
                throw error
            } catch {
                dependencies.log.info("a session was not renewed: \(error)")
                // A login that was called off has no say in it, and one that was answered has ended the session.
                if error.stackReason != .cancelled, entered.plan.awaitsLogin { try await leave(node) }
            }
        }
    }

    private func syncAgain(_ sessionID: UUID) async {
        do {
            try await requestHistorySync(sessionID: sessionID, since: try await node(sessionID).lastSyncTimestamp)
        } catch {
            dependencies.log.info("a room was not asked for what came meanwhile: \(error)")
        }
    }
}
