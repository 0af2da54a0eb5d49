import Foundation
import MeshBoards
import MeshCompanion
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// The suite against a radio behind a real socket and a real terminal, on the time of a rig.
@Suite(.serialized)
struct RigTargetSystemTests {
    static let interfaces: [AppLink] = [.wifi, .serial]

    private func run(_ target: any ComplianceTarget, only pattern: String = "") throws -> ComplianceReport {
        return try ComplianceRun(target: .emulator, only: Selection(pattern)).perform(on: target)
    }

    @Test(arguments: interfaces)
    func `a radio behind a real link gets the verdicts of the one in this process`(_ interface: AppLink) throws {
        let near = try run(EmulatorTarget())

        let far = try run(RigTarget.started(interface, title: "rig"))

        let isThere = far.entries.map { !$0.isNotApplicable }
        let same = { (report: ComplianceReport) in
            zip(report.entries, isThere).filter(\.1).map { "\($0.0.id) \($0.0.verdict)" }
        }
        #expect(same(far) == same(near))
        // Of a socket and a terminal nothing can be said about Bluetooth. Other statements are on later versions.
        let notThere = zip(far.entries, near.entries).filter { $0.isNotApplicable && !$1.isNotApplicable }
        #expect(notThere.map(\.0.group) == Array(repeating: "C Bluetooth LE", count: 14))
        #expect(near.kept > 240)
        #expect(far.exitCode == 0)
    }

    @Test(arguments: interfaces)
    func `a spoilt radio behind a real link breaks what it breaks in this process`(_ interface: AppLink) throws {
        let quirks = QuirkSet.all.removing(.cipherBlockPadding).removing(.hiddenContactSlots)

        let near = try run(EmulatorTarget(quirks: quirks), only: "90-110,160-180,230-240")
        let far = try run(
            RigTarget.started(interface, title: "rig", build: .init(quirks: quirks)), only: "90-110,160-180,230-240")

        #expect(near.broken > 5)
        #expect(far.entries.filter(\.isBroken).map(\.id) == near.entries.filter(\.isBroken).map(\.id))
        #expect(far.exitCode == 1)
    }

    @Test func `statements about the other interface are shown through the rig`() throws {
        let onSocket = try run(RigTarget.started(.wifi, title: "rig"), only: "CMP-001,CMP-014")
        let onTerminal = try run(RigTarget.started(.serial, title: "rig"), only: "CMP-001,CMP-014")

        #expect(onSocket.kept == 2)
        #expect(onTerminal.kept == 2)
    }

    // MARK: What vanishes

    @Test(arguments: interfaces)
    func `a radio that restarts without being told to breaks the statement, and says why`(_ interface: AppLink)
        throws
    {
        for target in [EmulatorTarget(), try RigTarget.started(interface, title: "rig")] as [any ComplianceTarget] {
            defer { target.close() }
            let probe = Probe(target)
            try target.prepare(Setup(interface: interface))
            try probe.send("13 'reboot'")

            let left = #expect(throws: Failure.self) { try probe.expectNothingLeft() }
            let vain = #expect(throws: Failure.self) { try probe.ask("05", "09 time4") }

            #expect(left?.got == "the radio has restarted")
            #expect(vain?.got == "nothing: the radio has restarted")
            try probe.comeBack()
            try probe.ask("05", "09 time4")
        }
    }

    @Test func `a rig that goes away ends the run with a reason, and says nothing of the radio`() throws {
        let rig = try Rig.start(.init())
        let target = try RigTarget(try address(of: rig, .wifi), title: "rig", rig: try steering(of: rig))

        let report = try ComplianceRun(target: .emulator, only: Selection("50-60")).perform(
            on: target, progress: { entry, _ in if entry.id == "CMP-052" { rig.stop() } })

        #expect(report.entries.map(\.id) == ["CMP-050", "CMP-051", "CMP-052", "CMP-053"])
        #expect(report.kept == 3)
        #expect(report.notRun == 1)
        #expect(report.abortedBecause?.hasPrefix("the rig is gone: ") == true)
        #expect(report.exitCode == 2)
    }

