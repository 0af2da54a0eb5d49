public import Foundation

/// All that the services ask of the store, so that a test can put a slow, failing or recording one in its place.
///
/// `PersistenceStore` is the store; each part of this protocol stands with the records that it is about.
public protocol PersistenceStoreProtocol: DeviceStore, EndpointStore, ContactStore, MessageStore, ChannelStore,
    RemoteNodeSessionStore, RoomMessageStore, PendingSendStore, ImageStore, SettingsStore
{
    /// Reads something early, so that the first operation does not have to read the schema.
    func warmUp() async throws(StackError)
    /// The unread messages and posts of a radio; all 0 for an unknown one.
    func getTotalUnreadCounts(deviceID: UUID) async throws(StackError) -> UnreadCounts
}

extension PersistenceStoreProtocol {
    /// A page of what a slot holds now, oldest first; of what came for the slot, while nothing is known of it.
    public func fetchMessages(
        deviceID: UUID, channelIndex: UInt8, limit: Int = 50, offset: Int = 0, before anchor: Int64? = nil
    ) async throws(StackError) -> [MessageDTO] {
        let channel = try await fetchChannel(deviceID: deviceID, index: channelIndex)
        return try await fetchMessages(
            deviceID: deviceID, thread: channel.map { .channel($0.id) } ?? .unknownChannel(channelIndex),
            limit: limit, offset: offset, before: anchor)
    }
}

/// The name that apps written for PocketMesh expect.
public typealias DataStore = PersistenceStore
