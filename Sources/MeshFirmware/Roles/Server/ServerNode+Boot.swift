import MeshCompanion
import MeshWire

// What happens between power-on and the first pass: `setup` and `begin` in the firmware; InfrastructureNodes, "Boot and
// clock".
extension ServerNode {
    /// Loads the files from flash, sets the radio, starts the timers and queues the first advert.
    mutating func bootServer(advertises: Bool) {
        if server.flash[ServerFiles.identity] == nil {
            store(ServerFiles.identityBytes(core.identity), at: ServerFiles.identity)
        }
        let switches = core.switches
        if let converted = server.preferences.load(from: server.flash, switches) {
            store(converted, at: ServerPreferences.path)
        }
        server.clients = ClientTable(capacity: switches.serverClients)
        if let file = server.flash[ClientTable.path] {
            server.clients = ClientTable(
                stored: file, identity: core.identity, capacity: switches.serverClients)
        }
        if let file = server.flash[RegionTable.path] { server.regions = RegionTable(stored: file) }
        server.defaultScope = server.regions.defaultKey
        tuneFromPreferences()
        core.setTxPower(server.preferences.txPower)
        applyADCMultiplier()
        armLocalAdvert()
        armFloodAdvert()
        server.environment.startGPS(isOn: server.preferences.gpsEnabled == 1, at: core.now)
        bootBridge()
        server.console.writeLine("\(server.role.title) ID: \(core.publicKey.array.hex.uppercased())".utf8)
        if advertises { sendSelfAdvert(delayMillis: ServerTiming.bootAdvert, byFlood: false) }
    }

    /// Sets the radio by the preferences, as far as the chip accepts them.
    mutating func tuneFromPreferences() {
        tune(
            RadioText(
                frequency: server.preferences.frequency, bandwidth: server.preferences.bandwidth,
                spreadingFactor: server.preferences.spreadingFactor, codingRate: server.preferences.codingRate))
    }

    /// Sets the radio, as far as the chip accepts it.
    mutating func tune(_ radio: RadioText) {
        core.tune(
            frequencyKilohertz: UInt32(wholePart: radio.frequency * 1000 + 0.5),
            bandwidthHertz: UInt32(wholePart: radio.bandwidth * 1000 + 0.5),
            spreadingFactor: radio.spreadingFactor, codingRate: radio.codingRate)
    }
}
