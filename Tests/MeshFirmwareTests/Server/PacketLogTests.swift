import MeshPacket
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct PacketLogTests {
    private struct Lines: Decodable {
        let cases: [String]
    }

    private let lines = InfrastructureVectors.read("LOG-LINES", as: Lines.self).cases

    @Test func `LOG-LINES what nodes print is read and printed again`() throws {
        for line in lines {
            let read = try #require(PacketLogLine(line))
            #expect(read.text == line)
        }
        #expect(PacketLogLine(lines[0])?.event == .received(snr: 10, rssi: -60, score: 1000))
        #expect(PacketLogLine(lines[1])?.length == 23)
        #expect(PacketLogLine(lines[1])?.time == 1_715_770_692)
        #expect(PacketLogLine(lines[2])?.hashes?.source == 0x22)
    }

    @Test func `LOG-LINES packets make the lines of the reference`() throws {
        let payload = String(repeating: "00", count: 18)
        let heard = try PacketView([UInt8](hex: "15001122" + payload) ?? [])
        let relayed = try PacketView([UInt8](hex: "15018a1122" + payload) ?? [])
        let text = try PacketView([UInt8](hex: "0a0288331122" + payload) ?? [])
        let reception = PacketLogLine.Event.received(snr: 10, rssi: -60, score: 1000)

        let printed = [
            PacketLogLine(reception, heard, at: 1_715_770_692), PacketLogLine(.sent, relayed, at: 1_715_770_692),
            PacketLogLine(reception, text, at: 1_715_770_696),
        ]

        #expect(printed.map(\.text) == lines)
        #expect(
            PacketLogLine(.failed, text, at: 1_715_770_696).text
                == "10:58:16 - 15/5/2024 U: TX FAIL!, len=24 (type=2, route=D, payload_len=20)")
    }

    @Test(arguments: ServerStage.all)
    func `what is heard and sent is logged from log start to log stop, but not on a sensor`(role: ServerRole) throws {
        var stage = ServerStage(role, clock: 1_715_770_692)
        stage.hear("15001122" + String(repeating: "33", count: 18))
        #expect(stage.type("log start") == "   logging on")

        let payload = String(repeating: "00", count: 18)
        stage.hear("15001122" + payload, snr: 10)
        stage.hear("1501991122" + payload, snr: 10)
        stage.hear("0a0288331122" + payload, snr: -3.75)
        stage.hear("ff00")
        #expect(stage.type("log stop") == "   logging off")
        stage.hear("15001133" + payload)

        let file = String(decoding: stage.server.flash["/packet_log"] ?? [], as: UTF8.self)
        guard role != .sensor else { return #expect(file.isEmpty) }
        let read = try file.split(separator: "\n").map { try #require(PacketLogLine($0)) }
        let sent: [PacketLogLine.Event] = role == .repeater ? [.sent] : []
        let well = PacketLogLine.Event.received(snr: 10, rssi: -60, score: 1000)
        let events: [PacketLogLine.Event] = read.map(\.event)
        #expect(events.filter { $0 == PacketLogLine.Event.sent } == sent)
        #expect(events.count { $0 == well } == 2)
        #expect(read.last?.hashes?.source == 0x22)
        #expect(read.last.map { if case .received(let snr, _, _) = $0.event { snr } else { 0 } } == -3)
        let printed = stage.printing("log")
        #expect(printed.contains(file) && printed.hasSuffix("   EOF\r\n"))
        #expect(stage.type("log erase") == "   log erased")
        #expect(stage.server.flash["/packet_log"] == nil)
    }

    /// As `logRxRaw` of the roles and `Dispatcher::checkRecv` and `loop` of firmware 1.17.1 print it.
    @Test(arguments: ServerStage.all)
    func `a build that logs packets prints what is heard and sent on its console`(role: ServerRole) throws {
        var board = BoardProfile.vectors
        board.logsPackets = true
        var stage = ServerStage(role, board: board, clock: 1_715_770_692)
        let payload = String(repeating: "00", count: 18)
        stage.hear("15001122" + payload)
        stage.hear("15001122" + payload)
        stage.hear("ff00")

        let lines = stage.console.split(whereSeparator: \.isNewline)
        let raw = lines.compactMap { PacketLogLine.rawFrame($0).map { String($0.hex) } }
        let stamp = role == .sensor ? "" : "10:58:12 - 15/5/2024 U"
        let hash = [UInt8](hex: "15001122" + payload).flatMap { try? PacketView($0) }?.packetHash
        let digits = withUnsafeBytes(of: try #require(hash).littleEndian) { [UInt8]($0) }.hex.uppercased()
        let airtime = stage.bench.core.estimatedAirtime(bytes: 22)
        #expect(raw == (role == .sensor ? [] : ["15001122" + payload, "15001122" + payload, "FF00"]))
        #expect(
            lines.contains(
                stamp + ": RX, len=22 (type=5, route=F, payload_len=20) SNR=10 RSSI=-60 score=1000"
                    + " time=\(airtime) hash=\(digits)"))
        #expect(lines.count { $0.contains(": RX, ") } == 2)
        let sent = ": TX, len=23 (type=5, route=F, payload_len=20)"
        #expect(lines.count { $0.contains(sent) } == (role == .repeater ? 1 : 0))
        let stamped = lines.filter { role != .sensor && $0.hasPrefix(stamp) }
        #expect(stamped.allSatisfy { PacketLogLine.rawFrame($0) != nil || PacketLogLine($0) != nil })
        #expect(stage.server.flash["/packet_log"] == nil)
    }

    @Test func `a line of the console is read and printed again`() throws {
        let line = "10:58:12 - 15/5/2024 U: RX, len=24 (type=2, route=D, payload_len=20) SNR=-3 RSSI=-101 score=250"
        for more in [" time=87 hash=0123456789ABCDEF", " time=87 hash=0123456789ABCDEF [22 -> 11]"] {
            let read = try #require(PacketLogLine(line + more))
            #expect(read.text == line + more)
            #expect(read.reception == .init(airtime: 87, packetHash: 0xEFCD_AB89_6745_2301))
        }
        #expect(PacketLogLine(line + " time=87") == nil && PacketLogLine(line + " time=87 hash=01") == nil)
        let raw = PacketLogLine.rawFrame("10:58:12 - 15/5/2024 U RAW: 1500")
        #expect(raw?.hex == "1500" && raw?.time == 1_715_770_692)
        #expect(PacketLogLine.rawFrame("yesterday RAW: 1500") == nil)
    }

    @Test func `a log ends where the flash is full`() {
        var board = BoardProfile.vectors
        board.storageKiB = 2
        var stage = ServerStage(.repeater, board: board)
        stage.type("log start")

        for index in 0..<40 { stage.hear([0x0D, 0x00, UInt8(index), 0, 0, 0], observing: 100) }

        let size = stage.server.flash.usedBytes
        #expect(size <= 2048 && size > 1900)
    }

    @Test func `a line cut or spoilt anywhere is read as it stands or not at all`() {
        for line in lines {
            for count in 0..<line.utf8.count {
                var bytes = [UInt8](line.utf8)
                #expect(PacketLogLine(String(decoding: bytes.prefix(count), as: UTF8.self)).map(\.text) != line)
                for byte in [UInt8(ascii: "["), UInt8(ascii: " "), UInt8(ascii: "9"), 0xFF, 0] {
                    bytes[count] = byte
                    let spoilt = String(decoding: bytes, as: UTF8.self)
                    if let read = PacketLogLine(spoilt) { #expect(read.text == spoilt) }
                }
            }
        }
        #expect(PacketLogLine(lines[0].replacing("len=22", with: "len=99999999999999999999")) == nil)
        #expect(PacketLogLine(lines[0].replacing(") SNR", with: ")[ SNR")) == nil)
    }

    @Test(
        arguments: [
            (0, "06:28:16 - 6/2/2106 U"), (946_684_799, "06:28:15 - 6/2/2136 U"),
            (946_684_800, "00:00:00 - 1/1/2000 U"),
            (951_782_400, "00:00:00 - 29/2/2000 U"), (978_307_199, "23:59:59 - 31/12/2000 U"),
            (978_307_200, "00:00:00 - 1/1/2001 U"), (1_709_164_800, "00:00:00 - 29/2/2024 U"),
            (1_767_225_599, "23:59:59 - 31/12/2025 U"), (4_107_542_400, "00:00:00 - 29/2/2100 U"),
            (.max, "06:28:15 - 6/2/2106 U"),
        ] as [(UInt32, String)])
    func `clock times are printed as the boards' library counts them`(seconds: UInt32, text: String) {
        let time = CalendarTime(unixSeconds: seconds)

        #expect(time.logText == text)
        #expect(time.unixSeconds == seconds)
        #expect(CalendarTime(logText: text) == time)
    }

    @Test func `every day of the clock's range is printed once`() {
        var before = CalendarTime(unixSeconds: 946_684_800)
        for day in 1...49_709 as ClosedRange<UInt32> {
            let time = CalendarTime(unixSeconds: 946_684_800 &+ day * 86_400)
            let isNextDay =
                time.day == before.day + 1 && time.month == before.month && time.year == before.year
                || time.day == 1 && time.month == before.month + 1 && time.year == before.year
                || time.day == 1 && time.month == 1 && before.month == 12 && time.year == before.year + 1
            #expect(isNextDay, "\(before) \(time)")
            before = time
        }
    }
}
