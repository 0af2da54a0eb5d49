import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

/// The settings of an arm, read off its nodes in the world of seed 1, and the faults that did nothing in it.
///
/// An arm says how nodes are to be set up. This is what they have: the firmware that runs, the answers of consoles to
/// `get`, the settings of companion radios, and the air between them.
struct ArmReading: Hashable, Sendable {
    /// The name of the arm.
    let arm: String
    /// The differences from the first arm, each once with the number of nodes that have it.
    let differences: [String]
    /// The faults that did nothing in the whole of seed 1 and had to.
    let idleFaults: [String]
}

extension StudyPlan {
    /// Reads the arms off the nodes of seed 1, the first arm too.
    ///
    /// One second is run, in which apps set up their radios. An arm with faults is run to its end, to see what they
    /// did.
    func readings() throws(StudyProblem) -> [ArmReading] {
        let seed = Seed(1)
        let base = try base(seed: seed)
        var first: NodeSettings?
        return try arms.map { arm throws(StudyProblem) in
            let world = try plan(arm, on: base, seed)
            let length = world.faults.isEmpty ? min(span, .seconds(1)) : span
            var run = MeshRun(world, seed: seed, span: length, habits: arm.habits)
            _ = run.perform()
            let settings = NodeSettings(run.world)
            defer { first = first ?? settings }
            return ArmReading(
                arm: arm.name, differences: first.map(settings.differences(from:)) ?? [],
                idleFaults: FaultReport(run.world).reasons)
        }
    }
}

/// The settings of all nodes of a world, by names.
private struct NodeSettings {
    private var nodes: [[(name: String, value: String)]]
    private let air: String
    private let labels: [String]

    init(_ world: World) {
        air = world.air.words
        labels = world.nodes.map(world.label(of:))
        nodes = world.nodes.map { node in
            var settings = [(name: "firmware", value: world.board(of: node).firmware.text)]
            if let server = world.infrastructure(node)?.server {
                let context = PreferenceContext(
                    role: server.role, board: world.board(of: node), identity: LocalIdentity(seed: Seed32()),
                    isSerial: true)
                for row in ServerPreferences.rows where row.isSettable && row.roles.contains(server.role) {
                    guard let keyword = row.keyword, keyword != "prv.key" else { continue }
                    let answer = server.preferences.get(keyword.utf8, context)
                    let value = answer.drop { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: " ") }
                    settings.append((keyword, String(decoding: value, as: UTF8.self)))
                }
                settings.append(("regions", server.regions.allowsUnscopedFloods ? "all floods" : "scoped floods"))
            }
            if let companion = world.companion(node) {
                settings.append(("path hash bytes", "\(companion.preferences.pathHashMode + 1)"))
            }
            return settings
        }
    }

    /// Returns what differs in these from others, each difference once with its nodes.
    func differences(from others: NodeSettings) -> [String] {
        var counts: [(words: String, first: Int, count: Int)] = []
        for (place, (mine, theirs)) in zip(nodes, others.nodes).enumerated() {
            for setting in mine {
                let other = theirs.first { $0.name == setting.name }?.value ?? "none"
                guard other != setting.value else { continue }
                let words = "\(setting.name): \(other) → \(setting.value)"
                if let known = counts.firstIndex(where: { $0.words == words }) {
                    counts[known].count += 1
                } else {
                    counts.append((words, place, 1))
                }
            }
        }
        let lines = counts.map { entry in
            "\(entry.words), on \(labels[entry.first])" + (entry.count > 1 ? " and \(entry.count - 1) more" : "")
        }
        return (air == others.air ? [] : ["air: \(others.air) → \(air)"]) + lines
    }
}
