import MeshWire

extension ATT {
    /// The requests of a client, all kinds that there are. One waits for its answer at a time.
    package enum RequestPDU: Hashable, Sendable {
        case exchangeMTU(ExchangeMTURequest)
        case findInformation(FindInformationRequest)
        case findByTypeValue(FindByTypeValueRequest)
        case readByType(ReadByTypeRequest)
        case readByGroupType(ReadByGroupTypeRequest)
        case read(ReadRequest)
        case readBlob(ReadBlobRequest)
        case readMultiple(ReadMultipleRequest)
        case readMultipleVariable(ReadMultipleVariableRequest)
        case write(WriteRequest)
        case prepareWrite(PrepareWriteRequest)
        case executeWrite(ExecuteWriteRequest)
    }
}

extension ATT.RequestPDU {
    /// Reads a packet with this opcode; `nil` where it is no request. `left`: bytes behind its last field.
    init?(_ opcode: ATT.Opcode, _ bytes: Span<UInt8>, left: inout Int) throws(FrameError) {
        switch opcode {
        case .exchangeMTURequest: self = .exchangeMTU(try .init(behindCode: bytes, left: &left))
        case .findInformationRequest: self = .findInformation(try .init(behindCode: bytes, left: &left))
        case .findByTypeValueRequest: self = .findByTypeValue(try .init(behindCode: bytes, left: &left))
        case .readByTypeRequest: self = .readByType(try .init(behindCode: bytes, left: &left))
        case .readByGroupTypeRequest: self = .readByGroupType(try .init(behindCode: bytes, left: &left))
        case .readRequest: self = .read(try .init(behindCode: bytes, left: &left))
        case .readBlobRequest: self = .readBlob(try .init(behindCode: bytes, left: &left))
        case .readMultipleRequest: self = .readMultiple(try .init(behindCode: bytes, left: &left))
        case .readMultipleVariableRequest: self = .readMultipleVariable(try .init(behindCode: bytes, left: &left))
        case .writeRequest: self = .write(try .init(behindCode: bytes, left: &left))
        case .prepareWriteRequest: self = .prepareWrite(try .init(behindCode: bytes, left: &left))
        case .executeWriteRequest: self = .executeWrite(try .init(behindCode: bytes, left: &left))
        default: return nil
        }
    }

    /// The fields of the packet.
    package var message: any AttributeMessage {
        switch self {
        case .exchangeMTU(let message): message
        case .findInformation(let message): message
        case .findByTypeValue(let message): message
        case .readByType(let message): message
        case .readByGroupType(let message): message
        case .read(let message): message
        case .readBlob(let message): message
        case .readMultiple(let message): message
        case .readMultipleVariable(let message): message
        case .write(let message): message
        case .prepareWrite(let message): message
        case .executeWrite(let message): message
        }
    }

    /// The first byte of the packet.
    package var opcode: ATT.Opcode { type(of: message).opcode }
}
