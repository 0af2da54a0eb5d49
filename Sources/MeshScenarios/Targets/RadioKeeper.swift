import MeshCompanion
import MeshCore
import MeshTime
import MeshWire

/// What a scenario changes on a radio that belongs to somebody, as it was before: put back when the scenario is over.
struct RadioKeeper: Sendable {
    private let name: String
    private let contacts: [ContactRecord]
    private let channels: [ChannelInfo]

    /// Asks the radio.
    init(of session: MeshCoreSession) async throws {
        guard let info = await session.currentSelfInfo else { throw SessionError.notStarted }
        name = info.name.readable
        contacts = try await session.getContacts().contacts
        let count = try await session.queryDevice().maxChannels
        channels = try await session.getChannels(0..<count)
    }

    /// Puts back what is different, over a link that nobody uses.
    func restore(over link: any MeshTransport, clock: any Clock<Duration>) async throws {
        let session = MeshCoreSession(transport: link, clock: clock)
        try await session.start()
        try await restore(session)
        await session.stop()
    }

    private func restore(_ session: MeshCoreSession) async throws {
        if await session.currentSelfInfo?.name.readable != name { try await session.setName(name) }
        let present = try await session.getContacts().contacts
        for contact in present where !contacts.contains(where: { $0.publicKey == contact.publicKey }) {
            try await session.removeContact(contact.publicKey)
        }
        for contact in contacts where !present.contains(contact) { try await session.updateContact(contact) }
        for channel in channels {
            guard try await session.getChannel(channel.channelIndex) != channel else { continue }
            try await session.setChannel(
                channel.channelIndex, name: channel.name.text.readable, secret: channel.secret)
        }
    }
}
