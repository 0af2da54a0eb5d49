import MeshCompanion
import MeshTime
import Testing

@testable import MeshFirmware

/// Companion builds with `AUTO_SHUTDOWN_MILLIVOLTS`, as those of the Heltec V3 for Bluetooth.
@Suite struct LowBatteryTests {
    private static func bench(
        _ battery: Battery, shutsDownBelow lowest: UInt16? = 3400, _ change: (inout BoardProfile) -> Void = { _ in }
    ) -> CompanionBench {
        var board = BoardProfile.vectors
        board.autoShutdownMillivolts = lowest
        change(&board)
        var environment = Environment(board: board)
        environment.battery = battery
        let seed = Seed(1)
        return CompanionBench(
            CompanionRadio(
                board: board, identityStream: seed.stream("identity"), randomStream: seed.stream("random"),
                environment: environment, interface: .frames, at: .start))
    }

    /// From 3.7 V down by a millivolt a second.
    private static let falling = Battery.voltage(
        .ramp(from: 3700, to: 3000, starting: .start, lasting: .seconds(700)))

    @Test func `it switches itself off at its first look below the voltage`() {
        var bench = Self.bench(Self.falling)
        bench.wait(milliseconds: 299_000)
        #expect(!bench.radio.isHalted && bench.isClosed == false)

        bench.wait(milliseconds: 9002)

        // 3400 mV are reached after 300 s; the turns are 8.001 s apart.
        #expect(bench.radio.isHalted && bench.isClosed)
        #expect(bench.radio.nextWake == .never)
    }

    @Test func `a build without it, a voltage that stays and a board without a battery go on`() {
        var without = Self.bench(Self.falling, shutsDownBelow: nil)
        var steady = Self.bench(.millivolts(3500))
        let none = Self.bench(.millivolts(0))
        without.wait(milliseconds: 700_000)
        steady.wait(milliseconds: 700_000)

        #expect(!without.radio.isHalted && without.radio.nextWake == .never)
        #expect(!steady.radio.isHalted && steady.radio.nextWake == .never)
        #expect(!none.radio.isHalted)
    }

    @Test func `a cell is not looked at before it can be low`() {
        let bench = Self.bench(.cell(BatteryCell(capacity: 1000, load: 10_000)))

        // 100 hours; 3400 mV are 3.3 % of the charge.
        #expect(bench.radio.nextWake > .seconds(96 * 3600) && bench.radio.nextWake < .seconds(97 * 3600))
    }

    @Test(arguments: [
        (FirmwareVersion.v1_15, BoardPlatform.nrf52, true), (.v1_16, .nrf52, false), (.v1_16, .esp32, true),
    ])
    func `a supply keeps it on where firmware and processor tell`(
        version: FirmwareVersion, platform: BoardPlatform, isOff: Bool
    ) {
        var bench = Self.bench(.millivolts(3500)) {
            $0.firmware = version
            $0.platform = platform
        }
        bench.withRadio {
            $0.environment.setExternalPower(true, at: .start)
            $0.environment.battery = .millivolts(3300)
            $0.batteryChanged()
        }

        bench.pass()

        #expect(bench.radio.isHalted == isOff)
    }
}
