import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// What the control API answers, member by member as `openapi.json` describes it.

extension Instant {
    /// Seconds since the run began.
    var seconds: Double { Double((self - .start).microseconds) / 1e6 }
}

struct StateRecord: Encodable, Sendable {
    let now: Double
    let time: String
    let speed: Double?
    let isPaused: Bool
    let seed: String
    let digest: String
    let transmissions: Int
    let receptions: Int
    let drops: Int
    let messages: Int
    let unpromptedInputs: Int?

    init(_ driver: WorldDriver) {
        now = driver.world.now.seconds
        switch driver.pace {
        case .clock(let speed): (time, self.speed) = ("clock", speed)
        case .stepped: (time, speed) = ("stepped", nil)
        case .lockstep: (time, speed) = ("lockstep", nil)
        }
        isPaused = driver.isPaused
        seed = "\(driver.world.seed.value)"
        digest = driver.world.digest.description
        let statistics = driver.world.statistics
        (transmissions, receptions, drops) = (statistics.transmissions, statistics.receptions, statistics.dropCount)
        messages = driver.people?.messageCount ?? 0
        unpromptedInputs = driver.outcome.unpromptedInputs
    }
}

struct RunUntilRecord: Encodable, Sendable {
    let isMet: Bool
    let state: StateRecord
}

struct NodeRecord: Encodable, Sendable {
    let name: String
    let role: String
    let publicKey: String
    let isUp: Bool
    let advertName: String?
    let endpoint: String?
    /// All of a node that has several.
    let endpoints: [String]?
    let hasClient: Bool
    let x: Double?
    let y: Double?
    let framesSent: Int
    let airtimeSeconds: Double
    let waiting: Int?
    let unixSeconds: UInt32?

    init(_ node: NodeID, _ driver: WorldDriver, _ endpoints: [NodeEndpoint]) {
        let world = driver.world
        name = world.label(of: node)
        isUp = world.isUp(node)
        let places = endpoints.filter { $0.label == world.label(of: node) }.map(\.place)
        endpoint = places.first
        self.endpoints = places.count > 1 ? places : nil
        hasClient = driver.hasClient(node)
        framesSent = world.framesSent(by: node)
        airtimeSeconds = Double(world.airtime(of: node).microseconds) / 1e6
        let place = driver.people?.topology.nodes[node.index].place
        x = world.position(of: node)?.east ?? place.map { Double($0.eastMetres) }
        y = world.position(of: node)?.north ?? place.map { Double($0.northMetres) }
        unixSeconds = world.firmware(node)?.unixTime
        if let companion = world.companion(node) {
            (role, publicKey) = ("companion", companion.publicKey.hex)
            advertName = companion.name.string
            waiting = companion.offlineQueue.count
        } else if let server = world.infrastructure(node) {
            (role, publicKey) = (server.server.role.commandName, server.publicKey.hex)
            advertName = server.server.preferences.name.string
            waiting = nil
        } else {
            let modem = world.modem(node)
            (role, publicKey) = (modem == nil ? "" : "modem", modem?.publicKey.hex ?? "")
            (advertName, waiting) = (nil, nil)
        }
    }
}

struct NodeContactRecord: Encodable, Sendable {
    let node: String?
    let name: String
    let publicKey: String
    let type: String
    let hops: Int?
    let path: String?
    let lastAdvertUnixSeconds: UInt32

    init(_ contact: Contact, _ world: World) {
        node = world.label(ofKey: contact.publicKey.array)
        name = contact.displayName.string
        publicKey = contact.publicKey.hex
        type =
            contact.type == .chat
            ? "companion" : ServerRole(rawValue: contact.type.rawValue)?.commandName ?? "\(contact.type.rawValue)"
        let isKnown = !contact.outPathLength.isUnknown
        hops = isKnown ? contact.outPathLength.hopCount : nil
        path = isKnown ? Array(contact.outPath.prefix(contact.outPathLength.byteCount)).hex : nil
        lastAdvertUnixSeconds = contact.lastAdvert
    }
}

struct ReceivedRecord: Encodable, Sendable {
    let at: Double
    let kind: String
    let from: String?
    let author: String?
    let channel: UInt8?
    let room: String?
    let text: String

    init(_ entry: Inbox.Entry, _ world: World) {
        at = entry.at.seconds
        text = entry.text
        switch entry.origin {
        case .direct(let sender):
            (kind, from) = ("direct", world.label(ofKey: sender.array))
            (author, channel, room) = (nil, nil, nil)
        case .channel(let place):
            (kind, channel) = ("channel", place)
            (from, author, room) = (nil, nil, nil)
        case .post(let place, let writer):
            (kind, room, author) = ("post", world.label(ofKey: place.array), world.label(ofKey: writer.array))
            (from, channel) = (nil, nil)
        }
    }
}

struct MessageRecord: Encodable, Sendable {
    let number: Int
    let from: String
    let to: String
    let text: String
    let at: Double
    let standing: String
    let end: String?
    let reason: String?
    let mayStillArrive: Bool
    let deliveredTo: [String]
    let acknowledgedAt: Double?

    init(_ account: MessageAccount, _ world: World) {
        number = account.number
        from = world.label(of: NodeID(index: account.event.from))
        switch account.event.message {
        case .channelText(let words): (to, text) = ("#public", words)
        case .directText(let other, let words):
            (to, text) = (account.to ?? world.label(of: NodeID(index: other)), words)
        case .advert: (to, text) = ("#advert", "")
        }
        at = account.at.seconds
        standing = account.standing.rawValue
        (end, reason) = (account.end?.rawValue, account.end?.words)
        mayStillArrive = account.isOpen
        deliveredTo = account.deliveries.map { world.label(of: $0.node) }
        acknowledgedAt = account.acknowledged?.seconds
    }
}

struct LinkRecord: Encodable, Sendable {
    let from: String
    let to: String
    let snr: Double
    let rssi: Double
    let loss: Double

    init?(_ sender: NodeID, _ listener: NodeID, _ world: World) {
        guard let link = world.links[link: sender, listener] else { return nil }
        from = world.label(of: sender)
        to = world.label(of: listener)
        snr = Double(link.signal.snrHundredths) / 100
        rssi = Double(link.signal.rssiHundredths) / 100
        loss = Double(link.lossPerTenThousand) / 10_000
    }
}

struct SnapshotRecord: Encodable, Sendable {
    let name: String
    let now: Double
    let digest: String

    init(_ snapshot: WorldSnapshot) {
        name = snapshot.name
        now = snapshot.now.seconds
        digest = snapshot.digest.description
    }
}

extension World {
    /// The node whose public key begins with these bytes.
    func label(ofKey prefix: [UInt8]) -> String? {
        guard !prefix.isEmpty else { return nil }
        return nodes.first { firmware($0)?.publicKey.starts(with: prefix) == true }.map(label(of:))
    }
}
