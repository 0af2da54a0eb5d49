import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Checks that each switch of the table alone changes a node of the standard version; an unread one would not.
@Suite struct SwitchTests {
    @Test(
        .proves(
            "FWV-012", "FWV-020", "FWV-046", "FWV-047", "FWV-048", "FWV-060", "FWV-062", "FWV-065", "FWV-067",
            "FWV-068",
            "FWV-071", "FWV-072", "FWV-073",
            "FWV-086", "FWV-088", "FWV-089", "FWV-090", "FWV-100", "FWV-101", "FWV-111", "FWV-112", "FWV-113", "FWV-134"
        ),
        arguments: SwitchCase.all)
    func `a switch changes what it is there for, and without it nothing is changed`(_ test: SwitchCase) throws {
        var switches = FirmwareVersion.standard.switches
        test.change(&switches)
        let changed = FirmwareVersion(name: "changed", release: "1.17.1", buildDate: "1 Jan 2026", switches: switches)

        let (before, after) = (try test.observe(.standard), try test.observe(changed))
        #expect(before == test.standard)
        #expect(after == test.changed)
    }

    @Test func `every switch has a case`() {
        let switches = Mirror(reflecting: FirmwareSwitches()).children.compactMap(\.label)

        #expect(Set(SwitchCase.all.map(\.name)) == Set(switches))
    }
}

/// A switch, a change of it, and what is seen before and after.
struct SwitchCase: Sendable, CustomTestStringConvertible {
    let name: String
    let standard: String
    let changed: String
    let change: @Sendable (inout FirmwareSwitches) -> Void
    let observe: @Sendable (FirmwareVersion) throws -> String

    var testDescription: String { name }

    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<FirmwareSwitches, Value> & Sendable, _ value: Value,
        from standard: String, to changed: String, observe: @escaping @Sendable (FirmwareVersion) throws -> String
    ) {
        self.name = name
        self.standard = standard
        self.changed = changed
        change = { $0[keyPath: path] = value }
        self.observe = observe
    }

    /// Returns the question of a row of the probe table.
    static func probe(_ number: Int) -> @Sendable (FirmwareVersion) throws -> String { Probe.all[number - 1].ask }

    static let all: [SwitchCase] = link + companionAir + routing + servers + consoles
}

// MARK: The link to the app

