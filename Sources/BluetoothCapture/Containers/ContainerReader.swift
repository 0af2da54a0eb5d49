/// Reads a capture file of any container, piece by piece, and lends its records to a sink in their order.
///
/// A record that is whole in a piece is lent without a copy; only one that spans two pieces is copied. At most one
/// block is kept, whatever lengths the file claims. Problems go to the sink. The records after them are read as far
/// as the container allows, and no content of a file makes the reader fail.
package struct ContainerReader: Sendable {
    /// A longer record is damage.
    package static let longestRecord = 262_144

    /// Known once the first bytes came; `nil` in the end for a file that is no capture.
    package var format: CaptureFormat? { parser.format }
    /// Nothing that follows will be read: the file was refused, or is damaged beyond this point.
    package private(set) var isDone = false

    private var parser = ContainerParser()
    /// The offset in the file of the next byte to be read.
    private var offset: UInt64 = 0
    private var skipping: UInt64 = 0
    /// The beginning of something that spans pieces.
    private var held: [UInt8] = []
    /// The number of bytes that `held` must have before they can be read.
    private var wanted = 0

    package init() {}

    /// Reads the next bytes of the file, as many as there are.
    package mutating func feed(_ chunk: Span<UInt8>, into sink: inout some RecordSink) {
        var position = 0
        while position < chunk.count, !isDone {
            if skipping > 0 {
                position += skip(atMost: chunk.count - position)
            } else if held.isEmpty {
                readInPlace(chunk, from: &position, into: &sink)
            } else {
                let end = position + min(wanted - held.count, chunk.count - position)
                hold(chunk.extracting(position..<end))
                position = end
                if held.count >= wanted { readHeld(isWhole: false, into: &sink) }
            }
        }
    }

    /// Ends the file, and reports an end in the middle of a record.
    package mutating func finish(into sink: inout some RecordSink) {
        guard !isDone else { return }
        // What is too short to tell its container by the rules may still be one.
        if format == nil { readHeld(isWhole: true, into: &sink) }
        guard !isDone else { return }
        isDone = true
        if skipping > 0 {
            parser.cut(at: offset, "the file ends \(skipping) bytes before the end of a block", into: &sink)
        } else if !held.isEmpty {
            parser.cut(at: offset, "the file ends after \(held.count) of \(wanted) bytes", into: &sink)
        }
    }

    private mutating func skip(atMost count: Int) -> Int {
        let step = min(skipping, UInt64(count))
        skipping -= step
        offset += step
        return Int(step)
    }

    /// Reads what lies whole in a piece; holds the beginning of what does not.
    private mutating func readInPlace(
        _ chunk: Span<UInt8>, from position: inout Int, into sink: inout some RecordSink
    ) {
        while position < chunk.count {
            switch parser.step(chunk.extracting(position...), at: offset, isWhole: false, into: &sink) {
            case .took(let count):
                position += count
                offset += UInt64(count)
            case .need(let count):
                hold(chunk.extracting(position...))
                wanted = count
                position = chunk.count
            case .skip(let count):
                skipping = count
                return
            case .end:
                isDone = true
                return
            }
        }
    }

    /// Reads the stored bytes, until more are needed.
    private mutating func readHeld(isWhole: Bool, into sink: inout some RecordSink) {
        // Out of the reader meanwhile, and back: lent bytes and their parser cannot both be the reader's.
        var bytes: [UInt8] = []
        swap(&bytes, &held)
        var start = 0
        reading: while start < bytes.count || (isWhole && format == nil) {
            switch parser.step(bytes.span.extracting(start...), at: offset, isWhole: isWhole, into: &sink) {
            case .took(let count):
                start += count
                offset += UInt64(count)
            case .need(let count):
                wanted = count
                break reading
            case .skip(let count):
                let here = min(count, UInt64(bytes.count - start))
                start += Int(here)
                offset += here
                skipping = count - here
            case .end:
                isDone = true
                start = bytes.count
                break reading
            }
        }
        bytes.removeFirst(start)
        swap(&bytes, &held)
    }

    private mutating func hold(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { held.append(contentsOf: $0) }
    }
}
