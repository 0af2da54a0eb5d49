import ArgumentParser
import MeshCore
import MeshPacket
import PocketMeshServices

/// `meshbed client telemetry`.
struct ClientTelemetry: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "telemetry", abstract: "Read telemetry of the radio, a sensor or another node.",
        discussion: """
            Without a name it is the radio itself. Sensors, repeaters and rooms answer nodes that they know: with a \
            password this logs in first. Contacts answer as their settings allow.

            Examples:
              meshbed client telemetry
              meshbed client telemetry sens1 --password password
              meshbed client telemetry sens1 --over 86400

            --over asks a sensor for minimum, maximum and mean. The exit status is 1 when the node does not answer.
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var password: PasswordOptions

    @Argument(help: "The node's name, or the beginning of its key.")
    var name: String?

    @Option(
        help: ArgumentHelp("Minimum, maximum and mean over the last so many seconds.", valueName: "seconds"))
    var over: UInt32?

    func validate() throws {
        if over != nil, name == nil { throw ValidationError("--over needs the name of a sensor") }
        if over == 0 { throw ValidationError("--over must be 1 or more") }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let questions = connection.services.binaryProtocolService
        guard let name else {
            for point in try await questions.getSelfTelemetry() { try say(MeasurementRow(point)) }
            return true
        }
        let contact = try await connection.contact(name)
        if password.value != nil, contact.type != .chat { _ = try await password.logIn(to: contact, of: connection) }
        if let over {
            let series = try await questions.requestMMA(key: contact.publicKey, start: over, end: 0)
            for one in series { try say(SeriesRow(one)) }
        } else {
            for point in try await questions.requestTelemetry(key: contact.publicKey) { try say(MeasurementRow(point)) }
        }
        return true
    }
}

/// Something that a node measured.
struct MeasurementRow: Encodable, CustomStringConvertible {
    /// 1 is the node itself.
    let channel: UInt8
    let type: String
    let unit: String
    let values: [Double]
    let description: String

    init(_ point: LPPDataPoint) {
        channel = point.channel
        type = "\(point.type)"
        unit = point.type.layout.unit
        values = point.values
        description = "\(point)"
    }

    enum CodingKeys: CodingKey {
        case channel, type, unit, values
    }
}

/// The extremes and the mean of what a sensor measured.
struct SeriesRow: Encodable, CustomStringConvertible {
    let channel: UInt8
    let type: String
    let unit: String
    let minimum: [Double]
    let maximum: [Double]
    let mean: [Double]

    init(_ series: MinMaxAverage) {
        channel = series.average.channel
        type = "\(series.average.type)"
        unit = series.average.type.layout.unit
        minimum = series.minimum.values
        maximum = series.maximum.values
        mean = series.average.values
    }

    var description: String {
        let text = { (values: [Double]) in
            values.map { "\($0)" }.joined(separator: ", ") + (unit.isEmpty ? "" : " \(unit)")
        }
        return "channel \(channel) \(type): minimum \(text(minimum)), maximum \(text(maximum)), mean \(text(mean))"
    }
}
