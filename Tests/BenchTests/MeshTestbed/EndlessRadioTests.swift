import MeshBoards
import MeshSimulator
import MeshTime
import Testing

@testable import MeshCompliance

/// Devices at the other end that are no radios, or that never stop sending.
@Suite struct EndlessRadioTests {
    /// Says the same for ever.
    final class Endless: ComplianceTarget {
        let title = "endless"
        let abilities: Abilities = []
        let interface = AppLink.wifi
        let patience = TimeSpan.milliseconds(50)
        let silence = TimeSpan.milliseconds(10)
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        func prepare(_ setup: Setup) {}
        func close() {}
        func write(_ bytes: [UInt8]) {}
        func read(within span: TimeSpan) -> [UInt8]? { bytes }
        func wait(_ span: TimeSpan) {}
        func connect() {}
        func disconnect() {}
    }

    /// Pushes that are passed over, bytes that are no frames, and frames that have no end.
    static let noises: [[UInt8]] = [
        [0x3E, 0x02, 0x00, 0x88, 0x01], [0x00, 0x11, 0x22], [0x3E, 0x00, 0x00],
    ]

    @Test(arguments: noises)
    func `no step waits for ever, whatever comes`(noise: [UInt8]) {
        let probe = Probe(Endless(noise))
        probe.floodLimit = .milliseconds(50)

        let steps: [(Probe) throws -> Void] = [
            { try $0.drain() }, { try $0.resynchronise() }, { _ = try $0.expect("05 …") },
            { try $0.expectSilence() }, { _ = try $0.collect { _ in false } },
        ]
        for step in steps {
            let failure = #expect(throws: Failure.self) { try step(probe) }
            #expect(failure?.got == "more and more of them")
        }
    }
}
