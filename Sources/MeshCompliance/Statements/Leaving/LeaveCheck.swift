import MeshBoards
import MeshSimulator
import MeshTime
import MeshWire

/// A check of a radio whose app leaves at one place and returns: introduction and listings must be whole again.
struct LeaveCheck: Sendable {
    let id: String
    let title: String
    let needs: Abilities
    let body: @Sendable (Probe) throws -> Void

    init(
        _ name: String, _ title: String, needs: Abilities = [], _ body: @escaping @Sendable (Probe) throws -> Void
    ) {
        id = "LEAVE-" + name
        self.title = title
        self.needs = needs
        self.body = body
    }

    static let all: [LeaveCheck] = begun + contacts + requests + messages

    /// Contacts of a radio that is left in the middle of them, at least.
    private static let fewestContacts = 8
    /// Bluetooth hosts of boards have some places for notifications on their way: more ends than those.
    private static let repetitions = 10

    // MARK: Before and after requests

    private static let begun = [
        LeaveCheck("connected", "An app that connects and asks nothing leaves no trace") { radio in
            try leave(radio) { _ in }
        },
        LeaveCheck("app-start", "An app leaves before the answer to APP_START") { radio in
            try leave(radio) { try $0.send("01 00×7") }
        },
        LeaveCheck("half-a-command", "An app leaves in the middle of a command") { radio in
            guard radio.target.interface != .bluetooth else {
                throw OutOfSight(reason: "is about links that carry bytes: a Bluetooth value is written whole")
            }
            try leave(radio) { try $0.sendRaw("3C 08 00 01 00") }
        },
    ]

    /// A request of each kind that changes nothing, with its name.
    private static let commands: [(name: String, command: Pattern)] = [
        ("device-query", "16 03"), ("time", "05"), ("battery", "14"), ("channel", "1F 00"), ("tuning", "2B"),
        ("custom-variables", "28"), ("statistics", "38 00"), ("auto-add", "3B"), ("own-card", "11"),
    ]

    private static let requests = commands.map { name, command in
        LeaveCheck("after-" + name, "An app leaves before the answer to \(name.replacing("-", with: " "))") { radio in
            try leave(radio) { try $0.send(command) }
        }
    }

    // MARK: Contacts

    private static let contacts = [
        LeaveCheck("contacts-begun", "An app leaves when it has asked for the contacts") { radio in
            try leave(radio) { try $0.send("04") }
        },
        LeaveCheck("contacts-middle", "An app leaves in the middle of the contacts, and is back at once") { radio in
            try leave(radio, at: leaveHalfWay)
        },
        LeaveCheck("contacts-middle-late", "An app leaves in the middle of the contacts, and is back after 5 s") {
            radio in try leave(radio, for: .seconds(5), at: leaveHalfWay)
        },
        LeaveCheck(
            "contacts-ten-times", "An app leaves in the middle of the contacts ten times in a row"
        ) { radio in
            let before = try table(radio)
            for _ in 0..<repetitions {
                try leaveHalfWay(radio)
                try radio.leaveAndReturn()
            }
            try radio.requireWholeAgain(before)
        },
    ]

    private static func leaveHalfWay(_ radio: Probe) throws {
        let count = Int(try radio.ask("04", "02 count4").number("count"))
        for _ in 0..<max(1, count / 2) { try radio.expect(contactLayout) }
    }

    // MARK: Messages

    private static let messages = [
        LeaveCheck(
            "messages-middle", "An app leaves in the middle of the messages; no other one is lost, none comes twice",
            needs: .packets
        ) { radio in
            let bob = Peer.bob
            try radio.add(bob, path: [])
            try radio.deviceInfo()
            let me = try radio.me()
            let texts = (0..<4).map { [UInt8]("left \($0)".utf8) }
            for (number, text) in texts.enumerated() {
                let sentAt = radio.sentAt + UInt32(number)
                try radio.hear(bob.text(text, at: sentAt, to: me).by(.direct))
                try radio.expect("83")
            }
            try radio.ask("0A", "10 ?3 \(bob.prefix) FF 00 ?4 \(texts[0])")
            // It is on its way when the app leaves: the radio may have forgotten it.
            try radio.send("0A")
            try radio.leaveAndReturn()
            var got: [[UInt8]] = []
            while got.count < texts.count {
                let frame = try radio.ask("0A", "…").frame
                if frame.first == 0x0A { break }
                got.append([UInt8](try radio.require(frame, "10 ?3 \(bob.prefix) FF 00 ?4 text…")["text"]))
            }
            try radio.require(
                got == Array(texts[1...]) || got == Array(texts[2...]),
                "left 1, left 2 and left 3 once, left 1 perhaps not",
                got: got.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", "))
        }
    ]

    // MARK: The course of a check

    /// Leaves at a place, returns, and requires everything to be as it was.
    private static func leave(
        _ radio: Probe, for span: TimeSpan = .zero, at place: (Probe) throws -> Void
    ) throws {
        let before = try table(radio)
        try place(radio)
        try radio.leaveAndReturn(after: span)
        try radio.requireWholeAgain(before)
    }

    /// The keys of the radio's contacts; a radio that has few gets some, which it loses again after the check.
    private static func table(_ radio: Probe) throws -> [[UInt8]] {
        let found = try radio.contacts().keys
        if found.count >= fewestContacts { return found }
        for number in 0..<fewestContacts { try radio.add(Peer(number: 500 + number)) }
        return try radio.contacts().keys
    }
}
