import ArgumentParser
import Glibc
import MeshCompanion
import MeshFiles
import MeshReports
import MeshSimulator
import MeshTestbed
import MeshTime
import MeshWire
import MeshWorlds

/// `meshbed mesh run`: runs a world and sums up.
struct MeshRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a world with its traffic for a while, and print a summary.",
        discussion: """
            The summary counts transmissions, receptions and losses by reason, deliveries and their latency, and the \
            airtime of the busiest nodes. Its digest is the same for equal runs; --json prints all of it for programs.

            Examples:
              meshbed mesh run --list
              meshbed mesh run line:10 --for 600s
              meshbed mesh run grid:10x10 --traffic flood:5s --json
              meshbed mesh run city:300 --traffic chat:10s,adverts:1h --trace city.ndjson
              meshbed mesh run valley.json --seed 3
              meshbed mesh run city:300 --firmware 1.15
              meshbed mesh run city:300 --air field
              meshbed mesh run line:4 --pcap air.pcap
              meshbed mesh run heard-adverts.jsonl --for 2h

            Exit status: 0 when the run was made; 2 when it was not possible: an unknown world, a world that does not \
            fit into memory, or a damaged file (with line and field); 3 when it is invalid, as a fault of the world \
            never took effect.
            """)

    @Argument(help: ArgumentHelp("A shape such as grid:10x10, a world file, or a file of adverts.", valueName: "world"))
    var world: String?

    @Flag(help: "Show the shapes and the kinds of traffic, and run nothing.")
    var list = false

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, in simulated time.", valueName: "time"))
    var span = "600s"

    @OptionGroup var seed: SeedOption

    @Option(
        help: ArgumentHelp(
            "What people do: none, flood, direct, chat, adverts, with an interval if wanted (flood:5s), several "
                + "separated by commas. Default: what the world file says, else flood, or chat where no node is called alice.",
            valueName: "kinds"))
    var traffic: String?

    @Option(
        help: ArgumentHelp(
            "Draw so many faults from the seed: loss, partitions, crashes …", valueName: "number"))
    var faults = 0

    @Option(
        help: ArgumentHelp(
            "The firmware of all nodes, in place of that of the world: \(Emulate.versionNames).", valueName: "version"),
        transform: Emulate.version)
    var firmware: FirmwareVersion?

    @Option(
        help: ArgumentHelp(
            "The model of the air, in place of that of the world: "
                + "\(AirModel.named.map { "\($0.name) (\($0.summary))" }.joined(separator: "; ")).",
            valueName: "model"),
        transform: Self.air)
    var air: AirModel?

    @Option(help: ArgumentHelp("Write all events to this file, a JSON object a line.", valueName: "file"))
    var trace: String?

    @Option(
        help: ArgumentHelp(
            "Write all packets that are sent to this file, as pcap with LoRaTap headers.", valueName: "file"))
    var pcap: String?

    @Flag(name: .customLong("no-adverts"), help: "Repeaters send no adverts of their own accord.")
    var noAdverts = false

    @Flag(help: "Print the summary as JSON.")
    var json = false

    func validate() throws {
        if !list && world == nil { throw ValidationError("name a world, such as grid:10x10, or ask with --list") }
        _ = try parseSpan(span)
        if let traffic { _ = try parseTraffic(traffic) }
        guard (0...10_000).contains(faults) else { throw ValidationError("--faults takes 0 to 10000") }
    }

    func run() throws {
        guard world != nil, !list else { return try Console.write(Self.catalogue, to: nil, by: "mesh run") }
        let start = Self.processorSeconds
        let summary = try self.summary()
        let origin = provenance(summary).lines + ["", ""]
        try Console.write(json ? told(summary) : origin.joined(separator: "\n") + summary.text, to: nil, by: "mesh run")
        if !json, StandardOutput.isTerminal {
            let seconds = Self.processorSeconds - start
            Console.note("\(seconds.fixed(2)) s of processor time")
        }
        if !summary.invalid.isEmpty { throw ExitCode(TestReport.invalidExitCode) }
    }

    private static func air(_ name: String) throws -> AirModel {
        guard let model = AirModel(named: name) else {
            throw ValidationError("\(name) is none of \(AirModel.named.map(\.name).joined(separator: ", "))")
        }
        return model
    }

    private func provenance(_ summary: MeshSummary) -> Provenance {
        var run = Provenance.Run(.world(world ?? ""), seed: seed.seed, time: "virtual", air: summary.air)
        run.firmware = firmware?.name
        return .of(run)
    }

    /// The summary as JSON, with the provenance as a member.
    private func told(_ summary: MeshSummary) throws -> String {
        try RunRecord(summary: summary, provenance: provenance(summary)).jsonText() + "\n"
    }

    private struct RunRecord: Encodable {
        private enum Key: String, CodingKey {
            case provenance
        }

        let summary: MeshSummary
        let provenance: Provenance

        func encode(to encoder: any Encoder) throws {
            try summary.encode(to: encoder)
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(provenance, forKey: .provenance)
        }
    }

    /// Runs the world.
    func summary() throws -> MeshSummary {
        guard let world else { throw Console.failed("mesh run", "no world is named") }
        let span = try parseSpan(span)
        var plan = try plan(world)
        if let label = plan.topology.externalNodes.first {
            throw Console.failed("mesh run", "node \"\(label)\" is external: 'meshbed emulate' lets its program attach")
        }
        if let traffic {
            plan.traffic = try parseTraffic(traffic)
        } else if plan.traffic.rules.isEmpty {
            // Worlds of files need not have an alice.
            plan.traffic = try parseTraffic("flood")
            if plan.traffic.problem(in: plan.topology) != nil { plan.traffic = try parseTraffic("chat") }
        }
        if let firmware { plan.run(firmware) }
        if let air { plan.air = air }
        if noAdverts { plan.silenceAdverts() }
        plan.addRandomFaults(faults, span: span, seed: seed.value)
        if let problem = plan.traffic.problem(in: plan.topology) {
            throw Console.failed("mesh run", "traffic: \(problem)")
        }
        if let problem = plan.unreachedFault(in: span) { throw Console.failed("mesh run", problem) }
        return try perform(plan, span)
    }

    private func plan(_ world: String) throws -> WorldPlan {
        do {
            let source = try WorldSource(world, seed: seed.value)
            for note in source.notes { Console.note("\(world): \(note)") }
            return source.plan
        } catch {
            throw Console.failed("mesh run", error)
        }
    }

    // MARK: Running

    private func perform(_ plan: WorldPlan, _ span: TimeSpan) throws -> MeshSummary {
        let bar = ProgressLine("mesh run", of: Int(span.milliseconds / 1000), "simulated s")
        let file = try opened(trace) { path throws(FileSystem.Failure) in
            try TraceOutput(path, plan.topology, seed: seed.value, span: span)
        }
        let air = try opened(pcap) { path throws(FileSystem.Failure) in try AirOutput(path) }
        var sink: ((Instant, NodeID, MeshRun.Happening) -> Void)?
        if file != nil || air != nil {
            sink = {
                file?.add($0, $1, $2)
                air?.add($0, $1, $2)
            }
        }
        var run = MeshRun(plan, seed: seed.value, span: span, sink: sink)
        air?.begin(run.world)
        let summary = run.perform { bar.show(Int($0.milliseconds / 1000)) }
        bar.clear()
        file?.end(digest: summary.digest, unseed: summary.unseed, at: .start + span)
        air?.end()
        if let problem = file?.problem ?? air?.problem { throw Console.failed("mesh run", problem) }
        return summary
    }

    private func opened<File>(
        _ path: String?, _ open: (String) throws(FileSystem.Failure) -> File
    ) throws -> File? {
        guard let path else { return nil }
        do throws(FileSystem.Failure) {
            return try open(path)
        } catch {
            throw Console.failed("mesh run", "\(path): cannot be written: \(error.reason)")
        }
    }

    private static var processorSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    // MARK: Catalogue

    /// The list of shapes and of traffic.
    private static var catalogue: String {
        func row(_ name: String, _ summary: String) -> String {
            "  " + name.padded(to: 16, gap: 1) + summary
        }
        let shapes = TopologyName.Shape.allCases.map { shape in
            row(shape.rawValue + (shape.exampleSize.isEmpty ? "" : ":" + shape.exampleSize), shape.summary)
        }
        let traffic = Traffic.Kind.allCases.map { row($0.rawValue, $0.summary) }
        let lines =
            ["Worlds (sizes are examples):"] + shapes
            + [row("FILE", "a world file, or a file of adverts: see the article \"World files\"")]
            + ["", "Traffic (an interval behind a colon changes the usual one, as in flood:5s):"] + traffic
        return lines.joined(separator: "\n") + "\n"
    }
}
