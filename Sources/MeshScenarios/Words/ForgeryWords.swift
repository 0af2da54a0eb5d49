public import MeshBoards
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshWire

/// Says on the air that a node has another name, with a signature that is not the node's.
public struct ForgesAdvert: Action {
    let who: Member
    let victim: Member
    let name: String

    public var sentence: String { "\(who.name) adverts as \(victim.name), by the name \(name)" }
    public var cast: [Member] { [who, victim] }
    public let needs = Abilities.air

    public func perform(on stage: Stage) async throws {
        let key = try await stage.key(of: victim)
        let seconds = stage.seconds
        try await stage.withWorld { world in
            var advert = Advert()
            advert.publicKey = key
            // Later than whatever the node has said itself.
            advert.timestamp = seconds &+ 3600
            advert.appData = AdvertData(type: victim.contactType, name: ByteText(name)).written()
            guard var packet = PacketView(type: .advert, route: .flood, payload: advert.written()) else {
                throw ScenarioError("an advert by the name \(name) does not fit in a packet")
            }
            packet.routeFlood()
            world.inject(.appBytes(packet.bytes), into: try world.node(of: who))
        }
    }
}

extension RogueTransmitter {
    /// Sends an advert with another node's key, which the transmitter cannot sign.
    public func forgesAdvert(of victim: some Node, by name: String) -> ForgesAdvert {
        ForgesAdvert(who: member, victim: victim.member, name: name)
    }
}
