import MeshWire

extension ATT {
    /// The answers of a server that are no errors, one kind for each kind of request.
    package enum ResponsePDU: Hashable, Sendable {
        case exchangeMTU(ExchangeMTUResponse)
        case findInformation(FindInformationResponse)
        case findByTypeValue(FindByTypeValueResponse)
        case readByType(ReadByTypeResponse)
        case readByGroupType(ReadByGroupTypeResponse)
        case read(ReadResponse)
        case readBlob(ReadBlobResponse)
        case readMultiple(ReadMultipleResponse)
        case readMultipleVariable(ReadMultipleVariableResponse)
        case write(WriteResponse)
        case prepareWrite(PrepareWriteResponse)
        case executeWrite(ExecuteWriteResponse)
    }
}

extension ATT.ResponsePDU {
    /// Reads a packet with this opcode; `nil` where it is no response. `left`: bytes behind its last field.
    init?(_ opcode: ATT.Opcode, _ bytes: Span<UInt8>, left: inout Int) throws(FrameError) {
        switch opcode {
        case .exchangeMTUResponse: self = .exchangeMTU(try .init(behindCode: bytes, left: &left))
        case .findInformationResponse: self = .findInformation(try .init(behindCode: bytes, left: &left))
        case .findByTypeValueResponse: self = .findByTypeValue(try .init(behindCode: bytes, left: &left))
        case .readByTypeResponse: self = .readByType(try .init(behindCode: bytes, left: &left))
        case .readByGroupTypeResponse: self = .readByGroupType(try .init(behindCode: bytes, left: &left))
        case .readResponse: self = .read(try .init(behindCode: bytes, left: &left))
        case .readBlobResponse: self = .readBlob(try .init(behindCode: bytes, left: &left))
        case .readMultipleResponse: self = .readMultiple(try .init(behindCode: bytes, left: &left))
        case .readMultipleVariableResponse: self = .readMultipleVariable(try .init(behindCode: bytes, left: &left))
        case .writeResponse: self = .write(try .init(behindCode: bytes, left: &left))
        case .prepareWriteResponse: self = .prepareWrite(try .init(behindCode: bytes, left: &left))
        case .executeWriteResponse: self = .executeWrite(try .init(behindCode: bytes, left: &left))
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
