public import MeshPacket
import MeshWire

/// The kinds of infrastructure node. Source: InfrastructureNodes, "Roles".
public enum ServerRole: UInt8, Hashable, Sendable, CaseIterable {
    case repeater = 2
    case roomServer = 3
    case sensor = 4

    /// What `get role` answers.
    public var commandName: String {
        switch self {
        case .repeater: "repeater"
        case .roomServer: "room_server"
        case .sensor: "sensor"
        }
    }

    /// What the console calls the node at boot.
    public var title: String {
        switch self {
        case .repeater: "Repeater"
        case .roomServer: "Room"
        case .sensor: "Sensor"
        }
    }

    /// What a factory-fresh node is called.
    var factoryName: ByteText {
        switch self {
        case .repeater: "repeater"
        case .roomServer: "Test BBS"
        case .sensor: "sensor"
        }
    }

    /// What the documentation and people call it.
    public var words: String { self == .roomServer ? "room server" : commandName }

    /// The type in the node's adverts.
    public var nodeType: NodeType { NodeType(rawValue: rawValue) }

    /// What the last byte of a login reply says (`FIRMWARE_VER_LEVEL`).
    var featureLevel: UInt8 { self == .repeater ? 2 : 1 }
}
