import ArgumentParser
import MeshSimulator
import MeshWorlds

/// `meshbed mesh draw`: a picture of a world.
struct MeshDraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw a world as SVG: nodes and links, with a trace also losses, or the path of one message.",
        discussion: """
            Discs are companions, triangles repeaters, houses room servers, diamonds sensors; a broken line works in \
            one direction only. A line is thicker for a stronger link; with --trace for more frames, and its colour \
            is the share of them that was lost. The halo of a node is the share that it lost. A pointer over a node \
            or a line shows its numbers.

            A world with more than four links a node is drawn with its backbone. The backbone has the three strongest \
            links of each repeater to other repeaters, and the strongest link of each other node to a repeater. It \
            also has the strongest links that hold the rest together. --links all draws all.

            --message draws one message of the trace: the paths that succeeded, first receptions, and the losses of \
            nodes that never got it. Messages are named as for 'mesh why'.

            A world of a trace is drawn from the trace alone:
              meshbed mesh draw --trace city.ndjson -o city.svg
              meshbed mesh draw --trace city.ndjson --message 3 -o message.svg

            Examples:
              meshbed mesh draw city:300 --seed 7 -o city.svg
              meshbed mesh draw valley.json > valley.svg
            """)

    @Argument(help: ArgumentHelp("A shape, a world file, or a file of adverts.", valueName: "world"))
    var world: String?

    @OptionGroup var seed: SeedOption

    @Option(help: ArgumentHelp("Show what was lost in this trace.", valueName: "file"))
    var trace: String?

    @Option(help: ArgumentHelp("Draw the way of this message of the trace.", valueName: "message"))
    var message: String?

    @Option(
        help: ArgumentHelp(
            "Which links to draw; without it 'backbone' for a world with more than four links a node, else 'all'.",
            valueName: "backbone|all"),
        transform: { text in
            guard let choice = MeshDrawing.LinkChoice(rawValue: text) else {
                throw ValidationError("'\(text)' is neither backbone nor all")
            }
            return choice
        })
    var links: MeshDrawing.LinkChoice?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the picture to this file; - is standard output.", valueName: "file"))
    var output: String?

    func validate() throws {
        if world == nil && trace == nil { throw ValidationError("name a world, such as grid:10x10, or a --trace") }
        if message != nil && trace == nil { throw ValidationError("--message needs the --trace that it is in") }
    }

    func run() throws {
        let trace = try self.trace.map { try readTrace($0, by: "mesh draw") }
        if let trace, world != nil, trace.seed != seed.seed {
            throw Console.failed(
                "mesh draw",
                "the trace was made with --seed \(trace.seed), and the world has --seed \(seed.seed); name the same, or no "
                    + "world at all")
        }
        guard let topology = try world.map(topology) ?? trace?.topology else { return }
        if let trace, trace.topology.nodes.map(\.label) != topology.nodes.map(\.label) {
            throw Console.failed(
                "mesh draw", "the trace is one of \(trace.topology.name), which has other nodes than \(topology.name)")
        }
        var way: MessageFate?
        if let message, let trace { way = try fate(of: message, in: trace, by: "mesh draw") }
        let drawing = MeshDrawing(
            topology, overlay: way == nil ? trace.map { MeshDrawing.Overlay($0) } : nil, way: way, links: links)
        try Console.write(drawing.svg, to: output, by: "mesh draw")
    }

    private func topology(_ world: String) throws -> Topology {
        do {
            return try WorldSource(world, seed: seed.value).plan.topology
        } catch {
            throw Console.failed("mesh draw", error)
        }
    }
}
