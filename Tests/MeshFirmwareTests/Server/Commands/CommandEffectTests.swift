import MeshCrypto
import MeshRadio
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The effects of commands on the node, beside their answers.
@Suite struct CommandEffectTests {
    private static let all = ServerRole.allCases
    private static let platforms: [BoardPlatform] = [.esp32, .nrf52, .other]

    private func board(_ platform: BoardPlatform) -> BoardProfile {
        var board = BoardProfile.hostBoard
        board.platform = platform
        return board
    }

    @Test(arguments: all)
    func `settings are written when they are set, and are there after a restart`(role: ServerRole) {
        var console = ConsoleBench(role)
        #expect(console.type("set name Hill") == "OK")
        #expect(console.writtenFiles == [ServerPreferences.path])
        #expect(console.type("set tx 14") == "OK")
        #expect(console.txPower == 14)

        let next = ConsoleBench(role, flash: console.server.flash)

        #expect(next.server.preferences.name == "Hill")
        #expect(next.server.preferences == console.server.preferences)
        #expect(next.txPower == 14)
    }

    @Test(arguments: all)
    func `a transmit power that the chip refuses is stored, and the chip keeps its own`(role: ServerRole) {
        var console = ConsoleBench(role)

        #expect(console.type("set tx 23") == "OK")
        #expect(console.txPower == nil)
        #expect(console.type("get tx") == "> 23")
        #expect(console.type("set tx -9") == "OK")
        #expect(console.txPower == -9)
    }

    @Test(arguments: all)
    func `another identity is stored, and counts after a restart`(role: ServerRole) {
        var console = ConsoleBench(role)
        let other = ConsoleBench.bob.identity
        let own = console.node.publicKey

        let reply = console.type("set prv.key \(other.privateKey.array.hex)")

        #expect(reply == "OK, reboot to apply! New pubkey: \(other.publicKey.hex.uppercased())")
        #expect(console.writtenFiles == [ServerFiles.identity])
        #expect(console.type("get public.key") == "> \(own.hex.uppercased())")
        #expect(ConsoleBench(role, flash: console.server.flash).node.publicKey == other.publicKey)
    }

    @Test(arguments: all)
    func `the clock goes back by clkreboot`(role: ServerRole) {
        var console = ConsoleBench(role)
        #expect(console.type("time 1800000000") == "OK - clock set: 08:00 - 15/1/2027 UTC")

        #expect(console.type("clkreboot") == "")

        #expect(console.restarts == 1)
        #expect(console.node.unixTime == 1_715_770_351)
    }

    @Test(arguments: all, ["poweroff", "shutdown now"])
    func `a node switches itself off`(role: ServerRole, line: String) {
        var console = ConsoleBench(role)

        #expect(console.type(line) == "")

        #expect(console.effects.contains { if case .powerOff = $0 { true } else { false } })
        #expect(console.restarts == 0)
    }

    @Test(arguments: all)
    func `erasing takes the files and leaves what is in memory`(role: ServerRole) {
        var console = ConsoleBench(role)
        _ = console.type("set name Hill")

        #expect(console.type("erased") == "Unknown command")
        #expect(console.type("erase") == "File system erase: OK")

        #expect(console.server.flash.files.isEmpty)
        #expect(console.effects.contains { if case .flash(.formatted) = $0 { true } else { false } })
        #expect(console.type("get name") == "> Hill")
        console.setFlashFaults(format: true)
        #expect(console.type("erase") == "File system erase: Err")
    }

    @Test(arguments: all)
    func `the packet log is printed on the console and erased; sensors have none`(role: ServerRole) {
        let log = "10:52:31 - 15/5/2024 U: TX, len=10\n"
        var console = ConsoleBench(role, flash: Flash(files: [(ServerFiles.packetLog, [UInt8](log.utf8))]))

        #expect(console.type("log start") == "   logging on")
        #expect(console.server.isLogging == (role != .sensor))
        #expect(console.type("log") == "   EOF")
        #expect(console.text.contains(log) == (role != .sensor))
        #expect(console.type("log stop") == "   logging off")
        #expect(!console.server.isLogging)
        #expect(console.type("log erase") == "   log erased")
        #expect((console.server.flash[ServerFiles.packetLog] == nil) == (role != .sensor))
    }

    @Test(arguments: all)
    func `the default scope is that of the default region, and stays with one that has no key`(role: ServerRole) {
        var console = ConsoleBench(role)
        let eu = MeshHash.regionKey(name: [UInt8]("eu".utf8))

        #expect(console.type("region default eu") == " default scope is now eu")
        #expect(console.server.defaultScope == (role == .sensor ? nil : eu))
        #expect((console.server.flash[RegionTable.path] != nil) == (role != .sensor))
        #expect(console.type("region default $mine") == " default scope is now $mine")
        #expect(console.server.defaultScope == (role == .sensor ? nil : eu))
        #expect(ConsoleBench(role, flash: console.server.flash).server.defaultScope == nil)
        #expect(console.type("region default <null>") == " default scope is now <null>")
        #expect(console.server.defaultScope == nil)
    }

