import ArgumentParser
import MeshCapture
import MeshCaptureIO
import MeshReports

/// `meshbed capture diff`: what two recordings say differently.
struct CaptureDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two recordings by meaning, frame by frame and field by field.",
        discussion: """
            Lines that say the same are put beside each other, as diff does; a frame that changed is compared field by \
            field. Each field has a class: time, random, measurement, key or content. The first three may differ; \
            times of lines, notes and reasons of disconnections never count.

              - line of the first file only     + line of the second file only     ~ frame with other fields

            Examples:
              meshbed capture diff yesterday.capture today.capture
              meshbed capture diff yesterday.capture today.capture --allow key \\
                --ignore name
              meshbed capture diff yesterday.capture today.capture --exact

            Exit status: 0 when they say the same, 1 when they differ or cannot be read, 2 when there is no such file.
            """)

    @Argument(help: "A recording, a Bluetooth capture or observers' records; '-' reads standard input.") var first:
        String
    @Argument(help: "The recording to compare with.") var second: String
    @Flag(help: "Compare bytes: nothing may differ.") var exact = false
    @Flag(help: "Let no class differ but those of --allow.") var strict = false
    @Option(
        help: ArgumentHelp(
            "A class of fields that may differ: time, random, measurement, key, content; can be repeated.",
            valueName: "class"), transform: CaptureDiff.fieldClass)
    var allow: [FieldClass] = []
    @Option(
        help: ArgumentHelp("A field that may differ, as in 'name' or 'raw.path'; can be repeated.", valueName: "field"))
    var ignore: [String] = []
    @Option(help: "Compare this connection of both, counted from 1.") var connection: Int?
    @OptionGroup var keys: AirKeyOptions
    @Flag(help: "Print one JSON object for each change.") var json = false

    static func fieldClass(_ name: String) throws -> FieldClass {
        guard let found = FieldClass(rawValue: name) else {
            let known = FieldClass.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no class '\(name)'; there are \(known)")
        }
        return found
    }

    var rules: DifferenceRules {
        let base = strict ? DifferenceRules.none : .replay
        return DifferenceRules(mayDiffer: base.mayDiffer.union(allow), fields: Set(ignore))
    }

    func validate() throws {
        guard first != "-" || second != "-" else {
            throw ValidationError("only one of the files can be standard input")
        }
        guard !exact || (allow.isEmpty && ignore.isEmpty) else {
            throw ValidationError("--exact compares all bytes, so it takes neither --allow nor --ignore")
        }
    }

    func run() throws {
        try CaptureRun.run("diff") {
            let captures = (try LoadedCapture(first, keys.options), try LoadedCapture(second, keys.options))
            let left = try captures.0.part(connection: connection)
            let right = try captures.1.part(connection: connection)
            let difference = RecordingDifference(left.recording, right.recording, rules: rules, isExact: exact)
            for change in difference.changes {
                let shown = ShownChange(change, left, right)
                if json { Console.out(CaptureJSON.line(shown)) } else { shown.lines.forEach(Console.out) }
            }
            if !json, !difference.changes.isEmpty {
                Console.out("\(difference.changes.count) changes, \(difference.same) lines say the same")
            }
            let areReadable = (captures.0.reportProblems("capture diff"), captures.1.reportProblems("capture diff"))
            return difference.changes.isEmpty && areReadable == (true, true)
        }
    }
}

/// A change for people and for programs.
struct ShownChange: Encodable {
    struct Field: Encodable {
        let name: String
        let fieldClass: String
        let recorded: String?
        let seen: String?
    }

    let mark: String
    let firstLine: Int?
    let secondLine: Int?
    let story: String
    let fields: [Field]?

    init(_ change: RecordingDifference.Change, _ first: LoadedCapture.Part, _ second: LoadedCapture.Part) {
        switch change {
        case .missing(let index):
            (mark, firstLine, secondLine, fields) = ("-", first.places[index], nil, nil)
            story = first.recording.entries[index].shown
        case .added(let index):
            (mark, firstLine, secondLine, fields) = ("+", nil, second.places[index], nil)
            story = second.recording.entries[index].shown
        case .changed(let index, let other, let differences):
            (mark, firstLine, secondLine) = ("~", first.places[index], second.places[other])
            let entry = first.recording.entries[index]
            story = "\(entry.time.recordedText) \(entry.link.rawValue) \(entry.mark) \(entry.decoded?.shortName ?? "")"
            fields = differences.map {
                Field(name: $0.field, fieldClass: $0.fieldClass.rawValue, recorded: $0.recorded, seen: $0.seen)
            }
        }
    }

    var lines: [String] {
        let place =
            switch (firstLine, secondLine) {
            case (let first?, let second?): "\(first), \(second)"
            case (let line?, nil), (nil, let line?): "\(line)"
            case (nil, nil): ""
            }
        let details = (fields ?? []).map {
            "    \($0.name): \($0.recorded ?? "nothing") → \($0.seen ?? "nothing") (\($0.fieldClass))"
        }
        return ["\(mark) line \(place): \(story)"] + details
    }
}
