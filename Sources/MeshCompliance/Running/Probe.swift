import MeshBoards
import MeshCompanion
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// The client of a statement: sends the statement's commands, and compares the radio's frames with those expected.
///
/// It is no user with an app: it sends what no app would, and judges each byte that comes. LOG_RX_DATA is passed over
/// unless a pattern asks for it (code `88`), as in the article CompanionStatements. On a radio whose air is not ours,
/// all other unexpected pushes are passed over as well.
final class Probe {
    let target: any ComplianceTarget
    /// Puts back what statements change on a radio that is not made for them.
    var keeper: RadioKeeper? {
        didSet { ledger?.note(keeper) }
    }
    /// The file of the radio in which that outlives the run, for radios with an owner.
    var ledger: RadioLedger?
    /// The time for which a radio not made for the statement may go on sending unexpected frames.
    var floodLimit = Duration.seconds(20)
    /// Marks in the matrix what goes over the link.
    private(set) var recorder = TrafficRecorder()
    /// The command that greets the radio, and the code of its answer.
    var greeting = Greeting.usual
    /// False once the radio has not said how many packets wait to be sent.
    var tellsQueue = true
    /// The first bytes that came, for reports on what is no radio.
    private(set) var firstBytes: [UInt8] = []
    /// Frames that came from the radio since it was reached.
    private(set) var frameCount = 0
    private var reader = StreamReader()
    private var waiting: [[UInt8]] = []
    private var step = 0
    private var lastSent: [UInt8]?
    /// The command that was sent last.
    var lastCommand: [UInt8]? { lastSent }
    private var transcript: [TranscriptLine] = []
    /// The time at which this probe was made, for targets on the wall clock.
    private let start = ContinuousClock.now
    /// The radio's public key, once it was asked for.
    var knownKey: [UInt8]?
    /// A time that senders put into their messages; another one for every statement where others remember the last.
    private(set) var sentAt: UInt32 = 1_700_000_000
    /// Four bytes that make a packet without a time one that the radio has not heard before.
    private(set) var nonce: [UInt8] = [0x0A, 0x0B, 0x0C, 0x0D]
    /// Packets that the radio last reported from the air, oldest first; only where the air is not ours.
    private(set) var logged: [[UInt8]] = []
    /// The same, for a caller that removes packets from it.
    var heard: [[UInt8]] = []
    /// Tells whether the client has not hung up.
    var isLinked = true
    /// The setup that the statement wants of the radio.
    private(set) var setup = Setup()
    /// The version of the firmware that the radio is checked against.
    var version = FirmwareVersion.standard {
        didSet { if version != oldValue { recorder = TrafficRecorder(firmware: version) } }
    }
    /// The differences of that version from others.
    var switches: FirmwareSwitches { version.switches }

    init(_ target: any ComplianceTarget) {
        self.target = target
    }

    /// Tells whether frames come only when the statement has caused them.
    var isAlone: Bool { target.abilities.contains(.freshRadio) }

    /// Tells whether packets of ours reach the radio and those of the radio are seen.
    var seesAir: Bool { target.abilities.contains(.packets) }

    /// Tells whether that needs another radio, and an air on which packets get lost and others send.
    var sharesAir: Bool { seesAir && !isAlone }

    /// Brings radio and link to where a statement starts.
    func prepare(_ setup: Setup) throws(TargetError) {
        self.setup = setup
        try target.prepare(setup)
    }

    // MARK: Sending

    /// Sends one command in the framing of the interface.
    func send(_ command: Pattern) throws {
        try send(bytes: try command.bytes())
    }

    func send(bytes frame: [UInt8]) throws {
        keeper?.note(sent: frame)
        try sendUnwatched(frame)
    }

    /// Sends without a look at what the command will change.
    func sendUnwatched(_ frame: [UInt8]) throws {
        if target.isSilent, frame.first.flatMap(CommandCode.init(rawValue:))?.mayTransmit == true {
            throw OutOfSight(reason: "has the radio transmit, which its bench file does not allow")
        }
        step += 1
        lastSent = frame
        note("app>", frame)
        try write(StreamFraming.encode(toRadio: frame))
    }

