import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshWire

/// A check that is there for cells of the matrix that no statement and no conversation has traffic for.
struct MatrixCheck: Sendable {
    /// `MATRIX-0B-longest`, `MATRIX-frame-07-lengths`.
    let id: String
    let title: String
    let needs: Abilities
    let setup: Setup
    /// In which versions it shows something.
    var versions = StatementVersions.always
    let body: @Sendable (Probe) throws -> Void

    init(
        _ name: String, _ title: String, needs: Abilities = [],
        board: (@Sendable (inout BoardProfile) -> Void)? = nil, since release: Release? = nil,
        _ body: @escaping @Sendable (Probe) throws -> Void
    ) {
        id = "MATRIX-" + name
        self.title = title
        self.needs = board == nil ? needs : needs.union(.builds)
        setup = Setup(board: board)
        self.body = body
        guard let release else { return }
        versions = StatementVersions(
            holds: .since(release), otherwise: "it has none of this", isFollowed: false)
    }

    /// All of them: lengths of commands in the order of the codes, then lengths of the radio's own frames.
    static let all: [MatrixCheck] = longestCommands + cutCommands + frameLengths

    /// A command filled up to 176 bytes, and how it is answered.
    init(
        longest code: CommandCode, needs: Abilities = [], filler: UInt8 = 0,
        _ ask: @escaping @Sendable (Probe) throws -> (command: Pattern, reply: Pattern)
    ) {
        self.init(
            [code.rawValue].hex.uppercased() + "-longest", "\(code.wireName.dropFirst(4)) takes the longest frame",
            needs: needs, since: code.row.since
        ) { radio in
            let (command, reply) = try ask(radio)
            let bytes = [code.rawValue] + (try command.bytes())
            let padding = [UInt8](repeating: filler, count: max(0, radio.switches.frameLimit - bytes.count))
            try radio.ask("\(bytes + padding)", reply)
        }
    }

    /// The same where neither depends on what the radio says of itself.
    init(
        longest code: CommandCode, needs: Abilities = [], filler: UInt8 = 0, _ command: Pattern, _ reply: Pattern
    ) {
        self.init(longest: code, needs: needs, filler: filler) { _ in (command, reply) }
    }
}
