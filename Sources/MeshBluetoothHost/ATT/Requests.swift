extension ATT {
    /// A request that waits for its answer: what is needed to understand that.
    package struct Request: Hashable, Sendable {
        /// The kind of request; its response has the next higher opcode.
        package var opcode: Opcode
        /// The handle, or the first of a range.
        package var handle: UInt16
        /// The type of attribute that is asked for.
        package var type: BluetoothUUID?
        /// The value that is looked for, where it is a UUID.
        package var value: BluetoothUUID?
        /// The number of an MTU exchange, the flag of an execution, the offset of a part.
        package var number: UInt16

        package init(
            _ opcode: Opcode, handle: UInt16 = 0, type: BluetoothUUID? = nil, value: BluetoothUUID? = nil,
            number: UInt16 = 0
        ) {
            self.opcode = opcode
            self.handle = handle
            self.type = type
            self.value = value
            self.number = number
        }
    }

    /// The requests of one client: one at a time, each with one answer.
    ///
    /// A connection has two of these, since both sides may ask at once.
    package struct Requests: Hashable, Sendable {
        /// The request that is not answered yet.
        package private(set) var pending: Request?

        package init() {}

        /// A request goes out. Returns the one before it, if that was not answered.
        package mutating func ask(_ request: Request) -> Request? {
            let before = pending
            pending = request
            return before
        }

        /// An answer comes in: the response with this opcode, or the error to the request with that one.
        ///
        /// Returns the request, or `nil` when it answers nothing that was asked; then the pending one stays.
        package mutating func answer(_ response: Opcode, toRequest request: Opcode? = nil) -> Request? {
            guard let asked = pending,
                response == .errorResponse ? asked.opcode == request : asked.opcode.response == response
            else { return nil }
            pending = nil
            return asked
        }
    }
}

extension ATT.Request {
    /// Keeps the fields of a request by which its answer is understood.
    package init(_ request: ATT.RequestPDU) {
        switch request {
        case .exchangeMTU(let message): self.init(.exchangeMTURequest, number: message.mtu)
        case .findInformation(let message): self.init(.findInformationRequest, handle: message.first)
        case .findByTypeValue(let message):
            self.init(
                .findByTypeValueRequest, handle: message.first, type: BluetoothUUID(message.type),
                value: BluetoothUUID(message.value))
        case .readByType(let message):
            self.init(.readByTypeRequest, handle: message.first, type: BluetoothUUID(message.type))
        case .readByGroupType(let message):
            self.init(.readByGroupTypeRequest, handle: message.first, type: BluetoothUUID(message.type))
        case .read(let message): self.init(.readRequest, handle: message.handle)
        case .readBlob(let message): self.init(.readBlobRequest, handle: message.handle, number: message.offset)
        case .readMultiple: self.init(.readMultipleRequest)
        case .readMultipleVariable: self.init(.readMultipleVariableRequest)
        case .write(let message): self.init(.writeRequest, handle: message.handle)
        case .prepareWrite(let message): self.init(.prepareWriteRequest, handle: message.handle)
        case .executeWrite(let message): self.init(.executeWriteRequest, number: UInt16(message.flag))
        }
    }
}
