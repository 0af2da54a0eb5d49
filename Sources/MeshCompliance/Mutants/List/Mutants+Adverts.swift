import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

// Sections O and P: adverts of others, and corner cases.
extension Mutant {
    static let adverts: [Mutant] = heard + telemetry

    private static let heard: [Mutant] = [
        Mutant("advert-untold", .missing, [218, 219], "ADVERT is not sent.", .lost(Push.Advert.self)),
        Mutant("advert-told-twice", .doubled, [218, 219], "ADVERT comes twice.", .doubled(Push.Advert.self)),
        Mutant(
            "advert-key-short", .length, [218], "ADVERT carries six bytes of the key.",
            .bytes(of: Push.Advert.self) { bytes, _ in bytes = [UInt8](bytes.prefix(7)) }),
        Mutant(
            "advert-shown-in-full", .reply, [218, 219], "Every advert is shown as NEW_ADVERT.",
            .bytes(of: Push.Advert.self) { bytes, context in
                let key = PublicKey(bytes.dropFirst())
                guard let index = context.radio.contacts.index(of: key) else { return }
                bytes = Push.NewAdvert(record: context.radio.contacts[index].record).encoded()
            }),
        Mutant(
            "new-node-nearby", .reply, [218], "A new node has an empty path instead of none.",
            .meshed { radio, before in
                let new = radio.contacts.slots.indices.dropFirst(before.contacts.slots.count)
                for index in new { radio.contacts[index].outPathLength = .empty }
            }),
        Mutant(
            "old-adverts-taken", .lax, [219], "An older advert changes a contact.",
            .hearing { _, _, radio in radio.changeContacts { $0.lastAdvert = 0 } }),
        Mutant(
            "advert-leaves-lastmod", .lost, [219, 227], "An advert does not change the contact's lastmod.",
            .meshed { radio, before in
                for index in before.contacts.slots.indices.dropFirst(8) where index < radio.contacts.slots.count {
                    radio.contacts[index].lastModified = before.contacts[index].lastModified
                }
            }),
        Mutant(
            "new-advert-key-only", .length, [220, 223], "NEW_ADVERT has nothing but the key.",
            .bytes(of: Push.NewAdvert.self) { bytes, _ in bytes = [UInt8](bytes.prefix(32)) }),
        Mutant(
            "auto-add-types-shifted", .offByOne, [221], "The auto-add mask counts its types from bit 0.",
            .executed(.setAutoaddConfig) { radio, _ in radio.preferences.autoAdd <<= 1 }),
        Mutant(
            "hop-limit-inclusive", .offByOne, [222], "A hop limit of N adds nodes N hops away too.",
            .executed(.setAutoaddConfig) { radio, _ in
                if radio.preferences.autoAddMaxHops > 0 { radio.preferences.autoAddMaxHops += 1 }
            }),
        Mutant(
            "full-before-node", .order, [223], "CONTACTS_FULL comes before the node that it is about.",
            .overtaken(Push.NewAdvert.self)),
        Mutant("full-untold", .missing, [223], "CONTACTS_FULL is not sent.", .lost(Push.ContactsFull.self)),
        Mutant(
            "deleted-behind-new", .order, [224], "CONTACT_DELETED comes behind the new node.",
            .overtaken(Push.ContactDeleted.self)),
        Mutant(
            "transient-stays-hidden", .lost, [226], "The advert of a transient contact leaves it hidden.",
            .hearing { bytes, _, radio in
                guard let sent = SentBytes(bytes), sent.type == .advert, sent.payload.count > 32,
                    let index = radio.contacts.index(of: PublicKey(sent.payload.prefix(32))),
                    index < ContactSlots.transientSlots
                else { return }
                bytes = [0xFF]
            }),
        Mutant(
            "forged-adverts-told", .lax, [225], "An advert with a bad signature is announced.",
            .hearing { bytes, _, radio in
                let packet = bytes.withUnsafeBytes { PacketView(radio: $0) }
                guard let packet, packet.type == .advert, !packet.hasValidAdvertSignature else { return }
                radio.pushIfConnected(Push.Advert(publicKey: PublicKey(packet.payload.prefix(32))))
            }),
        Mutant(
            "own-advert-told", .lax, [229], "The node announces itself when it hears its own advert.",
            .hearing { bytes, _, radio in
                guard let sent = SentBytes(bytes), sent.type == .advert,
                    sent.payload.starts(with: radio.core.publicKey.prefix(32))
                else { return }
                radio.pushIfConnected(Push.Advert(publicKey: radio.core.publicKey))
            }),
        Mutant(
            "path-untold", .missing, [124, 228], "PATH_UPDATED is not sent.", .lost(Push.PathUpdated.self)),
        Mutant(
            "path-not-taken", .lost, [124, 228], "A returned path is announced and not stored.",
            .meshed { radio, before in
                for index in radio.contacts.slots.indices.prefix(before.contacts.slots.count) {
                    radio.contacts[index].outPathLength = before.contacts[index].outPathLength
                    radio.contacts[index].outPath = before.contacts[index].outPath
                }
            }),
        Mutant(
            "path-backwards", .byteOrder, [124, 228], "A returned path is stored backwards.",
            .meshed { radio, before in
                for index in radio.contacts.slots.indices.prefix(before.contacts.slots.count)
                where radio.contacts[index].outPath != before.contacts[index].outPath {
                    let count = radio.contacts[index].outPathLength.byteCount
                    let path = radio.contacts[index].outPath.prefix(count).reversed()
                    for (offset, hash) in path.enumerated() { radio.contacts[index].outPath[offset] = hash }
                }
            }),
        Mutant(
            "changes-untold-while-away", .lost, [227], "Adverts are ignored while nobody is connected.",
            .hearing { bytes, _, radio in if !radio.isConnected { bytes = [0xFF] } }),
    ]

