import Foundation
import Testing

/// The rules of the house, held against this repository.
@Suite struct TidyTests {
    /// The rules are named here with the words they forbid.
    private static let rulesFolder = "Tests/ModularityTests/"

    private let manifest: Manifest

    init() throws {
        manifest = Manifest(text: try Repository.text("Package.swift"))
    }

    @Test func `the manifest keeps the layers`() throws {
        #expect(manifest.targets.count >= 12, "the manifest was not understood")

        let findings = ImportRules.check(manifest)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `an app with sessions and links carries neither a simulator, a database nor Bluetooth captures`() {
        let carried = manifest.closure(ofProducts: ["MeshCore", "MeshTransports"])

        #expect(
            carried.filter { $0.hasPrefix("Mesh") }.sorted() == [
                "MeshBluetoothHost", "MeshBus", "MeshCapture", "MeshCompanion", "MeshCore", "MeshCrypto", "MeshFiles",
                "MeshPacket", "MeshTime", "MeshTransports", "MeshWire",
            ])
        // The Bluetooth of a Linux machine is D-Bus and the kernel's sockets: without them an ordinary user reaches no
        // radio.
        #expect(carried.isSuperset(of: ["CDBus", "CBus", "CBluetooth"]))
        #expect(carried.isDisjoint(with: ["CSQLite", "Logging", "ArgumentParser", "CZlib", "CPcap"]))
        // The whole would be seen to carry them.
        #expect(
            manifest.closure(ofProducts: ["MeshTestbed"]).isSuperset(of: [
                "MeshSimulator", "CSQLite", "CZlib", "BluetoothCapture", "MeshBluetoothHost",
            ]))
    }

    @Test func `a product names the modules that it re-exports`() throws {
        let exports = try Repository.sources().flatMap { file in
            file.codeLines.compactMap { line in
                line.firstMatch(of: /@_exported public import (\w+)$/).map {
                    (by: Repository.module(of: file.path), module: String($0.1))
                }
            }
        }

        #expect(exports.count >= 4)
        for (module, exported) in exports {
            let products = manifest.products.values.filter { $0.contains(module) }
            #expect(products.allSatisfy { $0.contains(exported) }, "\(module) re-exports \(exported)")
        }
    }

    @Test func `a package of scenarios carries no benchmark, and the compliance suite no database`() {
        let authors = manifest.closure(ofProducts: ["MeshTestbed"])
        let suite = manifest.closure(ofTargets: ["MeshCompliance"])

        #expect(!authors.contains("meshbed"))
        #expect(authors.isSuperset(of: ["MeshWorlds", "MeshReports", "MeshBoards", "MeshCompliance", "MeshScenarios"]))
        #expect(suite.isDisjoint(with: ["PocketMeshServices", "CSQLite", "MeshScenarios"]))
        #expect(suite.isSuperset(of: ["MeshReports", "MeshSimulator"]))
    }

    @Test func `a study carries no database and no stack of an app`() {
        let study = manifest.closure(ofTargets: ["MeshStudy"])

        #expect(study.isDisjoint(with: ["PocketMeshServices", "MeshStore", "CSQLite", "Logging"]))
        #expect(study.isSuperset(of: ["MeshCore", "MeshWorlds", "MeshStudy"]))
    }

    @Test func `an app with view models carries its stack and its database, and neither a link nor a simulator`() {
        let carried = manifest.closure(ofProducts: ["PocketMeshUI"])

        #expect(
            carried.filter { manifest.names.contains($0) && !$0.hasPrefix("C") }.sorted() == [
                "MeshCompanion", "MeshCore", "MeshCrypto", "MeshFiles", "MeshPacket", "MeshRadio", "MeshStore",
                "MeshTime",
                "MeshWire", "PocketMeshServices", "PocketMeshUI",
            ])
        #expect(carried.contains("CSQLite"))
        #expect(carried.isDisjoint(with: Self.simulator + ["MeshTransports", "NIOCore"]))
    }

    /// Everything that simulates, or runs what is simulated.
    private static let simulator = [
        "MeshFirmware", "MeshSimulator", "MeshBluetoothHost", "MeshWorlds", "MeshEmulator", "MeshCompliance",
        "MeshScenarios", "MeshControl",
    ]

    @Test func `a server of HTTP knows no world, and an app that it serves carries no simulator`() {
        let server = manifest.closure(ofTargets: ["MeshWeb"])
        let app = manifest.closure(ofTargets: ["PocketMeshWeb"])

        #expect(
            server.filter { manifest.names.contains($0) }.sorted() == ["MeshFiles", "MeshHTTP", "MeshWeb"],
            "a server knows the words of HTTP alone")
        #expect(app.isDisjoint(with: Self.simulator + ["MeshWeb", "HummingbirdCore"]))
        #expect(app.isSuperset(of: ["PocketMeshUI", "PocketMeshServices", "MeshHTTP"]))
        // The control API would be seen to carry one.
        #expect(manifest.closure(ofTargets: ["MeshControl"]).isSuperset(of: ["MeshSimulator", "MeshHTTP"]))
        #expect(manifest.names.isSuperset(of: Self.simulator), "a module of the simulator has another name")
    }

    @Test func `only the module of links opens them`() throws {
        let openers = [
            "ServerBootstrap", "ClientBootstrap", "NIOPipeBootstrap", "openpty", "getaddrinfo", "tcgetattr", "socket(",
        ]
        let found = try Repository.sources().filter { Repository.module(of: $0.path) != "MeshTransports" }.flatMap {
            file in
            openers.filter { !file.occurrences(of: $0).isEmpty }.map { "\(file.path): \($0)" }
        }

        #expect(found == [])
    }

    /// Foundation's decoder traps on some texts that are nested deep, so nothing reaches it past the limit of
    /// `JSONDepth`.
    @Test func `only one file decodes JSON`() throws {
        let found = try Repository.sources().filter { !$0.path.hasSuffix("MeshFiles/Decodable+JSON.swift") }.flatMap {
            file in
            ["JSONDecoder", "JSONSerialization"].filter { !file.occurrences(of: $0).isEmpty }.map {
                "\(file.path): \($0)"
            }
        }

        #expect(found == [])
    }

    @Test func `every folder of sources is a target of the manifest`() throws {
        let folders = Set(
            Repository.texts.filter { $0.hasPrefix("Sources/") }.compactMap {
                $0.split(separator: "/").dropFirst().first
            })

        // The package of another language lies beside ours.
        let others: Set<Substring> = ["Python"]
        let unknown = folders.subtracting(others).sorted().filter { folder in
            !manifest.targets.contains { $0.name == folder }
        }

        #expect(unknown.isEmpty, "not in Package.swift: \(unknown)")
    }

    @Test func `the imports keep the layers`() throws {
        let findings = try Repository.sources().flatMap { file in
            ImportRules.check(file, of: Repository.module(of: file.path), manifest: manifest)
        }

        #expect(findings.isEmpty, "\(findings.report)")
    }

    /// Its classes stand on ICU, whose tables are a third of a program; the essentials of it do without.
    @Test func `no file imports the whole of Foundation`() throws {
        let sources = try Repository.sources()

        let findings = sources.flatMap(ImportRules.checkFoundation)

        #expect(sources.count { $0.imports.contains { $0.module == "FoundationEssentials" } } > 100)
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `each module does without those that the diagram keeps apart from it`() {
        let findings = ImportRules.separated(manifest)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `folders that keep the law of the pure layers are there, and keep it`() throws {
        for folder in Layers.pureFolders {
            let files = try Repository.swift(under: folder.path)
            let findings = files.flatMap { ImportRules.checkPureFolder($0) + BannedCalls.check($0) }

            #expect(!files.isEmpty, "\(folder.path) has no file")
            #expect(findings.isEmpty, "\(findings.report)")
        }
    }

    @Test func `no arrow of the manifest is without an import`() throws {
        let findings = ImportRules.unused(manifest, files: try Repository.sources())

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `layers 0 to 3 have no clock, no chance of their own and no waiting`() throws {
        let pure = try Repository.sources().filter {
            Layers.row(of: Repository.module(of: $0.path))?.isPure ?? true
        }
        #expect(!pure.isEmpty)

        let findings = pure.flatMap(BannedCalls.check)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `layers 0 to 2 need no mathematics of the C library`() throws {
        let lower = try Repository.sources().filter {
            (Layers.row(of: Repository.module(of: $0.path))?.number ?? 0) <= 2
        }
        #expect(!lower.isEmpty)

        let findings = lower.flatMap(BannedCalls.checkMathematics)

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `nothing unfinished or unsafe is left over`() throws {
        let code = try (Repository.sources() + Repository.swift(under: "Tests/"))
            .filter { !$0.path.hasPrefix(Self.rulesFolder) }
            .flatMap { Leftovers.check($0) }
        let notes = try Repository.texts.filter { !$0.hasPrefix(Self.rulesFolder) }
            .flatMap { Leftovers.notes(path: $0, lines: try Repository.lines($0)) }

        let findings = code + notes

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `every test runs in the lane that its needs ask for, and none has a time limit`() throws {
        let findings = try Repository.swift(under: "Tests/").filter { !$0.path.hasPrefix(Self.rulesFolder) }
            .flatMap(TestLanes.check)
        let stale = try TestLanes.allowed.filter { allowance in
            let file = SourceText(path: allowance.path, text: try Repository.text(allowance.path))
            return file.occurrences(of: allowance.mark).isEmpty || allowance.reason.count < 20
        }
        let command = try Repository.text("ci/unit")

        #expect(findings.isEmpty, "\(findings.report)")
        #expect(stale.isEmpty)
        #expect(command.contains("--skip '(System|RealTime)Tests/'"), "the lanes of ci/unit are others")
        for name in TestLanes.alone { #expect(command.contains("--filter '\(name)/'")) }
    }

    @Test func `every allowance names a file that still needs it`() throws {
        let stale = Leftovers.allowed.filter { allowance in
            guard let text = try? Repository.text(allowance.path) else { return true }
            return SourceText(path: allowance.path, text: text).occurrences(of: allowance.mark).isEmpty
                || allowance.reason.count < 20
        }

        #expect(stale.isEmpty)
    }

    @Test func `functions, files and comments stay short`() throws {
        let files = try Repository.sources() + Repository.swift(under: "Tests/")

        let findings = files.flatMap { file in
            Lengths.functions(file) + Lengths.files(path: file.path, lines: file.lines) + Lengths.comments(file)
        }

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `modules and the shells of worlds stay small`() throws {
        let files = try Repository.sources()
        let shells = files.filter { Lengths.shells.contains($0.path) }

        let findings =
            Lengths.modules(files)
            + shells.flatMap { Lengths.files(path: $0.path, lines: $0.lines, limit: Lengths.shell) }

        #expect(shells.count == Lengths.shells.count)
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `no source file is empty of code`() throws {
        let empty = try Repository.sources().filter { file in
            // A module may exist to pass others on.
            file.codeLines.allSatisfy {
                $0.allSatisfy(\.isWhitespace) || $0.contains("import ") && !$0.contains("@_exported")
            }
        }
        .map(\.path)

        #expect(empty.isEmpty)
    }

    @Test func `no text names a path or a package host of one machine`() throws {
        let findings = try Repository.texts.filter { !$0.hasPrefix(Self.rulesFolder) }
            .flatMap { TextHygiene.check(path: $0, lines: try Repository.lines($0)) }

        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `the changelog has entries and the README begins with the two commands`() throws {
        let changelog = try Repository.lines("Sources/MeshTestbed/MeshTestbed.docc/Changelog.md")
        let readme = try Repository.text("README.md")

        #expect(changelog.contains { $0.hasPrefix("## ") } && changelog.contains { $0.hasPrefix("- ") })
        #expect(readme.contains("ci/comply") && readme.contains("ci/test"))
    }

    @Test(arguments: ["ci/setup", "ci/comply", "ci/test", "ci/run", "ci/unit", "ci/readme", "ci/digest", ".ci/run"])
    func `the commands of the repository are there and can be run`(command: String) throws {
        #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: command).path))
    }
}
