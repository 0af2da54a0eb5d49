import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// Section G: the contact table and its listing; frames of contacts and cards are in `Mutants+ContactFrames`.
extension Mutant {
    static let contacts: [Mutant] = table + listing + storedContacts

    private static let table: [Mutant] = [
        Mutant(
            "table-one-larger", .offByOne, [95], "The contact table holds one more.", .board { $0.maxContacts += 1 }),
        Mutant(
            "full-table-is-bad-state", .errorCode, [95], "A contact that finds no room is refused as BAD_STATE.",
            .error(of: .addUpdateContact) { bytes, _ in bytes[1] = ErrorCode.badState.rawValue }),
        Mutant(
            "newest-overwritten", .order, [96], "A full table gives up the contact that was changed last.",
            .command(.addUpdateContact) { _, radio in
                radio.changeContacts { $0.lastModified = .max - $0.lastModified }
                return .executed
            },
            .executed(.addUpdateContact) { radio, before in
                let added = radio.contacts.index(of: PublicKey(radio.receiveBuffer[1..<33]))
                for index in radio.contacts.slots.indices where index != added {
                    radio.contacts[index].lastModified = before.contacts[index].lastModified
                }
            }),
        Mutant(
            "overwritten-at-the-end", .order, [96], "A contact that takes another one's place stands at the end.",
            .executed(.addUpdateContact) { radio, before in
                guard before.contacts.isFull, radio.contacts.slots.count == before.contacts.slots.count,
                    let index = radio.contacts.index(of: PublicKey(radio.receiveBuffer[1..<33]))
                else { return }
                let contact = radio.contacts[index]
                radio.contacts.remove(at: index)
                if case .free(let end) = radio.contacts.allocate(overwriting: false) { radio.contacts[end] = contact }
            }),
        Mutant(
            "overwriting-untold", .missing, [96, 224], "CONTACT_DELETED is not sent.", .lost(Push.ContactDeleted.self)),
        Mutant(
            "favourites-overwritten", .lax, [97], "A full table gives up favourites too.",
            .command(.addUpdateContact) { _, radio in
                if radio.contacts.isFull { radio.changeContacts { $0.flags &= ~1 } }
                return .executed
            }),
        Mutant(
            "removed-by-prefix", .lax, [98], "REMOVE_CONTACT looks at six bytes of the key.",
            .command(.removeContact) { frame, radio in radio.completeKey(in: &frame, at: 1) }),
        Mutant(
            "found-by-prefix", .lax, [100], "GET_CONTACT_BY_KEY looks at six bytes of the key.",
            .command(.getContactByKey) { frame, radio in radio.completeKey(in: &frame, at: 1) }),
        Mutant(
            "reset-path-clears-bytes", .reply, [99], "RESET_PATH clears the path too.",
            .executed(.resetPath) { radio, _ in
                radio.changeContacts { if $0.outPathLength.isUnknown { $0.outPath = FixedBytes() } }
            }),
        Mutant(
            "reset-path-empty", .reply, [99], "RESET_PATH leaves an empty path instead of none.",
            .executed(.resetPath) { radio, _ in
                radio.changeContacts { if $0.outPathLength.isUnknown { $0.outPathLength = .empty } }
            }),
        Mutant(
            "lastmod-zero", .reply, [85], "A contact without the field has lastmod 0.",
            .executed(.addUpdateContact) { radio, _ in
                if radio.frameLength < 148 { radio.changeReceivedContact { $0.lastModified = 0 } }
            }),
        Mutant(
            "position-cleared", .lost, [86], "A contact that comes without position loses the stored one.",
            .executed(.addUpdateContact) { radio, _ in
                guard radio.frameLength < 144 else { return }
                radio.changeReceivedContact {
                    $0.latitude = 0
                    $0.longitude = 0
                }
            }),
        Mutant(
            "type-zero-listed", .lax, [104], "A new contact of type 0 is a contact like others.",
            .misread(.addUpdateContact) { frame in if frame.count > 33, frame[33] == 0 { frame[33] = 1 } }),
    ]

