public import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshWire

// What is put into slots, and taken out of them.
extension ChannelService {
    /// The secret of the channel that firmware creates in slot 0.
    public static var publicSecret: Data { ChannelSecret.wellKnownPublic }

    /// See `ChannelSecret.hash`.
    public static func hashSecret(_ passphrase: String) -> Data { ChannelSecret.hash(passphrase) }

    /// See `ChannelSecret.isValid`.
    public static func validateSecret(_ secret: Data) -> Bool { ChannelSecret.isValid(secret) }

    // MARK: Writing

    /// Writes a channel into a slot, in place of any other.
    @discardableResult
    public func setChannel(
        deviceID: UUID, index: UInt8, name: String, passphrase: String
    ) async throws -> ChannelDTO {
        try await setChannelWithSecret(
            deviceID: deviceID, index: index, name: name, secret: Self.hashSecret(passphrase))
    }

    /// Writes a channel with an explicit secret into a slot, in place of any other.
    @discardableResult
    public func setChannelWithSecret(
        deviceID: UUID, index: UInt8, name: String, secret: Data
    ) async throws -> ChannelDTO {
        guard Self.validateSecret(secret) else { throw StackError(.channels, .secretHashingFailed) }
        return try await write(deviceID, index, name, secret)
    }

    /// Puts the public channel into slot 0.
    ///
    /// A secret of zeros, which no stock radio understands, is written on request only. The profile must allow it too.
    /// Source: ServiceStack, SVC-135.
    @discardableResult
    public func setupPublicChannel(deviceID: UUID, usingZeroSecret: Bool = false) async throws -> ChannelDTO {
        guard !usingZeroSecret || profile.channels.allowsZeroPublicSecret else {
            throw StackError(.channels, .secretHashingFailed)
        }
        return try await write(deviceID, 0, "Public", usingZeroSecret ? ChannelSecret.zero : Self.publicSecret)
    }

    /// Writes a channel into the first free slot from 1 on.
    ///
    /// The radio is asked whether a slot is free: another app may have filled it since the last synchronisation. A
    /// channel that a slot holds already is not written into a second one.
    @discardableResult
    public func createChannel(deviceID: UUID, name: String, secret: Data) async throws -> ChannelDTO {
        guard Self.validateSecret(secret) else { throw StackError(.channels, .secretHashingFailed) }
        let device = try await inTerms(of: .channels) { try await store.fetchDevice(id: deviceID) }
        guard let device else { throw StackError(.channels, .deviceNotFound) }
        let known = try await getChannels(deviceID: deviceID)
        if let same = known.first(where: { $0.secret == secret }),
            let channel = try await fetchChannel(deviceID: deviceID, index: same.index), channel.secret == secret
        {
            return channel
        }
        let used = Set(known.map(\.index))
        for slot in 1..<max(slotCount(device.maxChannels), 1) {
            let index = UInt8(slot)
            if used.contains(index) { continue }
            guard try await fetchChannel(deviceID: deviceID, index: index) == nil else { continue }
            return try await write(deviceID, index, name, secret)
        }
        throw StackError(.channels, .noFreeSlot)
    }

    /// Creates a channel in a free slot, with the secret that the passphrase makes. Throws when there is no free slot.
    @discardableResult
    public func createChannel(deviceID: UUID, name: String, passphrase: String) async throws -> ChannelDTO {
        try await createChannel(deviceID: deviceID, name: name, secret: Self.hashSecret(passphrase))
    }

    private func write(_ deviceID: UUID, _ index: UInt8, _ name: String, _ secret: Data) async throws -> ChannelDTO {
        let name = ByteText(name).cut(to: CompanionLimits.name - 1).string
        do {
            try await session.setChannel(index, name: name, secret: FixedBytes(secret))
        } catch SessionError.refused(_, .notFound) {
            throw StackError(.channels, .invalidChannelIndex(Int(index)))
        } catch let error as SessionError {
            throw StackError(.channels, of: error)
        }
        let saved = try await inTerms(of: .channels) {
            let old = try await store.fetchChannel(deviceID: deviceID, index: index)
            let isEnabled = old?.secret == secret ? old?.isEnabled ?? true : true
            return try await store.saveChannel(
                ChannelDTO(deviceID: deviceID, index: index, name: name, secret: secret, isEnabled: isEnabled))
        }
        try await changed(deviceID)
        guard let saved else { throw StackError(.channels, .channelNotFound) }
        return saved
    }

