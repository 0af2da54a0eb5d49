public import MeshWire

// How values are read, written and watched.

extension ATT {
    /// A request was refused.
    public struct ErrorResponse: AttributeMessage {
        public static let opcode = Opcode.errorResponse

        /// The opcode of the request that was refused.
        public var request: Opcode = .writeRequest
        /// The attribute that the error is about; 0 where the request named none.
        public var handle: UInt16 = 0
        /// Why: codes of ATT, and from 0x80 on of the application.
        public var error: ErrorCode = .unlikelyError

        public init() {}

        public init(request: Opcode, handle: UInt16, error: ErrorCode) {
            self.request = request
            self.handle = handle
            self.error = error
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.raw("request", &request, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.raw("error", &error, unit: .hex)
        }
    }

    /// Asks for a value.
    public struct ReadRequest: AttributeMessage {
        public static let opcode = Opcode.readRequest

        /// Of the attribute whose value is asked for.
        public var handle: UInt16 = 0

        public init() {}

        public init(handle: UInt16) {
            self.handle = handle
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
        }
    }

    /// A value, or what of it fits.
    public struct ReadResponse: AttributeMessage {
        public static let opcode = Opcode.readResponse

        /// The value from its beginning on, at most ATT_MTU - 1 bytes.
        public var value: [UInt8] = []

        public init() {}

        public init(value: [UInt8]) {
            self.value = value
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("value", &value)
        }
    }

    /// Asks for the rest of a value.
    public struct ReadBlobRequest: AttributeMessage {
        public static let opcode = Opcode.readBlobRequest

        /// Of the attribute whose value is asked for.
        public var handle: UInt16 = 0
        /// Where in the value the part begins.
        public var offset: UInt16 = 0

        public init() {}

        public init(handle: UInt16, offset: UInt16) {
            self.handle = handle
            self.offset = offset
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("offset", &offset)
        }
    }

    /// A part of a value.
    public struct ReadBlobResponse: AttributeMessage {
        public static let opcode = Opcode.readBlobResponse

        /// The bytes from the offset on, at most ATT_MTU - 1; empty where the value ends there.
        public var part: [UInt8] = []

        public init() {}

        public init(part: [UInt8]) {
            self.part = part
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("part", &part)
        }
    }

    /// Asks for several values.
    public struct ReadMultipleRequest: AttributeMessage {
        public static let opcode = Opcode.readMultipleRequest

        /// Two bytes each.
        public var handles: [UInt8] = []

        public init() {}

        public init(handles: [UInt8]) {
            self.handles = handles
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("handles", &handles)
        }
    }

    /// Values without separators.
    public struct ReadMultipleResponse: AttributeMessage {
        public static let opcode = Opcode.readMultipleResponse

        /// In the order of the handles that were asked for, at most ATT_MTU - 1 bytes.
        public var values: [UInt8] = []

        public init() {}

        public init(values: [UInt8]) {
            self.values = values
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }

    /// Asks for several values with their lengths.
    public struct ReadMultipleVariableRequest: AttributeMessage {
        public static let opcode = Opcode.readMultipleVariableRequest

        /// Two bytes each.
        public var handles: [UInt8] = []

        public init() {}

        public init(handles: [UInt8]) {
            self.handles = handles
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("handles", &handles)
        }
    }

    /// Values, each behind its length of two bytes.
    public struct ReadMultipleVariableResponse: AttributeMessage {
        public static let opcode = Opcode.readMultipleVariableResponse

        /// In the order of the handles that were asked for; the last may be cut short.
        public var values: [UInt8] = []

        public init() {}

        public init(values: [UInt8]) {
            self.values = values
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }

    /// Writes a value, and asks whether that was well.
    public struct WriteRequest: AttributeMessage {
        public static let opcode = Opcode.writeRequest

        /// Of the attribute that is written.
        public var handle: UInt16 = 0
        /// The new value from its beginning on, at most ATT_MTU - 3 bytes.
        public var value: [UInt8] = []

