import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The contact table of a radio, read into the store whole and by changes.
@Suite struct ContactSyncTests {
    private static let start = UInt32(ServiceBench.startDate.timeIntervalSince1970)

    /// Makes a radio with contacts 2, 3, … changed this number of seconds before the start.
    private static func radio(ages: [UInt32]) -> TableRadio {
        TableRadio { state in
            for (index, age) in ages.enumerated() {
                state.put(Frames.contact(UInt8(index + 2), lastModified: start - age))
            }
        }
    }

    @Test(.proves("SVC-075", "SVC-077"))
    func `a watermark is asked for with a second of overlap, and none without one`() throws {
        let radio = Self.radio(ages: [30, 20])

        let (results, frames) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let first = try await contacts.syncContacts(
                deviceID: bench.device.id, since: contacts.contactWatermark(deviceID: bench.device.id))
            let second = try await contacts.syncContacts(
                deviceID: bench.device.id, since: contacts.contactWatermark(deviceID: bench.device.id))
            var wider = StackProfile.architectureV2
            wider.contacts.overlap = 15
            _ = try await bench.contacts(wider).syncContacts(deviceID: bench.device.id, since: Self.start - 20)
            return ([first, second], radio.takeFrames())
        }

        let listings = frames.compactMap { try? GetContacts(decoding: $0).since }
        #expect(frames.first == GetContacts(since: nil).encoded())
        #expect(listings == [Self.start - 21, Self.start - 35])
        #expect(results.map(\.isIncremental) == [false, true])
        #expect(results.map(\.contactsReceived) == [2, 1])
    }

    @Test(.proves("SVC-R-051", "SVC-077"), arguments: [UInt64?.none, 1, 2, 3])
    func `a second change in the second of the last sync arrives`(seed: UInt64?) throws {
        let radio = Self.radio(ages: [0])

        let names = try withTableRadio(radio, order: seed.map { .drawn(Seed($0)) } ?? .arrival) { bench, _ in
            let contacts = bench.contacts()
            let first = try await contacts.syncContacts(deviceID: bench.device.id)
            radio.change { $0.put(Frames.contact(3, name: "late", lastModified: Self.start)) }
            try await contacts.syncContacts(deviceID: bench.device.id, since: first.lastSyncTimestamp)
            return try await contacts.getContacts(deviceID: bench.device.id).map(\.name)
        }

        #expect(names == ["bob", "late"])
    }

    @Test(.proves("SVC-076", "SVC-R-049"))
    func `the watermark is the latest change, never goes back, and no contact leaves it`() throws {
        let radio = Self.radio(ages: [30, 10, 20])

        let marks = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            var marks: [UInt32?] = [try await bench.watermark]
            try await contacts.syncContacts(deviceID: bench.device.id)
            marks.append(try await bench.watermark)
            var idle = StackProfile.architectureV2
            idle.contacts.overlap = 0
            let empty = try await bench.contacts(idle).syncContacts(deviceID: bench.device.id, since: Self.start - 10)
            #expect(empty.contactsReceived == 0)
            #expect(empty.lastSyncTimestamp == Self.start - 10)
            marks.append(try await bench.watermark)
            radio.change { state in state.contacts.removeAll { $0.lastModified == Self.start - 10 } }
            try await contacts.syncContacts(deviceID: bench.device.id)
            marks.append(try await bench.watermark)
            return marks
        }

        #expect(marks == [0, Self.start - 10, Self.start - 10, Self.start - 10])
    }

    @Test(.proves("SVC-078"))
    func `the first sync is a full one, and one after seven days, and after a change of identity`() throws {
        let radio = Self.radio(ages: [30])
        let day = 24 * 3600

        let (plans, afterIdentity) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let id = bench.device.id
            var plans = [try await contacts.contactWatermark(deviceID: id)]
            try await contacts.syncContacts(deviceID: id)
            plans.append(try await contacts.contactWatermark(deviceID: id))
            try await bench.clock.sleep(for: .seconds(7 * day - 10))
            plans.append(try await contacts.contactWatermark(deviceID: id))
            try await bench.clock.sleep(for: .seconds(10))
            plans.append(try await contacts.contactWatermark(deviceID: id))
            try await contacts.syncContacts(deviceID: id)
            plans.append(try await contacts.contactWatermark(deviceID: id))
            var other = bench.device
            other.publicKey = .node(99)
            try await bench.store.saveDevice(other)
            return (plans, try await contacts.contactWatermark(deviceID: id))
        }

        let mark = Self.start - 30
        #expect(plans == [nil, mark, mark, nil, mark])
        #expect(afterIdentity == nil)
    }

    @Test(arguments: [(FullContactSync.always, false), (.daily, false), (.monthly, true)])
    func `the whole table is read as often as the user wants`(choice: FullContactSync, isIncremental: Bool) throws {
        let radio = Self.radio(ages: [30])

        let plan = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await choice.save(to: bench.store)
            try await contacts.syncContacts(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(25 * 3600))
            return try await contacts.contactWatermark(deviceID: bench.device.id)
        }

        #expect((plan != nil) == isIncremental)
    }

    @Test(.proves("SVC-078", "SVC-R-052")) func `after the radio's clock went back, all contacts are listed`() throws {
        let radio = Self.radio(ages: [30, 20])

        let (result, name) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let id = bench.device.id
            try await contacts.syncContacts(deviceID: id)
            // The radio lost power, began at its own date, and a contact changed there.
            radio.change { state in
                state.clock = 1_715_770_351
                state.put(Frames.contact(2, name: "renamed", lastModified: 1_715_770_351))
            }
            let result = try await contacts.syncContacts(
                deviceID: id, since: contacts.contactWatermark(deviceID: id))
            return (result, try await bench.row(2)?.name)
        }

        #expect(!result.isIncremental)
        #expect(name == "renamed")
    }

    @Test(.proves("SVC-078"))
    func `when the radio has another number of contacts than the store, all are listed`() throws {
        let radio = Self.radio(ages: [30, 20, 10])

        let (commands, result, isOnRadio) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            radio.change { $0.contacts.removeFirst() }
            _ = radio.takeCommands()
            let result = try await contacts.syncContacts(deviceID: bench.device.id, since: Self.start - 10)
            return (radio.takeCommands(), result, try await bench.row(2)?.onRadio)
        }

        #expect(commands == [.getContacts, .getContacts])
        #expect(!result.isIncremental)
        #expect(isOnRadio == false)
    }

    @Test(.proves("SVC-R-053")) func `a contact of the year 2106 does not hide later changes`() throws {
        let radio = Self.radio(ages: [30])
        radio.change { $0.put(Frames.contact(9, name: "future", lastModified: 4_294_967_000)) }

        let (mark, names) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let first = try await contacts.syncContacts(deviceID: bench.device.id)
            radio.change { $0.put(Frames.contact(2, name: "changed", lastModified: Self.start + 5)) }
            let second = try await contacts.syncContacts(deviceID: bench.device.id, since: first.lastSyncTimestamp)
            #expect(second.isIncremental)
            return (
                first.lastSyncTimestamp, try await contacts.getContacts(deviceID: bench.device.id).map(\.name)
            )
        }

        #expect(mark == Self.start - 30)
        #expect(names == ["changed", "future"])
    }

    @Test(.proves("SVC-125", "SVC-R-054"))
    func `progress counts this sync's contacts and does not wait for the whole table`() throws {
        let radio = TableRadio { state in
            for number in 2..<202 { state.put(Frames.contact(UInt8(number), lastModified: UInt32(number))) }
            for number in 0..<100 {
                var record = Frames.contact(1, lastModified: 1)
                record.publicKey[31] = UInt8(number)
                state.contacts.append(record)
            }
        }
        let notes = Notes<[Int]>()

        let results = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            let full = try await contacts.syncContacts(deviceID: bench.device.id) { notes.add([$0, $1]) }
            return [
                full, try await contacts.syncContacts(deviceID: bench.device.id, since: 201) { notes.add([$0, $1]) },
            ]
        }

        let progress = notes.all
        #expect(progress.count == 301)
        #expect(progress.first == [1, 300])
        #expect(progress[299] == [300, 300])
        #expect(progress.last == [1, 1])
        #expect(results[0] == ContactSyncResult(contactsReceived: 300, lastSyncTimestamp: 201, isIncremental: false))
        #expect(results[1] == ContactSyncResult(contactsReceived: 1, lastSyncTimestamp: 201, isIncremental: true))
    }

    @Test(.proves("SVC-126")) func `what the user made of a contact survives the sync that changes it`() throws {
        let radio = Self.radio(ages: [30])
        let date = ServiceBench.startDate

        let row = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let id = try #require(try await bench.row(2)?.id)
            try await bench.store.updateContactPreferences(
                id: id, nickname: "Bobby", isBlocked: false, isFavorite: true)
            try await bench.store.saveMessage(
                MessageDTO(
                    id: bench.dependencies.random.uuid(), deviceID: bench.device.id, contactID: id, text: "hi",
                    timestamp: 1, createdAt: date, direction: .incoming, status: .delivered))
            try await bench.store.updateContactPreferences(
                id: id, nickname: "Bobby", isBlocked: true, isFavorite: true)
            radio.change { $0.put(Frames.contact(2, name: "robert", type: .sensor, lastModified: Self.start)) }
            try await contacts.syncContacts(deviceID: bench.device.id)
            return try await bench.row(2)
        }

        #expect(row?.name == "robert")
        #expect(row?.type == .sensor)
        #expect(row?.nickname == "Bobby")
        #expect(row?.isBlocked == true)
        #expect(row?.isFavorite == true)
        #expect(row?.unreadCount == 1)
        #expect(row?.lastMessageDate == date)
    }

    @Test(.proves("SVC-R-050"))
    func `a radio that is saved again from what it says of itself keeps watermark and regions`() throws {
        let device = try withTableRadio(Self.radio(ages: [30])) { bench, _ in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            try await bench.store.updateKnownRegions(deviceID: bench.device.id, to: ["de"])
            let info = try #require(await bench.session.currentSelfInfo)
            return try await bench.store.saveDevice(
                DeviceDTO(selfInfo: info, deviceInfo: nil, lastConnected: bench.dependencies.now()))
        }

        #expect(device.lastContactSync == Self.start - 30)
        #expect(device.lastFullContactSync != nil)
        #expect(device.knownRegions == ["de"])
    }

    @Test(.proves("SVC-R-061"))
    func `a contact that the radio dropped is marked by a full sync and put back before it is sent to`() throws {
        let radio = Self.radio(ages: [30, 20])

        let (gone, back, frames) = try withTableRadio(radio) { bench, _ in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            radio.change { $0.contacts.removeFirst() }
            try await contacts.syncContacts(deviceID: bench.device.id)
            let gone = try #require(try await bench.row(2))
            _ = radio.takeFrames()
            try await contacts.restoreContact(id: gone.id)
            try await contacts.restoreContact(id: gone.id)
            return (gone, try await bench.row(2), radio.takeFrames())
        }

        #expect(!gone.onRadio)
        #expect(gone.name == "bob")
        #expect(back?.onRadio == true)
        #expect(frames.count == 1)
        #expect(radio.contact(2)?.name.text == "bob")
    }

    @Test(.proves("SVC-R-064")) func `a radio whose limit byte is 175 has room for 350 contacts`() throws {
        let limit = try withTableRadio(TableRadio()) { bench, _ in
            #expect(await bench.session.deviceInfo?.halvedMaxContacts == 175)
            return bench.device.maxContacts
        }

        #expect(limit == 350)
    }

    @Test(.proves("SVC-R-065")) func `a name that was cut inside an emoji is shown without the rest of it`() throws {
        let radio = TableRadio { state in
            state.put(
                Frames.contact(2, name: ByteText(bytes: [UInt8]("a name of 31 bytes and then 🦊".utf8.prefix(31)))))
        }

        let (name, written) = try withTableRadio(radio) { bench, _ in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            try await bench.contacts().setPath(deviceID: bench.device.id, publicKey: .node(2), path: Data([7]))
            return (try await bench.row(2)?.name, radio.contact(2)?.name.text.count)
        }

        #expect(name == "a name of 31 bytes and then ")
        #expect(written == 31)
    }
}
