import CPcap

/// The reason of libpcap for which it cannot open something.
struct PcapFailure: Error, Hashable {
    enum Kind: Hashable {
        case notPermitted
        case notThere
        /// The system has no Bluetooth sockets.
        case notSupported
        case other
    }

    var kind: Kind
    var message: String

    init(_ status: Int32, _ message: String) {
        self.message = message
        switch status {
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED: kind = .notPermitted
        case PCAP_ERROR_NO_SUCH_DEVICE, PCAP_ERROR_IFACE_NOT_UP: kind = .notThere
        default: kind = Self.kind(of: message)
        }
    }

    /// Returns the kind of a failure: the modules for Bluetooth report most failures in words alone.
    private static func kind(of message: String) -> Kind {
        let words: [(String, Kind)] = [
            ("not permitted", .notPermitted), ("ermission denied", .notPermitted), ("not supported", .notSupported),
            ("No such device", .notThere), ("not exist", .notThere), ("syntax error", .notThere),
        ]
        return words.first { message.contains($0.0) }?.1 ?? .other
    }

    static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
