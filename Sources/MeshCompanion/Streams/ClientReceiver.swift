/// The app's receiver on serial lines and TCP: hunts for a marker, the radio's, and tolerates bytes that are no
/// frame.
///
/// A serial radio is received from the middle of its output, boot messages included. A marker whose length no frame
/// can have counts as noise, and the hunt continues directly behind it.
public struct ClientReceiver: StreamReceiver {
    /// The longest frame that is believed: room for releases to come.
    public let longest: Int
    private var input: ByteQueue
    /// Bytes that were skipped between frames.
    public private(set) var noise = 0

    /// The marker in front of a frame.
    private let marker: UInt8

    /// Begins with nothing received. `longest` is the longest payload believed, `capacity` how much is kept, both in
    /// bytes. Who stands for a radio hunts for the app's marker.
    public init(marker: UInt8 = StreamFraming.toAppMarker, longest: Int = 300, capacity: Int = 4096) {
        self.marker = marker
        self.longest = longest
        input = ByteQueue(capacity: max(capacity, longest + StreamFraming.headerSize))
    }

    public var room: Int { input.free }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        input.append(bytes)
    }

    public mutating func nextFrame() -> [UInt8]? {
        while true {
            skip(input.firstIndex(of: marker))
            guard input.count >= StreamFraming.headerSize else { return nil }
            let length = Int(input[1]) | Int(input[2]) << 8
            guard (1...longest).contains(length) else {
                skip(1)
                continue
            }
            guard input.count >= StreamFraming.headerSize + length else { return nil }
            input.drop(StreamFraming.headerSize)
            return input.take(length)
        }
    }

    public mutating func reset() {
        input.removeAll()
    }

    private mutating func skip(_ count: Int) {
        input.drop(count)
        noise &+= count
    }
}
