import MeshFirmware
import MeshTestSupport
import MeshWire
import Testing

/// The answers and changes of the `region` command, line by line.
@Suite struct RegionCommandTests {
    private var table = RegionTable()
    /// The first half of the digest of `#*`.
    private static let wildcardKey = FixedBytes<16>(hex: "156a1317d89806742661b1ba3ed4c6c0") ?? FixedBytes()

    /// Types a line and gives back the answer.
    @discardableResult
    private mutating func type(_ line: String, role: ServerRole = .repeater) -> String {
        ByteText(bytes: table.handleCommand([UInt8](line.utf8), role: role).reply).string
    }

    private mutating func effects(_ line: String, role: ServerRole = .repeater) -> [RegionEffect] {
        table.handleCommand([UInt8](line.utf8), role: role).effects
    }

    // MARK: Recorded

    private struct Script: Decodable {
        struct Line: Decodable {
            let command: String
            let reply: String?
            let repeater: String?
            let roomServer: String?
            let sensor: String?

            func expected(of role: ServerRole) -> String? {
                switch role {
                case .repeater: reply ?? repeater
                case .roomServer: reply ?? roomServer
                case .sensor: reply ?? sensor
                }
            }
        }

        let script: [Line]
    }

    private struct Exchange: Decodable {
        let command: String
        let reply: String
    }

