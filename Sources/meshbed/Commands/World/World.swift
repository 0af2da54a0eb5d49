import ArgumentParser
import MeshFiles
import MeshStudy
import MeshTestbed
import MeshWorlds

/// `meshbed world`: worlds of observed networks.
struct WorldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "world",
        abstract: "Make worlds of observed networks, and compare them with what was observed.",
        discussion: """
            A world of an observed network is an ordinary world file: 'mesh run' takes it. It names observers, the \
            nodes at which receptions are logged, and keeps what was observed of each link.

            Examples:
              meshbed world import nodes.json neighbor-graph.json -o town.json
              meshbed world compare town.json town.observed.json --html town.html
              meshbed world fit town.json town.observed.json -o fitted.json
            """,
        subcommands: [WorldImport.self, WorldCompare.self, WorldFit.self])

    static func bytes(_ path: String, _ command: String) throws -> [UInt8] {
        do {
            return try WorldSource.bytes(of: path, longest: NetworkFormat.longest)
        } catch {
            throw Console.failed(command, error)
        }
    }

    /// The parameters of a world file, those that it does not state as usual.
    static func parameters(_ world: WorldFile.Content) throws(FileProblem) -> TwinParameters {
        try world.twin.map { fields throws(FileProblem) in try TwinParameters(fields) } ?? TwinParameters()
    }
}
