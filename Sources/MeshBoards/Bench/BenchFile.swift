import MeshCompanion
import MeshFiles
import MeshTransports

/// Reads the boards of a lab from `bench.json`: one object with the format and a list of radios.
///
/// The format is described in the article "A lab of boards". Every complaint names the line and the field.
package struct BenchFile {
    /// The value of `format`.
    static let format = "meshbed-bench/1"
    /// The longest file, in bytes.
    static let longest = 1 << 20
    /// The most values in it.
    private static let mostValues = 50_000
    /// The most radios.
    static let mostRadios = 1000
    /// The words of a command for the power, and the bytes of one word.
    private static let mostWords = 64
    private static let longestWord = 4096
    /// The seconds that a command for the power may have.
    private static let limits = 1...600
    private static let longestLabel = 32

    package init() {}

    /// Reads a file of a user.
    package func read(path: String) throws -> Bench {
        do {
            return try read(FileSystem.readInput(path, atMost: Self.longest))
        } catch var problem as FileProblem {
            problem.file = path
            throw problem
        }
    }

    /// Reads the bytes of a file.
    func read(_ bytes: [UInt8]) throws(FileProblem) -> Bench {
        guard bytes.count <= Self.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(Self.longest >> 10) KiB")
        }
        let file = try JSONFields(JSONText(reading: bytes, most: Self.mostValues), at: "")
        // Before the members: those of another format are none of this one's mistakes.
        guard try file.string("format") == Self.format else {
            throw file.problem("format", "must be \"\(Self.format)\"")
        }
        try file.allow(["format", "radios"])
        guard let list = try file.list("radios") else { throw file.missing("radios") }
        guard list.count <= Self.mostRadios else {
            throw file.problem("radios", "has more than \(Self.mostRadios) radios")
        }
        var entries: [Entry] = []
        for (index, value) in list.enumerated() {
            entries.append(try entry(JSONFields(value, at: "radios[\(index)]")))
        }
        try Self.check(entries)
        return Bench(entries.map(\.radio))
    }

    // MARK: Radios

    private struct Entry {
        let fields: JSONFields
        let radio: Radio
        let board: Board
        let address: LinkAddress?

        /// The fields by which no two radios can be the same.
        var identities: [(key: String, value: String)] {
            [("usb", board.usb), ("place", board.place), ("address", address.map { "\($0)" })]
                .compactMap { key, value in value.map { (key, $0) } }
        }
    }

    private static let keys = [
        "label", "address", "usb", "place", "firmware", "allow", "near", "rig", "power", "reset", "note",
    ]

    private func entry(_ fields: JSONFields) throws(FileProblem) -> Entry {
        try fields.allow(Self.keys)
        var board = Board(label: try Self.label(fields), permissions: try Self.permissions(fields))
        board.usb = try Self.usb(fields)
        board.place = try Self.place(fields)
        board.firmware = try Self.firmware(fields)
        board.power = try Self.power(fields)
        board.reset = try Self.word("reset", fields, ResetLine.allCases)
        _ = try fields.string("note")
        let address = try Self.address("address", fields) { text throws(LinkError) in try LinkAddress(radio: text) }
        let rig = try Self.address("rig", fields) { text throws(LinkError) in try LinkAddress(control: text) }
        if board.place != nil, address != nil || board.usb != nil || rig != nil {
            throw fields.problem("place", "goes without address, usb and rig: labgrid says where the board is")
        }
        if board.place == nil, address == nil, board.usb == nil {
            throw fields.missing("address", "is missing; usb or place can stand in its place")
        }
        if let address, board.usb != nil || board.reset != nil, !address.isLine {
            throw fields.problem(board.usb == nil ? "reset" : "usb", "is of a serial line, and the address is none")
        }
        return Entry(
            fields: fields, radio: Radio(Self.target(address, rig, board), board, near: try Self.near(fields)),
            board: board, address: address)
    }

    /// The target. Where a USB serial number or a place alone is known, the address is found when it is used.
    private static func target(_ address: LinkAddress?, _ rig: LinkAddress?, _ board: Board) -> Target {
        var target = Target(.radios([address].compactMap(\.self)), rig: rig, allowing: board.allowed)
        target.board = board
        return target
    }

    // MARK: Fields

    private static func label(_ fields: JSONFields) throws(FileProblem) -> String {
        let label = try fields.needString("label")
        if let problem = problem(withLabel: label) { throw fields.problem("label", problem) }
        return label
    }

    /// Returns the reason why a radio cannot have this label; `nil` when it can.
    package static func problem(withLabel label: String) -> String? {
        guard 1...longestLabel ~= label.utf8.count else { return "must have 1 to \(longestLabel) bytes" }
        guard isLabel(label) else { return "may have letters, digits, - and _, and does not begin with -" }
        let isWord = (try? Target(label)) != nil || LinkAddress.completed(label) != label
        return isWord ? "means something else as a target" : nil
    }

    /// Tells whether a word has the form of a label.
    private static func isLabel(_ word: String) -> Bool {
        !word.hasPrefix("-")
            && word.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    private static func address(
        _ key: String, _ fields: JSONFields, _ read: (String) throws(LinkError) -> LinkAddress
    ) throws(FileProblem) -> LinkAddress? {
        guard let text = try fields.string(key) else { return nil }
        do throws(LinkError) {
            return try read(text)
        } catch {
            throw fields.problem(key, "\(error)")
        }
    }

    private static func usb(_ fields: JSONFields) throws(FileProblem) -> String? {
        guard let serial = try fields.string("usb") else { return nil }
        guard 1...USBLines.longestSerial ~= serial.utf8.count, serial.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F }) else {
            throw fields.problem("usb", "must have 1 to \(USBLines.longestSerial) visible characters of ASCII")
        }
        return serial
    }

    private static func place(_ fields: JSONFields) throws(FileProblem) -> String? {
        guard let name = try fields.string("place") else { return nil }
        if let problem = LabgridPlace.problem(withName: name) { throw fields.problem("place", problem) }
        return name
    }

    private static func firmware(_ fields: JSONFields) throws(FileProblem) -> FirmwareVersion? {
        guard let name = try fields.string("firmware") else { return nil }
        guard let version = FirmwareVersion(named: name) else {
            throw fields.problem("firmware", "\"\(name)\" is none of \(FirmwareVersion.names)")
        }
        return version
    }

    private static func word<Word: RawRepresentable<String>>(
        _ key: String, _ fields: JSONFields, _ all: [Word]
    ) throws(FileProblem) -> Word? {
        guard let name = try fields.string(key) else { return nil }
        guard let word = Word(rawValue: name) else {
            throw fields.problem(key, "\"\(name)\" is none of \(all.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    private static func permissions(_ fields: JSONFields) throws(FileProblem) -> [BoardPermission] {
        let names = try texts("allow", fields, most: BoardPermission.allCases.count)
        for name in names where BoardPermission(rawValue: name) == nil {
            throw fields.problem("allow", "\"\(name)\" is none of \(BoardPermission.words)")
        }
        return BoardPermission.allCases.filter { names.contains($0.rawValue) }
    }

    private static func near(_ fields: JSONFields) throws(FileProblem) -> [String] {
        try texts("near", fields, most: mostRadios)
    }

    private static func power(_ fields: JSONFields) throws(FileProblem) -> PowerCommands? {
        guard let object = try fields.object("power") else { return nil }
        try object.allow(PowerCommands.Verb.allCases.map(\.rawValue) + ["seconds"])
        var commands = PowerCommands()
        for verb in PowerCommands.Verb.allCases where object.member(verb.rawValue) != nil {
            let words = try texts(verb.rawValue, object, most: mostWords)
            guard let program = words.first, !program.isEmpty else {
                throw object.problem(verb.rawValue, "must begin with a program")
            }
            guard words.allSatisfy({ $0.utf8.count <= longestWord && !$0.utf8.contains(0) }) else {
                throw object.problem(verb.rawValue, "has a word with a NUL, or of more than \(longestWord) bytes")
            }
            commands[verb] = words
        }
        if let seconds = try object.integer("seconds", in: limits) { commands.limitSeconds = seconds }
        return commands
    }

    private static func texts(_ key: String, _ fields: JSONFields, most: Int) throws(FileProblem) -> [String] {
        let values = try fields.list(key) ?? []
        guard values.count <= most else { throw fields.problem(key, "has more than \(most) entries") }
        var texts: [String] = []
        for (index, value) in values.enumerated() {
            guard case .string(let text) = value.content else {
                throw FileProblem(
                    line: value.line, field: "\(fields.path(key))[\(index)]",
                    reason: "must be a text, this is \(value.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    // MARK: The whole

    /// Refuses two radios of one label or one board, and neighbours that are not there.
    private static func check(_ entries: [Entry]) throws(FileProblem) {
        var labels: [String: Int] = [:]
        var places: [String: String] = [:]
        for entry in entries {
            let label = entry.board.label
            if let line = labels.updateValue(entry.fields.line, forKey: label) {
                throw entry.fields.problem("label", "\"\(label)\" is the label of the radio in line \(line), too")
            }
            for (key, value) in entry.identities {
                guard let other = places.updateValue(label, forKey: "\(key) \(value)") else { continue }
                throw entry.fields.problem(key, "\"\(value)\" is that of \"\(other)\", too: one board is one radio")
            }
        }
        for entry in entries {
            for other in entry.radio.near where labels[other] == nil || other == entry.board.label {
                let reason = other == entry.board.label ? "is the radio itself" : "is no label of this file"
                throw entry.fields.problem("near", "\"\(other)\" \(reason)")
            }
        }
    }
}
