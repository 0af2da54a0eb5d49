import MeshCrypto
import MeshRadio
import MeshTime
import MeshWire

@testable import MeshFirmware

/// A booted node of any role with somebody at its console.
struct ConsoleBench {
    private(set) var node: any InfrastructureNode
    private(set) var now = Instant.start
    /// What the node printed since the last line was typed.
    private(set) var printed: [UInt8] = []
    /// What it wanted done since then.
    private(set) var effects: [NodeEffect] = []

    init(_ role: ServerRole, board: BoardProfile = .hostBoard, flash: Flash = Flash()) {
        let setup = ServerSetup(role, board: board)
        let clock = RealTimeClock(unixSeconds: board.clockAtPowerOn, at: .start)
        let type: any InfrastructureNode.Type =
            switch role {
            case .repeater: Repeater.self
            case .roomServer: RoomServer.self
            case .sensor: Sensor.self
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
        for case .appBytes(let bytes) in new { printed += bytes }
        effects += new
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
        (printed, effects) = ([], [])
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

    /// Types the lines of a script into a fresh node; where its answers differ.
    static func play(_ lines: [CommandScript.Line], on role: ServerRole, board: BoardProfile) -> [String] {
        var console = ConsoleBench(role, board: board)
        return lines.compactMap { line in
            let (wanted, answer) = (line.reply(of: role) ?? "", console.type(line.command))
            return wanted == answer ? nil : "\(line.command): expected '\(wanted)', got '\(answer)'"
        }
    }
}
