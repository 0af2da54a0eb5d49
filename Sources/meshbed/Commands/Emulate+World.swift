import ArgumentParser
import MeshBoards
import MeshCaptureIO
import MeshCompanion
import MeshCompliance
import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTestbed
import MeshTime
import MeshTransports
import MeshWorlds
import Synchronization

// `meshbed emulate` of a world.
extension Emulate {
    /// Runs the world until it is interrupted, or ends by itself.
    func runWorld(until interrupt: Interrupt) async throws {
        let seed = Seed(seed ?? UInt64.random(in: 0...UInt64(UInt32.max)))
        let emulator: Emulator
        let recordings: WorldRecordings?
        let trace: LiveTrace?
        let provenance: Provenance
        do {
            let source = try WorldSource(world, seed: seed)
            for note in source.notes { Console.note("\(world): \(note)") }
            var configuration = try configuration(source, seed)
            var run = origin(seed, nil)
            run.air = source.world.air.words
            provenance = .of(run)
            let begun = try record.map { try WorldRecordings($0, configuration, profile, secrets) }
            if let begun { configuration.record = { try begun.append($1, of: $0) } }
            do {
                let file = try live.trace.map { path throws in
                    try LiveTrace(path, source.plan.topology, seed: seed, span: live.span ?? .zero)
                }
                if let file {
                    configuration.happened = { file.add($0, $1, $2) }
                    configuration.turned = { file.add($0, at: $1) }
                }
                trace = file
                emulator = try await Emulator.start(configuration)
            } catch {
                begun?.discard()
                throw error
            }
            recordings = begun
        } catch {
            throw Console.failed("emulate", error)
        }
        let api = try await openControl(of: emulator, provenance)
        await describe(emulator, provenance, api)
        if let record, let recordings { say("Recording into \(record), \(recordings.promise).") }
        if live.untilStdinCloses { interrupt.comeAtEndOfInput() }
        await interrupt.orEnd(of: emulator)
        await close(api, of: emulator)
        let outcome = await emulator.conclude()
        do throws(EmulatorError) {
            // Whether it ended by itself or by an interrupt: what was to be stored is stored, or this throws.
            try await emulator.waitUntilEnded()
        } catch {
            throw Console.failed("emulate", error)
        }
        if let outcome { try tell(outcome, seed, trace) }
        for summary in recordings?.summaries ?? [] { say("Recorded \(summary).") }
        // A run without an end of its own may be over before its faults are due.
        if live.span != nil, outcome?.invalid.isEmpty == false { throw ExitCode(TestReport.invalidExitCode) }
    }

    // MARK: Before

    private func configuration(_ source: WorldSource, _ seed: Seed) throws -> Emulator.Configuration {
        var plan = source.plan
        plan.addRandomFaults(live.faults, span: live.span ?? LiveOptions.usualSpan, seed: seed)
        if let traffic = live.traffic { plan.traffic = traffic }
        if let problem = plan.traffic.problem(in: plan.topology) { throw ValidationError("traffic: \(problem)") }
        if let span = live.span, let problem = plan.unreachedFault(in: span) { throw ValidationError(problem) }
        var world = source.world
        world.faults = plan.faults
        if live.noAdverts {
            plan.silenceAdverts()
            world.silenceAdverts()
        }
        for index in world.nodes.indices {
            let version = firmware ?? world.nodes[index].board.firmware
            if let chosenProfile { world.nodes[index].board = chosenProfile }
            if version != world.nodes[index].board.firmware { world.nodes[index].run(version) }
            if display { world.nodes[index].board.hasDisplay = true }
            if logPackets { world.nodes[index].board.logsPackets = true }
            for quirk in withoutQuirks { world.nodes[index].quirks = world.nodes[index].quirks.removing(quirk) }
            world.nodes[index].hooks = mutant?.hooks
        }
        var configuration = Emulator.Configuration(
            world: world, seed: seed, endpoints: try endpoints(in: plan.topology), pace: live.pace(speed: speed),
            state: try openState(of: world), log: Console.note)
        configuration.linkFaults = try linkFaults(of: configuration)
        configuration.waiting = live.waiting
        configuration.link = live.link
        configuration.peers = attached.peers
        configuration.antennas = attached.antennas
        configuration.display = live.readyJson ? Console.note : Console.out
        if let span = live.span { configuration.end = .start + span }
        configuration.lost = live.readyJson ? Console.note : Console.out
        configuration.isSteered = control != nil
        configuration.hasJig = jig
        if configuration.isSteered || !plan.traffic.rules.isEmpty { configuration.traffic = plan }
        return configuration
    }

