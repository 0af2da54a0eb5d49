import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The nodes whose telemetry is emitted.
@Suite struct TrustedContactsTests {
    private static let volt: [UInt8] = [1, 0x74, 0x01, 0x9A]

    private static func push(_ number: UInt8) -> [UInt8] {
        Push.TelemetryResponse(publicKeyPrefix: Frames.prefix(number), lpp: volt).encoded()
    }

    @Test(.proves("SVC-170"))
    func `with the filter on, telemetry of nodes that are not trusted is not forwarded`() throws {
        let told = Notes<UInt8>()
        let asked = try withNodes(
            script: { $0.code == .sendBinaryReq ? [Frames.sent(9), Frames.answer(9, Self.volt)] : nil }
        ) { nodes in
            await nodes.binary.startEventMonitoring(deviceID: nodes.deviceID)
            nodes.binary.events.note(in: told) { if case .nodeTelemetry(let key, _) = $0 { key[0] } else { nil } }
            try await nodes.trusted.setTrusted(true, key: Data(Frames.key(2).array))
            for isFiltering in [false, true] {
                try await nodes.trusted.setFiltering(isFiltering)
                // Pushes of two nodes, and our own measurements, which are nobody's telemetry.
                for number: UInt8 in [2, 3, 1] { await nodes.radio?.simulateReceive(Self.push(number)) }
                try await nodes.sleep(1)
                told.add(0)
            }
            // Who asks gets the answer; nobody else does.
            let points = try await nodes.binary.requestTelemetry(key: Data(Frames.key(3).array))
            _ = try await nodes.binary.requestTelemetry(key: Data(Frames.key(2).array))
            return points.count
        }

        #expect(told.all == [2, 3, 0, 2, 0, 2])
        #expect(asked == 1)
    }

    @Test(.proves("SVC-170")) func `switch and set survive a restart`() throws {
        let (prefixes, isFiltering, passes) = try withNodes { nodes in
            try await nodes.trusted.setTrusted(true, key: Data(Frames.key(9).array))
            try await nodes.trusted.setTrusted(true, key: Data([1, 2, 3, 4, 5, 6]))
            try await nodes.trusted.setTrusted(true, key: Data(Frames.key(4).array))
            try await nodes.trusted.setTrusted(false, key: Data(Frames.key(4).array))
            try await nodes.trusted.setFiltering(true)
            let again = TrustedContactsManager(store: nodes.store)
            let passes = [
                try await again.passes(key: Data([1, 2, 3, 4, 5, 6, 7])),
                try await again.passes(key: Data(Frames.key(4).array)),
            ]
            return (try await again.trustedPrefixes, try await again.isFiltering, passes)
        }

        #expect(prefixes == [Data([1, 2, 3, 4, 5, 6]), Data(repeating: 9, count: 6)])
        #expect(isFiltering)
        #expect(passes == [true, false])
    }

    @Test func `a key that is too short names nobody`() throws {
        try withNodes { nodes in
            _ = await #expect(throws: StackError(.store, .invalidData)) {
                try await nodes.trusted.setTrusted(true, key: Data([1, 2, 3]))
            }
        }
    }
}
