import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire

@testable import MeshFirmware

/// A booted node of any role with a user at its console.
struct ConsoleBench {
    private(set) var node: any InfrastructureNode
    private(set) var now = Instant.start
    /// The output of the node since the last line was typed.
    private(set) var printed: [UInt8] = []
    /// The effects that it requested since then.
    private(set) var effects: [NodeEffect] = []
    /// The packets that it has sent since the last line or frame, with the milliseconds after that.
    private(set) var sent: [(at: Int64, packet: PacketView)] = []
    private var start = Instant.start
    private var stamp: UInt32 = 1_767_226_000

    init(_ role: ServerRole, board: BoardProfile = .hostBoard, flash: Flash = Flash()) {
        let setup = ServerSetup(role, board: board)
        let clock = RealTimeClock(unixSeconds: board.clockAtPowerOn, at: .start)
        let type: any InfrastructureNode.Type =
            switch role {
            case .repeater: RepeaterNode.self
            case .roomServer: RoomServer.self
            case .sensor: SensorNode.self
            }
        node = type.init(
            identity: InfrastructureVectors.server, board: board, setup: setup, quirks: .all,
            random: Seed(5).stream("console", role.commandName), clock: clock, flash: flash, at: .start)
        handle(.woke)
    }

    var server: ServerState { node.server }
    var text: String { String(decoding: printed, as: UTF8.self) }

    mutating func handle(_ input: NodeInput) {
        var new: [NodeEffect] = []
        node.handle(input, at: now, radio: RadioStatus(), into: &new)
        for effect in new {
            switch effect {
            case .appBytes(let bytes): printed += bytes
            case .transmit(let frame):
                guard let packet = try? PacketView(frame.bytes) else { continue }
                sent.append(((now - start).milliseconds, packet))
            default: break
            }
        }
        effects += new
    }

    mutating func setFlashFaults(write: Bool = false, format: Bool = false) {
        node.setFlashFaults(write: write, format: format)
    }

    private mutating func begin() { (printed, effects, sent, start) = ([], [], [], now) }

    /// A frame by radio.
    mutating func hear(_ frame: [UInt8]) {
        begin()
        handle(.heard(RadioFrame(frame), Signal(snrHundredths: 1000, rssiHundredths: -6000)))
    }

    /// The number of restarts that it has requested since the last line or frame.
    var restarts: Int { effects.count { if case .reboot = $0 { true } else { false } } }
    var writtenFiles: [String] {
        effects.compactMap { if case .flash(.wrote(let path, _)) = $0 { path } else { nil } }
    }
    /// The transmit power that was set last.
    var txPower: Int8? {
        effects.compactMap { if case .setTxPower(let power) = $0 { power } else { nil } }.last
    }

    /// Lets time pass, and every transmission end at once.
    mutating func run(_ span: TimeSpan) {
        let end = now + span
        while node.nextWake <= end {
            now = max(now, node.nextWake)
            let before = effects.count
            handle(.woke)
            for case .transmit in effects[before...] { handle(.transmitDone) }
        }
        now = end
    }

    /// Characters as they come.
    mutating func send(_ bytes: some Sequence<UInt8>) {
        begin()
        handle(.appBytes([UInt8](bytes)))
    }

    /// A line and its end; what the node answers behind its `-> `, without the end of line.
    mutating func type(_ line: String) -> String { String(decoding: type([UInt8](line.utf8)), as: UTF8.self) }

    mutating func type(_ line: [UInt8]) -> [UInt8] {
        send(line + [UInt8(ascii: "\r")])
        let mark = [UInt8]("  -> ".utf8)
        let echo = line.count + 1 + (node.server.role == .repeater ? 1 : 0)
        let rest = printed.dropFirst(echo)
        guard let start = rest.indices.last(where: { rest[$0...].starts(with: mark) }) else { return [] }
        return [UInt8](rest[(start + mark.count)...].dropLast(rest.suffix(2).elementsEqual("\r\n".utf8) ? 2 : 0))
    }

    /// Sets the calendar clock, as of now.
    mutating func setClock(_ unixSeconds: UInt32) {
        handle(.woke)
        node.setClock(unixSeconds)
    }

    /// The calendar clock now, and not as of the last pass.
    mutating func clock() -> UInt32 {
        handle(.woke)
        return node.unixTime
    }

    /// Types the lines of a script into a fresh node; where its answers differ.
    static func play(_ lines: [CommandScript.Line], on role: ServerRole, board: BoardProfile) -> [String] {
        var console = ConsoleBench(role, board: board)
        return lines.compactMap { line in
            let (wanted, answer) = (line.reply(of: role) ?? "", console.type(line.command))
            return wanted == answer ? nil : "\(line.command): expected '\(wanted)', got '\(answer)'"
        }
    }
}

// Clients, by radio.
extension ConsoleBench {
    static let alice = InfrastructureVectors.peer("alice")
    static let bob = InfrastructureVectors.peer("bob")
    private static let key = InfrastructureVectors.server.publicKey

    /// A time stamp that no client has used.
    mutating func nextStamp() -> UInt32 {
        stamp += 1
        return stamp
    }

    /// A text as a client seals it, up to the 171 bytes that fit into a packet; apps write no more than 160.
    static func frame(
        _ text: String, from peer: Peer = alice, type: TextType = .cliData, attempt: UInt8 = 0, at time: UInt32
    ) -> [UInt8] {
        let plaintext = Peer.plaintext([UInt8](text.utf8), type: type, attempt: attempt, at: time)
        return [0x0A, 0, key[0], peer.key[0]] + Sealing.seal(plaintext, secret: peer.secret(with: key))
    }

    /// A text of Alice's; what is sent in two and a half seconds upon it.
    mutating func tell(
        _ text: String, type: TextType = .cliData, attempt: UInt8 = 0, at time: UInt32? = nil
    ) -> [(at: Int64, packet: PacketView)] {
        hear(Self.frame(text, type: type, attempt: attempt, at: time ?? nextStamp()))
        run(.milliseconds(2500))
        return sent
    }

    /// Sends a command, and returns its answer; `nil` for silence.
    mutating func command(_ line: String, from peer: Peer = alice, at time: UInt32? = nil) -> String? {
        hear(Self.frame(line, from: peer, at: time ?? nextStamp()))
        run(.milliseconds(2500))
        return sent.lazy.compactMap { Self.text($0.packet, for: peer)?.text.string }.first
    }

    /// The text that a packet brings a client.
    static func text(_ packet: PacketView?, for peer: Peer = alice) -> TextPlaintext? {
        guard let packet, packet.type == .txtMsg, let opened = peer.opened(packet.bytes, with: key) else { return nil }
        return opened.withUnsafeBytes { try? TextPlaintext(reading: $0) }
    }

    /// Returns whether a client who logs in with a password is answered.
    mutating func letsIn(_ peer: Peer, password: ByteText) -> Bool {
        let time = nextStamp()
        let plaintext =
            server.role == .roomServer
            ? RoomLoginPlaintext(timestamp: time, syncSince: 0, password: password).written()
            : LoginPlaintext(timestamp: time, password: password).written()
        let packet = plaintext.withUnsafeBytes {
            PacketFactory.anonymous(to: Self.key[0], from: peer.key, secret: peer.secret(with: Self.key), $0)
        }
        hear(Peer.routed(packet, .direct))
        run(.milliseconds(2500))
        return sent.contains { $0.packet.type == .response }
    }
}
