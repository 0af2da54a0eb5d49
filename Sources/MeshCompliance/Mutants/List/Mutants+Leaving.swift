import MeshCompanion
import MeshFirmware
import MeshWire

// What a radio may keep of an app that has left, and what it may lose by that.
extension Mutant {
    static let leaving: [Mutant] = [
        Mutant(
            "listing-outlives-its-app", .kept, leaving: ["contacts-begun", "contacts-middle", "contacts-ten-times"],
            "A listing of contacts goes on for the next app, behind its APP_START.",
            .linkChanged { radio, _, isThere in
                guard !isThere, let listing = radio.listing else { return }
                radio.listing = nil
                radio.mutation.note = UInt32(clamping: listing.next).wireBytes
            },
            .executed(.appStart) { radio, _ in
                guard !radio.mutation.note.isEmpty else { return }
                radio.listing = ListingProgress(next: Int(radio.mutation.note.littleEndian), since: 0)
                radio.mutation.note = []
            }),
        Mutant(
            "hangs-when-left-in-contacts", .lost, leaving: ["contacts-middle", "contacts-ten-times"],
            "A radio whose app leaves in the middle of the contacts executes no command any more.",
            .linkChanged { radio, before, isThere in
                if !isThere, before.listing != nil { radio.mutation.note = [1] }
            },
            .command(nil) { _, radio in radio.mutation.note.isEmpty ? .executed : .ignored }),
        Mutant(
            "hangs-when-left-often", .lost, leaving: ["contacts-ten-times"],
            "A radio executes no command any more when apps have left it in the middle of the contacts four times.",
            .linkChanged { radio, before, isThere in
                if !isThere, before.listing != nil { radio.mutation.note.append(1) }
            },
            .command(nil) { _, radio in radio.mutation.note.count < 4 ? .executed : .ignored }),
        Mutant(
            "frames-of-the-session-before", .stale, leaving: ["contacts-middle", "contacts-ten-times"],
            "A contact that was listed for an app that has left follows the answer to APP_START of the next one.",
            .linkChanged { radio, before, isThere in
                if !isThere, before.listing != nil { radio.mutation.note = [1] }
            },
            .executed(.appStart) { radio, _ in
                let contact = radio.mutation.history.last { $0.first == ResponseCode.contact.rawValue }
                guard !radio.mutation.note.isEmpty, let contact else { return }
                radio.mutation.note = []
                radio.interface.write(contact, into: &radio.core.effects)
            }),
        Mutant(
            "message-twice-after-a-return", .doubled, leaving: ["messages-middle"],
            "The first message that was handed to an app that has left is handed to the next one again.",
            .linkChanged { radio, _, isThere in
                let isMessage = { (frame: [UInt8]) in frame.first == ResponseCode.contactMsgRecvV3.rawValue }
                guard !isThere, let message = radio.mutation.history.first(where: isMessage) else { return }
                radio.offlineQueue.putBack(message)
            }),
    ]
}
