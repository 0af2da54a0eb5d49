/// The receiver of a walk's calls: a reader, a writer, a describer, a printer, a range check, a fuzzer.
///
/// A frame states its fields once, in order, by calling these verbs on its own stored properties:
///
/// ```swift
/// public mutating func walk<W: FieldWalker>(_ w: inout W) {
///     w.u32("freq", &frequency, unit: .kilohertz, in: 150_000...2_500_000)
///     w.u8("sf", &spreadingFactor, in: 5...12)
///     w.tail("repeat", &clientRepeat, since: 9)
/// }
/// ```
///
/// A walk never throws and never asks which walker it talks to. It may branch on the *data* it has walked so far
/// (a sub-type, a count). All integers are little-endian, as everything in the companion and the on-air protocol is.
public protocol FieldWalker {
    /// An integer of the type's own width. `range` binds senders; a reader does not check it.
    mutating func integer<T: FixedWidthInteger & Sendable>(_ field: Field, _ value: inout T, in range: ClosedRange<T>?)

    /// A field of fixed size.
    mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>)

    /// `count` bytes, where the count follows from fields walked before. A writer pads with zeros or cuts.
    mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int)

    /// Everything up to the end of the frame; a sender keeps it at or below `limit` bytes.
    mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int)

    /// Returns whether an optional tail of at least `size` bytes is there: asked by `tail`, never by a walk itself.
    mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool

    /// A byte that decides what follows. `known` lists the values the walk distinguishes, so that describers and
    /// fuzzers see every branch; other values are legal to read.
    mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>)

    /// Returns the number of elements of `size` bytes in a list. Called by `list`, never by a walk itself.
    ///
    /// It is `announced` where fields before the list give it. Otherwise it is the number present, or what fits up
    /// to the end of the frame.
    mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int

    /// Adds the meaning of the field just walked, for walkers that print.
    mutating func note(_ text: @autoclosure () -> String)
}

extension FieldWalker {
    /// Ignores the note: only walkers that print use it.
    @inlinable
    public mutating func note(_ text: @autoclosure () -> String) {}
}

/// A run of fields that is walked as one: a frame, or a part that frames share.
public protocol FieldGroup: Sendable, Equatable {
    init()
    /// Names the fields once, in their order; the walker decides on their use.
    mutating func walk<W: FieldWalker>(_ w: inout W)
}