    @Test(.proves("INF-201"), arguments: ServerRole.allCases)
    mutating func `the region lines of the recorded script are answered as recorded`(role: ServerRole) throws {
        let lines = InfrastructureVectors.read("CLI-SCRIPT", as: Script.self).script.filter {
            $0.command.hasPrefix("region")
        }

        for line in lines { #expect(try type(line.command, role: role) == #require(line.expected(of: role))) }

        #expect(lines.count == 38)
    }

    @Test(.proves("INF-206")) mutating func `a fresh node answers with the wildcard, at home and open`() {
        let recorded = InfrastructureVectors.read("CLI-REGION", as: Exchange.self)

        #expect(type(recorded.command) == recorded.reply)
        #expect(recorded.reply == "*^ F\n")
    }

    // MARK: Names

    @Test(arguments: ["eu", "EU-1", "#eu", "$own", "Köln", "a_b~", "[x]"])
    mutating func `letters, digits, a few marks and every byte from A on make a name`(name: String) {
        #expect(type("region put \(name)") == "OK - (flood allowed)")
        #expect(type("region get \(name)") == " \(name) F")
    }

    @Test(arguments: ["a*", "*", "a.b", "a:b", "a,b", "a/b", "\"a\"", "a\tb", "<null>"])
    mutating func `other bytes make none`(name: String) {
        #expect(type("region put \(name)") == "Err - unable to put")
        #expect(type("region") == "*^ F\n")
    }

    @Test mutating func `a name is cut to thirty bytes, and the whole one is unknown then`() {
        let long = String(repeating: "x", count: 31)

        #expect(type("region put \(long)") == "OK - (flood allowed)")

        #expect(type("region get \(long)") == "Err - unknown region")
        #expect(type("region get xxx") == " \(long.dropLast()) F")
        #expect(type("region put \(long)") == "OK - (flood allowed)")
        #expect(table.regions.count == 2)
    }

    @Test mutating func `a leading # makes no difference to look-ups, and is kept where names are shown`() {
        type("region put #uk")

        #expect(type("region put uk") == "OK - (flood allowed)")
        #expect(table.regions.count == 1)
        #expect(type("region get uk") == " #uk F")
        #expect(type("region home uk") == " home is now #uk")
        #expect(type("region") == "* F\n uk^ F\n")
        #expect(type("region list allowed") == "*,uk")
    }

    @Test mutating func `the exact name is found first, else the last that begins with it`() {
        for name in ["europe", "eu", "eurasia", "asia"] { type("region put \(name)") }

        #expect(type("region get eu") == " eu F")
        #expect(type("region get e") == " eurasia F")
        #expect(type("region get euro") == " europe F")
        #expect(type("region get europa") == "Err - unknown region")
        #expect(type("region get  x") == " asia F")
        #expect(type("region remove e") == "Err - not found")
    }

    // MARK: The tree

    @Test(.proves("INF-207"))
    mutating func `an entry is described between a space and, where floods are denied, another one`() {
        type("region put a")
        type("region put b a")
        type("region denyf b")

        #expect(type("region get b") == " b (a) ")
        #expect(type("region get a") == " a F")
        #expect(type("region get *") == " * F")
    }

    @Test(.proves("INF-208")) mutating func `a region with parts, and the wildcard, are not removed`() {
        type("region put a")
        type("region put b a")

        #expect(type("region remove a") == "Err - not empty")
        #expect(type("region remove *") == "Err - not empty")

        #expect(type("region remove b") == "OK")
        #expect(type("region remove a") == "OK")
        #expect(type("region") == "*^ F\n")
    }

    @Test mutating func `an entry is moved by a second put, which allows floods again, but not under itself`() {
        type("region put a")
        type("region put b a")
        type("region denyf b")

        #expect(type("region put b") == "OK - (flood allowed)")
        #expect(type("region") == "*^ F\n a F\n b F\n")
        #expect(type("region put b b") == "Err - unable to put")
    }

    @Test mutating func `regions under one another leave the tree and can still be found`() {
        type("region put a")
        type("region put b a")
        type("region put a b")

        #expect(type("region") == "*^ F\n")
        #expect(type("region get a") == " a (b) F")
        #expect(type("region remove a") == "Err - not empty")
        #expect(type("region put a") == "OK - (flood allowed)")
        #expect(type("region") == "*^ F\n a F\n  b F\n")
    }

    @Test mutating func `the tree is cut to 159 bytes`() {
        let names = (10..<42).map { "region-with-a-name-of-\($0)" }
        for name in names { type("region put \(name)") }

        let whole = "*^ F\n" + names.map { " \($0) F\n" }.joined()
        #expect(type("region") == String(whole.prefix(159)))
        #expect(table.tree(within: 0).isEmpty && table.tree(within: 1).isEmpty)
        #expect(type("region put more") == "Err - unable to put")
        #expect(type("region default more") == "Err - region table full")
        #expect(type("region def more") == "Err - put failed: more")
    }

    @Test mutating func `names that do not fit a listing are left out, and shorter ones behind them are in`() {
        for letter in "abcd" { type("region put \(String(repeating: letter, count: 30))") }
        type("region put \(String(repeating: "e", count: 25))")
        type("region put \(String(repeating: "x", count: 30))")
        for name in ["f", "hi", "j"] { type("region put \(name)") }

        // Behind `hi` there are 157 bytes, comma included: `j` and the two that stay free would make 160.
        let listing = type("region list allowed")
        #expect(listing.hasPrefix("*,aaa"))
        #expect(listing.hasSuffix("eee,f,hi"))
        #expect(listing.utf8.count == 156)
        #expect(table.names(within: 4) == [UInt8]("*".utf8))
        #expect(table.names(within: 5) == [UInt8]("*".utf8))
        #expect(table.names(within: 6) == [UInt8]("*,f".utf8))
    }

    @Test(.proves("INF-062"))
    mutating func `the regions of a fresh node are the wildcard, and names are listed without #`() {
        #expect(table.names(within: 172) == [UInt8]("*".utf8))

        type("region put #uk")

        #expect(table.names(within: 172) == [UInt8]("*,uk".utf8))
    }

    @Test mutating func `home and default survive the removal of their region, and then name none`() {
        type("region default a")
        type("region home a")
        type("region remove a")

        #expect(type("region home") == " home is *")
        #expect(type("region default") == " default scope is <null>")
        #expect(type("region") == "* F\n")
        #expect((table.homeID, table.defaultID) == (1, 1))
    }

    // MARK: Definitions in one line

    @Test(
        arguments: [
            ("a b c", "*^ F\n a F\n  b F\n   c F\n"), ("a|* b", "*^ F\n a F\n b F\n"),
            ("a,* b", "*^ F\n a F\n b F\n"), ("  a   b  ", "*^ F\n a F\n  b F\n"),
            ("abc d|ab e", "*^ F\n abc F\n  d F\n  e F\n"), ("a a", "Err - put failed: a"),
            ("a|b,c", "Err - unknown jump: b,c"), ("*", "Err - put failed: *"), ("a ,", "Err - empty name"),
            ("a,|", "Err - unknown jump: |"), ("   ", "Err - empty def"),
        ])
    mutating func `a definition goes down from name to name and jumps where it is told`(names: String, reply: String) {
        #expect(type("region def \(names)") == reply)
    }

    @Test mutating func `what stands before a fault in a definition stays`() {
        #expect(type("region def a b c.d e") == "Err - put failed: c.d")
        #expect(type("region") == "*^ F\n a F\n  b F\n")
    }

    @Test mutating func `a long fault is cut to 159 bytes`() {
        let name = "." + String(repeating: "n", count: 200)

        #expect(type("region def \(name)") == String("Err - put failed: \(name)".prefix(159)))
        #expect(type("region def a|\(name)") == String("Err - unknown jump: \(name)".prefix(159)))
    }

    // MARK: The shape of a line

    @Test(
        arguments: [
            ("region ", "*^ F\n"), ("regions", "*^ F\n"), ("region  ", "Err - ??"), ("region get", "Err - ??"),
            ("region get ", "Err - ??"), ("region list", "Err - ??"), ("region remove", "Err - ??"),
            ("region define a", "Err - ??"), ("region  def a", "Err - ??"), ("region home ", " home is *"),
            ("region get * more and more", " * F"), ("region put a * b c", "OK - (flood allowed)"),
            ("region saved", "Err - ??"), ("region save it", "OK"), ("region\0 save", "*^ F\n"),
        ])
    mutating func `parts have one space between, and what follows them is dropped`(line: String, reply: String) {
        #expect(type(line) == reply)
    }

    // MARK: Effects

    @Test(.proves("INF-019")) mutating func `edits ask for nothing to be written`() {
        for line in ["region put eu", "region denyf eu", "region home eu", "region def a b", "region remove a"] {
            #expect(effects(line).isEmpty)
        }
    }

    @Test(.proves("INF-020"))
    mutating func `the choice of a default is written at once, with all else in the table`() throws {
        type("region put a")

        let key = try #require(FixedBytes<16>(hex: "1b39b9a89c74b7c11db356b757ebe45a"))
        #expect(effects("region default eu") == [.defaultChanged(key), .save])

        let restarted = RegionTable(stored: table.stored())
        #expect(restarted.tree() == [UInt8]("*^ F\n a F\n eu F\n".utf8))
        #expect(restarted.defaultKey == key)
    }

    @Test mutating func `a save also notes when the regions were changed`() {
        #expect(effects("region save") == [.modified, .save])
        #expect(effects("region load") == [.beginLoad])
        #expect(effects("region default <null>") == [.defaultChanged(nil), .save])
    }

    @Test mutating func `a save that the flash refuses is reported`() {
        let answer = table.handleCommand([UInt8]("region save".utf8), role: .roomServer, canWrite: false)

        #expect(answer.reply == [UInt8]("Err - save failed".utf8))
    }

    @Test mutating func `a private default leaves the key that is in force`() {
        #expect(effects("region default $own") == [.save])
        #expect(table.defaultKey == nil)
        #expect(type("region default") == " default scope is $own")
    }

    @Test mutating func `the wildcard as default is none, and yet a key is taken for it`() {
        type("region default eu")
        type("region denyf *")

        #expect(type("region default *") == " default scope is now *")
        #expect(type("region default") == " default scope is <null>")
        #expect(table.allowsUnscopedFloods)
        #expect(table.defaultKey == nil)
        #expect(effects("region default *") == [.defaultChanged(Self.wildcardKey), .save])
    }

    @Test(.proves("INF-021")) mutating func `a sensor neither saves nor loads, and edits all the same`() {
        #expect(type("region save", role: .sensor) == "Err - save failed")
        #expect(effects("region save", role: .sensor) == [.modified])
        #expect(type("region load", role: .sensor).isEmpty)
        #expect(effects("region load", role: .sensor).isEmpty)
        #expect(type("region default eu", role: .sensor) == " default scope is now eu")
        #expect(effects("region default eu", role: .sensor).isEmpty)
        #expect(type("region", role: .sensor) == "*^ F\n eu F\n")
    }
}
