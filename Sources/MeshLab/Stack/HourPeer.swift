import MeshCompanion
import MeshCore
import MeshPacket
import MeshRadio
import MeshTime
import MeshVirtualTime
import MeshWire

/// One of alice's contacts: an app with nothing but a session, which fetches what arrives, says what it has to say, and
/// repeats a text until it is acknowledged or given up.
actor HourPeer {
    /// Attempts of one text; from the third on the path is forgotten, so that it floods.
    private static let attempts: UInt8 = 8
    private static let attemptsOnPath: UInt8 = 2

    let number: Int
    let session: MeshCoreSession
    private let clock: VirtualClock
    private var stream: RandomStream
    private var lastTimestamp: UInt32 = 0
    private(set) var ledger = HourLedger()

    init(_ number: Int, session: MeshCoreSession, clock: VirtualClock, seed: Seed) {
        self.number = number
        self.session = session
        self.clock = clock
        stream = seed.stream("peer", "\(number)")
    }

    // MARK: Setting up

    /// Introduces the app, tunes the radio, and tells it whom and which channels it is to know.
    func setUp(contacts: [ContactRecord], channels: Int) async throws {
        try await session.start()
        try await session.queryDevice()
        try await session.setTime(seconds)
        try await session.tune()
        for contact in contacts { try await session.updateContact(contact) }
        try await session.join(channels)
        await session.startAutoMessageFetching()
    }

    private var seconds: UInt32 { HourWorld.seconds(at: clock.now) }

    /// Rooms take a text of the same second for a repetition.
    private func freshTimestamp() -> UInt32 {
        lastTimestamp = max(seconds, lastTimestamp + 1)
        return lastTimestamp
    }

    // MARK: Talking

    /// Says everything at its time, one after the other.
    func talk(_ sayings: [HourPlan.Saying], to alice: FixedBytes<32>, rooms: [FixedBytes<32>]) async throws {
        let start = clock.now
        var joined: Set<Int> = []
        for saying in sayings {
            try await clock.sleep(until: start.advanced(by: saying.at))
            switch saying.target {
            case .contact: try await deliver(saying.text, to: alice)
            case .channel(let channel): try await call(saying.text, on: channel)
            case .room(let room):
                if joined.insert(room).inserted { try await enter(rooms[room]) }
                try await deliver(saying.text, to: rooms[room])
            }
        }
    }

    private func call(_ text: String, on channel: Int) async throws {
        let timestamp = freshTimestamp()
        try await untilThereIsRoom {
            try await $0.sendChannelMessage(channel: HourWorld.channel(channel).index, text: text, timestamp: timestamp)
        }
    }

    private func enter(_ room: FixedBytes<32>) async throws {
        while true {
            do {
                _ = try await untilThereIsRoom { try await $0.sendLogin(to: room, password: HourWorld.password) }
                // A room takes a post of the login's second for a repetition: it acknowledges it and keeps nothing.
                return try await pause(.seconds(2))
            } catch SessionError.noAnswer {
                try await pause(.seconds(3))
            }
        }
    }

    private func deliver(_ text: String, to key: FixedBytes<32>) async throws {
        let timestamp = freshTimestamp()
        for attempt in 0..<Self.attempts {
            if attempt >= Self.attemptsOnPath { try await session.resetPath(key) }
            let sent = try await untilThereIsRoom {
                try await $0.sendMessage(to: .bytes(key.array), text: text, timestamp: timestamp, attempt: attempt)
            }
            ledger.wrote(text, code: sent.tag)
            let limit = Duration.milliseconds(Int64(sent.timeout)) * 2
            if await session.acknowledgement(of: ledger.codes(of: text), within: limit) != nil { return }
            try await pause(.milliseconds(500 * (Int64(attempt) + 1)))
        }
    }

    /// A pause of one to two times so much, so that peers do not speak all at once.
    private func pause(_ least: Duration) async throws {
        let part = Int(stream.next() % 1000)
        try await clock.sleep(for: least + least * part / 1000)
    }

    /// Tries again while the radio's pool of packets is empty.
    private func untilThereIsRoom<R: Sendable>(
        _ body: @Sendable (MeshCoreSession) async throws -> R
    ) async throws -> R {
        while true {
            do {
                return try await body(session)
            } catch SessionError.refused(_, .tableFull) {
                ledger.noRoom += 1
                try await pause(.milliseconds(500))
            }
        }
    }
}

/// What a peer has written to its radio.
struct HourLedger: Sendable {
    /// The codes of a text's attempts; each text was written once or more.
    private var written: [String: [UInt32]] = [:]
    /// Times that the radio had no packet free.
    var noRoom = 0

    mutating func wrote(_ text: String, code: UInt32) { written[text, default: []].append(code) }

    func codes(of text: String) -> [UInt32] { written[text] ?? [] }
}

extension MeshCoreSession {
    /// Sets the radio parameters of the hour.
    func tune() async throws {
        let parameters = HourWorld.parameters
        try await setRadio(
            megahertz: Double(parameters.frequencyKilohertz) / 1000,
            kilohertz: Double(parameters.bandwidthHertz) / 1000, spreadingFactor: parameters.spreadingFactor,
            codingRate: parameters.codingRate)
    }

    /// Joins the first channels of the hour.
    func join(_ channels: Int) async throws {
        for number in 0..<channels {
            let channel = HourWorld.channel(number)
            try await setChannel(channel.index, name: channel.name, secret: channel.secret)
        }
    }
}
