import MeshWire

/// The secret parts of the commands that admins send to repeaters, room servers and sensors.
///
/// The firmware skips leading spaces, removes a number and a bar, and then compares byte by byte. Here more counts
/// as a secret: case, the kind and number of blanks and line ends make no difference. A line that is not known as a
/// harmless command is one as a whole. It may be a password, or hold one behind a mistyped word.
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

    /// The question that a node was asked with `get`.
    enum Question: Hashable, Sendable {
        case harmless
        case secret(CommandLineSecret)
    }

    /// The arguments that may stand behind a known command.
    private enum Arguments {
        /// Words of the command language, and short numbers.
        case words
        /// Numbers of any length.
        case numbers
        /// Public keys, and numbers.
        case hex
        case anything
        /// The text of a person for others.
        case message
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

    // MARK: Words

    /// Commands with a password behind them, also those that only people and other programs know.
    private static let passwordVerbs = ["password", "passwd", "passphrase", "pass", "pwd", "pw", "login", "logon"]

    /// The settings with a secret value, as `get` and `set` name them.
    private static let secretSettings: [(name: String, secret: CommandLineSecret)] = [
        ("guest.password", .password), ("admin.password", .password), ("prv.key", .key), ("bridge.secret", .password),
        ("wifi.pwd", .password), ("wifi.password", .password), ("password", .password), ("lat", .coordinate),
        ("lon", .coordinate), ("name", .name), ("owner.info", .text),
    ]

    private static let openSettings: Set<String> = [
        "acl", "adc.multiplier", "advert.interval", "af", "agc.reset.interval", "allow.read.only", "bootloader.ver",
        "bridge.baud", "bridge.channel", "bridge.delay", "bridge.enabled", "bridge.source", "bridge.type", "bw", "cad",
        "direct.txdelay", "dutycycle", "extra.sf", "flood.advert.interval", "flood.max", "flood.max.advert",
        "flood.max.unscoped", "freq", "int.thresh", "loop.detect", "multi.acks", "path.hash.mode", "public.key",
        "pwrmgt.bootmv", "pwrmgt.bootreason", "pwrmgt.source", "pwrmgt.support", "radio", "radio.fem.rxgain",
        "radio.rxgain", "repeat", "role", "rxdelay", "tx", "txdelay",
    ]

    private static let openVerbs: [String: Arguments] = [
        "poweroff": .words, "shutdown": .words, "reboot": .words, "clkreboot": .words, "advert.zerohop": .words,
        "advert": .words, "clock": .words, "start": .words, "neighbors": .words, "clear": .words, "erase": .words,
        "ver": .words, "board": .words, "powersaving": .words, "log": .words, "stats-packets": .words,
        "stats-radio": .words, "stats-core": .words, "discover.neighbors": .words, "magic": .words, "gps": .words,
        "time": .numbers, "tempradio": .numbers, "io": .hex, "neighbor.remove": .hex, "setperm": .hex,
        "region": .anything, "sensor": .words, "room.post": .message,
    ]

    private static let openWords: Set<String> = [
        "advert", "all", "erase", "get", "list", "none", "off", "on", "ota", "prefs", "set", "setloc", "share", "start",
        "stats", "stop", "sync", "true", "false", "yes", "no", "minimal", "moderate", "strict",
    ]

    // MARK: Commands

    /// - Parameter inDoubt: True when an unknown command is a secret; it is none where people write to each other.
    static func part(ofCommand line: ArraySlice<UInt8>, inDoubt: Bool = true) -> Part? {
        let words = words(of: line)
        guard let verb = words.first.map(lowercased) else { return nil }
        if passwordVerbs.contains(verb) { return rest(of: words, from: 1, .password) }
        if let glued = glued(words[0], verb, to: "password") {
            return Part(secret: .password, range: glued..<words[words.count - 1].endIndex)
        }
        if verb == "set" { return part(ofSetting: words, inDoubt: inDoubt) }
        guard inDoubt else { return nil }
        if verb == "get" { return part(ofGetting: words) }
        guard let arguments = openVerbs[verb] else { return rest(of: words, from: 0, .password) }
        return rest(of: words, behind: 1, arguments)
    }

    private static func part(ofSetting words: [ArraySlice<UInt8>], inDoubt: Bool) -> Part? {
        guard words.count > 1 else { return nil }
        let name = lowercased(words[1])
        if let setting = secretSettings.first(where: { $0.name == name }) {
            return rest(of: words, from: 2, setting.secret)
        }
        for setting in secretSettings where setting.secret == .password || setting.secret == .key {
            guard let value = glued(words[1], name, to: setting.name) else { continue }
            return Part(secret: .password, range: value..<words[words.count - 1].endIndex)
        }
        guard inDoubt else { return nil }
        guard openSettings.contains(name) else { return rest(of: words, from: 1, .password) }
        return rest(of: words, behind: 2, .words)
    }

    private static func part(ofGetting words: [ArraySlice<UInt8>]) -> Part? {
        guard words.count > 1 else { return nil }
        return rest(of: words, behind: question(words) == nil ? 1 : 2, .words)
    }

    // MARK: Answers

    /// Returns the question that the answer to the command will answer; `nil` when there is none.
    static func question(_ line: ArraySlice<UInt8>) -> Question? { question(words(of: line)) }

    private static func question(_ words: [ArraySlice<UInt8>]) -> Question? {
        guard words.count > 1, lowercased(words[0]) == "get" else { return nil }
        let name = lowercased(words[1])
        // The firmware looks at the beginning only: what follows makes no difference.
        if let setting = secretSettings.first(where: { name.hasPrefix($0.name) }) { return .secret(setting.secret) }
        return openSettings.contains(name) ? .harmless : nil
    }

    /// Returns whether an answer gives the value of a setting.
    static func isValue(_ line: ArraySlice<UInt8>) -> Bool { words(of: line).first?.first == UInt8(ascii: ">") }

    /// - Parameter question: The question; a value is a secret where the question is unknown.
    static func part(ofAnswer line: ArraySlice<UInt8>, to question: Question?) -> Part? {
        let words = words(of: line)
        guard let first = words.first else { return nil }
        if words.count > 1, lowercased(first) == "password", lowercased(words[1]).hasPrefix("now") {
            return rest(of: words, from: 2, .password)
        }
        if let echo = echo(in: words) { return echo }
        guard first.first == UInt8(ascii: ">"), question != .harmless else { return nil }
        let secret = if case .secret(let secret) = question { secret } else { CommandLineSecret.password }
        if first.count > 1 {
            return Part(secret: secret, range: first.startIndex + 1..<words[words.count - 1].endIndex)
        }
        return rest(of: words, from: 1, secret)
    }

    /// Returns the secret that a node repeats of an unknown command: `??: nam`, `unknown config: guest.passwort
    /// hunter2`.
    private static func echo(in words: [ArraySlice<UInt8>]) -> Part? {
        if lowercased(words[0]).hasPrefix("??") { return rest(of: words, behind: 1, .words) }
        guard words.count > 2, lowercased(words[0]) == "unknown", lowercased(words[1]).hasPrefix("config") else {
            return nil
        }
        return rest(of: words, from: 2, .password)
    }

    // MARK: Lines

    /// Returns the words between blanks, up to the first NUL, without the number and the bar by which apps match
    /// answers.
    private static func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var words = line.prefix { $0 != 0 }.split { $0 <= 0x20 || $0 == 0x7F }
        guard let first = words.first, let bar = first.prefix(8).lastIndex(of: UInt8(ascii: "|")) else { return words }
        words[0] = first[(bar + 1)...]
        if words[0].isEmpty { words.removeFirst() }
        return words
    }

    private static func lowercased(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word, as: UTF8.self).lowercased()
    }

    /// Returns the place of a value that no blank separates from its name: `guest.password=hunter2`.
    private static func glued(_ word: ArraySlice<UInt8>, _ lowercased: String, to name: String) -> Int? {
        guard lowercased.hasPrefix(name), word.count > name.utf8.count else { return nil }
        return word.startIndex + name.utf8.count
    }

    /// Everything from a word on; `nil` where there is no such word.
    private static func rest(
        of words: [ArraySlice<UInt8>], from index: Int, _ secret: CommandLineSecret
    ) -> Part? {
        guard index < words.count else { return nil }
        return Part(secret: secret, range: words[index].startIndex..<words[words.count - 1].endIndex)
    }

    /// Returns everything from the first word on that is no argument of the command.
    private static func rest(
        of words: [ArraySlice<UInt8>], behind index: Int, _ arguments: Arguments
    ) -> Part? {
        let place = words.indices.dropFirst(index).first { !isOpen(words[$0], arguments) }
        return place.flatMap { rest(of: words, from: $0, arguments == .message ? .text : .password) }
    }

    private static func isOpen(_ word: ArraySlice<UInt8>, _ arguments: Arguments) -> Bool {
        switch arguments {
        case .anything: true
        case .message: false
        case .hex: word.allSatisfy(\.isHexDigit)
        case .numbers: word.allSatisfy(isOfNumber)
        case .words: openWords.contains(lowercased(word)) || (word.allSatisfy(isOfNumber) && !hasLongNumber(word))
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isOfNumber(_ byte: UInt8) -> Bool { isDigit(byte) || [UInt8](".,+-".utf8).contains(byte) }

    /// A PIN has six digits.
    private static func hasLongNumber(_ word: ArraySlice<UInt8>) -> Bool {
        word.split { !isDigit($0) }.contains { $0.count >= 6 }
    }
}
