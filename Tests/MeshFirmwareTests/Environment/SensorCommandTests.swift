import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The commands about sensors and GPS. Source: InfrastructureNodes, "Command line".
@Suite struct SensorCommandTests {
    /// The sensors' part of a command line.
    private struct Bench {
        var environment: Environment
        var preferences: ServerPreferences
        var board = BoardProfile.heltecV3
        var now = Instant.seconds(100)
        var saves = 0

        init(build: GPSBuild = .complete, gps: GPSSignal? = nil, isOn: Bool = false) {
            board.gpsBuild = build
            environment = Environment(board: board)
            environment.gps = gps
            environment.startGPS(isOn: isOn, at: .start)
            preferences = ServerPreferences(role: .sensor, board: board)
        }

        /// The reply; `nil` when the line is not one of these commands.
        mutating func ask(_ line: String) -> String? { ask([UInt8](line.utf8))?.string }

        mutating func ask(_ line: [UInt8]) -> ByteText? {
            if let text = environment.answerSensorCommand(line, build: board.gpsBuild, at: now) { return text }
            let before = preferences
            let reply = environment.answerGPSCommand(line, preferences: &preferences, board: board, at: now)
            if reply?.savesPreferences == true { saves += 1 } else { #expect(preferences == before) }
            if reply?.crashes == true { return "crash" }
            return reply?.text
        }
    }

    private struct Script: Decodable {
        struct Line: Decodable {
            let command: String
            let reply: String?
        }

        let script: [Line]
    }

    @Test func `CLI-GPS a build without anything to find answers as the reference does`() {
        var bench = Bench(build: .withoutProvider)
        let script = InfrastructureVectors.read("CLI-GPS", as: Script.self).script

        for line in script { #expect(bench.ask(line.command) == line.reply, "\(line.command)") }

        #expect(script.count == 12)
        // setloc, and three words that gps advert knows
        #expect(bench.saves == 4)
    }

    @Test func `CLI-SCRIPT a build without GPS has no variables and no such command`() {
        var bench = Bench(build: .absent)
        let script = InfrastructureVectors.read("CLI-SCRIPT", as: Script.self).script
            .filter { $0.command.hasPrefix("sensor") || $0.command.hasPrefix("gps") }

        for line in script { #expect(bench.ask(line.command) ?? "Unknown command" == line.reply, "\(line.command)") }

        #expect(script.count == 5)
    }

    @Test func `a GPS that was found is a variable that can be read, set and listed`() {
        var bench = Bench(gps: GPSSignal())

        let replies = [
            "sensor get gps", "sensor set gps 1", "sensor get gps", "sensor list", "sensor list 0", "sensor list 1",
            "sensor list x", "sensor set gps_interval 30", "sensor get gps_interval", "sensor set gps 0",
            "sensor get gps", "sensor set gps", "sensor get gps", "sensor get gps ", "sensor set GPS 1",
        ].map { bench.ask($0) }

        #expect(
            replies == [
                "> 0", "ok", "> 1", "1 vars\ngps=1", "1 vars\ngps=1", "no custom var", "1 vars\ngps=1", "ok", "null",
                "ok", "> 0", "ok", "> 1", "null", "can't find custom var",
            ])
        // Only the gps commands are kept over a restart.
        #expect(bench.preferences.gpsEnabled == 0 && bench.saves == 0)
        #expect(bench.environment.receiver.interval == 30)
    }

    @Test func `words of a setting are one space apart, and what follows is ignored`() {
        var bench = Bench(gps: GPSSignal())

        #expect(bench.ask("sensor set gps 0 and more") == "ok")
        #expect(bench.ask("sensor get gps") == "> 0")
        // Two spaces make an empty value, which is not 0.
        #expect(bench.ask("sensor set gps  0") == "ok")
        #expect(bench.ask("sensor get gps") == "> 1")
        #expect(bench.ask("sensor set  gps 0") == "can't find custom var")
        #expect(bench.ask("sensor set ") == "can't find custom var")
        #expect(bench.ask("sensor set") == nil)
        #expect(bench.ask("sensor") == nil)
    }

    @Test func `the interval can be set in every build for GPS`() {
        var without = Bench()
        var none = Bench(build: .absent)

        #expect(without.ask("sensor set gps_interval 60") == "ok")
        #expect(none.ask("sensor set gps_interval 60") == "can't find custom var")
        #expect(without.ask("sensor list") == "no custom var")
    }

    @Test func `a list from below zero shows what null pointers print as, and is cut`() {
        var bench = Bench(gps: GPSSignal())

        // 2^32 − 1 is −1, and 2^31 the least number.
        #expect(bench.ask("sensor list 4294967295") == "1 vars\n(null)=(null)\ngps=0")
        #expect(
            bench.ask("sensor list 2147483648")
                == "1 vars\n" + String(repeating: "(null)=(null)\n", count: 10) + "... next:-2147483638")
    }

