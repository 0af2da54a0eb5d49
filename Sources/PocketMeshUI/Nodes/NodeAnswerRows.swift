package import MeshCore
import MeshPacket
import MeshWire
import PocketMeshServices

// The answers of nodes as lines, for pages and for the command.

extension NodeStatus {
    /// The status in lines: a name and a value each.
    package var rows: [MessageDetails.Row] {
        var lines: [(TextKey, String)] = [
            (.statusBattery, Measures.volts(Int(server.batteryMillivolts))),
            (.statusUptime, Measures.duration(seconds: server.uptime)),
            (.statusNoiseFloor, "\(server.noiseFloor) dBm"), (.statusRSSI, "\(server.lastRSSI) dBm"),
            (.statusSNR, Measures.snr(Double(server.lastSNR) / 4)),
            (.statusAirtime, Measures.duration(seconds: server.airtime)),
            (.statusQueue, "\(server.queueLength)"), (.statusPacketsSent, "\(server.packetsSent)"),
            (.statusPacketsReceived, "\(server.packetsReceived)"),
            (.statusSentFlood, "\(server.sentFlood)"), (.statusSentDirect, "\(server.sentDirect)"),
            (.statusReceivedFlood, "\(server.receivedFlood)"), (.statusReceivedDirect, "\(server.receivedDirect)"),
            (.statusDuplicates, "\(Int(server.directDuplicates) + Int(server.floodDuplicates))"),
        ]
        if let time = receiveAirtime { lines.append((.statusReceiveAirtime, Measures.duration(seconds: time))) }
        if let errors = receiveErrors { lines.append((.statusReceiveErrors, "\(errors)")) }
        if let posts { lines.append((.statusPosts, "\(posts)")) }
        return lines.map { MessageDetails.Row(label: Texts.string($0.0), value: $0.1) }
    }
}

extension NeighbourRow {
    /// A neighbour with its name among the contacts, where only one fits.
    package init(_ neighbour: Neighbour, among contacts: [ContactDTO]) {
        key = Measures.hex(neighbour.keyPrefix)
        name = contacts.only { $0.publicKey.starts(with: neighbour.keyPrefix) }?.displayName
        snr = Measures.snr(Double(neighbour.snr) / 4)
        age = Measures.duration(seconds: neighbour.secondsAgo)
    }
}
