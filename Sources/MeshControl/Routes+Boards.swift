import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// What somebody at a board does: power, restarts, clock, console.
extension ControlAPI {
    static let boards: [ControlRoute<ControlAPI>] = [
        ControlRoute("POST", "/nodes/{node}/console") { api, call in
            let fields = try call.fields("line")
            let line = try fields.needString("line")
            guard (1...150).contains(line.utf8.count), line.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                throw fields.problem("line", "must have 1 to 150 bytes, and no control characters")
            }
            return try await api.steer { runner in
                let node = try runner.node(call["node"])
                guard runner.world.infrastructure(node) != nil else {
                    throw ControlRefusal(.conflict, "only repeaters, rooms and sensors have a console")
                }
                guard !runner.hasEndpoint(node) else {
                    throw ControlRefusal(.conflict, "the node has an endpoint: its console is the client's")
                }
                guard runner.world.isUp(node) else { throw ControlRefusal(.conflict, "the board does not run") }
                return ["answer": ControlAPI.consoleAnswer(runner.type(line, at: node))]
            }
        },
        ControlRoute("POST", "/nodes/{node}/power") { api, call in
            let fields = try call.fields("isOn", "erasesFlash")
            guard let isOn = try fields.bool("isOn") else { throw fields.missing("isOn") }
            let erases = try fields.bool("erasesFlash") ?? false
            return try await api.node(call) { runner, node in
                runner.withWorld { world in
                    if isOn {
                        world.powerOn(node, erasingFlash: erases)
                    } else if world.isUp(node) {
                        world.powerOff(node)
                    }
                }
            }
        },
        ControlRoute("POST", "/nodes/{node}/restarts") { api, call in
            let erases = try call.fields("erasesFlash").bool("erasesFlash") ?? false
            return try await api.node(call) { runner, node in
                guard runner.world.isUp(node) else { throw ControlRefusal(.conflict, "the board does not run") }
                runner.withWorld { $0.restart(node, erasingFlash: erases) }
            }
        },
        ControlRoute("POST", "/nodes/{node}/clock") { api, call in
            let fields = try call.fields("unixSeconds")
            guard let time = try fields.integer("unixSeconds", in: 0...UInt32.max) else {
                throw fields.missing("unixSeconds")
            }
            return try await api.node(call) { runner, node in
                guard runner.world.firmware(node) != nil else {
                    throw ControlRefusal(.conflict, "the node has no clock")
                }
                runner.withWorld { $0.setClock(of: node, to: time) }
            }
        },
    ]
}

extension ControlAPI {
    /// What stands behind the arrow, without the end of the line; nothing where a command answers nothing.
    fileprivate static func consoleAnswer(_ output: [UInt8]) -> String {
        let text = String(decoding: output, as: UTF8.self)
        guard let arrow = text.firstRange(of: "  -> ") else { return "" }
        var answer = text[arrow.upperBound...]
        while let last = answer.unicodeScalars.last, last == "\n" || last == "\r" { answer.unicodeScalars.removeLast() }
        return String(answer)
    }
}
