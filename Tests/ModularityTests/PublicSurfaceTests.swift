import Testing

/// Tests that public declarations are documented, that the rest is not public, and that none is without a user.
@Suite struct PublicSurfaceTests {
    /// Read once for all tests.
    private static let read = Result { try Repository.sources() }
    private static let surface = Result { PublicSurface(files: try read.get()) }

    /// Returns the modules that dependent programs see, and those that these import for their users.
    private func shown() throws -> Set<String> {
        let manifest = Manifest(text: try Repository.text("Package.swift"))
        var shows: [String: Set<String>] = [:]
        for file in try Self.read.get() {
            shows[Repository.module(of: file.path), default: []].formUnion(file.publicImports)
        }
        var found: Set<String> = []
        var open = manifest.products.filter { $0.key != "meshbed" }.flatMap(\.value)
        while let next = open.popLast() {
            if found.insert(next).inserted { open += shows[next, default: []] }
        }
        return found.intersection(manifest.targets.map(\.name))
    }

    @Test func `no public declaration of a product is without documentation`() throws {
        let surface = try Self.surface.get()
        let modules = try shown().sorted()
        #expect(modules.count > 15 && modules.contains("MeshWire"), "the imports were not understood")

        for module in modules {
            let findings = surface.undocumented(in: module)
            #expect(findings.isEmpty, "\(module):\n\(findings.report)")
        }
    }

    @Test func `a module that no product shows declares nothing public`() throws {
        let hidden = try Self.surface.get().modules.subtracting(try shown())

        #expect(hidden.sorted() == [], "let them be `package`")
    }

    @Test func `nothing is declared that nobody names`() throws {
        let sources = try Self.read.get()
        let articles = try Repository.texts.filter { $0.hasSuffix(".md") }.map(Repository.text)
        let names = UnusedNames(code: sources + (try Repository.swift(under: "Tests/")), articles: articles)

        let findings = names.check(sources)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `nothing but what users see is there for tests alone`() throws {
        let sources = try Self.read.get()
        let articles = try Repository.texts.filter { $0.hasSuffix(".md") }.map(Repository.text)
        let names = UnusedNames(code: sources, articles: articles)

        let findings = names.check(sources) { !$0.isPublic && UnusedNames.seams[$0.name] == nil }

        #expect(findings.isEmpty, "delete them with their tests, or say in `seams` why they stay:\n\(findings.report)")
    }

    @Test func `every seam for tests is declared, and named by a test`() throws {
        let declared = Set(try Self.read.get().flatMap(\.declarations).map(\.name))
        let named = try Repository.swift(under: "Tests/").reduce(into: Set<String>()) { $0.formUnion($1.words) }

        let lost = UnusedNames.seams.keys.filter { !declared.contains($0) || !named.contains($0) }

        #expect(lost.sorted() == [])
    }

    // MARK: The rules themselves

    private func findings(_ text: String) -> [Int] {
        PublicSurface(files: [SourceText(path: "Sources/MeshWire/Sample.swift", text: text)])
            .undocumented(in: "MeshWire").map(\.line)
    }

    @Test func `a public declaration without a comment is found, with all that it makes public`() {
        let text = """
            public struct A {
                public var a = 1
                var b: Int { if true { 1 } else { 2 } }
                public func c(
                    _ d: Int
                ) {
                    let e = 1
                }
            }
            public protocol P {
                var f: Int { get }
            }
            /// An enumeration.
            @frozen
            public enum E {
                case g(Int)
                private static let h = 1
            }
            """

        #expect(findings(text) == [1, 2, 4, 10, 11, 16])
    }

    @Test(arguments: [
        "/// A.\n@inlinable\npublic func a() {}", "struct A { public let description = 1 }", "func a() {}",
        "/// A.\npublic struct A {\n    public static let b = A(1)\n    public static func == (a: A, b: A) -> Bool { true }\n}",
        "/// A.\npublic struct A {\n    /// B.\n    public var b: Int\n    public init(b: @escaping (Int) -> Int) {}\n}",
        "/// P.\npublic protocol P {\n    /// A.\n    func a()\n}\nextension A: P {\n    public func a() {}\n}",
        "/// E.\npublic enum E {\n    case a, b\n}", "/// A.\npublic private(set) var a = 1", "package var a = 1",
        "/// `public` in a text.\nlet a = \"public\"",
    ])
    func `what explains itself is not found`(text: String) {
        #expect(findings(text) == [])
    }

    @Test func `an initialiser that takes something else than properties is found`() {
        let text = """
            /// A.
            public struct A {
                /// B.
                public var b: Int
                public init(b: (Int) -> Int, _ c: Int) {}
            }
            """

        #expect(findings(text) == [5])
    }

    @Test func `a name that stands once is found, unless an article promises it`() {
        let file = SourceText(
            path: "Sources/MeshWire/Sample.swift",
            text: """
                enum A: UInt8 {
                    case b
                    static let c = A(2)
                    static let d = 1
                }
                func e() { A.f }
                typealias G = A
                typealias H = A
                """)

        let names = UnusedNames(code: [file], articles: ["Programs may say `H`."])

        #expect(names.check([file]).map(\.line) == [4, 6, 7])
        #expect(names.check([file]) { $0.kind != .func }.map(\.line) == [4, 7])
    }
}
