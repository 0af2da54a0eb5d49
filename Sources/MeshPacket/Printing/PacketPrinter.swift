public import MeshCrypto
public import MeshWire

/// Lists frames field by field, opening what the given keys open.
///
/// It works on the same walks as reader and writer. A malformed frame is listed up to the field that fails.
public struct PacketPrinter: Sendable {
    /// A channel whose packets can be opened.
    public struct Channel: Sendable {
        public var name: String
        public var secret: SharedSecret

        public init(name: String, secret: SharedSecret) {
            self.name = name
            self.secret = secret
        }
    }

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

    /// Lists a frame; `source` says which rules it is held against.
    public func print(_ frame: [UInt8], as source: PacketView.Source = .radio) -> PrintedPacket {
        let view: PacketView
        do {
            view = try PacketView(frame, as: source)
        } catch {
            var printed = PrintedPacket(summary: "malformed frame of \(frame.count) bytes")
            var envelope = PacketEnvelope()
            printed.fields = Self.listed(frame, from: 0) {
                envelope.walk(&$0)
            } printing: {
                envelope.walk(&$0)
            }
            .fields.filter { $0.offset < error.offset }
            printed.failure = error
            return Self.worded(printed, envelope)
        }
        return print(view)
    }

    /// Lists a checked packet.
    public func print(_ view: PacketView) -> PrintedPacket {
        let frame = view.bytes
        var printed = PrintedPacket(summary: Self.summary(of: view))
        var envelope = PacketEnvelope()
        printed.fields =
            Self.listed(frame, from: 0) {
                envelope.walk(&$0)
            } printing: {
                envelope.walk(&$0)
            }.fields
        printed = Self.worded(printed, envelope)

        let start = view.payloadOffset
        var payload = Payload(emptyOf: view.type, firstByte: view.payloadByte(at: 0) ?? 0)
        let listed = Self.listed(frame, from: start) {
            payload.walk(&$0)
        } printing: {
            payload.walk(&$0)
        }
        printed.fields += listed.fields
        printed.failure = listed.failure ?? payload.emptyCiphertext(payloadAt: start)
        guard printed.failure == nil else { return printed }
        if case .advert(let advert) = payload { Self.expand(advert, at: start, in: &printed) }
        open(view, in: &printed)
        return printed
    }

    static func summary(of view: PacketView) -> String {
        let path = view.type == .trace ? "\(view.pathLength.rawValue) SNRs" : view.pathLength.description
        return "\(view.type) \(view.route), \(path), payload of \(view.payloadCount) bytes"
    }

    /// Reads with one walk and prints with another, up to the field that fails.
    private static func listed(
        _ frame: [UInt8], from offset: Int, reading: (inout FieldReader) -> Void,
        printing: (inout FieldPrinter) -> Void
    ) -> (fields: [PrintedField], failure: FrameError?) {
        let failure = frame.withUnsafeBytes { memory in
            var reader = FieldReader(memory, from: offset)
            reading(&reader)
            return reader.failure
        }
        var printer = FieldPrinter(from: offset)
        printing(&printer)
        guard let failure else { return (printer.fields, nil) }
        return (printer.fields.filter { isReadable($0, before: failure) }, failure)
    }

    /// A field that is cut has no value; one that is out of bounds does.
    private static func isReadable(_ field: PrintedField, before failure: FrameError) -> Bool {
        if case .truncated = failure.reason { return field.offset + field.size <= failure.offset }
        return field.offset <= failure.offset
    }

    /// Says in words what header, `path_len` and path hold.
    private static func worded(_ printed: PrintedPacket, _ envelope: PacketEnvelope) -> PrintedPacket {
        var worded = printed
        worded.fields = printed.fields.map { field in
            let words: String
            switch field.name {
            case "header": words = "\(field.value) (\(envelope.type), \(envelope.route), version \(envelope.version))"
            case "path_len" where envelope.type != .trace: words = "\(field.value) (\(envelope.pathLength))"
            case "path" where envelope.type == .trace:
                words = envelope.path.map { "\(Double(Int8(bitPattern: $0)) / 4) dB" }.joined(separator: ", ")
            case "path": words = hops(envelope.path, of: envelope.pathLength.hashSize)
            default: return field
            }
            return PrintedField(
                name: field.name, offset: field.offset, size: field.size, value: words, unit: field.unit)
        }
        return worded
    }

    private static func hops(_ path: [UInt8], of size: Int) -> String {
        stride(from: 0, to: path.count, by: size).map { path[$0..<min($0 + size, path.count)].hex }
            .joined(separator: " ")
    }

    /// Lists the application data of an advert in place of its bytes, and says whether the signature holds.
    private static func expand(_ advert: Advert, at start: Int, in printed: inout PrintedPacket) {
        printed.notes.append(advert.isSignatureValid ? "signature valid" : "signature INVALID")
        let offset = start + Advert.headSize
        printed.fields.removeAll { $0.name == "app_data" }
        var data = AdvertData()
        let read = [UInt8](advert.appData.prefix(PacketLimits.advertData))
        let listed = listed([UInt8](repeating: 0, count: offset) + read, from: offset) {
            data.walk(&$0)
        } printing: {
            data.walk(&$0)
        }
        printed.fields += listed.fields
        printed.failure = listed.failure
        let unread = advert.appData.count - read.count
        if unread > 0 { printed.notes.append("\(unread) bytes of application data are neither signed nor read") }
    }
}
