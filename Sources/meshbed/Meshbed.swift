import ArgumentParser

/// The command of this package.
@main
struct Meshbed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meshbed",
        abstract: "Emulated MeshCore radios, and a test bench for radios and clients.",
        version: "0.1.0",
        subcommands: [Comply.self])
}
