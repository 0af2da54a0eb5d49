import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshWire
import MeshWorlds

// What people do with the apps of nodes that have no endpoint.
extension ControlAPI {
    static let people: [WebRoute<ControlAPI>] = [
        WebRoute("POST", "/nodes/{node}/sends") { api, call in
            let fields = try call.fields("text", "to")
            let text = try fields.text()
            return try await api.message(call) { driver, node in
                let other = try driver.node("to", in: fields)
                return try driver.withPeople { people, world throws(MeshPeople.Reluctance) in
                    try people.send(text, from: node, to: other, in: &world)
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/says") { api, call in
            let fields = try call.fields("text", "channel")
            let text = try fields.text()
            let channel = try fields.integer("channel", in: UInt8(0)...255) ?? 0
            return try await api.message(call) { driver, node in
                try driver.withPeople { people, world throws(MeshPeople.Reluctance) in
                    try people.say(text, on: channel, from: node, in: &world)
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/adverts") { api, call in
            let isFlood = try call.fields("isFlood").bool("isFlood") ?? true
            return try await api.message(call) { driver, node in
                do {
                    return try driver.withPeople { people, world throws(MeshPeople.Reluctance) in
                        try people.advert(from: node, isFlood: isFlood, in: &world)
                    }
                } catch MeshPeople.Reluctance.noApp {
                    throw WebRefusal(
                        .conflict,
                        "the node has no app: only companion radios have; its console sends an advert when it is given "
                            + "the line advert, or advert.zerohop")
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/enters") { api, call in
            let fields = try call.fields("room", "password")
            let password = try fields.string("password") ?? "hello"
            guard password.utf8.count <= 15 else { throw fields.problem("password", "must have 15 bytes at most") }
            return try await api.change { driver in
                let node = try driver.node(call["node"])
                let room = try driver.node("room", in: fields)
                try driver.withPeople { people, world throws(MeshPeople.Reluctance) in
                    try people.enter(room, password: password, from: node, in: &world)
                }
            }
        },
        WebRoute("POST", "/nodes/{node}/posts") { api, call in
            let fields = try call.fields("text", "room")
            let text = try fields.text()
            return try await api.message(call) { driver, node in
                let room = try driver.node("room", in: fields)
                return try driver.withPeople { people, world throws(MeshPeople.Reluctance) in
                    try people.post(text, from: node, in: room, &world)
                }
            }
        },
    ]

    static let messages: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/messages") { api, call in
            let page = try call.page()
            return try await api.look { driver in
                let count = driver.people?.messageCount ?? 0
                let numbers = (1...max(1, count)).prefix(count).page(page)
                let accounts = numbers.compactMap { driver.people?.account(of: $0, at: driver.world.now) }
                return MessageListRecord(messages: accounts.map { MessageRecord($0, driver.world) }, total: count)
            }
        },
        WebRoute("GET", "/messages/{number}") { api, call in
            try call.checkQuery()
            let number = try call.messageNumber()
            return try await api.look { MessageRecord(try $0.account(of: number), $0.world) }
        },
        WebRoute("GET", "/messages/{number}/fate") { api, call in
            try call.checkQuery()
            let number = try call.messageNumber()
            try await api.emulator.look { driver in
                _ = try driver.account(of: number)
                guard driver.log?.forgotten == 0 else {
                    throw WebRefusal(.conflict, "the beginning of the run is kept no more; use --trace")
                }
            }
            return WebAnswer(
                json: try MessageFate("\(number)", in: TraceFile(await api.traceText()), isRunning: true).json)
        },
    ]
}

private struct MessageNumberRecord: Encodable, Sendable {
    let message: Int
}

private struct MessageListRecord: Encodable, Sendable {
    let messages: [MessageRecord]
    let total: Int
}

extension ControlAPI {
    /// Has the app of a node say something, and answers with the message's number.
    fileprivate func message(
        _ call: WebCall, _ body: @escaping @Sendable (inout WorldDriver, NodeID) throws -> Int?
    ) async throws -> WebAnswer {
        try await steer { driver in
            let node = try driver.node(call["node"])
            return MessageNumberRecord(message: try body(&driver, node) ?? 0)
        }
    }
}

extension WebCall {
    fileprivate func messageNumber() throws(WebRefusal) -> Int {
        guard let number = Int(self["number"]), number > 0 else {
            throw WebRefusal(.badRequest, "the number of a message is a whole one from 1 on")
        }
        return number
    }
}

extension WorldDriver {
    fileprivate func account(of number: Int) throws(WebRefusal) -> MessageAccount {
        guard let account = people?.account(of: number, at: world.now) else {
            throw WebRefusal(.notFound, "there is no message \(number)")
        }
        return account
    }
}

extension JSONFields {
    /// A text that an app sends.
    fileprivate func text() throws(FileProblem) -> String {
        let text = try needString("text")
        guard (1...160).contains(text.utf8.count) else { throw problem("text", "must have 1 to 160 bytes") }
        return text
    }
}
