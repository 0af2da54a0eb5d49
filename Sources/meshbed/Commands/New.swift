import ArgumentParser
import FoundationEssentials
import MeshTestbed

/// `meshbed new`: creates the files that a user begins with.
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a package of your own.", subcommands: [Scenarios.self])
}

extension New {
    /// `meshbed new scenarios DIR`.
    struct Scenarios: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a Swift package with scenarios of your own, their command, and their tests.",
            discussion: """
                The package builds and runs as it is made:

                  meshbed new scenarios my-stories
                  cd my-stories
                  swift run my-stories run
                  swift test

                Exit status: 0 when it is made, 2 when it could not be: nothing that is there is overwritten.
                """)

        @Argument(help: "The folder to make; it must be new or empty. Its name becomes the package's.")
        var folder: String

        @Option(
            help: ArgumentHelp(
                "Where the package finds Meshbed: a checkout, or the address of a repository. Without it the checkout "
                    + "that this program was built in.", valueName: "path|url"))
        var package: String?

        func run() throws {
            let url = URL(fileURLWithPath: folder).standardizedFileURL
            let name = url.lastPathComponent
            guard ScenarioPackage.isName(name) else {
                throw Console.failed(
                    "new", "'\(name)' is no name for a package: a letter, then letters, digits and dashes")
            }
            let output = OutputFolder(folder, by: "new")
            try output.requireEmpty()
            guard let source = package.map(ScenarioPackage.Source.init) ?? .ofThisProgram else {
                throw Console.failed(
                    "new", "this program is not in a checkout of Meshbed; say where one is with --package")
            }
            if let problem = source.problem { throw Console.failed("new", problem) }
            try output.write(ScenarioPackage(name: name, source: source).files)
            ["\(folder) is made. Next:", "  cd \(folder)", "  swift run \(name) run"].forEach(Console.out)
        }
    }
}
