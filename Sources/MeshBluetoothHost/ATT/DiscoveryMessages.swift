package import MeshWire

// How a client learns what a server has.

extension ATT {
    /// Says how long a packet may be, and asks the same.
    package struct ExchangeMTURequest: AttributeMessage {
        package static let opcode = Opcode.exchangeMTURequest

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

    /// The smaller of both values holds from now on.
    package struct ExchangeMTUResponse: AttributeMessage {
        package static let opcode = Opcode.exchangeMTUResponse

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

    /// Asks for the types of a range of handles.
    package struct FindInformationRequest: AttributeMessage {
        package static let opcode = Opcode.findInformationRequest

        /// The first handle to look at.
        package var first: UInt16 = 1
        /// The last one.
        package var last: UInt16 = 0xFFFF

        package init() {}

        package init(first: UInt16, last: UInt16) {
            self.first = first
            self.last = last
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("first", &first, unit: .hex)
            w.u16("last", &last, unit: .hex)
        }
    }

    /// Handles and their types.
    package struct FindInformationResponse: AttributeMessage {
        package static let opcode = Opcode.findInformationResponse

        /// 1: types of 2 bytes; 2: of 16.
        package var format: UInt8 = 1
        /// The pairs as they travel, without separators: a handle of 2 bytes, then the type.
        package var items: [UInt8] = []

        package init() {}

        package init(format: UInt8, items: [UInt8]) {
            self.format = format
            self.items = items
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("format", &format, in: 1...2)
            w.rest("items", &items)
        }

        /// Each handle and its type; the first that is incomplete ends the list.
        package var types: [(handle: UInt16, type: BluetoothUUID)] {
            ATT.uniformItems(items, length: format == 1 ? 4 : 18).compactMap { item in
                BluetoothUUID(item.dropFirst(2)).map { (ATT.littleEndian(item), $0) }
            }
        }
    }

    /// Asks which groups have this value: a service by its UUID.
    package struct FindByTypeValueRequest: AttributeMessage {
        package static let opcode = Opcode.findByTypeValueRequest

        /// The first handle to look at.
        package var first: UInt16 = 1
        /// The last one.
        package var last: UInt16 = 0xFFFF
        /// The type of the attributes, a UUID of 16 bits: 0x2800 for primary services.
        package var type: UInt16 = 0x2800
        /// The value that is looked for; a service's is its UUID, 2 or 16 bytes, lowest first.
        package var value: [UInt8] = []

        package init() {}

        package init(first: UInt16, last: UInt16, type: UInt16, value: [UInt8]) {
            self.first = first
            self.last = last
            self.type = type
            self.value = value
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("first", &first, unit: .hex)
            w.u16("last", &last, unit: .hex)
            w.u16("type", &type, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// The groups that were found.
    package struct FindByTypeValueResponse: AttributeMessage {
        package static let opcode = Opcode.findByTypeValueResponse

        /// One for each match: its own handle, and the last one of its group.
        package var ranges: [HandleRange] = []

        package init() {}

        package init(ranges: [HandleRange]) {
            self.ranges = ranges
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.list("ranges", &ranges, size: 4)
        }
    }

    /// Asks for the values of all attributes of a type: characteristics, with 0x2803.
    package struct ReadByTypeRequest: AttributeMessage {
        package static let opcode = Opcode.readByTypeRequest

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

    /// Handles and values, all of one length.
    package struct ReadByTypeResponse: AttributeMessage {
        package static let opcode = Opcode.readByTypeResponse

        /// Of each item, its handles included.
        package var itemLength: UInt8 = 0
        /// The items as they travel: a handle of 2 bytes, then the value.
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

        /// Each handle and its value.
        package var values: [(handle: UInt16, value: ArraySlice<UInt8>)] {
            ATT.uniformItems(items, length: Int(itemLength)).map { (ATT.littleEndian($0), $0.dropFirst(2)) }
        }
    }

    /// Asks for all groups of a type: services, with 0x2800.
    package struct ReadByGroupTypeRequest: AttributeMessage {
        package static let opcode = Opcode.readByGroupTypeRequest

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

    /// Groups and their values, all of one length.
    package struct ReadByGroupTypeResponse: AttributeMessage {
        package static let opcode = Opcode.readByGroupTypeResponse

        /// Of each item, its handles included.
        package var itemLength: UInt8 = 0
        /// The items as they travel: first and last handle, 2 bytes each, then the value.
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

        /// Each group and its value.
        package var groups: [(range: HandleRange, value: ArraySlice<UInt8>)] {
            ATT.uniformItems(items, length: Int(itemLength)).filter { $0.count >= 4 }.map {
                (HandleRange(first: ATT.littleEndian($0), last: ATT.littleEndian($0.dropFirst(2))), $0.dropFirst(4))
            }
        }
    }
}
