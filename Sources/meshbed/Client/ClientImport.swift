import ArgumentParser
import MeshCore
import MeshFiles
import PocketMeshServices

/// `meshbed client import`.
struct ClientImport: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import contacts, channels and settings of an app's export, or cards.",
        discussion: """
            The content decides the form: the JSON that the MeshCore app and MeshCore One export, the contacts or channels \
            of meshcore-cli as JSON, and lists of links and cards (meshcore://…), a line each. The article FilesOfTheField \
            has the members.

            All changes are decided before the first is made; --dry-run prints them and makes none. Contacts and channels \
            that the radio has stay, and names and types of contacts follow the file. A file with an entry that cannot be \
            used, such as a forged card, is refused with the name of the entry, and so is one with more than the radio has \
            room for; nothing is imported then. --skip-bad leaves such entries out.

            Paths are taken over only from an export of the same radio. A private key is never taken over or printed.

            Examples:
              meshbed client import meshcore_config.json --dry-run
              meshbed client import meshcore_config.json --only contacts --only channels
              meshbed client import cards.txt --skip-bad --json

            Exit status: 0 when it was done; 1 when the radio refused a change, those before it being made; 2 when a \
            file was refused.
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: ArgumentHelp("Exports, or lists of cards; '-' is standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Print what would change, and change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp("Import contacts, channels or settings alone; can be repeated.", valueName: "part"))
    var only: [ImportPlan.Part] = []

    @Flag(help: "Leave out entries that cannot be used, and import the others.")
    var skipBad = false

    func validate() throws {
        guard files.count(where: { $0 == "-" }) < 2 else { throw ValidationError("standard input can be read once") }
    }

    func run() async throws {
        // A bad file is told before a radio is looked for.
        if !files.contains("-") {
            do { _ = try export() } catch { throw Console.failed("client", error) }
        }
        guard try await connectAndPerform() else { throw ExitCode(1) }
    }

    /// Reads all files. Throws for one in no known form.
    func export() throws -> AppExport {
        var export = AppExport()
        for file in files {
            try export.read(try FileSystem.readInput(file, atMost: AppExport.longest), file: file == "-" ? "" : file)
        }
        if !skipBad, let refusal = export.refusals.first { throw Self.refused(refusal) }
        return export
    }

    private static func refused(_ problem: FileProblem) -> FileProblem {
        var problem = problem
        problem.reason += "; nothing is imported"
        return problem
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let export = try export()
        guard connection.shortfall == nil else {
            Console.note("meshbed client: nothing is imported, as not all is known that the radio has")
            return false
        }
        let services = connection.services
        let radio = ImportPlan.Radio(
            device: connection.device,
            contacts: try await services.contactService.getContacts(deviceID: connection.device.id),
            channels: try await services.channelService.getChannels(deviceID: connection.device.id))
        let plan: ImportPlan
        do throws(FileProblem) {
            let parts = only.isEmpty ? ImportPlan.Part.allCases : only
            plan = try ImportPlan(export, into: radio, parts: Set(parts), skipsRefusals: skipBad)
        } catch {
            throw Self.refused(error)
        }
        var made = 0
        if !dryRun {
            for change in plan.changes {
                do { try await services.apply(change.step, to: connection.device) } catch {
                    Console.note("meshbed client: \(change.kind) \(change.name): \(error)")
                    break
                }
                made += 1
            }
        }
        show(plan, made: made)
        return dryRun || made == plan.changes.count
    }

    private func show(_ plan: ImportPlan, made: Int) {
        if options.json { return Console.text((try? json(ImportRow(plan, isDry: dryRun, made: made))) ?? "{}") }
        let rows = plan.changes.map { [$0.kind, $0.name, $0.from.isEmpty ? "new" : $0.from, $0.to] }
        for line in TextTable.lines(["What", "Name", "Now", "Then"], rows, indent: "") { Console.out(line) }
        Console.out(dryRun ? "\(rows.count) changes would be made" : "\(made) of \(rows.count) changes made")
        if plan.unchanged > 0 { Console.out("\(plan.unchanged) are as they should be") }
        for row in plan.leftOut.rows { Console.note("left out: \(row)") }
    }
}

extension ImportPlan.Part: ExpressibleByArgument {}

extension ServiceContainer {
    /// Makes one change of an import.
    fileprivate func apply(_ step: ImportPlan.Change.Step, to device: DeviceDTO) async throws {
        switch step {
        case .contact(let contact): try await contactService.addOrUpdateContact(contact)
        case .card(let packet):
            try await contactService.importContact(uri: "\(ContactCard(packet: packet))", deviceID: device.id)
        case .renamed(let link): try await contactService.importContact(uri: "\(link)", deviceID: device.id)
        case .channel(let channel):
            let link = ChannelLink(name: channel.name, secret: channel.secret, regionScope: channel.region)
            try await channelService.importChannel(uri: "\(link)", deviceID: device.id)
        case .name(let name): try await settingsService.setNodeNameVerified(name)
        case .place(let place): try await settingsService.setLocationVerified(place)
        case .manualAdd(let isManual): try await settingsService.setOtherParamsVerified(.init(manualAdd: isManual))
        case .sharesLocation(let shares):
            try await settingsService.setOtherParamsVerified(.init(sharesLocation: shares))
        case .telemetry(let base, let location, let environment):
            try await settingsService.setOtherParamsVerified(
                .init(telemetryBase: base, telemetryLocation: location, telemetryEnvironment: environment))
        case .multiAcks(let count): try await settingsService.setOtherParamsVerified(.init(multiAcks: count))
        case .txPower(let power): try await settingsService.setTxPowerVerified(power)
        case .radio(let parameters): try await settingsService.setRadioParamsVerified(parameters)
        }
    }
}

/// An import for programs.
struct ImportRow: Encodable {
    struct Change: Encodable {
        let kind: String
        let name: String
        let from: String?
        let to: String
    }

    let dryRun: Bool
    let changes: [Change]
    /// The number of changes that were made, from the first on.
    let made: Int
    let unchanged: Int
    let leftOut: [LeftOutRow]

    init(_ plan: ImportPlan, isDry: Bool, made: Int) {
        dryRun = isDry
        self.made = made
        unchanged = plan.unchanged
        changes = plan.changes.map {
            Change(kind: $0.kind, name: $0.name, from: $0.from.isEmpty ? nil : $0.from, to: $0.to)
        }
        leftOut = plan.leftOut.rows.map(LeftOutRow.init)
    }
}
