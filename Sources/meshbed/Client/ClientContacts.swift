import ArgumentParser
import MeshWire
import PocketMeshServices

/// `meshbed client contacts`.
struct ClientContacts: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "List contacts, or change one.",
        discussion: """
            The radio keeps favourites; blocked contacts and nicknames are kept in the database (--db).

            Examples:
              meshbed client contacts
              meshbed client contacts --search hill
              meshbed client contacts --advertise flood
              meshbed client contacts --reset-path bob
              meshbed client contacts --find-path bob
              meshbed client contacts --export bob
              meshbed client contacts --export me --qr
              meshbed client contacts --add \\
                'meshcore://contact/add?name=bob&public_key=…&type=1'
              meshbed client contacts --favourite bob
              meshbed client --db radio.sqlite contacts --block mallory
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("First send an advert: zero-hop or flood.", valueName: "reach"))
    var advertise: Reach?

    @Option(help: ArgumentHelp("Forget the path to this contact.", valueName: "name"))
    var resetPath: String?

    @Option(help: ArgumentHelp("Ask this contact by flood for the path to it, and use it.", valueName: "name"))
    var findPath: String?

    @Option(help: ArgumentHelp("Remove this contact from the radio.", valueName: "name"))
    var remove: String?

    @Option(help: ArgumentHelp("Add a contact by its link or card.", valueName: "link"))
    var add: String?

    @Option(help: ArgumentHelp("Print the link of this contact; 'me' is the radio itself.", valueName: "name"))
    var export: String?

    @Flag(name: .customLong("qr"), help: "With --export: show the link as a QR code as well.")
    var showsCode = false

    @Option(help: ArgumentHelp("Store messages of this contact as read, without a notification.", valueName: "name"))
    var block: String?

    @Option(help: ArgumentHelp("Don't block this contact any more.", valueName: "name"))
    var unblock: String?

    @Option(
        help: ArgumentHelp("Mark this contact as a favourite, which the radio never overwrites.", valueName: "name"))
    var favourite: String?

    @Option(help: ArgumentHelp("Remove the mark of a favourite.", valueName: "name"))
    var unfavourite: String?

    @Option(
        help: ArgumentHelp(
            "List contacts with these characters in their name, or whose key begins so.", valueName: "text"))
    var search: String?

    /// The distance that an advert goes.
    enum Reach: String, ExpressibleByArgument, CaseIterable {
        case zeroHop = "zero-hop"
        case flood
    }

    var showsSynchronised: Bool { true }

    func validate() throws {
        if showsCode, export == nil { throw ValidationError("--qr shows the link of --export, which is missing") }
        if showsCode, options.json {
            throw ValidationError("--qr and --json exclude each other: a code is for people")
        }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        if block != nil || unblock != nil, app.setup.db == nil {
            throw ClientError.noDatabase("blocked contacts are kept in a database")
        }
        let contacts = connection.services.contactService
        let id = connection.device.id
        try await change(contacts, connection)
        if let export {
            let key = export == "me" ? nil : try await connection.contact(export).publicKey
            let link = try await contacts.exportContactURI(deviceID: id, publicKey: key)
            if showsCode {
                Console.code(link)
            } else {
                Console.out(options.json ? try json(LinkRow(name: export, link: link)) : link)
            }
            return true
        }
        let listed =
            if let search {
                try await app.store.searchContacts(deviceID: id, for: search, limit: .max)
            } else {
                try await contacts.getContacts(deviceID: id)
            }
        let rows = listed.map(PrintedContact.init)
        if options.json {
            Console.out(try json(rows))
        } else {
            for line in TextTable.lines(PrintedContact.heading, rows.map(\.columns), indent: "") { Console.out(line) }
        }
        return true
    }

    @MainActor
    private func change(_ contacts: ContactService, _ connection: ClientApp.Connection) async throws {
        let id = connection.device.id
        if let advertise {
            try await connection.services.advertisementService.sendSelfAdvertisement(flood: advertise == .flood)
        }
        if let resetPath {
            try await contacts.resetPath(deviceID: id, publicKey: connection.contact(resetPath).publicKey)
        }
        if let findPath {
            try await contacts.sendPathDiscovery(deviceID: id, publicKey: connection.contact(findPath).publicKey)
        }
        if let remove {
            try await contacts.removeContact(deviceID: id, publicKey: connection.contact(remove).publicKey)
        }
        if let add { _ = try await contacts.importContact(uri: add, deviceID: id) }
        for (name, isBlocked) in [(block, true), (unblock, false)] {
            guard let name else { continue }
            let contact = try await connection.contact(name)
            try await contacts.updateContactPreferences(
                id: contact.id, nickname: contact.nickname, isBlocked: isBlocked, isFavorite: contact.isFavorite)
        }
        for (name, isFavorite) in [(favourite, true), (unfavourite, false)] {
            guard let name else { continue }
            let contact = try await connection.contact(name)
            try await contacts.updateContactPreferences(
                id: contact.id, nickname: contact.nickname, isBlocked: contact.isBlocked, isFavorite: isFavorite)
        }
    }
}

/// A contact or a channel to be added elsewhere.
struct LinkRow: Encodable {
    let name: String
    let link: String
}
