extension StreamReceiver {
    /// Returns the frames that these bytes complete, in order.
    package mutating func frames(in bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { bytes in
            var (frames, taken): ([[UInt8]], Int) = ([], 0)
            while taken < bytes.count {
                taken += append(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
                while let frame = nextFrame() { frames.append(frame) }
            }
            return frames
        }
    }
}
