import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshReports

extension RoleRun {
    /// The node for a report: its role, and what an emulated one is or another one says on its console.
    func testedNode(on target: any RoleTarget, against version: FirmwareVersion) -> TestedNode {
        var node = TestedNode(role.reported, against: version.name)
        guard !(target is EmulatedRoleTarget) else {
            node.describe(emulated: version, fault: mutant?.name)
            return node
        }
        let probe = RoleProbe(target, role, version)
        node.version = (try? probe.type("ver")) ?? ""
        node.model = (try? probe.type("board")) ?? ""
        return node
    }
}

extension ServerRole {
    /// The role as reports have it.
    fileprivate var reported: TestedNode.Role {
        switch self {
        case .repeater: .repeater
        case .roomServer: .room
        case .sensor: .sensor
        }
    }
}
