@testable import MeshFirmware

/// A recorded session on the console: each line, and how each role answers it.
struct CommandScript: Decodable {
    struct Line: Decodable {
        let command: String
        let reply: String?
        let repeater: String?
        let roomServer: String?
        let sensor: String?

        /// The answer of a role; `nil` for none.
        func reply(of role: ServerRole) -> String? {
            switch role {
            case .repeater: reply ?? repeater
            case .roomServer: reply ?? roomServer
            case .sensor: reply ?? sensor
            }
        }
    }

    private let script: [Line]

    /// The lines of a vector.
    static func lines(_ id: String) -> [Line] { InfrastructureVectors.read(id, as: Self.self).script }
}