    /// The endpoints that were asked for; else one for alice, or for the first node that has an app.
    ///
    /// A world that programs steer needs none.
    private func endpoints(in topology: Topology) throws -> [NodeEndpoint] {
        let wanted = attached.endpoints(endpoints, in: topology)
        guard wanted.isEmpty, control == nil else { return wanted }
        let companions = topology.nodes.filter { $0.role == .companion && !attached.hasAntenna($0.label) }
        guard let node = companions.first(where: { $0.label == Self.defaultEndpoint.label }) ?? companions.first else {
            throw ValidationError("the world has no companion radio: name a console, as in --endpoint NODE=tcp://…")
        }
        return [NodeEndpoint(label: node.label, endpoint: Self.defaultEndpoint.endpoint)]
    }

    /// The fault plans of the file that was named; nothing is open yet.
    private func linkFaults(of configuration: Emulator.Configuration) throws -> [NodeLinkFaults] {
        guard let path = linkFaults else { return [] }
        let companions = configuration.world.nodes.filter { if case .companion = $0.role { true } else { false } }
        let labels = Set(companions.map(\.label))
        let linked = configuration.endpoints.filter { $0.service == .node && labels.contains($0.label) }.map(\.label)
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.readInput(path, atMost: NodeLinkFaults.longestFile)
        } catch {
            throw CaptureFileError(path, "cannot be read: \(error.reason)")
        }
        do {
            return try NodeLinkFaults.read(bytes, endpoints: linked)
        } catch {
            var problem = error
            problem.file = path
            throw problem
        }
    }

    private func openState(of world: WorldDescription) throws(EmulatorError) -> StateDirectory? {
        guard let state else { return nil }
        let directory = try StateDirectory(path: state)
        guard resetState else { return directory }
        for node in world.nodes {
            guard let place = try directory.setAside(node.label) else { continue }
            say("\(node.label): the old files are now in \(place)")
        }
        return directory
    }

    /// The origin of the run, as far as it is known: before its end, or with its outcome.
    private func origin(_ seed: Seed, _ outcome: RunOutcome?) -> Provenance.Run {
        let repeatability: Provenance.Run.Repeatability
        switch (live.time, outcome?.unpromptedInputs) {
        case (.clock, _): repeatability = .notReproducible("time follows the clock, and clients with it")
        case (_, nil): repeatability = .reproducibleIf("clients do nothing but answer within the quiet time")
        case (_, 0): repeatability = .reproducible
        case (_, let count?):
            repeatability = .notReproducible("clients did something while time was passing, \(count) times")
        }
        let time =
            (live.time == .clock
                ? "clock at speed \(speed)"
                : "\(live.time.rawValue), quiet \(live.waiting.quiet.milliseconds) ms")
            + (live.link == .direct ? "" : ", link \(live.link.rawValue)")
        return Provenance.Run(
            .world(world), seed: seed.value, time: time, withoutQuirks: withoutQuirks.map(\.rawValue),
            repeatability: repeatability)
    }

    // MARK: Telling

    /// Prints a line for people.
    private func say(_ line: String) {
        if live.readyJson { Console.note(line) } else { Console.out(line) }
    }

    private func describe(_ emulator: Emulator, _ provenance: Provenance, _ api: OpenControl?) async {
        let endpoints = emulator.endpoints
        let nodes =
            (try? await emulator.inspect { world in
                world.nodes.map { NodeLine($0, in: world, endpoints: endpoints) }
            }) ?? []
        if live.readyJson {
            Console.out(ReadyLine(provenance, nodes, control: api?.address, token: api?.token).text)
        }
        for line in provenance.lines { say(line) }
        // A long list would hide where to connect.
        let shown = nodes.count > Self.mostShownNodes ? nodes.filter { !$0.endpoints.isEmpty } : nodes
        for line in NodeLine.table(shown) { say(line) }
        if shown.count < nodes.count { say("and \(nodes.count - shown.count) nodes without an endpoint") }
        if showsCodes { showCodes(of: nodes, endpoints) }
        if let mutant { say("Mutant \(mutant.name): \(mutant.summary)") }
        if let chosenProfile {
            say("Board \(chosenProfile.name) (\(chosenProfile.model)), firmware \(chosenProfile.firmware.text)")
        }
        if let firmware { say("Firmware \(firmware.text) on all nodes, protocol level \(firmware.switches.level)") }
        if let api { say("Control \(api.address)" + (api.token.map { ", token \($0)" } ?? "")) }
        say("Running until interrupted (Ctrl-C).")
    }

    private static let mostShownNodes = 50

    /// Shows the contacts of `--qr`, each with its address below.
    private func showCodes(of nodes: [NodeLine], _ endpoints: [NodeEndpoint]) {
        let reached = nodes.reached(at: endpoints)
        if reached.isEmpty {
            say(
                "No code: no companion radio is where a phone can reach it, as with --endpoint "
                    + "\(Self.defaultEndpoint.label)=tcp://0.0.0.0:\(LinkAddress.defaultPort)")
        }
        for node in reached {
            say("\(node.label) at \(node.endpoints.first ?? ""), to be added by an app on another node:")
            if let contact = node.contact { Console.code("\(contact)") }
        }
    }

    private static func seconds(_ span: TimeSpan) -> String {
        let thousandths = String(span.milliseconds % 1000 + 1000).dropFirst()
        return "\(span.milliseconds / 1000).\(thousandths) s"
    }

    private func tell(_ outcome: RunOutcome, _ seed: Seed, _ trace: LiveTrace?) throws {
        say("Stopped at \(Self.seconds(outcome.now - .start)), digest \(outcome.digest), unseed \(outcome.unseed).")
        say(outcome.statistics.words)
        for reason in outcome.invalid { say("INVALID: \(reason).") }
        if live.time != .clock { say(origin(seed, outcome).repeatability.description) }
        if let problem = trace?.end(outcome) { throw Console.failed("emulate", problem) }
    }
}

