package import MeshWire

/// One kind of packet of the attribute protocol: its opcode, and the fields behind it.
package protocol AttributeMessage: FieldGroup, Hashable {
    /// The first byte of all packets of this kind.
    static var opcode: ATT.Opcode { get }
}

extension AttributeMessage {
    /// The packet as bytes, unchecked.
    package func encoded() -> [UInt8] {
        var writer = FieldWriter(reserving: 32)
        writer.output.append(Self.opcode.rawValue)
        var fields = self
        fields.walk(&writer)
        return writer.output
    }
}

extension ATT {
    /// Any packet of the attribute protocol.
    ///
    /// A program that only passes values on looks at opcode and handle in place instead, and pays for no array.
    package enum PDU: Sendable {
        /// A packet of one of the listed kinds, its fields read.
        case known(any AttributeMessage)
        /// A packet whose opcode is none of those listed, with all its bytes.
        case unknown([UInt8])
    }

    /// The type of the packets with this opcode.
    package static func message(_ opcode: Opcode) -> (any AttributeMessage.Type)? {
        messages.first { $0.opcode == opcode }
    }

    /// All kinds of packets.
    package static let messages: [any AttributeMessage.Type] = [
        ErrorResponse.self, ExchangeMTURequest.self, ExchangeMTUResponse.self, FindInformationRequest.self,
        FindInformationResponse.self, FindByTypeValueRequest.self, FindByTypeValueResponse.self,
        ReadByTypeRequest.self, ReadByTypeResponse.self, ReadRequest.self, ReadResponse.self, ReadBlobRequest.self,
        ReadBlobResponse.self, ReadMultipleRequest.self, ReadMultipleResponse.self, ReadByGroupTypeRequest.self,
        ReadByGroupTypeResponse.self, WriteRequest.self, WriteResponse.self, PrepareWriteRequest.self,
        PrepareWriteResponse.self, ExecuteWriteRequest.self, ExecuteWriteResponse.self, Notification.self,
        Indication.self, Confirmation.self, ReadMultipleVariableRequest.self, ReadMultipleVariableResponse.self,
        MultipleNotification.self, WriteCommand.self, SignedWriteCommand.self,
    ]
}

extension ATT.PDU {
    /// Reads a packet. Bytes behind its last field are ignored.
    package init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard !bytes.isEmpty else {
            throw FrameError(field: "opcode", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        guard let type = ATT.message(ATT.Opcode(rawValue: bytes[0])) else {
            self = .unknown(bytes.array)
            return
        }
        func read<M: AttributeMessage>(_ type: M.Type) throws(FrameError) -> any AttributeMessage {
            try bytes.withUnsafeBytes { (memory) throws(FrameError) in try M(reading: memory, from: 1) }
        }
        self = .known(try read(type))
    }

    /// Reads a packet, as the initialiser for spans does; fails where a field cannot be read.
    package init(decoding bytes: [UInt8]) throws(FrameError) {
        try self.init(decoding: bytes.span)
    }

    /// The packet as bytes again.
    package var encoded: [UInt8] {
        switch self {
        case .known(let message): message.encoded()
        case .unknown(let bytes): bytes
        }
    }
}