extension SwitchCase {
    private static let link = [
        SwitchCase("level", \.level, 9, from: "0d0d", to: "0d09", observe: probe(1)),
        SwitchCase("frameLimit", \.frameLimit, 172, from: "88 173", to: "", observe: probe(20)),
        SwitchCase("frameLimit", \.frameLimit, 172, from: "176", to: "172") { version in
            var board = BoardProfile.heltecV3
            board.firmware = version
            return "\(try #require(board.bluetooth).mtu)"
        },
        SwitchCase(
            "channelDataOfCommand", \.channelDataOfCommand, 163, from: "00", to: "0106", observe: probe(4)),
        SwitchCase("hasUnscopedFloods", \.hasUnscopedFloods, false, from: "00", to: "0101", observe: probe(6)),
        SwitchCase(
            "transientContacts", \.transientContacts, .refused, from: "0600", to: "0102", observe: probe(8)),
        SwitchCase("transientContacts", \.transientContacts, .inTable, from: "0", to: "1") { version in
            var bench = CompanionBench.running(version)
            bench.send(RemoveContact(publicKey: Peer.bob.key))
            bench.send(SendAnonReq(publicKey: Peer.eve.key, data: [1]))
            let start = try #require(bench.ask(GetContacts()).first)
            return "\(try Resp.ContactsStart(decoding: start).count)"
        },
        SwitchCase("lowestFrequency", \.lowestFrequency, 300_000, from: "00", to: "0106", observe: probe(10)),
        SwitchCase(
            "lowestFrequencyAtBoot", \.lowestFrequencyAtBoot, 400_000, from: "200000", to: "400000"
        ) { version in
            var bench = CompanionBench.running(version)
            bench.send(SetRadioParams(frequency: 200_000, bandwidth: 250_000, spreadingFactor: 11, codingRate: 5))
            bench.reboot()
            let answer = try #require(bench.ask(AppStart()).first)
            return "\(try Resp.SelfInfo(decoding: answer).frequency)"
        },
        SwitchCase(
            "middleRepeatFrequency", \.middleRepeatFrequency, 869_000, from: "77440d0077440d00", to: "88420d0088420d00",
            observe: probe(11)),
        SwitchCase("keepsRepeatByte", \.keepsRepeatByte, true, from: "01", to: "02", observe: probe(13)),
        // A refused packet has an invalid path length.
        SwitchCase("losesRefusedPackets", \.losesRefusedPackets, true, from: "16 of 16", to: "0 of 16") { version in
            var bench = CompanionBench.running(version)
            let before = bench.radio.core.pool.freeCount
            for _ in 0..<before { _ = bench.ask([0x41, 0, 0x11, 0xC0, 0xAA, 0xBB]) }
            return "\(bench.radio.core.pool.freeCount) of \(before)"
        },
        SwitchCase("hasEncodedRawPath", \.hasEncodedRawPath, true, from: "0101", to: "00", observe: probe(14)),
        SwitchCase(
            "reportsUnmatchedResponses", \.reportsUnmatchedResponses, true, from: "", to: "8c0078563412",
            observe: probe(23)),
        SwitchCase(
            "hasRemoteCommands", \.hasRemoteCommands, true, from: "0101", to: "060100000000", observe: probe(16)),
        SwitchCase("hasCompanionTuning", \.hasCompanionTuning, true, from: "0.5", to: "1.5") { version in
            var bench = CompanionBench.running(version)
            bench.withRadio { $0.preferences.floodDelayFactor = 1.5 }
            return "\(bench.radio.floodDelayFactor)"
        },
        SwitchCase("disablesStreams", \.disablesStreams, false, from: "", to: "0105") { version in
            var bench = CompanionBench.running(version, interface: .serial)
            bench.withRadio { $0.flash.failsToFormat = true }
            let answers = bench.ask([0x3C, 6, 0] + FactoryReset().encoded())
            return answers.first?.dropFirst(3).hex ?? ""
        },
        SwitchCase("reportsTemperature", \.reportsTemperature, false, from: "temperature", to: "none") { version in
            var board = BoardProfile.heltecV3
            board.mcuTemperatureTenths = 300
            board.firmware = version
            var bench = CompanionBench(board: board)
            let own = try #require(bench.ask([0x27, 0, 0, 0]).first)
            // Voltage of channel 1 has four bytes; the processor's temperature follows.
            return own.dropFirst(8).starts(with: [1, 0x74]) && own.count > 12 ? "temperature" : "none"
        },
        SwitchCase("hasSeveralInterfaces", \.hasSeveralInterfaces, true, from: "one", to: "several") { version in
            var board = BoardProfile.heltecV3
            board.firmware = version
            return board.hasSeveralInterfaces ? "several" : "one"
        },
        SwitchCase("heedsExternalSupply", \.heedsExternalSupply, false, from: "on", to: "off") { version in
            var board = BoardProfile.rak4631
            board.firmware = version
            board.autoShutdownMillivolts = 3400
            var bench = CompanionBench(board: board)
            bench.withRadio {
                $0.environment.setExternalPower(true, at: .start)
                $0.environment.battery = .millivolts(3000)
                $0.batteryChanged()
            }
            bench.pass()
            return bench.radio.isHalted ? "off" : "on"
        },
        SwitchCase(
            "settingsFile", \.settingsFile, .binary(companion: 140, server: 293), from: "/prefs.json", to: "/new_prefs"
        ) {
            version in
            var bench = CompanionBench.running(version)
            bench.send(SetAdvertName(name: "x"))
            return ["/prefs.json", "/new_prefs"].filter { bench.radio.flash[$0] != nil }.joined(separator: " ")
        },
    ]
}

