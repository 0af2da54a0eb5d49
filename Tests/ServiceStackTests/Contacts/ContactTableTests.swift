import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The rows that are written to the radio's table, and those of the store.
@Suite struct ContactTableTests {
    private static func radio() -> TableRadio {
        TableRadio { state in
            var favourite = Frames.contact(2, type: NodeType(rawValue: 3), lastModified: 50)
            favourite.flags = 0x0B
            favourite.outPathLength = PathLength(hashSize: 2, hops: 3)
            favourite.outPath = FixedBytes([1, 2, 3, 4, 5, 6])
            favourite.lastAdvert = 1234
            (favourite.latitude, favourite.longitude) = (-48_117_266, 11_516_667)
            state.put(favourite)
            state.put(Frames.contact(3, name: "cem", lastModified: 60))
        }
    }

    @Test(.proves("SVC-127")) func `a contact is written first and stored on OK, and a full table is told`() throws {
        let radio = Self.radio()
        let added = ContactDTO(
            deviceID: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!, publicKey: .node(5), name: "eve")

        let (isStored, error, missing, frames) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            var eve = added
            eve.deviceID = bench.device.id
            eve.isFavorite = true
            try await contacts.addOrUpdateContact(eve)
            let isStored = try await bench.row(5)?.onRadio
            radio.change { $0.capacity = 3 }
            let frames = radio.takeFrames()
            let error = await failure(of: .contacts) {
                try await contacts.addOrUpdateContact(
                    ContactDTO(deviceID: bench.device.id, publicKey: .node(6), name: "fay"))
            }
            return (isStored, error, try await bench.row(6), frames)
        }

