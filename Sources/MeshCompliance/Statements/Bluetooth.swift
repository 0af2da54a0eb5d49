import MeshBluetoothHost
import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTime

extension Section {
    static let bluetooth = Section(
        letter: "C", title: "Bluetooth LE",
        statements: (bluetoothService + bluetoothSecurity + bluetoothQueues + bluetoothNames).sorted {
            $0.number < $1.number
        })

    /// About radios of one chip family, or about all.
    private static func statement(
        _ number: Int, _ title: String, needs: Abilities = [], platform: BoardPlatform? = nil,
        _ body: @escaping @Sendable (Probe) throws -> Void
    ) -> Statement {
        var statement = Statement(number, title, needs: needs.union(.bluetooth), on: .bluetooth, body)
        statement.setup.platform = platform
        return statement
    }

    // MARK: Service

    private static let bluetoothService = [
        statement(19, "The Nordic UART service has one characteristic each way") { radio in
            let service = try radio.discovered()
            try radio.require(service.receive.properties & 0x08 != 0, "RX that can be written")
            try radio.require(service.transmit.properties & 0x10 != 0, "TX that notifies")
        },
        statement(20, "One value is one frame, without header") { radio in
            try radio.beginOverBluetooth()
            let refusal = try radio.writeValue([0x05])
            try radio.require(refusal == nil, "a write that is accepted", got: "error")
            try radio.expectValue("09 time4")
            try radio.send("01 00×7 'suite'")
            // Longer than the 20 bytes of the shortest MTU.
            try radio.expectValue("05 01 …")
            try radio.require(try radio.values() == [], "one value for one frame", got: "more values")
        },
    ]

    // MARK: Security

    private static let bluetoothSecurity = [
        statement(21, "Access needs an encrypted, authenticated link") { radio in
            let service = try radio.discovered()
            try radio.requireRefused("a write of RX", try radio.writeValue([0x05]))
            if service.transmit.properties & 0x02 != 0 {
                radio.beginStep("read TX")
                try radio.requireRefused("a read of TX", try radio.central().read(service.transmit.value))
            }
        },
        statement(22, "Pairing uses a passkey that the radio displays") { radio in
            _ = try radio.discovered()
            radio.beginStep("pair with a wrong PIN")
            let central = try radio.central()
            let wrong = try central.pair(passkey: 999_999 - central.radio.passkey)
            try radio.require(
                central.passkeysAsked == 1, "a passkey that is asked for once",
                got: "asked for \(central.passkeysAsked) times")
            try radio.require(wrong == .failed(isLinked: false), "a failure, and no link any more", got: "\(wrong)")
            _ = try radio.discovered()
            try radio.pairCentral()
        },
        statement(25, "Nothing is sent or executed before the link is secure") { radio in
            _ = try radio.discovered()
            // Both are refused, as statement 21 says; what follows from them is looked at all the same.
            _ = try radio.central().subscribe()
            _ = try radio.writeValue([0x05])
            try radio.require(try radio.values() == [], "nothing", got: "an answer on a link that is not secure")
            try radio.pairCentral()
            try radio.subscribeCentral()
            try radio.require(try radio.values() == [], "nothing", got: "an answer to a command of before")
            try radio.ask("05", "09 time4")
        },
    ]

    // MARK: Values and queues

    private static let bluetoothQueues = [
        statement(
            23, "nRF52: RX can be written with and without response, TX notifies", platform: .nrf52
        ) { radio in try radio.requireProperties(receive: 0x0C, transmit: 0x10) },
        statement(
            24, "ESP32: RX is written with response, TX is read and notifies", platform: .esp32
        ) { radio in try radio.requireProperties(receive: 0x08, transmit: 0x12) },
        statement(26, "A value above 176 bytes is dropped", platform: .nrf52) { radio in
            try radio.beginOverBluetooth()
            _ = try radio.writeValue([0x05] + bytes(0, radio.switches.frameLimit))
            try radio.require(try radio.values() == [], "nothing", got: "an answer")
            try radio.ask("05", "09 time4")
        },
        statement(
            27, "ESP32: notifications are 60 ms apart", needs: .emptyContacts, platform: .esp32
        ) { radio in
            try radio.beginOverBluetooth()
            _ = try radio.values()
            for number in 0..<10 { try radio.add(Peer(number: number)) }
            let asked = try radio.central().now
            try radio.send("04")
            try radio.requirePace(since: asked, count: 12)
        },
        // A client's own commands are answered one by one, and other packets come further apart than that.
        statement(28, "ESP32: four frames may wait, further ones are lost", needs: .time, platform: .esp32) { radio in
            try radio.beginOverBluetooth()
            try radio.require("frames that arrive of ten", try radio.burst(of: 10), is: 4...5)
        },
        statement(
            29, "nRF52: twelve frames may wait, a listing pauses at eight", needs: .emptyContacts, platform: .nrf52
        ) { radio in
            try radio.beginOverBluetooth()
            for number in 0..<40 { try radio.add(Peer(number: number)) }
            try radio.send("04")
            let listed = try radio.values().filter { $0.first == 3 }.count
            try radio.require(listed == 40, "all 40 contacts of the listing", got: "\(listed)")
            guard radio.target.abilities.contains(.time) else {
                throw OutOfSight(
                    reason: "its listing pauses as it should; how many frames may wait is seen where time is under "
                        + "control: run it with --target emulator")
            }
            // Up to five are in the hands of the chip's radio.
            try radio.require("frames that arrive of thirty", try radio.burst(of: 30), is: 12...17)
        },
        statement(32, "ESP32: the MTU of 176 cuts frames to 173 bytes", platform: .esp32) { radio in
            let central = try radio.beginOverBluetooth()
            let limit = radio.switches.frameLimit
            try radio.require("MTU", UInt32(central.mtu), is: UInt32(limit))
            if radio.target.abilities.contains(.air) {
                // With its signal and code a frame as long as may be.
                try radio.hear([0x3D, 0x00] + bytes(0x61, limit - 5))
                let longest = try radio.values().filter { $0.first == 0x88 }.map(\.count).max()
                try radio.require(
                    longest == limit - 3, "a notification of \(limit - 3) bytes", got: "\(longest ?? 0) bytes")
            }
            try radio.hangUp()
            // Where nobody has asked for another MTU it is 23, for which every answer to APP_START is too long.
            try radio.connectCentral()
            try radio.require(try central.discover() != nil, "RX and TX")
            try radio.pairCentral()
            try radio.subscribeCentral()
            _ = try radio.values()
            try radio.send("01 00×7 'suite'")
            let parts = try radio.values().map(\.count)
            try radio.require(parts == [20], "one notification of 20 bytes", got: "notifications of \(parts) bytes")
        },
    ]

