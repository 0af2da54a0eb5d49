import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// What somebody at a board does: power, restarts, clock, console.
extension ControlAPI {
    static let boards: [WebRoute<ControlAPI>] = [
        WebRoute("POST", "/nodes/{node}/console") { api, call in
            let fields = try call.fields("line")
            let line = try fields.needString("line")
            guard (1...150).contains(line.utf8.count), line.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
                throw fields.problem("line", "must have 1 to 150 bytes, and no control characters")
            }
            return try await api.steer { driver in
                let node = try driver.node(call["node"])
                guard driver.world.infrastructure(node) != nil else {
                    throw WebRefusal(.conflict, "only repeaters, rooms and sensors have a console")
                }
                guard !driver.hasEndpoint(node) else {
                    throw WebRefusal(.conflict, "the node has an endpoint: its console is the client's")
                }
                guard driver.world.isUp(node) else { throw WebRefusal(.conflict, "the board does not run") }
                return ["answer": ControlAPI.consoleAnswer(driver.type(line, at: node))]
            }
        },
        WebRoute("POST", "/nodes/{node}/power") { api, call in
            let fields = try call.fields("isOn", "erasesFlash")
            guard let isOn = try fields.bool("isOn") else { throw fields.missing("isOn") }
            let erases = try fields.bool("erasesFlash") ?? false
            return try await api.node(call) { driver, node in
                driver.withWorld { world in
                    if isOn {
                        world.powerOn(node, erasingFlash: erases)
                    } else if world.isUp(node) {
                        world.powerOff(node)
                    }
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/restarts") { api, call in
            let erases = try call.fields("erasesFlash").bool("erasesFlash") ?? false
            return try await api.node(call) { driver, node in
                guard driver.world.isUp(node) else { throw WebRefusal(.conflict, "the board does not run") }
                driver.withWorld { $0.restart(node, erasingFlash: erases) }
            }
        },
        WebRoute("POST", "/nodes/{node}/clock") { api, call in
            let fields = try call.fields("unixSeconds")
            guard let time = try fields.integer("unixSeconds", in: 0...UInt32.max) else {
                throw fields.missing("unixSeconds")
            }
            return try await api.node(call) { driver, node in
                guard driver.world.firmware(node) != nil else {
                    throw WebRefusal(.conflict, "the node has no clock")
                }
                driver.withWorld { $0.setClock(of: node, to: time) }
            }
        },
    ]
}

extension ControlAPI {
    /// The text behind the arrow, without the end of the line; empty where a command answers nothing.
    fileprivate static func consoleAnswer(_ output: [UInt8]) -> String {
        let text = String(decoding: output, as: UTF8.self)
        guard let arrow = text.firstRange(of: "  -> ") else { return "" }
        var answer = text[arrow.upperBound...]
        while let last = answer.unicodeScalars.last, last == "\n" || last == "\r" { answer.unicodeScalars.removeLast() }
        return String(answer)
    }
}
