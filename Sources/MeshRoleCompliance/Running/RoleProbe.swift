import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshRadio
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// The tester of a statement: types at the node's console, puts packets on its air, and looks at what it sends.
final class RoleProbe {
    static let alice = Peer("Alice", seed: 0x01)
    static let eve = Peer("Eve", seed: 0x0D)
    /// The clients that most statements play.
    static let named = [alice, .bob, .carol, eve]
    /// The clients of all statements.
    static let clients = named + (0..<32).map { Peer(number: $0) }

    let target: any RoleTarget
    /// The role that the node is asked to have.
    let role: ServerRole
    /// The version of the firmware that the node is checked against.
    let version: FirmwareVersion
    private var step = 0
    private var transcript: [TranscriptLine] = []
    /// The time of the last stimulus, from which answers are measured.
    private var mark = Instant.start
    private var knownKey: [UInt8]?
    private var stamp: UInt32 = 0
    /// A number that makes a packet without a time one that the node has not heard before.
    private var nonce: UInt16 = 0

    init(_ target: any RoleTarget, _ role: ServerRole, _ version: FirmwareVersion) {
        self.target = target
        self.role = role
        self.version = version
    }

    var switches: FirmwareSwitches { version.switches }

    /// Brings the node to where a statement begins, and forgets the one before.
    func begin(_ setup: RoleSetup) throws(TargetError) {
        (step, transcript, knownKey) = (0, [], nil)
        try target.prepare(setup)
        // A node that outlives the statement remembers what it has heard, and its clock tells one time from another.
        (stamp, nonce) = (target.clock &+ 400, target.keepsState ? UInt16(truncatingIfNeeded: target.clock) : 0)
        mark = target.now
    }

    // MARK: Console

    /// Types a line; the answer, empty where there is none.
    @discardableResult
    func type(_ line: String) throws -> String {
        step += 1
        note("console> " + line)
        mark = target.now
        let answer = ConsoleText.answer(in: try target.type(line))
        note("<console " + answer.visible)
        return answer
    }

    /// Types a line that must be answered like this.
    func type(_ line: String, _ answer: String) throws {
        let got = try type(line)
        try require(got == answer, "'\(answer.visible)' upon '\(line)'", got: "'\(got.visible)'")
    }

    /// All that the console prints upon a line.
    func printed(by line: String) throws -> String {
        step += 1
        note("console> " + line)
        return try target.type(line).text
    }

    /// The node's public key, as its console gives it.
    func key() throws -> [UInt8] {
        if let knownKey { return knownKey }
        let answer = try type("get public.key")
        guard answer.hasPrefix("> "), let key = [UInt8](hex: answer.dropFirst(2)), key.count == 32 else {
            throw failure(expected: "a public key upon 'get public.key'", got: "'\(answer.visible)'")
        }
        knownKey = key
        return key
    }

    // MARK: Air

    /// Puts a frame on the air; what the node sends in the time after it.
    @discardableResult
    func hear(
        _ frame: [UInt8], snr: Double = 10, for span: TimeSpan = .seconds(4), isWaiting: Bool = true
    ) throws -> [NodeReply] {
        step += 1
        note("air<", frame)
        try target.hear(frame, snr: snr, isWaiting: isWaiting)
        mark = target.now
        return try listen(for: span)
    }

    @discardableResult
    func hear(_ packet: AirPacket, snr: Double = 10, for span: TimeSpan = .seconds(4)) throws -> [NodeReply] {
        try hear(packet.bytes, snr: snr, for: span)
    }

    /// The packets that the node begins to send in a span, and all that were not looked at before.
    func listen(for span: TimeSpan) throws -> [NodeReply] {
        step += 1
        let end = target.now + span
        var replies: [NodeReply] = []
        repeat {
            guard let frame = try target.transmission(within: end - target.now) else { break }
            note("air>", frame.bytes, at: frame.begin)
            guard let packet = AirPacket(frame.bytes) else {
                throw failure(expected: "a packet on the air", got: FrameText.hex(frame.bytes))
            }
            replies.append(
                NodeReply(
                    begin: frame.begin, milliseconds: (frame.begin - mark).milliseconds, packet: packet,
                    bytes: frame.bytes))
        } while replies.count < 10_000
        return replies
    }

    /// Lets time pass, and forgets what the node sends meanwhile.
    func wait(_ span: TimeSpan) throws { _ = try listen(for: span) }

    func holdChannel(_ isBusy: Bool) throws {
        note(isBusy ? "channel busy" : "channel free")
        try target.holdChannel(isBusy)
        mark = target.now
    }

    func holdTransmitter(_ isHeld: Bool) throws {
        note(isHeld ? "transmitter held" : "transmitter free")
        try target.holdTransmitter(isHeld)
    }

    func cyclePower() throws {
        note("power cycle")
        try target.cyclePower()
        mark = target.now
    }

    func setBattery(millivolts: UInt16) throws {
        note("battery \(millivolts) mV")
        try target.setBattery(millivolts: millivolts)
    }

    // MARK: Numbers of the node

    /// The airtime of frames at the node's settings, in its version.
    private var nodeAirtime: Airtime {
        var board = BoardProfile.heltecV3
        board.firmware = version
        return board.airtime(target.radio)
    }