    /// Sends bytes as they are, header and all.
    func sendRaw(_ bytes: Pattern) throws {
        if target.isSilent {
            throw OutOfSight(reason: "may have the radio transmit, which its bench file does not allow")
        }
        step += 1
        let bytes = try bytes.bytes()
        lastSent = bytes
        note("raw>", bytes)
        try write(bytes)
    }

    /// Writes bytes that are no part of what is shown.
    func write(_ bytes: [UInt8]) throws {
        try target.write(bytes)
        recorder.wrote(bytes, isWifi: target.interface == .wifi)
    }

    /// Sends a command and holds the next frames against the patterns, in order; the parts of the last one.
    @discardableResult
    func ask(_ command: Pattern, _ replies: Pattern...) throws -> Captures {
        try send(command)
        var parts = Captures(frame: [])
        for reply in replies { parts = try expect(reply) }
        return parts
    }

    // MARK: Receiving

    /// The next frame that counts must match.
    @discardableResult
    func expect(_ pattern: Pattern, within span: TimeSpan? = nil) throws -> Captures {
        step += 1
        var passedOver = 0
        while let frame = try frame(for: pattern.code, within: span ?? target.patience) {
            switch try pattern.match(frame) {
            case .matches(let parts): return parts
            case .departs(let offset):
                // Somebody else's advert may come between; but not for ever.
                passedOver += 1
                if !isAlone, frame[0] >= 0x80, passedOver < 100 { continue }
                if passedOver < 100, try passesOverMessage(frame) { continue }
                let place = offset < frame.count ? "differs at byte \(offset)" : "ends after \(frame.count) bytes"
                throw failure(expected: pattern.source, got: FrameText.reply(frame) + " (\(place))", answer: frame)
            }
        }
        throw nothingCame(expected: pattern.source)
    }

    /// The next frame, whatever it is, LOG_RX_DATA included.
    func expectAny() throws -> Captures {
        step += 1
        guard let frame = try nextFrame(within: target.patience, before: floodEnd(after: target.patience)) else {
            throw nothingCame(expected: "a frame")
        }
        return Captures(frame: frame)
    }

    /// Nothing may come for a while but LOG_RX_DATA.
    func expectSilence(for span: TimeSpan? = nil) throws {
        step += 1
        guard let frame = try frame(for: nil, within: span ?? target.silence, isSilence: true) else { return }
        throw failure(expected: "nothing", got: FrameText.reply(frame))
    }

    /// The first LOG_RX_DATA within a span; `nil` when none comes.
    func log(within span: TimeSpan) throws -> [UInt8]? {
        step += 1
        return try frame(for: 0x88, within: span)
    }

    /// The first frame that counts within a span, whatever it is; `nil` when none comes.
    ///
    /// - Parameter isAnyFrame: whether those count, too, that are passed over elsewhere.
    func pushed(within span: TimeSpan, isAnyFrame: Bool = false) throws -> [UInt8]? {
        step += 1
        if isAnyFrame { return try nextFrame(within: span, before: floodEnd(after: span)) }
        return try frame(for: nil, within: span)
    }

    /// At the end of a statement: every frame that came was asked for, and the radio runs as it did.
    func expectNothingLeft() throws {
        guard isAlone else { return }
        try expectSilence()
        if target.hasRestarted { throw failure(expected: "a radio that goes on", got: "the radio has restarted") }
    }

