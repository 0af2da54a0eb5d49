import ArgumentParser
import MeshCompanion
import MeshWire
import PocketMeshServices

/// `meshbed client info`.
struct ClientInfo: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show identity, firmware and state of the radio.")

    @OptionGroup var options: ClientOptions

    var showsSynchronised: Bool { true }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let services = connection.services
        let battery = try await services.settingsService.getBattery()
        let info = InfoRow(
            connection.device, millivolts: battery.battery,
            contacts: try await services.contactService.getContacts(deviceID: connection.device.id).count,
            channels: try await services.channelService.getChannels(deviceID: connection.device.id).count,
            queued: try await services.messageService.queuedCount(deviceID: connection.device.id))
        if options.json {
            Console.out(try json(info))
        } else {
            for line in info.lines { Console.out(line) }
        }
        return true
    }
}

/// A radio as `meshbed client info` prints it.
struct InfoRow: Encodable {
    let name: String
    let key: String
    let firmware: String
    let level: UInt8
    let board: String
    let radio: RadioRow
    let txPower: Int8
    let maxTxPower: UInt8
    /// The latitude in degrees; `nil` where no position is set.
    let latitude: Double?
    let longitude: Double?
    let millivolts: UInt16
    let contacts: Int
    let maxContacts: Int
    let channels: Int
    let maxChannels: Int
    let queued: Int

    init(_ device: DeviceDTO, millivolts: UInt16, contacts: Int, channels: Int, queued: Int) {
        name = device.nodeName
        key = device.publicKey.hex
        firmware = device.firmwareVersionString
        level = device.firmwareVersion
        board = device.manufacturerName
        radio = RadioRow(device.radioParameters)
        txPower = device.txPower
        maxTxPower = device.maxTxPower
        latitude = device.position?.latitude
        longitude = device.position?.longitude
        self.millivolts = millivolts
        self.contacts = contacts
        maxContacts = device.maxContacts
        self.channels = channels
        maxChannels = device.maxChannels
        self.queued = queued
    }

    var lines: [String] {
        let rows = [
            ("name", name), ("key", key), ("board", board), ("firmware", "\(firmware), protocol level \(level)"),
            ("radio", "\(radio)"), ("power", "\(txPower) of \(maxTxPower) dBm"),
            ("position", GeoPoint.text(latitude, longitude)),
            ("battery", "\((Double(millivolts) / 1000).fixed(2)) V"),
            ("contacts", "\(contacts) of \(maxContacts)"), ("channels", "\(channels) of \(maxChannels)"),
            ("waiting", queued == 0 ? "no message" : "\(queued) messages"),
        ]
        return rows.map { $0.0.padded(to: 10) + $0.1 }
    }
}
