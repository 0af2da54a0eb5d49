/// One field of a layout, independent of any value.
public struct FieldDescription: Hashable, Sendable {
    /// The number of bytes of a field.
    public enum Size: Hashable, Sendable {
        /// Always this many bytes.
        case fixed(Int)
        /// Follows from fields before it.
        case counted
        /// A repeated group of `elementSize` bytes, whose fields follow; to the end of the frame, unless
        /// `isCounted`.
        case list(elementSize: Int, isCounted: Bool)
        /// To the end of the frame; the limit is the sender's.
        case rest(limit: Int?)
    }

    /// The firmware's name for it.
    public let name: String
    /// The offset, while all fields before have a fixed size.
    public let offset: Int?
    /// The number of bytes of the field.
    public let size: Size
    /// The unit of its number, as it is printed; empty for a number without a unit.
    public let unit: String
    /// The values that the sender may write, or nil when the layout states none.
    public let range: ClosedRange<Int64>?
    /// The protocol level that brought it.
    public let since: UInt8
    /// True when a frame may end before it.
    public let isOptional: Bool
}

/// Walks an empty value and lists the layout: all optional tails present, one branch of each choice at a time.
public struct FieldDescriber: FieldWalker {
    /// The fields that the walk has named so far, in order.
    public private(set) var fields: [FieldDescription] = []
    /// The branches that the walk offered and that have not been described yet.
    public private(set) var otherBranches: [UInt8] = []
    /// The branch that was chosen, if the walk offered any.
    public private(set) var chosen: UInt8?
    /// The field that the branches hang on.
    public private(set) var choiceName: String?
    let branch: UInt8?
    var offset: Int?
    /// Bytes left of the optional tail that is being walked, and the level it came with.
    var tailLeft = 0
    var tailSince: UInt8 = 0

    public init(from offset: Int = 0, branch: UInt8? = nil) {
        self.offset = offset
        self.branch = branch
    }

    mutating func add(_ field: Field, _ size: FieldDescription.Size, range: ClosedRange<Int64>? = nil) {
        let inTail = tailLeft > 0
        fields.append(
            FieldDescription(
                name: field.name.description, offset: offset, size: size, unit: field.unit.description, range: range,
                since: inTail ? max(field.since, tailSince) : field.since, isOptional: inTail))
        if case .fixed(let count) = size {
            tailLeft = max(0, tailLeft - count)
            offset = offset.map { $0 + count }
        } else {
            offset = nil
        }
    }

    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        add(
            field, .fixed(MemoryLayout<T>.size),
            range: range.map { Int64(clamping: $0.lowerBound)...Int64(clamping: $0.upperBound) })
    }

    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        add(field, .fixed(size))
    }

    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        add(field, .counted)
    }

    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        add(field, .rest(limit: limit == .max ? nil : limit))
    }

    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        tailLeft = size
        tailSince = field.since
        return true
    }

    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        value = branch ?? known.lowerBound
        chosen = value
        choiceName = field.name.description
        otherBranches = known.filter { $0 != chosen }
        add(field, .fixed(1))
    }

    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        add(field, .list(elementSize: size, isCounted: announced != nil))
        return 1
    }
}

extension FieldGroup {
    /// The layout; a frame whose fields depend on a choice has one list a branch.
    public static func layout(from offset: Int = 0) -> [(branch: UInt8?, fields: [FieldDescription])] {
        var first = FieldDescriber(from: offset)
        var fields = Self()
        fields.walk(&first)
        guard let chosen = first.chosen else { return [(nil, first.fields)] }
        var layouts: [(branch: UInt8?, fields: [FieldDescription])] = [(chosen, first.fields)]
        for branch in first.otherBranches {
            var describer = FieldDescriber(from: offset, branch: branch)
            fields = Self()
            fields.walk(&describer)
            layouts.append((branch, describer.fields))
        }
        return layouts
    }
}
