import ArgumentParser
import FoundationEssentials
import Logging
import MeshCompliance
import MeshDesktop
import MeshEmulator
import MeshFiles
import MeshReports
import MeshTestbed
import MeshTransports
import MeshWeb
import PocketMeshServices
import PocketMeshUI

/// `meshbed app`: the app in a browser.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Use a radio with an app in a browser: chats, contacts, channels, rooms, repeaters, map, settings.",
        discussion: """
            Starts an app that serves its own pages on this machine, and prints the address to open. The end of the \
            address, behind #token=, is a key: without it nothing is read and nothing is sent. Pages come from this \
            program alone; they ask no other host for anything, unless --tiles names one.

            The app goes on while no page is open: messages come in, queued ones go out, and a lost link comes back. \
            It ends with the command. With --db the next start has the same messages, and connects to the same radio \
            by itself. Without --target and without a radio that is known, the first page asks for one.

            Examples:
              meshbed app --target tcp://127.0.0.1:5000 --db alice.sqlite
              meshbed app --db alice.sqlite
              meshbed app --target loopback:pair/alice
              meshbed app --target serial:/dev/ttyUSB0 --listen http://127.0.0.1:8080
              meshbed app --target ble:MeshCore-1234 --db phone.sqlite
              meshbed app --db phone.sqlite --print-service \\
                >~/.config/systemd/user/meshbed-app.service
              meshbed app --db alice.sqlite \\
                --tiles 'https://tile.example.org/{z}/{x}/{y}.png'

            A mesh to talk with, in another terminal:
              meshbed emulate --world pair --endpoint alice=tcp://127.0.0.1:5000

            With --listen on an address that others reach, they need the whole address with its key; nothing is \
            encrypted on the way. With --ready-json the first line on standard output says where the page is, for a \
            program: {"address": …, "app": …, "token": …, "url": …}. All other lines go to standard error.

            Exit status: 0 after an interrupt, SIGTERM or the end of standard input (--until-stdin-closes); 2 when \
            it could not start: a port in use, a database that cannot be opened, wrong arguments. A radio out of \
            reach is no reason to end: the page says so.
            """)

    @Option(
        help: ArgumentHelp(
            "The radio: \(RadioWord.forms). Without it the one that was connected last.", valueName: "url|label"),
        transform: RadioWord.read)
    var target: RadioWord?

    @OptionGroup var bench: BenchOptions

    @Option(
        help: ArgumentHelp(
            "Keep contacts, messages and what is queued in this SQLite file; passwords in the keyring or beside it. Without "
                + "it nothing is kept.", valueName: "file"))
    var db: String?

    @Option(
        help: ArgumentHelp(
            "Where pages are served; port 0 takes any free one. (default: http://127.0.0.1:0)",
            valueName: "http://host:port"),
        transform: { text in
            do throws(LinkError) {
                return try LinkAddress(web: text.contains("://") ? text : "http://\(text)")
            } catch { throw ValidationError("\(error)") }
        })
    var listen: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "Draw the map on pictures of this server, which then sees what is looked at. {z}, {x} and {y} stand for a tile.",
            valueName: "url"))
    var tiles: String?

    @Option(
        help: ArgumentHelp(
            "How often a message is sent: \(RetryPreset.summary). Without it the settings of the app decide.",
            valueName: "preset"),
        transform: RetryPreset.named)
    var retries: RetryPreset?

    @Flag(help: "Show messages on the desktop too, through its notification service.")
    var notify = false

    @Flag(help: "Print one line of JSON when the pages are served; all else goes to standard error.")
    var readyJson = false

    @Flag(help: "End when standard input closes, as on an interrupt.")
    var untilStdinCloses = false

    @Flag(help: "Print a user service of systemd that starts the app with these options, instead of starting it.")
    var printService = false

    func validate() throws {
        try target?.check(bench)
        if db?.isEmpty == true { throw ValidationError("--db needs the path of a file") }
        if printService, db == nil { throw ValidationError("--print-service needs --db: a service keeps its messages") }
        if printService, untilStdinCloses {
            throw ValidationError("--print-service takes no --until-stdin-closes: a service has no standard input")
        }
        if let tiles, AppTiles(tiles) == nil {
            throw ValidationError("--tiles takes http:// or https://, a host, and {z}, {x} and {y} in the path")
        }
    }

    func run() async throws {
        if printService {
            let service = AppService(
                program: ProgramName.runningFile ?? CommandLine.arguments[0],
                arguments: Array(CommandLine.arguments.dropFirst()),
                folder: FileManager.default.currentDirectoryPath)
            return Console.out(service.text)
        }
        let interrupt = Interrupt()
        let (app, server): (OpenApp, OpenControl)
        let claim: (address: LinkAddress, claim: BoardClaim)?
        do {
            claim = try target?.claim(bench, for: "meshbed app")
            (app, server) = try await open(claim.map { .link($0.address) } ?? target?.address)
        } catch {
            throw Console.failed("app", error)
        }
        let url = "\(server.address)/#token=\(server.token ?? "")"
        if readyJson {
            Console.out(ReadyApp(address: server.address, token: server.token ?? "", url: url).text)
        } else {
            Console.out("The app is at \(url)")
        }
        await app.begin()
        Console.note("Running until interrupted (Ctrl-C).")
        if untilStdinCloses { interrupt.comeAtEndOfInput() }
        await interrupt.wait()
        await app.end()
        await server.server.stop()
        claim?.claim.release()
    }

    /// Opens the database, and serves.
    private func open(_ target: RadioAddress?) async throws -> (OpenApp, OpenControl) {
        let app = try await OpenApp(
            target: target, database: db, retries: retries, tiles: tiles.flatMap(AppTiles.init),
            desktop: notify ? DesktopNotificationSink() : nil)
        do {
            let limits = await OpenApp.limits
            return (app, try await OpenControl(listen, service: app.service, needsToken: true, limits: limits))
        } catch {
            await app.end()
            throw error
        }
    }
}

/// The object that `meshbed app --ready-json` prints in one line.
private struct ReadyApp: Encodable {
    let app = MeshbedVersion.built.description
    let address: String
    let token: String
    /// The address that a browser opens.
    let url: String

    /// With sorted keys.
    var text: String { (try? jsonText(inOneLine: true)) ?? "{}" }
}

/// The server of pictures for a map.
struct AppTiles: Hashable, Sendable {
    /// The template of a picture's address, with `{z}`, `{x}` and `{y}`.
    let url: String
    /// The origin that pages may request pictures from.
    let origin: String

    /// Returns `nil` for a text that is no such address: it must not be able to end the policy that it stands in.
    init?(_ text: String) {
        guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains),
            let found = text.firstMatch(of: /^(https?:\/\/[A-Za-z0-9.\-]+(?::[0-9]{1,5})?)\/[!-~]+$/)
        else { return nil }
        url = text
        origin = String(found.1)
    }
}
