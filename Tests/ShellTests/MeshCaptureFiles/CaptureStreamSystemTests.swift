import Glibc
import MeshCaptureIO
import MeshTestSupport
import Testing

/// Captures that come in through a pipe.
@Suite struct CaptureStreamSystemTests {
    /// A pipe whose reading end has a path.
    private struct Pipe: ~Copyable {
        private let reading: Int32
        private let writing: Int32
        var path: String { "/dev/fd/\(reading)" }

        init() {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }

        func write(_ bytes: [UInt8]) {
            #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
        }
    }

    /// Keeps what was lent.
    private struct Lent {
        var bytes: [UInt8] = []
        var longest = 0
        var pieces = 0

        mutating func take(_ piece: Span<UInt8>) -> Bool {
            pieces += 1
            longest = max(longest, piece.count)
            piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
            return true
        }
    }

    @Test func `what came is lent at once, and what has not come is not waited for longer than said`() throws {
        let pipe = Pipe()
        let stream = try CaptureStream(pipe.path)
        var lent = Lent()

        #expect(try stream.next(waiting: 0) { lent.take($0) } == .waited)
        pipe.write([1])
        // Two bytes tell whether it is packed.
        #expect(try stream.next(waiting: 0) { lent.take($0) } == .read)
        #expect(lent.bytes == [])
        pipe.write([2])
        #expect(try stream.next(waiting: 0) { lent.take($0) } == .read)
        #expect(lent.bytes == [1, 2])
        pipe.write([3, 4])
        #expect(try stream.next { lent.take($0) } == .read)
        #expect(lent.bytes == [1, 2, 3, 4])
        #expect(try stream.next(waiting: 1) { lent.take($0) } == .waited)
    }

    @Test func `a packed capture may come byte by byte`() throws {
        let file = try CaptureFileTests.pcap(20)
        let pipe = Pipe()
        let stream = try CaptureStream(pipe.path)
        var lent = Lent()

        for byte in gzip(file) {
            pipe.write([byte])
            #expect(try stream.next { lent.take($0) } == .read)
        }

        #expect(lent.bytes == file)
        #expect(try stream.next(waiting: 0) { lent.take($0) } == .waited)
        #expect(stream.problem == nil)
    }

    @Test func `however much it unpacks to, a piece is no longer than what is read at once`() throws {
        // Packed 26 to 1 and more than one piece's worth in one member after the other.
        let path = "/tmp/stream-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        let file = try #require(fopen(path, "wx"))
        for _ in 0..<40 { fwrite(CaptureFileTests.packed, 1, CaptureFileTests.packed.count, file) }
        fclose(file)
        let stream = try CaptureStream(path)
        var lent = Lent()
        var pieces = 0

        repeat { pieces = lent.pieces } while try stream.next({ lent.take($0) }) != .ended && lent.pieces <= pieces + 1

        #expect(lent.pieces == pieces, "several pieces at once are as much memory for whoever keeps them")
        #expect(stream.problem == nil)
        #expect(lent.bytes.count == 40 * (24 + 4000 * 43))
        #expect(lent.longest <= CaptureStream.chunkSize)
    }

    @Test func `nothing is read once nothing more is wanted`() throws {
        let pipe = Pipe()
        let stream = try CaptureStream(pipe.path)
        pipe.write([1, 2, 3])

        #expect(try stream.next { _ in false } == .read)
        pipe.write([4])

        #expect(try stream.next { _ in true } == .ended)
    }

    @Test(arguments: [false, true])
    func `standard input is read like a file, packed or not`(isPacked: Bool) async throws {
        let path = "/tmp/stream-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        let bytes = try CaptureFileTests.pcap(60_000)
        let file = try #require(fopen(path, "wx"))
        let written = isPacked ? gzip(bytes) : bytes
        fwrite(written, 1, written.count, file)
        fclose(file)

        // A child's, since this process has a standard input of its own.
        await #expect(processExitsWith: .success) { [path = path as String] in
            dup2(open(path, O_RDONLY), STDIN_FILENO)
            var lent = Lent()
            let problem = try CaptureFile("-").stream { lent.take($0) }
            #expect(problem == nil)
            #expect(lent.bytes.count == 24 + 60_000 * 43)
        }
    }
}
