import ArgumentParser
import MeshReports
import MeshScenarios
import MeshTestbed
import Scenarios

/// The command of this package.
@main
struct Meshbed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meshbed",
        abstract: "Emulated MeshCore radios, and a test bench for radios and clients.",
        discussion: """
            Examples:
              meshbed emulate --world pair --endpoint alice=tcp://127.0.0.1:5000 \\
                --endpoint bob=pty:./bob.tty
              meshbed comply --target emulator
              meshbed decode frame 0BF2440D0024F400000805
              meshbed mesh run grid:10x10
              meshbed study run receive-delay.json --html receive-delay.html
              meshbed compare-firmware 1.16 1.17.1
              meshbed scenario run flood-fallback --seed 7
              meshbed client --target tcp://127.0.0.1:5000 contacts
              meshbed app --target tcp://127.0.0.1:5000 --db radio.sqlite
              meshbed record tcp --to tcp://radio:5000 --output session.capture
              meshbed capture show session.capture

            Exit status: 0 when all went well; 1 when a check failed or bytes are malformed; 2 when the command could \
            not run or had wrong arguments.
            """,
        version: MeshbedVersion.built.description,
        subcommands: [
            Emulate.self, Studio.self, Record.self, Replay.self, CaptureCommand.self, Comply.self, Decode.self,
            CompareFirmware.self, Vectors.self, LabCommand.self, Mesh.self, WorldCommand.self,
            StudyCommand<Shipped>.self, BenchCommand.self, Client.self, AppCommand.self, Ble.self,
            ScenarioCommand<Shipped>.self, New.self,
        ])

    static func main() async { await runProgram() }

    /// The exit status that an error ends in.
    static func status(of error: any Error) -> ExitCode { exitStatus(of: error) }
}

/// The scenarios that come with the harness.
struct Shipped: ScenarioProgram {
    static let library = ScenarioLibrary.shipped
    static let program = ProgramName.meshbed
}
