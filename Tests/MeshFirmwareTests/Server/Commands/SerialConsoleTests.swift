import MeshCrypto
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The output for a user with a terminal on a node's USB port.
@Suite struct SerialConsoleTests {
    private static let all = ServerRole.allCases
    private static let version = "  -> v1.17.1 (Build: 14 Aug 2026)\r\n"

    @Test(arguments: zip(all, ["Repeater", "Room", "Sensor"]))
    func `a node says who it is when it starts, and nothing else`(role: ServerRole, title: String) {
        let console = ConsoleBench(role)

        #expect(console.text == "\(title) ID: \(console.node.publicKey.hex.uppercased())\r\n")
    }

    @Test(arguments: all)
    func `characters are echoed as they come, and the line runs at its carriage return`(role: ServerRole) {
        var console = ConsoleBench(role)
        for character in "ver" {
            console.send("\(character)".utf8)
            #expect(console.text == "\(character)")
        }

        console.send("\r".utf8)

        #expect(console.text == (role == .repeater ? "\r\n" : "\r") + Self.version)
    }

    @Test func `a repeater drops line feeds, and takes every line of a piece`() {
        var console = ConsoleBench(.repeater)

        console.send("ver\r\nboard\r\nv".utf8)

        #expect(console.text == "ver\r\n\(Self.version)board\r\n  -> Host Board\r\nv")
        console.send("\ner\r".utf8)
        #expect(console.text == "er\r\n\(Self.version)")
    }

    @Test(arguments: [ServerRole.roomServer, .sensor])
    func `rooms and sensors echo line feeds, and take what arrives together as one line`(role: ServerRole) {
        var console = ConsoleBench(role)

        console.send("board\r\nver\r\n".utf8)
        #expect(console.text == "board\r\nver\r\n  -> Host Board\r\n")

        console.send("ver\r\nbo".utf8)
        #expect(console.text == "ver\r\nbo")
        console.send("\r".utf8)
        #expect(console.text == "\r" + Self.version)
    }

    @Test(arguments: [(ServerRole.repeater, 159), (.roomServer, 151), (.sensor, 159)])
    func `a full buffer is a line, and the rest begins the next one`(role: ServerRole, capacity: Int) {
        var console = ConsoleBench(role)
        let line = [UInt8](("get " + String(repeating: "x", count: capacity - 4)).utf8)
        let end = role == .repeater ? "\n" : ""

        console.send(line.dropLast())
        #expect(console.text == String(decoding: line.dropLast(), as: UTF8.self))
        console.send("xver".utf8)
        let answer = "??: " + String(repeating: "x", count: capacity - 4)
        #expect(console.text == "x\(end)  -> \(answer)\r\nver")
        console.send("\r".utf8)

        #expect(console.text == "\r\(end)\(Self.version)")
    }

    @Test(arguments: all)
    func `an empty line is unknown, and what stands behind a NUL is lost`(role: ServerRole) {
        var console = ConsoleBench(role)

        #expect(console.type("") == "Unknown command")
        #expect(console.type("   ") == "Unknown command")
        #expect(console.type([UInt8]("ver".utf8) + [0, 7, 7]) == [UInt8]("v1.17.1 (Build: 14 Aug 2026)".utf8))
        console.send([UInt8]("bo".utf8) + [0] + [UInt8]("xx".utf8))
        console.send("ard\r".utf8)
        #expect(console.text.contains("  -> Host Board"))
    }

    @Test(arguments: all)
    func `who comes and goes at the port changes nothing`(role: ServerRole) {
        var console = ConsoleBench(role)
        let before = console.server
        console.send("ve".utf8)

        console.handle(.appConnected)
        console.handle(.appDisconnected)
        console.handle(.appConnected)
        console.send("r\r".utf8)

        #expect(console.text.hasSuffix(Self.version))
        #expect(console.server == before)
        #expect(console.node.appWindow == 256)
    }

    @Test(arguments: all)
    func `the echo of a restart is printed, its answer is not, and later lines are lost`(role: ServerRole) {
        var console = ConsoleBench(role)

        console.send("reboot\r".utf8)
        if role == .repeater { console.send("reboot\rset name Late\r".utf8) }

        #expect(console.text == (role == .repeater ? "reboot\r\n" : "reboot\r"))
        #expect(console.restarts == 1)
        #expect(console.server.preferences.name != "Late")
    }

    @Test(arguments: all)
    func `the access list is printed on the console and has no answer`(role: ServerRole) {
        var console = ConsoleBench(role)
        let key = ConsoleBench.alice.key.hex
        #expect(console.type("setperm \(key) 3") == "OK")

        #expect(console.type("get acl") == "")
        #expect(console.text.hasSuffix("ACL:\r\n03 \(key.uppercased())\n"))

        #expect(console.type("ab|get acl") == "ab|")
        console.run(.seconds(6))
        #expect(console.server.flash[ClientTable.path]?.count == 136)
    }
}
