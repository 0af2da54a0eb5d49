import MeshFiles
import MeshRecords
import MeshSimulator
import MeshTime
import MeshWorlds

/// Observers' records: adverts tell of nodes, the paths of floods tell who hears whom, and the last hop has a signal.
extension ObservedNetwork {
    /// A file of records, and its name in notes.
    struct RecordSource {
        let name: String
        let file: RecordFile
    }

    /// Reads the records of one network; without an observer they give places and roles, and no link.
    init(records sources: [RecordSource], name: String, seed: Seed) throws(FileProblem) {
        guard sources.contains(where: { $0.file.packets.contains { $0.observer != nil } }) else {
            guard let first = sources.first, sources.count == 1 else {
                throw FileProblem(line: 0, reason: "records in several files need the names of their observers")
            }
            self = Self(places: try AdvertFile(first.file, name: name, seed: seed), name: name)
            return
        }
        var reader = RecordNetworkReader(name: name)
        for source in sources { for packet in source.file.packets { reader.readNodes(packet) } }
        reader.index()
        for source in sources { for packet in source.file.packets { reader.readLinks(packet) } }
        self = reader.finish()
        for source in sources {
            let place = sources.count > 1 ? "\(source.name): " : ""
            notes += source.file.leftOut.rows.map { "\(place)left out: \($0)" }
        }
        guard !nodes.isEmpty else { throw FileProblem(line: 0, reason: "has no valid advert and no observer") }
    }

    private init(places file: AdvertFile, name: String) {
        self.init(name: name)
        for node in file.plan.topology.nodes {
            var own = Node(node.label, node.role)
            own.place = node.place
            nodes.append(own)
        }
        notes = file.notes
    }
}
