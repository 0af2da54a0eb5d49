import MeshFirmware
import MeshReports
import MeshTime

// What a statement can do to the radio from outside: its link, its power, its air.
extension Probe {
    func wait(_ span: TimeSpan) throws {
        beginStep("wait \(span.milliseconds) ms")
        try target.wait((target as? PeeredTarget)?.scaled(span) ?? span)
    }

    func disconnect() throws {
        beginStep("link down")
        try target.disconnect()
        isLinked = false
        forgetPartialFrame()
    }

    func connect() throws {
        beginStep("link up")
        try target.connect()
        isLinked = true
    }

    func reconnect() throws {
        try disconnect()
        try connect()
    }

    /// Connects a second client, which is the one that talks from now on; true when the first was hung up on.
    func connectSecondClient() throws -> Bool {
        beginStep("second client")
        defer { forgetPartialFrame() }
        return try target.connectSecondClient()
    }

    /// An app at the second interface of the radio, with an eye of its own on what comes.
    func secondApp() throws -> Probe {
        beginStep("second app")
        let other = Probe(try target.secondApp())
        other.version = version
        // A link that is always there has what the first app was told before.
        try other.drain()
        return other
    }

    /// Restarts the radio by command and connects again.
    func reboot() throws {
        try send("13 'reboot'")
        try comeBack()
    }

    /// Waits for a restart that the radio was asked to make; any answer to the command was drained before.
    func comeBack() throws {
        beginStep("restart")
        try target.reconnectAfterRestart()
        noteRestart()
    }

    /// Puts a radio of another build in the place of this one.
    func useBoard(_ change: @escaping @Sendable (inout BoardProfile) -> Void) throws {
        try replace { $0.board = change }
    }

    /// Puts a radio with a processor of this family in the place of this one.
    func usePlatform(_ platform: BoardPlatform) throws {
        try replace { $0.platform = platform }
    }

    private func replace(_ change: (inout Setup) -> Void) throws {
        beginStep("other board")
        var setup = Setup(interface: setup.interface)
        change(&setup)
        try prepare(setup)
        begin()
    }

    func powerCycle() throws {
        beginStep("power cycle")
        let before = isAlone ? nil : uptime()
        let begin = moment
        try target.powerCycle()
        forgetPartialFrame()
        // The commands of a user may switch another port, and a battery goes on without any.
        guard let before, let after = uptime() else { return }
        let passed = (moment - begin).milliseconds / 1000
        guard Int64(after) + 1 > Int64(before) + passed else { return }
        throw OutOfSight(reason: "needs the power cut, and the radio went on running: a battery, or another port")
    }

    /// The seconds since the radio started; `nil` where it does not report them.
    func uptime() -> UInt32? {
        try? ask("38 00", "18 00 ?2 uptime4 …").number("uptime")
    }

    /// Makes the radio receive a packet, at 6.25 dB and −90 dBm unless stated otherwise.
    func hear(_ packet: AirPacket, snr: Double = 6.25, rssi: Double = -90) throws {
        try hear(packet.bytes, snr: snr, rssi: rssi)
    }

    func hear(_ frame: [UInt8], snr: Double = 6.25, rssi: Double = -90) throws {
        if let shared = target as? PeeredTarget { return try hear(frame, from: shared) }
        beginStep("air<", frame)
        try target.hear(frame, snr: snr, rssi: rssi)
    }

    /// The next packet that the radio sends.
    func expectAir(within span: TimeSpan = .seconds(10)) throws -> AirPacket {
        beginStep("air?")
        guard let frame = try nextTransmission(within: span) else {
            throw failure(expected: "a packet on the air", got: "silence for \(span.milliseconds) ms")
        }
        note("air>", frame)
        guard let packet = AirPacket(frame) else {
            throw failure(expected: "a packet on the air", got: FrameText.hex(frame))
        }
        return packet
    }

    /// The next packet must be of this type and travel this way.
    func expectAir(_ type: AirPacket.Kind, _ route: AirPacket.Route, within span: TimeSpan = .seconds(10)) throws
        -> AirPacket
    {
        let packet = try expectAir(within: span)
        if packet.kind == type && packet.route == route { return packet }
        // Somebody else's packet may come between.
        if sharesAir, let other = try laterPacket(type, route, within: span) { return other }
        throw failure(
            expected: "\(type) as \(route) on the air",
            got: "\(packet.kind) as \(packet.route): " + FrameText.hex(packet.bytes))
    }

    /// Nothing may be sent for a while.
    func expectQuietAir(for span: TimeSpan = .seconds(10)) throws {
        beginStep("air quiet?")
        guard let frame = try nextTransmission(within: span, isExpected: false) else { return }
        throw failure(expected: "silence on the air", got: FrameText.hex(frame))
    }

    /// Forgets what was sent so far, and what is sent in the time given.
    func skipAir(for span: TimeSpan = .seconds(5)) throws {
        while try nextTransmission(within: span, isExpected: false) != nil {}
    }

    func failStorage(writing: Bool = false, formatting: Bool = false) throws {
        beginStep("storage fails")
        try target.failStorage(writing: writing, formatting: formatting)
    }
}
