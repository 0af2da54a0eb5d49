/// The reason for which nothing can be captured live.
package struct LiveCaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The machine has no Bluetooth, or none that this process may see.
        case noAdapter
        /// The process lacks the right to open it.
        case noPermission
        /// There are adapters, and none of that name.
        case unknownInterface
        /// It was open and failed.
        case failed
    }

    package let kind: Kind
    /// One sentence without its full stop.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension LiveCaptureError {
    /// Makes the error for a refusal to open an interface.
    ///
    /// - Parameters:
    ///   - reason: The failure in the library's terms, with its message.
    ///   - known: The interfaces that there are.
    init(opening interface: String, _ reason: PcapFailure, known: [LiveInterface]) {
        let bluetooth = known.filter(\.isBluetooth).map(\.name)
        switch reason.kind {
        case .notPermitted:
            self.init(
                .noPermission,
                "no permission to capture on \(interface): it needs CAP_NET_RAW and nothing else; run this as root, or give "
                    + "it to the program with 'setcap cap_net_raw+ep PROGRAM'")
        case .notThere where !bluetooth.isEmpty && !bluetooth.contains(interface):
            self.init(
                .unknownInterface,
                "there is no Bluetooth interface '\(interface)', there are \(bluetooth.joined(separator: ", "))")
        case .notThere, .notSupported:
            self.init(.noAdapter, "\(interface) cannot be opened: \(Self.nothing(of: known))")
        case .other: self.init(.failed, "\(interface) cannot be opened: \(reason.message)")
        }
    }

    /// Returns a sentence on the missing Bluetooth, and on the interfaces that there are.
    private static func nothing(of known: [LiveInterface]) -> String {
        let others = known.filter { !$0.isBluetooth }.map(\.name)
        let rest = others.isEmpty ? "no interfaces at all" : "only \(others.joined(separator: ", "))"
        return "this machine has no Bluetooth adapter, libpcap sees \(rest)"
    }
}
