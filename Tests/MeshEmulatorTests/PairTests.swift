import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct PairTests {
    @Test func `an advert of alice reaches bob through the repeater, from client to client`() async throws {
        try await Emulator.with(.pair, [.tcp("alice"), .tcp("bob")], speed: 20) { emulator in
            let alice = try TestClient.connect(port: emulator.port(of: "alice"))
            let bob = try TestClient.connect(port: emulator.port(of: "bob"))
            #expect(bob.asksTime())

            // SEND_SELF_ADVERT by flood.
            alice.sendFrame([7, 1])
            #expect(alice.receiveFrame() == [0])

            let key = try await emulator.inspect { $0.companion(NodeID(index: 0))?.publicKey.array }
            var isHeard = false
            while !isHeard, let frame = bob.receiveFrame(within: 20_000) {
                // ADVERT or NEW_ADVERT; the repeater's own one comes too.
                if frame.first == 0x80 || frame.first == 0x8A { isHeard = Array(frame[1..<33]) == key }
            }
            #expect(isHeard)
        }
    }
}
