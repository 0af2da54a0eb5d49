import Foundation
import MeshBoards
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// The suite against a radio at a socket and at a pseudo-terminal, on real time.
///
/// The radio is the emulated one; the suite does not know that, and treats it as one with an owner.
@Suite(.serialized)
struct StreamTargetRealTimeTests {
    @Test func `a radio at a TCP port keeps all that a client can see`() async throws {
        let report = try await run(.tcp(host: "127.0.0.1", port: 0)) { try $0.perform() }

        #expect(report.exitCode == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept >= 100)
        #expect(report.notApplicable + report.notRun + report.kept == Check.all.count)
    }

    @Test func `a radio at a serial line keeps its framing`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("comply-\(getpid()).tty").path

        let report = try await run(.pty(path: path)) {
            var run = $0
            run.selection = Selection("A,B,50-56")
            return try run.perform()
        }

        #expect(report.exitCode == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept == 9 + 7)
    }

    @Test func `a radio that may be restarted and erased is left as it was`() async throws {
        let (before, report, after) = try await run(.tcp(host: "127.0.0.1", port: 0)) { run in
            var run = run
            run.selection = Selection("37,50-70,83,84,103,154,157,196,204,217")
            run.target.allowed = .destructive
            let setUp: [Pattern] = [
                "08 'Mine'", "0E \(Int32(1_000_000)) \(Int32(2_000_000))", "26 01 15 01 02", "3A 06 05", "3D 00 01",
                "3F 'region' 00×25 55×16", "15 DC050000 D0070000", "20 01 'Mine' 00×28 11×16",
                "06 \(UInt32(1_750_000_000))",
            ]
            let before = try look(run.target) { radio in
                for command in setUp { try radio.ask(command, "00") }
                try radio.add(.carol, type: 2, path: [1, 2], lastmod: 1_740_000_000)
            }
            let report = try run.perform()
            return (before, report, try look(run.target) { _ in })
        }

        #expect(report.exitCode == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept >= 25)
        #expect(after.frames == before.frames)
        #expect(before.time...(before.time + 300) ~= after.time)
    }

    /// Reads everything in the radio that a run could change.
    private func look(_ name: Target, after body: (Probe) throws -> Void) throws
        -> (frames: [[UInt8]], time: UInt32)
    {
        let target = StreamTarget(try #require(name.addresses.first))
        try target.connect()
        defer { target.close() }
        let probe = Probe(target)
        try body(probe)
        let questions: [Pattern] = ["01 00×7", "16 03", "2B", "3B", "40", "1F 00", "1F 01"]
        let frames = try questions.map { try probe.ask($0, "…").frame } + [try probe.contact(Peer.carol.key).frame]
        #expect(try probe.contacts().keys == [Peer.carol.key])
        return (frames, try probe.now())
    }

    /// Does something to a radio that is alone in its world and at factory settings.
    private func run<R: Sendable>(
        _ endpoint: LinkAddress, _ body: @Sendable @escaping (ComplianceRun) throws -> R
    ) async throws -> R {
        let emulator = try await Emulator.start(
            .init(world: .solo, seed: Seed(7), endpoints: [NodeEndpoint(label: "alice", endpoint: endpoint)]))
        let address = try #require(emulator.endpoints.first?.endpoint).dialed
        do {
            let result = try body(ComplianceRun(target: Target(address)))
            await emulator.stop()
            return result
        } catch {
            await emulator.stop()
            throw error
        }
    }
}
