import Foundation
import Testing

/// The drawing of the modules: what it leaves out, and that the architecture article has the one of this manifest.
@Suite struct ModuleDrawingTests {
    private static let article = "Sources/MeshTestbed/MeshTestbed.docc/Architecture.md"
    private static let marks = (begin: "<!-- modules: begin -->\n", end: "<!-- modules: end -->\n")

    private static let manifest = """
        let package = Package(
            targets: [
                // Layer 0: words
                module("Low"),
                // Layer 1: protocol
                .systemLibrary(name: "CThing", pkgConfig: "libthing", providers: [.apt(["libthing-dev"])]),
                module("Middle", ["Low", "CThing"]),
                // Layer 2: products, and more
                .target(name: "CBuild"),
                .systemLibrary(name: "COther", pkgConfig: "libother", providers: [.apt(["libother-dev"])]),
                .target(name: "CDoor", dependencies: ["COther"]),
                module(
                    "Side",
                    ["Low", "CBuild", "COther", "CDoor", .product(name: "NIOCore", package: "swift-nio")]),
                .executableTarget(
                    name: "top", dependencies: ["Low", "Middle", "Side"]),
                // Tests
                .target(name: "Support", dependencies: ["Low"]),
                tests("LowTests", ["Low", "Support"]),
            ]
        )
        """

    @Test func `a drawing has the layers from the top, and no arrow that follows from others`() {
        let drawing = ModuleDrawing(manifest: Self.manifest)

        #expect(
            drawing.text(isPure: { ["Low", "Middle"].contains($0) }) == """
                2 products   top    --> Middle, Side
                             Side   --> Low .. libother, NIOCore

                - - - - - - - - - - - - - - -  below: no clock, no random source, no waiting

                1 protocol   Middle --> Low .. libthing
                0 words      Low

                """)
        #expect(drawing.strays.isEmpty)
    }

    @Test func `a table has the modules from the bottom that have a page`() {
        let table = ModuleDrawing(manifest: Self.manifest).table { $0 == "top" ? nil : "What \($0) is." }

        #expect(
            table == """
                | module | what it is for |
                |---|---|
                | [Low](../../Low/Low.docc/Low.md) | What Low is. |
                | [Middle](../../Middle/Middle.docc/Middle.md) | What Middle is. |
                | [Side](../../Side/Side.docc/Side.md) | What Side is. |

                """)
    }

    @Test func `a module above all layers is a stray`() {
        let text = Self.manifest.replacing("// Layer 0: words", with: "// Words")

        #expect(ModuleDrawing(manifest: text).strays == ["Low"])
    }

    @Test func `the manifest puts each module into its layer`() throws {
        let drawing = ModuleDrawing(manifest: try Repository.text("Package.swift"))
        #expect(drawing.layers.map(\.number) == Array(0...7))

        let wrong = drawing.layers.flatMap { layer in
            layer.modules.filter { Layers.row(of: $0.name)?.number != layer.number }.map(\.name)
        }

        #expect(wrong.isEmpty, "in another layer of Layers.swift: \(wrong)")
        #expect(drawing.strays.isEmpty)
    }

    /// The first paragraph of a module's page, in one line.
    private func abstract(of module: String) -> String? {
        guard let page = try? Repository.lines("Sources/\(module)/\(module).docc/\(module).md") else { return nil }
        let words = page.dropFirst(2).prefix { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// With `MESHBED_REWRITE_ARTICLES=1` in the environment the drawing is stored anew first.
    @Test func `the architecture article has the drawing of this manifest`() throws {
        let drawing = ModuleDrawing(manifest: try Repository.text("Package.swift"))
        let printed =
            "```\n" + drawing.text { Layers.row(of: $0)?.isPure ?? false } + "```\n\n"
            + drawing.table(abstract: abstract)
        var text = try Repository.text(Self.article)
        let begin = try #require(text.firstRange(of: Self.marks.begin))
        let end = try #require(text.firstRange(of: Self.marks.end))
        try #require(begin.upperBound <= end.lowerBound)
        let stored = String(text[begin.upperBound..<end.lowerBound])

        guard ProcessInfo.processInfo.environment["MESHBED_REWRITE_ARTICLES"] == "1" else {
            #expect(stored == printed, "MESHBED_REWRITE_ARTICLES=1 in the environment stores the drawing anew")
            return
        }
        text.replaceSubrange(begin.upperBound..<end.lowerBound, with: printed)
        try text.write(to: Repository.root.appending(path: Self.article), atomically: true, encoding: .utf8)
        #expect(try Repository.text(Self.article).contains(printed))
    }
}
