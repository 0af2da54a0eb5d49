import MeshTime

/// Remembers how a radio was when the run began, and puts back what statements change.
///
/// Only for radios that are somebody's: an emulated one is made for each statement. A clock that was set forward by
/// less than a minute stays so; adverts that a removed contact had been heard with are gone.
final class SettingsKeeper {
    private let selfInfo: Captures
    private let deviceInfo: Captures
    private let tuning: [UInt8]
    private let autoAdd: [UInt8]
    private let scope: [UInt8]
    private let privateKey: [UInt8]?
    /// What the radio's clock showed, and when.
    private let clock: (unixSeconds: UInt32, at: ContinuousClock.Instant)
    private var channels: [[UInt8]] = []
    /// CONTACT frames.
    private let contacts: [[UInt8]]

    private var touched: [UInt8] = []
    private var touchedChannels: [UInt8] = []
    private var touchedContacts: [[UInt8]] = []
    /// Whether packets were sent to the radio, which it may answer.
    private(set) var hasHeard = false
    private var isRestoring = false

    var contactCount: Int { contacts.count }

    /// Asks the radio for everything that may have to be put back.
    init(of probe: Probe) throws {
        try probe.sendUnwatched([0x01] + [UInt8](repeating: 0x20, count: 7))
        try probe.drain()
        selfInfo = try probe.selfInfo()
        deviceInfo = try probe.deviceInfo()
        clock = (try probe.now(), ContinuousClock.now)
        tuning = try probe.ask("2B", "17 values8")["values"]
        autoAdd = try probe.ask("3B", "19 values…")["values"]
        scope = try probe.ask("40", "1C scope…")["scope"]
        let mayReplaceIdentity = probe.target.capabilities.contains(.identity)
        privateKey = mayReplaceIdentity ? try? probe.ask("17", "0E key64")["key"] : nil
        for index in 0..<(deviceInfo["channels"].first ?? 0) {
            channels.append(try probe.ask("1F \(index)", "12 ?49").frame)
        }
        try probe.send("04")
        contacts = try probe.collect { $0.first == 4 }.filter { $0.first == 3 }
    }

    /// Notes what a command is going to change.
    func willSend(_ frame: [UInt8], through probe: Probe) throws {
        guard !isRestoring, let code = frame.first else { return }
        switch code {
        // What type 0 makes lies in a hidden slot; removing it would hide somebody else.
        case 0x09: if frame.count > 33, frame[33] != 0 { note(contact: frame[1..<33]) }
        case 0x12: note(contact: AirPacket([UInt8](frame.dropFirst()))?.payload.prefix(32) ?? [])
        case 0x20: if frame.count > 1, !touchedChannels.contains(frame[1]) { touchedChannels.append(frame[1]) }
        default: break
        }
        if !touched.contains(code) { touched.append(code) }
    }

    /// Notes a node that the radio may add by itself.
    func willMeet(_ key: ArraySlice<UInt8>) {
        note(contact: key)
    }

    /// Notes that a packet is sent to the radio.
    func willHear(_ packet: AirPacket?) {
        hasHeard = true
        if let packet, packet.kind == .advert { willMeet(packet.payload.prefix(32)) }
    }

    /// Whether the statement brought the radio together with this node.
    func hasMet(_ key: ArraySlice<UInt8>) -> Bool {
        touchedContacts.contains { $0.elementsEqual(key) }
    }

    /// Commands that put something on the air.
    private static let sending: [UInt8] = [
        0x02, 0x03, 0x07, 0x10, 0x19, 0x1A, 0x1B, 0x24, 0x27, 0x32, 0x34, 0x37, 0x39, 0x3E, 0x41,
    ]

    /// Whether a statement changed or may have changed anything.
    var hasTouched: Bool { !touched.isEmpty || !touchedContacts.isEmpty }

    /// Whether the statement may have had the radio send something.
    var mayHaveSent: Bool { touches(Self.sending) }

    private func touches(_ codes: [UInt8]) -> Bool {
        touched.contains { codes.contains($0) }
    }

    private func note(contact key: ArraySlice<UInt8>) {
        let key = [UInt8](key)
        let isKey = key.count == 32 && key.contains { $0 != 0 }
        if isKey, !touchedContacts.contains(key) { touchedContacts.append(key) }
    }

    /// The settings that statements expect: automatic adding, no scope, one-byte hashes, the usual tuning.
    func normalise(through probe: Probe) throws {
        let usual: [Pattern] = [
            "26 00 00 00 00", "3A 00 00", "3D 00 00", "36 00", "3F", "15 00000000 \(UInt32(1000))",
        ]
        for command in usual { try probe.ask(command, "00") }
    }

