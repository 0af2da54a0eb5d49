import MeshCompanion
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// A companion radio among sensors, and on its way.
@Suite struct CompanionEnvironmentTests {
    private static let signal = GPSSignal(
        way: [
            WayPoint(.seconds(60), latitude: 48_000_000, longitude: 11_000_000, millimetres: 500_000),
            WayPoint(.seconds(160), latitude: 48_010_000, longitude: 11_000_000, millimetres: 500_000),
        ], acquisition: .seconds(20), unixSecondsAtStart: 1_900_000_000)

    /// A radio with a receiver that is switched on, a climate sensor and a processor that knows its temperature.
    private static func bench() -> CompanionBench {
        var board = BoardProfile.vectors
        board.hasGPS = true
        var bench = CompanionBench(board: board)
        bench.withRadio {
            $0.environment.gps = Self.signal
            $0.environment.parts = .sht4x
            $0.environment.temperature = .constant(-5.3)
            $0.environment.processorTemperature = .constant(40)
        }
        bench.send(SetCustomVar(setting: "gps:1"))
        return bench
    }

    private static func position(_ bench: inout CompanionBench) throws -> [Int32] {
        let info = try Resp.SelfInfo(decoding: #require(bench.ask(AppStart()).first))
        return [info.latitude, info.longitude]
    }

    @Test func `to its own app the processor comes second and the sensors last`() throws {
        var bench = Self.bench()

        let lpp = try Push.TelemetryResponse(decoding: #require(bench.ask([0x27, 0, 0, 0]).first)).lpp

        let records = Array(LPPReader(lpp))
        #expect(records.map(\.channel) == [1, 1, 1, 2, 2])
        #expect(records.map(\.type) == [.voltage, .temperature, .gps, .temperature, .relativeHumidity])
        #expect(records[1].numbers == [400] && records[3].numbers == [-53])
    }

    @Test(
        arguments: [
            (0b10_10_10, 0x00, [.voltage, .gps, .temperature, .relativeHumidity, .temperature]),
            (0b10_10_10, 0x04, [.voltage, .gps, .temperature]),
            (0b10_00_10, 0x00, [.voltage, .temperature, .relativeHumidity, .temperature]),
            (0b00_00_10, 0x00, [.voltage, .temperature]),
        ] as [(UInt8, UInt8, [LPPType])])
    func `to others it gives what they may have and ask for, the processor last`(
        modes: UInt8, mask: UInt8, types: [LPPType]
    ) throws {
        var bench = Self.bench()
        bench.add(.bob, path: .empty, flags: 0)
        bench.send(SetOtherParams(manualAdd: 0, telemetryModes: modes))
        let request = Peer.bytes(77) + [3, mask, 0, 0, 0, 1, 2, 3, 4]

        _ = bench.hearing(Peer.bob.datagram(.req, request, to: bench.key))

        let packet = try #require(bench.airAfter().first)
        let answer = try #require(Peer.bob.opened(packet.bytes, with: bench.key))
        let records = Array(LPPReader(Array(answer.dropFirst(4))))
        #expect(records.map(\.type) == types)
        #expect(records.last?.channel == 1)
    }

    @Test func `the place moves with the GPS, and one that is set counts until the next look`() throws {
        var bench = Self.bench()
        #expect(try Self.position(&bench) == [0, 0])
        bench.wait(milliseconds: 30_000)
        #expect(try Self.position(&bench) == [48_000_000, 11_000_000])

        bench.wait(milliseconds: 80_500)
        let moved = try Self.position(&bench)
        bench.send(SetAdvertLatlon(latitude: 1_000_000, longitude: 2_000_000))
        let told = try Self.position(&bench)
        bench.wait(milliseconds: 1100)

        #expect(48_004_800...48_005_100 ~= moved[0])
        #expect(told == [1_000_000, 2_000_000])
        #expect(try Self.position(&bench)[0] > moved[0])
    }

    @Test func `settings are stored with the place of the moment, and a restart goes on from there`() throws {
        var bench = Self.bench()
        bench.wait(milliseconds: 200_000)
        bench.send(SetOtherParams(manualAdd: 1))
        let stored = bench.radio.preferences
        #expect([stored.latitude, stored.longitude] == [48.01, 11])
        #expect(stored.gpsEnabled == 1)

        let radio = bench.radio.rebooted(at: bench.now, keepingRTC: true, interface: .frames)
        var later = CompanionBench(radio)

        #expect(later.ask([0x28]) == [[0x15] + "gps:1".utf8])
        #expect(try Self.position(&later) == [48_010_000, 11_000_000])
        #expect(radio.environment.gps == Self.signal && radio.environment.parts == .sht4x)
    }

    @Test func `the GPS sets the clock by itself once its fix has settled`() {
        var bench = Self.bench()
        #expect(bench.radio.nextWake == .milliseconds(23_003))

        bench.wait(milliseconds: 23_002)
        #expect(bench.radio.unixTime < 1_900_000_000)
        bench.wait(milliseconds: 10)

        #expect(bench.radio.unixTime == 1_900_000_023)
        #expect(bench.radio.nextWake == .milliseconds(23_003 + 1_800_001))
    }

    @Test func `the battery is what its course says, wherever it is asked for`() throws {
        var bench = CompanionBench()
        bench.withRadio {
            $0.environment.battery = .voltage(
                .ramp(from: 4000, to: 3000, starting: .start, lasting: .seconds(100)))
        }
        bench.wait(milliseconds: 50_000)

        #expect(try Resp.BattAndStorage(decoding: #require(bench.ask([0x14]).first)).battery == 3500)
        #expect(bench.ask([0x38, 0]).first?[2...3] == [0xAC, 0x0D])
        let lpp = try Push.TelemetryResponse(decoding: #require(bench.ask([0x27, 0, 0, 0]).first)).lpp
        #expect(lpp.hex == "0174015e")
    }
}
