import ArgumentParser
import MeshSimulator
import MeshTestbed

/// `meshbed mesh draw`: a picture of a world.
struct MeshDraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw a world as SVG: nodes, links, and with a trace where frames were lost.",
        discussion: """
            Discs are companions, triangles repeaters, houses room servers, diamonds sensors; a line is the thicker the \
            stronger the link, and broken where it works in one direction only. With --trace, red lines are links on \
            which frames were lost, and a red halo shows the share of frames that a node lost. A pointer over a node or a line shows its numbers.

            A world of a trace is drawn from the trace alone:
              meshbed mesh draw --trace city.ndjson -o city.svg

            Examples:
              meshbed mesh draw city:300 --seed 7 -o city.svg
              meshbed mesh draw valley.json > valley.svg
            """)

    @Argument(help: ArgumentHelp("A shape, a world file, or a file of adverts.", valueName: "world"))
    var world: String?

    @OptionGroup var seed: SeedOption

    @Option(help: ArgumentHelp("Show what was lost in this trace.", valueName: "file"))
    var trace: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the picture to this file.", valueName: "file"))
    var output: String?

    func validate() throws {
        if world == nil && trace == nil { throw ValidationError("name a world, such as grid:10x10, or a --trace") }
    }

    func run() throws {
        let trace = try self.trace.map(read)
        if let trace, world != nil, trace.seed != seed.seed {
            throw refusal(
                "the trace was made with --seed \(trace.seed), and the world has --seed \(seed.seed); name the same, or no "
                    + "world at all")
        }
        guard let topology = try world.map(topology) ?? trace?.topology else { return }
        if let trace, trace.topology.nodes.map(\.label) != topology.nodes.map(\.label) {
            throw refusal("the trace is one of \(trace.topology.name), which has other nodes than \(topology.name)")
        }
        try write(MeshDrawing(topology, overlay: trace.map { MeshDrawing.Overlay($0) }).svg, to: output)
    }

    private func topology(_ world: String) throws -> Topology {
        do {
            return try WorldSource(world, seed: seed.value).plan.topology
        } catch {
            throw refusal(error)
        }
    }

    private func read(_ path: String) throws -> TraceFile {
        do {
            return try TraceFile(WorldSource.bytes(of: path, longest: TraceFile.longest))
        } catch var problem as FileProblem {
            problem.file = path
            throw refusal(problem)
        } catch let problem as WorldSourceProblem {
            throw refusal(problem)
        }
    }
}
