import ArgumentParser
import MeshEmulator
import MeshSimulator
import MeshTime

/// The options of a world with clients: its time, people, faults and output.
struct LiveOptions: ParsableArguments {
    /// The ways in which time passes, as the command names them.
    enum Time: String {
        case clock, stepped, lockstep
    }

    @Option(
        help: ArgumentHelp(
            "How time passes: with the clock, as far as --control lets it, or in lockstep with clients. Default: clock.",
            valueName: "clock|stepped|lockstep"),
        transform: { try Self.time($0) })
    var time = Time.clock

    @Option(
        help: ArgumentHelp(
            "How long a client must have been quiet before stepped time or lockstep goes on; 50ms when not given.",
            valueName: "time"),
        transform: { ["0", "0s", "0ms"].contains($0) ? .zero : try parseSpan($0) })
    var quiet: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Clients that must be connected for time to pass in lockstep; with 0 it passes without any. Default: 1.",
            valueName: "number"))
    var clients: Int?

    @Option(
        help: ArgumentHelp(
            "How clients reach companion radios: as they connect, or as over Bluetooth with boards of a chip family, "
                + "on the world's time. Default: direct.",
            valueName: "direct|ble-esp32|ble-nrf52"),
        transform: { try Self.link($0) })
    var link = LoopbackLink.direct

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End after so much time of the world.", valueName: "time"),
        transform: { try parseSpan($0) })
    var span: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "What people without an endpoint do, as in 'mesh run'. Default: what the world file says, else nothing.",
            valueName: "kinds"),
        transform: { try parseTraffic($0) })
    var traffic: Traffic?

    @Option(
        help: ArgumentHelp(
            "Draw so many faults from the seed, in the first ten minutes or in the time of --for.",
            valueName: "number"))
    var faults = 0

    @Flag(name: .customLong("no-adverts"), help: "Repeaters, rooms and sensors send no adverts of their own accord.")
    var noAdverts = false

    @Option(help: ArgumentHelp("Write all events to this file, a JSON object a line.", valueName: "file"))
    var trace: String?

    @Flag(help: "Print one line of JSON when everything listens; all else goes to standard error.")
    var readyJson = false

    @Flag(help: "End when standard input closes, as on an interrupt.")
    var untilStdinCloses = false

    /// The span that faults are drawn for where no length is given; `mesh run` uses the same.
    static let usualSpan = TimeSpan.seconds(600)

    func validate() throws {
        guard (0...10_000).contains(faults) else { throw ValidationError("--faults takes 0 to 10000") }
        if trace?.isEmpty == true { throw ValidationError("--trace needs the path of a file") }
        if let clients, clients < 0 { throw ValidationError("--clients takes 0 or more") }
        if time == .clock, quiet != nil {
            throw ValidationError("--quiet is for --time stepped and --time lockstep")
        }
        if time != .lockstep, clients != nil { throw ValidationError("--clients is for --time lockstep") }
    }

    private static func link(_ name: String) throws -> LoopbackLink {
        guard let link = LoopbackLink(rawValue: name) else {
            throw ValidationError("there is no link '\(name)', there are \(LoopbackLink.names)")
        }
        return link
    }

    private static func time(_ name: String) throws -> Time {
        if let time = Time(rawValue: name) { return time }
        throw ValidationError("there is no time '\(name)', there are clock, stepped and lockstep")
    }

    /// The first of these options that was given, for commands that do without them.
    var given: String? {
        let options: [(String, Bool)] = [
            ("--time", time != .clock), ("--link", link != .direct), ("--for", span != nil),
            ("--traffic", traffic != nil), ("--faults", faults != 0), ("--no-adverts", noAdverts),
            ("--trace", trace != nil),
            ("--ready-json", readyJson), ("--until-stdin-closes", untilStdinCloses),
        ]
        return options.first { $0.1 }?.0
    }

    func pace(speed: Double) -> Pace {
        switch time {
        case .clock: .clock(speed: speed)
        case .stepped: .stepped
        case .lockstep: .lockstep
        }
    }

    var waiting: ClientGate.Rules {
        var rules = ClientGate.Rules()
        if let quiet { rules.quiet = quiet }
        if let clients { rules.clients = clients }
        return rules
    }
}
