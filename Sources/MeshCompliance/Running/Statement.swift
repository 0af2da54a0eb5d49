import MeshBoards
import MeshFirmware
import MeshSimulator

/// One numbered statement of the article CompanionStatements, and how a radio is checked against it.
struct Statement: Sendable {
    /// The number of `CMP-…`.
    let number: Int
    /// The title in reports; the statement itself is the sentence of its `Rationale`.
    let title: String
    var needs: Abilities
    var setup: Setup
    /// Asks the radio; throws where it departs.
    let body: @Sendable (Probe) throws -> Void

    init(
        _ number: Int, _ title: String, needs: Abilities = [], on interface: AppLink? = nil, further: AppLink? = nil,
        board: (@Sendable (inout BoardProfile) -> Void)? = nil, _ body: @escaping @Sendable (Probe) throws -> Void
    ) {
        self.number = number
        self.title = title
        self.needs = board == nil ? needs : needs.union(.builds)
        setup = Setup(interface: interface, board: board)
        if let further {
            self.needs.insert(.secondInterface)
            setup.further = further
        }
        if interface == nil, needs.contains(.link) { setup.interface = .wifi }
        self.body = body
    }

    /// The versions of the firmware that the statement holds in, from the table of versions.
    var versions: StatementVersions { .of(number) }

    /// `CMP-034`.
    var id: String { Self.id(of: number) }

    static func id(of number: Int) -> String {
        let digits = String(number)
        return "CMP-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}

/// A topic of the article CompanionStatements.
struct Section: Sendable {
    let letter: Character
    let title: String
    let statements: [Statement]
}

extension Section {
    /// All of them: every statement exactly once, in order.
    static let all: [Section] = [
        serialFraming, tcpFraming, bluetooth, dispatch, session, settings, contacts, sending, receiving, channels,
        requests, rawData, identity, statistics, adverts, cornerCases, severalInterfaces,
    ]
}