        public init() {}

        public init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// The value was written.
    public struct WriteResponse: AttributeMessage {
        public static let opcode = Opcode.writeResponse

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// Writes a value; nobody says whether that was well.
    public struct WriteCommand: AttributeMessage {
        public static let opcode = Opcode.writeCommand

        /// Of the attribute that is written.
        public var handle: UInt16 = 0
        /// The new value from its beginning on, at most ATT_MTU - 3 bytes.
        public var value: [UInt8] = []

        public init() {}

        public init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// Writes a value on a link that is not encrypted.
    public struct SignedWriteCommand: AttributeMessage {
        public static let opcode = Opcode.signedWriteCommand

        /// Of the attribute that is written.
        public var handle: UInt16 = 0
        /// The value, and 12 bytes of signature.
        public var signed: [UInt8] = []

        public init() {}

        public init(handle: UInt16, signed: [UInt8]) {
            self.handle = handle
            self.signed = signed
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("signed", &signed)
        }
    }

    /// A part of a long write.
    public struct PrepareWriteRequest: AttributeMessage {
        public static let opcode = Opcode.prepareWriteRequest

        /// Of the attribute that is written.
        public var handle: UInt16 = 0
        /// Where in the value the part begins.
        public var offset: UInt16 = 0
        /// The bytes from the offset on, at most ATT_MTU - 5.
        public var part: [UInt8] = []

        public init() {}

        public init(handle: UInt16, offset: UInt16, part: [UInt8]) {
            self.handle = handle
            self.offset = offset
            self.part = part
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("offset", &offset)
            w.rest("part", &part)
        }
    }

    /// Repeats the part.
    public struct PrepareWriteResponse: AttributeMessage {
        public static let opcode = Opcode.prepareWriteResponse

        /// As in the request.
        public var handle: UInt16 = 0
        /// Where in the value the part begins.
        public var offset: UInt16 = 0
        /// The bytes as the server has them; the client compares them with its own.
        public var part: [UInt8] = []

        public init() {}

        public init(handle: UInt16, offset: UInt16, part: [UInt8]) {
            self.handle = handle
            self.offset = offset
            self.part = part
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("offset", &offset)
            w.rest("part", &part)
        }
    }

    /// Ends a long write.
    public struct ExecuteWriteRequest: AttributeMessage {
        public static let opcode = Opcode.executeWriteRequest

        /// 1: write what was prepared; 0: forget it.
        public var flag: UInt8 = 1

        public init() {}

        public init(flag: UInt8) {
            self.flag = flag
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("flag", &flag, in: 0...1)
        }
    }

    /// The long write was done.
    public struct ExecuteWriteResponse: AttributeMessage {
        public static let opcode = Opcode.executeWriteResponse

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// A value that the client watches has changed.
    public struct Notification: AttributeMessage {
        public static let opcode = Opcode.notification

        /// Of the characteristic's value.
        public var handle: UInt16 = 0
        /// The value from its beginning on, at most ATT_MTU - 3 bytes.
        public var value: [UInt8] = []

        public init() {}

        public init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// The same, to be confirmed.
    public struct Indication: AttributeMessage {
        public static let opcode = Opcode.indication

        /// Of the characteristic's value.
        public var handle: UInt16 = 0
        /// The value from its beginning on, at most ATT_MTU - 3 bytes.
        public var value: [UInt8] = []

        public init() {}

        public init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("value", &value)
        }
    }

    /// An indication has arrived.
    public struct Confirmation: AttributeMessage {
        public static let opcode = Opcode.confirmation

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// Several values have changed.
    public struct MultipleNotification: AttributeMessage {
        public static let opcode = Opcode.multipleNotification

        /// Each behind its handle and its length, of two bytes each.
        public var values: [UInt8] = []

        public init() {}

        public init(values: [UInt8]) {
            self.values = values
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }
}
