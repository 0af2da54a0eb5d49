import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Contacts, adverts and paths with emulated radios.
@Suite struct ContactMeshTests {
    /// Returns the rows of each contact in the store and on the radio, in the order of their keys.
    private static func tables(_ bench: ServiceBench) async throws -> (store: [ContactDTO], radio: [ContactDTO]) {
        let records = try await bench.session.getContacts().contacts
        let radio = records.map { ContactDTO(deviceID: bench.device.id, record: $0) }
        let store = try await bench.store.fetchContacts(deviceID: bench.device.id)
        return (
            store.sorted { $0.publicKey.lexicographicallyPrecedes($1.publicKey) },
            radio.sorted { $0.publicKey.lexicographicallyPrecedes($1.publicKey) }
        )
    }

    @Test(.proves("SVC-126")) func `after a sync the store has what the radio has`() throws {
        try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            try await mesh.clock.sleep(for: .seconds(30))

            let result = try await alice.contacts().syncContacts(deviceID: alice.device.id)

            let (store, radio) = try await Self.tables(alice)
            #expect(store == radio)
            #expect(result.isComplete)
            #expect(result.contactsReceived == radio.count)
            #expect(radio.map(\.name).contains(bob.device.nodeName))
            #expect(radio.count == 2)
            #expect(result.lastSyncTimestamp == radio.map(\.lastModified).max())
        }
    }

    @Test(.proves("SVC-R-051", "SVC-077"))
    func `of two contacts of one second the one behind the sync arrives, and not without overlap`() throws {
        for (overlap, expected) in [(UInt32(1), ["first", "second"]), (0, ["first"])] {
            let names = try withMesh(.solo) { mesh in
                let alice = try await mesh.app("alice")
                var profile = StackProfile.architectureV2
                profile.contacts.overlap = overlap
                let contacts = alice.contacts(profile)
                try await alice.session.updateContact(Frames.contact(2, name: "first"))
                let first = try await contacts.syncContacts(deviceID: alice.device.id)
                try await alice.session.updateContact(Frames.contact(3, name: "second"))
                let time = try await alice.session.getTime()
                #expect(time == first.lastSyncTimestamp)
                // The number of contacts must not be what finds it.
                try await alice.store.saveContact(
                    ContactDTO(deviceID: alice.device.id, publicKey: .node(4), name: "first's double", isBlocked: true))
                try await contacts.syncContacts(deviceID: alice.device.id, since: first.lastSyncTimestamp)
                return try await alice.store.fetchContacts(deviceID: alice.device.id).map(\.name)
            }
            #expect(names.filter { !$0.contains("double") } == expected)
        }
    }

    @Test(.proves("SVC-078", "SVC-R-052")) func `a radio that starts at its own date is listed whole`() throws {
        let (before, after, result) = try withMesh(.solo) { mesh in
            let alice = try await mesh.app("alice")
            let contacts = alice.contacts()
            try await alice.session.updateContact(Frames.contact(2))
            try await contacts.syncContacts(deviceID: alice.device.id)
            let before = try await contacts.contactWatermark(deviceID: alice.device.id)
            await mesh.world.withWorld { world in
                if let node = world.node(labelled: "alice") { world.setClock(of: node, to: 1_715_770_351) }
            }
            try await alice.session.updateContact(Frames.contact(2, name: "renamed"))
            let after = try await contacts.contactWatermark(deviceID: alice.device.id)
            try await contacts.syncContacts(deviceID: alice.device.id, since: after)
            return (before, after, try await alice.row(2)?.name)
        }

        #expect(before != nil)
        #expect(after == nil)
        #expect(result == "renamed")
    }

    @Test(.proves("SVC-088")) func `a node that is heard for the first time becomes a contact by one sync`() throws {
        let requests = Notes<Double>()

        let (names, heardAt) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let contacts = alice.contacts()
            let adverts = await alice.adverts()
            let heard = Notes<Double>()
            adverts.events.note(in: heard) { if case .advertHeard = $0 { alice.seconds } else { nil } }
            await adverts.setDiscoveryTaker(
                DiscoveryTaker(contactSync: { id in
                    requests.add(alice.seconds)
                    _ = try? await contacts.syncContacts(deviceID: id)
                }))
            try await bob.adverts().sendSelfAdvertisement(flood: true)
            try await mesh.clock.sleep(for: .seconds(8))
            await adverts.stop()
            return (
                try await contacts.getContacts(deviceID: alice.device.id).map(\.publicKey) == [bob.device.publicKey],
                heard.all
            )
        }

        let at = try #require(heardAt.first)
        #expect(names)
        #expect(requests.all == [at + 2])
    }

    @Test(.proves("SVC-R-056")) func `the path that a message brought back is the radio's`() throws {
        let (row, radio, changes) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            let contacts = alice.contacts()
            try await contacts.syncContacts(deviceID: alice.device.id)
            try await contacts.resetPath(deviceID: alice.device.id, publicKey: bob.device.publicKey)
            let changes = Notes<Bool>()
            let adverts = await alice.adverts()
            adverts.events.note(in: changes) { if case .routingChanged(_, let isFlood) = $0 { isFlood } else { nil } }
            _ = try await alice.session.sendMessage(
                to: .bytes([UInt8](bob.device.publicKey)), text: "hi", timestamp: alice.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(10))
            await adverts.stop()
            let row = try await contacts.getContact(deviceID: alice.device.id, publicKey: bob.device.publicKey)
            let record = try await alice.session.getContact(publicKey: FixedBytes(bob.device.publicKey))
            return (row, record, changes.all)
        }

        #expect(row?.routing == .path(hashSize: 1, hops: 1))
        #expect(row?.outPathLengthRaw == radio.outPathLength.rawValue)
        #expect(row?.outPath == Data(radio.outPath.prefix(1)))
        #expect(changes == [false])
    }

    @Test(.proves("SVC-129", "SVC-130", "SVC-131", "SVC-132"))
    func `paths are forgotten, asked for, set and remembered`() throws {
        try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            try await bob.session.setTelemetryModes(base: 2)
            let (id, key) = (alice.device.id, bob.device.publicKey)
            let contacts = alice.contacts()
            let adverts = await alice.adverts()
            try await contacts.syncContacts(deviceID: id)

            let heard = try await contacts.getAdvertPath(publicKey: key)
            #expect(heard.hops == 1)
            #expect(
                await failure(of: .contacts) { _ = try await contacts.getAdvertPath(publicKey: .node(7)) }
                    == .contactNotFound)

            try await contacts.resetPath(deviceID: id, publicKey: key)
            #expect(try await contacts.getContact(deviceID: id, publicKey: key)?.routing == .unknown)
            #expect(try await alice.session.getContact(publicKey: FixedBytes(key)).outPathLength == .unknown)

            let found = try await contacts.sendPathDiscovery(deviceID: id, publicKey: key)
            #expect(found.outHops == 1)
            #expect(found.inHops == 1)
            #expect(found.outPath == heard.path)
            #expect(try await contacts.getContact(deviceID: id, publicKey: key)?.outPath == heard.path)
            #expect(try await alice.session.getContact(publicKey: FixedBytes(key)).outPath.prefix(1) == [heard.path[0]])

            try await contacts.setPath(deviceID: id, publicKey: key, path: Data([0xEE, 0xDD]))
            let before = try await alice.session.getContact(publicKey: FixedBytes(key))
            #expect(before.outPathLength.hopCount == 2)
            #expect(before.name.text.string == bob.device.nodeName)
            await adverts.stop()
        }
    }

    @Test(.proves("SVC-089"))
    func `in manual-add mode a node is discovered, told once, and added by the user`() throws {
        let told = Notes<String>()

        let (discovered, contact, wasDelivered) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await alice.session.setManualAdd(true)
            // The nodes between advert 16 s after their start.
            try await mesh.clock.sleep(for: .seconds(20))
            // Bob has to know alice to take her message.
            try await alice.session.sendAdvertisement(flood: true)
            try await mesh.clock.sleep(for: .seconds(7))
            let contacts = alice.contacts()
            let adverts = await alice.adverts()
            adverts.events.note(in: told) { if case .contactDiscovered(let name, _) = $0 { name } else { nil } }
            for _ in 0..<3 {
                try await bob.session.sendAdvertisement(flood: true)
                try await mesh.clock.sleep(for: .seconds(7))
            }
            let discovered = try await contacts.getDiscoveredContacts(deviceID: alice.device.id)
            let contact = try await contacts.confirmContact(id: try #require(discovered.first?.id))
            _ = try await alice.session.sendMessage(
                to: .bytes([UInt8](bob.device.publicKey)), text: "hi", timestamp: alice.dependencies.seconds)
            let ack = await alice.session.waitForEvent(filter: .anyAcknowledgement, timeout: .seconds(20))
            await adverts.stop()
            return (discovered, contact, ack != nil)
        }

        #expect(discovered.count == 1)
        #expect(discovered.first?.onRadio == false)
        #expect(told.all == [contact.name])
        #expect(contact.onRadio)
        #expect(!contact.isDiscovered)
        #expect(wasDelivered)
    }

    @Test(.proves("SVC-090", "SVC-127"))
    func `a full radio says so, and one that overwrites the oldest says whom it dropped`() throws {
        var board = BoardProfile.heltecV3
        board.maxContacts = 4
        let world = WorldDescription(
            name: "two", summary: "alice with a small table, and bob beside her",
            nodes: [
                NodeDescription("alice", .companion(.wifi), board: board), NodeDescription("bob", .companion(.wifi)),
            ],
            links: [.init("alice", "bob")])
        let notes = Notes<String>()

        try withMesh(world) { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let id = alice.device.id
            let contacts = alice.contacts()
            let adverts = await alice.adverts()
            adverts.events.note(in: notes) {
                switch $0 {
                case .contactDeleted(let key): "deleted \(key[0])"
                case .contactsFull: "full"
                default: nil
                }
            }
            for number in 2...5 {
                try await contacts.addOrUpdateContact(
                    ContactDTO(
                        deviceID: id, publicKey: .node(UInt8(number)), name: "n\(number)", isFavorite: number == 2))
                try await mesh.clock.sleep(for: .seconds(1))
            }
            let error = await failure(of: .contacts) {
                try await contacts.addOrUpdateContact(ContactDTO(deviceID: id, publicKey: .node(6), name: "n6"))
            }
            #expect(error == .contactTableFull)
            #expect(try await alice.row(6) == nil)
            try await bob.session.sendAdvertisement(flood: true)
            try await mesh.clock.sleep(for: .seconds(3))
            #expect(notes.takeAll() == ["full"])

            try await alice.session.setAutoAddConfig(1)
            try await contacts.addOrUpdateContact(ContactDTO(deviceID: id, publicKey: .node(6), name: "n6"))
            try await mesh.clock.sleep(for: .seconds(1))
            #expect(notes.takeAll() == ["deleted 3"])
            #expect(try await alice.row(3)?.onRadio == false)
            #expect(try await alice.row(2)?.onRadio == true)
            #expect(try await alice.row(3)?.name == "n3")
            let result = try await contacts.syncContacts(deviceID: id)
            #expect(result.isComplete)
            #expect(try await contacts.getContacts(deviceID: id).filter(\.onRadio).count == 4)
            await adverts.stop()
        }
    }

    @Test(.proves("SVC-R-061")) func `a message to a contact that the radio dropped by itself is delivered`() throws {
        let (isOnRadio, status, isBack) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            let contacts = alice.contacts()
            try await contacts.syncContacts(deviceID: alice.device.id)
            try await alice.session.removeContact(FixedBytes(bob.device.publicKey))
            try await contacts.syncContacts(deviceID: alice.device.id)
            let row = try #require(
                try await contacts.getContact(deviceID: alice.device.id, publicKey: bob.device.publicKey))
            let messages = MessageService(
                session: alice.session, store: alice.store, profile: .architectureV2, dependencies: alice.dependencies)
            await messages.startEventListening(deviceID: alice.device.id)
            let sent = try await messages.sendMessageWithRetry(text: "hi", to: row)
            await messages.stop()
            let record = try await alice.session.getContact(publicKey: FixedBytes(bob.device.publicKey))
            return (row.onRadio, sent.status, record.name.text.string == bob.device.nodeName)
        }

        #expect(!isOnRadio)
        #expect(status == .delivered)
        #expect(isBack)
    }

    @Test(.proves("SVC-128")) func `a contact that is removed is gone from the radio`() throws {
        try withMesh(.solo) { mesh in
            let alice = try await mesh.app("alice")
            let contacts = alice.contacts()
            try await contacts.addOrUpdateContact(
                ContactDTO(deviceID: alice.device.id, publicKey: .node(2), name: "n2"))
            try await contacts.removeContact(deviceID: alice.device.id, publicKey: .node(2))
            #expect(try await alice.session.getContacts().contacts.isEmpty)
            #expect(try await alice.row(2) == nil)
            #expect(
                await failure(of: .contacts) {
                    try await contacts.removeContact(deviceID: alice.device.id, publicKey: .node(2))
                } == .contactNotFound)
        }
    }

    @Test(.proves("SVC-133"))
    func `a card that one node exports becomes a contact of another, and a damaged one does not`() throws {
        try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let id = bob.device.id
            let contacts = bob.contacts()
            let adverts = await bob.adverts()
            await adverts.setDiscoveryTaker(
                DiscoveryTaker(contactSync: { _ = try? await contacts.syncContacts(deviceID: $0) }))
            let card = try await alice.contacts().exportContact()
            var damaged = card
            damaged.packet[damaged.packet.count - 1] ^= 1
            #expect(
                await failure(of: .contacts) {
                    try await contacts.importContact(uri: "\(damaged)", deviceID: id)
                } == .invalidContactLink)
            try await mesh.clock.sleep(for: .seconds(4))
            #expect(try await contacts.getContacts(deviceID: id).isEmpty)

            let row = try await contacts.importContact(uri: "\(card)", deviceID: id)
            #expect(row?.name == alice.device.nodeName && row?.onRadio == true)
            #expect(try await contacts.getContact(deviceID: id, publicKey: alice.device.publicKey) == row)
            #expect(
                await failure(of: .contacts) { try await contacts.importContact(cardData: Data(count: 20)) }
                    == .invalidContactLink)
            #expect(try await contacts.exportContact(publicKey: alice.device.publicKey) == card)
            await adverts.stop()
        }
    }

    @Test func `a card becomes a contact of a radio that adds none by itself`() throws {
        try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await bob.session.setManualAdd(true)
            let card = try await alice.contacts().exportContact()

            let row = try await bob.contacts().importContact(uri: "\(card)", deviceID: bob.device.id)

            #expect(row?.publicKey == alice.device.publicKey && row?.name == alice.device.nodeName)
            let onRadio = try await bob.session.getContacts().contacts
            #expect(onRadio.map(\.publicKey) == [FixedBytes(alice.device.publicKey)])
        }
    }
}
