public import MeshWire

/// The payload of a packet by its type; sealed payloads stay sealed.
///
/// A reserved type keeps its bytes. Cases carry the firmware's names.
public enum Payload: Hashable, Sendable {
    /// A request to a server, sealed.
    case req(DatagramEnvelope)
    /// The answer to a request, sealed.
    case response(DatagramEnvelope)
    /// A text between two contacts, sealed.
    case txtMsg(DatagramEnvelope)
    /// An acknowledgement.
    case ack(Ack)
    /// A node's description of itself.
    case advert(Advert)
    /// A text on a channel, sealed.
    case grpTxt(GroupDatagram)
    /// A datagram on a channel, sealed.
    case grpData(GroupDatagram)
    /// A request that carries the sender's whole key, sealed.
    case anonReq(AnonymousRequest)
    /// A path that is returned, sealed.
    case path(DatagramEnvelope)
    /// A trace.
    case trace(Trace)
    /// One of several copies of a small packet.
    case multipart(Multipart)
    /// Discovery, and what else neighbours ask each other.
    case control(Control)
    /// Bytes of an application's own format.
    case rawCustom(OpaquePayload)
    /// A type that the firmware has not given a meaning, 12 to 14.
    case reserved(PayloadType, OpaquePayload)

    /// The type that stands in the header.
    public var type: PayloadType {
        switch self {
        case .req: .req
        case .response: .response
        case .txtMsg: .txtMsg
        case .ack: .ack
        case .advert: .advert
        case .grpTxt: .grpTxt
        case .grpData: .grpData
        case .anonReq: .anonReq
        case .path: .path
        case .trace: .trace
        case .multipart: .multipart
        case .control: .control
        case .rawCustom: .rawCustom
        case .reserved(let type, _): type
        }
    }

    /// An empty payload of this type; a control payload is chosen by its first byte.
    public init(emptyOf type: PayloadType, firstByte: UInt8 = 0) {
        switch type {
        case .req: self = .req(DatagramEnvelope())
        case .response: self = .response(DatagramEnvelope())
        case .txtMsg: self = .txtMsg(DatagramEnvelope())
        case .ack: self = .ack(Ack())
        case .advert: self = .advert(Advert())
        case .grpTxt: self = .grpTxt(GroupDatagram())
        case .grpData: self = .grpData(GroupDatagram())
        case .anonReq: self = .anonReq(AnonymousRequest())
        case .path: self = .path(DatagramEnvelope())
        case .trace: self = .trace(Trace())
        case .multipart: self = .multipart(Multipart())
        case .control: self = .control(Control(emptyOf: firstByte))
        case .rawCustom: self = .rawCustom(OpaquePayload())
        default: self = .reserved(type, OpaquePayload())
        }
    }

    /// Reads the payload that starts at `offset` of a frame and ends with it; offsets in errors count from the frame's
    /// first byte.
    public init(_ type: PayloadType, reading frame: UnsafeRawBufferPointer, from offset: Int) throws(FrameError) {
        self.init(emptyOf: type, firstByte: offset < frame.count ? frame[offset] : 0)
        var reader = FieldReader(frame, from: offset)
        walk(&reader)
        if let failure = reader.failure ?? emptyCiphertext(payloadAt: offset) { throw failure }
    }

    /// The payload's bytes.
    public func written() -> [UInt8] {
        var writer = FieldWriter()
        var fields = self
        fields.walk(&writer)
        return writer.output
    }

    /// Walks the fields of whatever it is.
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        switch self {
        case .req(let fields): self = .req(fields.walked(by: &w))
        case .response(let fields): self = .response(fields.walked(by: &w))
        case .txtMsg(let fields): self = .txtMsg(fields.walked(by: &w))
        case .ack(let fields): self = .ack(fields.walked(by: &w))
        case .advert(let fields): self = .advert(fields.walked(by: &w))
        case .grpTxt(let fields): self = .grpTxt(fields.walked(by: &w))
        case .grpData(let fields): self = .grpData(fields.walked(by: &w))
        case .anonReq(let fields): self = .anonReq(fields.walked(by: &w))
        case .path(let fields): self = .path(fields.walked(by: &w))
        case .trace(let fields): self = .trace(fields.walked(by: &w))
        case .multipart(let fields): self = .multipart(fields.walked(by: &w))
        case .control(var control):
            control.walk(&w)
            self = .control(control)
        case .rawCustom(let fields): self = .rawCustom(fields.walked(by: &w))
        case .reserved(let type, let fields): self = .reserved(type, fields.walked(by: &w))
        }
    }

    /// A sealed payload needs a byte of ciphertext: a node ignores shorter ones.
    func emptyCiphertext(payloadAt offset: Int) -> FrameError? {
        let missing: Int
        switch self {
        case .req(let fields), .response(let fields), .txtMsg(let fields), .path(let fields):
            guard fields.ciphertext.isEmpty else { return nil }
            missing = 4
        case .grpTxt(let fields), .grpData(let fields):
            guard fields.ciphertext.isEmpty else { return nil }
            missing = 3
        case .anonReq(let fields):
            guard fields.ciphertext.isEmpty else { return nil }
            missing = 35
        default: return nil
        }
        return FrameError(field: "ciphertext", offset: offset + missing, reason: .truncated(needed: 1, left: 0))
    }
}

/// Bytes that only an application understands, or of an unknown type.
public struct OpaquePayload: FieldGroup, Hashable {
    /// The bytes as they travel.
    public var bytes: [UInt8] = []

    public init() {}

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.rest("payload", &bytes, atMost: PacketLimits.payload)
    }
}

extension FieldGroup {
    fileprivate func walked<W: FieldWalker>(by w: inout W) -> Self {
        var fields = self
        fields.walk(&w)
        return fields
    }
}
