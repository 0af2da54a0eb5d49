/// The members of one JSON object, read by name; a member that is never read is a misspelling.
package struct JSONFields {
    /// The object's own place in the file.
    package let path: String
    package let line: Int
    private let members: [JSONText.Member]

    /// Reads a text that is one object.
    package init(reading bytes: [UInt8]) throws(FileProblem) {
        try self.init(JSONText(reading: bytes), at: "")
    }

    package init(_ value: JSONText, at path: String) throws(FileProblem) {
        guard case .object(let members) = value.content else {
            throw FileProblem(line: value.line, field: path, reason: "must be an object, this is \(value.kind)")
        }
        self.path = path
        self.members = members
        line = value.line
    }

    /// The path of a member.
    package func path(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The member, unless it is absent or null.
    package func member(_ key: String) -> JSONText? {
        guard let value = members.first(where: { $0.key == key })?.value else { return nil }
        if case .null = value.content { return nil }
        return value
    }

    /// The keys, in the order of the text.
    package var keys: [String] { members.map(\.key) }

    /// A member that is an object itself.
    package func object(_ key: String) throws(FileProblem) -> JSONFields? {
        guard let value = member(key) else { return nil }
        return try JSONFields(value, at: path(key))
    }

    /// Refuses members that are not in the list.
    package func allow(_ keys: [String]) throws(FileProblem) {
        guard let other = members.first(where: { !keys.contains($0.key) }) else { return }
        let known = keys.joined(separator: ", ")
        throw FileProblem(line: other.line, field: path(other.key), reason: "is not known here; known are \(known)")
    }

    package func missing(_ key: String, _ reason: String = "is missing") -> FileProblem {
        FileProblem(line: line, field: path(key), reason: reason)
    }

    package func problem(_ key: String, _ reason: String) -> FileProblem {
        FileProblem(line: member(key)?.line ?? line, field: path(key), reason: reason)
    }

    package func string(_ key: String) throws(FileProblem) -> String? {
        guard let value = member(key) else { return nil }
        guard case .string(let text) = value.content else {
            throw problem(key, "must be a text, this is \(value.kind)")
        }
        return text
    }

    package func needString(_ key: String) throws(FileProblem) -> String {
        guard let text = try string(key) else { throw missing(key) }
        return text
    }

    package func number(_ key: String, in range: ClosedRange<Double>) throws(FileProblem) -> Double? {
        guard let value = member(key) else { return nil }
        guard case .number(let number) = value.content else {
            throw problem(key, "must be a number, this is \(value.kind)")
        }
        guard range.contains(number) else {
            throw problem(key, "\(Self.short(number)) is not within \(Self.short(range))")
        }
        return number
    }

    /// A whole number within the range of its type and the given one.
    package func integer<I: FixedWidthInteger>(_ key: String, in range: ClosedRange<I>) throws(FileProblem) -> I? {
        let limits = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = try number(key, in: limits) else { return nil }
        guard let whole = I(exactly: number) else { throw problem(key, "\(number) is not a whole number") }
        return whole
    }

    package func bool(_ key: String) throws(FileProblem) -> Bool? {
        guard let value = member(key) else { return nil }
        guard case .bool(let flag) = value.content else {
            throw problem(key, "must be true or false, this is \(value.kind)")
        }
        return flag
    }

    package func list(_ key: String) throws(FileProblem) -> [JSONText]? {
        guard let value = member(key) else { return nil }
        guard case .array(let elements) = value.content else {
            throw problem(key, "must be a list, this is \(value.kind)")
        }
        return elements
    }

    private static func short(_ range: ClosedRange<Double>) -> String {
        "\(short(range.lowerBound))…\(short(range.upperBound))"
    }

    private static func short(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? String(number)
    }
}
