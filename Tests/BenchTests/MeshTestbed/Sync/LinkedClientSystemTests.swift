import MeshCapture
import MeshCompanion
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import Synchronization
import Testing

@testable import meshbed

/// A client of an emulator over a modelled link beside the service stack over the same link in one process.
@Suite struct LinkedClientSystemTests {
    private static let messages = 40

    /// Empties a radio's queue as an app does, in lockstep; the world's time from the first message to the last.
    private func drain(_ link: LoopbackLink) async throws -> (span: TimeSpan, unprompted: Int) {
        let times = Mutex<[Int64]>([])
        var configuration = Emulator.Configuration(
            world: SyncTests.load(Self.messages).world(seed: Seed(42)), seed: Seed(42),
            endpoints: [NodeEndpoint(label: SyncLoad.label, endpoint: .freePort)], pace: .lockstep)
        configuration.link = link
        // What the radio says goes out at these moments.
        configuration.record = { _, entry in
            guard case .frame(.toApp, let frame) = entry.event, [10, 16, 17].contains(frame.first) else { return }
            times.withLock { $0.append(entry.time.microseconds) }
        }
        let emulator = try await Emulator.start(configuration)
        guard case .tcp(_, let port)? = emulator.endpoints.first?.endpoint else { throw TestClient.Failure(reason: "") }
        let client = try TestClient.connect(port: Int(port))
        for command in [[1, 3, 0, 0, 0, 0, 0, 0, 0x61], [22, 3]] as [[UInt8]] {
            client.sendFrame(command)
            _ = try answer(client)
        }
        repeat { client.sendFrame([10]) } while try answer(client).first != 10
        let outcome = try #require(await emulator.conclude())
        let seen = times.withLock { $0 }
        #expect(seen.count == Self.messages + 1)
        return (.microseconds((seen.last ?? 0) - (seen.first ?? 0)), outcome.unpromptedInputs ?? 1)
    }

    private func answer(_ client: TestClient) throws -> [UInt8] {
        while let frame = client.receiveFrame() {
            if frame.first ?? 0xFF < 0x80 { return frame }
        }
        throw TestClient.Failure(reason: "no answer")
    }

    @Test(arguments: [(LoopbackLink.bluetoothNRF52, BoardPlatform.nrf52), (.bluetoothESP32, .esp32)])
    func `messages take as much of the world's time as they take the service stack`(
        link: LoopbackLink, platform: BoardPlatform
    ) async throws {
        var sync = BluetoothSync(platform)
        sync.load = SyncTests.load(Self.messages)
        let row = try sync.run()

        // On a machine that is very busy a client may be too late; the run knows.
        var prompt: [TimeSpan] = []
        for _ in 0..<5 where prompt.isEmpty {
            let (span, unprompted) = try await drain(link)
            if unprompted == 0 { prompt.append(span) }
        }

        let span = Double(try #require(prompt.first).microseconds) / 1e6
        // One of them is seen at the radio, the other one at the app: an event of the connection may lie between.
        #expect(abs(span - row.messageSeconds) <= row.intervalMilliseconds / 1000, "\(span) s, \(row.messageSeconds) s")
    }
}
