import ArgumentParser
import FoundationEssentials
import Glibc
import MeshCompanion
import MeshTestbed
import MeshWire
import PocketMeshServices

/// `meshbed client clock`.
struct ClientClock: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Show or set the radio's clock.",
        discussion: """
            A clock that is off by more than a minute is set by every command when it connects. A radio refuses to go \
            back.

            Examples:
              meshbed client clock
              meshbed client clock --set
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Set it to the time of this machine.")
    var set = false

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let settings = connection.services.settingsService
        if set { try await settings.setTime(app.dependencies.seconds) }
        let time = try await settings.getTime()
        try say(ClockRow(seconds: time, ahead: Int64(time) - Int64(app.dependencies.seconds)))
        return true
    }
}

/// The time of a radio's clock.
struct ClockRow: Encodable, CustomStringConvertible {
    /// Seconds since 1970.
    let seconds: UInt32
    /// Seconds that it is ahead of this machine's clock.
    let ahead: Int64

    var description: String {
        let difference =
            switch ahead {
            case 0: "as this machine"
            case 1...: "\(ahead) s ahead of this machine"
            default: "\(-ahead) s behind this machine"
            }
        return "\(Moment.text(seconds: seconds)) UTC, \(difference)"
    }
}

/// `meshbed client variables`.
struct ClientVariables: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "variables", abstract: "Show or set the custom variables of the radio's sensors.",
        discussion: """
            Examples:
              meshbed client variables
              meshbed client variables gps=1

            The exit status is 1 when the radio refuses, as it does for a variable that it does not have.
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: ArgumentHelp("Set these first.", valueName: "name=value"), transform: Self.variable)
    var changes: [CustomVariable] = []

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let settings = connection.services.settingsService
        for change in changes { try await settings.setCustomVariable(change) }
        let variables = try await settings.getCustomVariables()
        for variable in variables { try say(VariableRow(name: variable.name, value: variable.value)) }
        if variables.isEmpty, !options.json { Console.out("the radio has no variables") }
        return true
    }

    static func variable(_ text: String) throws -> CustomVariable {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("'\(text)' is not NAME=VALUE") }
        return CustomVariable(name: parts[0], value: parts[1])
    }
}

/// A variable of a radio's sensors.
struct VariableRow: Encodable, CustomStringConvertible {
    let name: String
    let value: String

    var description: String { "\(name)=\(value)" }
}

/// `meshbed client reboot`.
struct ClientReboot: ClientCommand {
    static let configuration = CommandConfiguration(commandName: "reboot", abstract: "Restart the radio.")

    @OptionGroup var options: ClientOptions

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let hasClosed = try await connection.services.settingsService.reboot()
        if !options.json { Console.out(hasClosed ? "the radio restarts" : "the command to restart was sent") }
        return true
    }
}

/// `meshbed client factory-reset`.
struct ClientFactoryReset: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "factory-reset", abstract: "Erase the radio, its identity included.",
        discussion: """
            Asks for the node's name first; --yes answers for a script. What the database has of the radio stays.

            Example:
              meshbed client factory-reset --yes
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Don't ask.")
    var yes = false

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let name = connection.device.nodeName
        if !yes {
            guard isatty(STDIN_FILENO) == 1 else { throw ClientError.needsYes }
            Console.note("Everything on \(name) will be lost: keys, contacts, channels. Type its name to go on:")
            guard Self.isConfirmed(by: readLine(), name: name) else {
                Console.note("meshbed client: nothing was changed")
                return false
            }
        }
        let hasClosed = try await connection.services.settingsService.factoryReset(deviceID: connection.device.id)
        if !options.json {
            Console.out(hasClosed ? "the radio starts anew" : "the command to erase everything was sent")
        }
        return true
    }

    /// Tells whether the answer is the node's name, which is never typed by mistake.
    static func isConfirmed(by answer: String?, name: String) -> Bool {
        guard let answer = answer?.trimmed(where: \.isWhitespace), !answer.isEmpty else { return false }
        return answer == name.trimmed(where: \.isWhitespace)
    }
}
