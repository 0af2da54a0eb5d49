import MeshPacket
import MeshRadio
import MeshTime

// One pass of a server's main loop; firmware, `loop` in `main.cpp` and `MyMesh::loop`.
extension ServerNode {
    /// The console's line, the mesh, then the timers: what all roles do in a pass.
    mutating func passServer(_ input: NodeInput) {
        if case .appBytes(let bytes) = input { readConsole(bytes) }
        loopPass(input)
        if server.hasGPS, let time = server.environment.takeGPSClock(at: core.now) { core.setUnixTime(time) }
        advertiseWhenDue()
        if server.temporaryRadio != nil { switchTemporaryRadio() }
        writeClientsWhenDue()
    }

    /// Hands out what is to be printed, and says when the shared timers want the next pass.
    mutating func endServerPass() -> Instant {
        let output = server.console.takeOutput()
        if !output.isEmpty { core.effects.append(.appBytes(output)) }
        var wake = core.radioWake()
        if let due = server.nextLocalAdvert { wake = min(wake, core.instant(after: due)) }
        if let due = server.nextFloodAdvert { wake = min(wake, core.instant(after: due)) }
        if let due = server.clientsWriteDue { wake = min(wake, core.instant(after: due)) }
        if server.hasGPS { wake = min(wake, server.environment.gpsClockDue) }
        if let radio = server.temporaryRadio { wake = min(wake, core.instant(after: radio.applyAt ?? radio.revertAt)) }
        return wake
    }

    private mutating func switchTemporaryRadio() {
        guard let radio = server.temporaryRadio else { return }
        if let due = radio.applyAt, core.hasPassed(due) {
            server.temporaryRadio?.applyAt = nil
            core.tune(radio.parameters)
        }
        if core.hasPassed(radio.revertAt) {
            server.temporaryRadio = nil
            tuneFromPreferences()
        }
    }
}

// The policy that the preferences state. Source: infrastructure document §3.2.
extension ServerNode {
    var extraAckCount: Int { Int(server.preferences.extraAcks) }
    var floodDelayFactor: Float { server.preferences.floodDelayFactor }
    var directDelayFactor: Float { server.preferences.directDelayFactor }
    var receiveDelayBase: Float { server.preferences.receiveDelayBase }
    var airtimeFactor: Float { server.preferences.airtimeFactor }
    var logsReceptions: Bool { false }
}