    /// Leaves a channel: empties its slot on the radio, then removes the row from it.
    ///
    /// Messages are kept with the archived channel, and come back with it, unless they are deleted too.
    public func clearChannel(deviceID: UUID, index: UInt8, deletingMessages: Bool = false) async throws {
        do {
            try await session.setChannel(index, name: "", secret: FixedBytes())
        } catch SessionError.refused(_, .notFound) {
            throw StackError(.channels, .invalidChannelIndex(Int(index)))
        } catch let error as SessionError {
            throw StackError(.channels, of: error)
        }
        try await inTerms(of: .channels) {
            guard let row = try await store.fetchChannel(deviceID: deviceID, index: index) else { return }
            try await store.deleteChannel(id: row.id, deletingMessages: deletingMessages)
        }
        try await changed(deviceID)
    }

    // MARK: Rows

    /// Switches a channel on or off for the user; the slot of the radio keeps it.
    public func setChannelEnabled(id: UUID, _ isEnabled: Bool) async throws {
        let channel = try await inTerms(of: .channels) {
            try await store.setChannelEnabled(id: id, isEnabled)
            return try await store.fetchChannel(id: id)
        }
        if let channel { try await changed(channel.deviceID) }
    }

    /// Sets the region in which our messages on the channel are relayed; `nil` for the scope that the radio has.
    ///
    /// The radio knows no scope of a channel: it is set before each message, and reset after it. Throws
    /// `privateRegion` for a region whose key is not made of its name.
    @discardableResult
    public func setRegionScope(id: UUID, _ region: String?) async throws -> ChannelDTO {
        let region = region.flatMap(ChannelLink.region)
        if let region { try Self.check(region: region) }
        let channel = try await inTerms(of: .channels) {
            try await store.setChannelScope(id: id, region)
            return try await store.fetchChannel(id: id)
        }
        guard let channel else { throw StackError(.channels, .channelNotFound) }
        try await changed(channel.deviceID)
        return channel
    }

    private static func check(region: String) throws(StackError) {
        guard !region.hasPrefix("$") else { throw StackError(.channels, .privateRegion(region)) }
    }

    /// Marks all messages of the channel as read.
    public func clearUnreadCount(channelID: UUID) async throws {
        let channel = try await inTerms(of: .channels) {
            try await store.clearChannelUnreadCount(channelID: channelID)
            return try await store.fetchChannel(id: channelID)
        }
        if let channel { try await changed(channel.deviceID) }
    }

    // MARK: Links

    /// The channel as a link; throws `channelNotFound`.
    public func exportChannelURI(id: UUID) async throws -> String {
        let channel = try await inTerms(of: .channels) { try await store.fetchChannel(id: id) }
        guard let channel else { throw StackError(.channels, .channelNotFound) }
        return "\(ChannelLink(channel))"
    }

    /// Puts the channel of a link into the first free slot, and keeps the region that the link names.
    ///
    /// Throws `privateRegion` for a region whose key is not made of its name; nothing is written then.
    @discardableResult
    public func importChannel(uri: String, deviceID: UUID) async throws -> ChannelDTO {
        guard let link = ChannelLink(uri) else { throw StackError(.channels, .invalidChannelLink) }
        if let region = link.regionScope { try Self.check(region: region) }
        let channel = try await createChannel(deviceID: deviceID, name: link.name, secret: link.secret)
        guard let region = link.regionScope else { return channel }
        return try await setRegionScope(id: channel.id, region)
    }
}
