import MeshWire

/// Walks bytes and lists the steps of the walk: names, sizes and kinds of the fields, without their values.
///
/// Tails count as present, and a list to the end of the frame as one element.
struct FieldShaper: FieldWalker {
    /// One step of a walk.
    enum Step: Hashable, Sendable {
        case number(name: String, size: Int, isSigned: Bool, isHex: Bool)
        case bytes(name: String, size: Int, isText: Bool)
        /// All bytes to the end of the frame.
        case rest(name: String, isText: Bool)
        /// The fields of the next bytes are there together or not at all.
        case tail(size: Int)
        /// The fields of the next bytes are repeated: so many times, or to the end of the frame.
        case list(size: Int, count: Int?)
    }

    private var reader: FieldReader
    private let keepsSteps: Bool
    /// The steps, unless only the signature is wanted.
    private(set) var steps: [Step] = []
    /// The offset of each step.
    private(set) var offsets: [Int] = []
    /// A number that differs where the steps do.
    private(set) var signature: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ memory: UnsafeRawBufferPointer, from offset: Int, keepsSteps: Bool) {
        reader = FieldReader(memory, from: offset)
        self.keepsSteps = keepsSteps
    }

    private mutating func mix(_ number: Int) {
        signature = (signature ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }

    private mutating func add(_ field: Field, _ kind: Int, _ size: Int, _ step: @autoclosure () -> Step) {
        mix(kind)
        mix(size)
        field.name.withUTF8Buffer { for byte in $0 { mix(Int(byte)) } }
        guard keepsSteps else { return }
        steps.append(step())
        offsets.append(reader.offset)
    }

    mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        let size = MemoryLayout<T>.size
        add(
            field, 1, size,
            .number(name: field.name.description, size: size, isSigned: T.isSigned, isHex: field.unit == .hex))
        reader.integer(field, &value, in: nil)
    }

    mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        add(field, 2, size, .bytes(name: field.name.description, size: size, isText: field.unit == .text))
        reader.fixed(field, &value)
    }

    mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        add(field, 2, count, .bytes(name: field.name.description, size: count, isText: field.unit == .text))
        // No walk decides on the content of bytes.
        reader.offset += max(0, count)
        value = []
    }

    mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        add(field, 3, 0, .rest(name: field.name.description, isText: field.unit == .text))
        value = []
    }

    mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        add(field, 4, size, .tail(size: size))
        return true
    }

    mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        integer(field, &value, in: nil)
    }

    mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        if announced == 0 { return 0 }
        add(field, 5, announced ?? -1, .list(size: size, count: announced))
        return 1
    }
}
