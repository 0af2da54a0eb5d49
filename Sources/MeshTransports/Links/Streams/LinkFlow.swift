import NIOCore

/// The sizes of reads from a link, and of the output that may wait.
package struct LinkFlow: Sendable {
    /// Bytes of one read. The next read has to be asked for; until then the other side waits.
    package var readSize: Int
    /// The size of the system's buffer for a socket that is not read.
    package var receiveBuffer: Int?
    /// Bytes that may wait in this process before the channel counts as not writable.
    package var pendingLimit: Int?

    package init(readSize: Int, receiveBuffer: Int? = nil, pendingLimit: Int? = nil) {
        self.readSize = readSize
        self.receiveBuffer = receiveBuffer
        self.pendingLimit = pendingLimit
    }

    /// Applies the options of every channel of the link, before anything is read.
    func apply(to channel: any Channel) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.autoRead, value: false)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readSize))
        if let pendingLimit {
            try options.setOption(
                .writeBufferWaterMark, value: .init(low: pendingLimit / 2, high: pendingLimit))
        }
    }
}

/// The setup with which every channel begins.
struct ChannelSetup: Sendable {
    /// The kind of a descriptor.
    enum Kind {
        case tcp
        /// One end of a pair within this process.
        case pair
        /// A line, a terminal, or another file.
        case file
    }

    /// The sizes of reads; `nil` reads all bytes at once.
    let flow: LinkFlow?
    let kind: Kind
    let initializer: @Sendable (any Channel) throws -> Void

    func callAsFunction(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            if kind == .tcp { try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1) }
            if let flow {
                // Who ends what it sends may still listen.
                if kind != .file { try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true) }
                try flow.apply(to: channel)
            }
            try initializer(channel)
        }
    }
}
