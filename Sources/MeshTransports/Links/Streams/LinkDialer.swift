import Dispatch
import Glibc
package import MeshTime
package import NIOCore
import NIOPosix

/// Opens the link to an address: as a descriptor for callers that block, or as a channel for others.
package enum LinkDialer {
    /// The time within which a host must answer, counted from the end of its name's lookup.
    ///
    /// The lookup has the limits of the system (`resolv.conf`: 5 s and two attempts for each name server).
    /// `getaddrinfo` cannot be ended: a limit of ours would leave a waiting thread.
    package static let limit = TimeSpan.seconds(10)

    /// Opens the link and blocks until it is there. The descriptor does not block, and is the caller's to close.
    ///
    /// A Bluetooth link has limits of its own for the steps after its controller has answered, and is open when frames
    /// pass. Its descriptor is one end of a pair of sockets, and frames have the framing of streams.
    package static func descriptor(
        to address: LinkAddress, within span: TimeSpan = limit, receiveBuffer: Int? = nil
    ) throws(LinkError) -> Int32 {
        switch address {
        case .tcp(let host, let port), .controller(.tcp(let host, let port)):
            var dial = try TCPDial(host: host, port: port, for: address, receiveBuffer: receiveBuffer)
            return try dial.connect(within: span)
        case .serial(let path, let baud): return try SerialLine.open(path, baud: baud)
        case .remote(let line): return try RemoteLineLink.open(line, within: span, receiveBuffer: receiveBuffer)
        case .controller(.androidNetsim(let instance)):
            return try netsim(instance, for: address, within: span, receiveBuffer)
        case .controller(.adapter(let number)): return try UserChannel.open(adapter: number, for: address)
        case .controller(.desktop(let number)):
            let name = number.map { "hci\($0)" } ?? "hci0"
            throw .unreachable(
                address,
                reason:
                    "bluetoothd takes no packets for it; \(LinkAddress.scheme)\(name)?\(BluetoothController.exactMode) "
                    + "is the adapter alone")
        case .bluetooth(let radio): return try BluetoothLink.open(radio)
        // Its client's side is a line like any other.
        case .pty(let path): return try SerialLine.open(path, baud: SerialLine.defaultBaud)
        }
    }

    /// Opens a controller of the Android emulator on this machine.
    private static func netsim(
        _ instance: Int, for address: LinkAddress, within span: TimeSpan, _ receiveBuffer: Int?
    ) throws(LinkError) -> Int32 {
        let found: AndroidNetsim
        do throws(AndroidNetsim.Absence) {
            found = try AndroidNetsim(instance: instance)
        } catch {
            throw .unreachable(address, reason: error.reason)
        }
        do throws(LinkError) {
            var dial = try TCPDial(
                host: LinkAddress.defaultHost, port: found.port, for: address, receiveBuffer: receiveBuffer)
            return try dial.connect(within: span)
        } catch {
            throw .unreachable(address, reason: found.reason(error.reason))
        }
    }

    /// Opens the link; fails with a `LinkError`. `initializer` receives the channel before anything is read.
    package static func channel(
        to address: LinkAddress, flow: LinkFlow? = nil, on eventLoop: any EventLoop,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let opened = eventLoop.makePromise(of: Int32.self)
        // A queue of its own: looking up a name blocks, and so does waiting for who does not answer.
        DispatchQueue(label: "a link is dialed").async {
            opened.completeWith(
                Result { () throws(LinkError) in
                    try descriptor(to: address, receiveBuffer: flow?.receiveBuffer)
                }.mapError { $0 as any Error })
        }
        return opened.futureResult.flatMap { descriptor in
            if case .controller(.adapter) = address {
                return PipeLink.channel(over: descriptor, flow: flow, on: eventLoop) { channel in
                    try channel.pipeline.syncOperations.addHandler(PacketWrites())
                    try initializer(channel)
                }
            }
            let kind = kind(of: address)
            guard kind != .file else {
                return PipeLink.channel(over: descriptor, flow: flow, on: eventLoop, initializer: initializer)
            }
            let setup = ChannelSetup(flow: flow, kind: kind, initializer: initializer)
            return ClientBootstrap(group: eventLoop).channelInitializer { setup($0) }.withConnectedSocket(descriptor)
        }.flatMapErrorThrowing { error in
            throw error as? LinkError ?? .unreachable(address, reason: reason(error))
        }
    }

    /// The kind of the descriptor that a link has.
    private static func kind(of address: LinkAddress) -> ChannelSetup.Kind {
        switch address {
        case .serial, .pty: .file
        case .bluetooth: .pair
        case .remote(let line): line.wire == .raw ? .tcp : .pair
        case .tcp, .controller: .tcp
        }
    }

    /// Returns the system's description of an error, without the wrappings.
    private static func reason(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}
