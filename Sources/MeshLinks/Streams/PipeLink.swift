import Glibc
package import NIOCore
import NIOPosix

/// Channels over descriptors that are no sockets: serial lines, terminals, notices of the system.
package enum PipeLink {
    /// The channel owns the descriptor from now on, which is closed when there is no channel.
    package static func channel(
        over descriptor: Int32, isInputAlone: Bool = false, flow: LinkFlow? = nil, on group: any EventLoopGroup,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let setup = ChannelSetup(flow: flow, isSocket: false, initializer: initializer)
        let bootstrap = NIOPipeBootstrap(group: group).channelInitializer { setup($0) }
        let opened =
            isInputAlone
            ? bootstrap.takingOwnershipOfDescriptor(input: descriptor)
            : bootstrap.takingOwnershipOfDescriptor(inputOutput: descriptor)
        return opened.flatMapErrorThrowing { error in
            _ = Glibc.close(descriptor)
            throw error
        }
    }
}
