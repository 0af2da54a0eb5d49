/// The messages that wait for the app, as complete response frames, oldest first.
///
/// A full queue drops its oldest channel frame for a new one; when it holds none, the new frame is dropped. Nothing
/// is allocated ahead, so a capacity of a million costs nothing until it is used; every operation is cheap on
/// average. Source: CompanionStatements, CMP-136 to CMP-145.
public struct OfflineQueue: Sendable {
    /// `OFFLINE_QUEUE_SIZE`.
    public let capacity: Int
    /// Frames that are waiting.
    public private(set) var count = 0
    /// Frames from `head` on; an empty one was removed from the middle.
    private var frames: [[UInt8]] = []
    private var head = 0
    /// No live channel frame lies before this index.
    private var channelHint = 0

    public init(capacity: Int) {
        self.capacity = capacity
    }

    /// True when no message waits.
    public var isEmpty: Bool { count == 0 }

    /// Stores a frame; `false` when it was dropped. Places that are reserved are for frames that may be put back.
    @discardableResult
    public mutating func append(_ frame: [UInt8], reserving reserved: Int = 0) -> Bool {
        if count + reserved >= capacity {
            guard evictOldestChannelFrame() else { return false }
        }
        frames.append(frame)
        count += 1
        return true
    }

    /// The oldest frame, which leaves the queue.
    public mutating func popFirst() -> [UInt8]? {
        guard count > 0 else { return nil }
        while frames[head].isEmpty { head += 1 }
        let frame = frames[head]
        frames[head] = []
        head += 1
        count -= 1
        if count == 0 {
            frames.removeAll(keepingCapacity: frames.capacity <= 1024)
            head = 0
            channelHint = 0
        } else if head > 64, head * 2 > frames.count {
            compact()
        }
        return frame
    }

    /// Makes a removed frame the oldest again; the caller has reserved its place.
    package mutating func putBack(_ frame: [UInt8]) {
        if head > 0 {
            head -= 1
            frames[head] = frame
        } else {
            frames.insert(frame, at: 0)
        }
        count += 1
        channelHint = 0
    }

    private mutating func evictOldestChannelFrame() -> Bool {
        var index = max(channelHint, head)
        while index < frames.count, !Self.isChannelFrame(frames[index]) { index += 1 }
        channelHint = index
        guard index < frames.count else { return false }
        frames[index] = []
        count -= 1
        if frames.count - head > 2 * count + 64 { compact() }
        return true
    }

    /// Drops the removed frames; the cost is proportional to their number since the last time.
    private mutating func compact() {
        let kept = frames[..<min(channelHint, frames.count)].count { !$0.isEmpty }
        frames.removeAll { $0.isEmpty }
        head = 0
        channelHint = kept
    }

    /// CHANNEL_MSG_RECV, its V3 form, and CHANNEL_DATA_RECV.
    private static func isChannelFrame(_ frame: [UInt8]) -> Bool {
        frame.first.map { $0 == 0x08 || $0 == 0x11 || $0 == 0x1B } ?? false
    }
}
