package import MeshWire

// Fields that several kinds of packets share. The kinds differ in their opcode, which is part of the type.

extension ATT {
    /// The length that packets may have at one side.
    package struct PacketLength<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// The longest packet that the sender can receive.
        package var mtu: UInt16 = 23

        package init() {}

        package init(mtu: UInt16) {
            self.mtu = mtu
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("mtu", &mtu)
        }
    }

    /// A range of handles, and the type of the attributes in it that are meant.
    package struct TypedRange<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// The first handle to look at.
        package var first: UInt16 = 1
        /// The last one.
        package var last: UInt16 = 0xFFFF
        /// A UUID as it travels, of 2 or 16 bytes.
        package var type: [UInt8] = []

        package init() {}

        package init(first: UInt16, last: UInt16, type: [UInt8]) {
            self.first = first
            self.last = last
            self.type = type
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("first", &first, unit: .hex)
            w.u16("last", &last, unit: .hex)
            w.rest("type", &type, atMost: 16)
        }
    }

    /// Items of one length without separators: handles, then a value.
    package struct ItemList<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// Of each item, its handles included.
        package var itemLength: UInt8 = 0
        /// The items as they travel.
        package var items: [UInt8] = []

        package init() {}

        package init(itemLength: UInt8, items: [UInt8]) {
            self.itemLength = itemLength
            self.items = items
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("length", &itemLength)
            w.rest("items", &items)
        }
    }

    /// An attribute and its value.
    package struct HandleValue<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// Of the attribute whose value this is.
        package var handle: UInt16 = 0
        /// The value from its beginning on, at most ATT_MTU - 3 bytes.
        package var value: [UInt8] = []

        package init() {}

        package init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// A part of a value that is written in several.
    package struct ValuePart<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// Of the attribute that is written.
        package var handle: UInt16 = 0
        /// The offset in the value at which the part begins.
        package var offset: UInt16 = 0
        /// The bytes from the offset on, at most ATT_MTU - 5.
        package var part: [UInt8] = []

        package init() {}

        package init(handle: UInt16, offset: UInt16, part: [UInt8]) {
            self.handle = handle
            self.offset = offset
            self.part = part
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("offset", &offset)
            w.rest("part", &part)
        }
    }

    /// The attributes whose values are asked for.
    package struct HandleList<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// Two bytes each.
        package var handles: [UInt8] = []

        package init() {}

        package init(handles: [UInt8]) {
            self.handles = handles
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("handles", &handles)
        }
    }

    /// Several values as they travel.
    package struct ValueList<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        /// In the order in which they were asked for, at most ATT_MTU - 1 bytes; the last may be cut short.
        package var values: [UInt8] = []

        package init() {}

        package init(values: [UInt8]) {
            self.values = values
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }

    /// A packet that is its opcode alone.
    package struct OpcodeAlone<let code: Int>: AttributeMessage {
        package static var opcode: Opcode { Opcode(code) }

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }
}

extension ATT.Opcode {
    /// The opcode that is part of a type.
    fileprivate init(_ code: Int) {
        self.init(rawValue: UInt8(code))
    }
}
