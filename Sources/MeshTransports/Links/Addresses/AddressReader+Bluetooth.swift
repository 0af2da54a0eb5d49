import MeshBluetoothHost
import MeshWire

// Addresses that begin with `ble:`: a controller for an emulated radio, or a radio to dial.
extension AddressReader {
    func bluetooth(_ rest: Bytes) throws(LinkError) -> LinkAddress {
        switch purpose {
        case .endpoint: .controller(try ownController(rest))
        case .radio: .bluetooth(try radio(rest))
        case .listener, .control, .web: throw problem("Bluetooth is not among its forms, expected \(purpose.forms)")
        }
    }

    // MARK: Controllers

    /// `hci:tcp=HOST:PORT`, `hciN`, `hciN?mode=exact`, or `android-netsim`.
    private func ownController(_ rest: Bytes) throws(LinkError) -> BluetoothController {
        let mark = rest.lastIndex(of: Ascii.questionMark) ?? rest.endIndex
        guard let number = Self.adapter(rest[..<mark]) else {
            return try controller(rest, or: "expected \(LinkAddress.controllerForms)")
        }
        guard mark != rest.endIndex else { return .desktop(number) }
        let option = rest[mark...].dropFirst()
        guard option.elementsEqual(BluetoothController.exactMode.utf8) else {
            throw problem(
                "an adapter has one option, \(BluetoothController.exactMode), for the whole of it alone, "
                    + "as in \(LinkAddress.scheme)hci\(number)?\(BluetoothController.exactMode)")
        }
        return .adapter(number)
    }

    /// `hci:tcp=HOST:PORT`, `hciN` or `android-netsim`; anything else is refused with the reason.
    private func controller(_ bytes: Bytes, or reason: String) throws(LinkError) -> BluetoothController {
        if let number = Self.adapter(bytes) { return .adapter(number) }
        if let instance = Self.netsim(bytes) { return .androidNetsim(instance) }
        guard bytes.starts(with: BluetoothController.tcpPrefix.utf8) else { throw problem(reason) }
        let (host, port) = try place(bytes.dropFirst(BluetoothController.tcpPrefix.utf8.count), .controller)
        return .tcp(host: host, port: port)
    }

    /// The number of `hciN`; `nil` where it is none.
    private static func adapter(_ bytes: Bytes) -> Int? {
        let digits = bytes.dropFirst(3)
        guard bytes.starts(with: "hci".utf8), !digits.isEmpty, let number = number(digits),
            BluetoothController.adapters.contains(number)
        else { return nil }
        return number
    }

    /// The instance of `android-netsim` or `android-netsim:N`; `nil` where it is none.
    private static func netsim(_ bytes: Bytes) -> Int? {
        guard bytes.starts(with: BluetoothController.netsimName.utf8) else { return nil }
        let rest = bytes.dropFirst(BluetoothController.netsimName.utf8.count)
        if rest.isEmpty { return 1 }
        guard rest.first == Ascii.colon, let number = number(rest.dropFirst()), AndroidNetsim.instances ~= number else {
            return nil
        }
        return number
    }

    /// `hciN`, `hciN?mode=exact`, `hci:tcp=HOST:PORT` or `android-netsim`, without an address around it.
    func anyController() throws(LinkError) -> BluetoothController {
        let bytes = text.utf8[...]
        let mark = bytes.lastIndex(of: Ascii.questionMark) ?? bytes.endIndex
        let controller = try controller(bytes[..<mark], or: "expected \(BluetoothController.forms)")
        let isExact = bytes[mark...].dropFirst().elementsEqual(BluetoothController.exactMode.utf8)
        guard mark == bytes.endIndex || isExact else { throw problem("expected \(BluetoothController.forms)") }
        return try way(controller, isExact: isExact)
    }

    // MARK: Radios

