/// The options at the end of a pcapng block, one after the other.
struct PcapngOptions {
    private var position: Int
    private let end: Int
    private let order: ByteOrder

    init(in range: Range<Int>, _ order: ByteOrder) {
        position = range.lowerBound
        end = range.upperBound
        self.order = order
    }

    /// The next option's code and where its value stands; `nil` at the end, and where the list makes no sense.
    mutating func next(_ block: Span<UInt8>) -> (code: UInt16, value: Range<Int>)? {
        guard end - position >= 4 else { return nil }
        let code = block.word16(position, order)
        let length = Int(block.word16(position + 2, order))
        let start = position + 4
        guard code != 0, length <= end - start else { return nil }
        position = start + (length + 3) & ~3
        return (code, start..<start + length)
    }
}
