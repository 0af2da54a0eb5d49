import MeshFirmware
import MeshTestSupport
import MeshWire
import Testing

/// `region load`: the lines that make a new table.
@Suite struct RegionLoadTests {
    private struct Recording: Decodable {
        struct Case: Decodable {
            let role: String
            let lines: [Line]
        }

        struct Line: Decodable {
            let line: String
            let reply: String?
        }

        let cases: [Case]
    }

    /// A table with the loader that may be at work on it.
    private struct Desk {
        var table = RegionTable()
        var loader: RegionLoader?

        /// The answer to a line; `nil` when there is none.
        mutating func type(_ line: String, role: ServerRole = .repeater) -> String? {
            if let end = loader?.take([UInt8](line.utf8)) {
                (table, loader) = (end.table, nil)
                return ByteText(bytes: end.reply).string
            }
            guard loader == nil else { return nil }
            let answer = table.handleCommand([UInt8](line.utf8), role: role)
            if answer.effects == [.beginLoad] { loader = RegionLoader(replacing: table) }
            return answer.reply.isEmpty ? nil : ByteText(bytes: answer.reply).string
        }

        /// Loads these lines and gives back the tree.
        mutating func load(_ lines: [String]) -> String? {
            _ = type("region load")
            for line in lines { #expect(type(line) == nil) }
            #expect(type("") == "OK - loaded \(table.regions.count) regions")
            return type("region")
        }
    }

    @Test(.proves("INF-205")) func `the recorded load is swallowed line by line and answered at its end`() {
        let cases = InfrastructureVectors.read("REGION-LOAD", as: Recording.self).cases

        for recorded in cases {
            var desk = Desk()
            let role: ServerRole = recorded.role == "repeater" ? .repeater : .roomServer
            for line in recorded.lines { #expect(desk.type(line.line, role: role) == line.reply, "\(line.line)") }
        }

        #expect(cases.map(\.role) == ["repeater", "room_server"])
    }

    @Test(.proves("INF-205")) func `commands are swallowed while a load goes on`() {
        var desk = Desk()
        _ = desk.type("region load")

        #expect(desk.type("ver") == nil)
        #expect(desk.type("region load") == nil)
        #expect(desk.type("region put x") == nil)

        #expect(desk.type("   ") == "OK - loaded 0 regions")
        #expect(desk.type("region") == "*^ F\n")
    }

    @Test(
        arguments: [
            ([" a F", "  b F", " c", "   d F"], "*^ F\n a F\n  b F\n   d F\n c\n"),
            (["  b F", " a F"], "*^ F\n a F\n"),
            ([" 1", "  2", "   3", "    4", "     5", "      6", "       7 F", "        8 F"], nil),
            ([" a", " b;F", " c ... F", " d F.", " e f"], "*^ F\n a\n b F\n c F\n d F\n e\n"),
            ([" aF", " b\tF", " c. f", " d^ F"], "*^ F\n aF\n b F\n c\n d^ F\n"),
            ([" a", " a F", "  a F"], "*^ F\n a F\n"),
            ([" *", " * F", " .x"], "*^ F\n"),
        ] as [([String], String?)])
    func `the level is the number of spaces, and an F behind the name allows floods`(lines: [String], tree: String?) {
        let seven = "*^ F\n 1\n  2\n   3\n    4\n     5\n      6\n       7 F\n"
        var desk = Desk()

        #expect(desk.load(lines) == tree ?? seven)
    }

    @Test func `known names keep their ids and what they refused, and new ones go on counting`() {
        var desk = Desk()
        for line in ["region put a", "region put b", "region put #c", "region denyf b", "region remove a"] {
            _ = desk.type(line)
        }

        let tree = desk.load([" new", "  b F", "   c", " a"])

        #expect(tree == "*^ F\n new\n  b\n   c F\n a\n")
        #expect(desk.table.regions.map(\.id) == [4, 2, 3, 5])
        #expect(desk.table.regions.map(\.parent) == [0, 4, 2, 0])
        #expect(desk.table.nextID == 6)
    }

    @Test func `home, default and the wildcard's refusal are gone after a load`() {
        var desk = Desk()
        for line in ["region default a", "region home a", "region denyf *"] { _ = desk.type(line) }

        #expect(desk.load([" a"]) == "*^ F\n a F\n")

        #expect(desk.table.defaultRegion == nil)
        #expect(desk.table.allowsUnscopedFloods)
    }

    @Test func `a load ends at 32 regions, also where names bring their ids`() {
        var desk = Desk()
        _ = desk.type("region put old")

        let tree = desk.load((100..<132).map { " \($0)" } + [" 132", " old"])

        #expect(desk.table.regions.count == 32)
        #expect(desk.table.allowsUnscopedFloods)
        #expect(tree?.hasPrefix("*^ F\n 100\n 101\n") == true)
        #expect(desk.type("region get old") == "Err - unknown region")
    }
}