    @Test(arguments: all)
    func `saving regions notes the time for discovery and writes the settings`(role: ServerRole) {
        var console = ConsoleBench(role)
        #expect(console.type("time 1800000000").hasPrefix("OK"))

        #expect(console.type("region save") == (role == .sensor ? "Err - save failed" : "OK"))

        #expect(console.server.preferences.discoveryModified == 1_800_000_000)
        #expect(console.writtenFiles.contains(ServerPreferences.path))
        #expect(console.writtenFiles.contains(RegionTable.path) == (role != .sensor))
    }

    @Test(arguments: all, platforms)
    func `saving power is for some builds`(role: ServerRole, platform: BoardPlatform) {
        let answers = [BoardPlatform.esp32: "on - After 2 minutes", .nrf52: "on - Immediate effect"]
        let answer = answers[platform] ?? "Board not supported"
        var console = ConsoleBench(role, board: board(platform))

        #expect(console.type("powersaving") == "off")
        #expect(console.type("powersaving on") == answer)
        #expect(console.type("powersaving") == (answer.hasPrefix("on") ? "on" : "off"))
        #expect(console.type("powersaving off") == "off")
        #expect(console.server.preferences.powerSaving == 0)
        var bridged = board(platform)
        bridged.bridge = .espNow
        var other = ConsoleBench(role, board: bridged)
        let isRefused = role == .repeater && platform != .nrf52
        #expect(other.type("powersaving on") == (isRefused ? "Bridge not supported" : answer))
    }

    @Test(arguments: platforms)
    func `an update is announced as the board's platform does`(platform: BoardPlatform) {
        var console = ConsoleBench(.repeater, board: board(platform))
        let answer = console.type("start ota")

        switch platform {
        case .esp32:
            #expect(answer == "Started: http://192.168.4.1/update")
            var without = board(.esp32)
            without.updatesOverWifi = false
            var other = ConsoleBench(.repeater, board: without)
            #expect(other.type("start ota") == "Error")
        case .nrf52: #expect(answer == "OK - mac: CA:88:E3:DD:74:09")
        case .other: #expect(answer == "Error")
        }
    }

    @Test(arguments: all)
    func `statistics are one line of JSON each`(role: ServerRole) {
        var console = ConsoleBench(role)
        console.hear([0x0A, 0, 1, 2, 3, 4])
        console.run(.seconds(1))

        #expect(
            console.type("stats-core") == #"{"battery_mv":4100,"uptime_secs":2,"errors":0,"queue_len":1}"#)
        #expect(
            console.type("stats-radio")
                == #"{"noise_floor":-110,"last_rssi":-60,"last_snr":10.00,"tx_air_secs":0,"rx_air_secs":0}"#)
        let packets = #"{"recv":1,"sent":0,"flood_tx":0,"direct_tx":0,"flood_rx":0,"direct_rx":1,"recv_errors":0}"#
        #expect(console.type("stats-packets") == packets)
        #expect(console.type("stats-packetsx") == "Unknown command")
        #expect(console.type("clear stats") == "(OK - stats reset)")
        let cleared = packets.replacing("1", with: "0")
        #expect(console.type("stats-packets now") == (role == .sensor ? packets : cleared))
    }

    @Test func `the battery gauge reads with the factor that is set`() {
        var board = BoardProfile.hostBoard
        board.adcMultiplier = 2
        var console = ConsoleBench(.repeater, board: board)

        #expect(console.type("set adc.multiplier 1") == "OK - multiplier set to 1.000")
        #expect(console.type("stats-core").contains(#""battery_mv":2050,"#))
        var next = ConsoleBench(.repeater, board: board, flash: console.server.flash)
        #expect(next.type("stats-core").contains(#""battery_mv":2050,"#))
        #expect(console.type("set adc.multiplier 0") == "OK - using default board multiplier")
        #expect(console.type("stats-core").contains(#""battery_mv":4100,"#))
    }

    @Test func `temporary settings for more minutes than a counter holds are taken back before they come`() {
        var console = ConsoleBench(.repeater)

        #expect(console.type("tempradio 868.1,125,7,6,35792") == "OK - temp params for 35792 mins")

        console.run(.seconds(3))
        #expect(console.node.core.parameters.frequencyKilohertz == 868_100)
        #expect(console.server.temporaryRadio == nil)
    }
}
