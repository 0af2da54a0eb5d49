import CZlib
import MeshCapture

/// Unpacks gzip piece by piece; however much a file unpacks to, no more than one piece of it is in memory.
///
/// The size that a file unpacks to has a bound, too. Recorded traffic packs to a tenth; files that pack to less than a
/// hundredth were made to cost their reader time.
final class Unpacker {
    /// The size that any file may unpack to, in bytes.
    static let mostOfAny: UInt64 = 64 << 20
    /// The bytes more that it may unpack to for each of its own.
    static let mostOfEach: UInt64 = 100

    private var state = z_stream()
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: CaptureFile.chunkSize, alignment: 16)
    private var packedOffset: UInt64 = 0
    private var unpackedOffset: UInt64 = 0
    private var problem: CaptureProblem?
    /// Between two members of the file, or behind the last.
    private var isBetween = false
    /// True when the bytes so far may unpack to more.
    private(set) var hasMore = false

    init?() {
        // 15 bits of window, and 16 for the head and tail of gzip.
        let version = zlibVersion()
        guard inflateInit2_(&state, 15 + 16, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            output.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(&state)
        output.deallocate()
    }

    /// Accepts the next packed bytes, which stay where they are until all of them are unpacked.
    func take(_ packed: UnsafeRawBufferPointer) {
        packedOffset += UInt64(packed.count)
        state.next_in = packed.baseAddress.map {
            UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self))
        }
        state.avail_in = UInt32(packed.count)
        hasMore = !packed.isEmpty
    }

    /// Lends one piece of the unpacked bytes; `false` when nothing more is wanted, or can be had.
    func unpack(_ body: (Span<UInt8>) -> Bool) -> Bool {
        guard problem == nil else { return false }
        if isBetween && !beginMember() {
            hasMore = false
            return true
        }
        state.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        state.avail_out = UInt32(output.count)
        let result = inflate(&state, Z_NO_FLUSH)
        let count = output.count - Int(state.avail_out)
        unpackedOffset += UInt64(count)
        // A full output may hide more that is ready.
        hasMore = state.avail_in > 0 || state.avail_out == 0
        let bytes = UnsafeRawBufferPointer(rebasing: output[..<count])
        guard unpackedOffset <= Self.mostOfAny + Self.mostOfEach * packedOffset else {
            fail(
                "the packed file unpacks to more than \(Self.mostOfAny >> 20) MiB and \(Self.mostOfEach) times its size"
            )
            return false
        }
        guard count == 0 || bytes.withMemoryRebound(to: UInt8.self, { body($0.span) }) else { return false }
        switch result {
        case Z_OK, Z_BUF_ERROR: return true
        case Z_STREAM_END:
            isBetween = true
            return true
        default:
            let place = packedOffset - UInt64(state.avail_in)
            let reason = state.msg.map { String(cString: $0) } ?? "error \(result)"
            fail("the packing is damaged at byte \(place) of the packed file: \(reason)")
            return false
        }
    }

    /// Returns the fault of the file; `isEnd` when it was read to its end.
    func finish(isEnd: Bool) -> CaptureProblem? {
        if isEnd && problem == nil && !isBetween {
            problem = CaptureProblem(
                offset: unpackedOffset, "the packed file ends too early, after \(packedOffset) bytes")
        }
        return problem
    }

    /// A file may have several members, one after the other, and zeros behind them.
    private func beginMember() -> Bool {
        while state.avail_in > 0, state.next_in.pointee == 0 {
            state.next_in += 1
            state.avail_in -= 1
        }
        guard state.avail_in > 0 else { return false }
        inflateReset(&state)
        isBetween = false
        return true
    }

    private func fail(_ reason: String) {
        problem = CaptureProblem(offset: unpackedOffset, reason)
    }
}
