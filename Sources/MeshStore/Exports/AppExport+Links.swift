import FoundationEssentials
import MeshCore
import MeshFiles
import MeshPacket
import MeshWire

/// Cards and links of contacts and channels.
extension AppExport {
    /// Takes over a link; `false` for another text. A card that its node has not signed is refused by its name.
    mutating func takeLink(_ link: String, line: Int) -> Bool {
        guard link.lowercased().hasPrefix(ContactCard.scheme) else { return false }
        if let channel = ChannelLink(link) {
            guard let name = Self.name(channel.name), channel.secret.contains(where: { $0 != 0 }) else {
                refuse(FileProblem(line: line, field: "link", reason: "is of a channel without name or secret"))
                return true
            }
            add(Channel(name: name, secret: channel.secret, region: channel.regionScope), line: line)
        } else if let contact = ContactLink(link) {
            guard let name = Self.name(contact.name) else {
                refuse(FileProblem(line: line, field: "link", reason: "is of a contact without a name"))
                return true
            }
            add(Contact(publicKey: FixedBytes(contact.publicKey), name: name, type: contact.type), line: line)
        } else {
            takeCard(link, line: line)
        }
        return true
    }

    private mutating func takeCard(_ link: String, line: Int) {
        let body = link.dropFirst(ContactCard.scheme.count)
        guard let card = ContactCard(ContactCard.scheme + body) else {
            let reason = body.contains("?") ? "is no link of a contact or a channel" : "is no hex, or has half a byte"
            return refuse(FileProblem(line: line, field: "link", reason: reason))
        }
        guard let advert = card.advert, let data = try? advert.data() else {
            return refuse(FileProblem(line: line, field: "card", reason: "is cut, or has no advert"))
        }
        // The name is part of what is signed, so that of a forged card is the forger's word.
        let key = advert.publicKey.prefix(6).hex
        let title = data.name.isEmpty ? "card of \(key)" : "card of \"\(data.name.string)\" (\(key))"
        guard advert.isSignatureValid else {
            return refuse(
                FileProblem(line: line, field: title, reason: "is forged or damaged: its node has not signed it"))
        }
        guard let name = Self.name(data.name.string), 1...4 ~= data.nodeType.rawValue else {
            return refuse(FileProblem(line: line, field: title, reason: "has no name, or no type of a node"))
        }
        var contact = Contact(publicKey: advert.publicKey, name: name, type: data.nodeType.rawValue)
        contact.place = data.location.flatMap { GeoPoint(microdegrees: $0.latitude, $0.longitude) }
        contact.card = card.packet
        add(contact, line: line)
    }
}
