import MeshPacket
import MeshWire

// The packet log of repeaters and rooms, while `log start` is on. Source: InfrastructureNodes, "Packet log".
extension ServerNode {
    var tapsPackets: Bool { server.isLogging }

    mutating func tapReceived(_ packet: PacketView, _ signal: Signal) {
        let score = core.score(signal, bytes: packet.count)
        log(
            PacketLogLine(
                .received(
                    snr: Int(signal.snrHundredths) / 100, rssi: Int(signal.rssiHundredths) / 100,
                    score: Int(wholePart: score * 1000)),
                packet, at: core.unixTime))
    }

    mutating func tapSent(_ packet: PacketView, isDone: Bool) {
        log(PacketLogLine(isDone ? .sent : .failed, packet, at: core.unixTime))
    }

    /// Appends a line to the file, as long as the file system has room.
    private mutating func log(_ line: PacketLogLine) {
        let path = ServerFiles.packetLog
        let capacity = Int(core.board.storageKiB) * 1024
        guard server.flash.append([UInt8]("\(line.text)\n".utf8), to: path, capacity: capacity),
            let file = server.flash[path]
        else { return }
        core.effects.append(.flash(.wrote(path: path, bytes: file)))
    }
}
