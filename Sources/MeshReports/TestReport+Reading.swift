package import MeshFiles
import MeshWire

extension TestReport {
    /// The largest file of a report that is read: one of the whole suite has less than a megabyte.
    package static let longestFile = 16 << 20
    /// Values in such a file, and texts in a list of it.
    private static let (mostValues, mostLines) = (1_000_000, 4_096)

    /// Reads what `json` has written, except for `matrix`, `coverage` and `seed`, which are left out.
    ///
    /// Throws the first mistake with its line and field: text that is no JSON, another format, a member that is missing
    /// or of another kind, a verdict that is not known, or counts that are not those of the checks.
    package init(reading bytes: [UInt8]) throws(FileProblem) {
        let file = try JSONFields(JSONText(reading: bytes, most: Self.mostValues), at: "")
        guard try file.string("format") == Self.format else {
            throw file.problem("format", "must be \"\(Self.format)\"")
        }
        self.init(
            title: try file.needString("title"), command: try file.needString("command"),
            target: try file.needString("target"))
        if let date = try file.string("date") {
            let version = MeshbedVersion(number: try file.needString("version"), commit: try file.string("commit"))
            provenance = Provenance(version: version, date: date)
        }
        node = try file.object("node").map(TestedNode.init(reading:))
        abortedBecause = try file.string("aborted")
        notes = try Self.lines("notes", of: file)
        guard let checks = try file.list("checks") else { throw file.missing("checks") }
        for (index, check) in checks.enumerated() {
            entries.append(try Entry(reading: JSONFields(check, at: "checks[\(index)]")))
        }
        let counts = [
            ("kept", kept), ("broken", broken), ("differs", different), ("lacks", lacking),
            ("notApplicable", notApplicable), ("notRun", notRun), ("couldNotRun", couldNotRun),
            ("invalid", invalid),
        ]
        for (key, count) in counts {
            guard let stated = try file.integer(key, in: 0...Int(Int32.max)) else { throw file.missing(key) }
            guard stated == count else { throw file.problem(key, "is \(stated), and the checks have \(count)") }
        }
    }

    /// Reads the bytes of a file; the first mistake is thrown with its name.
    package init(reading bytes: [UInt8], of file: String) throws(FileProblem) {
        do throws(FileProblem) {
            self = try TestReport(reading: bytes)
        } catch {
            var problem = error
            problem.file = file
            throw problem
        }
    }

    /// The texts of a list; none where there is no list.
    static func lines(_ key: String, of fields: JSONFields) throws(FileProblem) -> [String] {
        let list = try fields.list(key) ?? []
        guard list.count <= mostLines else { throw fields.problem(key, "has more than \(mostLines) lines") }
        var lines: [String] = []
        for line in list {
            guard case .string(let text) = line.content else {
                throw FileProblem(
                    line: line.line, field: fields.path(key), reason: "must have texts only, this is \(line.kind)")
            }
            lines.append(text)
        }
        return lines
    }
}

extension TestedNode {
    init(reading fields: JSONFields) throws(FileProblem) {
        let word = try fields.needString("role")
        guard let role = Role(rawValue: word) else {
            let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.problem("role", "'\(word.visibleLine)' is none of \(known)")
        }
        self.init(role, against: try fields.needString("against"))
        name = try fields.string("name") ?? ""
        model = try fields.string("model") ?? ""
        version = try fields.string("version") ?? ""
        build = try fields.string("build") ?? ""
        level = try fields.integer("level", in: UInt8.min...UInt8.max)
    }
}

extension TestReport.Entry {
    init(reading fields: JSONFields) throws(FileProblem) {
        let word = try fields.needString("kind")
        guard let kind = TestReport.Kind(rawValue: word) else {
            throw fields.problem("kind", "'\(word.visibleLine)' is no kind of check")
        }
        self.init(
            kind: kind, id: try fields.needString("id"), group: try fields.needString("group"),
            title: try fields.needString("title"), verdict: try TestReport.Verdict(reading: fields))
        explanation = try fields.string("explanation") ?? ""
        tags = try TestReport.lines("tags", of: fields)
        seconds = try fields.number("seconds", in: 0...1e9) ?? 0
        repeatCommand = try fields.string("repeat") ?? ""
        exchange = try TestReport.lines("exchange", of: fields)
        transcript = try TestReport.lines("transcript", of: fields)
        effects = try TestReport.lines("effects", of: fields)
        guard let grounds = try fields.object("grounds") else { return }
        var rationale = TestReport.Rationale()
        rationale.given = try grounds.string("given") ?? ""
        rationale.expected = try grounds.string("expected") ?? ""
        rationale.reason = try grounds.string("reason") ?? ""
        rationale.source = try grounds.string("source") ?? ""
        rationale.basis = try grounds.string("basis") ?? ""
        self.rationale = rationale
    }
}

extension TestReport.Verdict {
    init(reading fields: JSONFields) throws(FileProblem) {
        let details = try TestReport.lines("details", of: fields)
        let reason = try fields.string("reason") ?? ""
        let word = try fields.needString("verdict")
        let known: [Self] = [
            .kept, .broken(details), .differs(reason, details), .lacks(reason, details), .notApplicable(reason),
            .notRun(reason), .couldNotRun(reason), .invalid(details),
        ]
        guard let verdict = known.first(where: { $0.words == word }) else {
            throw fields.problem("verdict", "'\(word.visibleLine)' is no verdict")
        }
        self = verdict
    }
}
