import ArgumentParser
import MeshTransports
import PocketMeshServices

/// Which radio, which database, and how to say what was found: options of all `meshbed client` commands.
struct ClientOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The radio: tcp://HOST:PORT, serial:PATH[?baud=RATE] or loopback:WORLD/NODE[?seed=NUMBER].",
            valueName: "url"),
        transform: Self.url)
    var target = TransportURL.tcp(host: "127.0.0.1", port: 5000)

    @Option(
        help: ArgumentHelp(
            "Keep contacts, messages and what is queued in this SQLite file; passwords in the keyring or beside it. Without "
                + "it nothing is kept.", valueName: "file"))
    var db: String?

    @Option(
        help: ArgumentHelp(
            "How often a message is sent and when it floods: \(StackProfile.presets.map(\.name).joined(separator: ", ")).",
            valueName: "preset"),
        transform: Self.preset)
    var profile = StackProfile.architectureV2

    @Flag(help: "Print JSON: one object, or one a line where several come.")
    var json = false

    /// A year, in seconds.
    static let longestWait = 31_536_000

    func validate() throws {
        if db?.isEmpty == true { throw ValidationError("--db needs the path of a file") }
    }

    private static func url(_ text: String) throws -> TransportURL {
        do { return try TransportURL(text) } catch { throw ValidationError("\(error)") }
    }

    private static func preset(_ name: String) throws -> StackProfile {
        guard let preset = StackProfile.presets.first(where: { $0.name == name }) else {
            let names = StackProfile.presets.map(\.name).joined(separator: ", ")
            throw ValidationError("there is no preset '\(name)', there are \(names)")
        }
        return preset.profile
    }
}