    /// The estimate of the node's driver for a frame of so many bytes, in milliseconds.
    func airtime(bytes: Int) -> Int64 { Int64(nodeAirtime.milliseconds(bytes: bytes)) }

    /// The time that such a frame is on the air.
    func onAir(bytes: Int) -> TimeSpan { .microseconds(nodeAirtime.microseconds(bytes: bytes)) }

    /// The unit of the delay before a packet of so many path and payload bytes is forwarded, in milliseconds.
    func delayUnit(bytes: Int, factor: Float) -> Int64 { Int64(wholePart: Float(airtime(bytes: bytes + 2)) * factor) }

    /// The largest error of a measured time, in milliseconds.
    var error: Int64 { target.precision.milliseconds }

    /// A time stamp that no client has used.
    func nextStamp() -> UInt32 {
        stamp &+= 1
        return stamp
    }

    /// The first byte of a node's key that is not the node's own; each number gives another one.
    func hop(_ number: UInt8) throws -> UInt8 {
        let byte = 0x11 &+ number
        return byte == (try key()[0]) ? 0xF0 : byte
    }

    /// Four bytes that make a packet another one than those before.
    func freshExtra() -> [UInt8] {
        nonce &+= 1
        return [UInt8(nonce >> 8), UInt8(truncatingIfNeeded: nonce), 0, 0]
    }

    /// A group text of `count` bytes that nobody can read, another one at each call.
    func alien(_ kind: AirPacket.Kind = .groupText, path: [UInt8] = [], size: UInt8 = 1, count: Int = 20) -> AirPacket {
        nonce &+= 1
        let body = [0x11, UInt8(nonce >> 8), UInt8(truncatingIfNeeded: nonce)] + [UInt8](repeating: 0x42, count: 200)
        return AirPacket(kind, .flood, path: path, hashSize: size, payload: [UInt8](body.prefix(count)))
    }

    /// The version as the node writes it.
    var versionText: String { target.versionText ?? version.text }

    // MARK: Signals

    /// Tells whether the node hears packets as strong as they are given.
    var setsSignals: Bool { target.abilities.contains(.air) }

    /// The quarter decibels that a node is to report of a packet with this SNR.
    ///
    /// An antenna cannot choose how strong it is heard, and whatever is reported will do.
    func quarters(_ snr: Double, reported: UInt8?) -> UInt8 {
        setsSignals ? UInt8(bitPattern: Int8(clamping: Int64(wholePart: snr * 4))) : reported ?? 0
    }

    // MARK: Judging

    /// Fails unless `isKept`; the texts say what should be and what is.
    func require(_ isKept: Bool, _ expected: @autoclosure () -> String, got: @autoclosure () -> String = "not so")
        throws
    {
        step += 1
        guard !isKept else { return }
        throw failure(expected: expected(), got: got())
    }

    /// Fails unless the two are equal.
    func require<Value: Equatable>(_ what: String, _ value: Value, is expected: Value) throws {
        try require(value == expected, "\(what) \(expected)", got: "\(value)")
    }

    /// Fails unless the bytes are equal.
    func require(_ what: String, _ value: [UInt8], is expected: [UInt8]) throws {
        try require(value == expected, what + " " + FrameText.hex(expected), got: FrameText.hex(value))
    }

    /// The one packet of these; fails when there are none or more.
    @discardableResult
    func one(_ replies: [NodeReply], _ what: String = "one packet") throws -> NodeReply {
        guard replies.count == 1 else { throw failure(expected: what, got: NodeReply.list(replies)) }
        return replies[0]
    }

    /// Fails when the node has sent something.
    func silence(_ replies: [NodeReply]) throws {
        try require(replies.isEmpty, "silence on the air", got: NodeReply.list(replies))
    }

    /// Fails unless a packet came after so many milliseconds, by the target's precision.
    func after(_ milliseconds: Int64, _ reply: NodeReply) throws {
        try require(
            abs(reply.milliseconds - milliseconds) <= error, "a packet after \(milliseconds) ms",
            got: "after \(reply.milliseconds) ms")
    }

    func failure(expected: String, got: String) -> Failure {
        Failure(
            step: step, sent: nil, expected: expected, got: got, transcript: transcript.suffix(16).map(\.text))
    }

    /// Events up to now in this statement.
    var evidence: Evidence { Evidence(lines: transcript, transmissions: [], hasAir: true, end: target.now) }

    private func note(_ kind: String, _ bytes: [UInt8] = [], at time: Instant? = nil) {
        transcript.append(TranscriptLine(at: time ?? target.now, kind: kind, bytes: bytes))
        if transcript.count > 64 { transcript.removeFirst(32) }
    }
}

/// A packet that the node has sent, and when it began after the last stimulus.
struct NodeReply: Sendable {
    let begin: Instant
    let milliseconds: Int64
    let packet: AirPacket
    let bytes: [UInt8]

    /// A packet for each, or the word for none.
    static func list(_ replies: [NodeReply]) -> String {
        guard !replies.isEmpty else { return "nothing" }
        return replies.map { "\($0.packet.kind) as \($0.packet.route) after \($0.milliseconds) ms" }
            .joined(separator: ", ")
    }
}

extension String {
    /// The text in one line.
    var visible: String { replacing("\r", with: "\\r").replacing("\n", with: "\\n") }
}
