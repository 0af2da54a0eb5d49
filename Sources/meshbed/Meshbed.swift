import ArgumentParser

/// The command of this package.
@main
struct Meshbed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meshbed",
        abstract: "Emulated MeshCore radios, and a test bench for radios and clients.",
        discussion: """
            Examples:
              meshbed emulate --world pair --endpoint alice=tcp://127.0.0.1:5000 --endpoint bob=pty:./bob.tty
              meshbed comply --target emulator
              meshbed decode frame 0BF2440D0024F400000805
              meshbed mesh run grid:10x10

            Exit status: 0 when all went well, 1 when a check failed or bytes are malformed, 2 when the command could \
            not run, 64 when it was not understood.
            """,
        version: "0.1.0",
        subcommands: [Emulate.self, Comply.self, Decode.self, Mesh.self, Bench.self])
}
