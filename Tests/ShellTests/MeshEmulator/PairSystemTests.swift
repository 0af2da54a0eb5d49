import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshEmulator

@Suite struct PairSystemTests {
    @Test func `an advert of alice reaches bob through the repeater, from client to client`() async throws {
        try await Emulator.with(.village, [.tcp("alice"), .tcp("bob")], pace: .stepped) { emulator in
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            let bob = try TestClient.connect(port: emulator.port(of: "bob"))

            let key = try await emulator.inspect { $0.companion(NodeID(index: 0))?.publicKey.array }
            var isHeard = false
            // An advert that meets those of the boot is lost, as on any air; the next one is not.
            for _ in 0..<10 where !isHeard {
                // SEND_SELF_ADVERT by flood; what came on its own may stand before the answer.
                alice.sendFrame([7, 1])
                for _ in 0..<400 where !isHeard {
                    try await emulator.pass(.milliseconds(100))
                    guard bob.hasInput, let frame = bob.receiveFrame() else { continue }
                    // ADVERT or NEW_ADVERT; the repeater's own one comes too.
                    if frame.first == 0x80 || frame.first == 0x8A { isHeard = Array(frame[1..<33]) == key }
                }
            }
            #expect(isHeard)
        }
    }
}
