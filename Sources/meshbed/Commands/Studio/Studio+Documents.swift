import ArgumentParser
import MeshCapture
import MeshCaptureIO
import MeshControl
import MeshFiles
import MeshReports
import MeshSimulator
import MeshTestbed
import MeshTime
import MeshWorlds

// What the studio shows without a running world, and files with it.
extension Studio {
    /// Reads a file: a trace, a recording, or a report in JSON, which its first bytes distinguish.
    func document(_ path: String) throws -> PlayerDocument {
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.readInput(path, atMost: TraceFile.longest)
        } catch {
            throw Console.failed("studio", "\(path): \(error.reason)")
        }
        do {
            if String(decoding: bytes.prefix(64), as: UTF8.self).contains("meshbed trace") {
                return PlayerDocument(try TraceFile(bytes))
            }
            if bytes.first == UInt8(ascii: "{") { return try PlayerDocument(report: bytes) }
        } catch let problem as FileProblem {
            throw Console.failed("studio", "\(path): \(problem)")
        } catch {
            throw Console.failed("studio", "\(path): neither a trace nor a report of meshbed")
        }
        do {
            let capture = try LoadedCapture(path)
            guard let part = capture.parts.first else {
                throw LoadedCapture.Failure(description: "\(path): nothing is recorded in it")
            }
            return PlayerDocument(part.recording, title: path.split(separator: "/").last.map(String.init) ?? path)
        } catch {
            throw Console.failed("studio", error)
        }
    }

    /// A world with what its people say and what goes wrong in it.
    func source(_ seed: Seed, for span: TimeSpan) throws -> (world: WorldDescription, plan: WorldPlan) {
        do {
            let source = try WorldSource(worldName, seed: seed)
            for note in source.notes { Console.note("\(worldName): \(note)") }
            var (world, plan) = (source.world, source.plan)
            if let traffic {
                plan.traffic = traffic
            } else if plan.traffic.rules.isEmpty {
                // People of any world write; where there are too few for it, nobody does.
                plan.traffic = try parseTraffic("chat:15s,adverts:10m")
                if plan.traffic.problem(in: plan.topology) != nil { plan.traffic = try parseTraffic("none") }
            }
            if let problem = plan.traffic.problem(in: plan.topology) {
                throw ValidationError("traffic: \(problem)")
            }
            plan.addRandomFaults(faults, span: span, seed: seed)
            world.faults = plan.faults
            return (world, plan)
        } catch {
            throw Console.failed("studio", error)
        }
    }

    /// A run of the world, from its beginning to its end.
    func recordedRun() throws -> PlayerDocument {
        let seed = Seed(seed ?? UInt64.random(in: 0...UInt64(UInt32.max)))
        let span = span ?? .seconds(120)
        let plan = try source(seed, for: span).plan
        if let label = plan.topology.externalNodes.first {
            throw Console.failed(
                "studio", "node \"\(label)\" is external: its program has to attach to a running world")
        }
        let events = EventSink()
        let bar = ProgressLine("studio", of: Int(span.milliseconds / 1000), "simulated s")
        var run = MeshRun(plan, seed: seed, span: span) { time, node, happening in
            guard let content = TraceFile.Line.Content(happening) else { return }
            events.columns.add(time, node.index, content)
        }
        let summary = run.perform { bar.show(Int($0.milliseconds / 1000)) }
        bar.clear()
        var document = PlayerDocument(.trace, title: worldName, world: PlayerWorld(plan.topology))
        document.events = events.columns
        document.span = span
        let version = Provenance.of(provenance(seed, "virtual")).version
        let facts: [PlayerDocument.Fact] = [
            .init("World", worldName), .init("Seed", "\(seed.value)"), .init("Digest", summary.digest),
            .init("Version", version.number), .init("Commit", version.commit ?? ""),
        ]
        document.facts = facts.filter { !$0.value.isEmpty }
        return document
    }

    /// Collects events while a run goes on.
    private final class EventSink {
        var columns = PlayerEvents()
    }

    func provenance(_ seed: Seed, _ time: String) -> Provenance.Run {
        Provenance.Run(.world(worldName), seed: seed.value, time: time)
    }

    func write(_ document: PlayerDocument, to path: String) throws {
        try Console.write(PlayerPage(document).html, to: path, by: "studio")
        if path != "-" { Console.note("Open it in a browser: \(path)") }
    }
}
