// The verbs that walks are written with. Each is sugar over a requirement of `FieldWalker`.
extension FieldWalker {
    /// One byte, without a sign.
    @inlinable
    public mutating func u8(
        _ name: StaticString, _ value: inout UInt8, unit: FieldUnit = .none, in range: ClosedRange<UInt8>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// One byte, with a sign.
    @inlinable
    public mutating func i8(
        _ name: StaticString, _ value: inout Int8, unit: FieldUnit = .none, in range: ClosedRange<Int8>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// Two bytes, least significant first, without a sign.
    @inlinable
    public mutating func u16(
        _ name: StaticString, _ value: inout UInt16, unit: FieldUnit = .none, in range: ClosedRange<UInt16>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// Two bytes, least significant first, with a sign.
    @inlinable
    public mutating func i16(
        _ name: StaticString, _ value: inout Int16, unit: FieldUnit = .none, in range: ClosedRange<Int16>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// Four bytes, least significant first, without a sign.
    @inlinable
    public mutating func u32(
        _ name: StaticString, _ value: inout UInt32, unit: FieldUnit = .none, in range: ClosedRange<UInt32>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// Four bytes, least significant first, with a sign.
    @inlinable
    public mutating func i32(
        _ name: StaticString, _ value: inout Int32, unit: FieldUnit = .none, in range: ClosedRange<Int32>? = nil
    ) {
        integer(Field(name, unit: unit), &value, in: range)
    }

    /// A number with named members: `NodeType`, `TextType`, `ErrorCode`. Unknown values are kept.
    @inlinable
    public mutating func raw<R: RawRepresentable>(
        _ name: StaticString, _ value: inout R, unit: FieldUnit = .none, in range: ClosedRange<R.RawValue>? = nil
    ) where R: ExpressibleByRawValue, R.RawValue: FixedWidthInteger & Sendable {
        var number = value.rawValue
        integer(Field(name, unit: unit), &number, in: range)
        value = R(rawValue: number)
        note("\(value)")
    }

    /// A run of bytes whose length its type gives.
    @inlinable
    public mutating func fixed<let size: Int>(_ name: StaticString, _ value: inout FixedBytes<size>) {
        fixed(Field(name), &value)
    }

    /// Text in a field of fixed size, ended by a NUL; what stands behind the NUL is kept.
    @inlinable
    public mutating func text<let size: Int>(_ name: StaticString, _ value: inout FixedBytes<size>) {
        fixed(Field(name, unit: .text), &value)
    }

    /// A run of `count` bytes, where the count follows from fields walked before.
    @inlinable
    public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int) {
        bytes(Field(name), &value, count: count)
    }

    /// All bytes up to the end of the frame; a sender keeps them at or below the limit.
    @inlinable
    public mutating func rest(_ name: StaticString, _ value: inout [UInt8], atMost limit: Int = .max) {
        rest(Field(name), &value, atMost: limit)
    }

    /// Text to the end of the frame, without terminator.
    @inlinable
    public mutating func rest(_ name: StaticString, _ value: inout ByteText, atMost limit: Int = .max) {
        rest(Field(name, unit: .text), &value.bytes, atMost: limit)
    }

    /// Elements of `size` bytes each: `count` of them where fields before give it, else up to the end of the frame.
    @inlinable
    public mutating func list<G: FieldGroup>(
        _ name: StaticString, _ value: inout [G], size: Int, count: Int? = nil
    ) {
        let count = elementCount(Field(name), present: value.count, size: size, announced: count)
        if value.count > count { value.removeLast(value.count - count) }
        for index in 0..<count {
            if index == value.count { value.append(G()) }
            value[index].walk(&self)
        }
    }

    /// One byte that decides what follows; values outside the known ones are kept as they are.
    @inlinable
    public mutating func choice(_ name: StaticString, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        choice(Field(name), &value, known: known)
    }

    /// A number with named members that decides what follows.
    @inlinable
    public mutating func choice<R: RawRepresentable>(
        _ name: StaticString, _ value: inout R, known: ClosedRange<UInt8>
    ) where R: ExpressibleByRawValue, R.RawValue == UInt8 {
        var number = value.rawValue
        choice(Field(name), &number, known: known)
        value = R(rawValue: number)
        note("\(R(rawValue: number))")
    }

    /// An optional number at the end of the frame: present when its bytes are.
    @inlinable
    public mutating func tail<T: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ value: inout T?, unit: FieldUnit = .none, since: UInt8 = 0,
        in range: ClosedRange<T>? = nil
    ) {
        let field = Field(name, unit: unit, since: since)
        guard hasTail(field, isSet: value != nil, size: T.bitWidth / 8) else {
            value = nil
            return
        }
        var number = value ?? 0
        integer(field, &number, in: range)
        value = number
    }

    /// An optional field of fixed size at the end of the frame.
    @inlinable
    public mutating func tail<let size: Int>(
        _ name: StaticString, _ value: inout FixedBytes<size>?, since: UInt8 = 0
    ) {
        let field = Field(name, since: since)
        guard hasTail(field, isSet: value != nil, size: size) else {
            value = nil
            return
        }
        var bytes = value ?? FixedBytes()
        fixed(field, &bytes)
        value = bytes
    }

    /// An optional number with named members at the end of the frame.
    @inlinable
    public mutating func tail<R: RawRepresentable>(
        _ name: StaticString, _ value: inout R?, since: UInt8 = 0
    ) where R: ExpressibleByRawValue, R.RawValue: FixedWidthInteger & Sendable {
        let field = Field(name, since: since)
        guard hasTail(field, isSet: value != nil, size: R.RawValue.bitWidth / 8) else {
            value = nil
            return
        }
        var number = value?.rawValue ?? 0
        integer(field, &number, in: nil)
        value = R(rawValue: number)
        note("\(R(rawValue: number))")
    }

    /// Several fields at the end of the frame that come together or not at all; `size` is their length in bytes.
    @inlinable
    public mutating func tail<G: FieldGroup>(
        _ name: StaticString, _ value: inout G?, size: Int, since: UInt8 = 0
    ) {
        guard hasTail(Field(name, since: since), isSet: value != nil, size: size) else {
            value = nil
            return
        }
        var group = value ?? G()
        group.walk(&self)
        value = group
    }

    /// A part shared between frames.
    @inlinable
    public mutating func group<G: FieldGroup>(_ value: inout G) {
        value.walk(&self)
    }
}

/// A raw value that always makes a member: the named numbers of the protocol, which keep unknown values.
public protocol ExpressibleByRawValue: RawRepresentable {
    init(rawValue: RawValue)
}
