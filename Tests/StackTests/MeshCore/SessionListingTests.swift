import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import Testing

/// Listings of contacts, the answers of many frames.
@Suite struct SessionListingTests {
    private static func start(_ count: UInt32) -> [UInt8] { Resp.ContactsStart(count: count).encoded() }
    private static func end(_ lastModified: UInt32) -> [UInt8] {
        Resp.EndOfContacts(mostRecentLastModified: lastModified).encoded()
    }

    @Test(.proves("SVC-041", "SVC-R-010"))
    func `a listing is what comes between its start and its end, pushes aside`() throws {
        let frames =
            [Self.start(3), Fixture.frame(Fixture.contact(2)), Push.MsgWaiting().encoded()]
            + [
                Fixture.frame(Fixture.contact(3)), [0], Fixture.frame(Fixture.contact(4, lastModified: 130)),
                Self.end(130),
            ]
        try withSession(answers: { $0.first == 4 ? frames : [] }) { session, _, _ in
            let seen = Notes<[Int]>()

            let table = try await session.getContacts { contact, received, total in
                seen.add([Int(contact.publicKey[0]), received, total])
            }

            #expect(table.contacts.map(\.publicKey) == [2, 3, 4].map(Fixture.key))
            #expect(table.total == 3)
            #expect(table.lastModified == 130)
            #expect(seen.all == [[2, 1, 3], [3, 2, 3], [4, 3, 3]])
            #expect(await session.contacts.contact(named: "bob")?.publicKey == Fixture.key(2))
            #expect(await session.contacts.contact(key: [3, 3])?.publicKey == Fixture.key(3))
        }
    }

    @Test(.proves("SVC-R-009")) func `a listing that pauses for fifteen seconds fails, and what came is kept`() throws {
        try withSession { session, radio, clock in
            let seen = Notes<ContactRecord>()
            let listing = Task {
                await outcome(clock) { try await session.getContacts { contact, _, _ in seen.add(contact) } }
            }
            await radio.waitUntilSent(2)
            await radio.simulateReceive(Self.start(350))
            for number: UInt8 in 0..<24 {
                try await clock.sleep(for: .seconds(3))
                await radio.simulateReceive(Fixture.frame(Fixture.contact(number)))
            }

            let end = await listing.value
            #expect(end.at == .seconds(72 + 15))
            #expect(end.result.sessionError == .listingStalled(received: 24, total: 350, after: .seconds(15)))
            #expect(seen.all.count == 24)
        }
    }

