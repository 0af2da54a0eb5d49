import MeshFiles
import MeshFirmware
import MeshSimulator

/// The nodes of a world file that know each other from before the run: all of them, or those of a list.
struct MetFields {
    /// Nodes that may have met at most: each companion radio among them has all others as contacts.
    static let most = 256

    private let plan: WorldPlan
    /// Places of nodes by name; asked, never walked.
    private let places: [String: Int]

    init(_ plan: WorldPlan, places: [String: Int]) {
        self.plan = plan
        self.places = places
    }

    /// The places that the member `met` names; none where it is missing.
    func read(_ file: JSONFields) throws(FileProblem) -> [Int] {
        guard let value = file.member("met") else { return [] }
        let met: [Int]
        switch value.content {
        case .bool(false): return []
        case .bool(true): met = plan.topology.nodes.indices.filter { plan.topology.nodes[$0].role != .external }
        case .array(let names):
            met = try list(names, at: file.path("met"))
            guard met.count > 1 else { throw file.problem("met", "needs two names at least") }
        default: throw file.problem("met", "must be true, false or a list of names, this is \(value.kind)")
        }
        guard met.count <= Self.most else {
            throw file.problem("met", "are \(met.count) nodes, and \(Self.most) may have met: list those that have")
        }
        for index in met where plan.topology.nodes[index].role == .companion {
            let room = Int(plan.equipment[index].board.maxContacts)
            guard met.count - 1 <= room else {
                let label = plan.topology.nodes[index].label
                throw file.problem(
                    "met", "\"\(label)\" has room for \(room) contacts, and \(met.count - 1) others have met")
            }
        }
        return met
    }

    private func list(_ names: [JSONText], at path: String) throws(FileProblem) -> [Int] {
        var met: [Int] = []
        var isListed = [Bool](repeating: false, count: plan.topology.nodes.count)
        for (number, value) in names.enumerated() {
            func problem(_ reason: String) -> FileProblem {
                FileProblem(line: value.line, field: "\(path)[\(number)]", reason: reason)
            }
            guard case .string(let label) = value.content else { throw problem("must be the name of a node") }
            guard let index = places[label] else { throw problem("there is no node \"\(label)\"") }
            guard !isListed[index] else { throw problem("\"\(label)\" is there twice") }
            guard plan.topology.nodes[index].role != .external else {
                throw problem("\"\(label)\" lives in another program, whose key is not known here")
            }
            isListed[index] = true
            met.append(index)
        }
        return met
    }
}