    private static let listing: [Mutant] = [
        Mutant(
            "listing-without-end", .missing, [83, 88], "END_OF_CONTACTS is not sent.", .lost(Resp.EndOfContacts.self)),
        Mutant(
            "listing-without-start", .missing, [83, 89], "CONTACTS_START is not sent.", .lost(Resp.ContactsStart.self)),
        Mutant(
            "listing-count-of-slots", .offByOne, [83, 84], "CONTACTS_START counts the hidden slots.",
            .reply(Resp.ContactsStart.self) { $0.count += 8 }),
        Mutant(
            "listing-filter-inclusive", .offByOne, [88, 89], "The filter lets contacts of its own time pass.",
            .executed(.getContacts) { radio, _ in
                if let since = radio.listing?.since, since > 0 { radio.listing?.since = since - 1 }
            }),
        Mutant(
            "listing-filter-short", .length, [90], "A filter of two or three bytes counts.",
            .misread(.getContacts) { frame in
                if 3...4 ~= frame.count { frame += [UInt8](repeating: 0, count: 5 - frame.count) }
            }),
        Mutant(
            "listing-end-is-clock", .reply, [84, 88], "END_OF_CONTACTS carries the time of the listing.",
            .seenReply(Resp.EndOfContacts.self) { $0.mostRecentLastModified = $1.radio.core.unixTime }),
        Mutant(
            "listing-begins-again", .lax, [91], "GET_CONTACTS during a listing begins another one.",
            .command(.getContacts) { _, radio in
                radio.listing = nil
                return .executed
            }),
        Mutant(
            "listing-blocks-commands", .strict, [92], "During a listing other commands are refused.",
            .command(nil) { frame, radio in
                let isFree = [.getContacts, .appStart].contains(CommandCode(rawValue: frame[0]))
                return radio.listing == nil || isFree ? .executed : .refused(.badState)
            }),
        Mutant(
            "listing-follows-removal", .order, [94], "A listing notices that a contact before it was removed.",
            .executed(.removeContact) { radio, _ in
                if let next = radio.listing?.next { radio.listing?.next = next - 1 }
            }),
        Mutant(
            "listing-backwards", .order, [88, 96], "Contacts are listed newest slot first.",
            .executed(.getContacts) { radio, _ in radio.reverseContacts() }),
        Mutant(
            "paced-listing-loses-contacts", .missing, [93], "On a link with rests every fourth contact is lost.",
            .bytes(of: Resp.Contact.self) { bytes, context in
                guard case .frames = context.radio.interface else { return }
                let listed = context.history.count { $0.first == ResponseCode.contact.rawValue }
                if listed % 4 == 3 { bytes = [] }
            }),
        Mutant(
            "listing-doubles-first", .doubled, [84, 88], "The first contact of a listing comes twice.",
            .frame(
                ResponseCode.contact.rawValue,
                .followed(.zero) { $0 })),
    ]

    private static let storedContacts: [Mutant] = [
        Mutant(
            "contacts-written-at-once", .kept, [102], "Contacts are written without delay.",
            .executed(.addUpdateContact) { radio, _ in radio.saveContacts() }),
        Mutant(
            "contacts-written-late", .late, [102], "Contacts are written ten seconds after the last change.",
            .executed(.addUpdateContact) { radio, _ in radio.contactsDue = radio.core.future(10_000) }),
        Mutant(
            "contacts-written-after-first", .late, [102], "Contacts are written five seconds after the first change.",
            .executed(.addUpdateContact) { radio, before in
                if before.contactsDue != nil { radio.contactsDue = before.contactsDue }
            }),
        Mutant(
            "reboot-loses-contacts", .lost, [103], "REBOOT does not write contacts.",
            .command(.reboot) { _, radio in
                radio.contactsDue = nil
                return .executed
            }),
    ]
}

extension CompanionRadio {
    /// Changes every listed contact.
    mutating func changeContacts(_ change: (inout Contact) -> Void) {
        for index in contacts.slots.indices.dropFirst(ContactSlots.transientSlots) { change(&contacts[index]) }
    }

    /// Changes the contact whose key stands behind the code of the command.
    fileprivate mutating func changeReceivedContact(_ change: (inout Contact) -> Void) {
        guard let index = contacts.index(of: PublicKey(receiveBuffer[1..<33])) else { return }
        change(&contacts[index])
    }

    fileprivate mutating func reverseContacts() {
        let indices = contacts.slots.indices.dropFirst(ContactSlots.transientSlots)
        for (low, high) in zip(indices, indices.reversed()) where low < high {
            let contact = contacts[low]
            contacts[low] = contacts[high]
            contacts[high] = contact
        }
    }

    /// Puts the whole key of the contact into a command that has its first six bytes.
    fileprivate func completeKey(in frame: inout [UInt8], at offset: Int) -> Defect.Obedience {
        guard frame.count >= offset + 32,
            let index = contacts.index(ofPrefix: FixedBytes(frame[offset..<(offset + 6)]))
        else { return .executed }
        frame.replaceSubrange(offset..<(offset + 32), with: contacts[index].publicKey.prefix(32))
        return .executed
    }
}