// MARK: A companion on the air

extension SwitchCase {
    private static let companionAir = [
        SwitchCase("channelDataDelivered", \.channelDataDelivered, nil, from: "1b", to: "0a") { version in
            var bench = CompanionBench.running(version)
            let data: [UInt8] = [0xFF, 0xFF, 2, 7, 8]
            bench.hear(Peer.group(.grpData, data, secret: GroupChannel.publicChannel.secret))
            return [bench.nextMessage()[0]].hex
        },
        SwitchCase("hasDefaultScope", \.hasDefaultScope, false, from: "TRANSPORT_FLOOD", to: "FLOOD") { version in
            var bench = CompanionBench.running(version)
            bench.send(
                SetDefaultFloodScope(
                    scope: FloodScope(name: FixedBytes(text: "eu"), key: FixedBytes(repeatElement(7, count: 16)))))
            bench.sendText("x", to: .bob)
            return "\(try #require(bench.airAfter().first).route)"
        },
        SwitchCase("skipsUnnamedChannels", \.skipsUnnamedChannels, true, from: "11", to: "0a") { version in
            var bench = CompanionBench.running(version)
            // Emptied: a slot that was never written has no hash.
            bench.send(SetChannel(channelIndex: 1, name: FixedBytes(), secret: FixedBytes()))
            bench.hear(Peer.channelText("x", at: 1, secret: SharedSecret()))
            return [bench.nextMessage()[0]].hex
        },
        SwitchCase("ackLength", \.ackLength, 4, from: "6", to: "4", observe: probe(21)),
        SwitchCase("shortPreamble", \.shortPreamble, 16, from: "5684", to: "4644", observe: probe(24)),
        SwitchCase(
            "returnsPathOfCommands", \.returnsPathOfCommands, false, from: "PATH", to: "", observe: probe(22)),
        SwitchCase(
            "cutsNamesBetweenCharacters", \.cutsNamesBetweenCharacters, false, from: "22", to: "23"
        ) { version in
            var bench = CompanionBench.running(version)
            // With a position 23 bytes are left, and the last character has two.
            bench.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 1))
            bench.send(SetAdvertName(name: ByteText(String(repeating: "a", count: 22) + "é")))
            bench.send(SendSelfAdvert())
            let advert = try #require(bench.airAfter().first)
            return "\(advert.payloadCount - 100 - 9)"
        },
        // A text that is due during a preamble, before the deadline of that.
        SwitchCase("receptionFlags", \.receptionFlags, .headerAlone, from: "0", to: "1") { version in
            var bench = CompanionBench.running(version)
            bench.status = RadioStatus(.init(since: .seconds(1), hasHeader: false))
            bench.sendText("x", to: .bob)
            return "\(bench.airAfter(milliseconds: 100).count)"
        },
    ]
}

// MARK: Routing

extension SwitchCase {
    private static func relay(_ version: FirmwareVersion) -> Bench<TestNode> {
        var board = BoardProfile.heltecV3
        board.firmware = version
        return Bench(TestNode(board: board))
    }

    private static func flood(_ number: UInt8) -> [UInt8] { [0x0D, 0, number, 1, 2, 3] }

