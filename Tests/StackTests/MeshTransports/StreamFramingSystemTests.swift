import Foundation
import MeshCore
import MeshTestSupport
import MeshTransports
import MeshWire
import Testing

/// The framing of a TCP link for bytes that come in pieces, in heaps, and among noise.
@Suite struct StreamFramingSystemTests {
    /// A server for one client, as blunt as a socket.
    private final class Server: Sendable {
        let port: UInt16
        private let listener: Int32

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = listener
            let isBound = withUnsafeMutableBytes(of: &address) { memory in
                let place = memory.baseAddress?.assumingMemoryBound(to: sockaddr.self)
                return bind(descriptor, place, size) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, place, &size) == 0
            }
            try #require(isBound)
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit {
            close(listener)
        }

        /// Accepts the client, writes the pieces, and reads until this number of bytes has come or the client has gone.
        func serve(_ pieces: [[UInt8]], reading count: Int, closing: Bool = true) -> [UInt8] {
            let client = accept(listener, nil, nil)
            defer { if closing { close(client) } }
            for piece in pieces where write(client, piece, piece.count) < 0 { return [] }
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while received.count < count {
                let taken = read(client, &buffer, buffer.count)
                if taken <= 0 { break }
                received += buffer.prefix(taken)
            }
            return received
        }
    }

    /// Runs the server beside, on a thread that may block.
    private func beside(_ body: @escaping @Sendable () -> [UInt8]) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }

    private static let stream: [UInt8] =
        [0x00, 0xFF] + [0x3E, 2, 0, 0x01, 0x06] + [0x3E, 0, 0] + [0x3E, 0xFF, 0xFF, 0x3E, 1, 0, 0x83]
        + Array("boot noise\r\n".utf8) + [0x3E, 5, 0, 0x09, 1, 2, 3, 4]

    @Test(.proves("SVC-034"), arguments: [1, 2, 3, 7, 1000])
    func `frames are the same however the bytes are cut, and noise is skipped`(size: Int) async throws {
        let server = try Server()
        let pieces = stride(from: 0, to: Self.stream.count, by: size).map {
            [UInt8](Self.stream[$0..<min($0 + size, Self.stream.count)])
        }
        async let received = beside { server.serve(pieces, reading: 4) }
        let transport = StreamTransport(host: "127.0.0.1", port: server.port)

        try await transport.connect()
        try await transport.send([0x05])
        var frames: [[UInt8]] = []
        for await frame in await transport.receivedData { frames.append(frame) }

        #expect(frames == [[0x01, 0x06], [0x83], [0x09, 1, 2, 3, 4]])
        #expect(await received == [0x3C, 1, 0, 0x05])
        #expect(await !transport.isConnected, "the radio has closed the connection")
        await #expect(throws: MeshTransportError.notConnected) { try await transport.send([0x05]) }
    }

    @Test func `a connection that ends in the middle of a frame leaves nothing of it to the next one`() async throws {
        let server = try Server()
        let transport = StreamTransport(host: "127.0.0.1", port: server.port)
        let connections: [(pieces: [[UInt8]], frames: [[UInt8]])] = [
            ([[0x3E, 2, 0, 0x01, 0x06], [0x3E, 9, 0, 0x09, 1]], [[0x01, 0x06]]),
            ([[0x3E, 1, 0, 0x83]], [[0x83]]),
        ]
        for (pieces, expected) in connections {
            async let received = beside { server.serve(pieces, reading: 4) }
            try await transport.connect()
            try await transport.send([0x05])
            var frames: [[UInt8]] = []
            for await frame in await transport.receivedData { frames.append(frame) }

            #expect(frames == expected)
            #expect(await received == [0x3C, 1, 0, 0x05])
        }
    }

    @Test func `a radio that floods its client with frames is cut off before memory fills`() async throws {
        let server = try Server()
        let flood = Array(repeating: [0x3E, 1, 0, 0x83] as [UInt8], count: 100_000).flatMap(\.self)
        async let ended = beside { server.serve([flood], reading: 1) }
        let transport = StreamTransport(host: "127.0.0.1", port: server.port)

        try await transport.connect()
        _ = await ended
        var count = 0
        for await _ in await transport.receivedData { count += 1 }

        #expect(count == FrameInbox.limit)
        #expect(await !transport.isConnected)
    }
}
