public import FoundationEssentials
import MeshWire

// Settings and rights of a repeater: command lines, whose answers are judged.
extension RepeaterAdminService {
    /// Asks a repeater for the settings that its administrator changes most, one command line each.
    ///
    /// Throws `nodeRefused` with the node's own words when it does not know one.
    public func requestSettings(sessionID: UUID) async throws -> RepeaterSettings {
        let name = try await value(of: "name", sessionID)
        let latitude = try await degrees(of: "lat", sessionID)
        let longitude = try await degrees(of: "lon", sessionID)
        let radio = try await value(of: "radio", sessionID)
        guard let radio = RadioParameters(commandLine: radio) else { throw StackError(.nodes, .invalidNodeResponse) }
        let password = try await value(of: "guest.password", sessionID)
        return RepeaterSettings(
            name: name, latitude: latitude, longitude: longitude, radio: radio, guestPassword: password)
    }

    /// Changes the settings that differ, one after the other; the first that the node refuses ends it.
    ///
    /// Other parameters of the radio apply when the node restarts.
    public func changeSettings(
        sessionID: UUID, from old: RepeaterSettings, to new: RepeaterSettings
    ) async throws {
        for command in try new.commands(from: old) { try await order(command, sessionID) }
    }

    /// Gives a client a role in the node's access list, or takes its entry out for `guest`.
    ///
    /// An entry is made or changed by the whole key of the client; its beginning is enough to take one out.
    public func setRole(sessionID: UUID, clientKey: Data, to role: NodeAccessRole) async throws {
        try await order("setperm \([UInt8](clientKey).hex) \(role.rawValue)", sessionID)
    }

    private func value(of setting: String, _ sessionID: UUID) async throws -> String {
        let answer = try await sendCommand(sessionID: sessionID, command: "get \(setting)")
        guard answer.hasPrefix("> ") else { throw StackError(.nodes, .nodeRefused(answer)) }
        return String(answer.dropFirst(2))
    }

    private func degrees(of setting: String, _ sessionID: UUID) async throws -> Double {
        guard let degrees = RepeaterSettings.degrees(commandLine: try await value(of: setting, sessionID)) else {
            throw StackError(.nodes, .invalidNodeResponse)
        }
        return degrees
    }

    private func order(_ command: String, _ sessionID: UUID) async throws {
        let answer = try await sendCommand(sessionID: sessionID, command: command)
        guard answer.hasPrefix("OK") else { throw StackError(.nodes, .nodeRefused(answer)) }
    }
}
