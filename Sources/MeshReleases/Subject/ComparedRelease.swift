package import MeshCompanion
import MeshCompliance
package import MeshFiles
import MeshFirmware
package import MeshReports
import MeshRoleCompliance
import MeshWire

/// One side of a comparison: the version that a release says it is, and what its nodes run.
///
/// In place of emulated nodes it may have the report of one that was asked elsewhere.
package struct ComparedRelease: Sendable {
    /// The name in reports.
    package internal(set) var name: String
    /// The version by whose table and statements it is judged.
    package let version: FirmwareVersion
    /// The version that its nodes run; a planted release may differ from what it says.
    package var running: FirmwareVersion
    /// The fault of its companion radios.
    var companionFault: Mutant?
    /// The faults of its infrastructure nodes, one for a role at most.
    var roleFaults: [RoleMutant] = []
    /// The verdicts of a node that was asked elsewhere; nothing else can be asked of it.
    let reported: NodeReport?

    /// A version as it is.
    package init(_ version: FirmwareVersion) {
        name = version.name
        self.version = version
        running = version
        reported = nil
    }

    /// The node of a report, as a release; throws when it was checked against a version that is not known.
    package init(_ report: NodeReport) throws(FileProblem) {
        guard let version = FirmwareVersion(named: report.node.reference) else {
            throw FileProblem(
                file: report.file, line: 0, field: "node.against",
                reason: "\"\(report.node.reference.visibleLine)\" is none of \(FirmwareVersion.names)")
        }
        name = report.name
        self.version = version
        running = version
        reported = report
    }

    /// A version under another name, for a release that is not what it says.
    init(_ name: String, saying version: FirmwareVersion) {
        self.name = name
        self.version = version
        running = version
        reported = nil
    }

    /// The same under a name that no other release has.
    var namedByFile: ComparedRelease {
        guard let reported else { return self }
        var release = self
        release.name = "\(name) (\(reported.file))"
        return release
    }

    func fault(of role: ServerRole) -> RoleMutant? { roleFaults.first { $0.role == role } }

    /// The radios of the release, whatever they are checked against; `nil` for a version as it is.
    func mutant(against other: FirmwareVersion) -> Mutant? {
        guard running != other || companionFault != nil else { return nil }
        return Mutant(running: running, with: companionFault)
    }
}

/// The seeds of the nodes on both sides.
package struct ReleaseSeeds: Hashable, Sendable {
    package var old: UInt64
    package var new: UInt64

    /// The same random numbers on both sides, unless stated otherwise.
    package init(old: UInt64 = 1, new: UInt64? = nil) {
        self.old = old
        self.new = new ?? old
    }

    /// The seeds of a further look at the same nodes.
    func moved(by looks: UInt64) -> ReleaseSeeds {
        ReleaseSeeds(old: old &+ looks &* 1_000_003, new: new &+ looks &* 1_000_003)
    }
}

/// The nodes that a release is for.
enum ReleaseSubject: Hashable, Sendable {
    case companion
    case server(ServerRole)

    /// All of them, in the order of reports.
    static let all: [ReleaseSubject] = [.companion] + ServerRole.allCases.map { .server($0) }

    /// The nodes of a role, as reports have it.
    init(_ role: TestedNode.Role) {
        switch role {
        case .companion: self = .companion
        case .repeater: self = .server(.repeater)
        case .room: self = .server(.roomServer)
        case .sensor: self = .server(.sensor)
        }
    }

    /// The name in reports.
    var words: String {
        switch self {
        case .companion: "companion radio"
        case .server(let role): role.words
        }
    }
}
