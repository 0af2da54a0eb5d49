import CPcap

/// An interface that libpcap can capture on.
package struct LiveInterface: Hashable, Sendable {
    /// All adapters at once, with the management channel (link type 254).
    package static let monitor = "bluetooth-monitor"

    package let name: String
    /// The library's description of it; may be empty.
    package let summary: String

    package init(_ name: String, _ summary: String = "") {
        self.name = name
        self.summary = summary
    }

    /// `bluetooth0` and so on for one adapter (link type 201), `bluetooth-monitor` for all.
    package var isBluetooth: Bool { name.hasPrefix("bluetooth") }

    /// All interfaces of this machine, as far as this process may see them.
    package static func all() throws(LiveCaptureError) -> [LiveInterface] {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        var first: UnsafeMutablePointer<pcap_if_t>?
        guard pcap_findalldevs(&first, &message) == 0 else {
            throw LiveCaptureError(.failed, "the interfaces cannot be listed: \(PcapFailure.text(message))")
        }
        defer { pcap_freealldevs(first) }
        var interfaces: [LiveInterface] = []
        var next = first
        while let device = next {
            let name = device.pointee.name.map { String(cString: $0) } ?? ""
            interfaces.append(LiveInterface(name, device.pointee.description.map { String(cString: $0) } ?? ""))
            next = device.pointee.next
        }
        return interfaces
    }
}
