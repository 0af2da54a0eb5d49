import MeshCrypto
import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The state of a node after it has started again from its flash.
///
/// Source: InfrastructureNodes, "Boot and clock".
@Suite struct SurvivalTests {
    private typealias Stage = ServerStage

    /// The way in which the node goes down.
    enum End: CaseIterable, CustomTestStringConvertible {
        case command
        case powerLoss
        /// In the middle of writing a file that nothing here depends on.
        case tornWrite

        var testDescription: String { "\(self)" }
    }

    /// Something that a node knows, by what it says about it.
    private struct Knowledge: Sendable {
        let name: String
        var roles: [ServerRole] = ServerRole.allCases
        let survives: Bool
        let look: @Sendable (inout ServerStage) -> String
    }

    private static let alice = ServerStage.alice
    private static let bob = ServerStage.bob
    private static let carol = ServerStage.carol

    private static let survivors: [Knowledge] = [
        Knowledge(name: "identity", survives: true) { $0.bench.core.publicKey.hex },
        Knowledge(name: "name", survives: true) { $0.type("get name") },
        Knowledge(name: "password", survives: true) { $0.server.preferences.password.description },
        Knowledge(name: "advert interval", survives: true) { $0.type("get advert.interval") },
        Knowledge(name: "admin", survives: true) { "\($0.member(alice)?.permissions.rawValue ?? 0)" },
        Knowledge(name: "path to the admin", survives: true) { $0.member(alice)?.outPath.prefix(1).hex ?? "" },
        Knowledge(name: "where the admin reads", roles: [.roomServer], survives: true) {
            "\($0.member(alice)?.syncSince ?? 0)"
        },
        Knowledge(name: "saved region", roles: [.repeater, .roomServer], survives: true) { $0.type("region get eu") },
        Knowledge(name: "home region", roles: [.repeater, .roomServer], survives: true) { $0.type("region home") },
        Knowledge(name: "default region", roles: [.repeater, .roomServer], survives: true) {
            $0.type("region default")
        },
        Knowledge(name: "client without password", roles: [.repeater, .sensor], survives: true) {
            "\($0.member(carol)?.permissions.rawValue ?? 0)"
        },
    ]

    private static let lost: [Knowledge] = [
        Knowledge(name: "client who is no admin", roles: [.roomServer], survives: false) {
            "\($0.member(carol)?.permissions.rawValue ?? 0)"
        },
        Knowledge(name: "guest", roles: [.repeater, .roomServer], survives: false) { "\($0.member(bob) != nil)" },
        Knowledge(name: "clock", survives: false) { "\($0.bench.core.unixTime / 1_000_000)" },
        Knowledge(name: "times of clients", survives: false) {
            "\($0.member(alice)?.lastTimestamp ?? 0) \($0.member(alice)?.lastActivity ?? 0)"
        },
        Knowledge(name: "unsaved region", roles: [.repeater, .roomServer], survives: false) {
            $0.type("region get tmp")
        },
        Knowledge(name: "regions of a sensor", roles: [.sensor], survives: false) { $0.type("region get eu") },
        Knowledge(name: "uptime", survives: false) { "\($0.bench.core.uptimeSeconds > 20)" },
        Knowledge(name: "statistics", survives: false) { "\($0.bench.core.statistics.framesReceived)" },
        Knowledge(name: "duplicates", survives: false) { "\($0.bench.core.seen.floodDuplicates)" },
        Knowledge(name: "logging", roles: [.repeater, .roomServer], survives: false) { "\($0.server.isLogging)" },
        Knowledge(name: "temporary radio", survives: false) { "\($0.server.temporaryRadio != nil)" },
        Knowledge(name: "posts", roles: [.roomServer], survives: false) {
            "\(($0.bench as? Bench<RoomServer>)?.node.posts.posts.count ?? 0)"
        },
        Knowledge(name: "count of posts", roles: [.roomServer], survives: false) {
            "\(($0.bench as? Bench<RoomServer>)?.node.postCount ?? 0)"
        },
        Knowledge(name: "readings", roles: [.sensor], survives: false) {
            "\(($0.bench as? Bench<SensorNode>)?.node.lastReading ?? 0)"
        },
        Knowledge(name: "outputs", roles: [.sensor], survives: false) { $0.type("io") },
    ]

