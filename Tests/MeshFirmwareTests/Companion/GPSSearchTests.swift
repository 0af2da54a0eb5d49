import MeshCompanion
import MeshFirmware
import MeshTestSupport
import MeshTime
import Testing

/// Builds that look for a GPS receiver before their main loop begins.
@Suite struct GPSSearchTests {
    @Test(arguments: [0, 1] as [UInt32])
    func `the clock is taken from the contacts before the search, and runs through it`(seconds: UInt32) {
        var board = BoardProfile.vectors
        board.gpsSearch = .seconds(seconds)
        var bench = CompanionBench.knowing(board: board)
        bench.add(.bob, lastModified: 1_900_000_000)
        bench.wait(milliseconds: 6000)

        bench.reboot()

        #expect(bench.time == 1_900_000_001 + seconds)
    }
}
