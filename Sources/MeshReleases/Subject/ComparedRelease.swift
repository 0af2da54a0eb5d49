package import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance

/// One side of a comparison: the version that a release says it is, and what its nodes run.
package struct ComparedRelease: Sendable {
    /// The name in reports.
    package let name: String
    /// The version by whose table and statements it is judged.
    package let version: FirmwareVersion
    /// The version that its nodes run; a planted release may differ from what it says.
    package var running: FirmwareVersion
    /// The fault of its companion radios.
    var companionFault: Mutant?
    /// The faults of its infrastructure nodes, one for a role at most.
    var roleFaults: [RoleMutant] = []

    /// A version as it is.
    package init(_ version: FirmwareVersion) {
        name = version.name
        self.version = version
        running = version
    }

    /// A version under another name, for a release that is not what it says.
    init(_ name: String, saying version: FirmwareVersion) {
        self.name = name
        self.version = version
        running = version
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

    /// The name in reports.
    var words: String {
        switch self {
        case .companion: "companion radio"
        case .server(let role): role.words
        }
    }
}
