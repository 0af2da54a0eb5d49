import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@testable import MeshEmulator

/// Lines for people about frames that were lost to others.
@Suite struct LossTellerTests {
    private static let advert = [UInt8]([0x11, 0x00]) + [UInt8](repeating: 7, count: 110)

    private func told(_ events: [(Int, TraceEvent)]) -> [String] {
        var teller = LossTeller(["alice", "rep1", "sens1"])
        return events.compactMap { node, event in
            teller.take(HappeningLog.Line(.milliseconds(1500), NodeID(index: node), .event(event)))
        }
    }

    @Test func `it names both frames of a collision, and where it was`() {
        let lines = told([
            (0, .txBegin(frame: 3, bytes: [0x15, 0, 1, 2, 3, 4], airtime: .seconds(1))),
            (2, .txBegin(frame: 4, bytes: Self.advert, airtime: .seconds(1))),
            (1, .rxDrop(frame: 3, reason: .collision, by: 4)),
            // Not because of another frame.
            (1, .rxDrop(frame: 4, reason: .off, by: nil)),
        ])

        #expect(lines == ["1.5 s: alice's channel text #3 lost at rep1: collision with sens1's advert #4"])
    }

    @Test func `it tells of the first twenty, and says where the others are`() {
        let lines = told((0..<100).map { (1, .rxDrop(frame: $0, reason: .collision, by: 1000)) })

        #expect(lines.count == 21)
        #expect(lines.last == "further losses are counted at the end, and --trace has them all")
    }
}
