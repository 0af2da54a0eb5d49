import ArgumentParser
import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import PocketMeshServices

/// `meshbed client advert`.
struct ClientAdvert: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "advert", abstract: "Send an advert to the nodes in radio range, or to the whole mesh.",
        discussion: """
            Examples:
              meshbed client advert
              meshbed client advert --flood
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Have repeaters pass it on.")
    var flood = false

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        try await connection.services.advertisementService.sendSelfAdvertisement(flood: flood)
        if !options.json { Console.out(flood ? "advert sent by flood" : "advert sent to the nodes in reach") }
        return true
    }
}

/// `meshbed client discover`.
struct ClientDiscover: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Discover repeaters and sensors in radio range.",
        discussion: """
            Their answers state how well each side hears the other. No node forwards the question.

            Example:
              meshbed client discover --wait 10

            The exit status is 1 when no node answered.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Wait so long for answers.", valueName: "seconds"))
    var wait = 8

    func validate() throws {
        try ClientOptions.check("--wait", wait, least: 1)
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let adverts = connection.services.advertisementService
        let contacts = try await connection.services.contactService.getContacts(deviceID: connection.device.id)
        let answers = connection.services.events.subscribe { if case .nodeDiscovered = $0 { true } else { false } }
        let tag = try await adverts.requestDiscovery(of: [.repeater, .sensor])
        try await app.dependencies.clock.sleep(for: .seconds(wait))
        answers.cancel()
        var count = 0
        for await case .nodeDiscovered(let answer) in answers.events where answer.tag == tag {
            count += 1
            try say(DiscoveryRow(answer, contacts))
        }
        if count == 0 { Console.note("meshbed client: no node answered") }
        return count > 0
    }
}

/// A node in reach that said so.
struct DiscoveryRow: Encodable, CustomStringConvertible {
    /// `nil` for a node that is no contact.
    let name: String?
    let key: String
    let type: String
    /// In decibels: how well the node hears us, and we the node.
    let snrThere: Double
    let snrHere: Double

    init(_ node: NodeDiscovery, _ contacts: [ContactDTO]) {
        name = contacts.first { $0.publicKey.starts(with: node.publicKey) }?.displayName
        key = node.publicKey.hex
        type = node.type.description
        snrThere = node.snrThere
        snrHere = node.snrHere
    }

    var description: String {
        "\(type) \(name ?? "?") \(key.prefix(12)): hears us at \(snrThere) dB, heard at \(snrHere) dB"
    }
}

/// `meshbed client trace`.
struct ClientTrace: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Send a packet along a path and back, and show the SNR at each hop.",
        discussion: """
            The path leads to a contact and back, or is your own: the first bytes of the keys of the nodes in \
            between, in hex. Only nodes that forward take part: repeaters, and rooms and sensors that are set so.

            Examples:
              meshbed client trace rep1
              meshbed client trace --path 1a,2b,1a

            The exit status is 1 when the packet did not come back.
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: "The contact's name, or the beginning of its key.")
    var name: String?

    @Option(help: ArgumentHelp("The hops, each 1, 2, 4 or 8 bytes.", valueName: "hex,…"), transform: TracePath.init)
    var path: TracePath?

    func validate() throws {
        if (name == nil) == (path == nil) { throw ValidationError("a trace needs a contact or --path") }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let contacts = try await connection.services.contactService.getContacts(deviceID: connection.device.id)
        let way = try path ?? TracePath(to: contacts.contact(name ?? ""))
        let trace = try await connection.services.binaryProtocolService.sendTrace(
            path: Data(way.bytes), flags: way.flags)
        let size = way.size
        for (index, hop) in trace.pathSNRs.enumerated() {
            let hash = [UInt8](trace.pathHashes.dropFirst(index * size).prefix(size))
            try say(HopRow(hash: hash, snr: hop.snr, contacts))
        }
        try say(HopRow(hash: nil, snr: trace.finalSNR, contacts))
        return true
    }
}

/// The hops of a trace.
struct TracePath: Hashable, Sendable {
    /// Bytes of a hop's hash: 1, 2, 4 or 8.
    let size: Int
    let bytes: [UInt8]

    /// The size as the firmware writes it: the exponent of 2.
    var flags: UInt8 { UInt8(size.trailingZeroBitCount) }

    /// From hops in hex with commas between.
    init(_ text: String) throws {
        let hops = text.split(separator: ",", omittingEmptySubsequences: false).map { [UInt8](hex: String($0)) }
        guard let first = hops.first, let size = first?.count, [1, 2, 4, 8].contains(size),
            hops.allSatisfy({ $0?.count == size })
        else {
            throw ValidationError("'\(text)' is not a list of hops in hex of 1, 2, 4 or 8 bytes, all of one length")
        }
        self.size = size
        bytes = hops.flatMap { $0 ?? [] }
    }

    /// Follows the path to a contact and back: a repeater forwards the trace itself, other contacts do not.
    init(to contact: ContactDTO) throws(ClientError) {
        guard case .path(let hashSize, let hops) = contact.routing else { throw .noPath(contact.displayName) }
        // Hashes are beginnings of keys, so three bytes can be shortened to the two that a trace has.
        let size = hashSize == 3 ? 2 : hashSize
        var there = (0..<hops).map { [UInt8](contact.outPath.dropFirst($0 * hashSize).prefix(size)) }
        if contact.type == .repeater { there.append([UInt8](contact.publicKey.prefix(size))) }
        guard !there.isEmpty else { throw .noHops(contact.displayName) }
        self.size = size
        bytes = (there + there.dropLast().reversed()).flatMap(\.self)
    }
}

/// The signal with which a hop of a trace heard the one before it.
struct HopRow: Encodable, CustomStringConvertible {
    /// The hop's hash in hex; `nil` for the radio itself, to which the packet came back.
    let hash: String?
    /// The name of the repeater among the contacts that the hop may be.
    let name: String?
    /// The SNR in decibels.
    let snr: Double

    init(hash: [UInt8]?, snr: Int8, _ contacts: [ContactDTO]) {
        self.hash = hash?.hex
        name =
            hash.flatMap { hash in contacts.only { $0.type != .chat && $0.publicKey.starts(with: hash) } }?.displayName
        self.snr = Double(snr) / 4
    }

    var description: String {
        guard let hash else { return "back at the radio: SNR \(snr) dB" }
        return "\(hash)\(name.map { " \($0)" } ?? ""): SNR \(snr) dB"
    }
}