    @Test func `a rig that goes away in the middle of a statement leaves it without a verdict`() throws {
        let rig = try Rig.start(.init())
        let near = try RigTarget(try address(of: rig, .wifi), title: "rig", rig: try steering(of: rig))
        let target = WatchedTarget(near) { written in if written == 3 { rig.stop() } }

        let report = try ComplianceRun(target: .emulator, only: Selection("50-60")).perform(on: target)

        #expect(report.broken == 0)
        #expect(report.notRun == 1 && report.entries.last?.isNotRun == true)
        #expect(report.abortedBecause?.hasPrefix("the rig is gone: ") == true, "\(report.abortedBecause ?? "")")
        #expect(report.exitCode == 2)
    }

    @Test func `another client that takes the radio in the middle is named as the reason`() throws {
        let rig = try Rig.start(.init())
        defer { rig.stop() }
        let place = try address(of: rig, .wifi)
        let target = try RigTarget(place, title: "rig", rig: try steering(of: rig))
        defer { target.close() }
        let probe = Probe(target)
        try target.prepare(Setup())
        try probe.ask("05", "09 time4")

        let other = try StreamDescriptor(place, within: .seconds(5))
        let error = #expect(throws: TargetError.self) {
            // As long as the kernel takes to pass the connection on.
            for _ in 0..<100_000 { try target.wait(.microseconds(1)) }
        }

        #expect(error == .linkLost("another client has taken the app's connection"))
        // The next statement has its radio to itself again.
        try target.prepare(Setup())
        probe.begin()
        try probe.ask("05", "09 time4")
        #expect(other.isEnded(within: .seconds(5)))
    }

    @Test func `a radio at a socket that goes away ends the run with a reason`() async throws {
        let emulator = try await Emulator.start(
            .init(
                world: .solo, seed: Seed(7),
                endpoints: [NodeEndpoint(label: "alice", endpoint: .tcp(host: "127.0.0.1", port: 0))]))
        let endpoint = try #require(emulator.endpoints.first).endpoint
        let name = try Target("\(endpoint)")
        let isStopped = DispatchSemaphore(value: 0)
        let (reached, reaching) = AsyncStream.makeStream(of: Void.self)

        // On a thread of its own: a run that waits must not hold the thread that the stop needs.
        async let judged: ComplianceReport = withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(
                    with: Result {
                        try ComplianceRun(target: name, only: Selection("50-60")).perform(progress: { entry, _ in
                            guard entry.id == "CMP-052" else { return }
                            reaching.finish()
                            isStopped.wait()
                        })
                    })
            }.start()
        }
        for await _ in reached {}
        await emulator.stop()
        isStopped.signal()
        let report = try await judged

        #expect(report.entries.count < 11)
        // What the kernel does with a socket that has just been closed: it refuses the next connection, or resets it.
        let reason = try #require(report.abortedBecause)
        #expect(reason.contains("reach the radio") || reason.contains("the link is gone"), "\(reason)")
        #expect(report.exitCode == 2)
    }

    @Test func `a rig that somebody else has is not shared`() throws {
        let rig = try Rig.start(.init())
        defer { rig.stop() }
        let first = try RigConnection(try steering(of: rig))
        defer { first.close() }

        let error = #expect(throws: TargetError.self) { try RigConnection(try steering(of: rig)) }

        #expect(error?.description.contains("somebody else has the rig") == true)
        try first.ask(.prepare(link: .wifi))
    }

    private func address(of rig: Rig, _ interface: AppLink) throws -> LinkAddress {
        try #require(rig.endpoints.map(\.endpoint.dialed).first { $0.interface == interface })
    }

    private func steering(of rig: Rig) throws -> LinkAddress { try LinkAddress(control: "\(rig.control)") }
}

/// A target that counts how often it was written to.
private final class WatchedTarget: ComplianceTarget {
    private let target: any ComplianceTarget
    private let willWrite: (Int) -> Void
    private var count = 0

    init(_ target: any ComplianceTarget, willWrite: @escaping (Int) -> Void) {
        self.target = target
        self.willWrite = willWrite
    }

    var title: String { target.title }
    var abilities: Abilities { target.abilities }
    var interface: AppLink { target.interface }
    var patience: TimeSpan { target.patience }
    var silence: TimeSpan { target.silence }

    func prepare(_ setup: Setup) throws(TargetError) { try target.prepare(setup) }
    func close() { target.close() }
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? { try target.read(within: span) }
    func wait(_ span: TimeSpan) throws(TargetError) { try target.wait(span) }
    func connect() throws(TargetError) { try target.connect() }
    func disconnect() throws(TargetError) { try target.disconnect() }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        count += 1
        willWrite(count)
        try target.write(bytes)
    }
}
