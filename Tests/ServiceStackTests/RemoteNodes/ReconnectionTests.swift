import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The state of sessions after the link is lost and comes back.
@Suite struct ReconnectionTests {
    /// Four nodes that were connected one after the other; the last but one is a favourite.
    private static func connectedNodes(_ nodes: NodeBench) async throws -> [RemoteNodeSessionDTO] {
        var rows: [RemoteNodeSessionDTO] = []
        for number: UInt8 in 2...5 {
            let row = try await nodes.connected(number, .repeater)
            try await nodes.credentials.storePassword("secret", forNodeKey: row.publicKey)
            rows.append(row)
            try await nodes.sleep(2)
        }
        let favourite = try await nodes.store.fetchContact(deviceID: nodes.deviceID, publicKey: rows[2].publicKey)
        try await nodes.store.updateContactPreferences(
            id: try #require(favourite).id, nickname: nil, isBlocked: false, isFavorite: true)
        return rows
    }

    @Test(.proves("SVC-147"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2))])
    func `connected sessions log in again once each, one after the other, favourites first`(_ order: VirtualTime.Order)
        throws
    {
        let (logins, states) = try withNodes(
            order: order, script: { $0.code == .sendLogin ? [Frames.sent(1, timeout: 5000)] : nil }
        ) { nodes in
            _ = try await Self.connectedNodes(nodes)
            // Not connected, so not logged in again.
            _ = try await nodes.session(6, .repeater)
            let again = Task { try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID) }
            for _ in 0..<4 {
                try await nodes.sleep(3)
                guard let last = nodes.written.all.last(where: { $0.code == .sendLogin }) else { continue }
                // Called a second time while one is under way.
                try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
                await nodes.radio?.simulateReceive(Frames.loginSuccess(last.node))
            }
            try await again.value
            return (nodes.written.all.filter { $0.code == .sendLogin }, nodes.states.all)
        }

        #expect(logins.map(\.node) == [4, 5, 3, 2])
        #expect(logins.map(\.at) == [8, 11, 14, 17].map { .seconds($0) }, "each when the one before has its answer")
        #expect(states == Array(repeating: .connected(.admin), count: 4))
    }

    @Test(.proves("SVC-147")) func `a node that does not let us in is disconnected, and the others go on`() throws {
        let (connected, states) = try withNodes(
            script: { command in
                guard command.code == .sendLogin else { return nil }
                return [
                    Frames.sent(1),
                    command.node == 5 ? Frames.loginFail(5) : Frames.loginSuccess(command.node),
                ]
            }
        ) { nodes in
            let rows = try await Self.connectedNodes(nodes)
            try await nodes.credentials.deletePassword(forNodeKey: rows[0].publicKey)
            try await nodes.remote.removeSession(sessionID: rows[0].id)
            _ = try await nodes.connected(2, .repeater)
            try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            let connected = try await nodes.store.fetchConnectedRemoteNodeSessions(deviceID: nodes.deviceID)
            return (connected.map { $0.publicKey[0] }.sorted(), nodes.states.all)
        }

        #expect(connected == [2, 3, 4])
        #expect(states.filter { $0 == .disconnected }.count == 1)
    }

    @Test(.proves("SVC-147")) func `a link that is lost again leaves the rest connected for the next time`() throws {
        let (end, connected) = try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(1)] : nil }) { nodes in
            _ = try await Self.connectedNodes(nodes)
            async let again = ending(nodes.clock) {
                try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            }
            try await nodes.sleep(1)
            await nodes.radio?.simulateLoss()
            let end = await again
            return (end, try await nodes.store.fetchConnectedRemoteNodeSessions(deviceID: nodes.deviceID).count)
        }

        #expect(end.nodeError == .nodeNotConnected)
        #expect(connected == 4)
    }

    @Test(.proves("SVC-147"))
    func `a login of the user while sessions are renewed takes the place of the renewal`() throws {
        let (isConnected, states) = try withNodes(script: {
            $0.code == .sendLogin ? [Frames.sent(1, timeout: 5000)] : nil
        }) { nodes in
            let row = try await nodes.connected(2, .repeater)
            async let again: Void = nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            try await nodes.sleep(1)
            async let login = ending(nodes.clock) { try await nodes.remote.login(sessionID: row.id) }
            try await nodes.sleep(1)
            let isConnected = try await nodes.row(row.id).isConnected
            await nodes.radio?.simulateReceive(Frames.loginSuccess(2))
            _ = await login
            try await again
            return (isConnected, nodes.states.all)
        }

        #expect(isConnected)
        #expect(states == [.connected(.admin)])
    }

    @Test(.proves("SVC-147")) func `at the start of the process nobody is logged in`() throws {
        let (count, rows, logins) = try withNodes { nodes in
            _ = try await Self.connectedNodes(nodes)
            let count = try await nodes.remote.resetAllConnections()
            try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            let rows = try await nodes.store.fetchRemoteNodeSessions(deviceID: nodes.deviceID)
            return (count, rows, nodes.times(.sendLogin))
        }

        #expect(count == 4)
        #expect(rows.map(\.isConnected) == [false, false, false, false])
        #expect(logins == [])
    }

    @Test func `a room that is logged in again is asked for what came meanwhile`() throws {
        let requests = try withNodes(
            script: {
                switch $0.code {
                case .sendLogin: [Frames.sent(1), Frames.loginSuccess($0.node)]
                case .sendBinaryReq: [Frames.sent(9)]
                default: nil
                }
            }
        ) { nodes in
            let row = try await nodes.connected(2)
            try await nodes.rooms.handleIncomingMessage(
                deviceID: nodes.deviceID, senderPublicKeyPrefix: row.publicKeyPrefix, timestamp: 0x0A0B,
                authorPrefix: Data([9, 9, 9, 9]), text: "hi")
            try await nodes.remote.handleLinkReconnection(deviceID: nodes.deviceID)
            return nodes.written.all.map(\.request).filter { !$0.isEmpty }
        }

        #expect(requests == [[2, 0x0B, 0x0A, 0, 0]])
    }
}