    @Test func `gps on and off start and stop the receiver, and are kept`() {
        var bench = Bench(gps: GPSSignal(way: [WayPoint(latitude: 1, longitude: 1)], satellites: 9))

        #expect(bench.ask("gps") == "off")
        #expect(bench.ask("gps on") == "ok")
        #expect(bench.preferences.gpsEnabled == 1)
        #expect(bench.ask("gps") == "on, active, no fix, 0 sats")
        bench.now = .seconds(131)
        #expect(bench.ask("gps") == "on, active, fix, 9 sats")
        #expect(bench.ask("gps offside") == "ok")
        #expect(bench.preferences.gpsEnabled == 0)
        #expect(bench.ask("gpsx") == "off")
        #expect(bench.saves == 2)
    }

    @Test func `a receiver that cannot be switched stays on and shows what it last saw`() {
        var bench = Bench(gps: GPSSignal(way: [WayPoint(latitude: 1, longitude: 1)]), isOn: true)
        bench.board.switchesGPS = false

        #expect(bench.ask("gps off") == "ok")
        #expect(bench.ask("gps") == "on, deactivated, fix, 8 sats")

        var never = Bench(gps: GPSSignal(way: [WayPoint(latitude: 1, longitude: 1)]))
        never.board.switchesGPS = false
        #expect(never.ask("gps") == "on, deactivated, no fix, 0 sats")
    }

    @Test func `gps setloc copies the place into the settings`() {
        let signal = GPSSignal(way: [WayPoint(latitude: 51_507_400, longitude: -127_800)])
        var bench = Bench(gps: signal, isOn: true)

        #expect(bench.ask("gps setloc") == "ok")

        #expect(bench.preferences.latitude == 51.5074 && bench.preferences.longitude == -0.1278)
        #expect(bench.saves == 1)
    }

    @Test func `the state of a GPS that was not found crashes an ESP32, and is off on an nRF52`() {
        var bench = Bench()
        #expect(bench.ask("gps") == "crash")
        #expect(bench.ask("gps on") == "gps toggle not found")
        #expect(bench.ask("gps sync") == "ok")

        bench.board = .rak4631
        #expect(bench.ask("gps") == "off")
    }

    @Test func `gps advert takes one byte of any kind before its word`() {
        var bench = Bench()

        let replies = [
            "gps advert", "gps advert=none", "gps advert", "gps advert  none", "gps advertshare", "gps advert sharexyz",
            "gps advert", "gps advert ",
        ].map { bench.ask($0) }

        #expect(replies == ["> prefs", "ok", "> none", "error", "error", "ok", "> share", "error"])
    }

    @Test func `no line traps, and no reply is longer than a text`() {
        var random = Seed(8).stream("lines")
        let words = ["sensor ", "set ", "get ", "list ", "gps", "gps_interval", " ", "0", "4294967290", "advert", "on"]
        for _ in 0..<20_000 {
            var bench = Bench(gps: GPSSignal(), isOn: true)
            var line: [UInt8] = []
            for _ in 0..<random.draw(1, 6) { line += words[Int(random.draw(0, UInt32(words.count)))].utf8 }
            for _ in 0..<random.draw(0, 3) { line.append(random.nextByte()) }
            let reply = bench.ask(line)
            #expect((reply?.count ?? 0) <= 160)
        }
    }
}