    private static let routing = [
        SwitchCase("relaysWholeAcks", \.relaysWholeAcks, false, from: "6", to: "4") { version in
            var bench = relay(version)
            let key = bench.node.core.publicKey
            try bench.hear([0x0E, 1, key[0]] + [1, 2, 3, 4, 5, 6])
            bench.settle()
            let frame = try #require(bench.frames.first.flatMap { [UInt8](hex: $0) })
            return "\(frame.count - 2)"
        },
        SwitchCase("seenPackets", \.seenPackets, 128, from: "150", to: "151") { version in
            var bench = relay(version)
            for number in (0..<150).map(UInt8.init) + [0] {
                try bench.hear(flood(number))
                bench.settle()
            }
            return "\(bench.frames.count)"
        },
        SwitchCase("seenAcks", \.seenAcks, 64, from: "2", to: "1") { version in
            var bench = relay(version)
            for end in [7, 8] as [UInt8] {
                try bench.hear(Peer.ack(0x0102_0304, extra: [0, end], .flood))
                bench.settle()
            }
            return "\(bench.frames.count)"
        },
        SwitchCase("marksSentAgain", \.marksSentAgain, false, from: "2", to: "1") { version in
            var bench = relay(version)
            let before = bench.node.core.seen.revision
            for _ in 0..<2 {
                let packet = try PacketView(flood(1))
                bench.node.core.markSent(packet)
            }
            return "\(bench.node.core.seen.revision - before)"
        },
    ]
}

// MARK: Infrastructure nodes

extension SwitchCase {
    private static func stage(
        _ version: FirmwareVersion, _ role: ServerRole = .repeater, _ change: (inout ServerSetup) -> Void = { _ in }
    ) -> ServerStage {
        var board = BoardProfile.vectors
        board.firmware = version
        return ServerStage(role, board: board, change)
    }

    /// Returns the scopes of two answers.
    ///
    /// One is to a login by flood in the region eu, the other to a request behind it, along no path.
    private static func scopes(_ version: FirmwareVersion) -> String {
        var stage = stage(version)
        stage.type("region put eu")
        stage.type("region allowf eu")
        let eu = MeshHash.regionKey(name: [UInt8]("eu".utf8))
        let login = stage.hear(stage.login(ServerStage.alice, "password", at: stage.nextStamp(), by: .scoped(eu)))
        let request = stage.ask(ServerStage.alice, .getStatus)
        return (login + request).map { $0.packet.transportCodes == nil ? "none" : "eu" }.joined(separator: " ")
    }

    /// The answer of a node on this board to a line on its console.
    private static func console(
        _ version: FirmwareVersion, _ line: String, role: ServerRole = .repeater,
        _ change: (inout BoardProfile) -> Void = { _ in }
    ) -> String {
        var board = BoardProfile.heltecV3
        change(&board)
        board.firmware = version
        var bench = ConsoleBench(role, board: board)
        let answer = bench.type(line)
        let isOff = bench.effects.contains { if case .powerOff = $0 { true } else { false } }
        return isOff ? "off" : answer
    }

    private static let consoles = [
        SwitchCase("boundsEchoes", \.boundsEchoes, false, from: "158", to: "166") { version in
            "\(console(version, "set " + String(repeating: "q", count: 150)).utf8.count)"
        },
        SwitchCase(
            "hasShortRefusals", \.hasShortRefusals, false, from: "Error: unsupported", to: "ERROR: unsupported"
        ) { console($0, "get bootloader.ver") },
        SwitchCase(
            "hasShortRefusals", \.hasShortRefusals, false, from: "Error: unsupported",
            to: "Error: unsupported by this board"
        ) { console($0, "set adc.multiplier 2") },
        SwitchCase(
            "hasResetReasons", \.hasResetReasons, false, from: "> Reset: Power-on reset; Shutdown: Not available",
            to: "ERROR: Power management not supported"
        ) { console($0, "get pwrmgt.bootreason") },
        SwitchCase(
            "receiveGain", \.receiveGain, .sx126x, from: "OK", to: "unknown config: radio.rxgain on"
        ) { console($0, "set radio.rxgain on") { $0.chip = .lr1110 } },
        SwitchCase(
            "receiveGain", \.receiveGain, .sx126xAndLR1110, from: "Error: unsupported",
            to: "unknown config: radio.rxgain on"
        ) { console($0, "set radio.rxgain on") { $0.chip = .sx127x } },
        SwitchCase("receiveGain", \.receiveGain, .sx126x, from: "Error: unsupported", to: "OK") { version in
            console(version, "set radio.rxgain on", role: .sensor)
        },
        SwitchCase("powersOffAllBoards", \.powersOffAllBoards, false, from: "off", to: "") { version in
            console(version, "poweroff") { $0 = .rak4631 }
        },
        SwitchCase(
            "sensorBuild", \.sensorBuild, FirmwareSwitches.BuildName(version: "v1.2.3", date: "4 May 2026"),
            from: "v1.17.1 (Build: 14 Aug 2026)", to: "v1.2.3 (Build: 4 May 2026)"
        ) { console($0, "ver", role: .sensor) },
    ]