        #expect(isStored == true)
        #expect(frames.map(\.first) == [CommandCode.addUpdateContact.rawValue])
        #expect(radio.contact(5)?.flags == 1)
        #expect(error == .contactTableFull)
        #expect(missing == nil)
    }

    @Test(.proves("SVC-128")) func `a contact is removed on the radio, then here, and its session ends`() throws {
        let radio = Self.radio()
        let removed = Notes<Data>()

        let (row, session, error, commands) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            contacts.events.note(in: removed) { if case .contactRemoved(_, let key) = $0 { key } else { nil } }
            try await contacts.syncContacts(deviceID: bench.device.id)
            let id = try await bench.store.saveRemoteNodeSession(
                RemoteNodeSessionDTO(
                    deviceID: bench.device.id, publicKey: .node(2), name: "room", role: .roomServer, isConnected: true,
                    permissionLevel: .admin))
            _ = radio.takeCommands()
            try await contacts.removeContact(deviceID: bench.device.id, publicKey: .node(2))
            let error = await failure(of: .contacts) {
                try await contacts.removeContact(deviceID: bench.device.id, publicKey: .node(77))
            }
            return (
                try await bench.row(2), try await bench.store.fetchRemoteNodeSession(id: id), error,
                radio.takeCommands()
            )
        }

        #expect(row == nil)
        #expect(radio.contact(2) == nil)
        #expect(session?.isConnected == false)
        #expect(removed.all == [.node(2), .node(77)])
        #expect(error == .contactNotFound)
        #expect(commands == [.removeContact, .removeContact])
    }

    @Test func `a contact stays here when the radio does not say that it has removed it`() throws {
        let radio = Self.radio()
        radio.breakAnswers { $0[0] == CommandCode.removeContact.rawValue ? [] : nil }

        let (error, row) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let error = await failure(of: .contacts) {
                try await contacts.removeContact(deviceID: bench.device.id, publicKey: .node(2))
            }
            return (error, try await bench.row(2))
        }

        #expect(error == .session(.timeout(.removeContact, after: .seconds(5))))
        #expect(row != nil)
    }

    @Test(.proves("SVC-R-062", "SVC-128"))
    func `a contact that the radio does not know goes here too, and is told once`() throws {
        let radio = Self.radio()

        let (errors, row, commands) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            radio.change { $0.contacts.removeFirst() }
            _ = radio.takeCommands()
            let first = await failure(of: .contacts) {
                try await contacts.removeContact(deviceID: bench.device.id, publicKey: .node(2))
            }
            let row = try await bench.row(2)
            // One of which the store knows that the radio has dropped it is no error at all.
            try await bench.store.markContactOffRadio(deviceID: bench.device.id, publicKey: .node(3))
            radio.change { $0.contacts.removeFirst() }
            let second = await failure(of: .contacts) {
                try await contacts.removeContact(deviceID: bench.device.id, publicKey: .node(3))
            }
            return ([first, second], row, radio.takeCommands())
        }

        #expect(errors == [.contactNotFound, nil])
        #expect(row == nil)
        #expect(commands == [.removeContact, .removeContact])
    }

    @Test(.proves("SVC-129"))
    func `a path is forgotten here when the radio has said that it has forgotten it`() throws {
        let radio = Self.radio()

        let (before, refused, after) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let before = try await bench.row(2)?.routing
            radio.breakAnswers { $0[0] == CommandCode.resetPath.rawValue ? [Frames.refusal(.badState)] : nil }
            await failure(of: .contacts) {
                try await contacts.resetPath(deviceID: bench.device.id, publicKey: .node(2))
            }
            let refused = try await bench.row(2)?.routing
            radio.breakAnswers(nil)
            let resetting: any PathResetting = contacts
            try await resetting.resetPath(deviceID: bench.device.id, publicKey: .node(2))
            return (before, refused, try await bench.row(2)?.routing)
        }

        #expect(before == .path(hashSize: 2, hops: 3))
        #expect(refused == before)
        #expect(after == .unknown)
        #expect(radio.contact(2)?.outPathLength == .unknown)
    }

    @Test(.proves("SVC-131", "SVC-R-059"))
    func `a path is written with everything else of the contact as it was`() throws {
        let radio = Self.radio()
        let before = try #require(radio.contact(2))

        let row = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            try await contacts.setPath(
                deviceID: bench.device.id, publicKey: .node(2), path: Data([9, 8, 7, 6]), hashSize: 2)
            return try await bench.row(2)
        }

        var expected = before
        expected.outPathLength = PathLength(hashSize: 2, hops: 2)
        expected.outPath = FixedBytes([9, 8, 7, 6])
        expected.lastModified = UInt32(ServiceBench.startDate.timeIntervalSince1970)
        #expect(radio.contact(2) == expected)
        #expect(row?.routing == .path(hashSize: 2, hops: 2))
        #expect(row?.outPath == Data([9, 8, 7, 6]))
        #expect(row?.flags == 0x0B)
        #expect(row?.typeRawValue == 3)
    }

    @Test(.proves("SVC-131")) func `a path that is no whole number of hashes is not sent`() throws {
        let radio = Self.radio()

        let (errors, commands) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            var errors: [StackError.Reason?] = []
            for (path, size) in [(3, 2), (66, 1), (64, 1), (4, 0), (4, 4)] {
                errors.append(
                    await failure(of: .contacts) {
                        try await contacts.setPath(
                            deviceID: bench.device.id, publicKey: .node(2), path: Data(count: path), hashSize: size)
                    })
            }
            errors.append(
                await failure(of: .contacts) {
                    try await contacts.setPath(deviceID: bench.device.id, publicKey: Data([1]), path: Data())
                })
            return (errors, radio.takeCommands())
        }

        #expect(errors.map { $0?.code } == [String](repeating: "invalid-path", count: 5) + ["invalid-key"])
        #expect(commands.isEmpty)
    }

    @Test(.proves("SVC-R-057"))
    func `two-byte hashes of a path keep their length byte when a contact is written back`() throws {
        let radio = Self.radio()

        try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            try await contacts.addOrUpdateContact(try #require(try await bench.row(2)))
        }

        #expect(radio.contact(2)?.outPathLength.rawValue == 0x43)
        #expect(radio.contact(2)?.outPath.prefix(6) == [1, 2, 3, 4, 5, 6])
    }

    @Test(.proves("SVC-R-059"))
    func `a favourite keeps its flags when it is renamed, written back and imported`() throws {
        let radio = Self.radio()

        let flags = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let id = bench.device.id
            try await contacts.syncContacts(deviceID: id)
            var row = try #require(try await bench.row(2))
            row.name = "renamed"
            try await contacts.addOrUpdateContact(row)
            var flags = [radio.contact(2)?.flags]
            try await contacts.importContact(
                uri: "\(ContactLink(name: "imported", publicKey: .node(2), type: 3))", deviceID: id)
            flags.append(radio.contact(2)?.flags)
            try await contacts.updateContactPreferences(
                id: row.id, nickname: nil, isBlocked: false, isFavorite: false)
            flags.append(radio.contact(2)?.flags)
            try await contacts.updateContactPreferences(id: row.id, nickname: "x", isBlocked: true, isFavorite: true)
            return flags + [radio.contact(2)?.flags, try await bench.row(2)?.flags]
        }

        #expect(flags == [0x0B, 0x0B, 0x0A, 0x0B, 0x0B])
        #expect(radio.contact(2)?.name.text == "imported")
        #expect(radio.contact(2)?.outPathLength.rawValue == 0x43)
        #expect(radio.contact(2)?.lastAdvert == 1234)
    }

    @Test func `preferences that the radio has no part in need no radio`() throws {
        let radio = Self.radio()

        let (row, commands, error) = try withTableRadio(radio) { bench, transport in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let id = try #require(try await bench.row(3)?.id)
            _ = radio.takeCommands()
            await transport.simulateLoss()
            try await contacts.updateContactPreferences(id: id, nickname: "C", isBlocked: true, isFavorite: false)
            let error = await failure(of: .contacts) {
                try await contacts.updateContactPreferences(id: id, nickname: "D", isBlocked: true, isFavorite: true)
            }
            return (try await bench.row(3), radio.takeCommands(), error)
        }

        #expect(row?.nickname == "C")
        #expect(row?.isBlocked == true)
        #expect(row?.isFavorite == false)
        #expect(commands.isEmpty)
        #expect(error != nil)
    }

    @Test(.proves("SVC-132")) func `the path of the last advert is told, or that the radio remembers none`() throws {
        let radio = Self.radio()
        radio.breakAnswers { frame in
            guard frame[0] == CommandCode.getAdvertPath.rawValue else { return nil }
            guard frame[2] == 2 else { return [Frames.refusal(.notFound)] }
            return [
                Resp.AdvertPath(
                    receivedAt: 1_749_900_001, pathLength: PathLength(hashSize: 1, hops: 2), path: [0xAB, 0xCD]
                ).encoded()
            ]
        }

        let (path, error) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let path = try await contacts.getAdvertPath(publicKey: .node(2))
            return (
                path,
                await failure(of: .contacts) {
                    _ = try await contacts.getAdvertPath(publicKey: .node(3))
                }
            )
        }

        #expect(path.receivedAt == 1_749_900_001)
        #expect(path.hops == 2)
        #expect(path.path == Data([0xAB, 0xCD]))
        #expect(error == .contactNotFound)
    }

    @Test func `a discovered contact is added when the radio has room for it`() throws {
        let radio = Self.radio()

        let (error, before, after, lastAdvert) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            var heard = Frames.contact(8, name: "hana")
            heard.lastAdvert = 777
            let id = try await bench.store.saveDiscoveredContact(deviceID: bench.device.id, from: heard).id
            radio.change { $0.capacity = 2 }
            let error = await failure(of: .contacts) { try await contacts.confirmContact(id: id) }
            let before = try await contacts.getDiscoveredContacts(deviceID: bench.device.id).map(\.name)
            #expect(try await contacts.getConversations(deviceID: bench.device.id).isEmpty)
            radio.change { $0.capacity = 3 }
            try await contacts.confirmContact(id: id)
            return (error, before, try await bench.row(8), radio.contact(8)?.lastAdvert)
        }

        #expect(error == .contactTableFull)
        #expect(before == ["hana"])
        #expect(after?.isDiscovered == false)
        #expect(after?.onRadio == true)
        #expect(lastAdvert == 777)
    }
}
