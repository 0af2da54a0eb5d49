package import MeshWire

// How values are read, written and watched.

extension ATT {
    /// A request was refused.
    package struct ErrorResponse: AttributeMessage {
        package static let opcode = Opcode.errorResponse

        /// The opcode of the request that was refused.
        package var request: Opcode = .writeRequest
        /// The attribute that the error is about; 0 where the request named none.
        package var handle: UInt16 = 0
        /// The reason: codes of ATT, and from 0x80 on of the application.
        package var error: ErrorCode = .unlikelyError

        package init() {}

        package init(request: Opcode, handle: UInt16, error: ErrorCode) {
            self.request = request
            self.handle = handle
            self.error = error
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.raw("request", &request, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.raw("error", &error, unit: .hex)
        }
    }

    /// Asks for a value.
    package struct ReadRequest: AttributeMessage {
        package static let opcode = Opcode.readRequest

        /// Of the attribute whose value is asked for.
        package var handle: UInt16 = 0

        package init() {}

        package init(handle: UInt16) {
            self.handle = handle
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
        }
    }

    /// A value, or what of it fits.
    package struct ReadResponse: AttributeMessage {
        package static let opcode = Opcode.readResponse

        /// The value from its beginning on, at most ATT_MTU - 1 bytes.
        package var value: [UInt8] = []

        package init() {}

        package init(value: [UInt8]) {
            self.value = value
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("value", &value)
        }
    }

    /// Asks for the rest of a value.
    package struct ReadBlobRequest: AttributeMessage {
        package static let opcode = Opcode.readBlobRequest

        /// Of the attribute whose value is asked for.
        package var handle: UInt16 = 0
        /// The offset in the value at which the part begins.
        package var offset: UInt16 = 0

        package init() {}

        package init(handle: UInt16, offset: UInt16) {
            self.handle = handle
            self.offset = offset
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("offset", &offset)
        }
    }

    /// A part of a value.
    package struct ReadBlobResponse: AttributeMessage {
        package static let opcode = Opcode.readBlobResponse

        /// The bytes from the offset on, at most ATT_MTU - 1; empty where the value ends there.
        package var part: [UInt8] = []

        package init() {}

        package init(part: [UInt8]) {
            self.part = part
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("part", &part)
        }
    }

    /// Asks for several values.
    package struct ReadMultipleRequest: AttributeMessage {
        package static let opcode = Opcode.readMultipleRequest

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

    /// Values without separators.
    package struct ReadMultipleResponse: AttributeMessage {
        package static let opcode = Opcode.readMultipleResponse

        /// In the order of the handles that were asked for, at most ATT_MTU - 1 bytes.
        package var values: [UInt8] = []

        package init() {}

        package init(values: [UInt8]) {
            self.values = values
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }

    /// Asks for several values with their lengths.
    package struct ReadMultipleVariableRequest: AttributeMessage {
        package static let opcode = Opcode.readMultipleVariableRequest

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

    /// Values, each behind its length of two bytes.
    package struct ReadMultipleVariableResponse: AttributeMessage {
        package static let opcode = Opcode.readMultipleVariableResponse

        /// In the order of the handles that were asked for; the last may be cut short.
        package var values: [UInt8] = []

        package init() {}

        package init(values: [UInt8]) {
            self.values = values
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }

    /// Writes a value, and asks whether that was well.
    package struct WriteRequest: AttributeMessage {
        package static let opcode = Opcode.writeRequest

        /// Of the attribute that is written.
        package var handle: UInt16 = 0
        /// The new value from its beginning on, at most ATT_MTU - 3 bytes.
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

    /// The value was written.
    package struct WriteResponse: AttributeMessage {
        package static let opcode = Opcode.writeResponse

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// Writes a value without an answer.
    package struct WriteCommand: AttributeMessage {
        package static let opcode = Opcode.writeCommand

        /// Of the attribute that is written.
        package var handle: UInt16 = 0
        /// The new value from its beginning on, at most ATT_MTU - 3 bytes.
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

    /// Writes a value on a link that is not encrypted.
    package struct SignedWriteCommand: AttributeMessage {
        package static let opcode = Opcode.signedWriteCommand

        /// Of the attribute that is written.
        package var handle: UInt16 = 0
        /// The value, and 12 bytes of signature.
        package var signed: [UInt8] = []

        package init() {}

        package init(handle: UInt16, signed: [UInt8]) {
            self.handle = handle
            self.signed = signed
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.rest("signed", &signed)
        }
    }

    /// A part of a long write.
    package struct PrepareWriteRequest: AttributeMessage {
        package static let opcode = Opcode.prepareWriteRequest

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

    /// Repeats the part.
    package struct PrepareWriteResponse: AttributeMessage {
        package static let opcode = Opcode.prepareWriteResponse

        /// As in the request.
        package var handle: UInt16 = 0
        /// The offset in the value at which the part begins.
        package var offset: UInt16 = 0
        /// The bytes as the server has them; the client compares them with its own.
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

    /// Ends a long write.
    package struct ExecuteWriteRequest: AttributeMessage {
        package static let opcode = Opcode.executeWriteRequest

        /// 1: write what was prepared; 0: forget it.
        package var flag: UInt8 = 1

        package init() {}

        package init(flag: UInt8) {
            self.flag = flag
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("flag", &flag, in: 0...1)
        }
    }

    /// The long write was done.
    package struct ExecuteWriteResponse: AttributeMessage {
        package static let opcode = Opcode.executeWriteResponse

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// A value that the client watches has changed.
    package struct Notification: AttributeMessage {
        package static let opcode = Opcode.notification

        /// Of the characteristic's value.
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

    /// The same, to be confirmed.
    package struct Indication: AttributeMessage {
        package static let opcode = Opcode.indication

        /// Of the characteristic's value.
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

    /// An indication has arrived.
    package struct Confirmation: AttributeMessage {
        package static let opcode = Opcode.confirmation

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {}
    }

    /// Several values have changed.
    package struct MultipleNotification: AttributeMessage {
        package static let opcode = Opcode.multipleNotification

        /// Each behind its handle and its length, of two bytes each.
        package var values: [UInt8] = []

        package init() {}

        package init(values: [UInt8]) {
            self.values = values
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("values", &values)
        }
    }
}
