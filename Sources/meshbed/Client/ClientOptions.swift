import ArgumentParser
import MeshCompliance
import MeshCore
import MeshEmulator
import MeshTestbed
import PocketMeshServices

/// The radio, the database and the form of output: options of all `meshbed client` commands.
struct ClientOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("target"),
        help: ArgumentHelp(
            "The radio: \(RadioWord.forms). A serial line takes ?baud=RATE, a loopback ?seed=NUMBER&link=LINK. "
                + "(default: tcp://127.0.0.1:5000)", valueName: "url|label"),
        transform: RadioWord.read)
    var radio: RadioWord?

    @OptionGroup var bench: BenchOptions

    @Option(
        name: .customLong("db"),
        help: ArgumentHelp(
            "Keep contacts, messages and what is queued in this SQLite file; passwords in the keyring or beside it. Without "
                + "it nothing is kept.", valueName: "file"))
    var givenDB: String?

    @Option(
        name: .customLong("retries"),
        help: ArgumentHelp("How often a message is sent: \(RetryPreset.summary).", valueName: "preset"),
        transform: RetryPreset.named)
    var givenRetries: RetryPreset?

    @Option(
        name: .customLong("at-most"),
        help: ArgumentHelp(
            "Fetch at most so many messages from the radio's queue at once. (default: \(SyncPolicy().drainLimit))",
            valueName: "number"))
    var givenAtMost: Int?

    @Flag(help: "Print JSON: one object, or one a line where several come.")
    var json = false

    /// The address of the radio that was named by one.
    var givenTarget: RadioAddress? { radio?.address }

    /// The longest wait, a year, in seconds.
    private static let longestWait = 31_536_000

    /// Throws for a number of seconds to wait that an option does not accept.
    static func check(_ option: String, _ seconds: Int, least: Int = 0) throws {
        guard least...longestWait ~= seconds else {
            throw ValidationError("\(option) is \(least) to \(longestWait) seconds")
        }
    }

    /// The numbers that `--at-most` accepts.
    static let atMostRange = 1...1_000_000

    func validate() throws {
        try radio?.check(bench)
        if givenDB?.isEmpty == true { throw ValidationError("--db needs the path of a file") }
        if let givenAtMost, !Self.atMostRange.contains(givenAtMost) {
            throw ValidationError("--at-most is \(Self.atMostRange.lowerBound) to \(Self.atMostRange.upperBound)")
        }
    }

    /// Reads the options, and claims the radio that they name; the claim lasts as long as its value.
    func claimed() throws -> (setup: ClientSetup, claim: BoardClaim?) {
        var setup = try ClientSetup(self)
        let word = radio.flatMap { $0.address == nil ? $0 : nil } ?? .address(setup.target)
        guard let found = try word.claim(bench, for: "meshbed client") else { return (setup, nil) }
        setup.target = .link(found.address)
        return (setup, found.claim)
    }
}

extension RetryPreset {
    /// The preset of a name on the command line. Throws when there is none.
    static func named(_ name: String) throws -> RetryPreset {
        guard let preset = RetryPreset(rawValue: name) else { throw ValidationError(unknown(name)) }
        return preset
    }

    /// The attempts where a path is known, in the profile's own numbers.
    var meaning: String {
        let policy = profile.messages.retry
        return "\(policy.maxAttempts) attempts, by flood after \(policy.floodAfter)"
    }

    static let summary = allCases.map { "\($0.rawValue) (\($0.meaning))" }.joined(separator: ", ")

    static func unknown(_ name: String) -> String {
        "there is no preset '\(name)', there are \(allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