    /// The next bytes of the stream, header and all, must match; for what interfaces do, not commands.
    @discardableResult
    func expectRaw(_ pattern: Pattern, count: Int) throws -> Captures {
        step += 1
        var left = target.patience
        var bytes = reader.takeRaw(count)
        while bytes == nil, let more = try target.read(within: left) {
            reader.append(more)
            bytes = reader.takeRaw(count)
            left = target.silence
        }
        guard let bytes else {
            throw failure(expected: pattern.source, got: FrameText.hex(reader.buffer) + " and no more")
        }
        note("<raw", bytes)
        recordFrames(in: bytes)
        guard case .matches(let parts) = try pattern.match(bytes) else {
            throw failure(expected: pattern.source, got: FrameText.hex(bytes))
        }
        return parts
    }

    /// Whole frames that a statement reads as bytes are traffic, too.
    private func recordFrames(in bytes: [UInt8]) {
        var frames = StreamReader()
        frames.append(bytes)
        while let frame = frames.next() { recorder.received(frame) }
    }

    /// All frames until nothing has come for a while; for listings.
    func collect(until isLast: ([UInt8]) -> Bool) throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while let frame = try frame(for: nil, within: target.patience) {
            frames.append(frame)
            if isLast(frame) { return frames }
            if frames.count > 10_000 { break }
        }
        throw failure(expected: "the end of a listing", got: "nothing after \(frames.count) frames")
    }

    /// Forgets what came and was not asked for.
    func drain() throws {
        let end = floodEnd(after: target.silence)
        repeat { waiting = [] } while try nextFrame(within: target.silence, before: end) != nil
        reader.clear()
    }

    /// Sends APP_START, which also ends a listing, and passes over everything before its answer.
    ///
    /// A radio that answers something else is believed to be there when it says that. One that answers to nothing is,
    /// and one that refuses the question, as after a setting that it cannot tell.
    func resynchronise() throws {
        waiting = []
        guard let answer = greeting.answer else { return try drain() }
        try sendUnwatched(greeting.question)
        let end = floodEnd(after: target.patience)
        var isRefused = false
        while let frame = try nextFrame(within: target.patience, before: end) {
            if frame.first == ResponseCode.err.rawValue { isRefused = true }
            guard frame.first == answer else { continue }
            // The answer to an earlier command may look the same.
            if !greeting.isUsual { try drain() }
            return
        }
        if isRefused { return try drain() }
        throw nothingCame(expected: FrameText.hex([answer]) + " …")
    }

    /// The next frame that is not passed over.
    private func frame(for code: UInt8?, within span: TimeSpan, isSilence: Bool = false) throws -> [UInt8]? {
        let end = floodEnd(after: span)
        while let frame = try nextFrame(within: span, before: end) {
            if !isPassedOver(frame, for: code) || isSilence && isCausedByUs(frame) { return frame }
        }
        return nil
    }

    private func isPassedOver(_ frame: [UInt8], for code: UInt8?) -> Bool {
        guard let first = frame.first, first >= 0x80 else { return false }
        if let code, code == first { return false }
        return first == 0x88 || !isAlone
    }

    /// Returns the time at which a wait of `span` is given up, whatever comes. A radio on virtual time sends no more
    /// than it should.
    private func floodEnd(after span: TimeSpan) -> ContinuousClock.Instant? {
        isAlone ? nil : ContinuousClock.now + .microseconds(span.microseconds) + floodLimit
    }

    private func nextFrame(within span: TimeSpan, before end: ContinuousClock.Instant?) throws -> [UInt8]? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        while true {
            if let end, ContinuousClock.now >= end {
                throw failure(expected: "an end of bytes that nobody asked for", got: "more and more of them")
            }
            if let frame = reader.next() {
                note("<app", frame)
                recorder.received(frame)
                frameCount += 1
                if frame.first == 0x88, !isAlone { noteLogged([UInt8](frame.dropFirst(3))) }
                return frame
            }
            guard let bytes = try target.read(within: span) else { return nil }
            if firstBytes.count < 40 { firstBytes += bytes.prefix(40 - firstBytes.count) }
            reader.append(bytes)
        }
    }

    private func noteLogged(_ packet: [UInt8]) {
        logged.append(packet)
        heard.append(packet)
        if logged.count > 128 { logged.removeFirst(64) }
        if heard.count > 128 { heard.removeFirst(64) }
    }

    /// Receives frames up to `isLast`, or for so long, and leaves them for later steps. Returns whether it came.
    @discardableResult
    func listen(for span: TimeSpan, until isLast: ([UInt8]) -> Bool = { _ in false }) throws -> Bool {
        var passed = waiting
        waiting = []
        defer { waiting = passed + waiting }
        let end = ContinuousClock.now + .microseconds(span.microseconds)
        while true {
            let left = TimeSpan(end - ContinuousClock.now)
            guard left > .zero, passed.count < 10_000, let frame = try nextFrame(within: left, before: nil) else {
                return false
            }
            passed.append(frame)
            if isLast(frame) { return true }
        }
    }

    /// Forgets the frames that wait; those still on their way come all the same.
    func forgetWaiting() {
        waiting = []
    }

    // MARK: Judging

    /// A failure at a step that waited in vain, with the reason where there is one.
    private func nothingCame(expected: String) -> Failure {
        failure(expected: expected, got: target.linkProblem.map { "nothing: \($0)" } ?? "nothing")
    }

    /// A failure at this step, with what went before.
    func failure(expected: String, got: String, answer: [UInt8]? = nil) -> Failure {
        var failure = Failure(
            step: step, sent: lastSent, expected: expected, got: got, transcript: transcript.suffix(16).map(\.text))
        // Bytes that were sent as they are have a header, and begin with no command.
        let isFrame = transcript.last { $0.kind == "app>" || $0.kind == "raw>" }?.kind == "app>"
        failure.answer = isFrame ? answer : nil
        return failure
    }

    /// Fails unless `isKept`; the texts say what should be and what is.
    func require(_ isKept: Bool, _ expected: @autoclosure () -> String, got: @autoclosure () -> String = "not so")
        throws
    {
        step += 1
        guard !isKept else { return }
        throw failure(expected: expected(), got: got())
    }

    /// Fails unless the two are equal.
    func require(_ what: String, _ value: UInt32, is expected: UInt32) throws {
        try require(value == expected, "\(what) \(expected)", got: "\(value)")
    }

    /// Fails unless the bytes are equal.
    func require(_ what: String, _ value: [UInt8], is expected: [UInt8]) throws {
        try require(value == expected, what + " " + FrameText.hex(expected), got: FrameText.hex(value))
    }

    /// Writes a line to the transcript.
    func note(_ kind: String, _ bytes: [UInt8]) {
        transcript.append(TranscriptLine(at: moment, kind: kind, bytes: bytes))
        if transcript.count > 64 { transcript.removeFirst(32) }
    }

    /// The radio's time, or what has passed since the run began.
    var moment: Instant {
        if let time = target.virtualTime { return time }
        return .start + TimeSpan(ContinuousClock.now - start)
    }

    /// Events up to now in this statement.
    var evidence: Evidence {
        Evidence(
            lines: transcript, transmissions: target.airLog, hasAir: seesAir,
            end: moment)
    }

    /// Counts something as a step that is neither sent nor expected as a frame.
    func beginStep(_ kind: String, _ bytes: [UInt8] = []) {
        step += 1
        note(kind, bytes)
    }

    /// Starts over for the next statement.
    func begin() {
        reader.clear()
        waiting = []
        step = 0
        lastSent = nil
        transcript = []
        knownKey = nil
        if !isAlone {
            // Radios remember what they have heard, and drop it the next time.
            sentAt = 1_600_000_000 + UInt32.random(in: 0..<100_000_000)
            nonce = UInt32.random(in: 1...UInt32.max).wireBytes
        }
        recorder.begin()
    }

    /// Bytes half received do not outlive the link.
    func forgetPartialFrame() {
        reader.clear()
        recorder.linkChanged()
    }

    /// Counts a restart that was seen, and drops commands that the radio no longer answers because of it.
    func noteRestart() {
        recorder.restarted()
        reader.clear()
    }
}
