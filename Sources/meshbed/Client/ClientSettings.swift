import ArgumentParser
import MeshCompanion
import MeshWire
import PocketMeshServices

/// `meshbed client settings`.
struct ClientSettings: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change settings of the radio; every change is read back.",
        discussion: """
            Examples:
              meshbed client settings
              meshbed client settings --name alice --tx-power 14
              meshbed client settings --preset eu-narrow
              meshbed client settings --radio 869.618,62.5,8,8
              meshbed client settings --position=48.117,11.517
              meshbed client settings --pin 123456
              meshbed client settings --presets
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "The node's name, at most 31 bytes.")
    var name: String?

    @Option(help: ArgumentHelp("The power in dBm; negative values with '='.", valueName: "dbm"))
    var txPower: Int8?

    @Option(
        help: ArgumentHelp("Megahertz, kilohertz, spreading factor and coding rate.", valueName: "mhz,khz,sf,cr"),
        transform: Self.parameters)
    var radio: RadioParameters?

    @Option(help: ArgumentHelp("Radio parameters of a region.", valueName: "name"), transform: Self.preset)
    var preset: RadioPreset?

    @Option(help: ArgumentHelp("Degrees north and east.", valueName: "lat,lon"), transform: Self.position)
    var position: GeoPoint?

    @Option(
        help:
            "The Bluetooth pairing code: six digits, or 0 for the built-in or a random one. Holds from the next start on."
    )
    var pin: UInt32?

    @Flag(help: "List the presets, and end.")
    var presets = false

    func validate() throws {
        if let name, !(1..<CompanionLimits.name ~= name.utf8.count) {
            throw ValidationError("--name has 1 to \(CompanionLimits.name - 1) bytes, this one has \(name.utf8.count)")
        }
        if let pin, pin != 0, !(100_000...999_999 ~= pin) { throw ValidationError("--pin has six digits, or is 0") }
        if radio != nil, preset != nil { throw ValidationError("--radio and --preset exclude each other") }
    }

    func run() async throws {
        guard presets else {
            guard try await connectAndPerform() else { throw ExitCode(1) }
            return
        }
        if options.json { return Console.out(try json(RadioPreset.all.map(PresetRow.init))) }
        for preset in RadioPreset.all {
            Console.out("\(preset.id): \(preset.name), \(RadioRow(preset.parameters).text)")
        }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let settings = connection.services.settingsService
        if let name { try await settings.setNodeNameVerified(name) }
        if let txPower { try await settings.setTxPowerVerified(txPower) }
        if let radio = radio ?? preset?.parameters { try await settings.setRadioParamsVerified(radio) }
        if let position { try await settings.setLocationVerified(position) }
        if let pin { try await settings.setDevicePinVerified(pin) }
        let row = SettingsRow(try await settings.refresh())
        Console.text(options.json ? try json(row) : row.lines.joinedVisibleLines)
        return true
    }

    private static func numbers(_ text: String, _ count: Int, _ form: String) throws -> [Double] {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite == true }) else {
            throw ValidationError("'\(text)' is not \(form)")
        }
        return numbers.compactMap { $0 }
    }

    static func parameters(_ text: String) throws -> RadioParameters {
        let form = "MHZ,KHZ,SF,CR, as in 869.618,62.5,8,8"
        let numbers = try numbers(text, 4, form)
        guard let factor = UInt8(exactly: numbers[2]), let rate = UInt8(exactly: numbers[3]) else {
            throw ValidationError("'\(text)' is not \(form)")
        }
        return RadioParameters(
            megahertz: numbers[0], kilohertz: numbers[1], spreadingFactor: factor, codingRate: rate)
    }

    static func preset(_ name: String) throws -> RadioPreset {
        guard let preset = RadioPreset.all.first(where: { $0.id == name }) else {
            throw ValidationError(
                "there is no preset '\(name)', there are \(RadioPreset.all.map(\.id).joined(separator: ", "))")
        }
        return preset
    }

    static func position(_ text: String) throws -> GeoPoint {
        let numbers = try numbers(text, 2, "LAT,LON, as in 48.117,11.517")
        return GeoPoint(latitude: numbers[0], longitude: numbers[1])
    }
}

/// Radio parameters of a region.
struct PresetRow: Encodable {
    /// The word that `--preset` accepts.
    let preset: String
    let region: String
    let radio: RadioRow

    init(_ preset: RadioPreset) {
        self.preset = preset.id
        region = preset.name
        radio = RadioRow(preset.parameters)
    }
}

extension GeoPoint {
    /// The place of a row, whose numbers are missing where none is set.
    static func text(_ latitude: Double?, _ longitude: Double?) -> String {
        guard let latitude, let longitude else { return "not set" }
        return GeoPoint(latitude: latitude, longitude: longitude).text
    }
}

/// The settings of a radio.
struct SettingsRow: Encodable {
    let name: String
    let radio: RadioRow
    let txPower: Int8
    /// The latitude in degrees; `nil` where no position is set.
    let latitude: Double?
    let longitude: Double?
    let manualAddContacts: Bool
    let multiAcks: UInt8
    let telemetryBase: UInt8
    let telemetryLocation: UInt8
    let telemetryEnvironment: UInt8
    let advertLocationPolicy: UInt8
    let pathHashMode: UInt8

    init(_ device: DeviceDTO) {
        name = device.nodeName
        radio = RadioRow(device.radioParameters)
        txPower = device.txPower
        latitude = device.position?.latitude
        longitude = device.position?.longitude
        manualAddContacts = device.manualAddContacts
        multiAcks = device.multiAcks
        telemetryBase = device.telemetryModeBase
        telemetryLocation = device.telemetryModeLoc
        telemetryEnvironment = device.telemetryModeEnv
        advertLocationPolicy = device.advertLocationPolicy
        pathHashMode = device.pathHashMode
    }

    var lines: [String] {
        [
            "name       \(name)",
            "radio      \(radio)",
            "power      \(txPower) dBm",
            "position   \(GeoPoint.text(latitude, longitude)), shared by adverts: policy \(advertLocationPolicy)",
            "contacts   \(manualAddContacts ? "added by hand" : "added when they advertise")",
            "acks       \(Int(multiAcks) + 1) for each message",
            "telemetry  base \(telemetryBase), location \(telemetryLocation), environment \(telemetryEnvironment)",
            "hashes     \(Int(pathHashMode) + 1) byte\(pathHashMode == 0 ? "" : "s") for each hop of a path",
        ]
    }
}
