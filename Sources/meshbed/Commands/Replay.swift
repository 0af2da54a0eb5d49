import ArgumentParser
import Foundation
import Glibc
import MeshCapture
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshTestbed
import MeshTransports
import ScenarioTool

/// `meshbed replay`: a recording plays the radio, plays the client, or drives the service stack.
struct Replay: AsyncParsableCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case radio, client
    }

    enum Into: String, ExpressibleByArgument, CaseIterable {
        case stack
    }

    static let configuration = CommandConfiguration(
        abstract: "Replay a recording: as the radio, as the client, or into the service stack.",
        discussion: """
            As radio, it listens like a board and answers each command as recorded. Commands are known by what they mean, \
            not by the clock: times, attempts and tags may differ, in a scrubbed recording also what was scrubbed; they \
            may come in another order and more than once. What was never recorded is refused and named. Runs until \
            interrupted, or with --once until the first client has left.

            As client, it sends the recorded commands to a radio and compares the answers field by field. What the radio \
            chooses anew is carried over. The target 'emulator' is a fresh world of the recording's header rows 'world', \
            'seed' and 'node', on virtual time. Commands that change a radio (set …, import, reboot, factory reset) are \
            sent to a real one only with --allow-changes.

            Into the stack, it connects the service stack to the recorded radio on virtual time and prints what the stack \
            ends up with; --expect compares that with a JSON file, which may hold a part of it.

            Examples:
              meshbed replay session.capture --as radio --endpoint tcp://127.0.0.1:5000
              meshbed replay session.capture --as radio --endpoint pty:./radio.tty --once
              meshbed replay session.capture --as client --target emulator
              meshbed replay session.capture --as client --target tcp://192.168.4.1 --may-differ time,random,measurement,key
              meshbed replay session.capture --into stack --json > after.json
              meshbed replay session.capture --into stack --expect after.json

            Exit status: 0 without a departure, 1 with departures or differences, 2 when it could not run: no recording, \
            no link, commands that need --allow-changes, wrong arguments.
            """)

    @Argument(help: "The recording; '-' reads standard input. All that 'meshbed capture' reads will do.")
    var file: String

    @Option(help: "Only this connection of the recording, counted from 1.")
    var connection: Int?

    @Option(name: .customLong("as"), help: "Whom the recording plays: radio or client.")
    var role: Role?

    @Option(help: "What the recording drives: stack.")
    var into: Into?

    @Option(
        help: ArgumentHelp("As radio: where it listens.", valueName: "tcp://HOST:PORT|pty:PATH"),
        transform: { try Endpoint($0) })
    var endpoint: Endpoint?

    @Flag(help: "As radio: end when the first client has left.")
    var once = false

    @Option(
        help: ArgumentHelp("As client: the radio.", valueName: "emulator|tcp://…|serial:…"),
        transform: { try ReplayTarget($0) })
    var target: ReplayTarget?

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
        help:
            "Times the recorded speed; as radio and into the stack 1 without it. As client commands wait only for what came before them without it."
    )
    var speed: Double?

    @Option(help: ArgumentHelp("Into the stack: compare with this JSON file.", valueName: "file"))
    var expect: String?

    @Flag(help: "Into the stack: print JSON.")
    var json = false

    @Option(help: ArgumentHelp("Write the report of a replay as radio or client as JUnit XML.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write the report of a replay as radio or client as JSON.", valueName: "file"))
    var report: String?

    func validate() throws {
        guard (role == nil) != (into == nil) else {
            throw ValidationError("say --as radio, --as client or --into stack")
        }
        if role == .client, target == nil { throw ValidationError("--as client needs a --target") }
        if let speed, !(0.01...1000).contains(speed) { throw ValidationError("--speed must be from 0.01 to 1000") }
        if into == nil, json || expect != nil { throw ValidationError("--json and --expect go with --into stack") }
        _ = try rules
    }

    /// What may differ.
    var rules: DifferenceRules {
        get throws {
            guard let mayDiffer else { return .replay }
            var rules = DifferenceRules.none
            for word in mayDiffer.split(separator: ",").map(String.init) where word != "none" {
                if let kind = FieldClass(rawValue: word) {
                    rules.mayDiffer.insert(kind)
                } else if let kind = FieldClass(rawValue: String(word.dropLast())), word.hasSuffix("s") {
                    rules.mayDiffer.insert(kind)
                } else {
                    rules.fields.insert(word)
                }
            }
            return rules
        }
    }

    func run() async throws {
        let recording: Recording
        do {
            let capture = try LoadedCapture(file)
            _ = capture.reportProblems("replay")
            recording = try capture.part(connection: connection).recording
        } catch {
            throw Console.failed("replay", error)
        }
        switch role {
        case .radio: try await playRadio(recording)
        case .client: try await playClient(recording)
        case nil: try driveStack(recording)
        }
    }

    private var radioPace: RadioReplayer.Pace { .recorded(perMille: Int64(((speed ?? 1) * 1000).rounded())) }

    // MARK: As radio

    private func playRadio(_ recording: Recording) async throws {
        let interrupt = Interrupt()
        let endpoint = endpoint ?? .tcp(host: Endpoint.defaultHost, port: Endpoint.defaultPort)
        let core = ReplayedEndpoint(RadioReplayer(recording, pace: radioPace), at: endpoint)
        let server: EndpointServer<ReplayedEndpoint>
        do throws(EmulatorError) {
            server = try await EndpointServer.start(core, at: endpoint, log: Console.note)
        } catch {
            throw Console.failed("replay", error)
        }
        Console.out("The radio of \(file) listens at \(server.endpoint).")
        await interrupt.orEnd { [once] in
            var isOver = false
            while !isOver {
                try await Task.sleep(for: .milliseconds(200))
                isOver = try await server.inspect { once && $0.hasBeenLeft }
            }
        }
        let radio = try await server.stop().radio
        for line in radio.summary { Console.out(line) }
        try write(TestReport(radio, at: "\(server.endpoint)"))
        if radio.departureCount > 0 { throw ExitCode(1) }
    }

    // MARK: As client

    private func playClient(_ recording: Recording) async throws {
        guard let target else { return }
        var replay = ClientReplay(recording, rules: try rules)
        if let speed { replay.pace = .recorded(perMille: Int64((speed * 1000).rounded())) }
        let checks: [ReplayCheck]
        switch target {
        case .emulator:
            let place = place(recording.header)
            if speed == nil { replay.pace = place.pace }
            do { checks = try replay.runInWorld(place) } catch {
                throw Console.failed("replay", error)
            }
        case .radio(let url):
            let changes = ReplayScript(recording).changes
            guard allowChanges || changes.isEmpty else {
                let names = changes.map(\.wireName).joined(separator: ", ")
                throw Console.failed("replay", "the recording changes the radio (\(names)): --allow-changes sends them")
            }
            let clock = ContinuousClock()
            let transport: any MeshTransport
            do { transport = try await url.transport(clock: clock) } catch { throw Console.failed("replay", error) }
            checks = await replay.run(over: transport, clock: clock)
        }
        if let check = checks.first(where: \.isNotConnected) {
            throw Console.failed("replay", check.problems.map(\.description).joined(separator: "; "))
        }
        let report = TestReport(replaying: recording, against: "\(target)", checks)
        for check in checks where !check.isKept {
            let place = check.entry.map { "entry \($0 + 1)" } ?? "not recorded"
            for problem in check.problems { Console.out("\(check.title) (\(place)): \(problem)") }
        }
        Console.out("\(report.kept) of \(checks.count) as recorded, \(report.broken) not")
        try write(report)
        if report.broken > 0 { throw ExitCode(1) }
    }

    private func place(_ header: RecordingHeader) -> ClientReplay.Place {
        var place = ClientReplay.Place(header)
        place.world = world ?? place.world
        place.seed = seed ?? place.seed
        place.node = node ?? place.node
        return place
    }

    // MARK: Into the stack

    private func driveStack(_ recording: Recording) throws {
        let expectation: Expectation?
        do {
            expectation = try expect.map { try Expectation(try Data(contentsOf: URL(fileURLWithPath: $0))) }
        } catch {
            throw Console.failed("replay", "\(expect ?? ""): \(error)")
        }
        let outcome: StackOutcome
        do { outcome = try StackReplay(recording, pace: radioPace).run() } catch {
            throw Console.failed("replay", error)
        }
        guard let expectation else {
            Console.out(json ? try Self.text(outcome) : outcome.text)
            if !outcome.departures.isEmpty { throw ExitCode(1) }
            return
        }
        let differences = try expectation.differences(from: outcome)
        if json { Console.out(try Self.text(outcome)) }
        for line in differences { Console.note(line) }
        if !differences.isEmpty { throw ExitCode(1) }
        if !json { Console.out("as expected") }
    }

    private static func text(_ outcome: StackOutcome) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(outcome), as: UTF8.self)
    }

    // MARK: Reports

    private func write(_ result: TestReport) throws {
        var result = result
        result.version = Meshbed.configuration.version
        do {
            if let junit { try Data(result.junit.utf8).write(to: URL(fileURLWithPath: junit)) }
            if let report { try Data(result.json.utf8).write(to: URL(fileURLWithPath: report)) }
        } catch {
            throw Console.failed("replay", error)
        }
    }
}

/// What a replayed client talks to.
enum ReplayTarget: Sendable, CustomStringConvertible {
    case emulator
    case radio(TransportURL)

    init(_ text: String) throws {
        self = text == "emulator" ? .emulator : .radio(try TransportURL(text))
    }

    var description: String {
        switch self {
        case .emulator: "emulator"
        case .radio(let url): "\(url)"
        }
    }
}
