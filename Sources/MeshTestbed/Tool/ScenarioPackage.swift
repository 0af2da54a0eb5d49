import FoundationEssentials
import MeshReports

/// The files of a package of scenarios.
package struct ScenarioPackage {
    /// The package of Meshbed that the new package depends on.
    package struct Source: Equatable {
        /// The argument list of `.package(…)`.
        let dependency: String
        /// The identity of the package in SwiftPM.
        let identity: String
        /// The versions that Meshbed was tested with, as a start for the new package.
        var pins: String?
        /// The reason why the package would not be found.
        package var problem: String?

        package init(_ place: String) {
            if place.contains("://") || place.hasPrefix("git@") {
                let last = place.split(separator: "/").last.map(String.init) ?? place
                identity = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
                dependency = "url: \"\(place)\", branch: \"main\""
            } else {
                let url = URL(fileURLWithPath: place).standardizedFileURL
                identity = url.lastPathComponent
                dependency = "path: \"\(url.path)\""
                if !FileManager.default.fileExists(atPath: url.appending(path: "Package.swift").path) {
                    problem = "there is no checkout of Meshbed at \(url.path): it has no Package.swift"
                }
                pins = try? String(contentsOf: url.appending(path: "Package.resolved"), encoding: .utf8)
            }
        }

        /// The checkout above the running program; `nil` when it was installed elsewhere.
        package static var ofThisProgram: Source? {
            guard let program = ProgramName.runningFile else { return nil }
            var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
            while folder.path != "/" {
                let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
                if manifest?.contains("name: \"meshbed\"") == true { return Source(folder.path) }
                folder.deleteLastPathComponent()
            }
            return nil
        }
    }

    let name: String
    let source: Source

    package init(name: String, source: Source) { (self.name, self.source) = (name, source) }

    package static func isName(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// The module of the stories: `my-stories` has `MyStories`. One that exists already gets another word.
    var module: String {
        let module = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return module == name || Self.taken.contains(module) || module.hasPrefix("Mesh") ? module + "Stories" : module
    }

    /// Modules that a package of scenarios sees, beside those that begin with Mesh.
    private static let taken: Set = [
        "Scenarios", "PocketMeshServices", "Testing", "Swift", "Foundation",
    ]

    /// Each file by its path.
    package var files: [(path: String, text: String)] {
        var files = [
            ("Package.swift", manifest), ("Sources/\(module)/Stories.swift", stories),
            ("Sources/\(module)/Desk.swift", desk), ("Sources/\(module)/Studies.swift", studies),
            ("Sources/\(name)/Program.swift", program), ("Tests/\(module)Tests/StoryTests.swift", tests),
            (".gitignore", ".build/\n"), ("README.md", readme),
        ]
        if let pins = source.pins { files.append(("Package.resolved", pins)) }
        return files
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            dependencies: [.package(\(source.dependency), traits: [])],
            targets: [
                .target(name: "\(module)", dependencies: [.product(name: "MeshTestbed", package: "\(source.identity)")]),
                .executableTarget(name: "\(name)", dependencies: ["\(module)"]),
                .testTarget(name: "\(module)Tests", dependencies: ["\(module)"]),
            ]
        )

        """
    }

    private var stories: String {
        """
        import MeshTestbed

        /// The stories of this package.
        public let library = ScenarioLibrary([overTheHill])

        private let alice = Person.stack("alice")
        private let bob = Person.client("bob")
        private let hill = Repeater("hill")

        let overTheHill = Scenario(
            "over-the-hill", .flood,
            "Alice does not know the way to Bob, who lives behind the hill. Her text floods, and his confirmation brings the way."
        ) {
            chain(alice, hill, bob)
            acquainted(alice, bob)

            alice.sends("are you there?", to: bob)
            bob.has("are you there?").within(.seconds(20))
            alice.sees("are you there?", as: .delivered).within(.seconds(20))
            alice.knowsWay(to: bob, hops: 1).within(.seconds(20))
        }

        """
    }

    private var desk: String {
        """
        import MeshTestbed

        /// The radios of this desk, by the labels that `--target` and `--peer` accept.
        public let bench = Bench {
            Radio("twin", .emulator)
            // Radio("heltec", "serial:/dev/ttyUSB0", near: ["shelf"], allowing: .restart)
            // Radio("shelf", "tcp://192.0.2.7:5000")
        }

        """
    }

    private var studies: String {
        """
        import MeshTestbed

        /// The studies of this package.
        public let studies = [relayDelay]

        /// A metric of this package's own.
        private let slowest = StudyMetric("slowest", "longest time from the app's command to a delivery, in s", most: 60) { run in
            let longest = run.deliveries.filter { $0.delivered > 0 }.map(\\.latencyMilliseconds.longest).max()
            return longest.map { Double($0) / 1000 } ?? .infinity
        }

        let relayDelay = Study(
            "relay-delay", "How long should repeaters wait before they relay a flood?",
            world: "line:4", for: "60s", traffic: "flood:10s", seeds: 40,
            metrics: [.delivery.within(0.05), .airtime.within(0.2), slowest.within(1)]
        ) {
            Study.Arm("as it comes")
            for factor in [0, 2] {
                Study.Arm("factor \\(factor)", ["repeater": ["flood_delay_factor": .number(Double(factor))]])
            }
        }

        """
    }

    private var program: String {
        """
        import \(module)
        import MeshTestbed

        /// `\(name) list`, `\(name) run`, `\(name) soak`, `\(name) comply`, `\(name) study`.
        @main
        struct Program: ScenarioProgram {
            static let library = \(module).library
            static let bench = \(module).bench
            static let studies = \(module).studies
        }

        """
    }

    private var tests: String {
        """
        import \(module)
        import MeshTestbed
        import Testing

        @Test(arguments: library.scenarios.map(\\.name))
        func `a story is kept`(name: String) throws {
            var run = ScenarioRun(try #require(library[name]))
            run.program = ProgramName("swift run \(name)")
            run.explainsFailures = true

            let result = run.onVirtualTime()

            if !result.isKept { Issue.record(Comment(rawValue: result.text()), sourceLocation: result.place.location) }
        }

        extension SourcePlace {
            /// The place where a test marks a failure: the story's own line.
            var location: SourceLocation {
                SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
            }
        }

        """
    }

    private var readme: String {
        """
        # \(name)

        Stories of a mesh, and what must hold in them; see `Sources/\(module)/Stories.swift`. The radios that they play on,
        and that are held against the protocol, have their labels from `Sources/\(module)/Desk.swift`. Studies compare ways to
        set a mesh up; see `Sources/\(module)/Studies.swift`.

        ```sh
        swift run \(name) list
        swift run \(name) run
        swift run \(name) run --target emulator+tcp
        swift run \(name) run --target tcp://radio-1:5000 --target tcp://radio-2:5000
        swift run \(name) comply --target twin --only 50-60
        swift run -c release \(name) study run relay-delay --jobs 2
        swift test
        ```

        """
    }
}
