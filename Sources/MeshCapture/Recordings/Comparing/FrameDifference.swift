public import MeshCompanion
import MeshWire

/// A field that has two values.
public struct FieldDifference: Hashable, Sendable {
    /// The walk's name; a field that repeats has its place behind it, as in `path_snr[2]`; parts of a packet have the
    /// field in front, as in `raw.path`.
    public var field: String
    /// The reason for which it may differ; `content` where the two frames give the field different classes.
    public var fieldClass: FieldClass
    /// The values for people; `nil` where the frame has no such field.
    public var recorded: String?
    /// The later value for people; `nil` where that frame has no such field.
    public var seen: String?

    public init(_ field: String, _ fieldClass: FieldClass, recorded: String?, seen: String?) {
        self.field = field
        self.fieldClass = fieldClass
        self.recorded = recorded
        self.seen = seen
    }
}

extension FieldDifference: CustomStringConvertible {
    public var description: String {
        "\(field): recorded \(recorded ?? "nothing"), seen \(seen ?? "nothing") (\(fieldClass.rawValue))"
    }
}

/// Two frames of one direction, compared field by field through their walks.
///
/// It compares their meaning: bytes behind the NUL of a text are ignored. A difference of code is one difference,
/// of the field `frame`. Malformed and unknown frames are compared as far as they are read, then as bytes.
public struct FrameDifference: Hashable, Sendable {
    /// The firmware's constant for the recorded frame.
    public let name: String
    /// In the order of the fields; empty when both frames mean the same.
    public let fields: [FieldDifference]

    /// Compares two frames, each from its code on; frames of the same bytes differ in nothing.
    public init(recorded: [UInt8], seen: [UInt8], direction: FrameDirection) {
        let first = ComparedFrame(recorded, direction)
        name = first.name
        guard recorded != seen else {
            fields = []
            return
        }
        let second = ComparedFrame(seen, direction)
        if first.name == second.name {
            fields = Self.differences(first.fields, second.fields)
        } else {
            fields = [FieldDifference("frame", .content, recorded: first.name, seen: second.name)]
        }
    }

    /// Those that the rules do not allow.
    public func breaches(of rules: DifferenceRules) -> [FieldDifference] {
        fields.filter { !rules.allow($0) }
    }

    static func differences(_ first: [ComparedField], _ second: [ComparedField]) -> [FieldDifference] {
        var found: [FieldDifference] = []
        var left = second[...]
        for field in first {
            guard let index = left.firstIndex(where: { $0.name == field.name }) else {
                found.append(FieldDifference(field.name, field.fieldClass, recorded: field.text, seen: nil))
                continue
            }
            found += left[..<index].map { FieldDifference($0.name, $0.fieldClass, recorded: nil, seen: $0.text) }
            let other = left[index]
            if field.value != other.value {
                // What one of them takes from its key and the other does not is no matter of keys.
                let fieldClass = field.fieldClass == other.fieldClass ? field.fieldClass : .content
                found.append(FieldDifference(field.name, fieldClass, recorded: field.text, seen: other.text))
            }
            left = left[(index + 1)...]
        }
        return found + left.map { FieldDifference($0.name, $0.fieldClass, recorded: nil, seen: $0.text) }
    }
}
