import MeshCompanion
import MeshCore
import PocketMeshServices
import Testing

/// What users and programs are told when something with contacts, channels or adverts fails.
@Suite struct ContactErrorTests {
    @Test func `every error of contacts has a text, a code and a remedy`() {
        let errors: [ContactServiceError] = [
            .notConnected, .sendFailed("full"), .invalidResponse, .syncInterrupted(received: 4, .notConnected),
            .contactNotFound, .contactTableFull, .invalidLink, .invalidKey(count: 3),
            .invalidPath(count: 5, hashSize: 2), .storeFailed(.deviceNotFound),
        ]

        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { !$0.recovery.isEmpty })
        #expect(
            errors.map(\.description) == [
                "there is no connection to the radio", "the command could not be sent: full",
                "the radio's answer cannot be read",
                "the synchronisation of contacts broke off after 4: there is no connection to the radio",
                "this contact is not known", "the radio has no room for another contact",
                "this is no link or card of a contact", "a public key has 32 bytes, this one has 3",
                "5 bytes are no path of hashes of 2 bytes each", "the store does not know this radio",
            ])
    }

    @Test func `every error of channels has a text, a code and a remedy`() {
        let errors: [ChannelServiceError] = [
            .notConnected, .channelNotFound, .invalidChannelIndex(41), .secretHashingFailed,
            .saveFailed(.deviceNotFound), .sendFailed("full"), .noFreeSlot, .invalidLink,
        ]

        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { !$0.recovery.isEmpty })
        #expect(
            errors.map(\.description) == [
                "there is no connection to the radio", "this channel is not known", "the radio has no channel slot 41",
                "a channel needs a passphrase, or a secret of 16 bytes that are not all zero",
                "the store does not know this radio", "the command could not be sent: full",
                "all channel slots of the radio are in use", "this is no link of a channel",
            ])
        #expect(
            "\(ChannelSyncError(index: 3, reason: .noFreeSlot))"
                == "channel slot 3: all channel slots of the radio are in use")
    }

    @Test func `every error of adverts has a text, a code and a remedy`() {
        let errors: [AdvertisementError] = [
            .notConnected, .sendFailed("full"), .invalidResponse, .storeFailed(.deviceNotFound),
        ]

        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { !$0.recovery.isEmpty })
        #expect(
            errors.map(\.description) == [
                "there is no connection to the radio", "the command could not be sent: full",
                "the radio's answer cannot be read", "the store does not know this radio",
            ])
    }

    @Test func `an error of the session keeps its text, its code and its remedy`() {
        let error = SessionError.timeout(.getContacts, after: .seconds(5))

        #expect("\(ContactServiceError.sessionError(error))" == "\(error)")
        #expect(ContactServiceError.sessionError(error).code == error.code)
        #expect(ChannelServiceError.sessionError(error).recovery == error.recovery)
        #expect(AdvertisementError.sessionError(error).code == error.code)
    }
}
