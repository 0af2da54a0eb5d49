public import MeshWire

/// The direction in which a frame travels.
public enum FrameDirection: Hashable, Sendable, CaseIterable {
    case toRadio
    case toApp
}

/// One frame, field by field, for people: also unknown and malformed ones.
public struct PrintedFrame: Sendable, Equatable {
    /// The frame as it travelled, its code first.
    public let bytes: [UInt8]
    /// The sender of the frame, app or radio, which decides how its code is read.
    public let direction: FrameDirection
    /// The frame would also make sense in the other direction, and none was given.
    public let isGuess: Bool
    /// The firmware's constant for the code, or the code itself.
    public let name: String
    /// The fields that could be read, the code byte first.
    public let fields: [PrintedField]
    /// Bytes behind the last field, which the receiver ignores.
    public let ignored: [UInt8]
    /// The field that could not be read.
    public let failure: FrameError?
    /// The table's objection to the frame's length: the radio would not recognise it, or not have sent it.
    public let objection: String?
}

extension PrintedFrame: CustomStringConvertible {
    /// The name, then a line a field: offset, name, value, unit.
    public var description: String {
        let nameWidth = fields.map(\.name.count).max() ?? 0
        let arrow = direction == .toRadio ? "app → radio" : "radio → app"
        var lines = ["\(name)  (\(arrow)\(isGuess ? ", a guess" : ""), \(bytes.count) bytes)"]
        for field in fields {
            let offset = String(field.offset)
            var line = "  " + offset.alignedRight(to: 3) + "  " + field.name
            line += String(repeating: " ", count: nameWidth - field.name.count + 2) + field.value
            if !field.unit.isEmpty && field.unit != "text" { line += " " + field.unit }
            if !field.note.isEmpty { line += "  (" + field.note + ")" }
            lines.append(line)
        }
        if !ignored.isEmpty { lines.append("  ignored: \(ignored.hex)") }
        if let failure { lines.append(failure.isUnknownCode ? "  unknown: \(failure)" : "  malformed: \(failure)") }
        if let objection { lines.append("  note: \(objection)") }
        return lines.joinedVisibleLines
    }
}

/// Prints frames through the table and their walks.
public enum FramePrinter {
    /// Prints a frame that travels in a known direction.
    public static func printed(_ bytes: [UInt8], direction: FrameDirection) -> PrintedFrame {
        printed(bytes, direction: direction, isGuess: false)
    }

    /// Prints a frame and finds out which way it travels: the way in which it makes more sense.
    ///
    /// Most short commands are also the code of a response that needs more bytes. A frame that makes sense in both
    /// directions counts as a command, and is marked as a guess.
    public static func printed(_ bytes: [UInt8]) -> PrintedFrame {
        let command = printed(bytes, direction: .toRadio, isGuess: false)
        let response = printed(bytes, direction: .toApp, isGuess: false)
        let faults = (command.faults, response.faults)
        if faults.0 < faults.1 { return command }
        if faults.0 > faults.1 { return response }
        return printed(bytes, direction: .toRadio, isGuess: true)
    }

    private static func printed(_ bytes: [UInt8], direction: FrameDirection, isGuess: Bool) -> PrintedFrame {
        let entry = bytes.isEmpty ? nil : entry(for: bytes[0], direction)
        var fields = bytes.first.map { [code($0)] } ?? []
        var failure: FrameError?
        var ignored: [UInt8] = []
        if let entry {
            let traced = bytes.withUnsafeBytes { entry.frame.traced($0, from: 1) }
            fields += traced.fields
            failure = traced.failure
            if failure == nil { ignored = [UInt8](bytes.dropFirst(traced.end)) }
        } else if let first = bytes.first {
            if bytes.count > 1 {
                let data = [UInt8](bytes.dropFirst())
                var field = PrintedField(name: "data", offset: 1, size: data.count, value: data.hex)
                field.content = .bytes(data)
                fields.append(field)
            }
            failure = FrameError(field: "code", offset: 0, reason: .unknownCode(first))
        } else {
            failure = FrameError(field: "code", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        return PrintedFrame(
            bytes: bytes, direction: direction, isGuess: isGuess,
            name: entry?.frame.wireName ?? bytes.first.map { "unknown code 0x" + [$0].hex } ?? "empty frame",
            fields: fields, ignored: ignored, failure: failure,
            objection: objection(bytes, entry?.expectation))
    }

    private static func code(_ byte: UInt8) -> PrintedField {
        var field = PrintedField(name: "code", offset: 0, size: 1, value: "0x" + [byte].hex)
        field.content = .number(Int64(byte))
        return field
    }

    private enum Expectation {
        case rule(DispatchRule)
        case length(FrameLength)
    }

    private static func entry(
        for code: UInt8, _ direction: FrameDirection
    ) -> (frame: any CodedFrame.Type, expectation: Expectation)? {
        switch direction {
        case .toRadio:
            guard let row = CommandCode(rawValue: code)?.row else { return nil }
            return (row.frame, .rule(row.accepts))
        case .toApp:
            switch RadioCode(code) {
            case .response(let code): return (code.row.frame, .length(code.row.length))
            case .push(let code): return (code.row.frame, .length(code.row.length))
            case nil: return nil
            }
        }
    }

    private static func objection(_ bytes: [UInt8], _ expectation: Expectation?) -> String? {
        if bytes.count > CompanionLimits.frame {
            return "\(bytes.count) bytes are more than a frame can have, \(CompanionLimits.frame)"
        }
        switch expectation {
        case .rule(let rule) where !rule.admits(bytes):
            return "a radio answers \(rule.refusal): it expects \(rule) bytes"
        case .length(let length) where !length.contains(bytes.count):
            return "firmware 1.17.1 sends \(length) bytes"
        default: return nil
        }
    }
}

extension FrameError {
    /// True for a code that is not known yet, which is no fault of the bytes.
    fileprivate var isUnknownCode: Bool {
        if case .unknownCode = reason { true } else { false }
    }
}

extension PrintedFrame {
    /// A measure of the faults in the frame; 0 for none.
    var faults: Int {
        let isGarbled = fields.contains { $0.unit == FieldUnit.text.description && $0.value.isGarbled }
        return (failure == nil ? 0 : 4) + (objection == nil ? 0 : 2) + (isGarbled ? 2 : 0) + (ignored.isEmpty ? 0 : 1)
    }
}

extension String {
    /// True when a printed text holds what no person writes: control characters, broken UTF-8.
    fileprivate var isGarbled: Bool { contains("\\u00") || contains("\u{FFFD}") }
}
