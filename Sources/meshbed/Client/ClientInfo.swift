import ArgumentParser
import Foundation
import MeshCompanion
import MeshWire
import PocketMeshServices

/// `meshbed client info`.
struct ClientInfo: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what the radio is, and how it is doing.")

    @OptionGroup var options: ClientOptions

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
    let latitude: Double
    let longitude: Double
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
        latitude = device.latitude
        longitude = device.longitude
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
            ("position", latitude == 0 && longitude == 0 ? "not set" : "\(latitude), \(longitude)"),
            ("battery", String(format: "%.2f V", Double(millivolts) / 1000)),
            ("contacts", "\(contacts) of \(maxContacts)"), ("channels", "\(channels) of \(maxChannels)"),
            ("waiting", queued == 0 ? "no message" : "\(queued) messages"),
        ]
        return rows.map { $0.0.padding(toLength: 10, withPad: " ", startingAt: 0) + $0.1 }
    }
}

/// A contact to be added elsewhere.
struct LinkRow: Encodable {
    let name: String
    let link: String
}

/// `meshbed client contacts`.
struct ClientContacts: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "List contacts, or change one.",
        discussion: """
            Examples:
              meshbed client contacts
              meshbed client contacts --advertise flood
              meshbed client contacts --reset-path bob
              meshbed client contacts --export bob
              meshbed client contacts --add 'meshcore://contact/add?name=bob&public_key=…&type=1'
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("First tell the mesh who we are: zero-hop or flood.", valueName: "reach"))
    var advertise: Reach?

    @Option(help: ArgumentHelp("Forget the path to this contact.", valueName: "name"))
    var resetPath: String?

    @Option(help: ArgumentHelp("Take this contact off the radio.", valueName: "name"))
    var remove: String?

    @Option(help: ArgumentHelp("Add a contact by its link or card.", valueName: "link"))
    var add: String?

    @Option(help: ArgumentHelp("Print the link of this contact; 'me' is the radio itself.", valueName: "name"))
    var export: String?

    /// How far an advert goes.
    enum Reach: String, ExpressibleByArgument, CaseIterable {
        case zeroHop = "zero-hop"
        case flood
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let contacts = connection.services.contactService
        let id = connection.device.id
        if let advertise {
            try await connection.services.advertisementService.sendSelfAdvertisement(flood: advertise == .flood)
        }
        if let resetPath {
            try await contacts.resetPath(deviceID: id, publicKey: connection.contact(resetPath).publicKey)
        }
        if let remove {
            try await contacts.removeContact(deviceID: id, publicKey: connection.contact(remove).publicKey)
        }
        if let add { _ = try await contacts.importContact(uri: add, deviceID: id) }
        if let export {
            let key = export == "me" ? nil : try await connection.contact(export).publicKey
            let link = try await contacts.exportContactURI(deviceID: id, publicKey: key)
            Console.out(options.json ? try json(LinkRow(name: export, link: link)) : link)
            return true
        }
        let rows = try await contacts.getContacts(deviceID: id).map(ContactRow.init)
        if options.json {
            Console.out(try json(rows))
        } else {
            for line in TextTable.lines(ContactRow.heading, rows.map(\.columns), indent: "") { Console.out(line) }
        }
        return true
    }
}
