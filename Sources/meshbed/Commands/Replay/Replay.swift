import ArgumentParser
import MeshCapture
import MeshCaptureIO
import MeshCompliance
import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTestbed
import MeshTransports
import MeshWire

/// `meshbed replay`: a recording plays the radio, plays the client, or drives the service stack.
struct Replay: AsyncParsableCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case radio, client
    }

    enum Into: String, ExpressibleByArgument, CaseIterable {
        case stack
    }

    static let configuration = CommandConfiguration(
        abstract: "Replay recordings: as the radio, as the client, or into the service stack.",
        discussion: """
            As radio, it listens like a board and answers each command as recorded. It matches commands by meaning, \
            not by time. Times, attempts and tags may differ, and in a scrubbed recording the replaced values too. \
            Commands may come in another order and more than once. It refuses and names commands that were never \
            recorded. It runs until interrupted, or with --once until the first client leaves.

            As client, it sends the recorded commands to a radio and compares the answers field by field. It carries \
            over values that the radio chooses anew. The target 'emulator' is a fresh world with 'world', 'seed' and \
            'node' of the recording's header, on virtual time. Commands that change a real radio (set …, import, \
            reboot, factory reset) need --allow-changes.

            Into the stack, it connects the service stack to the recorded radio on virtual time and prints the \
            result. --outcome writes the result as JSON. --expect compares it with such a file, or a part of one. \
            --expect-beside compares it with the file beside each recording: day.stack.json for day.capture.

            As client and into the stack, several recordings and folders of them get a verdict each.

            Examples:
              meshbed replay session.capture --as radio --endpoint tcp://127.0.0.1:5000
              meshbed replay session.capture --as radio --endpoint pty:./radio.tty --once
              meshbed replay session.capture --as client --target emulator
              meshbed replay session.capture --as client --target tcp://192.168.4.1 \\
                --may-differ time,random,measurement,key
              meshbed replay session.capture --into stack --outcome after.json
              meshbed replay session.capture --into stack --expect after.json
              meshbed replay Captures --into stack --expect-beside --junit replays.xml

            Exit status: 0 when all comparisons are as recorded or expected; 1 with departures or differences; 2 when \
            it could not run (no recording, no link, nothing to compare, --allow-changes missing, a report that \
            cannot be written, wrong arguments).
            """)

    @Argument(
        help: ArgumentHelp(
            "Recordings, and folders with files named *.capture; '-' reads standard input. All that 'meshbed capture' "
                + "reads will do.", valueName: "file or folder"))
    var files: [String]

    @Option(help: "Only this connection of the recording, counted from 1.")
    var connection: Int?

    @Option(name: .customLong("as"), help: "The side that the recording plays: radio or client.")
    var role: Role?

    @Option(help: "What the recording drives: stack.")
    var into: Into?

    @Option(
        help: ArgumentHelp("As radio: where it listens.", valueName: "tcp://HOST:PORT|pty:PATH"),
        transform: { try LinkAddress(listener: $0) })
    var endpoint: LinkAddress?

    @Flag(help: "As radio: end when the first client has left.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "As client: the radio, which can be a label of the bench file.", valueName: "\(Target.valueName)|label"),
        transform: { try ReplayTarget($0) })
    var target: ReplayTarget?

    @OptionGroup var bench: BenchOptions

    @Option(help: "As client, target emulator: the world, in place of the recording's.")
    var world: String?

    @Option(help: "As client, target emulator: the seed, in place of the recording's.")
    var seed: UInt64?

    @Option(help: "As client, target emulator: the radio, in place of the recording's or the world's first.")
    var node: String?

    @Flag(help: "As client: also send what changes the radio.")
    var allowChanges = false

    @Option(
        help: ArgumentHelp(
            "As client: what may differ, separated by commas: time, random, measurement, key, content, or the names of "
                + "fields and pushes. Without it time, random and measurement; 'none' is nothing.", valueName: "list"))
    var mayDiffer: String?

    @Option(
        help: ArgumentHelp(
            "Times the recorded speed. Not given: 1 as radio and into the stack; as client, without pauses.")
    )
    var speed: Double?

    @Option(help: ArgumentHelp("Into the stack: compare with this JSON file.", valueName: "file"))
    var expect: String?

    @Flag(help: "Into the stack: compare with the file beside each recording, NAME.stack.json for NAME.capture.")
    var expectBeside = false

    @Flag(help: "Into the stack: write these files anew.")
    var writeBeside = false

    @Option(
        help: ArgumentHelp(
            "Into the stack: write its final state as JSON; '-' is standard output.", valueName: "file"))
    var outcome: String?

    @OptionGroup(title: "Reports")
    var reports: ReportOptions

    func validate() throws {
        guard (role == nil) != (into == nil) else {
            throw ValidationError("give --as radio, --as client or --into stack")
        }
        if role == .client, target == nil { throw ValidationError("--as client needs a --target") }
        if case .radio(let word)? = target { try word.check(bench) }
        if let speed, !(0.01...1000).contains(speed) { throw ValidationError("--speed must be from 0.01 to 1000") }
        try validateExpectations()
        if files.count > 1 {
            if role == .radio { throw ValidationError("--as radio plays one recording") }
            if connection != nil { throw ValidationError("--connection is of one recording") }
        }
        if let option = strayOption { throw ValidationError(option) }
        _ = try rules
    }

    /// An option that has no meaning for what is replayed here, with the place where it belongs.
    private var strayOption: String? {
        let ofRadio = [("--endpoint", endpoint != nil), ("--once", once)]
        let ofClient = [
            ("--target", target != nil), ("--bench", bench.file != nil),
            ("--allow-changes", allowChanges), ("--may-differ", mayDiffer != nil),
        ]
        let ofWorld = [("--world", world != nil), ("--seed", seed != nil), ("--node", node != nil)]
        if role != .radio, let stray = ofRadio.first(where: \.1) { return "\(stray.0) goes with --as radio" }
        if role != .client, let stray = (ofClient + ofWorld).first(where: \.1) {
            return "\(stray.0) goes with --as client"
        }
        if let stray = ofWorld.first(where: \.1), case .radio? = target {
            return "\(stray.0) goes with --target emulator"
        }
        return nil
    }

    private func validateExpectations() throws {
        let ways = [expect != nil, expectBeside, writeBeside].count { $0 }
        if into == nil, ways > 0 || outcome != nil {
            throw ValidationError("--expect, --expect-beside, --write-beside and --outcome go with --into stack")
        }
        if ways > 1 { throw ValidationError("--expect, --expect-beside and --write-beside exclude each other") }
        if files.count > 1, expect != nil || outcome != nil {
            throw ValidationError("--expect and --outcome are for one recording; --expect-beside is for several")
        }
        if expectBeside || writeBeside, files.contains("-") {
            throw ValidationError("standard input has no file beside it")
        }
        if outcome == "-", reports.takesStandardOutput || reports.job.annotations {
            throw ValidationError("standard output takes either --outcome or a report")
        }
    }

    /// The differences that are allowed.
    var rules: DifferenceRules {
        get throws {
            guard let mayDiffer else { return .replay }
            var rules = DifferenceRules.none
            for word in mayDiffer.split(separator: ",").map(String.init) where word != "none" {
                if let kind = FieldClass(rawValue: word) {
                    rules.mayDiffer.insert(kind)
                } else if let kind = FieldClass(rawValue: String(word.dropLast())), word.hasSuffix("s") {
                    rules.mayDiffer.insert(kind)
                } else if ComparedNames.knows(word) {
                    rules.fields.insert(word)
                } else {
                    throw ValidationError(
                        "--may-differ: nothing is called '\(word)'; there are the classes "
                            + ComparedNames.classes.joined(separator: ", ") + ", the fields "
                            + ComparedNames.fields.joined(separator: ", ") + ", and the pushes "
                            + ComparedNames.pushes.joined(separator: ", "))
                }
            }
            return rules
        }
    }

    func run() async throws {
        try reports.check(for: "replay")
        let files: [String]
        do { files = try RecordingFiles(self.files).paths } catch { throw Console.failed("replay", error) }
        if files.count > 1 || files != self.files {
            for line in Provenance.of(nil).lines { say(line) }
            try await replayAll(files)
        } else {
            let result = try await replay(files[0])
            for line in result.lines + [result.summary] { say(line) }
            if let reason = result.failure { Console.note("meshbed replay: \(reason)") }
            try end(result.report)
        }
    }

    /// A verdict for each, and what is wrong below it.
    private func replayAll(_ files: [String]) async throws {
        if role == .radio || expect != nil || outcome != nil {
            throw Console.failed("replay", "a folder is replayed as the client, or into the stack with --expect-beside")
        }
        var results: [(name: String, report: TestReport)] = []
        for file in files {
            let result = try await replay(file)
            let failure = result.failure.map { $0.hasPrefix(file + ": ") ? String($0.dropFirst(file.count + 2)) : $0 }
            say("\(result.verdict)\(file): \(failure ?? result.summary)")
            for line in result.problems { say("         \(line)") }
            results.append((file, result.report))
        }
        let codes = results.map(\.report.exitCode)
        let counts = [(0, "kept"), (1, "broken"), (2, "could not run")].map { code, word in
            "\(codes.count { $0 == code }) \(word)"
        }
        say("\(files.count) recordings: " + counts.joined(separator: ", "))
        try end(TestReport(replays: results, target: results.first?.report.target ?? ""))
    }

    private func replay(_ file: String) async throws -> ReplayResult {
        do {
            let capture = try LoadedCapture(file)
            guard !capture.isOfObservers else {
                throw LoadedCapture.Failure(description: "\(file): has packets on the air alone, so no app to replay")
            }
            _ = capture.reportProblems("replay")
            let recording = try capture.part(connection: connection).recording
            if let note = recording.history.note { Console.note("\(file): \(note)") }
            let provenance = Provenance.of(origin(recording, file))
            if files == [file] { for line in provenance.lines { say(line) } }
            var result =
                switch role {
                case .radio: try await playRadio(recording, file)
                case .client: try await playClient(recording)
                case nil: try driveStack(recording, file)
                }
            result.report.provenance = provenance
            return result
        } catch let code as ExitCode {
            throw code
        } catch {
            let command = "replay " + (role.map { "--as \($0)" } ?? "--into stack")
            return ReplayResult(impossible: "\(error)", command: command, target: target.map { "\($0)" } ?? file)
        }
    }

    private func end(_ report: TestReport) throws {
        try reports.write(report, for: "replay")
        try reports.job.end(report.exitCode)
    }

    /// Prints a line for people; standard output may be used by a report for programs.
    func say(_ line: String) {
        guard !line.isEmpty else { return }
        if outcome == "-" { Console.note(reports.job.shown(line)) } else { reports.say(line.visibleLine) }
    }
}
