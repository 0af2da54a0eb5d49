import Testing

/// Shows each rule a small bad sample, so that a rule which sees nothing is noticed.
@Suite struct TidyRuleTests {
    private func source(_ text: String, path: String = "Sources/MeshWire/Sample.swift") -> SourceText {
        SourceText(path: path, text: text)
    }

    @Test func `comments and strings are blank, interpolated code is not`() {
        let file = source(
            #"""
            let a = "Task" // Task
            /* Task /* Task */ Task */ let b = "\(Task.x) Task"
            let c = """
                Task
                """
            """#)

        #expect(file.occurrences(of: "Task").map(file.line) == [2])
        #expect(file.lines.count == file.codeLines.count)
    }

    @Test func `imports are seen through attributes, access levels and kinds`() {
        let file = source("@testable import A\npublic import B\nimport struct C.D\n// import E\nlet imported = 1")

        #expect(file.imports.map(\.module) == ["A", "B", "C"])
        #expect(file.imports.map(\.line) == [1, 2, 3])
    }

    @Test func `the manifest gives targets and dependencies`() {
        let text = """
            func module(_ name: String) -> Target { .target(name: name, dependencies: dependencies) }
            let package = Package(name: "p", targets: [
                module("MeshWire"),
                module("MeshPacket", ["MeshWire", .product(name: "NIOCore", package: "swift-nio")]),
                .executableTarget(name: "meshbed", dependencies: ["MeshPacket"], path: "x"),
                tests("MeshWireTests", ["MeshWire"], resources: [.copy("Resources")]),
            ])
            """

        let targets = Manifest(text: text).targets

        #expect(targets.map(\.name) == ["MeshWire", "MeshPacket", "meshbed", "MeshWireTests"])
        #expect(targets[1].dependencies == ["MeshWire", "NIOCore"])
        #expect(targets[2].dependencies == ["MeshPacket"])
        #expect(targets[3].dependencies == ["MeshWire"] && targets[3].isTest)
    }

    @Test func `what a product carries is followed through targets and packages`() {
        let text = """
            let package = Package(name: "p", products: [
                .library(name: "App", targets: ["MeshCore", "MeshFiles"]), .executable(name: "tool", targets: ["tool"]),
            ], targets: [
                module("MeshWire"), module("MeshFiles"), module("MeshOther"),
                module("MeshCore", ["MeshWire", .product(name: "NIOCore", package: "swift-nio")]),
                .executableTarget(name: "tool", dependencies: ["MeshOther", "MeshCore"]),
            ])
            """

        let manifest = Manifest(text: text)

        #expect(manifest.products == ["App": ["MeshCore", "MeshFiles"], "tool": ["tool"]])
        #expect(manifest.closure(ofProducts: ["App"]) == ["MeshCore", "MeshFiles", "MeshWire", "NIOCore"])
        #expect(manifest.closure(ofProducts: ["tool"]).isSuperset(of: ["tool", "MeshOther", "NIOCore"]))
        #expect(manifest.closure(ofProducts: ["none"]).isEmpty)
    }

    @Test func `an arrow that points up is found in the manifest and in the imports`() {
        let manifest = Manifest(text: #"module("MeshWire", ["MeshFirmware"])"# + "\n" + #"module("MeshNews")"#)

        #expect(ImportRules.check(manifest).count == 2)
        let upward = ImportRules.check(source("import MeshFirmware"), of: "MeshWire", manifest: manifest)
        #expect(upward.count == 1 && upward[0].line == 1)
    }

    @Test func `a module that reaches what it has to do without is found, on whatever way, and so is a name of none`() {
        let manifest = Manifest(
            text: #"module("MeshWire"), module("MeshFiles", ["MeshWire"]), module("MeshWeb", ["MeshFiles"])"#)
        func findings(_ module: String, _ without: String...) -> Int {
            ImportRules.separated(manifest, by: [Separation(module: module, without: without, reason: "none")]).count
        }

        #expect(findings("MeshWeb", "MeshWire") == 1)
        #expect(findings("MeshFiles", "MeshWeb") == 0)
        #expect(findings("MeshFiles", "MeshOther") == 1)
    }

    @Test func `a library is imported by those alone whose row names it, and a layer reaches its own and lower ones`() {
        let manifest = Manifest(text: #"module("MeshFirmware", ["MeshWire", "CSodium"])"#)
        func findings(_ line: String) -> Int {
            ImportRules.check(source(line), of: "MeshFirmware", manifest: manifest).count
        }

        #expect(ImportRules.check(manifest).count == 1)
        #expect(findings("import MeshWire") == 0)
        #expect(findings("import CSodium") == 1)
        #expect(findings("import MeshSimulator") == 1)
    }

    @Test(arguments: ["Foundation", "Dispatch", "NIOCore", "Logging", "Glibc", "CSodium"])
    func `a pure module imports nothing from outside`(name: String) {
        let findings = ImportRules.check(
            source("internal import \(name)"), of: "MeshPacket", manifest: Manifest(text: ""))

        #expect(findings.count == 1)
    }

    @Test(arguments: [
        ("import Foundation", 1), ("public import Foundation", 1), ("import struct Foundation.Data", 1),
        ("import FoundationInternationalization", 1), ("import FoundationEssentials", 0), ("// import Foundation", 0),
    ])
    func `the whole of Foundation is found in every layer`(line: String, count: Int) {
        #expect(ImportRules.checkFoundation(source(line, path: "Sources/meshbed/Sample.swift")).count == count)
        let commands = ImportRules.check(source(line), of: "meshbed", manifest: Manifest(text: ""))
        #expect(commands.count == count)
    }

    @Test func `an import that the manifest does not declare is found`() {
        let manifest = Manifest(text: #"module("MeshPacket", ["MeshWire"])"#)

        let findings = ImportRules.check(source("import MeshCrypto"), of: "MeshPacket", manifest: manifest)

        #expect(findings.count == 1 && findings[0].message.contains("Package.swift"))
    }

    @Test func `an arrow that no import needs is found`() {
        let manifest = Manifest(text: #"module("MeshPacket", ["MeshWire", "MeshCrypto"])"#)
        let file = source("import MeshWire", path: "Sources/MeshPacket/Sample.swift")

        #expect(ImportRules.unused(manifest, files: [file]).map(\.message).count == 1)
    }

    @Test(arguments: [
        "func f() async {}", "Task { }", "actor A {}", "let d = Date()", "let u = UUID()", "x.hashValue",
        "var g = SystemRandomNumberGenerator()", "let c = ContinuousClock()", "Int.random(in: 0...3)",
        "list.shuffled()", "list.randomElement()", "ObjectIdentifier(x)", "print(x)",
    ])
    func `a banned call is found once`(line: String) {
        #expect(BannedCalls.check(source(line)).count == 1)
    }

    @Test(arguments: [
        "Int.random(in: 0...3, using: &stream)", "list.shuffled(using: &stream)", "let updatedTask1 = 1",
        "// no Task here", #"let s = "Date""#, "func hash(into hasher: inout Hasher) {}",
        "func print(_ x: Int) {}; print(x)", "let map = Topology.random(count: 3)",
    ])
    func `what is fine is not found`(line: String) {
        #expect(BannedCalls.check(source(line)) == [])
    }

    @Test func `walking a dictionary or set is found, sorted or indexed use is not`() {
        let file = source(
            """
            var table: [Int: String] = [:]
            var seen = Set<Int>()
            var list: [Int] = []
            for entry in table { }
            for key in table.keys.sorted() { }
            let all = seen.map { $0 }
            for entry in list { }
            let one = table[1]
            """)

        #expect(BannedCalls.unorderedIteration(file).map(\.line) == [4, 6])
    }

    @Test(arguments: [
        "let x = try! f()", "let y = x as! Int", "final class C: @unchecked Sendable {}",
        "try await Task.sleep(for: .zero)",
        "nonisolated(unsafe) var z = 1", "usleep(5)", #"fatalError("not yet")"#, "@Test(.disabled()) func f() {}",
    ])
    func `a leftover is found once, unless it is allowed`(line: String) {
        #expect(Leftovers.check(source(line)).count == 1)
    }

    @Test(arguments: ["let a = b.rounded()", "let a = (b * 2).squareRoot()", "let a = b.rounded(.down)"])
    func `mathematics of the C library are found once`(line: String) {
        #expect(BannedCalls.checkMathematics(source(line)).count == 1)
        #expect(BannedCalls.checkMathematics(source("let rounded = 1 // .rounded()")).isEmpty)
    }

    @Test(arguments: [
        ("struct LinkTests { func f() { connect() } }", 0),
        ("struct LinkSystemTests { let clock = ContinuousClock() }", 0),
        ("struct LinkRealTimeTests { let radio = try await Emulator.start(world) }", 0),
        ("struct LinkTests { let client = try TestClient.connect(port: 1) }", 1),
        ("struct LinkSystemTests { func f() { connect() } }", 1), ("struct Bench { let clock = ContinuousClock() }", 0),
        ("@Suite(.timeLimit(.minutes(1))) struct LinkTests {}", 1),
    ])
    func `a test in the wrong lane is found once`(text: String, count: Int) {
        #expect(TestLanes.check(source(text, path: "Tests/SampleTests/Sample.swift")).count == count)
    }

    @Test func `an allowance covers one mark in one file`() {
        let allowance = Leftovers.Allowance(path: "Sources/MeshWire/Sample.swift", mark: "as!", reason: "a sample")

        let findings = Leftovers.check(source("let x = y as! Int\nlet z = try! f()"), allowing: [allowance])

        #expect(findings.map(\.line) == [2])
    }

    @Test func `a note of unfinished work is found in any text`() {
        let lines = ["# To" + "do list", "# TO" + "DO: finish", "TO" + "DOs are words"]

        #expect(Leftovers.notes(path: "ci/x", lines: lines).map(\.line) == [2])
    }

    @Test func `a long function is found where it begins`() {
        let body = (1...70).map { "    line(\($0))" }.joined(separator: "\n")
        let file = source(
            "protocol P {\n    func short()\n    init(a: Int)\n}\nfunc long(\n    a: Int\n) {\n\(body)\n}\nfunc short() { .init() }"
        )

        let findings = Lengths.functions(file)

        #expect(findings.map(\.line) == [5])
        #expect(findings.first?.message.contains("74 lines") == true)
    }

    @Test func `a comment keeps to its columns, alone and behind code`() {
        let long = String(repeating: "x", count: 117)
        let file = source("/// \(long)\n//  \(long.dropLast())\nlet a = \"//\(long)\"\nlet b = 1  // \(long)\n")

        #expect(Lengths.comments(file).map(\.line) == [1, 4])
    }

    @Test func `a module is as long as its files together`() {
        let files = ["Sources/A/One.swift", "Sources/A/Folder/Two.swift", "Sources/B/Three.swift"].map {
            SourceText(path: $0, text: "1\n2\n3\n")
        }

        let findings = Lengths.modules(files, limit: 5)

        #expect(findings.map(\.path) == ["A"])
        #expect(findings.first?.message.hasPrefix("6 lines") == true)
    }

    @Test func `a long file needs a reason at its top`() {
        let lines = Array(repeating: "x", count: 601)

        #expect(Lengths.files(path: "a", lines: lines).count == 1)
        #expect(Lengths.files(path: "a", lines: ["// Long because it is one list."] + lines).isEmpty)
    }

    @Test func `paths and package hosts of one machine are found`() {
        let lines = [
            "cd /wo" + "rk/main", "see docs/wo" + "rk/main", "PATH=/op" + "t/swift", "pip install --index" + "-url x",
            "a/root/b",
        ]

        #expect(TextHygiene.check(path: "a", lines: lines).map(\.line) == [1, 3, 4])
    }
}
