import MeshBluetoothHost
import MeshEmulator
import MeshFirmware
import MeshTime
import Testing

@testable import meshbed

/// The cost of syncs over modelled Bluetooth; the goal is 95 % of the rate that request and response allow.
@Suite struct BluetoothSyncTests {
    private static func sync(
        _ platform: BoardPlatform, messages: Int = 400, _ change: (inout BluetoothSync) -> Void = { _ in }
    ) throws -> BluetoothSync.Row {
        var sync = BluetoothSync(platform)
        sync.load = SyncTests.load(messages)
        change(&sync)
        return try sync.run()
    }

    /// The intervals that the boards and phones agree on, and shorter and longer ones.
    @Test(
        arguments: [
            (.nrf52, nil, 30), (.esp32, nil, 50), (.nrf52, 6, 7.5), (.nrf52, 12, 15), (.esp32, 12, 15),
            (.esp32, 9, 11.25), (.esp32, 24, 30), (.nrf52, 40, 50),
        ] as [(BoardPlatform, UInt16?, Double)])
    func `a sync takes little more than requests and responses need`(
        platform: BoardPlatform, units: UInt16?, interval: Double
    ) throws {
        let row = try Self.sync(platform) { $0.link.air.interval = units }

        #expect(row.messages == 400 && row.intervalMilliseconds == interval)
        #expect(row.share >= 0.95 && row.share <= 1.001, "\(row)")
        // Two events each, and an ESP32 rests 60 ms between two.
        let each = max(2 * interval, platform == .esp32 ? 60 : 0) / 1000
        #expect(abs(row.limitSeconds - each * 400) < 0.001)
    }

    @Test(arguments: [BoardPlatform.nrf52, .esp32])
    func `short packets and few of them in an event cost events`(platform: BoardPlatform) throws {
        let row = try Self.sync(platform) { sync in
            sync.link.longestPayload = 27
            (sync.link.air.interval, sync.link.air.packetsPerEvent) = (24, 4)
        }

        #expect(row.payload == 27 && row.share >= 0.95 && row.share <= 1.001, "\(row)")
        #expect(row.limitSeconds > 400 * 0.06)
    }

    /// The central acknowledges a notification in the next event, and the next question comes with it.
    @Test func `a radio that leaves out events whenever it may is awake for the next question`() throws {
        let row = try Self.sync(.nrf52, messages: 100) { $0.link.air.rest = .always }

        #expect(abs(row.limitSeconds - 100 * 0.06) < 0.001)
        #expect(row.share >= 0.95 && row.share <= 1.001, "\(row)")
    }

    @Test func `lost packets cost time, and no message`() throws {
        let whole = try Self.sync(.nrf52)
        let row = try Self.sync(.nrf52) { $0.link.air.lossPerTenThousand = 500 }

        #expect(row.messages == 400 && row.repeats > 20)
        #expect(row.messageSeconds > whole.messageSeconds * 1.05)
    }

    @Test(arguments: [BoardPlatform.nrf52, .esp32])
    func `the same seed gives the same sync`(platform: BoardPlatform) throws {
        let rows = try (0..<2).map { _ in try Self.sync(platform, messages: 50) }
        let other = try Self.sync(platform, messages: 50) { $0.seed = Seed(43) }

        #expect(rows[0].digest == rows[1].digest && rows[0].seconds == rows[1].seconds)
        #expect(rows[0].digest != other.digest)
    }
}
