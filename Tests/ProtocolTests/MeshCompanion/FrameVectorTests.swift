import MeshCompanion
import MeshWire
import Testing

@Suite struct FrameVectorTests {
    @Test func `there are 162 recorded frames`() {
        #expect(CompanionVectors.stored.frames.count == 162)
    }

    @Test(arguments: CompanionVectors.stored.frames)
    func `a recorded frame is read and written again byte for byte`(_ vector: CompanionVectors.Frame) throws {
        let frame = try decode(vector)

        let again = frame.encoded()

        // Two clients send more bytes than these commands have; the radio ignores them.
        let ignored = ["CMD_SET_RADIO_TX_POWER/4byte": 3, "CMD_SET_TUNING_PARAMS/10byte": 2][vector.name] ?? 0
        #expect(again.hex == vector.bytes.dropLast(ignored).hex)
        #expect(vector.bytes.count == vector.length)
    }

    @Test(arguments: CompanionVectors.stored.frames)
    func `the fields of a recorded frame have the recorded values`(_ vector: CompanionVectors.Frame) throws {
        let values = try decode(vector).collected

        for (name, expected) in vector.fields.sorted(by: { $0.key < $1.key }) where !Self.derived.contains(name) {
            #expect(Self.matches(expected, name, values), "\(name) should be \(expected), fields are \(values.values)")
        }
    }

    @Test(arguments: CompanionVectors.stored.frames)
    func `the table admits the lengths that were recorded`(_ vector: CompanionVectors.Frame) throws {
        if vector.isCommand {
            let row = try #require(CommandCode(rawValue: vector.code)).row
            #expect(row.accepts.admits(vector.bytes))
        } else {
            switch try #require(RadioCode(vector.code)) {
            case .response(let code): #expect(code.row.length.contains(vector.length))
            case .push(let code): #expect(code.row.length.contains(vector.length))
            }
        }
    }

    @Test(arguments: CompanionVectors.stored.frames.filter(\.isCommand))
    func `the table foresees the recorded answer`(_ vector: CompanionVectors.Frame) throws {
        let row = try #require(CommandCode(rawValue: vector.code)).row
        let foreseen =
            row.replies.map(\.wireName) + row.pushReplies.map(\.wireName) + row.later.map(\.wireName)
            + row.errors.compactMap(\.wireName) + ["ERR"]
        let names = foreseen.map { $0.replacing(/^(RESP_CODE_|RESP_|PUSH_CODE_|ERR_CODE_)/, with: "") }

        let expected = (vector.expectedReply ?? "").replacing(/\(.*\)/, with: "")

        for word in expected.matches(of: /[A-Z][A-Z_]+/) { #expect(names.contains(String(word.0)), "\(word.0)") }
    }

    @Test(arguments: CompanionVectors.stored.frames)
    func `a recorded frame prints without malformation`(_ vector: CompanionVectors.Frame) {
        let printed = FramePrinter.printed(vector.bytes, direction: vector.isCommand ? .toRadio : .toApp)

        #expect(printed.failure == nil)
        #expect(printed.objection == nil)
        #expect(printed.fields.reduce(0) { $0 + $1.size } + printed.ignored.count == vector.length)
        #expect(
            vector.name.hasPrefix(printed.name.replacing("RESP_CODE_", with: "RESP_").replacing("_CODE_", with: "_")))
    }

    func decode(_ vector: CompanionVectors.Frame) throws -> any CodedFrame {
        let frame =
            vector.isCommand
            ? try CompanionFrame.command(vector.bytes) : try CompanionFrame.fromRadio(vector.bytes)
        guard case .known(let known) = frame else { throw UnknownCode() }
        return known
    }

    struct UnknownCode: Error {}

    /// The values that the recorder worked out beside the bytes of the frame.
    static let derived: Set<String> = ["message_hex", "signer_public_key", "derived_public_key", "padding"]

    /// The vectors put the unit behind the name.
    static func wireName(_ name: String) -> String {
        for unit in ["_khz", "_hz", "_e6", "_x4", "_x1000", "_ms", "_mv", "_kb", "_secs"] where name.hasSuffix(unit) {
            return String(name.dropLast(unit.count))
        }
        return name
    }

    static func matches(_ expected: JSON, _ name: String, _ values: ValueCollector) -> Bool {
        let found = values.all(wireName(name))
        switch (expected, found.first) {
        case (.number(let number), .number(let value, _)?):
            return number == (name == "max_contacts" ? 2 * value : value)
        case (.string(let text), .number(let value, let size)?):
            return text == (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.hex
        case (.string(let text), .bytes(let bytes)?):
            return text == bytes.hex || text == ByteText(bytes: bytes).untilNUL.string
        case (.null, nil), (.string(""), nil): return true
        default: return matchesCompound(expected, name, values)
        }
    }

    static func matchesCompound(_ expected: JSON, _ name: String, _ values: ValueCollector) -> Bool {
        func numbers(_ name: String) -> [JSON] {
            values.all(name).map { if case .number(let value, _) = $0 { .number(value) } else { .null } }
        }
        func text(_ name: String) -> String {
            guard case .bytes(let bytes)? = values.all(name).first else { return "" }
            return ByteText(bytes: bytes).string
        }
        switch (name, expected) {
        case ("path_snrs_x4", .array(let array)): return array == numbers("path_snr")
        case ("ranges_khz", .array(let array)):
            return array == zip(numbers("low"), numbers("high")).map { .array([$0, $1]) }
        case ("vars", .object(let pairs)):
            let found = text("vars").split(separator: ",").map { $0.split(separator: ":").map(String.init) }
            return found.count == pairs.count && found.allSatisfy { pairs[$0[0]] == .string($0[1]) }
        case ("name", .string(let name)): return text("setting").hasPrefix(name + ":")
        case ("value", .string(let value)): return text("setting").hasSuffix(":" + value)
        default: return false
        }
    }
}