    /// Removes the contacts that the radio had; `restoreAll` puts them back.
    func clearContacts(through probe: Probe) throws {
        try remove(contacts.map { [UInt8]($0[1..<33]) }, through: probe)
    }

    /// Removes contacts that belong to no statement.
    func remove(_ keys: [[UInt8]], through probe: Probe) throws {
        isRestoring = true
        defer { isRestoring = false }
        for key in keys { try probe.ask("0F \(key)", "00") }
    }

    /// After a statement: puts back what it changed. Answers are not judged.
    func restoreTouched(through probe: Probe) throws {
        isRestoring = true
        defer {
            isRestoring = false
            hasHeard = false
            touched = []
            touchedChannels = []
            touchedContacts = []
        }
        if touched.contains(0x18), let privateKey { try put(through: probe, "18 \(privateKey)") }
        for key in touchedContacts {
            // Somebody whom the radio knew before stays, as he was.
            if let known = contacts.first(where: { $0.count > 33 && $0[1..<33].elementsEqual(key) }) {
                try put(through: probe, "09 \(known[1...])")
            } else if try isListed(key, probe) {
                try put(through: probe, "0F \(key)")
            }
        }
        for index in touchedChannels where Int(index) < channels.count {
            try put(through: probe, "20 \(channels[Int(index)][1...])")
        }
        if touches([0x08, 0x0B, 0x0C, 0x0E, 0x25, 0x26]) { try restoreSettings(probe) }
        if touches([0x15, 0x26, 0x36, 0x3A, 0x3D, 0x3F]) { try normalise(through: probe) }
    }

    /// A contact of type 0 lies in a hidden slot, and removing it would hide somebody else.
    private func isListed(_ key: [UInt8], _ probe: Probe) throws -> Bool {
        let frame = try probe.ask("1E \(key)", "…").frame
        return frame.count > 33 && frame[33] != 0
    }

    /// Lets the radio send what is queued: packets that wait for the air are few, and the next statement needs some.
    func letQueueDrain(through probe: Probe, to limit: UInt8 = 4) throws {
        for _ in 0..<240 {
            let waiting = try probe.ask("38 00", "18 00 ?8 queue1")["queue"].first ?? 0
            if waiting <= limit { return }
            try probe.target.wait(.milliseconds(limit == 0 ? 50 : 500))
        }
    }

    /// At the end of the run: puts back everything, whether it was changed or not.
    func restoreAll(through probe: Probe) throws {
        isRestoring = true
        defer { isRestoring = false }
        try restoreClock(probe)
        try restoreSettings(probe)
        let other = ["manual", "telemetry", "policy", "acks"].flatMap { selfInfo[$0] }
        try put(through: probe, "26 \(other)")
        try put(through: probe, "15 \(tuning)")
        try put(through: probe, "3A \(autoAdd)")
        try put(through: probe, "3D 00 \(deviceInfo["mode"])")
        try put(through: probe, "3F \(scope)")
        if probe.target.capabilities.contains(.emptyContacts) {
            for contact in contacts { try put(through: probe, "09 \(contact[1...])") }
        }
    }

    /// A radio takes no earlier time from a client, but at boot it takes that of its newest contact.
    private func restoreClock(_ probe: Probe) throws {
        let passed = UInt32(clamping: (ContinuousClock.now - clock.at).components.seconds)
        let expected = clock.unixSeconds &+ passed
        let isAhead = try probe.now() > expected &+ 60
        guard isAhead, probe.target.capabilities.isSuperset(of: [.reboot, .emptyContacts]) else { return }
        try probe.ask(probe.contactFrame(.clockmaker, lastmod: expected), "00")
        try probe.reboot()
        try put(through: probe, "0F \(Peer.clockmaker.key)")
    }

    private func restoreSettings(_ probe: Probe) throws {
        try put(through: probe, "08 \(selfInfo["name"].isEmpty ? [0] : selfInfo["name"])")
        try put(through: probe, "0E \(selfInfo["lat"]) \(selfInfo["lon"])")
        let radio = ["freq", "bw", "sf", "cr"].flatMap { selfInfo[$0] } + deviceInfo["repeat"]
        try put(through: probe, "0B \(radio)")
        try put(through: probe, "0C \(selfInfo["power"])")
        try put(through: probe, "25 \(deviceInfo["pin"])")
    }

    /// The command is answered, somehow.
    private func put(through probe: Probe, _ command: Pattern) throws {
        try probe.ask(command, "…")
    }
}