extension WorldStatistics {
    /// Counts of frames in a line; losses by reason.
    fileprivate var words: String {
        let reasons = RxLoss.allCases.filter { drops($0) > 0 }.map { "\($0) \(drops($0))" }
        return "On the air: \(transmissions) transmissions, \(receptions) receptions, \(dropCount) lost"
            + (reasons.isEmpty ? "." : ": \(reasons.joined(separator: ", ")).")
    }
}

/// A trace file of a world with clients.
private final class LiveTrace: Sendable {
    private let file: Mutex<TraceOutput>

    init(_ path: String, _ topology: Topology, seed: Seed, span: TimeSpan) throws {
        do {
            file = Mutex(try TraceOutput(path, topology, seed: seed, span: span, keepsPieces: true))
        } catch {
            throw CaptureFileError(path, "cannot be written: \(error.reason)")
        }
    }

    func add(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        file.withLock { $0.add(time, node, happening) }
    }

    func add(_ turn: RunTurn, at time: Instant) { file.withLock { $0.add(turn, at: time) } }

    /// Ends the file; returns the reason why it is incomplete, if it is.
    func end(_ outcome: RunOutcome) -> String? {
        file.withLock { file in
            file.end(digest: outcome.digest.description, unseed: outcome.unseed.description, at: outcome.now)
            return file.problem
        }
    }
}
