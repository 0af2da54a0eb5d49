import MeshCore
import MeshPacket
import MeshWire

/// What a login allows.
struct LoginRow: Encodable, CustomStringConvertible {
    let node: String
    let permission: String

    var description: String { "\(node): logged in as \(permission)" }
}

/// A command line and what the node said to it.
struct AnswerRow: Encodable, CustomStringConvertible {
    let command: String
    let answer: String

    var description: String { "\(command) -> \(answer)" }
}

/// How a node is doing.
struct StatusRow: Encodable, CustomStringConvertible {
    let millivolts: UInt16
    /// In seconds.
    let uptime: UInt32
    /// In dBm.
    let noiseFloor: Int16
    let lastRSSI: Int16
    /// In decibels.
    let lastSNR: Double
    let received: UInt32
    let sent: UInt32
    /// In seconds.
    let airtime: UInt32
    let queued: UInt16
    let posts: UInt16?

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
    }

    var description: String {
        var parts = [
            "battery \(millivolts) mV", "up \(uptime) s", "noise floor \(noiseFloor) dBm",
            "last packet \(lastRSSI) dBm, SNR \(lastSNR) dB", "received \(received), sent \(sent)",
            "on the air for \(airtime) s", "\(queued) waiting",
        ]
        if let posts { parts.append("\(posts) posts") }
        return parts.joined(separator: "; ")
    }
}

/// A repeater that a repeater hears.
struct NeighbourRow: Encodable, CustomStringConvertible {
    let key: String
    let secondsAgo: UInt32
    /// In decibels.
    let snr: Double

    init(_ neighbour: Neighbour) {
        key = neighbour.keyPrefix.hex
        secondsAgo = neighbour.secondsAgo
        snr = Double(neighbour.snr) / 4
    }

    var description: String { "neighbour \(key): SNR \(snr) dB, heard \(secondsAgo) s ago" }
}
