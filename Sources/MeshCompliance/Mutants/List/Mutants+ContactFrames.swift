import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

// Section G: the frame of a contact, and adverts that are imported, exported and shared.
extension Mutant {
    static let contactFrames: [Mutant] = [
        Mutant(
            "contact-path-trimmed", .reply, [84, 99], "Behind the path of a CONTACT stand zeros.",
            .reply(Resp.Contact.self) { frame in
                let length = frame.record.outPathLength
                let count = length.isUnknown ? 0 : length.byteCount
                for index in min(count, 64)..<64 { frame.record.outPath[index] = 0 }
            }),
        Mutant(
            "contact-flags-favourite-only", .reply, [84], "Of a contact's flags one bit is reported.",
            .reply(Resp.Contact.self) { $0.record.flags &= 1 }),
        Mutant(
            "contact-times-swapped", .byteOrder, [84], "A CONTACT has lastmod in the place of the last advert.",
            .reply(Resp.Contact.self) { swap(&$0.record.lastAdvert, &$0.record.lastModified) }),
        Mutant(
            "contact-place-swapped", .byteOrder, [84, 86], "A CONTACT has the longitude before the latitude.",
            .reply(Resp.Contact.self) { swap(&$0.record.latitude, &$0.record.longitude) }),
        Mutant(
            "contact-without-lastmod", .length, [84], "A CONTACT ends before its lastmod.",
            .bytes(of: Resp.Contact.self) { bytes, _ in bytes.removeLast(4) }),
        Mutant(
            "contact-name-unended", .limit, [87], "A name of 32 bytes is reported without a NUL.",
            .seenReply(Resp.Contact.self) { frame, context in
                if let index = context.radio.contacts.index(of: frame.record.publicKey) {
                    frame.record.name = context.radio.contacts[index].name
                }
            }),
        Mutant(
            "contact-of-last-listing", .stale, [99],
            "GET_CONTACT_BY_KEY has the path length of the contact before.",
            .seenReply(Resp.Contact.self) { frame, context in
                frame.record.outPathLength =
                    context.history.last { $0.first == ResponseCode.contact.rawValue }.map {
                        PathLength(rawValue: $0[35])
                    } ?? .empty
            }),
    ]

    static let cards: [Mutant] = [
        Mutant(
            "import-ok-behind-advert", .order, [105], "OK to an import comes behind what the advert causes.",
            .overtaken(Resp.OK.self)),
        Mutant(
            "import-of-anything", .lax, [107], "Importing what is no advert says OK.",
            .error(of: .importContact) { bytes, _ in bytes = Resp.OK().encoded() }),
        Mutant(
            "manual-mode-adds", .lax, [108, 220], "In manual mode unknown nodes are added all the same.",
            .executed(.setOtherParams) { radio, _ in radio.preferences.manualAdd &= ~1 }),
        Mutant(
            "own-card-sent", .air, [109], "Exporting the node's own advert sends it too.",
            .executed(.exportContact) { radio, _ in
                if radio.frameLength == 1, let packet = radio.createSelfAdvert() { radio.core.sendZeroHop(packet) }
            }),
        Mutant(
            "own-card-old", .stale, [109], "The node's own advert is exported as it was first made.",
            .bytes(of: Resp.ExportContact.self) { bytes, _ in if bytes.count > 38 { bytes[36] &-= 1 } }),
        Mutant(
            "card-without-path", .reply, [110], "An advert is exported without the path that it came by.",
            .reply(Resp.ExportContact.self) { frame in
                guard var sent = SentBytes(frame.packet) else { return }
                sent.pathLength = 0
                sent.path = []
                frame.packet = sent.bytes
            }),
        Mutant(
            "card-of-first-advert", .stale, [110], "The first advert of a node is kept, not the last.",
            .meshed { radio, before in
                let old = before.flash.files.filter { file in radio.flash[file.path].map { $0 != file.bytes } == true }
                for file in old where file.path.hasPrefix("/bl/") { _ = radio.flash.write(file.bytes, to: file.path) }
            }),
        Mutant(
            "shared-as-flood", .air, [111], "A shared advert is flooded.",
            .packet(.advert) { sent in if !sent.codes.isEmpty { sent.header &= ~3 } }),
        Mutant(
            "share-says-not-found", .errorCode, [111], "A contact without a stored advert is NOT_FOUND when shared.",
            .error(of: .shareContact) { bytes, _ in bytes[1] = ErrorCode.notFound.rawValue }),
        Mutant(
            "advert-place-by-policy-one", .limit, [112], "An advert has the position for policy 1 only.",
            .command(.exportContact) { _, radio in
                if radio.preferences.advertLocationPolicy != 1 { radio.preferences.advertLocationPolicy = 0 }
                return .executed
            },
            .executed(.exportContact) { radio, before in radio.preferences = before.preferences }),
        Mutant(
            "advert-floods-for-two", .lax, [113], "SEND_SELF_ADVERT floods for every number but 0.",
            .misread(.sendSelfAdvert) { frame in if frame.count > 1, frame[1] != 0 { frame[1] = 1 } }),
        Mutant(
            "advert-never-floods", .air, [71, 113], "A flooded self advert is sent to neighbours.",
            .misread(.sendSelfAdvert) { frame in if frame.count > 1 { frame[1] = 0 } }),
    ]
}
