#if Web
    import MeshHTTP
    import Synchronization
    import Testing

    @testable import MeshWeb

    /// Counts from one.
    private final class Counter: Sendable {
        private let counted = Mutex(0)

        var value: Int { counted.withLock(\.self) }

        @discardableResult func count() -> Int {
            counted.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// Answers without an end of their own.
    @Suite struct WebStreamSystemTests {
        @Test func `pieces come when they are there, and the connection ends with them`() async throws {
            let (pieces, events) = AsyncStream<[UInt8]>.makeStream()
            let bench = try await WebBench(PlayedService { pieces })
            let client = try bench.client()
            client.send("GET", "/pieces")

            events.yield(Array("data: 1\n\n".utf8))
            #expect(try client.head().fields["content-type"] == "text/event-stream")
            #expect(try client.chunk() == "data: 1\n\n")
            events.yield(Array("data: 2\n\n".utf8))
            #expect(try client.chunk() == "data: 2\n\n")
            events.finish()
            #expect(try client.chunk() == nil)

            client.endOutput()
            #expect(client.isClosed())
            await bench.server.stop()
        }

        @Test func `a long stream comes whole`() async throws {
            let bench = try await WebBench(
                PlayedService {
                    let made = Counter()
                    return AsyncStream { made.count() > 500 ? nil : [UInt8](repeating: 65, count: 10_000) }
                })
            let client = try bench.client()
            client.send("GET", "/pieces")

            #expect(try client.head().fields["connection"] == "close")
            var length = 0
            while let chunk = try client.chunk() { length += chunk.utf8.count }

            #expect(length == 5_000_000)
            await bench.server.stop()
        }

        @Test func `the stream of a client that is gone ends`() async throws {
            let (ended, end) = AsyncStream<Void>.makeStream()
            let bench = try await WebBench(
                PlayedService {
                    AsyncStream { continuation in continuation.onTermination = { _ in end.yield() } }
                })
            do {
                let client = try bench.client()
                client.send("GET", "/pieces")
                await bench.service.until { $0.answered == 1 }
            }

            _ = await ended.first { true }

            #expect(try bench.client().ask("GET", "/world").status == 200)
            await bench.server.stop()
        }

        /// The socket's buffers are the only ones that fill.
        @Test func `a client that reads nothing is dropped, and little was made for it`() async throws {
            let made = Counter()
            let bench = try await WebBench(
                PlayedService {
                    AsyncStream {
                        made.count()
                        return [UInt8](repeating: 7, count: 64 * 1024)
                    }
                })
            let client = try bench.client(receiveBuffer: 4096)
            client.send("GET", "/pieces")

            // One thread serves both: when nothing is made while it serves somebody else, nothing more will be.
            let other = try bench.client()
            var same = 0
            while same < 3 {
                let before = made.value
                #expect(try other.ask("GET", "/world").status == 200)
                same = made.value == before && before > 0 ? same + 1 : 0
            }
            let limits = try await bench.timer.end(.reading, atMost: 1)

            #expect(limits == [.seconds(10)])
            #expect(made.value < 500)
            #expect(client.isClosed())
            #expect(try other.ask("GET", "/world").status == 200)
            await bench.server.stop()
        }

        @Test func `a server that stops ends its streams`() async throws {
            let bench = try await WebBench(PlayedService { AsyncStream { _ in } })
            let client = try bench.client()
            client.send("GET", "/pieces")
            await bench.service.until { $0.answered == 1 }

            await bench.server.stop()

            #expect(client.isClosed())
        }
    }
#endif
