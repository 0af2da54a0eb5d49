import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware

/// One numbered statement of the articles InfrastructureNodes and OverTheAir, and how a node is checked against it.
struct RoleStatement: SelectableCheck, Sendable {
    /// `INF-102`, `OTA-030`.
    let id: String
    /// The topic under which the summary counts it.
    let group: String
    let title: String
    /// The roles that it is about.
    let roles: [ServerRole]
    private(set) var needs: Abilities
    private(set) var setup: RoleSetup
    /// The first of the statements that the same check shows.
    let check: String
    /// Asks the node; throws where it departs.
    let body: @Sendable (RoleProbe) throws -> Void

    /// The versions of the firmware that it holds in.
    var versions: StatementVersions { .ofRole(id) }

    /// All statements, in the order of their topics.
    static let all: [RoleStatement] = RoleTopic.all.flatMap(\.statements)

    /// Those of one role.
    static func all(of role: ServerRole) -> [RoleStatement] { all.filter { $0.roles.contains(role) } }

    /// The verdict where nothing can be tried on the node, with the reason; `nil` when it can.
    func verdictUntried(on target: any RoleTarget, in version: FirmwareVersion) -> ComplianceReport.Verdict? {
        guard versions.isShown(in: version) else { return .notApplicable(versions.absence(in: version)) }
        return target.reason(against: needs).map { .notRun($0) }
    }

    /// The same statement on a node that keeps what others have left.
    ///
    /// A room sends every client the posts that it has not read, whatever the client came for.
    func onKeptNode(of role: ServerRole) -> RoleStatement {
        guard role == .roomServer, needs.contains(.packets) else { return self }
        var statement = self
        statement.setup.isRestarted = true
        statement.needs.insert(.restart)
        return statement
    }
}

/// A topic with its statements.
struct RoleTopic: Sendable {
    let statements: [RoleStatement]

    /// All topics, in order.
    static let all: [RoleTopic] = [
        adverts, clients, logins, questions, requests, scopes, forwarding, delays, direct, traces, neighbours,
        commands, regions, restarts, pacing, posts, pushes, sensors,
    ]

    init(_ title: String, _ rows: [Row]) {
        statements = rows.flatMap { row in
            row.ids.map {
                RoleStatement(
                    id: $0, group: title, title: row.title, roles: row.roles, needs: row.needs, setup: row.setup,
                    check: row.ids[0], body: row.body)
            }
        }
    }

    /// One check, which may stand in both articles.
    struct Row: Sendable {
        let ids: [String]
        let title: String
        let roles: [ServerRole]
        let needs: Abilities
        private(set) var setup: RoleSetup
        let body: @Sendable (RoleProbe) throws -> Void

        /// - Parameters:
        ///   - means: `.console` where no packet is needed.
        ///   - afterRestart: whether the statement sees what was before in the node's memory.
        init(
            _ ids: String..., about title: String, of roles: [ServerRole] = ServerRole.allCases,
            by means: Abilities = [.console, .packets], needs: Abilities = [], setup: RoleSetup = RoleSetup(),
            afterRestart: Bool = false, _ body: @escaping @Sendable (RoleProbe) throws -> Void
        ) {
            self.ids = ids
            self.title = title
            self.roles = roles
            self.needs = needs.union(means).union(afterRestart ? .restart : [])
            self.setup = setup
            self.setup.isRestarted = afterRestart
            self.body = body
        }
    }
}

extension [ServerRole] {
    /// Roles in the notation of the article: `[R]`, `[R,M]`.
    static let repeater: [ServerRole] = [.repeater]
    static let room: [ServerRole] = [.roomServer]
    static let sensor: [ServerRole] = [.sensor]
    static let repeaterAndRoom: [ServerRole] = [.repeater, .roomServer]
    static let repeaterAndSensor: [ServerRole] = [.repeater, .sensor]
    static let roomAndSensor: [ServerRole] = [.roomServer, .sensor]
}
