import Foundation
import Testing

/// The packages below `Tests/Packages` list what they link; `Tests/Packages/links.py` builds them and asks the linker.
@Suite struct ExamplePackageTests {
    private static let folder = "Tests/Packages/Resources/"

    private let manifest: Manifest

    init() throws {
        manifest = Manifest(text: try Repository.text("Package.swift"))
    }

    /// The modules of this package with code of their own that a program on these products carries.
    private func linked(_ products: [String]) -> [String] {
        let compiled = manifest.targets.filter { $0.library == nil }.map(\.name)
        return manifest.closure(ofProducts: products).intersection(compiled).sorted()
    }

    @Test(arguments: [("session", ["MeshCore", "MeshTransports"]), ("pages", ["MeshCore", "PocketMeshUI"])])
    func `an example package names its products, and lists what they link`(_ name: String, _ products: [String]) throws
    {
        let package = try Repository.text("\(Self.folder)\(name)/Package.swift")
        let list = try Repository.text("\(Self.folder)\(name)/links.txt")

        let named = package.matches(of: /\.product\(name: "(\w+)"/).map { String($0.output.1) }

        #expect(named == products)
        #expect(list.split(separator: "\n").map(String.init) == linked(products))
    }

    @Test func `each example package has a case of this suite`() throws {
        let root = Repository.root.appending(path: Self.folder).path

        #expect(try FileManager.default.contentsOfDirectory(atPath: root).sorted() == ["pages", "session"])
    }
}
