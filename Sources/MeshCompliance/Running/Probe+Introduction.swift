import MeshCompanion
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

/// The question that finds out where a radio is in its answers, and what it says to that.
struct Greeting: Hashable, Sendable {
    /// A command that every companion radio answers, whatever it is about.
    var question: [UInt8]
    /// The code of the answer; `nil` for a radio that speaks and answers none of the questions.
    var answer: UInt8?

    /// APP_START, with which apps begin and which ends a listing, and SELF_INFO.
    static let usual = Greeting(question: [0x01] + bytes(0, 7), answer: ResponseCode.selfInfo.rawValue)

    var isUsual: Bool { self == .usual }
    var isOfAppStart: Bool { question == Self.usual.question }
}

/// The reason why the device at the other end cannot be judged, with what was seen of it.
enum NoRadio: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing came at all.
    case silent(after: [String], patience: TimeSpan)
    /// Bytes came, and no frame was among them.
    case otherProtocol([UInt8])
    /// Frames came without an end.
    case endless([UInt8])

    var description: String {
        switch self {
        case .silent(let questions, let patience):
            "is silent: nothing came within \(patience.milliseconds) ms of \(questions.joined(separator: ", ")) each"
        case .otherProtocol(let bytes):
            "does not speak the companion protocol: no frame came, but these bytes first: " + Self.text(bytes)
        case .endless(let bytes):
            "cannot be asked: it goes on sending what nobody asked for, first " + Self.text(bytes)
        }
    }

    /// Text as such, everything else in hex.
    private static func text(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard isText else { return FrameText.hex(bytes) }
        let line = bytes.map { $0 < 0x20 ? 0x20 : $0 }
        return "'" + String(decoding: line, as: UTF8.self).trimmed + "'"
    }
}

// The beginning of a run: everything that speaks frames can be judged.
extension Probe {
    /// Questions in the order in which they are put until one is answered.
    private static let questions: [(name: String, command: [UInt8])] = [
        ("APP_START", Greeting.usual.question), ("DEVICE_QUERY", [0x16, 0x03]), ("GET_DEVICE_TIME", [0x05]),
        ("GET_CONTACTS", [0x04]),
    ]

    /// Zeros that complete each frame a radio executes, and those that complete a frame of any length.
    private static let (filler, longestFiller) = (256, 1 << 16)

    /// Learns how the radio answers; fails where nothing speaks, or something else does.
    ///
    /// The first question is put again: bytes of an earlier client may have swallowed it.
    func introduce() throws {
        var answers: [Greeting] = []
        do {
            try completeFrame(with: Self.filler)
            for (_, command) in Self.questions + [Self.questions[0]] where !answers.contains(where: \.isOfAppStart) {
                guard let answer = try answer(to: command) else { continue }
                answers.append(Greeting(question: command, answer: answer))
            }
            if firstBytes.isEmpty {
                try completeFrame(with: Self.longestFiller)
                let (_, command) = Self.questions[0]
                if let answer = try answer(to: command) { answers = [Greeting(question: command, answer: answer)] }
            }
            if frameCount > 0 { try drain() }
        } catch is Failure {
            throw NoRadio.endless(firstBytes)
        }
        greeting = answers.last(where: \.isOfAppStart) ?? answers.first ?? Greeting(question: [])
        guard frameCount == 0 else { return }
        throw firstBytes.isEmpty
            ? NoRadio.silent(after: Self.questions.map(\.name), patience: target.patience)
            : NoRadio.otherProtocol(firstBytes)
    }

    /// Completes the frame in which an earlier client may have been cut off, on a line that has no connections.
    ///
    /// The radio would take the next frames for the rest of it (CMP-005). Zeros behind an open header give the shortest
    /// frame, whose command no firmware has, and between frames they are skipped (CMP-002).
    private func completeFrame(with count: Int) throws {
        guard target.interface == .serial else { return }
        for _ in 0..<count / Self.filler { try write([UInt8](repeating: 0, count: Self.filler)) }
        try drain()
    }

    /// The code of the first frame that is no push; `nil` where none comes.
    private func answer(to command: [UInt8]) throws -> UInt8? {
        try sendUnwatched(command)
        while let frame = try pushed(within: target.patience, isAnyFrame: true) {
            if let code = frame.first, code < 0x80 { return code }
        }
        return nil
    }

    /// The level and the texts of DEVICE_INFO, by which a version is chosen; `nil` where there is none.
    func deviceWords() throws -> DeviceWords? {
        guard let info = try told({ try $0.deviceInfo() }), let level = info["level"].first else { return nil }
        func text(_ name: String) -> String { String(decoding: info[name].prefix { $0 != 0 }, as: UTF8.self) }
        return DeviceWords(level: level, version: text("firmware"), model: text("model"), build: text("date"))
    }

    /// The result of a question; `nil` where the radio says something else, or nothing. Links that are lost are thrown.
    func told<R>(_ ask: (Probe) throws -> R) throws -> R? {
        do { return try ask(self) } catch is Failure { return nil } catch is FrameError { return nil }
    }
}
