// Scenarios name versions, and import nothing but the testbed.
@_exported public import struct MeshCompanion.FirmwareVersion

/// A node that runs firmware, whose version can be set.
public protocol RunningNode: Node {
    /// The node as its stage is built of it.
    var member: Member { get set }
}

extension RunningNode {
    /// The same node on another version of the firmware: `Person.stack("alice").runs(.v1_14)`.
    ///
    /// Somebody's own radio runs what it runs; there the scenario is played with that. Source: FirmwareVersions,
    /// section 1.1.
    public func runs(_ version: FirmwareVersion) -> Self {
        var node = self
        node.member.settings.firmware = version
        return node
    }
}