    /// A node with something of everything.
    private func stage(_ role: ServerRole) -> Stage {
        var stage = Stage(role)
        if role != .sensor {
            stage.type("set guest.password guest")
            stage.logIn(Self.bob, "guest")
            for line in ["put eu", "home eu", "default eu", "save", "put tmp"] { stage.type("region \(line)") }
        } else {
            stage.type("region put eu")
            stage.type("io 5")
        }
        stage.type("set name Survivor")
        stage.type("set advert.interval 120")
        stage.type("password geheim")
        stage.logIn(Self.alice, "geheim", since: 77)
        stage.teach(Self.alice, [0x77])
        stage.type("setperm \(Self.carol.key.hex) 2")
        stage.type("room.post soon forgotten")
        let frame = Self.bob.advert(Stage.clock)
        stage.hear(frame)
        stage.hear(frame)
        stage.run(milliseconds: 20_000)
        stage.type("log start")
        stage.type("tempradio 868.0,125,9,5,10")
        return stage
    }

    /// The node that starts after this end, with the clock of a board whose power was gone.
    private func restarted(_ stage: inout Stage, after end: End) -> Stage {
        var flash = stage.server.flash
        switch end {
        case .command: stage.type("reboot")
        case .powerLoss: break
        case .tornWrite:
            flash.powerCut = Flash.PowerCut(bytes: 3)
            let isWritten = flash.write([1, 2, 3, 4, 5], to: "/other")
            let isWrittenLater = flash.write([1], to: ServerPreferences.path)
            #expect(flash.hasLostPower && !isWritten && !isWrittenLater)
            flash.restorePower()
        }
        return Stage(stage.role, clock: nil, flash: end == .command ? stage.server.flash : flash, seed: 2)
    }

    @Test(arguments: ServerRole.allCases, End.allCases)
    func `a restart keeps what is in its files, and nothing else`(role: ServerRole, end: End) {
        var before = stage(role)
        let table = (Self.survivors + Self.lost).filter { $0.roles.contains(role) }
        let known = table.map { $0.look(&before) }

        var after = restarted(&before, after: end)
        let kept = table.map { $0.look(&after) }

        for (row, (known, kept)) in zip(table, zip(known, kept)) {
            #expect((known == kept) == row.survives, "\(row.name): \(known), then \(kept)")
        }
    }

    @Test func `a client who came less than five seconds ago is lost, whoever restarts the node`() {
        for end in End.allCases {
            var stage = Stage(.repeater)
            stage.hear(stage.login(Self.alice, "password", at: Stage.clock + 401), observing: 4990)
            #expect(stage.member(Self.alice) != nil)

            let after = restarted(&stage, after: end)

            #expect(after.server.clients.count == 0, "\(end)")
        }
    }

    @Test func `what is not yet written can be asked for`() {
        var stage = Stage(.repeater)
        #expect((stage.bench as? Bench<RepeaterNode>)?.node.pendingWrite == nil)
        stage.hear(stage.login(Self.alice, "password", at: Stage.clock + 401), observing: 1000)

        guard case .wrote(let path, let bytes) = (stage.bench as? Bench<RepeaterNode>)?.node.pendingWrite else {
            Issue.record("nothing to write")
            return
        }
        #expect(path == ClientTable.path)
        stage.run(milliseconds: 10_000)
        #expect(stage.server.flash[ClientTable.path] == bytes)
        #expect((stage.bench as? Bench<RepeaterNode>)?.node.pendingWrite == nil)
    }

    // MARK: Broken writes

    @Test(arguments: ServerRole.allCases)
    func `a node boots from whatever a broken write leaves of any of its files`(role: ServerRole) throws {
        let whole = stage(role).server.flash
        for file in whole.files {
            let count = file.bytes.count
            let cuts: [Int?] = [nil] + (0...count).filter { count < 200 || $0 % 7 == 0 || $0 > count - 3 }
            for cut in cuts {
                var flash = whole
                flash.powerCut = Flash.PowerCut(path: file.path, bytes: cut)
                let isWritten = flash.write(file.bytes, to: file.path)
                #expect(!isWritten)
                #expect(flash[file.path] == cut.map { [UInt8](file.bytes.prefix($0)) })
                flash.restorePower()

                let node = Stage(role, clock: nil, flash: flash, seed: 2)

                check(node, file.path, cut, of: count)
            }
        }
    }

    /// Checks that the whole records in the broken file count, and those in the others in any case.
    private func check(_ stage: Stage, _ file: String, _ cut: Int?, of count: Int) {
        let size = cut ?? 0
        if file == ClientTable.path {
            #expect(stage.server.clients.count == size / 136, "\(file), \(size) of \(count)")
        } else {
            #expect(stage.member(Self.alice)?.permissions.isAdmin == true, "\(file), \(size) of \(count)")
        }
        if file != ServerPreferences.path {
            #expect(stage.server.preferences.name == "Survivor", "\(file), \(size) of \(count)")
        }
        if size == count {
            #expect(stage.server.preferences.name == "Survivor")
            #expect(stage.bench.core.publicKey == Stage.key)
        }
    }
}
