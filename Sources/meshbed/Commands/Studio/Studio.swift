import ArgumentParser
import MeshSimulator
import MeshTime
import MeshTransports

/// `meshbed studio`: shows a mesh while it runs.
struct Studio: AsyncParsableCommand {
    /// The ways in which time passes, as the command names them.
    enum Time: String {
        case stepped, clock
    }

    static let configuration = CommandConfiguration(
        abstract: "Watch a mesh in a browser: map, lanes, messages and their fates.",
        discussion: """
            The command starts a world with its people and prints the address of a page. The page shows the map with \
            packets as they fly, a lane for each node, and the fate of each message hop by hop. It lets time pass, \
            goes back, cuts links and power, and sends messages. The article "Watching a mesh" shows how.

            The world's time passes while a page lets it (--time stepped), or with the clock (--time clock). Watching \
            changes nothing: the same seed gives the same digest.

            With --export the same page is written as one file with its data, which needs no server and no network: \
            of a run of --for, or of the file that --open names. With --open the page shows a trace, a recording or \
            the JSON of a report, at an address or as a file.

            Examples:
              meshbed studio
              meshbed studio grid:5x5 --seed 7 --traffic chat:5s
              meshbed studio town --apps alice,bob
              meshbed studio city:300 --seed 7 --for 120s --export city.html
              meshbed studio --open city.ndjson
              meshbed studio --open session.capture --export session.html

            Exit status: 0 after an interrupt or SIGTERM, or when the file is written; 2 when that was not possible.
            """)

    @Argument(
        help: ArgumentHelp(
            "A shape such as grid:10x10, a world file, or a file of adverts. Default: town.", valueName: "world"))
    var world: String?

    @Option(help: "The number that the whole run follows from; a random one is printed when not given.")
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Where the page is served; with port 0 any free one is taken and printed. Default: 127.0.0.1:0.",
            valueName: "host:port"),
        transform: { try LinkAddress(web: $0.hasPrefix("http://") ? $0 : "http://" + $0) })
    var listen: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "What people do, as in 'mesh run'. Default: what the world file says, else they write to each other.",
            valueName: "kinds"),
        transform: { try parseTraffic($0) })
    var traffic: Traffic?

    @Option(help: ArgumentHelp("Draw so many faults from the seed.", valueName: "number"))
    var faults = 0

    @Option(
        help: ArgumentHelp("How time passes: as the page wants it, or with the clock.", valueName: "stepped|clock"),
        transform: { text in
            guard let time = Time(rawValue: text) else {
                throw ValidationError("'\(text)' is neither stepped nor clock")
            }
            return time
        })
    var time = Time.stepped

    @Option(
        help: ArgumentHelp(
            "Show the apps of one or two companions beside the mesh, as in alice,bob. Their people write in no other way.",
            valueName: "nodes"),
        transform: { $0.split(separator: ",").map(String.init) })
    var apps: [String] = []

    @Option(help: ArgumentHelp("Show this file: a trace, a recording, or a report in JSON.", valueName: "file"))
    var open: String?

    @Option(help: ArgumentHelp("Write the page with its data into this file; - is standard output.", valueName: "file"))
    var export: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long the run of --export is. Default: 120s.", valueName: "time"),
        transform: { try parseSpan($0) })
    var span: TimeSpan?

    @Flag(help: "Print one line of JSON when the page is served; all else goes to standard error.")
    var readyJson = false

    @Flag(help: "End when standard input closes, as on an interrupt.")
    var untilStdinCloses = false

    func validate() throws {
        guard (0...10_000).contains(faults) else { throw ValidationError("--faults takes 0 to 10000") }
        guard apps.count <= 2, Set(apps).count == apps.count else {
            throw ValidationError("--apps takes one or two different nodes")
        }
        if !apps.isEmpty, open != nil || export != nil { throw ValidationError("--apps needs a world that runs") }
        if let odd = apps.first(where: { $0.contains("/") }) {
            throw ValidationError("'\(odd)' cannot be in an address")
        }
        if open != nil, world != nil { throw ValidationError("--open shows a file, and takes no world") }
        if open?.isEmpty == true { throw ValidationError("--open needs the path of a file") }
        if export?.isEmpty == true { throw ValidationError("--export needs the path of a file") }
        if span != nil, export == nil || open != nil { throw ValidationError("--for is for --export of a world") }
        if export != nil, listen != nil { throw ValidationError("--export writes a file, and takes no --listen") }
    }

    func run() async throws {
        if let export {
            let document = try open.map(document) ?? recordedRun()
            return try write(document, to: export)
        }
        let interrupt = Interrupt()
        if untilStdinCloses { interrupt.comeAtEndOfInput() }
        if let open {
            try await serve(document(open), until: interrupt)
        } else {
            try await serveWorld(until: interrupt)
        }
    }

    var worldName: String { world ?? "town" }
}
