import MeshWire

extension L2CAP {
    /// A packet of the signalling channel: about the connection itself.
    ///
    /// A low-energy packet holds one command. Source: Bluetooth Core, Vol 3 Part A, 4.
    struct Signal: Hashable, Sendable {
        /// The contents of a signal.
        enum Content: Hashable, Sendable {
            /// A request was not understood.
            case reject(CommandReject)
            /// The peripheral asks for other intervals.
            case parameterRequest(HCI.ConnectionParameters)
            /// The central's answer.
            case parameterResponse(ParameterResponse)
            /// A signal that is not listed here, with its code and contents.
            case other(code: UInt8, data: [UInt8])
        }

        /// Pairs a response with its request; never 0.
        var identifier: UInt8
        /// The contents of the signal.
        var content: Content

        /// The code, the identifier and the length of the data.
        static let headerSize = 4

        init(identifier: UInt8, _ content: Content) {
            self.identifier = identifier
            self.content = content
        }
    }

    /// A request was not understood.
    struct CommandReject: FieldGroup, Hashable {
        /// 0 unknown, 1 too long, 2 about a channel that is none.
        var reason: UInt16 = 0
        /// The data of the reason: the longest packet, or a channel.
        var data: [UInt8] = []

        init() {}

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("reason", &reason)
            w.rest("data", &data, atMost: 4)
        }
    }

    /// The answer of the central to the intervals: accepted or refused.
    struct ParameterResponse: FieldGroup, Hashable {
        /// 0 it does, 1 it does not.
        var result: UInt16 = 0

        init() {}

        /// The answer of a central that accepts the intervals, or does not.
        init(_ isAccepted: Bool) {
            result = isAccepted ? 0 : 1
        }

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("result", &result)
        }
    }
}

extension L2CAP.Signal {
    private enum Code {
        static let reject: UInt8 = 0x01
        static let parameterRequest: UInt8 = 0x12
        static let parameterResponse: UInt8 = 0x13
    }

    /// Reads a packet of the signalling channel. What stands behind its length is left alone.
    init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count >= Self.headerSize else {
            throw FrameError(
                field: "signal_header", offset: 0, reason: .truncated(needed: Self.headerSize, left: bytes.count))
        }
        let end = Self.headerSize + Int(bytes.word(at: 2))
        guard end <= bytes.count else {
            throw FrameError(
                field: "signal_data", offset: Self.headerSize,
                reason: .truncated(needed: end - Self.headerSize, left: bytes.count - Self.headerSize))
        }
        let (code, identifier) = (bytes[0], bytes[1])
        let content = try bytes.extracting(first: end).withUnsafeBytes { (memory) throws(FrameError) in
            try Self.read(code, memory)
        }
        self.init(identifier: identifier, content)
    }

    private static func read(_ code: UInt8, _ memory: UnsafeRawBufferPointer) throws(FrameError) -> Content {
        switch code {
        case Code.reject: .reject(try .init(reading: memory, from: headerSize))
        case Code.parameterRequest: .parameterRequest(try .init(reading: memory, from: headerSize))
        case Code.parameterResponse: .parameterResponse(try .init(reading: memory, from: headerSize))
        default: .other(code: code, data: [UInt8](memory.dropFirst(headerSize)))
        }
    }

    /// The packet as bytes.
    var encoded: [UInt8] {
        let (code, data) =
            switch content {
            case .reject(let content): (Code.reject, content.written())
            case .parameterRequest(let content): (Code.parameterRequest, content.written())
            case .parameterResponse(let content): (Code.parameterResponse, content.written())
            case .other(let code, let data): (code, data)
            }
        return [code, identifier] + UInt16(clamping: data.count).wireBytes + data
    }

    /// It wants an answer: the codes of requests are even, but for the one that only gives credits.
    var isRequest: Bool {
        switch content {
        case .parameterRequest: true
        case .reject, .parameterResponse: false
        case .other(let code, _): code % 2 == 0 && code != 0x16
        }
    }
}
