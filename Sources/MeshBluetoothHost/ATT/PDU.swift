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
    /// Any packet of the attribute protocol, its fields read.
    ///
    /// A program that only passes values on looks at opcode and handle in place instead, and pays for no array.
    package enum PDU: Hashable, Sendable {
        /// A client's question, which one response or error answers.
        case request(RequestPDU)
        /// The answer to the request with the opcode before it.
        case response(ResponsePDU)
        /// The refusal of a request.
        case error(ErrorResponse)
        /// A write that nothing answers.
        case writeCommand(WriteCommand)
        /// A write with a signature, which nothing answers.
        case signedWriteCommand(SignedWriteCommand)
        /// A value of the server.
        case notification(Notification)
        /// Several values of the server.
        case multipleNotification(MultipleNotification)
        /// A value of the server that waits for its confirmation.
        case indication(Indication)
        /// The client's answer to an indication.
        case confirmation(Confirmation)
        /// A packet whose opcode is none of those listed, with all its bytes.
        case unknown([UInt8])
    }
}

extension ATT.PDU {
    /// Reads a packet; `left` becomes the number of bytes behind its last field.
    package init(decoding bytes: Span<UInt8>, left: inout Int) throws(FrameError) {
        guard !bytes.isEmpty else {
            throw FrameError(field: "opcode", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        left = 0
        let opcode = ATT.Opcode(rawValue: bytes[0])
        if let request = try ATT.RequestPDU(opcode, bytes, left: &left) {
            self = .request(request)
        } else if let response = try ATT.ResponsePDU(opcode, bytes, left: &left) {
            self = .response(response)
        } else {
            switch opcode {
            case .errorResponse: self = .error(try .init(behindCode: bytes, left: &left))
            case .writeCommand: self = .writeCommand(try .init(behindCode: bytes, left: &left))
            case .signedWriteCommand: self = .signedWriteCommand(try .init(behindCode: bytes, left: &left))
            case .notification: self = .notification(try .init(behindCode: bytes, left: &left))
            case .multipleNotification: self = .multipleNotification(try .init(behindCode: bytes, left: &left))
            case .indication: self = .indication(try .init(behindCode: bytes, left: &left))
            case .confirmation: self = .confirmation(try .init(behindCode: bytes, left: &left))
            default: self = .unknown(bytes.array)
            }
        }
    }

    /// Reads a packet. Bytes behind its last field are ignored.
    package init(decoding bytes: Span<UInt8>) throws(FrameError) {
        var left = 0
        try self.init(decoding: bytes, left: &left)
    }

    /// Reads a packet, as the initialiser for spans does; fails where a field cannot be read.
    package init(decoding bytes: [UInt8]) throws(FrameError) {
        try self.init(decoding: bytes.span)
    }

    /// The fields of the packet; `nil` for an unknown one.
    package var message: (any AttributeMessage)? {
        switch self {
        case .request(let request): request.message
        case .response(let response): response.message
        case .error(let message): message
        case .writeCommand(let message): message
        case .signedWriteCommand(let message): message
        case .notification(let message): message
        case .multipleNotification(let message): message
        case .indication(let message): message
        case .confirmation(let message): message
        case .unknown: nil
        }
    }
}
