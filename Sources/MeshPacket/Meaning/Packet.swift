public import MeshWire

/// The bytes in front of the payload: header, transport codes, `path_len` and path.
///
/// Source: OverTheAir, "Packet layout". `PacketView` checks the same bytes without walking them, because a relay does
/// nothing else; a test holds the two against each other.
public struct PacketEnvelope: FieldGroup, Hashable {
    /// Version, type and route.
    public var header: UInt8 = 0
    /// On the air on transport routes only.
    public var codes = TransportCodes.zero
    /// Number and size of the hashes in the path.
    public var pathLength = PathLength.empty
    /// Hashes of forwarders; in a TRACE one SNR byte a hop.
    public var path: [UInt8] = []

    public init() {}

    /// Flood or direct, with or without transport codes: bits 0 and 1 of the header.
    public var route: RouteType { RouteType(header: header) }
    /// The type of the payload: bits 2 to 5 of the header.
    public var type: PayloadType { PayloadType(header: header) }
    /// The version of the payload, 0 to 3: bits 6 and 7 of the header.
    public var version: UInt8 { header >> 6 }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("header", &header, unit: .hex)
        w.note("\(type), \(route), version \(version)")
        if route.hasTransportCodes {
            w.u16("transport_codes[0]", &codes.region, unit: .hex)
            w.u16("transport_codes[1]", &codes.reserved, unit: .hex)
        }
        w.raw("path_len", &pathLength, unit: .hex)
        if type == .trace { w.note("\(pathLength.rawValue) SNRs") }
        w.bytes("path", &path, count: pathLength.byteCount)
        w.note(pathInWords)
    }

    /// The hashes one by one; of a TRACE the SNRs.
    private var pathInWords: String {
        if type == .trace { return path.map { "\(Double(Int8(bitPattern: $0)) / 4) dB" }.joined(separator: ", ") }
        let size = pathLength.hashSize
        return stride(from: 0, to: path.count, by: size).map { path[$0..<min($0 + size, path.count)].hex }
            .joined(separator: " ")
    }
}

/// A packet and its meaning, as far as it is known without keys.
///
/// For people, tests and originators; a relay works on `PacketView`.
public struct Packet: Hashable, Sendable {
    /// Flood or direct, with or without transport codes.
    public var route: RouteType
    /// 0 for everything in use.
    public var version: UInt8
    /// On the air on transport routes only.
    public var transportCodes: TransportCodes
    /// Number and size of the hashes in the path.
    public var pathLength: PathLength
    /// Hashes of forwarders; in a TRACE one SNR byte a hop.
    public var path: [UInt8]
    /// The content of the packet.
    public var payload: Payload

    public init(
        route: RouteType, version: UInt8 = 0, transportCodes: TransportCodes = .zero,
        pathLength: PathLength = .empty, path: [UInt8] = [], payload: Payload
    ) {
        self.route = route
        self.version = version
        self.transportCodes = transportCodes
        self.pathLength = pathLength
        self.path = path
        self.payload = payload
    }

    /// Reads the meaning of a checked packet; the error names field and offset in the frame.
    public init(_ view: PacketView) throws(FrameError) {
        route = view.route
        version = view.version
        transportCodes = view.transportCodes ?? .zero
        pathLength = view.pathLength
        path = view.path
        payload = try view.withBytes { (frame: UnsafeRawBufferPointer) throws(FrameError) -> Payload in
            try Payload(view.type, reading: frame, from: view.payloadOffset)
        }
    }

    /// Checks a frame and reads its meaning.
    public init(_ frame: [UInt8], as source: PacketView.Source = .radio) throws(FrameError) {
        try self.init(PacketView(frame, as: source))
    }

    /// The type that stands in the header.
    public var type: PayloadType { payload.type }

    /// Everything in front of the payload.
    public var envelope: PacketEnvelope {
        var envelope = PacketEnvelope()
        envelope.header = version << 6 | type.rawValue << 2 | route.rawValue
        envelope.codes = transportCodes
        envelope.pathLength = pathLength
        envelope.path = path
        return envelope
    }

    /// The frame, unchecked: values that are too long are written as they stand.
    public func encoded() -> [UInt8] {
        envelope.written() + payload.written()
    }

    /// The frame as a view; the error names the first field that a radio would not accept.
    public func view() throws(FrameError) -> PacketView {
        try PacketView(encoded(), as: version == 0 ? .radio : .blob)
    }

    /// The SNR of each completed hop of a TRACE, in quarter decibels; empty for other types.
    public var traceSNRs: [Int8] {
        type == .trace ? path.map { Int8(bitPattern: $0) } : []
    }
}
