import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator

// What a node shows, and its button.
extension ControlAPI {
    static let displays: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/nodes/{node}/display") { api, call in
            try call.checkQuery()
            return try await api.look { driver in
                try DisplayRecord(try driver.node(call["node"]), driver.world)
            }
        },
        WebRoute("POST", "/nodes/{node}/button") { api, call in
            let fields = try call.fields("press")
            guard let press = ButtonPress(rawValue: try fields.needString("press")) else {
                throw fields.problem("press", "must be click or long")
            }
            return try await api.steer { driver in
                let node = try driver.node(call["node"])
                try driver.withWorld { try $0.press(press, on: node).check() }
                return try DisplayRecord(node, driver.world)
            }
        },
    ]
}

/// The display of a node.
private struct DisplayRecord: Encodable, Sendable {
    let node: String
    let isOn: Bool
    let lines: [String]

    init(_ node: NodeID, _ world: World) throws(WebRefusal) {
        guard let display = world.display(of: node) else { throw PressOutcome.guestRefusal }
        self.node = world.label(of: node)
        (isOn, lines) = (display.isOn, display.lines)
    }
}

extension PressOutcome {
    fileprivate static let guestRefusal = WebRefusal(
        .conflict, "the node runs in another program, or is a modem: its display is its own")

    fileprivate func check() throws(WebRefusal) {
        switch self {
        case .pressed: break
        case .isOff: throw WebRefusal(.conflict, "the board does not run")
        case .unknown: throw WebRefusal(.conflict, "what this press does is not modelled")
        case .isGuest: throw Self.guestRefusal
        }
    }
}
