import MeshTime

// One pass of a server's main loop; firmware, `loop` in `main.cpp` and `MyMesh::loop`.
extension ServerNode {
    /// The console's line, the mesh, then the timers: what all roles do in a pass.
    mutating func passServer(_ input: NodeInput) {
        switch input {
        case .appBytes(let bytes): readConsole(bytes)
        case .bridge(let bytes, let tuning): receiveFromBridge(bytes, tuning: tuning)
        default: break
        }
        loopPass(input)
        if server.hasGPS, let time = server.environment.takeGPSClock(at: core.now) { core.setUnixTime(time) }
        advertiseWhenDue()
        if server.temporaryRadio != nil { switchTemporaryRadio() }
        writeClientsWhenDue()
    }

    /// Emits the console's output so far.
    mutating func printConsole() {
        if server.console.hasOutput { core.effects.append(.appBytes(server.console.takeOutput())) }
    }

    /// Emits the console's output, and returns the next moment of the shared timers.
    mutating func endServerPass() -> Instant {
        printConsole()
        var wake = core.radioWake()
        if let due = server.nextLocalAdvert { wake = min(wake, core.instant(after: due)) }
        if let due = server.nextFloodAdvert { wake = min(wake, core.instant(after: due)) }
        if let due = server.clientsWriteDue { wake = min(wake, core.instant(after: due)) }
        if server.hasGPS { wake = min(wake, server.environment.gpsClockDue) }
        if let due = server.temporaryRadio?.nextSwitch { wake = min(wake, core.instant(after: due)) }
        return wake
    }
}

// The policy that the preferences state. Source: InfrastructureNodes, "Files and preferences".
extension ServerNode {
    var extraAckCount: Int { Int(server.preferences.extraAcks) }
    var floodDelayFactor: Float { server.preferences.floodDelayFactor }
    var directDelayFactor: Float { server.preferences.directDelayFactor }
    var receiveDelayBase: Float { server.preferences.receiveDelayBase }
    var airtimeFactor: Float { server.preferences.airtimeFactor }
    var logsReceptions: Bool { core.logsPackets }
}
