import MeshCompanion
import MeshCrypto
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Every version answers on its console as its published source does.
@Suite struct ConsoleTableTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let role: ServerRole
        let tag: String
        let version: FirmwareVersion
        let testDescription: String

        init(_ role: ServerRole, _ tag: String, _ version: FirmwareVersion) {
            (self.role, self.tag, self.version) = (role, tag, version)
            testDescription = "\(role.words) \(tag)"
        }

        /// The version that stands for each tag.
        static let all = ServerRole.allCases.flatMap { role in
            zip(ConsoleTable.tags, FirmwareVersion.all).map { Case(role, $0, $1) }
        }
    }

    @Test(
        .proves("FWV-004", "FWV-034", "FWV-048", "FWV-073", "FWV-074", "FWV-092", "INF-201", "INF-210"),
        arguments: Case.all)
    func `a node answers every line as the source at the tag of its version`(test: Case) throws {
        let table = try ConsoleTable.table(of: test.role)
        let builds = table.builds.filter { $0.tags.contains(test.tag) }.map(\.build)

        for build in builds {
            var player = ConsolePlayer(test.role, build.board(test.version, test.role))
            for exchange in table.exchanges {
                let wanted = Self.renamed(try exchange.answer(of: build, at: test.tag), at: test.tag)

                let answer = player.answer(exchange.line, stamp: exchange.stamp)

                #expect(answer == wanted, "\(build): \(ConsoleTable.escaped(exchange.line))")
            }
        }

        #expect(!builds.isEmpty)
        #expect(table.exchanges.count > 500)
    }

    @Test(arguments: ServerRole.allCases)
    func `the table has every command and every setting`(role: ServerRole) throws {
        let table = try ConsoleTable.table(of: role)
        let lines = table.exchanges.map { String(decoding: $0.line, as: UTF8.self) }
        let settings = ServerPreferences.rows.filter { $0.keyword != nil }

        let missing =
            CommonCommand.allCases.map(\.rawValue).filter { word in !lines.contains { $0.hasPrefix(word) } }
            + settings.compactMap(\.keyword).map { "get \($0)" }.filter { !lines.contains($0) }
            + settings.filter(\.isSettable).compactMap(\.keyword).map { "set \($0) " }
            .filter { word in !lines.contains { $0.hasPrefix(word) } }

        #expect(missing == [])
    }

    /// The development branch still has the name and date of 1.17.1, which the emulated 1.18 has not (FWV-005,
    /// FWV-200).
    private static func renamed(_ answer: String, at tag: String) -> String {
        guard tag == ConsoleTable.tags.last else { return answer }
        return answer.replacing(Self.imprint(.v1_17_1), with: Self.imprint(.v1_18))
    }

    private static func imprint(_ version: FirmwareVersion) -> String {
        "\(version.text) (Build: \(version.buildDate))"
    }
}

/// A node of any role, with the key of the recordings, whose command line is asked.
private struct ConsolePlayer {
    private var node: any ServerNode & InfrastructureNode

    init(_ role: ServerRole, _ board: BoardProfile) {
        var setup = ServerSetup(role, board: board)
        setup.advertsOnBoot = false
        var key = [UInt8](1...64)
        key[0] = 0
        key[31] = 0x60
        let type: any (ServerNode & InfrastructureNode).Type =
            switch role {
            case .repeater: RepeaterNode.self
            case .roomServer: RoomServer.self
            case .sensor: SensorNode.self
            }
        node = type.init(
            identity: LocalIdentity(privateKey: ExpandedPrivateKey(key)), board: board, setup: setup, quirks: .all,
            random: Seed(5).stream("console", role.commandName),
            clock: RealTimeClock(unixSeconds: board.clockAtPowerOn, at: .start), flash: Flash(), at: .start)
        _ = node.server.console.takeOutput()
    }

    /// The answer as the table has it.
    mutating func answer(_ line: [UInt8], stamp: UInt32) -> String {
        let outcome = node.handleCommand(line, timestamp: stamp)
        let printed = String(decoding: node.server.console.takeOutput(), as: UTF8.self)
        switch outcome {
        case .reply(let reply):
            return (printed.isEmpty ? "" : "<print>\(printed)</print>") + String(decoding: reply, as: UTF8.self)
        case .restart: return "<restart>"
        case .powerOff: return "<power off>"
        }
    }
}
