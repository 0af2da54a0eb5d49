import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice
    private static let unknown: UInt8 = 0x55

    /// Requests of clients, and their answers.
    static let requests = RoleTopic("Requests", admission + contents)

    private static let admission: [Row] = [
        Row("INF-067", about: "An answer begins with the time stamp of its request") { node in
            try node.admit(alice)
            let reply = try node.one(try node.request(alice, telemetry, at: 0xF1E2_D3C4))
            try node.after(300, reply)
            let answer = try node.answer(in: [reply], for: alice)
            try node.require("the time stamp", answer?.littleEndian, is: 0xF1E2_D3C4)
        },
        Row("OTA-014", about: "Of two clients with one hash, the one whose secret fits is answered") { node in
            // Keys that begin with the same byte.
            try node.require("the hashes", alice.hash, is: Peer.carol.hash)
            try node.admit(alice)
            try node.admit(.carol)
            for peer in [Peer.carol, alice] {
                try node.require("an answer", try node.answer(peer, telemetry) != nil, is: true)
            }
        },
        Row("OTA-011", "OTA-012", about: "Answers are sealed with the shared secret, and padded to their block") {
            node in
            let reply = try node.one(try node.sendLogin(alice))
            // Hashes, MAC and one block.
            try node.require("bytes of the payload", reply.packet.payload.count, is: 20)
            try node.require("an answer", try node.answer(in: [reply], for: alice)?.last, is: 0)
        },
        Row("INF-068", about: "A request by flood is answered by a returned path, even where one is known") { node in
            try node.admit(alice)
            try node.teach(alice, [0xA1, 0xA2])
            let reply = try node.one(try node.request(alice, telemetry, by: .floodAlong([0x21])))
            try node.require("the route", reply.packet.route, is: .flood)
            let path = try node.pathReturn(reply, for: alice)
            try node.require("the path", path?.path, is: [0x21])
            try node.require("the extra's type", path.map { $0.extraType & 15 }, is: 1)
        },
        Row("INF-069", about: "A direct request of a client without path is answered by flood") { node in
            try node.admit(alice)
            let reply = try node.one(try node.request(alice, telemetry))
            try node.require("the route", reply.packet.route, is: .flood)
            try node.require("the type", reply.packet.kind, is: .response)
        },
        Row("INF-070", about: "A time stamp that was used is refused", of: .repeaterAndSensor) { node in
            try node.admit(alice)
            let time = node.nextStamp() + 100
            try node.require("an answer", try node.answer(alice, telemetry, at: time) != nil, is: true)
            try node.silence(try node.request(alice, telemetry, [0, 0, 0, 0, 2, 2, 2, 2], at: time))
            try node.silence(try node.request(alice, telemetry, at: time - 1))
        },
        Row("INF-071", about: "A time stamp may be used again, an older one may not", of: .room) { node in
            try node.admit(alice)
            let time = node.nextStamp() + 100
            try node.require("an answer", try node.answer(alice, telemetry, at: time) != nil, is: true)
            let again = try node.answer(alice, telemetry, [0, 0, 0, 0, 2, 2, 2, 2], at: time)
            try node.require("an answer", again != nil, is: true)
            try node.silence(try node.request(alice, telemetry, at: time - 1))
        },
        Row("INF-072", about: "A request without an answer leaves its time unused", of: .repeaterAndSensor) { node in
            try node.admit(alice)
            let time = node.nextStamp()
            try node.silence(try node.request(alice, unknown, at: time + 100))
            try node.require("an answer", try node.answer(alice, telemetry, at: time + 1) != nil, is: true)
        },
        Row("INF-073", about: "A request without an answer uses its time up", of: .room) { node in
            try node.admit(alice)
            let time = node.nextStamp()
            try node.silence(try node.request(alice, unknown, at: time + 100))
            try node.silence(try node.request(alice, telemetry, at: time + 1))
        },
    ]

    private static let contents: [Row] = [
        Row(
            "INF-074", about: "The status has 56 bytes of counters behind the time stamp", of: .repeater,
            afterRestart: true
        ) { node in
            try node.admit(alice)
            try node.teach(alice, [0x77])
            let answer = try node.answer(alice, status) ?? []
            // 60 bytes and padding to 64, without the time stamp.
            try node.require("bytes", answer.count, is: 60)
            try node.require("the padding", [UInt8](answer.suffix(4)), is: [0, 0, 0, 0])
            try node.require("the queue", [UInt8](answer[2...3]), is: [0, 0])
            try node.require("packets sent by flood", answer.dropFirst(24).littleEndian >= 1, is: true)
            try node.require("packets received by flood", answer.dropFirst(32).littleEndian, is: 1)
            try node.require("packets received direct", answer.dropFirst(36).littleEndian, is: 2)
            if node.setsSignals { try node.require("the SNR", [UInt8](answer[42...43]), is: [40, 0]) }
        },
        Row("INF-075", about: "The status of a room counts posts and pushes", of: .room, afterRestart: true) { node in
            try node.admit(alice)
            try node.one(try node.text(alice, "hello"))
            let answer = try node.answer(alice, status) ?? []
            try node.require("bytes", answer.count, is: 60)
            try node.require("posts", [UInt8](answer.dropFirst(48).prefix(2)), is: [1, 0])
            try node.require("the padding", [UInt8](answer.suffix(8)), is: [UInt8](repeating: 0, count: 8))
        },
        Row("INF-076", about: "There is no status", of: .sensor) { node in
            try node.admit(alice)
            try node.silence(try node.request(alice, status))
        },
        Row("INF-077", about: "A guest may read the status", of: .repeaterAndRoom) { node in
            if node.role == .roomServer { try node.type("set allow.read.only on", "OK") }
            let isRoom = node.role == .roomServer
            try node.require("an answer", try node.logIn(.bob, isRoom ? "nope" : "") != nil, is: true)
            try node.require("a status", try node.answer(.bob, status) != nil, is: true)
        },
        Row("INF-078", about: "Telemetry begins with the voltage, whatever is asked for") { node in
            try node.admit(alice)
            for mask in [0, 0xFF] as [UInt8] {
                let answer = try node.answer(alice, telemetry, [mask, 0, 0, 0, 1, 2, 3, 4]) ?? []
                try node.require("channel and type", [UInt8](answer.prefix(2)), is: [1, 116])
            }
        },
        Row(
            "INF-079", about: "The mask names what is not wanted", needs: .builds,
            setup: RoleSetup(board: { $0.hasGPS = true }, environment: { $0.parts = .bme280 })
        ) { node in
            try node.type("gps on", "ok")
            try node.admit(alice)
            // Behind the voltage: the place on channel 1, then the sensor on channel 2.
            for (mask, place, sensor) in [(4, true, false), (2, false, true), (0xF9, true, true), (6, false, false)]
                as [(UInt8, Bool, Bool)]
            {
                let answer = try node.answer(alice, telemetry, [mask, 0, 0, 0, 1, 2, 3, 4]) ?? []
                var rest = answer.dropFirst(4)
                try node.require("a place with mask \(mask)", rest.starts(with: [1, 136]), is: place)
                if place { rest = rest.dropFirst(11) }
                try node.require("a sensor with mask \(mask)", rest.first == 2, is: sensor)
            }
        },
        Row(
            "INF-084", about: "Negative currents are two's complement", needs: .builds,
            setup: RoleSetup(environment: { environment in
                environment.parts = .ina219
                environment[.current1] = .constant(-0.25)
            })
        ) { node in
            try node.admit(alice)
            let answer = try node.answer(alice, telemetry) ?? []
            let current: [UInt8] = [2, 117, 0xFF, 0x06]
            try node.require("a current of -0.25 A", answer.firstRange(of: current) != nil, is: true)
        },
        Row("INF-080", about: "Guests see the battery and the processor only", of: .repeater) { node in
            try node.require("an answer", try node.logIn(.bob, "") != nil, is: true)
            let answer = try node.answer(.bob, telemetry, [0, 0, 0, 0, 1, 2, 3, 4]) ?? []
            try node.require("channel and type", [UInt8](answer.prefix(2)), is: [1, 116])
            try node.require("what follows", [UInt8](answer.dropFirst(4).prefix(2)), is: [1, 103])
            try node.require("the end", answer.dropFirst(8).allSatisfy { $0 == 0 }, is: true)
        },
        Row("INF-081", about: "The temperature of the processor comes last", of: .repeater) { node in
            try node.admit(alice)
            let answer = try node.answer(alice, telemetry) ?? []
            try node.require("channel and type", [UInt8](answer.dropFirst(4).prefix(2)), is: [1, 103])
        },
        Row("INF-082", about: "The temperature of the processor is absent", of: .sensor) { node in
            try node.admit(alice)
            let answer = try node.answer(alice, telemetry) ?? []
            try node.require("what follows the voltage", answer.dropFirst(4).allSatisfy { $0 == 0 }, is: true)
        },
        Row("INF-083", about: "4200 mV are written as 4.19 V", needs: .board) { node in
            try node.setBattery(millivolts: 4200)
            try node.admit(alice)
            let answer = try node.answer(alice, telemetry) ?? []
            try node.require("the voltage", [UInt8](answer.prefix(4)), is: [0x01, 0x74, 0x01, 0xA3])
        },
        Row("INF-085", about: "The access list is for administrators, with zeros in front") { node in
            try node.admit(alice)
            try node.type("setperm \(Peer.bob.key.hex) 2", "OK")
            try node.silence(try node.request(.bob, accessList))
            try node.silence(try node.request(alice, accessList, [1, 0, 0, 0, 1, 2, 3, 4]))
            try node.silence(try node.request(alice, accessList, [0, 1, 0, 0, 1, 2, 3, 4]))
            try node.require("a list", try node.answer(alice, accessList) != nil, is: true)
        },
        Row(
            "INF-086", about: "The access list has all who have permissions, in order", of: .repeaterAndSensor,
            needs: .emptyContacts
        ) { node in
            let expected = try permit(node)
            let answer = try node.answer(alice, accessList) ?? []
            try node.require("the list", [UInt8](answer.prefix(21)), is: expected.flatMap(\.self))
            try node.require("the end", answer.dropFirst(21).allSatisfy { $0 == 0 }, is: true)
        },
        Row("INF-087", about: "The access list has administrators only", of: .room, needs: .emptyContacts) { node in
            let expected = try permit(node)
            let answer = try node.answer(alice, accessList) ?? []
            try node.require("the list", [UInt8](answer.prefix(14)), is: expected[0] + expected[2])
            try node.require("the end", answer.dropFirst(14).allSatisfy { $0 == 0 }, is: true)
        },
        Row("INF-092", about: "The owner's answer has version, name and owner in lines", of: .repeater) { node in
            try node.admit(alice)
            try node.type("set name Hilltop", "OK")
            try node.type("set owner.info Bob|bob@example.org", "OK")
            let answer = try node.answer(alice, ownerInfo) ?? []
            let text = answer.prefix { $0 != 0 }.text
            try node.require("the text", text, is: "\(node.versionText)\nHilltop\nBob\nbob@example.org")
        },
        Row(
            "INF-093", about: "The longest owner goes direct, and vanishes in a returned path", of: .repeater,
            needs: .frames
        ) { node in
            try longestOwner(node)
            try node.silence(try node.request(alice, ownerInfo, by: .flood))
            try node.require("an answer", try node.answer(alice, ownerInfo) != nil, is: true)
        },
        Row("INF-214", about: "A reply that is too long disappears, and its request counts", of: .repeater) { node in
            try longestOwner(node)
            let time = node.nextStamp() + 100
            try node.silence(try node.request(alice, ownerInfo, at: time, by: .flood))
            try node.silence(try node.request(alice, status, [0, 0, 0, 0, 5, 5, 5, 5], at: time))
        },
    ]

    private static func longestOwner(_ node: RoleProbe) throws {
        try node.admit(alice)
        try node.type("set name \(String(repeating: "n", count: 31))", "OK")
        try node.type("set owner.info \(String(repeating: "o", count: 119))", "OK")
    }

    /// Gives three clients permissions; their entries in a list.
    private static func permit(_ node: RoleProbe) throws -> [[UInt8]] {
        try [(alice, 3), (Peer.bob, 2), (Peer.carol, 195)].map { peer, permissions in
            try node.type("setperm \(peer.key.hex) \(permissions)", "OK")
            return [UInt8](peer.key.prefix(6)) + [UInt8(permissions)]
        }
    }
}
