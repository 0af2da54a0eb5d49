public import MeshWire

extension HCI.Command {
    /// The fields with their offsets from the opcode on.
    public var fields: [PrintedField] {
        switch self {
        case .reset, .clearAdvertisingSets, .other: []
        case .localName(let command): command.printed(from: 3)
        case .randomAddress(let command): command.printed(from: 3)
        case .advertisingParameters(let command): command.printed(from: 3)
        case .advertisingData(let command), .scanResponseData(let command): command.printed(from: 3)
        case .createConnection(let command): command.printed(from: 3)
        case .createConnectionExtended(let command): command.printed(from: 3)
        case .setRandomAddress(let command): command.printed(from: 3)
        case .extendedAdvertisingParameters(let command): command.printed(from: 3)
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command): command.printed(from: 3)
        case .removeAdvertisingSet(let command): command.printed(from: 3)
        }
    }

    /// Who it is about.
    package var words: String {
        switch self {
        case .localName(let command): AdvertisedFacts.text(command.name.bytes.span) ?? ""
        case .randomAddress(let command): AirAddress(command.address, type: 1).description
        case .setRandomAddress(let command): AirAddress(command.address, type: 1).description
        case .advertisingData(let command), .scanResponseData(let command):
            AdvertisedFacts(command.bytes.span).description
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command):
            AdvertisedFacts(command.data.span).description
        case .createConnection(let command) where command.filterPolicy == 0:
            AirAddress(command.peer, type: command.peerType).description
        case .createConnectionExtended(let command) where command.filterPolicy == 0:
            AirAddress(command.peer, type: command.peerType).description
        case .createConnection, .createConnectionExtended: "any device of the list"
        case .reset, .clearAdvertisingSets, .other, .advertisingParameters, .extendedAdvertisingParameters,
            .removeAdvertisingSet:
            ""
        }
    }
}

extension HCI.Event {
    /// The fields with their offsets from the code on.
    public var fields: [PrintedField] {
        switch self {
        case .connected(let event): event.printed(from: 3)
        case .connectedClassic(let event): event.printed(from: 2)
        case .disconnected(let event): event.printed(from: 2)
        case .encryption(let event): event.printed(from: 2)
        case .newKey(let event): event.printed(from: 2)
        case .advertising(let event): event.printed(from: 3)
        case .extendedAdvertising(let event): event.printed(from: 3)
        case .commandStatus(let event): event.printed(from: 2)
        // What a command returns may be a key.
        case .commandComplete, .other: []
        }
    }

    package var words: String {
        switch self {
        case .connected(let event) where event.status == 0:
            "handle \(event.handle), \(event.role == 0 ? "central" : "peripheral") of "
                + AirAddress(event.peer, type: event.peerType).description
        case .connected(let event): "status 0x" + [event.status].hex
        case .disconnected(let event): "handle \(event.handle), \(HCI.disconnectReason(event.reason))"
        case .encryption(let event): "handle \(event.handle), \(event.enabled == 0 ? "off" : "on")"
        case .commandComplete(let event):
            HCI.name(ofCommand: event.opcode) + (event.returned.first.map { ", status 0x" + [$0].hex } ?? "")
        case .commandStatus(let event): HCI.name(ofCommand: event.opcode) + ", status 0x" + [event.status].hex
        case .advertising(let event):
            event.reports.map {
                Self.words(AirAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        case .extendedAdvertising(let event):
            event.reports.map {
                Self.words(AirAddress($0.address, type: $0.addressType), AdvertisedFacts($0.data.span))
            }.joined(separator: "; ")
        case .connectedClassic, .newKey, .other: ""
        }
    }

    private static func words(_ address: AirAddress, _ facts: AdvertisedFacts) -> String {
        [address.description, facts.description].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
