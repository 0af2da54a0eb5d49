import Glibc
import MeshFirmware
package import MeshSimulator
package import MeshTransports
import NIOCore
import NIOPosix
import Synchronization

/// A companion radio on a bench that a client steers: its app's interfaces are real, its time passes on request.
///
/// ```swift
/// let rig = try Rig.start(.init(endpoints: [NodeEndpoint("alice=tcp://127.0.0.1:5000")]))
/// print(rig.control, rig.endpoints)
/// rig.stop()
/// ```
///
/// A control connection offers the operations of the bench, in the words of `RigRequest`. The board has all its builds,
/// Wi-Fi, Ethernet and USB; one at a time is on the bench. A run is as reproducible as one in a single process: the
/// radio gets the requests in their order, and nothing else.
package final class Rig: Sendable {
    /// The board of the bench, and its endpoints.
    package struct Configuration: Sendable {
        /// The board, its quirks and its seed; which interface it has is asked for later.
        package var build: HeldRadio.Build
        /// The address of the control connection.
        package var control: LinkAddress
        /// One TCP port and one terminal; a missing one is opened all the same.
        ///
        /// It is any free port of this machine alone, or a terminal among the temporary files.
        package var endpoints: [NodeEndpoint]
        /// Receives a line for people about clients that come and go.
        package var log: @Sendable (String) -> Void

        package init(
            build: HeldRadio.Build = .init(), control: LinkAddress = .freePort,
            endpoints: [NodeEndpoint] = [], log: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            self.build = build
            self.control = control
            self.endpoints = endpoints
            self.log = log
        }
    }

    /// The address of the control connection, with the port that the system chose.
    package var control: LinkAddress { listener.address }
    /// The app's interfaces of the radio, as they are open.
    package let endpoints: [NodeEndpoint]
    private let group: MultiThreadedEventLoopGroup
    private let bench: NIOLoopBound<RigBench>
    private let listener: LinkListener
    private let isStopped = Atomic(false)

    private init(
        listener: LinkListener, endpoints: [NodeEndpoint], group: MultiThreadedEventLoopGroup,
        bench: NIOLoopBound<RigBench>
    ) {
        self.listener = listener
        self.endpoints = endpoints
        self.group = group
        self.bench = bench
    }

    // MARK: Starting

    /// Opens everything; nothing is left open when it fails. Blocks until then, which is not long.
    package static func start(_ configuration: Configuration) throws(EmulatorError) -> Rig {
        let wanted = try endpoints(of: configuration)
        do { try configuration.build.board.check() } catch { throw .badBoard("\(error)") }
        guard case .tcp(let host, let port) = configuration.control else {
            let reason = "a rig is steered over TCP, as in tcp://127.0.0.1:0"
            throw .link(.badAddress("\(configuration.control)", reason: reason))
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            return try open(configuration, wanted, host, port, group)
        } catch {
            try? group.syncShutdownGracefully()
            throw EmulatorError(opening: error)
        }
    }

    /// The endpoints that were asked for, and defaults for the other interfaces.
    private static func endpoints(of configuration: Configuration) throws(EmulatorError) -> [NodeEndpoint] {
        var endpoints = configuration.endpoints
        let label = endpoints.first?.label ?? "alice"
        if let other = endpoints.first(where: { $0.label != label }) {
            throw .unknownNode(other.label, known: [label])
        }
        if let modem = endpoints.first(where: { $0.service == .modem }) { throw .noModem(label: modem.label) }
        if let stranger = endpoints.first(where: { $0.endpoint.links.isEmpty }) {
            throw .link(.noListener(stranger.endpoint))
        }
        for kind in [LinkAddress.freePort, .freeTerminal] {
            switch endpoints.count(where: { $0.endpoint.links == kind.links }) {
            case 0: endpoints.append(NodeEndpoint(label: label, endpoint: kind))
            case 1: break
            default: throw .secondEndpoint(label: label)
            }
        }
        return endpoints
    }

    private static func open(
        _ configuration: Configuration, _ endpoints: [NodeEndpoint], _ host: String, _ port: UInt16,
        _ group: MultiThreadedEventLoopGroup
    ) throws -> Rig {
        let eventLoop = group.next()
        let (bench, owner) = try eventLoop.submit {
            let bench = RigBench(configuration.build, eventLoop: eventLoop, log: configuration.log)
            let owner = NIOLoopBound<any PortOwner>(bench, eventLoop: eventLoop)
            return (NIOLoopBound(bench, eventLoop: eventLoop), owner)
        }.wait()
        do {
            let bound = try endpoints.map { endpoint in
                try OpenPort.open(endpoint, owner: owner).map { opened in
                    bench.value.attach(opened.value)
                    return opened.value.endpoint
                }.wait()
            }
            let listener = try listen(host, port, bench).wait()
            return Rig(listener: listener, endpoints: bound, group: group, bench: bench)
        } catch {
            try? eventLoop.flatSubmit { bench.value.stop() }.wait()
            throw error
        }
    }

    private static func listen(
        _ host: String, _ port: UInt16, _ bench: NIOLoopBound<RigBench>
    ) -> EventLoopFuture<LinkListener> {
        bench.eventLoop.flatSubmit {
            let seat = NIOLoopBound(RigControl.Seat(), eventLoop: bench.eventLoop)
            return LinkListener.open(host: host, port: port, on: bench.eventLoop) { channel in
                let control = RigControl(bench: bench.value, seat: seat.value)
                try channel.pipeline.syncOperations.addHandler(control)
            }
        }
    }

    // MARK: Ending

    /// Closes everything and removes links; blocks until then. Calls after the first do nothing.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        let bench = bench
        try? listener.close().wait()
        try? bench.eventLoop.flatSubmit { bench.value.stop() }.wait()
        try? group.syncShutdownGracefully()
    }
}

extension LinkAddress {
    /// A terminal at a path that is free.
    fileprivate static var freeTerminal: LinkAddress {
        .pty(path: "/tmp/meshbed-rig-\(getpid())-\(UInt32.random(in: 0 ... .max)).tty")
    }
}
