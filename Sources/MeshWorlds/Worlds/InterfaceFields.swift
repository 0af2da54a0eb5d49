import MeshFiles
import MeshFirmware
import MeshSimulator

extension WorldPlan.Equipment {
    private static let names = AppLink.allCases.compactMap(\.interfaceName)

    /// Reads `interfaces` of a node: those that a companion radio has at once, each one once.
    ///
    /// The world's own people use the first one that carries bytes; Bluetooth is for clients.
    mutating func readInterfaces(_ fields: JSONFields, of role: Topology.Role) throws(FileProblem) {
        guard let list = try fields.list("interfaces") else { return }
        guard role == .companion else { throw fields.problem("interfaces", "are those of companion radios") }
        guard board.hasSeveralInterfaces else {
            throw fields.problem("interfaces", "need firmware 1.18: \(board.firmware) has one at a time")
        }
        guard 2...SeveralInterfaces.most ~= list.count else {
            throw fields.problem("interfaces", "must be 2 to \(SeveralInterfaces.most)")
        }
        interfaces = []
        for (index, value) in list.enumerated() {
            let path = "\(fields.path("interfaces"))[\(index)]"
            guard case .string(let name) = value.content,
                let link = AppLink.allCases.first(where: { $0.interfaceName == name })
            else {
                throw FileProblem(
                    line: value.line, field: path,
                    reason: "is no interface; there are \(Self.names.joined(separator: ", "))")
            }
            guard !interfaces.contains(link) else {
                throw FileProblem(line: value.line, field: path, reason: "\"\(name)\" is there already")
            }
            interfaces.append(link)
        }
        interfaces = interfaces.filter { $0 != .bluetooth } + interfaces.filter { $0 == .bluetooth }
    }
}
