import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// The messages that a search finds, by a part of their text.
@Suite struct SearchStoreTests {
    private func store(_ texts: [String], devices: Int = 1) async throws -> (PersistenceStore, [DeviceDTO]) {
        let (store, radios) = try await PersistenceStore.fixture(devices: devices)
        for (number, text) in texts.enumerated() {
            try await store.saveMessage(.received(number + 1, from: .numbered(number % 2, of: radios[0]), text: text))
        }
        return (store, radios)
    }

    // MARK: Contacts

    private func named(_ number: Int, _ name: String, _ nickname: String? = nil, of device: DeviceDTO) -> ContactDTO {
        ContactDTO(deviceID: device.id, publicKey: .key(number), name: name, nickname: nickname)
    }

    private func names() async throws -> (PersistenceStore, UUID) {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2, contacts: 0)
        let device = devices[0]
        for contact in [
            named(0xAB, "Ann Hill", of: device), named(0xCD, "bob", "Hillary", of: device),
            named(0x11, "ÄRZTE 100%", of: device), named(0x12, "О́льга_ß", of: device),
            named(0x13, "O'Neil \"x\" \\", of: device), named(0xAB, "Ann Hill", of: devices[1]),
        ] {
            try await store.saveContact(contact)
        }
        var heard = named(0xAC, "hilltop", of: device)
        heard.isDiscovered = true
        try await store.saveContact(heard)
        return (store, device.id)
    }

    @Test(arguments: [
        ("hill", ["Ann Hill", "bob"]), ("HILL", ["Ann Hill", "bob"]), ("bo", ["bob"]), ("äRZ", ["ÄRZTE 100%"]),
        ("ß", ["О́льга_ß"]), ("ЛЬГ", ["О́льга_ß"]), ("%", ["ÄRZTE 100%"]), ("_", ["О́льга_ß"]), ("'", ["O'Neil \"x\" \\"]),
        ("\"x\"", ["O'Neil \"x\" \\"]), ("\\", ["O'Neil \"x\" \\"]), ("*", []), ("' OR 1=1 --", []), ("", []),
        ("ab", ["Ann Hill"]), ("AB5a", ["Ann Hill"]), ("cd5", ["bob"]), ("5a5a", []), ("a", ["Ann Hill", "bob"]),
        ("c", []),
    ])
    func `contacts are found by name, nickname and the beginning of the key`(text: String, found: [String]) async throws
    {
        let (store, id) = try await names()

        let contacts = try await store.searchContacts(deviceID: id, for: text)

        #expect(contacts.map(\.name) == found)
        #expect(contacts.allSatisfy { $0.deviceID == id && !$0.isDiscovered })
    }

    @Test func `contacts that were heard are found on request, and no more than wanted`() async throws {
        let (store, id) = try await names()

        let all = try await store.searchContacts(deviceID: id, for: "hill", includingDiscovered: true)
        #expect(all.map(\.displayName) == ["Ann Hill", "Hillary", "hilltop"])
        #expect(try await store.searchContacts(deviceID: id, for: "hill", limit: 1).map(\.name) == ["Ann Hill"])
        #expect(try await store.searchContacts(deviceID: id, for: "hill", limit: -1).isEmpty)
    }

    // MARK: Messages

    @Test(arguments: [
        ("100%", ["at 100% power"]), ("%", ["at 100% power"]), ("_", ["snake_case"]), ("A_C", []),
        ("'", ["it's \"quoted\""]), ("\"QUOTED\"", ["it's \"quoted\""]), ("\\", ["back\\slash"]), ("*", []),
        ("GRÜß", ["Viele Grüße"]), ("ПРИВЕТ", ["привет всем"]), ("👋🏽", ["hi 👋🏽"]),
        ("nul\u{0}B", ["nul\u{0}byte é"]), ("É", ["nul\u{0}byte é"]), ("' OR 1=1 --", []), ("", []),
    ])
    func `every character of a pattern stands for itself, and letters match in either case`(
        pattern: String, found: [String]
    ) async throws {
        let (store, devices) = try await store([
            "at 100% power", "snake_case", "abc", "it's \"quoted\"", "back\\slash", "Viele Grüße", "привет всем",
            "hi 👋🏽", "nul\u{0}byte é",
        ])

        let messages = try await store.searchMessages(deviceID: devices[0].id, for: pattern)

        #expect(messages.map(\.text) == found)
    }

    @Test func `pages of a search do not overlap, and end`() async throws {
        let (store, devices) = try await store((1...25).map { $0 % 5 == 0 ? "other" : "Word \($0)" })
        let id = devices[0].id
        var found: [String] = []
        var anchor: Int64?

        repeat {
            let page = try await store.searchMessages(deviceID: id, for: "word", limit: 7, before: anchor)
            #expect(page.count <= 7)
            found = page.map(\.text) + found
            anchor = page.first?.receivedOrder
            // What comes in between moves no page.
            try await store.saveMessage(.received(100 + found.count, from: .numbered(0, of: devices[0]), text: "word"))
        } while anchor != nil && found.count < 100

        #expect(found == (1...25).filter { $0 % 5 != 0 }.map { "Word \($0)" })
    }

    @Test func `a thread is searched alone, and blocked contacts only there`() async throws {
        let (store, devices) = try await store(["one", "two one", "three", "ONE"])
        let device = devices[0]
        let (ann, bob) = (ContactDTO.numbered(0, of: device), ContactDTO.numbered(1, of: device))
        var heard = MessageDTO.received(50, from: bob, text: "one on a channel")
        (heard.contactID, heard.channelIndex, heard.senderNodeName) = (nil, 1, bob.name)
        try await store.saveMessage(heard)
        func search(_ thread: MessageThread? = nil) async throws -> [String] {
            try await store.searchMessages(deviceID: device.id, for: "one", in: thread).map(\.text)
        }

        #expect(try await search() == ["one", "two one", "ONE", "one on a channel"])
        #expect(try await search(.contact(bob.id)) == ["two one", "ONE"])
        #expect(try await search(.unknownChannel(1)) == ["one on a channel"])
        try await store.updateContactPreferences(id: bob.id, nickname: nil, isBlocked: true, isFavorite: false)

        #expect(try await search() == ["one"])
        #expect(try await search(.contact(bob.id)) == ["two one", "ONE"])
        #expect(try await search(.contact(ann.id)) == ["one"])
    }

    // MARK: Rooms

    @Test(.proves("SVC-164")) func `posts are found in one room or in all, and never those of another radio`()
        async throws
    {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        var number = 0
        for device in devices {
            for key in 1...2 {
                let room = RemoteNodeSessionDTO(
                    deviceID: device.id, publicKey: .key(key), name: "room", role: .roomServer)
                try await store.saveRemoteNodeSession(room)
                for text in ["News \(key)", "quiet", "old NEWS"] {
                    number += 1
                    try await store.saveRoomMessage(
                        RoomMessageDTO(
                            id: .numbered(number), sessionID: room.id, authorKeyPrefix: Data([1, 2, 3, 4]),
                            text: text, timestamp: UInt32(1000 - number), createdAt: .at(number)))
                }
            }
        }
        let id = devices[0].id
        let second = StableIdentifier.session(deviceID: id, publicKey: .key(2))
        let foreign = StableIdentifier.session(deviceID: devices[1].id, publicKey: .key(2))

        let page = try await store.searchRoomMessages(deviceID: id, for: "news", limit: 3)
        let rest = try await store.searchRoomMessages(
            deviceID: id, for: "news", limit: 3, before: page.first?.receivedOrder)

        #expect(page.map(\.text) == ["old NEWS", "News 2", "old NEWS"])
        #expect(rest.map(\.text) == ["News 1"])
        #expect(
            try await store.searchRoomMessages(deviceID: id, for: "news", sessionID: second).map(\.text)
                == ["News 2", "old NEWS"])
        #expect(try await store.searchRoomMessages(deviceID: id, for: "news", sessionID: foreign).isEmpty)
        #expect(try await store.searchRoomMessages(deviceID: id, for: "").isEmpty)
    }
}
