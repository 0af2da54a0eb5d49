public import MeshPacket
import MeshWire

/// The kinds of infrastructure node. Source: InfrastructureNodes, "Roles".
public enum ServerRole: UInt8, Hashable, Sendable, CaseIterable {
    case repeater = 2
    case roomServer = 3
    case sensor = 4

    /// The answer to `get role`.
    public var commandName: String {
        switch self {
        case .repeater: "repeater"
        case .roomServer: "room_server"
        case .sensor: "sensor"
        }
    }

    /// The name of the node's kind on the console at boot.
    public var title: String {
        switch self {
        case .repeater: "Repeater"
        case .roomServer: "Room"
        case .sensor: "Sensor"
        }
    }

    /// The name of a factory-fresh node.
    var factoryName: ByteText {
        switch self {
        case .repeater: "repeater"
        case .roomServer: "Test BBS"
        case .sensor: "sensor"
        }
    }

    /// The name of the role in documentation.
    public var words: String { self == .roomServer ? "room server" : commandName }

    /// The type in the node's adverts.
    public var nodeType: NodeType { NodeType(rawValue: rawValue) }

    /// The last byte of a login reply (`FIRMWARE_VER_LEVEL`).
    var featureLevel: UInt8 { self == .repeater ? 2 : 1 }
}
