package import MeshCompanion
package import MeshReports

/// The words of a radio about itself: the level and the texts of DEVICE_INFO.
struct DeviceWords: Hashable, Sendable {
    let level: UInt8
    let version: String
    let model: String
    let build: String

    /// The same for a report; the version that it is checked against is not known yet.
    var node: TestedNode {
        var node = TestedNode(.companion, against: "")
        (node.model, node.version, node.build, node.level) = (model, version, build, level)
        return node
    }
}

extension TestedNode {
    /// Describes a node of the emulator.
    package mutating func describe(emulated firmware: FirmwareVersion, fault: String?) {
        model = "Meshbed emulator" + (fault.map { " with fault \($0)," } ?? "")
        version = firmware.name
        if role == .companion { level = firmware.switches.level }
    }
}
