import MeshLinks
import MeshTime
import Testing

@testable import MeshCompliance

/// A radio that its own firmware crashes, where the firmware is undefined.
struct CrashTests {
    private static let radio = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)

    @Test func `a radio that crashes where its firmware is undefined is waited for, and the restart is counted`() throws
    {
        let target = CrashingTarget()
        let checks = Selection("50,MATRIX-03-cut,MATRIX-0E-longest")

        let report = try ComplianceRun(target: Self.radio, only: checks).perform(on: target)

        #expect(report.abortedBecause == nil)
        #expect(report.broken == 0, "\(report.text(isVerbose: true))")
        #expect(report.restarts == ["MATRIX-03-cut"])
        let crash = try #require(report.entries.first { $0.id == "MATRIX-03-cut" })
        #expect(crash.verdict == .notApplicable("the radio has restarted: its firmware is undefined here"))
        #expect(report.kept == 2)
        #expect(report.text().contains("The radio restarted by itself 1 time, in MATRIX-03-cut"))
        #expect(report.json.contains("restarted by itself 1 time"))
    }

    @Test func `a radio that crashes where its answer is known breaks the statement, and the run goes on`() throws {
        let target = CrashingTarget(on: [0x08] + [UInt8]("ab".utf8) + [0] + [UInt8]("cd".utf8))

        let report = try ComplianceRun(target: Self.radio, only: Selection("51,52")).perform(on: target)

        #expect(report.abortedBecause == nil)
        #expect(report.entries.map(\.isBroken) == [true, false])
        #expect(report.kept == 1)
        #expect(report.restarts == ["CMP-051"])
    }

    @Test func `a radio that answers there is kept`() throws {
        let target = CrashingTarget(on: [0xFE, 0xFE])

        let report = try ComplianceRun(target: Self.radio, only: Selection("MATRIX-03-cut"))
            .perform(on: target)

        #expect(report.kept == 1)
        #expect(report.restarts.isEmpty)
    }
}

/// Somebody's radio at a socket, which crashes on a frame: the link goes, and connections are refused until it has started.
private final class CrashingTarget: ComplianceTarget {
    private let inner = EmulatorTarget()
    private let fatal: [UInt8]
    private var isDown = false
    private var frames = StreamReader()

    init(on fatal: [UInt8] = [0x03, 0x00, 0x01]) { self.fatal = fatal }

    let title = "tcp://127.0.0.1:1"
    let abilities: Abilities = [.link, .secondClient, .identity, .restart, .clock, .crash, .emptyContacts]
    var interface: Interface { inner.interface }
    var patience: TimeSpan { inner.patience }
    var silence: TimeSpan { inner.silence }
    var virtualTime: Instant? { inner.virtualTime }

    private var isPrepared = false

    func prepare(_ setup: Setup) throws(TargetError) {
        if isDown { throw .unreachable("connection refused") }
        guard !isPrepared else { return }
        isPrepared = true
        inner.prepare(Setup(interface: .wifi, board: nil))
    }

    func close() { inner.close() }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        guard !isDown else { throw .linkLost("the radio closed the connection") }
        // A frame is a header of three bytes and its content.
        if Array(bytes.dropFirst(3)) == fatal { isDown = true } else { inner.write(bytes) }
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        guard !isDown else { throw .linkLost("the radio closed the connection") }
        return inner.read(within: span)
    }

    func wait(_ span: TimeSpan) { inner.wait(span) }

    func connect() throws(TargetError) {
        guard !isDown else { throw .unreachable("connection refused") }
        inner.connect()
    }

    func disconnect() { inner.disconnect() }

    func reconnectAfterRestart() throws(TargetError) {
        guard isDown else { return try inner.reconnectAfterRestart() }
        isDown = false
        inner.powerCycle()
        inner.wait(.seconds(3))
        inner.connect()
    }
}
