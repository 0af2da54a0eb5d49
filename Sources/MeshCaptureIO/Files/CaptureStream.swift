import Glibc
package import MeshCapture

/// The bytes of a file, a pipe or standard input as they come, unpacked where they are packed with gzip.
///
/// Only a piece of the packed bytes and a piece of the unpacked ones are in memory, whatever the size.
package final class CaptureStream {
    /// The result of a call of `next`.
    package enum Step: Hashable, Sendable {
        /// Bytes were read, and lent as far as they could be unpacked.
        case read
        /// Nothing came in time.
        case waited
        /// There is nothing more, or nothing more is wanted.
        case ended
    }

    /// The number of bytes that are read at once.
    package static let chunkSize = 1 << 20

    private let path: String
    private let descriptor: Int32
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    /// Bytes of the chunk that were read and not lent: the first, while two are needed to recognise the file.
    private var held = 0
    private var unpacker: Unpacker?
    private var isTold = false
    private var isAtEnd = false
    private var isUnwanted = false

    /// Opens a file, or standard input for `-`. Throws a `CaptureFileError`.
    package init(_ path: String) throws(CaptureFileError) {
        self.path = path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CaptureFileError(path) }
    }

    deinit {
        chunk.deallocate()
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Lends a piece of the bytes that are there, or that come first; `body` returns whether it wants more.
    ///
    /// - Parameter milliseconds: The longest wait for bytes; for ever without. Throws a `CaptureFileError` when the
    ///   file cannot be read.
    package func next(
        waiting milliseconds: Int32? = nil, _ body: (Span<UInt8>) -> Bool
    ) throws(CaptureFileError) -> Step {
        guard !isUnwanted else { return .ended }
        if let unpacker, unpacker.hasMore {
            isUnwanted = !unpacker.unpack(body)
            return .read
        }
        guard !isAtEnd else { return .ended }
        if let milliseconds, !comes(within: milliseconds) { return .waited }
        let count = try read()
        isAtEnd = count == 0
        held += count
        if !isTold {
            guard held >= 2 || isAtEnd else { return .read }
            isTold = true
            if held >= 2, chunk[0] == 0x1F, chunk[1] == 0x8B { unpacker = Unpacker() }
        }
        guard held > 0 else { return .ended }
        let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<held])
        held = 0
        if let unpacker {
            unpacker.take(bytes)
            isUnwanted = !unpacker.unpack(body)
        } else {
            isUnwanted = !bytes.withMemoryRebound(to: UInt8.self) { body($0.span) }
        }
        return .read
    }

    /// The fault of the packing, as far as it was read.
    package var problem: CaptureProblem? { unpacker?.finish(isEnd: isAtEnd) }

    private func comes(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    private func read() throws(CaptureFileError) -> Int {
        while true {
            let count = Glibc.read(descriptor, chunk.baseAddress?.advanced(by: held), chunk.count - held)
            if count >= 0 { return count }
            guard errno == EINTR else { throw CaptureFileError(path) }
        }
    }
}
