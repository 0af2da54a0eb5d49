public import MeshCrypto
public import MeshWire

/// Lists frames field by field, with the content that the given keys open.
///
/// It works on the same walks as reader and writer. A malformed frame is listed up to the field that fails.
public struct PacketPrinter: Sendable {
    /// A channel whose packets can be opened.
    public struct Channel: Sendable {
        /// The name of the packet in the listing.
        public var name: String
        /// The key of the channel.
        public var secret: SharedSecret

        public init(name: String, secret: SharedSecret) {
            self.name = name
            self.secret = secret
        }
    }

    /// The channels to try, in this order.
    public var channels: [Channel]
    /// Nodes whose private keys are known.
    public var identities: [LocalIdentity]
    /// Nodes that those may be talking to; the identities themselves are always tried.
    public var peers: [PublicKey]

    public init(channels: [Channel] = [], identities: [LocalIdentity] = [], peers: [PublicKey] = []) {
        self.channels = channels
        self.identities = identities
        self.peers = peers
    }

    /// Lists a frame; `source` chooses the rules that it is checked by.
    public func printed(_ frame: [UInt8], as source: PacketView.Source = .radio) -> PrintedPacket {
        let view: PacketView
        do {
            view = try PacketView(frame, as: source)
        } catch {
            var printed = PrintedPacket(summary: "malformed frame of \(frame.count) bytes")
            let traced = frame.withUnsafeBytes { PacketEnvelope.traced($0) }
            printed.fields = traced.fields.filter { Self.isReadable($0, before: error) }
            printed.failure = error
            return printed
        }
        return printed(view)
    }

    /// Lists a checked packet.
    public func printed(_ view: PacketView) -> PrintedPacket {
        var printed = PrintedPacket(summary: Self.summary(of: view))
        var payload = Payload(emptyOf: view.type, firstByte: view.payloadByte(at: 0) ?? 0)
        view.withBytes { frame in
            var tracer = FieldTracer(frame, from: view.payloadOffset)
            payload.walk(&tracer)
            printed.fields = PacketEnvelope.traced(frame).fields + tracer.fields
            printed.failure = tracer.failure ?? payload.emptyCiphertext(payloadAt: view.payloadOffset)
        }
        if let failure = printed.failure {
            printed.fields.removeAll { !Self.isReadable($0, before: failure) }
            return printed
        }
        if case .advert(let advert) = payload { Self.expand(advert, in: view, &printed) }
        open(view, in: &printed)
        return printed
    }

    static func summary(of view: PacketView) -> String {
        let path = view.type == .trace ? "\(view.pathLength.rawValue) SNRs" : view.pathLength.description
        return "\(view.type) \(view.route), \(path), payload of \(view.payloadCount) bytes"
    }

    /// A field that is cut has no value; one that is out of bounds does.
    private static func isReadable(_ field: PrintedField, before failure: FrameError) -> Bool {
        if case .truncated = failure.reason { return field.offset < failure.offset }
        return field.offset <= failure.offset
    }

    /// Lists the application data of an advert in place of its bytes, and notes whether the signature is valid.
    private static func expand(_ advert: Advert, in view: PacketView, _ printed: inout PrintedPacket) {
        printed.notes.append(advert.isSignatureValid ? "signature valid" : "signature INVALID")
        printed.fields.removeAll { $0.name == "app_data" }
        let start = view.payloadOffset + Advert.headSize
        let end = min(view.count, start + PacketLimits.advertData)
        let traced = view.withBytes { AdvertData.traced(UnsafeRawBufferPointer(rebasing: $0[..<end]), from: start) }
        printed.fields += traced.fields
        printed.failure = traced.failure
        if view.count > end {
            printed.notes.append("\(view.count - end) bytes of application data are neither signed nor read")
        }
    }
}
