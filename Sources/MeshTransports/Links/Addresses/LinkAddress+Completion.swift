import MeshBluetoothHost
import MeshWire

extension LinkAddress {
    /// Completes the address of a radio without a scheme, when it can have one meaning only.
    ///
    /// `192.168.1.20`, `radio.local` and `radio:5000` are hosts, `/dev/ttyUSB0` is a line, six pairs of digits and a
    /// name as the firmware gives it are radios over Bluetooth. Any other text stays as it is.
    package static func completed(_ text: String) -> String {
        let bare = text.trimmed(where: \.isWhitespace)
        if bare.contains("://") { return bare }
        if bare.hasPrefix("/") { return "serial:" + bare }
        if BluetoothAddress(text: bare) != nil || bare.hasPrefix("MeshCore-") { return scheme + bare }
        if bare.hasPrefix("[") || isHost(bare) { return "tcp://" + bare }
        return isBareIPv6(bare) ? "tcp://[\(bare)]" : bare
    }

    /// Returns whether a text is a host of the network: with a port, with a full stop, or this machine.
    private static func isHost(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2,
            host.utf8.allSatisfy({ isOfPlainHost($0) }), !host.hasPrefix("."), !host.hasSuffix("..")
        else { return false }
        if parts.count == 2 { return !parts[1].isEmpty && parts[1].utf8.allSatisfy(Ascii.digits.contains) }
        return host.contains(".") || host == "localhost"
    }

    private static func isOfPlainHost(_ byte: UInt8) -> Bool {
        switch byte {
        case Ascii.digits, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isBareIPv6(_ text: String) -> Bool {
        text.utf8.count { $0 == Ascii.colon } > 1
            && text.utf8.allSatisfy { $0 == Ascii.colon || $0 == UInt8(ascii: ".") || $0.isHexDigit }
    }
}
