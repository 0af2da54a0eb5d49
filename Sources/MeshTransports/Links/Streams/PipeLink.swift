import Glibc
import NIOCore
import NIOPosix

/// Channels over descriptors that are no sockets: serial lines, terminals, notices of the system.
enum PipeLink {
    /// The channel owns the descriptor from now on, which is closed when there is no channel.
    static func channel(
        over descriptor: Int32, isInputAlone: Bool = false, flow: LinkFlow? = nil, on eventLoop: any EventLoop,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        // Not the library's own second descriptor: it crashes when the process can have no more.
        let output = isInputAlone ? nil : fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if let output, output < 0 {
            let error = IOError(errnoCode: errno, reason: "dup")
            close(descriptor)
            return eventLoop.makeFailedFuture(error)
        }
        // A channel that was made closes them itself, also when its setup fails.
        let isMade = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: eventLoop)
        let setup = ChannelSetup(flow: flow, kind: .file, initializer: initializer)
        let bootstrap = NIOPipeBootstrap(group: eventLoop).channelInitializer { channel in
            isMade.value = true
            return setup(channel)
        }
        let opened =
            output.map { bootstrap.takingOwnershipOfDescriptors(input: descriptor, output: $0) }
            ?? bootstrap.takingOwnershipOfDescriptor(input: descriptor)
        return opened.flatMapErrorThrowing { error in
            if !isMade.value {
                close(descriptor)
                if let output { close(output) }
            }
            throw error
        }
    }
}
