import ArgumentParser
import FoundationEssentials
import MeshFiles
import MeshRadio
import MeshSimulator
import MeshStudy
import MeshTestbed
import MeshWorlds

/// `meshbed world import`.
struct WorldImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a world file of an observed network.",
        discussion: """
            The format is told by the content: meshbed-network/1; CoreScope (nodes, observers, neighbour graph and \
            topology, in one file or several); the node list of the MeshCore map; a MeshBench scenario; records of \
            observers, in one file or several: packets in hex, JSON, cards or console lines.

            What was assumed and what was left out is printed. Records tell of nodes by valid adverts, and of links by \
            the paths of floods, with the SNR of the last hop. Other observed links have counts, not signals; the rule \
            that makes signals of them has numbers, which --set changes and 'world fit' fits. A file without links \
            gets them from its places.

            Examples:
              meshbed world import nodes.json observers.json graph.json -o town.json
              meshbed world import map.json --radio eu-narrow -o country.json
              meshbed world import hill.jsonl roof.jsonl -o valley.json
              meshbed world import town-network.json --set link_loss=0.2 -o town.json

            Exit status: 0 when the world was written; 2 when a file is damaged or in no known format.
            """)

    @Argument(help: ArgumentHelp("Files of one network.", valueName: "file"))
    var files: [String]

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the world to this file.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("The name of the world. Default: that of the file.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The radio settings, as a preset; over those of the file.", valueName: "preset"))
    var radio: String?

    @Option(
        help: ArgumentHelp("A number of the rule, such as link_loss=0.2; may be repeated.", valueName: "name=value"))
    var set: [String] = []

    @OptionGroup var seed: SeedOption

    func validate() throws {
        if let radio, RegionPreset.named(radio) == nil {
            let known = RegionPreset.all.map(\.name).joined(separator: ", ")
            throw ValidationError("'\(radio)' is no preset; known are \(known)")
        }
        _ = try parameters()
    }

    private func parameters() throws -> TwinParameters {
        var parameters = TwinParameters()
        for text in set {
            let words = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2, let name = TwinParameters.Name(rawValue: words[0]) else {
                let known = TwinParameters.Name.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(text)' is not a number of the rule; known are \(known)")
            }
            guard let value = Double(words[1]), name.range.contains(value) else {
                throw ValidationError(
                    "\(words[0]) is \(name.range.lowerBound) to \(name.range.upperBound), not '\(words[1])'")
            }
            parameters[name] = value
        }
        return parameters
    }

    /// Reads a text as 'mesh run' will. Its lines are in no file of the user's, so a complaint names none.
    private func written(_ text: String, name: String) throws -> WorldPlan {
        do {
            return try WorldFile.read([UInt8](text.utf8), name: name, seed: seed.value)
        } catch {
            throw FileProblem(
                file: files.joined(separator: ", "), line: 0, reason: "makes no world: \(error.field): \(error.reason)")
        }
    }

    func run() throws {
        var sources: [ObservedNetwork.Source] = []
        for file in files { sources.append(.init(path: file, bytes: try WorldCommand.bytes(file, "world import"))) }
        let usual = URL(fileURLWithPath: files.first ?? "network").deletingPathExtension().lastPathComponent
        do {
            var network = try ObservedNetwork(reading: sources, name: usual, seed: seed.value)
            if let name { network.name = name }
            if let radio, let preset = RegionPreset.named(radio) { network.radio = preset.parameters }
            if network.radio == nil {
                network.notes.append("no radio settings in the file: eu-narrow; --radio names others")
                network.radio = RegionPreset.europeNarrow.parameters
            }
            let parameters = try parameters()
            let text = network.worldFile(parameters)
            // What is written must be what 'mesh run' takes.
            let world = try written(text, name: network.name)
            try Console.write(text, to: output, by: "world import")
            for note in network.notes { Console.note(note) }
            Console.note(
                "\(output): \(network.nodes.count) nodes, \(network.observers.count) observers, "
                    + "\(network.links.count) observed links, \(world.topology.links.count) links in all")
        } catch let problem as FileProblem {
            throw Console.failed("world import", problem)
        }
    }
}
