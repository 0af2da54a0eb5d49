import MeshBluetoothHost
import MeshFirmware

/// The attributes of a companion radio, in the order and with the handles of its builds.
///
/// Source: MeshCore, `SerialBLEInterface` of nrf52 and esp32; services of the chip's own stack as Nordic's S140 and
/// Espressif's Bluedroid have them.
struct RadioAttributes {
    private(set) var table = ATT.AttributeTable()
    /// The value that the app writes.
    private(set) var receive: UInt16 = 0
    /// The value that notifies.
    private(set) var transmit: UInt16 = 0

    /// The access that a link needs for the service.
    private let permission: ATT.Access
    private let receiveUUID: BluetoothUUID

    private let traits: BluetoothTraits
    private let deviceName: [UInt8]

    init(_ radio: RadioIdentity, _ shape: RadioShape = RadioShape()) {
        permission = shape.permission
        receiveUUID = shape.has(.otherReceive) ? .nordicUART : .nordicRX
        traits = shape.applied(to: radio.traits)
        deviceName = shape.deviceName(of: radio)
        switch (shape.firstHandle, traits.hasSecureConnections) {
        case (let handle?, _): addMoved(to: handle)
        case (nil, true): addESP32()
        case (nil, false): addNRF52()
        }
    }

    // MARK: nRF52

    private mutating func addNRF52() {
        table.addService(.genericAccess)
        table.addCharacteristic(.deviceName, [.read], value: deviceName, read: .open)
        table.addCharacteristic(.appearance, [.read], value: [0, 0], read: .open)
        // 15 to 30 ms, latency 4, 2 s: what it asks for.
        table.addCharacteristic(
            .preferredParameters, [.read], value: [12, 0, 24, 0, 4, 0, 200, 0], read: .open)
        table.addCharacteristic(.addressResolution, [.read], value: [1], read: .open)
        table.addService(.genericAttribute)
        table.addCharacteristic(.serviceChanged, [.indicate])
        table.addService(.nordicUART)
        transmit = table.addCharacteristic(
            .nordicTX, ATT.Properties(rawValue: traits.transmitProperties), configuration: permission)
        table.addDescriptor(.userDescription, value: Array("TXD".utf8), read: permission)
        receive = table.addCharacteristic(
            receiveUUID, ATT.Properties(rawValue: traits.receiveProperties), write: permission, limit: receiveLimit)
        table.addDescriptor(.userDescription, value: Array("RXD".utf8), read: .never)
    }

    // MARK: ESP32

    private mutating func addESP32() {
        table.addService(.genericAttribute)
        table.addCharacteristic(.serviceChanged, [.indicate])
        // The chip's stack gives each service that it knows a range of its own.
        table.addService(.genericAccess, at: 0x14)
        table.addCharacteristic(.deviceName, [.read], value: deviceName, read: .open)
        table.addCharacteristic(.appearance, [.read], value: [0, 0], read: .open)
        table.addCharacteristic(.addressResolution, [.read], value: [0], read: .open)
        table.addService(.nordicUART, at: 0x28)
        transmit = table.addCharacteristic(
            .nordicTX, ATT.Properties(rawValue: traits.transmitProperties), read: permission)
        receive = table.addCharacteristic(
            receiveUUID, ATT.Properties(rawValue: traits.receiveProperties), write: permission)
    }

    // MARK: Another layout

    /// The same service before all others, its values exchanged, from a handle on.
    private mutating func addMoved(to handle: UInt16) {
        let configuration = traits.hasSecureConnections ? ATT.Access.open : permission
        let read = traits.transmitProperties & 0x02 == 0 ? ATT.Access.never : permission
        table.addService(.nordicUART, at: handle)
        receive = table.addCharacteristic(
            receiveUUID, ATT.Properties(rawValue: traits.receiveProperties), write: permission, limit: receiveLimit)
        transmit = table.addCharacteristic(
            .nordicTX, ATT.Properties(rawValue: traits.transmitProperties), read: read, configuration: configuration)
        table.addService(.genericAttribute)
        table.addCharacteristic(.serviceChanged, [.indicate])
        table.addService(.genericAccess)
        table.addCharacteristic(.deviceName, [.read], value: deviceName, read: .open)
        table.addCharacteristic(.appearance, [.read], value: [0, 0], read: .open)
    }

    /// The longest value that may be written.
    private var receiveLimit: Int { traits.hasSecureConnections ? ATT.maximumValue : Int(traits.mtu) }
}

extension BluetoothUUID {
    fileprivate static let genericAccess = BluetoothUUID(0x1800)
    fileprivate static let genericAttribute = BluetoothUUID(0x1801)
    fileprivate static let appearance = BluetoothUUID(0x2A01)
    fileprivate static let preferredParameters = BluetoothUUID(0x2A04)
    fileprivate static let addressResolution = BluetoothUUID(0x2AA6)
}

/// The advertisement of a companion radio.
///
/// Source: MeshCore, `SerialBLEInterface::begin` of nrf52 and esp32.
enum RadioAdvertisement {
    /// The advertisement: flags, power or intervals, and the service; the name is in the answer to scans.
    ///
    /// `faults`: those of advertising that hold now.
    static func advertisement(
        _ radio: RadioIdentity, _ shape: RadioShape = RadioShape(),
        faults: [BluetoothFault.Kind] = []
    ) -> BluetoothHost.Advertisement {
        let flags: [UInt8] = [2, 0x01, 0x06]
        let service: [UInt8] =
            faults.contains(where: \.hidesService) ? [] : [17, 0x07] + BluetoothUUID.nordicUART.bytes
        // The power is that of `BLE_TX_POWER`, 4 dBm on nRF52; the intervals are 40 to 80 ms.
        let middle: [UInt8] = radio.traits.hasSecureConnections ? [5, 0x12, 0x20, 0, 0x40, 0] : [2, 0x0A, 4]
        return BluetoothHost.Advertisement(
            data: flags + middle + service, scanResponse: name(shape.deviceName(of: radio), faults),
            shortestInterval: 0x20, longestInterval: radio.traits.hasSecureConnections ? 0x40 : 0xF4)
    }

    /// All of the name, or as much as there is room for; nothing at all where a fault leaves none of it.
    private static func name(_ name: [UInt8], _ faults: [BluetoothFault.Kind]) -> [UInt8] {
        let limits = faults.map { if case .nameCut(let count, _) = $0 { count } else { 29 } }
        let told = name.prefix(limits.min() ?? 29)
        guard limits.isEmpty || !told.isEmpty else { return [] }
        return [UInt8(told.count + 1), told.count < name.count ? 0x08 : 0x09] + told
    }
}
