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

/// The radio keeps one request to the mesh at a time, and forgets it for a newer one.
@Suite struct MeshRequestOrderTests {
    private static let requests: Set<CommandCode> = [
        .sendLogin, .sendStatusReq, .sendTelemetryReq, .sendBinaryReq, .sendPathDiscoveryReq, .sendAnonReq,
    ]

    /// The answer to a request, as a push that comes later.
    private static func push(_ command: Written) -> [UInt8]? {
        switch command.code {
        case .sendLogin: Frames.loginSuccess(command.node)
        case .sendPathDiscoveryReq:
            Push.PathDiscoveryResponse(publicKeyPrefix: Frames.prefix(command.frame[2]), outPath: [], inPath: [])
                .encoded()
        case .sendBinaryReq where command.requestType == .keepAlive: nil
        case .sendBinaryReq, .sendAnonReq: Frames.answer(9, Frames.status(tail: [0, 0, 0, 0, 0, 0, 0, 0]))
        default: nil
        }
    }

    @Test(
        .proves("SVC-148", "SVC-R-042"),
        arguments: [VirtualTime.Order.arrival, .drawn(Seed(5)), .drawn(Seed(6)), .drawn(Seed(7))])
    func `what is asked during a login waits, and no two requests overlap`(_ order: VirtualTime.Order) throws {
        let written = try withNodes(order: order) { nodes in
            let (written, radio, clock) = (nodes.written, nodes.radio, nodes.clock)
            await radio?.answerEach { frame in
                let command = Written(at: clock.now.sinceStart, frame: frame)
                guard let code = command.code, Self.requests.contains(code) else { return [] }
                written.add(command)
                Task {
                    try? await clock.sleep(for: .seconds(2))
                    if let push = Self.push(command) { await radio?.simulateReceive(push) }
                }
                return [Frames.sent(9, timeout: 5000)]
            }
            let repeater = try await nodes.connected(2, .repeater)
            let room = try await nodes.connected(3)
            let key = repeater.publicKey
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await nodes.remote.login(sessionID: repeater.id, password: "secret") }
                group.addTask { _ = try await nodes.remote.requestStatus(sessionID: room.id) }
                group.addTask { _ = try await nodes.repeaters.requestTelemetry(sessionID: repeater.id) }
                group.addTask { _ = try await nodes.binary.requestACL(key: key) }
                group.addTask { _ = try await nodes.binary.sendPathDiscovery(key: key) }
                group.addTask { _ = try await nodes.binary.requestRegions(key: key) }
                group.addTask { try await nodes.remote.sendKeepAlive(sessionID: room.id) }
                try await group.waitForAll()
            }
            return written.all
        }

        #expect(written.count == 7)
        // Nothing answers a keep-alive, so the one behind it may follow at once.
        for (earlier, later) in zip(written, written.dropFirst()) where earlier.requestType != .keepAlive {
            #expect(later.at - earlier.at == .seconds(2), "\(later.code as Any) after \(earlier.code as Any)")
        }
    }
}