    // MARK: Ends and names

    private static let bluetoothNames = [
        statement(30, "A disconnect empties both queues, and advertising resumes") { radio in
            let areBuilt = radio.target.abilities.contains(.builds)
            for platform in areBuilt ? [BoardPlatform.nrf52, .esp32] : [try radio.found().platform] {
                if areBuilt, let platform { try radio.usePlatform(platform) }
                try radio.requireFoundAfterwards(as: platform)
                _ = try radio.discovered()
                try radio.pairCentral()
                // Answered, and told to nobody: a radio may remember that the suite had subscribed before.
                _ = try radio.central().subscribe(to: [])
                _ = try radio.writeValue([0x05])
                try radio.hangUp()
                try radio.beginOverBluetooth()
                try radio.require(try radio.values() == [], "nothing", got: "an answer to a command of before")
            }
        },
        statement(31, "The advertised name is the node's name at boot", needs: .restart) { radio in
            try radio.beginOverBluetooth()
            try radio.hangUp()
            let before = try radio.found().facts.name ?? ""
            try radio.require(before.hasPrefix("MeshCore-"), "a name with MeshCore- in front", got: before)
            try radio.beginOverBluetooth()
            try radio.ask("08 'Renamed'", "00")
            try radio.hangUp()
            let after = try radio.found().facts.name ?? ""
            try radio.require(after == before, before, got: after)
            try radio.beginOverBluetooth()
            // The board may be down before it has answered the write.
            do { try radio.send("13 'reboot'") } catch TargetError.linkLost {}
            try radio.comeBack()
            let renamed = try radio.found().facts.name ?? ""
            try radio.require(renamed == "MeshCore-Renamed", "MeshCore-Renamed after the restart", got: renamed)
        },
    ]
}

extension Probe {
    /// A packet for another node, which the radio reports to its app by LOG_RX_DATA alone.
    fileprivate func hearStranger(_ number: Int) throws {
        try hear(Peer(number: 1000 + number).text([UInt8]("x".utf8), at: sentAt, to: bytes(0x99, 32)))
    }

    /// Has so many frames come about at one moment, and counts those that arrive.
    fileprivate func burst(of count: Int) throws -> Int {
        _ = try values()
        for number in 0..<count { try hearStranger(number) }
        return try values().filter { $0.first == 0x88 }.count
    }

    fileprivate func require(_ what: String, _ count: Int, is allowed: ClosedRange<Int>) throws {
        try require(allowed.contains(count), "\(what): \(allowed.lowerBound) to \(allowed.upperBound)", got: "\(count)")
    }

    /// Requires a number of values to come at the radio's pace.
    fileprivate func requirePace(since asked: Instant, count: Int) throws {
        let central = try central()
        var arrivals: [Instant] = []
        while arrivals.count < 1000, try central.notification(within: target.silence) != nil {
            arrivals.append(central.lastArrival)
        }
        try require(arrivals.count >= count, "\(count) notifications", got: "\(arrivals.count)")
        // A link may hold values back and bring several at once; the last one is never too early by that.
        let span = ((arrivals.last ?? asked) - asked).milliseconds
        let shortest = Int64(60 * (arrivals.count - 1))
        try require(span >= shortest, "\(arrivals.count) notifications in \(shortest) ms or more", got: "\(span) ms")
        // The suite's own link to an emulated radio holds a value back for an event at most.
        guard target.virtualTime != nil else { return }
        let gaps = zip(arrivals.dropFirst(), arrivals).map { ($0 - $1).milliseconds }
        try require(gaps.allSatisfy { $0 >= 52 }, "60 ms from one notification to the next", got: "\(gaps) ms")
    }

    /// Connects, hangs up, and looks when the radio advertises again, in milliseconds.
    fileprivate func requireFoundAfterwards(as platform: BoardPlatform?) throws {
        // On the time of the world it is seen late, and so may be the end of the connection.
        let isExact = target.virtualTime != nil
        let patience = TestCentral.patience.milliseconds
        let range: ClosedRange<Int64> =
            platform == .esp32 ? (isExact ? 1000...1700 : 700...patience) : 0...(isExact ? 700 : patience)
        try connectCentral()
        try hangUp()
        let end = try central().now
        try found()
        let span = (try central().now - end).milliseconds
        try require(
            range.contains(span), "advertising after \(range.lowerBound) to \(range.upperBound) ms", got: "\(span) ms")
    }
}
