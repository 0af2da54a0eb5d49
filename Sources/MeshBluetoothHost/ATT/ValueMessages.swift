package import MeshWire

// How values are read, written and watched.

extension ATT {
    /// Asks for several values.
    package typealias ReadMultipleRequest = HandleList<0x0E>
    /// Values without separators.
    package typealias ReadMultipleResponse = ValueList<0x0F>
    /// Asks for several values with their lengths.
    package typealias ReadMultipleVariableRequest = HandleList<0x20>
    /// Values, each behind its length of two bytes.
    package typealias ReadMultipleVariableResponse = ValueList<0x21>
    /// Writes a value, and asks for an answer.
    package typealias WriteRequest = HandleValue<0x12>
    /// The value was written.
    package typealias WriteResponse = OpcodeAlone<0x13>
    /// Writes a value without an answer.
    package typealias WriteCommand = HandleValue<0x52>
    /// A part of a long write.
    package typealias PrepareWriteRequest = ValuePart<0x16>
    /// Repeats the part as the server has it; the client compares the bytes with its own.
    package typealias PrepareWriteResponse = ValuePart<0x17>
    /// The long write was done.
    package typealias ExecuteWriteResponse = OpcodeAlone<0x19>
    /// A value that the client watches has changed.
    package typealias Notification = HandleValue<0x1B>
    /// The same, to be confirmed.
    package typealias Indication = HandleValue<0x1D>
    /// An indication has arrived.
    package typealias Confirmation = OpcodeAlone<0x1E>
    /// Several values have changed, each behind its handle and its length, of two bytes each.
    package typealias MultipleNotification = ValueList<0x23>

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
}