    private static let telemetry: [Mutant] = [
        Mutant(
            "telemetry-for-everybody", .lax, [230], "Telemetry mode 1 answers every contact.",
            .hearing { _, _, radio in if radio.preferences.telemetryBase == 1 { radio.preferences.telemetryBase = 2 } }),
        Mutant(
            "telemetry-for-nobody", .strict, [230], "Telemetry mode 2 answers contacts with the flag only.",
            .hearing { _, _, radio in if radio.preferences.telemetryBase == 2 { radio.preferences.telemetryBase = 1 } }),
        Mutant(
            "telemetry-without-tag", .air, [230], "Telemetry is sent without the tag that was asked with.",
            .plaintext(.response) { data, _ in data.removeFirst(min(4, data.count)) }),
    ]

    static let corners: [Mutant] = [
        Mutant(
            "type-zero-vanishes", .late, [233], "A contact changed to type 0 is hidden at once.",
            .executed(.addUpdateContact) { radio, _ in
                let key = PublicKey(radio.receiveBuffer[1..<33])
                guard let index = radio.contacts.index(of: key), index >= ContactSlots.transientSlots,
                    radio.contacts[index].type == .none
                else { return }
                radio.contacts.remove(at: index)
            }),
        Mutant(
            "gps-interval-listed", .reply, [239], "The GPS interval is a variable of its own.",
            .bytes(of: Resp.CustomVars.self) { bytes, context in
                if context.radio.preferences.gpsInterval > 0 { bytes += [UInt8](",gps_interval:30".utf8) }
            }),
        Mutant(
            "empty-text-refused", .strict, [240], "An empty text is refused.",
            .refuses(.sendTxtMsg, with: .illegalArg) { $0.count == 14 && $0[13] == 0 }),
        Mutant(
            "empty-channel-text-refused", .strict, [241], "A channel text of no bytes is refused.",
            .refuses(.sendChannelTxtMsg, with: .unsupportedCmd) { $0.count == 7 }),
        Mutant(
            "advert-clears-place", .lost, [244], "An advert without position clears the stored one.",
            .meshed { radio, before in
                for index in radio.contacts.slots.indices.prefix(before.contacts.slots.count)
                where radio.contacts[index].lastAdvert != before.contacts[index].lastAdvert
                    && radio.contacts[index].latitude == before.contacts[index].latitude
                {
                    radio.contacts[index].latitude = 0
                    radio.contacts[index].longitude = 0
                }
            }),
        Mutant(
            "cli-clock-apart", .stale, [245], "CLI texts and requests do not share their clock.",
            .executed(.sendTxtMsg) { radio, before in radio.core.clock = before.core.clock }),
    ]
}
