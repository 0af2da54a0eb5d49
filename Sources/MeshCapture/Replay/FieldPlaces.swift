import MeshCompanion
import MeshWire

/// The places of a frame's fields: names and offsets, without their values.
struct FieldPlaces: Sendable {
    struct Place: Sendable {
        let name: String
        let unit: FieldUnit
        let offset: Int
        let size: Int
    }

    let places: [Place]
    /// Behind the last field that could be read.
    let end: Int

    /// Finds the places of a frame's fields; none for an unknown code.
    init(of frame: [UInt8], _ direction: FrameDirection) {
        guard let code = frame.first, let type = Self.type(of: code, direction) else {
            (places, end) = ([], min(1, frame.count))
            return
        }
        (places, end) = frame.withUnsafeBytes { Self.walk(type, $0) }
    }

    func place(_ name: String) -> Place? { places.first { $0.name == name } }

    /// The bytes of the first field of this name.
    func bytes(_ name: String, in frame: [UInt8]) -> ArraySlice<UInt8>? {
        place(name).map { frame[$0.offset..<$0.offset + $0.size] }
    }

    private static func type(of code: UInt8, _ direction: FrameDirection) -> (any CodedFrame.Type)? {
        switch direction {
        case .toRadio: CommandCode(rawValue: code)?.row.frame
        case .toApp: RadioCode(code)?.frame
        }
    }

    private static func walk<F: CodedFrame>(_ type: F.Type, _ memory: UnsafeRawBufferPointer) -> ([Place], Int) {
        var walker = PlaceWalker(memory)
        var frame = F()
        frame.walk(&walker)
        return (walker.places, walker.reader.offset)
    }
}

/// Reads, and keeps the places of the fields.
private struct PlaceWalker: FieldWalker {
    var reader: FieldReader
    var places: [FieldPlaces.Place] = []

    init(_ memory: UnsafeRawBufferPointer) {
        reader = FieldReader(memory, from: 1)
    }

    private mutating func note(_ field: Field, from start: Int) {
        guard reader.failure == nil else { return }
        places.append(
            .init(name: field.name.description, unit: field.unit, offset: start, size: reader.offset - start))
    }

    mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        let start = reader.offset
        reader.integer(field, &value, in: range)
        note(field, from: start)
    }

    mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        let start = reader.offset
        reader.fixed(field, &value)
        note(field, from: start)
    }

    mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        let start = reader.offset
        reader.bytes(field, &value, count: count)
        note(field, from: start)
    }

    mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        let start = reader.offset
        reader.rest(field, &value, atMost: limit)
        note(field, from: start)
    }

    mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        reader.hasTail(field, isSet: isSet, size: size)
    }

    mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        let start = reader.offset
        reader.choice(field, &value, known: known)
        note(field, from: start)
    }

    mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        reader.elementCount(field, present: present, size: size, announced: announced)
    }
}
