import MeshFirmware
import MeshRadio
import MeshTime
import Testing

/// The numbers that a board may have, wherever it comes from.
@Suite struct BoardBoundsTests {
    private typealias Change = @Sendable (inout BoardProfile) -> Void

    private static func complaint(_ change: (inout BoardProfile) -> Void) -> String? {
        var board = BoardProfile.heltecV3
        change(&board)
        do {
            try board.check()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `every board of ours is inside`() throws {
        for board in BoardProfile.all { try board.check() }
    }

    @Test func `a number outside is named with its value and its bounds`() {
        #expect(Self.complaint { $0.maxChannels = -1 } == "board: maxChannels is -1, and must be 1 to 255")
        #expect(
            Self.complaint { $0.maxChannels = 2_147_483_647 }
                == "board: maxChannels is 2147483647, and must be 1 to 255")
        #expect(
            Self.complaint { $0.radio.codingRate = 9 } == "board: radio.codingRate is 9, and must be 5 to 8")
        #expect(Self.complaint { $0.adcMultiplier = .nan } == "board: adcMultiplier is nan, and must be 0 to 1000")
    }

    /// A setter for each number, with the smallest and the largest value that passes.
    private static let rows:
        [(field: String, least: Int64, most: Int64, set: @Sendable (inout BoardProfile, Int64) -> Void)] =
            [
                ("maxContacts", 0, 65_535, { $0.maxContacts = Int($1) }),
                ("maxChannels", 1, 255, { $0.maxChannels = Int($1) }),
                ("offlineQueueSize", 0, 1_000_000, { $0.offlineQueueSize = Int($1) }),
                ("packetPoolSize", 1, 64, { $0.packetPoolSize = Int($1) }),
                ("sendQueueSize", 1, 255, { $0.sendQueueSize = Int($1) }),
                ("maxTxPower", -17, 40, { $0.maxTxPower = Int8($1) }),
                ("txPower", -17, 40, { $0.txPower = Int8($1) }),
                ("blePin", 0, 999_999, { $0.blePin = UInt32($1) }),
                ("maxStoredAdvert", 0, 255, { $0.maxStoredAdvert = Int($1) }),
                ("storageKiB", 0, 65_536, { $0.storageKiB = UInt32($1) }),
                ("storageOverheadKiB", 0, 65_536, { $0.storageOverheadKiB = UInt32($1) }),
                ("bootDelay.microseconds", 0, 60_000_000, { $0.bootDelay = TimeSpan(microseconds: $1) }),
                ("loopPeriod.microseconds", 1, 1_000_000, { $0.loopPeriod = TimeSpan(microseconds: $1) }),
                ("radio.frequencyKilohertz", 150_000, 2_500_000, { $0.radio.frequencyKilohertz = UInt32($1) }),
                ("radio.bandwidthHertz", 7_000, 500_000, { $0.radio.bandwidthHertz = UInt32($1) }),
                ("radio.spreadingFactor", 5, 12, { $0.radio.spreadingFactor = UInt8($1) }),
                ("radio.codingRate", 5, 8, { $0.radio.codingRate = UInt8($1) }),
                ("preambleSymbols", 1, 1024, { $0.preambleSymbols = UInt16($1) }),
                ("mcuTemperatureTenths", -1000, 1500, { $0.mcuTemperatureTenths = Int16($1) }),
            ]

    @Test func `each bound itself passes, and one beyond it does not`() {
        for row in Self.rows {
            for value in [row.least, row.most] {
                #expect(Self.complaint { row.set(&$0, value) } == nil, "\(row.field)")
            }
            // A type that holds no negative number is a bound by itself.
            let isSigned = row.least < 0 || ["maxC", "offl", "boot", "maxS"].contains { row.field.hasPrefix($0) }
            let outside = (row.least > 0 || isSigned ? [row.least - 1] : []) + [row.most + 1]
            for value in outside {
                #expect(
                    Self.complaint { row.set(&$0, value) }
                        == "board: \(row.field) is \(value), and must be \(row.least) to \(row.most)")
            }
        }
    }
}
