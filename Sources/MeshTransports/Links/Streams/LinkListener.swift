import Glibc
package import NIOCore
import NIOPosix

/// A TCP port that is listened on, and whose listening can be switched off and on again.
///
/// While it is off the port stays with this process, and the system refuses clients. Everything but `address` and
/// `close` is called on the event loop.
package struct LinkListener: Sendable {
    /// The address with the port that the system chose.
    package let address: LinkAddress
    private let door: NIOLoopBound<Door>

    /// Listens; fails with a `LinkError`. `initializer` receives the channel of each client before anything is read.
    package static func open(
        host: String, port: UInt16, flow: LinkFlow? = nil, on eventLoop: any EventLoop,
        initializer: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<LinkListener> {
        let setup = ChannelSetup(flow: flow, kind: .tcp, initializer: initializer)
        return eventLoop.submit {
            let (socket, bound) = try BoundSocket.make(host: host, port: port, receiveBuffer: flow?.receiveBuffer)
            let door = Door(socket, setup, on: eventLoop)
            return NIOLoopBound((door, LinkAddress.tcp(host: host, port: bound)), eventLoop: eventLoop)
        }.flatMap { made in
            let (door, address) = made.value
            let listener = LinkListener(
                address: address, door: NIOLoopBound(door, eventLoop: made.eventLoop))
            return door.listen().map { listener }.flatMapErrorThrowing { error in
                listener.door.value.close()
                throw error
            }
        }.flatMapErrorThrowing { throw LinkError(listeningOn: host, port, $0) }
    }

    /// True when a client is connected as far as the system knows, and is not accepted yet.
    package var hasUnaccepted: Bool { door.value.hasUnaccepted }

    /// Refuses clients from now on, and those that were not accepted yet.
    package func switchOff() { door.value.switchOff() }

    /// Listens again: clients are accepted from now on. Fails when another process has the port.
    package func switchOn() -> EventLoopFuture<Void> {
        let (listening, address) = (door.value.listen(), address)
        return listening.flatMapErrorThrowing { error in
            guard case .tcp(let host, let port) = address else { throw error }
            throw LinkError(listeningOn: host, port, error)
        }
    }

    /// Stops listening for good, and gives the port back.
    @discardableResult
    package func close() -> EventLoopFuture<Void> {
        let door = door
        guard door.eventLoop.inEventLoop else { return door.eventLoop.submit { door.value.close() } }
        door.value.close()
        return door.eventLoop.makeSucceededVoidFuture()
    }
}

/// A socket with a port, and the channel that accepts from it while it listens.
private final class Door {
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 64

    private let socket: Int32
    /// The setup of clients' channels, which refers back to this listener: removed at the close, which ends the cycle.
    private var setup: ChannelSetup?
    private let eventLoop: any EventLoop
    private var channel: (any Channel)?
    private var isListening = false
    private var isOpen = true
    /// The number of switches so far: a channel that opens after a later switch is closed.
    private var turn = 0

    init(_ socket: Int32, _ setup: ChannelSetup, on eventLoop: any EventLoop) {
        self.socket = socket
        self.setup = setup
        self.eventLoop = eventLoop
    }

    /// Begins to listen: the system accepts before anything else runs here.
    func listen() -> EventLoopFuture<Void> {
        guard isOpen, !isListening, let setup else { return eventLoop.makeSucceededVoidFuture() }
        guard Glibc.listen(socket, Self.backlog) == 0 else { return failed("listen") }
        let accepting = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard accepting >= 0 else { return failed("dup") }
        isListening = true
        turn += 1
        let turn = turn
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop).childChannelInitializer { setup($0) }
            .withBoundSocket(accepting).map { this.value.accepts(on: $0, turn) }
    }

    private func accepts(on channel: any Channel, _ turn: Int) {
        guard isListening, turn == self.turn else {
            channel.close(promise: nil)
            // Making the channel has let the socket listen again.
            if isOpen, !isListening { shutdown(socket, Int32(SHUT_RD)) }
            return
        }
        self.channel = channel
    }

    private func failed(_ call: String) -> EventLoopFuture<Void> {
        eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: call))
    }

    func switchOff() {
        guard isListening else { return }
        isListening = false
        channel?.close(promise: nil)
        channel = nil
        // The port stays bound: of a listening socket this ends the listening alone.
        shutdown(socket, Int32(SHUT_RD))
    }

    func close() {
        guard isOpen else { return }
        switchOff()
        isOpen = false
        setup = nil
        Glibc.close(socket)
    }

    var hasUnaccepted: Bool {
        guard isListening else { return false }
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        // Of a listening socket it is how many connections wait.
        return getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 && info.tcpi_unacked > 0
    }
}

/// Makes sockets that have a port of their own.
private enum BoundSocket {
    /// A socket, and its port, which stays its own also while it does not listen.
    static func make(host: String, port: UInt16, receiveBuffer: Int?) throws -> (socket: Int32, port: UInt16) {
        var address = try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
        let socket = try bound(to: address, receiveBuffer)
        guard port == 0 else { return (socket, port) }
        defer { close(socket) }
        guard let chosen = Self.port(of: socket) else { throw IOError(errnoCode: errno, reason: "getsockname") }
        // A port that the system chose is given back when listening ends; one that was asked for is not.
        address.port = Int(chosen)
        return (try bound(to: address, receiveBuffer), chosen)
    }

    private static func bound(to address: SocketAddress, _ receiveBuffer: Int?) throws -> Int32 {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(
            CInt(address.protocol.rawValue), Int32(SOCK_STREAM.rawValue) | flags, 0)
        guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        var status = set(socket, SO_REUSEADDR, 1)
        // Of the clients' sockets too, which take it over.
        if let receiveBuffer, status == 0 { status = set(socket, SO_RCVBUF, Int32(clamping: receiveBuffer)) }
        if status == 0 {
            status = address.withSockAddr { Glibc.bind(socket, $0, socklen_t($1)) }
        }
        guard status == 0 else {
            let error = IOError(errnoCode: errno, reason: "bind")
            close(socket)
            throw error
        }
        return socket
    }

    private static func set(_ socket: Int32, _ option: Int32, _ value: Int32) -> Int32 {
        var value = value
        return setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of socket: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard status == 0 else { return nil }
        // The port stands at the same place in addresses of both families.
        return withUnsafeBytes(of: &storage) { bytes in
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}

extension LinkError {
    fileprivate init(listeningOn host: String, _ port: UInt16, _ error: any Error) {
        switch error {
        case let error as LinkError: self = error
        case let error as IOError where error.errnoCode == EADDRINUSE: self = .portInUse(host: host, port: port)
        case let error as IOError:
            self = .cannotListen(host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
        case let error as SocketAddressError.UnknownHost:
            self = .cannotListen(host: host, port: port, reason: error.errorDescription)
        default: self = .cannotListen(host: host, port: port, reason: "\(error)")
        }
    }
}
