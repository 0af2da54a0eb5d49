/// The client's side of Telnet with the com port option of RFC 2217, as bytes in and bytes out.
///
/// It governs the negotiation, the settings of the line and the marks among its bytes. It does not wait and opens
/// nothing. Options that nobody needs are refused. Bytes pass as they are in both directions: options for text are
/// switched off by those for binary transmission.
struct ComPortClient {
    /// Bytes with a meaning of their own.
    private enum Telnet {
        static let mark: UInt8 = 255
        static let dont: UInt8 = 254
        static let `do`: UInt8 = 253
        static let wont: UInt8 = 252
        static let will: UInt8 = 251
        static let begin: UInt8 = 250
        static let end: UInt8 = 240
        static let binary: UInt8 = 0
        static let noGoAhead: UInt8 = 3
        static let comPort: UInt8 = 44
    }

    /// The settings of RFC 2217 that are used. The server answers with the number and 100 more.
    enum Setting: UInt8 {
        case baud = 1, size, parity, stop, control
    }

    /// The values of `Setting.control`.
    enum Control: UInt8 {
        case noFlowControl = 1
        case dtrOn = 8, dtrOff = 9
        case rtsOn = 11, rtsOff = 12
    }

    /// The reason why the server cannot be used.
    enum Fault: Error, Hashable {
        /// It refuses the option, or is no Telnet server.
        case noComPort
        /// The line keeps another speed.
        case otherBaud(UInt32)
        /// It breaks the protocol.
        case malformed
    }

    private enum State {
        case data, mark
        /// Behind one of the four verbs.
        case option(UInt8)
        case setting, settingMark
    }

    private let baud: UInt32
    private var state = State.data
    /// The setting that is being read, without its marks.
    private var part: [UInt8] = []
    /// The longest that is read; those of the option have few bytes, and a server's signature is no more than a line.
    private static let longestPart = 256
    /// Refusals so far: two sides that never agree would go on for ever.
    private var refusals = 0
    private static let mostRefusals = 64
    /// The settings that wait for their answer.
    private var awaited: [Setting] = []
    private var hasAgreed = false

    init(baud: Int) {
        self.baud = UInt32(clamping: baud)
    }

    /// Tells whether the server has the option and has answered all settings.
    var isReady: Bool { hasAgreed && awaited.isEmpty }

    // MARK: To the server

    /// The first bytes of a connection.
    func opening() -> [UInt8] {
        [
            (Telnet.will, Telnet.comPort), (Telnet.do, Telnet.comPort), (Telnet.will, Telnet.binary),
            (Telnet.do, Telnet.binary), (Telnet.will, Telnet.noGoAhead), (Telnet.do, Telnet.noGoAhead),
        ].flatMap { [Telnet.mark, $0.0, $0.1] }
    }

    /// Bytes of the line as they go to the server.
    func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for byte in bytes {
            out.append(byte)
            if byte == Telnet.mark { out.append(byte) }
        }
        return out
    }

    /// Sets an output of the line; the server answers.
    mutating func set(_ control: Control) -> [UInt8] { request(.control, [control.rawValue]) }

    private mutating func request(_ setting: Setting, _ value: [UInt8]) -> [UInt8] {
        awaited.append(setting)
        return [Telnet.mark, Telnet.begin, Telnet.comPort, setting.rawValue] + encoded(value[...])
            + [Telnet.mark, Telnet.end]
    }

    /// Eight bits, no parity, one stop bit and no flow control, as on a line of this machine. DTR and RTS stay as they
    /// are: on many boards they are the reset.
    private mutating func settings() -> [UInt8] {
        request(.baud, (0..<4).map { UInt8(truncatingIfNeeded: baud >> (24 - 8 * $0)) }) + request(.size, [8])
            + request(.parity, [1]) + request(.stop, [1]) + set(.noFlowControl)
    }

    // MARK: From the server

    /// Reads what the server sent: the bytes of the line, and the answer that it needs.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws(Fault) -> (line: [UInt8], answer: [UInt8]) {
        var (line, answer): ([UInt8], [UInt8]) = ([], [])
        for byte in bytes {
            switch state {
            case .data:
                if byte == Telnet.mark { state = .mark } else { line.append(byte) }
            case .mark:
                state = .data
                switch byte {
                case Telnet.mark: line.append(byte)
                case Telnet.will, Telnet.wont, Telnet.do, Telnet.dont: state = .option(byte)
                case Telnet.begin: (state, part) = (.setting, [])
                // Words of Telnet without a meaning here.
                default: break
                }
            case .option(let verb):
                state = .data
                answer += try negotiate(verb, byte)
            case .setting:
                if byte == Telnet.mark { state = .settingMark } else { try keep(byte) }
            case .settingMark:
                guard byte == Telnet.end else {
                    guard byte == Telnet.mark else { throw .malformed }
                    state = .setting
                    try keep(byte)
                    continue
                }
                state = .data
                try answered()
            }
        }
        return (line, answer)
    }

    private mutating func keep(_ byte: UInt8) throws(Fault) {
        guard part.count < Self.longestPart else { throw .malformed }
        part.append(byte)
    }

    private mutating func negotiate(_ verb: UInt8, _ option: UInt8) throws(Fault) -> [UInt8] {
        switch (verb, option) {
        case (Telnet.do, Telnet.comPort), (Telnet.will, Telnet.comPort):
            guard !hasAgreed else { return [] }
            hasAgreed = true
            return settings()
        case (Telnet.dont, Telnet.comPort):
            guard hasAgreed else { throw .noComPort }
            return []
        // One direction of the option is enough.
        case (Telnet.wont, _), (Telnet.dont, _): return []
        // Asked for at the beginning.
        case (_, Telnet.binary), (_, Telnet.noGoAhead): return []
        default:
            refusals += 1
            guard refusals <= Self.mostRefusals else { throw .malformed }
            return [Telnet.mark, verb == Telnet.do ? Telnet.wont : Telnet.dont, option]
        }
    }

    /// Reads an answer; notices of the line's state are passed over.
    private mutating func answered() throws(Fault) {
        guard part.first == Telnet.comPort, part.count >= 2, let setting = Setting(rawValue: part[1] &- 100),
            let place = awaited.firstIndex(of: setting)
        else { return }
        awaited.remove(at: place)
        guard setting == .baud else { return }
        guard part.count == 6 else { throw .malformed }
        let told = part[2...].reduce(0) { $0 << 8 | UInt32($1) }
        guard told == baud else { throw .otherBaud(told) }
    }
}
