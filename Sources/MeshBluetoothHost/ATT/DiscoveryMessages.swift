package import MeshWire

// How a client learns what a server has.

extension ATT {
    /// Says how long a packet may be, and asks the same.
    package typealias ExchangeMTURequest = PacketLength<0x02>
    /// Ends the exchange: the smaller of both values holds from now on.
    package typealias ExchangeMTUResponse = PacketLength<0x03>
    /// Asks for the values of all attributes of a type: characteristics, with 0x2803.
    package typealias ReadByTypeRequest = TypedRange<0x08>
    /// Handles of 2 bytes and values, all of one length.
    package typealias ReadByTypeResponse = ItemList<0x09>
    /// Asks for all groups of a type: services, with 0x2800.
    package typealias ReadByGroupTypeRequest = TypedRange<0x10>
    /// Groups, of a first and a last handle of 2 bytes each, and their values, all of one length.
    package typealias ReadByGroupTypeResponse = ItemList<0x11>

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
}

extension ATT.ReadByTypeResponse {
    /// Each handle and its value.
    package var values: [(handle: UInt16, value: ArraySlice<UInt8>)] {
        ATT.uniformItems(items, length: Int(itemLength)).map { (ATT.littleEndian($0), $0.dropFirst(2)) }
    }
}

extension ATT.ReadByGroupTypeResponse {
    /// Each group and its value.
    package var groups: [(range: ATT.HandleRange, value: ArraySlice<UInt8>)] {
        ATT.uniformItems(items, length: Int(itemLength)).filter { $0.count >= 4 }.map {
            (ATT.HandleRange(first: ATT.littleEndian($0), last: ATT.littleEndian($0.dropFirst(2))), $0.dropFirst(4))
        }
    }
}
