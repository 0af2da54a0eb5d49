import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// Adverts of others (CompanionStatements, CMP-218 to CMP-229).
extension CompanionRadio {
    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) {
        guard let data = try? AdvertData(appData: [UInt8](appData)), !data.name.isEmpty else { return }
        var known = contacts.index(of: key)
        if let index = known, timestamp <= contacts[index].lastAdvert { return }
        if let index = known, contacts[index].type == .none, core.switches.transientContacts == .hidden {
            contacts[index] = Contact()
            known = nil
        }
        let index: Int
        if let known {
            index = known
            contacts[index].take(data, timestamp: timestamp, now: core.unixTime)
        } else {
            var contact = Contact()
            contact.publicKey = key
            contact.outPathLength = .unknown
            contact.take(data, timestamp: timestamp, now: core.unixTime)
            guard isAutoAdded(data.nodeType, hops: packet.hopCount) else { return discovered(contact, packet) }
            guard let slot = allocateSlot() else {
                discovered(contact, packet)
                return pushIfConnected(Push.ContactsFull())
            }
            index = slot
            contacts[index] = contact
        }
        keepAdvert(packet, of: key)
        pushIfConnected(Push.Advert(publicKey: key))
        remember(packet, of: key, name: contacts[index].name)
        contactsChanged()
    }

    /// Reports a node that was received and is not stored.
    private mutating func discovered(_ contact: Contact, _ packet: PacketView) {
        pushIfConnected(Push.NewAdvert(record: contact.record))
        remember(packet, of: contact.publicKey, name: contact.name)
    }

    private mutating func remember(_ packet: PacketView, of key: PublicKey, name: FixedBytes<32>) {
        let time = core.unixTime
        packet.withPath { advertPaths.record(key, name: name, pathLength: packet.pathLength, path: $0, at: time) }
    }

    /// Keeps the packet as a flood without transport codes and with the path that it came by.
    private mutating func keepAdvert(_ packet: PacketView, of key: PublicKey) {
        var stored = packet
        stored.setRoute(.flood)
        storeAdvert(stored.bytes, of: key)
    }

    private func isAutoAdded(_ type: NodeType, hops: Int) -> Bool {
        if preferences.manualAdd & 1 != 0 {
            guard 1...4 ~= type.rawValue, preferences.autoAdd & 1 << type.rawValue != 0 else { return false }
        }
        let limit = Int(preferences.autoAddMaxHops)
        return limit == 0 || hops < limit
    }
}

extension Contact {
    /// Stores what a node advertises of itself: name, type, and position if there is one.
    mutating func take(_ data: AdvertData, timestamp: UInt32, now: UInt32) {
        name = FixedBytes(text: data.name.prefix(31))
        type = data.nodeType
        if let location = data.location {
            latitude = location.latitude
            longitude = location.longitude
        }
        lastAdvert = timestamp
        lastModified = now
    }
}
