public import MeshCompanion

/// The parts of the companion protocol's table that a run has seen on the link. Rows are commands, with replies,
/// errors, lengths, tails and pushes, and the frames of the radio, with lengths.
///
/// The cells are made from the total table, so a new row has its cells at once. None can be marked by hand: only frames
/// on the link mark them, and those of a command only with its answer.
///
/// ```swift
/// for row in report.matrix.commands { print(row.name, row.empty(.error).map(\.name)) }
/// ```
public struct CoverageMatrix: Sendable, Hashable {
    /// The aspect of a row that a cell is about.
    public enum Aspect: String, Sendable, CaseIterable {
        /// An answer that the table foresees.
        case reply
        /// A refusal that the table foresees.
        case error
        /// A length at which something begins or ends.
        case length
        /// An optional field, there or left out.
        case tail
        /// A push that may come later because of the command.
        case push
    }

    /// One thing that can be seen on the link.
    public struct Cell: Sendable, Hashable {
        /// The aspect that is seen.
        public let aspect: Aspect
        /// `SELF_INFO`, `ILLEGAL_ARG`, `36 shortest`, `with since`.
        public let name: String
        /// The number of times that it was seen.
        public internal(set) var seen = 0
        let mark: Mark

        /// Tells whether it was not seen in this run.
        public var isEmpty: Bool { seen == 0 }

        init(_ mark: Mark) {
            self.mark = mark
            aspect = mark.aspect
            name = mark.name
        }
    }

    /// The part of the table about one command, or about one frame of the radio.
    public struct Row: Sendable, Hashable {
        /// The first byte.
        public let code: UInt8
        /// The firmware's constant, `CMD_SET_RADIO_PARAMS`.
        public let name: String
        /// All that can be seen of this row, seen or not.
        public internal(set) var cells: [Cell]

        /// The cells of one kind.
        public func cells(_ aspect: Aspect) -> [Cell] { cells.filter { $0.aspect == aspect } }
        /// The cells of one kind that were not seen.
        public func empty(_ aspect: Aspect) -> [Cell] { cells.filter { $0.aspect == aspect && $0.isEmpty } }
    }

    /// The commands that the version has, in the order of their codes.
    public internal(set) var commands: [Row]
    /// The responses and then the pushes, in the order of their codes; all their cells are about lengths.
    public internal(set) var frames: [Row]

    /// The matrix of a radio with this firmware, with no traffic in it.
    public init(firmware: FirmwareVersion = .standard) {
        commands = CommandCode.allCases.filter { firmware.has(since: $0.row.since) }.map { code in
            Row(code: code.rawValue, name: code.wireName, cells: Mark.marks(of: code).map(Cell.init))
        }
        let responses = ResponseCode.allCases.filter { firmware.has(since: $0.row.since) }
        let codes = responses.map(RadioCode.response) + PushCode.allCases.map(RadioCode.push)
        frames = codes.map { Row(code: $0.byte, name: $0.wireName, cells: Mark.marks(of: $0).map(Cell.init)) }
    }

    /// All cells.
    public var count: Int { (commands + frames).reduce(0) { $0 + $1.cells.count } }
    /// The cells that something was seen of.
    public var seen: Int { (commands + frames).reduce(0) { $0 + $1.cells.count { !$0.isEmpty } } }

    // MARK: Marking

    /// A command and the frame that answered it.
    mutating func mark(_ command: [UInt8], answered answer: [UInt8]) {
        markCommand(command) { mark in mark.fits(command: command, answer: answer) }
    }

    /// A command that is not answered: the radio restarted because of it.
    mutating func markRestart(by command: [UInt8]) {
        markCommand(command) { mark in mark == .silence || mark.fitsLength(of: command) }
    }

    /// A push that came after the command.
    mutating func mark(_ push: PushCode, after command: CommandCode) {
        markCommand([command.rawValue]) { $0 == .push(push) }
    }

    /// Any frame of the radio.
    mutating func mark(frame: [UInt8]) {
        guard let first = frame.first, let row = frames.firstIndex(where: { $0.code == first }) else { return }
        for cell in frames[row].cells.indices where frames[row].cells[cell].mark.fitsLength(of: frame) {
            frames[row].cells[cell].seen += 1
        }
    }

    private mutating func markCommand(_ command: [UInt8], where fits: (Mark) -> Bool) {
        guard let first = command.first, let row = commands.firstIndex(where: { $0.code == first }) else { return }
        for cell in commands[row].cells.indices where fits(commands[row].cells[cell].mark) {
            commands[row].cells[cell].seen += 1
        }
    }
}
