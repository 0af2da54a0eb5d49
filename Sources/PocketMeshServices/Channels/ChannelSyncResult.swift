/// The result of a synchronisation of channels.
public struct ChannelSyncResult: Hashable, Sendable {
    /// Slots that are in use, of those that answered.
    public var channelsSynced: Int
    /// The slots without a readable answer, in their order; their rows are as they were.
    public var errors: [ChannelSyncError]
    /// True when the reading ended early because the radio had stopped answering.
    public var isAborted: Bool

    public init(channelsSynced: Int, errors: [ChannelSyncError] = [], isAborted: Bool = false) {
        self.channelsSynced = channelsSynced
        self.errors = errors
        self.isAborted = isAborted
    }

    /// True when the service could read every slot that it requested.
    public var isComplete: Bool { errors.isEmpty }
}

/// A slot that could not be read.
public struct ChannelSyncError: Error, Hashable, Sendable {
    /// The slot, counted from 0.
    public var index: UInt8
    /// The cause; for a slot that was not requested because the reading had ended, the error that ended it.
    public var reason: StackError

    public init(index: UInt8, reason: StackError) {
        self.index = index
        self.reason = reason
    }
}

extension ChannelSyncError: CustomStringConvertible {
    public var description: String { "channel slot \(index): \(reason)" }
}