    @Test(.proves("SVC-041")) func `a listing takes three minutes at most`() throws {
        try withSession { session, radio, clock in
            let listing = Task { await outcome(clock) { try await session.getContacts() } }
            await radio.waitUntilSent(2)
            await radio.simulateReceive(Self.start(350))
            for number: UInt8 in 0..<30 {
                try await clock.sleep(for: .seconds(10))
                await radio.simulateReceive(Fixture.frame(Fixture.contact(number)))
            }

            #expect(await listing.value.at == .seconds(180))
            #expect(
                await listing.value.result.sessionError
                    == .listingStalled(received: 17, total: 350, after: .seconds(180)))
        }
    }

    @Test(.proves("SVC-R-040")) func `two callers of one listing share it`() throws {
        try withSession { session, radio, clock in
            let first = Task { try await session.getContacts() }
            let second = Task { try await session.getContacts() }
            try await clock.sleep(for: .seconds(1))
            #expect(await radio.sentFrames.dropFirst() == [[4]])
            for frame in [Self.start(1), Fixture.frame(Fixture.contact(2)), Self.end(100)] {
                await radio.simulateReceive(frame)
            }

            #expect(try await first.value == second.value)
            #expect(await radio.sentFrames.count == 2)
        }
    }

    @Test(.proves("SVC-R-040")) func `a radio that still lists for somebody else is introduced to again`() throws {
        let answers = Notes([[[1, 4]], [Self.start(0), Self.end(0)]] as [[[UInt8]]])
        try withSession(answers: { $0.first == 4 ? answers.takeFirst() ?? [] : [] }) { session, radio, _ in
            let table = try await session.getContacts(since: 50)

            #expect(table.contacts.isEmpty)
            #expect(await radio.sentFrames.map(\.first) == [1, 4, 1, 4])
            #expect(await radio.sentFrames.last == PacketBuilder.getContacts(since: 50))
        }
    }

    @Test(.proves("SVC-R-063"))
    func `a listing goes on while one of its callers waits, and ends with the last`() throws {
        try withSession { session, radio, clock in
            let first = Task { await outcome(clock) { try await session.getContacts() } }
            let second = Task { try await session.getContacts() }
            try await clock.sleep(for: .seconds(1))
            first.cancel()
            try await clock.sleep(for: .seconds(1))
            for frame in [Self.start(1), Fixture.frame(Fixture.contact(2)), Self.end(100)] {
                await radio.simulateReceive(frame)
            }
            let table = try await second.value
            #expect(table.contacts.count == 1)

            let only = Task { await outcome(clock) { try await session.getContacts() } }
            try await clock.sleep(for: .seconds(1))
            only.cancel()
            #expect(await only.value.result.isCancellation)
            #expect(await only.value.at == .seconds(3))
        }
    }

    @Test(.proves("SVC-R-063")) func `who comes as the last caller goes is not cancelled with it`() throws {
        // The more turns the second caller lets others have, the further the cancellation has come.
        for turns in 0..<8 {
            try withSession { session, radio, clock in
                let first = Task { await outcome(clock) { try await session.getContacts() } }
                await radio.waitUntilSent(2)
                first.cancel()
                let second = Task {
                    for _ in 0..<turns { await Task.yield() }
                    return await outcome(clock) { try await session.getContacts() }
                }
                for number: UInt8 in [2, 3] {
                    try await clock.sleep(for: .seconds(1))
                    for frame in [Self.start(1), Fixture.frame(Fixture.contact(number)), Self.end(100)] {
                        await radio.simulateReceive(frame)
                    }
                }

                #expect(await second.value.result.value?.contacts.count == 1, "after \(turns) turns")
            }
        }
    }

    @Test(.proves("SVC-R-063"))
    func `a listing that is shared goes on although another one has begun behind it`() throws {
        try withSession { session, radio, clock in
            let leaver = Task { await outcome(clock) { try await session.getContacts() } }
            let sharer = Task { await outcome(clock) { try await session.getContacts() } }
            try await clock.sleep(for: .seconds(1))
            let other = Task { await outcome(clock) { try await session.getContacts { _, _, _ in } } }
            try await clock.sleep(for: .seconds(1))
            leaver.cancel()
            for number: UInt8 in [2, 3] {
                try await clock.sleep(for: .seconds(1))
                for frame in [Self.start(1), Fixture.frame(Fixture.contact(number)), Self.end(100)] {
                    await radio.simulateReceive(frame)
                }
            }

            #expect(await sharer.value.result.value?.contacts.map(\.publicKey) == [Fixture.key(2)])
            #expect(await other.value.result.value?.contacts.map(\.publicKey) == [Fixture.key(3)])
        }
    }

    @Test func `a radio whose contacts do not end is not believed`() throws {
        try withSession { session, radio, clock in
            let seen = Notes<Int>()
            let listing = Task {
                await outcome(clock) { try await session.getContacts { _, count, _ in seen.add(count) } }
            }
            await radio.waitUntilSent(2)
            await radio.simulateReceive(Self.start(3))
            for number in 0..<17_000 {
                await radio.simulateReceive(Fixture.frame(Fixture.contact(UInt8(number % 200))))
                if number % 1000 == 0 { try await clock.sleep(for: .milliseconds(1)) }
            }

            let end = await listing.value
            #expect(
                end.result.sessionError
                    == .unreadableReply(
                        .getContacts,
                        FrameError(field: "contacts", offset: 0, reason: .invalid("there are more than 16384"))))
            #expect(end.at < .seconds(1) && seen.all.count == 16_384)
        }
    }

    @Test func `a contact that cannot be read is left out of its listing`() throws {
        let frames = [
            Self.start(2), [3, 1, 2], Fixture.frame(Fixture.contact(5)), Self.end(100),
        ]
        try withSession(answers: { $0.first == 4 ? frames : [] }) { session, _, _ in
            let keys = try await session.getContacts().contacts.map(\.publicKey)
            #expect(keys == [Fixture.key(5)])
        }
    }

    @Test func `the contact table is listed again only when the radio has changed it`() throws {
        let frames = [Self.start(1), Fixture.frame(Fixture.contact(2)), Self.end(100)]
        try withSession(answers: { $0.first == 4 ? frames : [] }) { session, radio, clock in
            #expect(try await session.ensureContacts().count == 1)
            #expect(try await session.ensureContacts().count == 1)
            #expect(await radio.sentFrames.count == 2)
            await radio.simulateReceive(Push.Advert(publicKey: Fixture.key(2)).encoded())
            await radio.simulateReceive(Push.NewAdvert(record: Fixture.contact(9)).encoded())
            try await clock.sleep(for: .seconds(1))

            #expect(try await session.ensureContacts().count == 1)
            #expect(await session.contacts.pending.map(\.publicKey) == [Fixture.key(9)])
            #expect(await radio.sentFrames.count == 3)
        }
    }

    @Test(.proves("SVC-131", "SVC-R-057", "SVC-R-059"))
    func `a path is changed and everything else of a contact stays`() throws {
        var contact = Fixture.contact(2)
        contact.flags = 0x81
        contact.type = NodeType(rawValue: 3)
        contact.lastAdvert = 77
        let original = contact
        try withSession(answers: { $0.first == 9 ? [[0]] : [] }) { session, radio, _ in
            try await session.changeContactPath(
                original, length: PathLength(hashSize: 2, hops: 2), path: [1, 2, 3, 4])

            let written = try AddUpdateContact(decoding: await radio.sentFrames[1])
            #expect(written.outPathLength == PathLength(hashSize: 2, hops: 2))
            #expect(written.outPath.prefix(4) == [1, 2, 3, 4])
            #expect(
                (written.flags, written.type, written.name, written.lastAdvert) == (
                    0x81, NodeType(rawValue: 3), original.name, 77
                ))
            #expect(written.lastModified == nil, "the radio stamps the change")
        }
    }
}
