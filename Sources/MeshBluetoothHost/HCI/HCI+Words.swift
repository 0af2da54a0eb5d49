import MeshWire

extension HCI.Command {
    /// The subject of the command; empty where it has none.
    package var words: String {
        switch self {
        case .localName(let command): AdvertisedFacts.text(command.name.bytes.span) ?? ""
        case .randomAddress(let command): BluetoothAddress(command.address, type: 1).description
        case .setRandomAddress(let command): BluetoothAddress(command.address, type: 1).description
        case .advertisingData(let command), .scanResponseData(let command):
            AdvertisedFacts(command.bytes.span).description
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command):
            AdvertisedFacts(command.data.span).description
        case .createConnection(let command) where command.filterPolicy == 0:
            BluetoothAddress(command.peer, type: command.peerType).description
        case .createConnectionExtended(let command) where command.filterPolicy == 0:
            BluetoothAddress(command.peer, type: command.peerType).description
        case .createConnection, .createConnectionExtended: "any device of the list"
        case .disconnect(let command): "handle \(command.handle), \(HCI.disconnectReason(command.reason))"
        case .advertisingEnable(let command): command.isOn == 0 ? "off" : "on"
        case .scanEnable(let command): command.isOn == 0 ? "off" : "on"
        default: ""
        }
    }
}

extension HCI.Event {
    /// The event and its subject.
    package var words: String {
        switch self {
        case .connected(let event) where event.status == 0:
            "handle \(event.handle), \(event.role == 0 ? "central" : "peripheral") of "
                + BluetoothAddress(event.peer, type: event.peerType).description
        case .connected(let event): "status 0x" + [event.status].hex
        case .disconnected(let event): "handle \(event.handle), \(HCI.disconnectReason(event.reason))"
        case .encryption(let event): "handle \(event.handle), \(event.enabled == 0 ? "off" : "on")"
        case .commandComplete(let event):
            HCI.name(ofCommand: event.opcode) + (event.returned.first.map { ", status 0x" + [$0].hex } ?? "")
        case .commandStatus(let event): HCI.name(ofCommand: event.opcode) + ", status 0x" + [event.status].hex
        case .advertising(let event):
            event.reports.map {
                Self.words(BluetoothAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        case .extendedAdvertising(let event):
            event.reports.map {
                Self.words(BluetoothAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        default: ""
        }
    }

    private static func words(_ address: BluetoothAddress, _ facts: AdvertisedFacts) -> String {
        [address.description, facts.description].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension HCI {
    /// Returns the reason why a connection ended, in words.
    package static func disconnectReason(_ code: UInt8) -> String {
        switch code {
        case 0x05: "authentication failure"
        case 0x08: "connection timeout"
        case 0x13: "closed by the other side"
        case 0x16: "closed by this side"
        case 0x3D: "integrity check failed"
        case 0x3E: "connection could not be established"
        default: "reason 0x" + [code].hex
        }
    }
}
