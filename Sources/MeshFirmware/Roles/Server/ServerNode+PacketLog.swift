import MeshPacket
import MeshWire

// The packet log of repeaters and rooms, while `log start` is on, and the console of builds that print every packet.
// Source: InfrastructureNodes, "Packet log".
extension ServerNode {
    var tapsPackets: Bool {
        mutating get { server.isLogging || core.logsPackets || isBridging }
    }

    mutating func logReceived(_ frame: RadioFrame, _ signal: Signal) {
        guard core.logsPackets, server.role != .sensor else { return }
        server.console.writeLine(PacketLogLine.raw(frame.withBytes { [UInt8]($0) }, at: core.unixTime).utf8)
    }

    mutating func tapReceived(_ packet: PacketView, _ signal: Signal) {
        crossBridge(packet, isSent: false)
        guard server.isLogging || core.logsPackets else { return }
        let score = core.score(signal, bytes: packet.count)
        var line = PacketLogLine(
            .received(
                snr: Int(signal.snrHundredths) / 100, rssi: Int(signal.rssiHundredths) / 100,
                score: Int(wholePart: score * 1000)),
            packet, at: core.unixTime)
        if server.isLogging { log(line) }
        guard core.logsPackets else { return }
        line.reception = PacketLogLine.Reception(
            airtime: core.estimatedAirtime(bytes: packet.count), packetHash: packet.packetHash)
        printOnConsole(line)
    }

    mutating func tapBegun(_ packet: PacketView) {
        guard core.logsPackets else { return }
        var line = PacketLogLine(.sent, packet, at: core.unixTime)
        line.length = packet.count
        printOnConsole(line)
    }

    mutating func tapSent(_ packet: PacketView, isDone: Bool) {
        if isDone { crossBridge(packet, isSent: true) }
        guard server.isLogging else { return }
        log(PacketLogLine(isDone ? .sent : .failed, packet, at: core.unixTime))
    }

    /// Prints a line as `Dispatcher` does, which asks the role for the time; sensors give none.
    private mutating func printOnConsole(_ line: PacketLogLine) {
        let text = server.role == .sensor ? line.textWithoutTime[...] : line.text[...]
        server.console.write("\(text)\n".utf8)
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
