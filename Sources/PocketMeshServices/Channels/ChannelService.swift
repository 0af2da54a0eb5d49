public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshWire

/// The channels in a radio's slots.
///
/// A channel is its secret. Changes of slots move, archive and bring back rows by it, so that messages stay with the
/// channel on which they came. The radio is written first, and the store after the radio's OK.
public actor ChannelService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let profile: StackProfile
    let dependencies: ServiceDependencies
    /// The events of this service: `channelsChanged`, with all slots, after each change of the store's channels.
    public nonisolated let events: StackEvents
    private let lists: (any ListRefreshing)?

    /// Makes the service. It has no tasks of its own: its operations end with the session. `lists` show its changes.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), lists: (any ListRefreshing)? = nil
    ) {
        self.session = session
        self.store = store
        self.profile = profile
        self.dependencies = dependencies
        self.events = events
        self.lists = lists
    }

    func changed(_ deviceID: UUID) async throws {
        if events.isObserved {
            let channels = try await getChannels(deviceID: deviceID)
            events.emit(.channelsChanged(channels))
        }
        await lists?.notifyConversationsChanged()
    }

    // MARK: Synchronisation

    /// Reads the radio's slots: as many as it reports, and no more than the policy's cap.
    ///
    /// Slots that fail are asked for again, after all others, as often as the policy says; three time-outs in a row end
    /// the reading. Every slot that answered is stored, in one transaction; the others stay as they were. When no slot
    /// has answered, the error is thrown.
    ///
    /// `progress` receives the number of slots that have been asked for, and the number of all, in order; it must not
    /// wait.
    @discardableResult
    public func syncChannels(
        deviceID: UUID, maxChannels: Int, progress: (@Sendable (_ done: Int, _ count: Int) -> Void)? = nil
    ) async throws -> ChannelSyncResult {
        var reading = SlotReading(count: slotCount(maxChannels), policy: profile.channels)
        while let index = reading.next() {
            do {
                reading.answered(ChannelSlot(try await session.getChannel(index)))
            } catch let error as SessionError {
                guard !error.isLinkLoss else { throw StackError(.channels, of: error) }
                reading.failed(index, error)
            }
            progress?(reading.done, reading.count)
        }
        if reading.slots.isEmpty, let failure = reading.errors.first { throw failure.reason }
        for failure in reading.errors { dependencies.log.warning("\(failure)") }
        try await inTerms(of: .channels) {
            try await store.replaceChannels(reading.slots, deviceID: deviceID)
        }
        try await changed(deviceID)
        return ChannelSyncResult(
            channelsSynced: reading.slots.count(where: \.isConfigured), errors: reading.errors,
            isAborted: reading.isAborted)
    }

    /// Returns the number of slots to read on a radio that reports this number.
    func slotCount(_ reported: Int) -> Int { min(max(reported, 0), profile.channels.slotCap, 256) }

    /// Requests one slot, and stores its channel; `nil` for an empty one.
    @discardableResult
    public func fetchChannel(deviceID: UUID, index: UInt8) async throws -> ChannelDTO? {
        let slot = try await slotOnRadio(index)
        try await inTerms(of: .channels) {
            try await store.replaceChannels([slot], deviceID: deviceID)
        }
        try await changed(deviceID)
        return try await getChannel(deviceID: deviceID, index: index)
    }

    func slotOnRadio(_ index: UInt8) async throws -> ChannelSlot {
        do {
            return ChannelSlot(try await session.getChannel(index))
        } catch SessionError.refused(_, .notFound) {
            throw StackError(.channels, .invalidChannelIndex(Int(index)))
        } catch let error as SessionError {
            throw StackError(.channels, of: error)
        }
    }

    // MARK: Reading

    /// The channels in the radio's slots, by slot.
    public func getChannels(deviceID: UUID) async throws -> [ChannelDTO] {
        try await inTerms(of: .channels) { try await store.fetchChannels(deviceID: deviceID) }
    }

    /// The channel in a slot of a radio, as the store has it.
    public func getChannel(deviceID: UUID, index: UInt8) async throws -> ChannelDTO? {
        try await inTerms(of: .channels) {
            try await store.fetchChannel(deviceID: deviceID, index: index)
        }
    }

    /// The channels that the user has not switched off.
    public func getActiveChannels(deviceID: UUID) async throws -> [ChannelDTO] {
        try await getChannels(deviceID: deviceID).filter(\.isEnabled)
    }

    /// Returns whether a slot of the radio holds the channel that all stock radios have.
    public func hasPublicChannel(deviceID: UUID) async throws -> Bool {
        try await getChannels(deviceID: deviceID).contains { channel in
            channel.secret == ChannelSecret.wellKnownPublic
                || profile.channels.allowsZeroPublicSecret && channel.index == 0 && channel.secret == ChannelSecret.zero
        }
    }
}

extension ChannelSlot {
    /// Reads a radio's answer; bytes behind the end of the name are not part of it.
    init(_ info: ChannelInfo) {
        self.init(index: info.channelIndex, name: info.name.text.readable, secret: Data(info.secret.array))
    }

    /// True when the slot is in use: it has a name or a secret.
    var isConfigured: Bool { !name.isEmpty || secret.contains { $0 != 0 } }
}
