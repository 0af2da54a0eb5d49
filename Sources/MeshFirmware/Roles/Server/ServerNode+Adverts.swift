import MeshCompanion
import MeshPacket
import MeshWire

// Adverts of infrastructure nodes. Source: InfrastructureNodes, "Adverts"; firmware, `MyMesh::loop`, `buildAdvertData`.
extension ServerNode {
    /// The node's advert with the settings of now; `nil` when no packet is free.
    private mutating func createSelfAdvert() -> PacketView? { core.createAdvert(advertData) }

    /// The bytes that such an advert has now.
    var advertData: AdvertData {
        AdvertData(
            type: server.role.nodeType, location: advertisedLocation, name: server.preferences.name,
            cutsBetweenCharacters: core.switches.cutsNamesBetweenCharacters)
    }

    private var advertisedLocation: AdvertData.Location? {
        switch server.preferences.advertLocation {
        case .none: nil
        case .share:
            .init(
                latitude: server.environment.position(at: core.now).latitude,
                longitude: server.environment.position(at: core.now).longitude)
        case .preferences: .init(latitude: server.preferences.latitude, longitude: server.preferences.longitude)
        }
    }

    /// Sends an advert: flooded in the default scope, or at zero hop.
    mutating func sendSelfAdvert(delayMillis: UInt32 = 0, byFlood: Bool) {
        guard let advert = createSelfAdvert() else { return }
        guard byFlood else { return core.sendZeroHop(advert, delayMillis: delayMillis) }
        sendFloodOfOwn(advert, delayMillis: delayMillis)
    }

    /// Counts the local interval from now.
    mutating func armLocalAdvert() {
        let minutes = UInt32(server.preferences.advertInterval) * 2
        server.nextLocalAdvert = minutes > 0 ? core.future(minutes * 60_000) : nil
    }

    /// Counts the flood interval from now.
    mutating func armFloodAdvert() {
        let hours = UInt32(server.preferences.floodAdvertInterval)
        server.nextFloodAdvert = hours > 0 ? core.future(hours * 3_600_000) : nil
    }

    /// A flooded advert also starts the local interval anew, so that the two do not coincide.
    mutating func advertiseWhenDue() {
        if let due = server.nextFloodAdvert, core.hasPassed(due) {
            sendSelfAdvert(byFlood: true)
            armFloodAdvert()
            armLocalAdvert()
        } else if let due = server.nextLocalAdvert, core.hasPassed(due) {
            sendSelfAdvert(byFlood: false)
            armLocalAdvert()
        }
    }
}

extension AdvertData.Location {
    /// A place given in degrees, cut to millionths as the firmware cuts them.
    fileprivate init(latitude: Double, longitude: Double) {
        self.init(latitude: Int32(wholePart: latitude * 1_000_000), longitude: Int32(wholePart: longitude * 1_000_000))
    }
}
