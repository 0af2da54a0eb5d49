import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import Testing

/// The actions of two apps with their radios, over any links and clocks.
///
/// Sessions without an app round them: this is about links, and `MeshScenarios` with its apps stands above them.
struct EndToEnd: Sendable {
    struct Report: Hashable, Sendable {
        var deviceLevel: UInt8
        var contactsOfAlice: [String]
        var contactsOfBob: [String]
        var heardByBob: [String]
        var isAcknowledged: Bool
        var adverts: Int
    }

    let clock: any Clock<Duration>
    let alice: any MeshTransport
    let bob: any MeshTransport

    func perform() async throws -> Report {
        let one = MeshCoreSession(transport: alice, clock: clock)
        let other = MeshCoreSession(transport: bob, clock: clock)
        let sessions = [one, other]
        for (session, name) in zip(sessions, ["alice", "bob"]) {
            try await session.start()
            try await session.queryDevice()
            try await session.setName(name)
        }
        let alicesKey = try await key(one)
        let adverts = await other.trackedEvents(filter: .advertisement(fromPrefix: alicesKey))
        try await meet(one, other)

        let bobsKey = try await key(other)
        let sent = try await one.sendMessage(to: .bytes(bobsKey), text: "hello bob", timestamp: 1_800_000_000)
        let ack = await one.acknowledgement(of: [sent.tag], within: .seconds(30))

        let level = await one.deviceInfo?.firmwareVersionCode ?? 0
        let ofAlice = try await names(one)
        let ofBob = try await names(other)
        let texts = try await self.texts(other)
        let advertCount = await count(adverts, of: other)
        for session in sessions { await session.stop() }
        return Report(
            deviceLevel: level, contactsOfAlice: ofAlice, contactsOfBob: ofBob, heardByBob: texts,
            isAcknowledged: ack != nil, adverts: advertCount)
    }

    /// Both advertise until both know each other.
    private func meet(_ one: MeshCoreSession, _ other: MeshCoreSession) async throws {
        for _ in 0..<10 {
            try await one.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(4))
            try await other.sendAdvertisement(flood: true)
            try await clock.sleep(for: .seconds(4))
            let first = try await names(one)
            let second = try await names(other)
            if first.contains("bob"), second.contains("alice") { return }
        }
    }

    private func names(_ session: MeshCoreSession) async throws -> [String] {
        try await session.getContacts().contacts.filter { $0.type == .chat }.map { $0.name.text.readable }
    }

    private func key(_ session: MeshCoreSession) async throws -> [UInt8] {
        let info = await session.currentSelfInfo
        return try #require(info).publicKey.array
    }

    private func count(_ subscription: EventDispatcher.Subscription, of session: MeshCoreSession) async -> Int {
        await session.unsubscribe(subscription)
        var count = 0
        for await _ in subscription.events { count += 1 }
        return count
    }

    /// Takes all messages off the radio.
    private func texts(_ session: MeshCoreSession) async throws -> [String] {
        var texts: [String] = []
        while true {
            switch try await session.getMessage() {
            case .contactMessage(let received): texts.append(received.message.text.readable)
            case .channelMessage, .channelDatagram: break
            case .noMoreMessages: return texts
            }
        }
    }
}
