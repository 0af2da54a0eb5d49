public import FoundationEssentials

/// The circumstances of a message: the radio that received it, and the messages that came with it.
public struct MessageArrival: Sendable, Hashable {
    /// The radio that was connected when the message came.
    public var deviceID: UUID
    /// The store's newest place before the drain began that the message belongs to; `nil` when that is not known.
    ///
    /// Messages of one sender in one drain are put in the order of the sender's clock.
    public var drainMark: Int64?

    public init(deviceID: UUID, drainMark: Int64? = nil) {
        self.deviceID = deviceID
        self.drainMark = drainMark
    }
}
