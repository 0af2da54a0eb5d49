/// What is secret in the commands that admins send to repeaters, room servers and sensors.
enum CommandLineSecret: Hashable, Sendable {
    case password
    /// A private key or another secret as hex digits.
    case key
    case coordinate
    case name
    case text

    /// The secret part of a line.
    struct Part {
        var secret: CommandLineSecret
        var range: Range<Int>
    }

    var kind: RecordingHeader.Secret {
        switch self {
        case .password: .passwords
        case .key: .keys
        case .coordinate: .positions
        case .name: .names
        case .text: .texts
        }
    }

    /// The settings with a secret value, as `get` and `set` name them.
    private static let settings: [(name: String, secret: CommandLineSecret)] = [
        ("guest.password", .password), ("admin.password", .password), ("prv.key", .key), ("bridge.secret", .password),
        ("wifi.pwd", .password), ("wifi.password", .password), ("lat", .coordinate), ("lon", .coordinate),
        ("name", .name), ("owner.info", .text),
    ]

    static func part(ofCommand line: ArraySlice<UInt8>) -> Part? {
        if let start = end(of: "password ", in: line) {
            return Part(secret: .password, range: value(from: start, in: line))
        }
        for setting in settings {
            if let start = end(of: "set \(setting.name) ", in: line) {
                return Part(secret: setting.secret, range: value(from: start, in: line))
            }
        }
        return nil
    }

    /// What the answer to the command will tell.
    static func question(_ line: ArraySlice<UInt8>) -> CommandLineSecret? {
        settings.first { end(of: "get \($0.name)", in: line) != nil }?.secret
    }

    static func part(ofAnswer line: ArraySlice<UInt8>, to question: CommandLineSecret?) -> Part? {
        if let start = end(of: "password now: ", in: line) {
            return Part(secret: .password, range: value(from: start, in: line))
        }
        guard let question, let start = end(of: "> ", in: line) else { return nil }
        return Part(secret: question, range: value(from: start, in: line))
    }

    /// Where the line goes on behind these words, which it begins with; up to three characters and a bar in front of
    /// them number the commands of some apps.
    private static func end(of words: String, in line: ArraySlice<UInt8>) -> Int? {
        let words = [UInt8](words.utf8)
        for start in [line.startIndex, line.startIndex + 3] {
            let isNumbered = start > line.startIndex
            guard start + words.count <= line.endIndex, !isNumbered || line[start - 1] == UInt8(ascii: "|") else {
                continue
            }
            if line[start..<start + words.count].elementsEqual(words) { return start + words.count }
        }
        return nil
    }

    /// From there to the end, without NULs.
    private static func value(from start: Int, in line: ArraySlice<UInt8>) -> Range<Int> {
        start..<(line[start...].firstIndex(of: 0) ?? line.endIndex)
    }
}
