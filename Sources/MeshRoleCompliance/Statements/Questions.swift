import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let carol = Peer.carol

    /// Questions of clients that have not logged in.
    static let questions = RoleTopic(
        "Anonymous questions",
        [
            Row(
                "INF-057", about: "Newcomers who ask direct are answered along their path", of: .repeater,
                afterRestart: true
            ) { node in
                try node.type("set name Hilltop", "OK")
                for (kind, length, path, text) in [
                    (1, 0, [], "*"), (2, 1, [0xEE], "Hilltop\n"), (3, 0x42, [0xAA, 0xBB, 0xCC, 0xDD], ""),
                ] as [(UInt8, UInt8, [UInt8], String)] {
                    let time = node.nextStamp()
                    let reply = try node.one(
                        try node.ask(carol, question: kind, at: time, pathLength: length, path: path))
                    try node.after(300, reply)
                    try node.require("the route", reply.packet.route, is: .direct)
                    try node.require("the path", [reply.packet.pathLength] + reply.packet.path, is: [length] + path)
                    let answer = try node.answer(in: [reply], for: carol) ?? []
                    try node.require("the time stamp", answer.littleEndian, is: time)
                    try node.require("the text", words(answer), is: text)
                }
            },
            Row(
                "INF-058", about: "Questions by flood are not answered, and use nothing up", of: .repeater,
                afterRestart: true
            ) { node in
                try node.silence(try node.ask(carol, question: 1, by: .flood))
                let answers = try (0..<5).map { _ in try node.ask(carol, question: 1).count }
                try node.require("answers", answers, is: [1, 1, 1, 1, 0])
            },
            Row("INF-059", about: "Four questions are answered in 180 s", of: .repeater, afterRestart: true) { node in
                let answers = try (0..<5).map { _ in try node.ask(carol, question: 3).count }
                try node.require("answers", answers, is: [1, 1, 1, 1, 0])
            },
            Row("INF-060", about: "The 180 s begin with the first question", of: .repeater, afterRestart: true) {
                node in
                for _ in 0..<4 { try node.one(try node.ask(carol, question: 3)) }
                try node.wait(.seconds(140))
                try node.silence(try node.ask(carol, question: 3))
                try node.wait(.seconds(25))
                try node.one(try node.ask(carol, question: 3))
            },
            Row(
                "INF-061", about: "A path that cannot be is not answered, and counts", of: .repeater, afterRestart: true
            ) { node in
                let answers = try [0xC1, 0, 0, 0, 0].map { try node.ask(carol, question: 1, pathLength: $0).count }
                try node.require("answers", answers, is: [0, 1, 1, 1, 0])
            },
            Row("INF-062", about: "Regions that allow floods are listed without #", of: .repeater, afterRestart: true) {
                node in
                try node.require("regions", try regions(node), is: "*")
                for name in ["#uk", "de", "fr"] { try node.putRegion(name) }
                try node.type("region denyf de", "OK")
                try node.require("regions", try regions(node), is: "*,uk,fr")
                try node.type("region denyf *", "OK")
                try node.require("regions", try regions(node), is: "uk,fr")
            },
            Row("INF-063", about: "The features tell that nothing is repeated", of: .repeater, afterRestart: true) {
                node in
                for (setting, bits) in [("on", 0), ("off", 0x80)] as [(String, UInt8)] {
                    try node.type("set repeat \(setting)")
                    let answer = try node.answer(in: try node.ask(carol, question: 3), for: carol) ?? []
                    try node.require("features", answer.dropFirst(8).first, is: bits)
                }
            },
            Row(
                "INF-064", about: "Other questions are met with silence, and count for nothing", of: .repeater,
                afterRestart: true
            ) { node in
                for kind in [4, 5, 31] as [UInt8] { try node.silence(try node.ask(carol, question: kind)) }
                let answers = try (0..<5).map { _ in try node.ask(carol, question: 3).count }
                try node.require("answers", answers, is: [1, 1, 1, 1, 0])
            },
            Row("INF-065", about: "Questions are met with silence", of: .sensor) { node in
                for kind in [1, 2, 3, 31] as [UInt8] { try node.silence(try node.ask(carol, question: kind)) }
            },
            Row("INF-066", about: "A question is read as a login with a wrong password", of: .room) { node in
                for kind in [1, 2, 3] as [UInt8] { try node.silence(try node.ask(carol, question: kind)) }
            },
        ])

    /// The regions that a node names.
    private static func regions(_ node: RoleProbe) throws -> String {
        let replies = try node.ask(carol, question: 1)
        return words(try node.answer(in: replies, for: carol) ?? [])
    }

    /// The text behind time stamp and clock.
    private static func words(_ answer: [UInt8]) -> String { answer.dropFirst(8).prefix { $0 != 0 }.text }
}
