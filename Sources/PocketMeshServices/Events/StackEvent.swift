public import FoundationEssentials
public import MeshCompanion
public import MeshCore

/// A fact that the services of a connection have noticed or effected; emitted once, after what it reports.
///
/// Rows that an event reports are in the store when it is emitted. Nothing waits for its observers.
public enum StackEvent: Sendable {
    // MARK: Sending

    /// The radio has accepted a message, for the first time; its row is marked so.
    case messageSent(messageID: UUID)
    /// A message was delivered; the round trip time is in milliseconds. Once for each message.
    case messageDelivered(code: UInt32, roundTripTime: UInt32)
    /// A message was given up. Once for each message.
    case messageFailed(messageID: UUID)
    /// A message is tried again: the number of the retry, and the greatest number of retries.
    case messageRetried(messageID: UUID, retry: Int, maxRetries: Int)
    /// The radio has received the confirmation of any message; the trip time is in milliseconds, where the radio
    /// reports it.
    case acknowledged(code: UInt32, tripTime: UInt32?)
    /// A repeat of an own channel message was heard; how many there were.
    case repeatHeard(messageID: UUID, count: Int)

    // MARK: Messages

    /// A text of a contact is stored; not emitted for blocked senders.
    case directMessageReceived(MessageDTO, ContactDTO)
    /// A text on a channel is stored, with its slot, counted from 0; not emitted for blocked senders.
    case channelMessageReceived(MessageDTO, channelIndex: UInt8)
    /// A text is stored whose sender is no contact; the first 6 bytes of the sender's key.
    case unknownSender(keyPrefix: Data)
    /// Data of a channel, which the stack does not store.
    case datagramReceived(Resp.ChannelDataRecv, MessageArrival)

    // MARK: Contacts and paths

    /// An operation has changed the contacts of a radio, other than by synchronising.
    case contactsChanged(deviceID: UUID)
    /// A contact was removed on the radio and here, and a session with its node has ended.
    case contactRemoved(deviceID: UUID, publicKey: Data)
    /// The radio has noticed something that changed the row of a contact.
    case contactUpdated(contactID: UUID)
    /// The radio has dropped a contact by itself; the row is marked so.
    case contactDeleted(publicKey: Data)
    /// A node was heard for which the radio has no room.
    case contactsFull
    /// A node was heard that the radio did not make a contact. Once for each key.
    case contactDiscovered(name: String, contactID: UUID)
    /// The radio has received an advert of any node.
    case advertHeard(publicKey: Data)
    /// The radio has said that a path is another; the contact is asked for next.
    case pathRefreshed(publicKey: Data)
    /// The radio has another path to a contact, which is stored.
    case pathUpdated(ContactDTO)
    /// A node has answered a path discovery; stored where the answer fits one contact only.
    case pathDiscovered(DiscoveredPath)
    /// The path to a contact is another one after a send.
    case sendChangedPath(contactID: UUID, isFlood: Bool)
    /// The radio has noticed that messages to a contact are flooded now, or are not flooded any more.
    case routingChanged(contactID: UUID, isFlood: Bool)
    /// A node has answered a discovery request.
    case nodeDiscovered(NodeDiscovery)

    // MARK: Channels

    /// The radio's channels after a change, by slot.
    case channelsChanged([ChannelDTO])

    // MARK: Rooms and nodes

    /// A room has brought a post that is new and not ours.
    case roomMessageReceived(RemoteNodeSessionDTO, RoomMessageDTO)
    /// An own post was sent, delivered or lost.
    case postStatusChanged(messageID: UUID, MessageStatus)
    /// A session has become connected or disconnected.
    case sessionStateChanged(sessionID: UUID, RemoteNodeState)
    /// A keep-alive was accepted by the radio, or answered by the room, where `unsynced` posts wait then.
    case keepAliveAnswered(sessionID: UUID, unsynced: UInt8?)
    /// The status that a repeater answered over a session.
    case repeaterStatus(sessionID: UUID, NodeStatus)
    /// The measurements that a repeater answered over a session; one point for each value.
    case repeaterTelemetry(sessionID: UUID, [LPPDataPoint])
    /// A part of a repeater's table of neighbours, as it answered over a session.
    case repeaterNeighbours(sessionID: UUID, NeighboursPage)
    /// The answer to a command line, also of one for which nothing waits.
    case commandAnswered(sessionID: UUID, text: String)
    /// The status that a node answered without a session; the first 6 bytes of its key, or all.
    case nodeStatus(key: Data, NodeStatus)
    /// The measurements of a trusted node.
    case nodeTelemetry(key: Data, [LPPDataPoint])
    /// A part of a repeater's table of neighbours, asked for without a session; the 32 bytes of its key.
    case nodeNeighbours(key: Data, NeighboursPage)

    // MARK: Pictures and raw data

    /// A picture is complete and stored.
    case imageReceived(MessageDTO)
    /// A transfer has made progress, in either direction.
    case imageProgressed(ImageProgress)
    /// Raw data that is no picture's.
    case rawDataReceived(Push.RawData)

    // MARK: Synchronisation

    /// A synchronisation of contacts and channels, or a change of settings, begins or ends.
    ///
    /// Each beginning has one end, and several may overlap: pages count.
    case syncActivityChanged(isShown: Bool)
    /// A change of the list of contacts; several changes may be emitted as one.
    case contactListChanged
    /// A change of the list of conversations; several changes may be emitted as one.
    case conversationListChanged
    /// The last retry of a connection's first synchronisation has failed.
    case syncGaveUp(StackError)

    // MARK: The radio

    /// A change was verified; the radio's row as it is now.
    case settingsChanged(DeviceDTO)
    /// The RSSI and SNR of the last packet that the radio received, in dBm and dB, from its statistics.
    case radioHeard(rssi: Double, snr: Double)
    /// A reading of the battery, for any caller.
    case batteryRead(deviceID: UUID, millivolts: Int)
}