    private static let servers = [
        SwitchCase("replyScope", \.replyScope, .none, from: "eu none", to: "none none") { scopes($0) },
        // The answer to the direct request goes out in the region of the flood before it (FWV-046).
        SwitchCase("replyScope", \.replyScope, .lastFlood, from: "eu none", to: "eu eu") { scopes($0) },
        SwitchCase("hasDefaultRegion", \.hasDefaultRegion, false, from: "TRANSPORT_FLOOD", to: "FLOOD") { version in
            var stage = stage(version)
            stage.type("region default uk")
            stage.type("advert")
            return stage.run(milliseconds: 5000).map { "\($0.route)" }.joined(separator: " ")
        },
        SwitchCase("hasHopLimits", \.hasHopLimits, false, from: "0", to: "1") { version in
            var stage = stage(version)
            let far = ServerStage.bob.advert(1, .flood([UInt8](repeating: 1, count: 10)))
            return "\(stage.hear(far, observing: 10_000).count)"
        },
        SwitchCase("floodAdvertHours", \.floodAdvertHours, 12, from: "> 47", to: "> 12") { version in
            var board = BoardProfile.vectors
            board.firmware = version
            var stage = ServerStage(.repeater, board: board, adverts: true)
            return stage.type("get flood.advert.interval")
        },
        SwitchCase("answersLoginDirect", \.answersLoginDirect, false, from: "DIRECT", to: "FLOOD") { version in
            var stage = stage(version)
            stage.logIn(ServerStage.alice)
            stage.teach(ServerStage.alice, [])
            let login = stage.login(ServerStage.alice, "password", at: stage.nextStamp(), by: .direct)
            return stage.hear(login).map { "\($0.route)" }.joined(separator: " ")
        },
        SwitchCase("countsHopsOfNeighbours", \.countsHopsOfNeighbours, false, from: "listed", to: "-none-") { version in
            var stage = stage(version)
            let near = Peer("n", type: .repeater, seed: 77)
            stage.hear(near.advert(1, .flood(PathLength(hashSize: 2, hops: 0), [])))
            let text = stage.type("neighbors")
            return text == "-none-" ? text : "listed"
        },
        SwitchCase("serverClients", \.serverClients, 32, from: "20", to: "32") { version in
            var stage = stage(version)
            for seed in 1...40 as ClosedRange<UInt8> {
                stage.type("setperm \(Peer("p", seed: seed).key.hex) 1")
            }
            return "\(stage.server.clients.count)"
        },
        SwitchCase("detectsLoops", \.detectsLoops, true, from: "> off", to: "> minimal") { version in
            var stage = stage(version)
            return stage.type("get loop.detect")
        },
        SwitchCase(
            "namesFactorRanges", \.namesFactorRanges, false, from: "Error, must be 0-20",
            to: "OK"
        ) { version in
            var stage = stage(version)
            return stage.type("set rxdelay 21")
        },
        SwitchCase("hasCommonRegions", \.hasCommonRegions, false, from: "OK - (flood allowed)", to: "OK") { version in
            var stage = stage(version)
            return stage.type("region put eu")
        },
    ]
}