    /// `PEER[?via=CONTROLLER][&mode=exact][&pin=DIGITS]`.
    private func radio(_ rest: Bytes) throws(LinkError) -> BluetoothRadio {
        let mark = rest.lastIndex(of: Ascii.questionMark) ?? rest.endIndex
        let peer = try peer(rest[..<mark])
        guard mark != rest.endIndex else { return BluetoothRadio(peer) }
        var controller: BluetoothController?
        var isExact = false
        var pin: UInt32?
        for option in rest[mark...].dropFirst().split(separator: Ascii.ampersand, omittingEmptySubsequences: false) {
            if option.starts(with: "via=".utf8), controller == nil {
                controller = try self.controller(
                    option.dropFirst(4),
                    or: "the controller is none, expected via=hci0, via=hci:tcp=HOST:PORT or via=android-netsim")
            } else if option.elementsEqual(BluetoothController.exactMode.utf8), !isExact {
                isExact = true
            } else if option.starts(with: "pin=".utf8), pin == nil {
                pin = try self.pin(option.dropFirst(4))
            } else {
                throw problem(
                    "its options are via=CONTROLLER, mode=exact and pin=DIGITS, each of them once; "
                        + "names have no ? and no &")
            }
        }
        return BluetoothRadio(peer, via: try way(controller, isExact: isExact), pin: pin)
    }

    /// Returns the controller: an adapter is bluetoothd's, unless it is used exclusively.
    private func way(_ controller: BluetoothController?, isExact: Bool) throws(LinkError) -> BluetoothController {
        switch controller {
        case .adapter(let number)? where !isExact: return .desktop(number)
        case .adapter?: break
        case let other where !isExact: return other ?? .desktop(nil)
        default: throw problem("mode=exact takes an adapter of this machine, as in via=hci0&mode=exact")
        }
        return controller ?? .desktop(nil)
    }

    /// Six pairs of hexadecimal digits with colons between them, or a name.
    private func peer(_ bytes: Bytes) throws(LinkError) -> BluetoothRadio.Peer {
        guard !bytes.isEmpty, bytes.count <= BluetoothRadio.longestName else {
            throw problem("the radio is missing or too long: its address, as in AA:BB:CC:DD:EE:FF, or its name")
        }
        if Self.adapter(bytes) != nil || bytes.starts(with: "hci:".utf8) || Self.netsim(bytes) != nil {
            throw problem("names a controller and no radio, as in \(LinkAddress.scheme)MeshCore-alice")
        }
        if bytes.contains(Ascii.colon), bytes.allSatisfy({ $0 == Ascii.colon || $0.isHexDigit }) {
            return .address(try deviceAddress(bytes))
        }
        let name = String(Substring(bytes))
        guard name.unicodeScalars.allSatisfy(Self.isOfName) else {
            throw problem("the name has a character that no address can hold; take the radio's device address")
        }
        return .name(name)
    }

    private func deviceAddress(_ bytes: Bytes) throws(LinkError) -> UInt64 {
        guard let address = BluetoothAddress(text: Substring(bytes)) else {
            throw problem("a device address has six pairs of hexadecimal digits, as in AA:BB:CC:DD:EE:FF")
        }
        return address.number
    }

    /// Returns whether a name may have the character: any script, but no separators and no invisible ones.
    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "?", "&": false
        // Joins emoji.
        case "\u{200D}": true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    private func pin(_ bytes: Bytes) throws(LinkError) -> UInt32 {
        guard let pin = BluetoothRadio.pin(Substring(bytes)) else {
            throw problem("a PIN has six digits, as in pin=123456")
        }
        return pin
    }
}

extension BluetoothRadio {
    /// A PIN as it is typed: six digits. `nil` for anything else.
    package static func pin(_ text: some StringProtocol) -> UInt32? {
        guard text.utf8.count == 6, text.utf8.allSatisfy(Ascii.digits.contains) else { return nil }
        return UInt32(text)
    }

    /// The text of an address without the digits of its PIN, for errors.
    static func masked(_ text: String) -> String {
        guard text.utf8.starts(with: LinkAddress.scheme.utf8) else { return text }
        var parts: [Substring] = []
        var rest = Substring(text)
        while let pin = rest.utf8.firstRange(of: "pin=") {
            parts += [rest[..<pin.upperBound], "…"]
            let end = rest.utf8[pin.upperBound...].firstIndex(of: Ascii.ampersand) ?? rest.endIndex
            rest = rest[end...]
        }
        return parts.joined() + rest
    }
}

extension Substring.UTF8View {
    fileprivate func firstRange(of word: String) -> Range<Index>? {
        var start = startIndex
        while start != endIndex {
            if self[start...].starts(with: word.utf8) {
                return start..<(index(start, offsetBy: word.utf8.count))
            }
            formIndex(after: &start)
        }
        return nil
    }
}
