import Foundation
import MeshTestSupport
import MeshTime
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MeshTransports

/// Sockets, lines and terminals, opened by the one who opens them.
@Suite struct LinkSystemTests {
    /// Keeps what comes over a channel.
    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let bytes = Mutex<[UInt8]>([])

        var all: [UInt8] { bytes.withLock { $0 } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let read = [UInt8](unwrapInboundIn(data).readableBytesView)
            bytes.withLock { $0 += read }
        }
    }

    private static let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    private func scratch() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("link-\(UUID().uuidString)").path
    }

    private func dial(
        _ address: LinkAddress, within span: TimeSpan = .seconds(5)
    ) throws(LinkError) -> TestClient {
        TestClient(descriptor: try LinkDialer.descriptor(to: address, within: span))
    }

    // MARK: TCP

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a port is dialed at whichever address of its host answers`(host: String) throws {
        let server = try TestServer()
        let client = try dial(.tcp(host: host, port: UInt16(server.port)))
        let other = try server.accept()

        client.send([1, 2, 3])

        #expect(other.receive(3) == [1, 2, 3])
    }

    @Test func `a dialed channel is like a dialed descriptor`() async throws {
        let server = try TestServer()
        let collector = Collector()
        let channel = try await LinkDialer.channel(
            to: .tcp(host: "127.0.0.1", port: UInt16(server.port)), on: Self.loop
        ) { try $0.pipeline.syncOperations.addHandler(collector) }.get()
        var other: TestClient? = try server.accept()

        try await channel.writeAndFlush(ByteBuffer(bytes: [4, 5]))
        other?.send([6, 7])

        #expect(other?.receive(2) == [4, 5])
        other = nil
        try await channel.closeFuture.get()
        #expect(collector.all == [6, 7])
    }

    @Test func `nothing is read that was not asked for`() async throws {
        let server = try TestServer()
        let collector = Collector()
        let channel = try await LinkDialer.channel(
            to: .tcp(host: "127.0.0.1", port: UInt16(server.port)), flow: LinkFlow(readSize: 4), on: Self.loop
        ) { try $0.pipeline.syncOperations.addHandler(collector) }.get()
        let other = try server.accept()
        other.send([1, 2, 3, 4, 5, 6])
        // What would be read of its own accord is read before the loop comes to this.
        for _ in 0..<3 { try await channel.eventLoop.submit {}.get() }
        #expect(collector.all.isEmpty)

        channel.read()
        while collector.all.isEmpty { try await channel.eventLoop.submit {}.get() }

        #expect(collector.all == [1, 2, 3, 4])
        try await channel.close()
    }

    @Test func `who is refused is told by whom, with and without waiting`() async throws {
        let server = try TestServer(isListening: false)
        let address = LinkAddress.tcp(host: "127.0.0.1", port: UInt16(server.port))
        let expected = LinkError.unreachable(address, reason: "Connection refused")

        #expect(throws: expected) { try dial(address) }
        await #expect(throws: expected) { try await LinkDialer.channel(to: address, on: Self.loop) { _ in }.get() }
        #expect(expected.description == "127.0.0.1 port \(server.port): Connection refused")
    }

    @Test func `a listener has the port that the system chose, and has it alone`() async throws {
        let collector = Collector()
        let listener = try await LinkListener.open(host: "127.0.0.1", port: 0, on: Self.loop) {
            try $0.pipeline.syncOperations.addHandler(collector)
        }.get()
        guard case .tcp(let host, let port) = listener.address else { return }
        #expect(host == "127.0.0.1" && port > 0)
        await #expect(throws: LinkError.portInUse(host: host, port: port)) {
            try await LinkListener.open(host: host, port: port, on: Self.loop) { _ in }.get()
        }
        let client = try dial(listener.address)

        client.send([9])
        while collector.all.isEmpty { try await Self.loop.submit {}.get() }
        try await listener.close().get()

        #expect(collector.all == [9])
        #expect(throws: LinkError.self) { try dial(listener.address) }
    }

    @Test(arguments: [false, true])
    func `a listener that is switched off refuses clients, keeps its port, and accepts when it is on again`(
        isChosen: Bool
    ) async throws {
        let loop = Self.loop
        var (host, port) = ("127.0.0.1", UInt16(0))
        if isChosen {
            // A number that was free a moment ago.
            let other = try await LinkListener.open(host: host, port: 0, on: loop) { _ in }.get()
            if case .tcp(_, let free) = other.address { port = free }
            try await other.close().get()
        }
        let collector = Collector()
        let listener = try await LinkListener.open(host: host, port: port, on: loop) {
            try $0.pipeline.syncOperations.addHandler(collector)
        }.get()
        if case .tcp(let own, let number) = listener.address { (host, port) = (own, number) }

        for round in 1...3 {
            try await loop.submit { listener.switchOff() }.get()
            let refused = LinkError.unreachable(listener.address, reason: "Connection refused")
            #expect(throws: refused) { try dial(listener.address) }
            try await loop.flatSubmit { listener.switchOn() }.get()
            let client = try dial(listener.address)
            client.send([UInt8(round)])
            while collector.all.count < round { try await loop.submit {}.get() }
        }

        #expect(collector.all == [1, 2, 3])
        try await listener.close().get()
    }

    @Test func `a listener that is switched on and off at once does not listen`() async throws {
        let loop = Self.loop
        let listener = try await LinkListener.open(host: "127.0.0.1", port: 0, on: loop) { _ in }.get()

        try await loop.submit {
            listener.switchOff()
            _ = listener.switchOn()
            listener.switchOff()
        }.get()
        // The channel of the second one comes about in between.
        for _ in 0..<100 { try await loop.submit {}.get() }

        #expect(throws: LinkError.self) { try dial(listener.address) }
        try await loop.flatSubmit { listener.switchOn() }.get()
        _ = try dial(listener.address)
        try await listener.close().get()
    }

    @Test func `an address that is not this machine's is not listened on`() async {
        // Of a network for documentation.
        let error = await #expect(throws: LinkError.self) {
            try await LinkListener.open(host: "192.0.2.1", port: 5000, on: Self.loop) { _ in }.get()
        }

        #expect(error?.description.hasPrefix("cannot listen on 192.0.2.1 port 5000: ") == true)
    }

    // MARK: Lines

    @Test(arguments: SerialLine.bauds)
    func `a line is opened raw, without flow control, at the rate that is asked for`(baud: Int) throws {
        let radio = try TestTerminal()
        let before = try dial(.serial(path: radio.path))
        var settings = termios()
        tcgetattr(before.descriptor, &settings)
        settings.c_iflag |= tcflag_t(IXON | IXOFF | ICRNL)
        settings.c_lflag |= tcflag_t(ECHO | ICANON)
        settings.c_cflag |= tcflag_t(CRTSCTS)
        tcsetattr(before.descriptor, TCSANOW, &settings)

        let line = try dial(.serial(path: radio.path, baud: baud))

        tcgetattr(line.descriptor, &settings)
        #expect(settings.c_iflag & tcflag_t(IXON | IXOFF | IXANY | ICRNL) == 0)
        #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        #expect(settings.c_cflag & tcflag_t(CRTSCTS) == 0)
        #expect(settings.c_cflag & tcflag_t(CLOCAL | CREAD) == tcflag_t(CLOCAL | CREAD))
        let speeds = [
            9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600, 115_200: B115200, 230_400: B230400,
            460_800: B460800, 921_600: B921600,
        ]
        #expect(cfgetospeed(&settings) == speeds[baud].map { speed_t($0) })
        line.send([0x11, 0x13, 0x0D, 0x03])
        #expect(radio.side.receive(4) == [0x11, 0x13, 0x0D, 0x03])
    }

    @Test func `what is no line is refused with the reason`() {
        #expect(throws: LinkError.noLine(path: "/dev/no-such-line")) { try dial(.serial(path: "/dev/no-such-line")) }
        for (path, baud, reason) in [
            ("/dev/null", 115_200, "is not a serial line"),
            ("/dev/null", 300, "300 baud is none of \(SerialLine.bauds)"),
            ("/tmp", 9600, "Is a directory"),
        ] {
            let address = LinkAddress.serial(path: path, baud: baud)
            #expect(throws: LinkError.unreachable(address, reason: reason)) { try dial(address) }
        }
    }

    // MARK: Terminals

    @Test func `a terminal is found under its link, dialed as a line, and gone when it is closed`() throws {
        let path = scratch()
        let terminal = try Terminal(linkPath: path)
        let client = try dial(.pty(path: path))

        #expect(terminal.write([1, 2, 3][...]) == 3)
        #expect(client.receive(3) == [1, 2, 3])
        client.send([4])
        #expect(throws: LinkError.pathOccupied(path: path)) { try Terminal(linkPath: path) }
        terminal.close()

        #expect(throws: LinkError.noLine(path: path)) { try dial(.pty(path: path)) }
    }

    @Test func `a terminal that is closed twice closes nobody else's descriptors`() throws {
        let terminal = try Terminal(linkPath: scratch())
        terminal.close()
        let others = (0..<8).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { others.forEach { _ = close($0) } }

        terminal.close()

        #expect(others.allSatisfy { fcntl($0, F_GETFD) >= 0 })
    }

    @Test func `what a client wrote before it closed the terminal is found at once`() throws {
        for round in 0..<100 {
            let terminal = try Terminal(linkPath: scratch())
            defer { terminal.close() }
            #expect(!terminal.hasInput)
            var client: TestClient? = try dial(.pty(path: terminal.linkPath))
            client?.send([1])
            client = nil

            #expect(terminal.hasInput, "round \(round)")
        }
    }

    @Test func `a channel whose setup fails says why, and closes its descriptor once`() async throws {
        struct Refused: Error {}
        let radio = try TestTerminal()
        for isInputAlone in [true, false] {
            let descriptor = open(radio.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            await #expect(throws: Refused.self) {
                try await PipeLink.channel(over: descriptor, isInputAlone: isInputAlone, on: Self.loop) { _ in
                    throw Refused()
                }.get()
            }
        }
    }

    @Test func `a link that a killed program has left is replaced, and nothing else is`() throws {
        let path = scratch()
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/pts/999999")
        let terminal = try Terminal(linkPath: path)
        terminal.close()
        try Data("mine".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }

        #expect(throws: LinkError.pathOccupied(path: path)) { try Terminal(linkPath: path) }
        #expect(throws: LinkError.noTerminal(path: path + "/a", reason: "Not a directory")) {
            try Terminal(linkPath: path + "/a")
        }
    }
}
