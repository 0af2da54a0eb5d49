import MeshCore
import MeshPacket
import MeshWire
import PocketMeshServices
import PocketMeshUI

/// The permissions that a login gave.
struct LoginRow: Encodable, CustomStringConvertible {
    let node: String
    let permission: String

    var description: String { "\(node): logged in as \(permission)" }
}

/// A command line and the node's answer.
struct AnswerRow: Encodable, CustomStringConvertible {
    let command: String
    let answer: String

    var description: String { "\(command) -> \(answer)" }
}

/// The status of a node.
struct StatusRow: Encodable, CustomStringConvertible {
    let millivolts: UInt16
    /// The time since the node started, in seconds.
    let uptime: UInt32
    /// The noise floor in dBm.
    let noiseFloor: Int16
    let lastRSSI: Int16
    /// The SNR of the packet received last, in decibels.
    let lastSNR: Double
    let received: UInt32
    let sent: UInt32
    /// The time spent sending, in seconds.
    let airtime: UInt32
    let queued: UInt16
    let posts: UInt16?
    /// Lines for people.
    let description: String

    enum CodingKeys: CodingKey {
        case millivolts, uptime, noiseFloor, lastRSSI, lastSNR, received, sent, airtime, queued, posts
    }

    init(_ status: NodeStatus) {
        let server = status.server
        millivolts = server.batteryMillivolts
        uptime = server.uptime
        noiseFloor = server.noiseFloor
        lastRSSI = server.lastRSSI
        lastSNR = Double(server.lastSNR) / 4
        received = server.packetsReceived
        sent = server.packetsSent
        airtime = server.airtime
        queued = server.queueLength
        posts = status.posts
        description = status.rows.map(\.text).joined(separator: "\n")
    }
}

/// A repeater that a repeater hears.
struct PrintedNeighbour: Encodable, CustomStringConvertible {
    let key: String
    let secondsAgo: UInt32
    /// The SNR in decibels.
    let snr: Double
    /// The line for people.
    let description: String

    enum CodingKeys: CodingKey {
        case key, secondsAgo, snr
    }

    init(_ neighbour: Neighbour, among contacts: [ContactDTO]) {
        key = neighbour.keyPrefix.hex
        secondsAgo = neighbour.secondsAgo
        snr = Double(neighbour.snr) / 4
        let row = NeighbourRow(neighbour, among: contacts)
        description = "\(row.name ?? row.key): \(row.snr), \(row.age) ago"
    }
}
