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

/// The radio notices adverts by itself, and the store has them then.
@Suite struct AdvertTests {
    private static func radio() -> TableRadio {
        TableRadio { state in
            state.put(Frames.contact(2, lastModified: 50))
            state.put(Frames.contact(3, name: "cem", lastModified: 60))
        }
    }

    /// A contact whose key differs from that of contact 2 in its last byte.
    private static let twin: ContactRecord = {
        var twin = Frames.contact(2, name: "twin", lastModified: 70)
        twin.publicKey[31] = 9
        return twin
    }()

    private static func advert(_ number: UInt8) -> [UInt8] { Push.Advert(publicKey: Frames.key(number)).encoded() }

    private static func newAdvert(_ number: UInt8, name: ByteText) -> [UInt8] {
        var push = Push.NewAdvert()
        push.record = Frames.contact(number, name: name)
        return push.encoded()
    }

    // MARK: Unknown nodes

    @Test(.proves("SVC-088"), arguments: [UInt64?.none, 1, 2, 3])
    func `adverts of unknown nodes within two seconds cause one sync`(seed: UInt64?) throws {
        let radio = Self.radio()
        let requests = Notes<Double>()

        let (rows, commands) = try withTableRadio(radio, order: seed.map { .drawn(Seed($0)) } ?? .arrival) {
            bench, transport in
            let contacts = bench.contacts()
            let adverts = await bench.adverts()
            await adverts.setDiscoveryTaker(
                DiscoveryTaker(contactSync: { deviceID in
                    requests.add(bench.seconds)
                    _ = try? await contacts.syncContacts(deviceID: deviceID)
                }))
            for (number, pause) in [(UInt8(2), 700), (3, 700), (2, 500), (3, 5000)] {
                await transport.simulateReceive(Self.advert(number))
                try await bench.clock.sleep(for: .milliseconds(pause))
            }
            // Known now.
            await transport.simulateReceive(Self.advert(2))
            try await bench.clock.sleep(for: .seconds(5))
            await adverts.stop()
            return (try await contacts.getContacts(deviceID: bench.device.id).count, radio.takeCommands())
        }

        #expect(requests.all == [2])
        #expect(rows == 2)
        #expect(commands == [.getContacts])
    }

    @Test(.proves("SVC-088"))
    func `a request waits for the end of a running sync and is dropped when that has brought the node`() throws {
        let radio = Self.radio()
        let requests = Notes<Double>()

        try withTableRadio(radio) { bench, transport in
            let contacts = bench.contacts()
            let adverts = await bench.adverts()
            await adverts.setDiscoveryTaker(DiscoveryTaker(contactSync: { _ in requests.add(bench.seconds) }))
            await adverts.setSyncRunning(true)
            await transport.simulateReceive(Self.advert(2))
            try await bench.clock.sleep(for: .seconds(10))
            await adverts.setSyncRunning(false)
            try await bench.clock.sleep(for: .seconds(10))
            await adverts.setSyncRunning(true)
            await transport.simulateReceive(Self.advert(3))
            try await bench.clock.sleep(for: .seconds(10))
            try await contacts.syncContacts(deviceID: bench.device.id)
            await adverts.setSyncRunning(false)
            try await bench.clock.sleep(for: .seconds(10))
            await adverts.stop()
        }

        #expect(requests.all == [10])
    }

    @Test(.proves("SVC-088")) func `what was heard before anybody asked is told to the first who does`() throws {
        let radio = Self.radio()
        let notes = Notes<String>()

        try withTableRadio(radio) { bench, transport in
            let adverts = await bench.adverts()
            await transport.simulateReceive(Self.advert(2))
            await transport.simulateReceive(Self.newAdvert(8, name: "hana"))
            await transport.simulateReceive(Self.newAdvert(9, name: "ivo"))
            try await bench.clock.sleep(for: .seconds(10))
            await adverts.setDiscoveryTaker(
                DiscoveryTaker(
                    newContact: { name, _ in notes.add(name) },
                    contactSync: { _ in notes.add("sync at \(bench.seconds)") }))
            try await bench.clock.sleep(for: .seconds(10))
            await adverts.stop()
        }

        #expect(notes.all.sorted() == ["hana", "ivo", "sync at 10.0"])
    }

    @Test func `nothing is asked for after the end of the listening`() throws {
        let radio = Self.radio()
        let requests = Notes<Double>()

        let subscribers = try withTableRadio(radio) { bench, transport in
            let adverts = await bench.adverts()
            await adverts.startEventMonitoring(deviceID: bench.device.id)
            #expect(await bench.session.subscriberCount == 1)
            await adverts.setDiscoveryTaker(DiscoveryTaker(contactSync: { _ in requests.add(bench.seconds) }))
            await transport.simulateReceive(Self.advert(2))
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
            await transport.simulateReceive(Self.advert(3))
            try await bench.clock.sleep(for: .seconds(10))
            return await bench.session.subscriberCount
        }

        #expect(requests.all.isEmpty)
        #expect(subscribers == 0)
    }

    @Test(.proves("SVC-089"))
    func `a node that the radio did not add is stored as discovered and told once for its key`() throws {
        let radio = Self.radio()
        let told = Notes<String>()

        let (row, commands) = try withTableRadio(radio) { bench, transport in
            let adverts = await bench.adverts()
            adverts.events.note(in: told) {
                if case .contactDiscovered(let name, let id) = $0 { "\(name) \(id)" } else { nil }
            }
            for name: ByteText in ["hana", "hana", "hana 2"] {
                await transport.simulateReceive(Self.newAdvert(8, name: name))
                try await bench.clock.sleep(for: .seconds(60))
            }
            await adverts.stop()
            return (try await bench.row(8), radio.takeCommands())
        }

        let id = try #require(row?.id)
        #expect(told.all == ["hana \(id)"])
        #expect(row?.isDiscovered == true)
        #expect(row?.onRadio == false)
        #expect(row?.name == "hana 2")
        #expect(commands.isEmpty)
    }

    // MARK: Known nodes

    @Test(.proves("SVC-R-055"))
    func `of two contacts whose keys share six bytes only the one that adverts is updated`() throws {
        let twin = Self.twin
        let radio = Self.radio()
        radio.change { $0.put(twin) }

        let (times, heard) = try withTableRadio(radio) { bench, transport in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            let heard = Notes<Data>()
            let adverts = await bench.adverts()
            adverts.events.note(in: heard) { if case .advertHeard(let key) = $0 { key } else { nil } }
            try await bench.clock.sleep(for: .seconds(30))
            await transport.simulateReceive(Push.Advert(publicKey: twin.publicKey).encoded())
            try await bench.clock.sleep(for: .seconds(30))
            await adverts.stop()
            let rows = try await bench.store.fetchContacts(deviceID: bench.device.id)
            return (rows.map { "\($0.name) \($0.lastAdvertTimestamp)" }, heard.all)
        }

        let start = Int(ServiceBench.startDate.timeIntervalSince1970)
        #expect(times == ["bob 0", "cem 0", "twin \(start + 30)"])
        #expect(heard == [Data(twin.publicKey.array)])
    }

    @Test(.proves("SVC-R-056")) func `a path that has changed comes from the radio and not from the row`() throws {
        let radio = Self.radio()
        let notes = Notes<String>()

        let (row, commands) = try withTableRadio(radio) { bench, transport in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            adverts.events.note(in: notes) {
                switch $0 {
                case .pathRefreshed(let key): "refresh \(key.count)"
                case .pathUpdated(let contact): "path \(contact.outPathLength)"
                case .routingChanged(_, let isFlood): "flood \(isFlood)"
                case .contactUpdated: "updated"
                default: nil
                }
            }
            _ = radio.takeCommands()
            radio.change { state in
                state.contacts[0].outPathLength = PathLength(hashSize: 1, hops: 2)
                state.contacts[0].outPath = FixedBytes([0xAA, 0xBB])
            }
            await transport.simulateReceive(Push.PathUpdated(publicKey: Frames.key(2)).encoded())
            try await bench.clock.sleep(for: .seconds(1))
            await transport.simulateReceive(Push.PathUpdated(publicKey: Frames.key(2)).encoded())
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
            return (try await bench.row(2), radio.takeCommands())
        }

        #expect(row?.outPath == Data([0xAA, 0xBB]))
        #expect(row?.routing == .path(hashSize: 1, hops: 2))
        #expect(commands == [.getContactByKey, .getContactByKey])
        #expect(
            notes.all == ["refresh 32", "path 2", "flood false", "updated", "refresh 32", "path 2", "updated"])
    }

    @Test func `a stranger whom the radio keeps for a request only does not become a contact by a path`() throws {
        let radio = Self.radio()
        radio.change { $0.put(Frames.contact(9, name: "", type: .none)) }

        let row = try withTableRadio(radio) { bench, transport in
            let adverts = await bench.adverts()
            await transport.simulateReceive(Push.PathUpdated(publicKey: Frames.key(9)).encoded())
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
            return try await bench.row(9)
        }

        #expect(row == nil)
    }

    @Test func `a path that cannot be fetched is brought by a sync`() throws {
        let radio = Self.radio()
        radio.breakAnswers { $0[0] == CommandCode.getContactByKey.rawValue ? [] : nil }
        let requests = Notes<Double>()

        try withTableRadio(radio) { bench, transport in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            await adverts.setDiscoveryTaker(DiscoveryTaker(contactSync: { _ in requests.add(bench.seconds) }))
            await transport.simulateReceive(Push.PathUpdated(publicKey: Frames.key(2)).encoded())
            try await bench.clock.sleep(for: .seconds(20))
            await adverts.stop()
        }

        #expect(requests.all == [7])
    }

    @Test(.proves("SVC-090", "SVC-R-060"))
    func `a contact that the radio dropped keeps its messages and its name`() throws {
        let radio = Self.radio()
        let notes = Notes<String>()

        let (row, messages, sender) = try withTableRadio(radio) { bench, transport in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            let id = try #require(try await bench.row(2)?.id)
            let container = try await MainActor.run {
                try ServiceContainer.forTesting(
                    session: bench.session, dependencies: bench.dependencies, store: bench.store)
            }
            await container.syncCoordinator.incoming.wire(into: container.messagePollingService)
            await container.messagePollingService.startEventMonitoring(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            adverts.events.note(in: notes) {
                switch $0 {
                case .contactDeleted(let key): "deleted \(key[0])"
                case .contactsFull: "full"
                default: nil
                }
            }
            try await Self.receive("before", in: bench, radio, container)
            await transport.simulateReceive(Push.ContactDeleted(publicKey: Frames.key(2)).encoded())
            await transport.simulateReceive(Push.ContactsFull().encoded())
            try await bench.clock.sleep(for: .seconds(1))
            let row = try await bench.row(2)
            try await Self.receive("after", in: bench, radio, container)
            await adverts.stop()
            await container.tearDown()
            let sender = try await bench.store.findContactNameByKeyPrefix(
                deviceID: bench.device.id, prefix: Data.node(2).prefix(6))
            let messages = try await bench.store.fetchMessages(deviceID: bench.device.id, thread: .contact(id))
            return (row, messages.map(\.text), sender)
        }

        #expect(row?.onRadio == false)
        #expect(row?.name == "bob")
        #expect(messages == ["before", "after"])
        #expect(sender == "bob")
        #expect(notes.all == ["deleted 2", "full"])
    }

    /// Contact 2 writes.
    private static func receive(
        _ text: ByteText, in bench: ServiceBench, _ radio: TableRadio, _ container: ServiceContainer
    ) async throws {
        let queue = Notes<[UInt8]>()
        queue.add(Frames.message(from: 2, text, timestamp: 7))
        radio.breakAnswers { frame in
            guard frame[0] == CommandCode.syncNextMessage.rawValue else { return nil }
            return [queue.takeAll().first ?? Frames.noMore]
        }
        _ = try await container.messagePollingService.pollAllMessages()
        radio.breakAnswers(nil)
    }

    // MARK: Path discovery

    private static func path(_ number: UInt8, _ out: [UInt8], back: [UInt8] = [1]) -> [UInt8] {
        Push.PathDiscoveryResponse(
            publicKeyPrefix: FixedBytes(repeatElement(number, count: 6)),
            outPathLength: PathLength(hashSize: 1, hops: out.count), outPath: out,
            inPathLength: PathLength(hashSize: 1, hops: back.count), inPath: back
        ).encoded()
    }

    @Test(.proves("SVC-R-058", "SVC-130"), arguments: [UInt64?.none, 1, 2, 3])
    func `a late answer of another node is stored and does not complete the discovery`(seed: UInt64?) throws {
        let radio = Self.radio()
        radio.breakAnswers {
            $0[0] == CommandCode.sendPathDiscoveryReq.rawValue ? [Frames.sent(1, isFlood: true)] : nil
        }
        let told = Notes<UInt8>()

        let (found, rows) = try withTableRadio(radio, order: seed.map { .drawn(Seed($0)) } ?? .arrival) {
            bench, transport in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            adverts.events.note(in: told) { if case .pathDiscovered(let path) = $0 { path.publicKey[0] } else { nil } }
            async let discovery = contacts.sendPathDiscovery(deviceID: bench.device.id, publicKey: .node(2))
            try await bench.clock.sleep(for: .milliseconds(300))
            await transport.simulateReceive(Self.path(3, [0xC3]))
            try await bench.clock.sleep(for: .milliseconds(300))
            await transport.simulateReceive(Self.path(2, [0xA1, 0xA2], back: [0xA3]))
            let found = try await discovery
            try await bench.clock.sleep(for: .milliseconds(300))
            await adverts.stop()
            return (found, [try await bench.row(2)?.outPath, try await bench.row(3)?.outPath])
        }

        #expect(found.publicKey == .node(2))
        #expect(found.outPath == Data([0xA1, 0xA2]))
        #expect(found.inPath == Data([0xA3]))
        #expect(rows == [Data([0xA1, 0xA2]), Data([0xC3])])
        #expect(told.all == [3, 2])
        // Firmware does not take the answer for its own use: that one was written.
        #expect(radio.contact(2)?.outPath.prefix(2) == [0xA1, 0xA2])
        #expect(radio.contact(3)?.outPathLength == .unknown)
    }

    @Test(.proves("SVC-130"))
    func `an answer that fits two contacts changes neither, and one of a stranger nobody`() throws {
        let twin = Self.twin
        let radio = Self.radio()
        radio.change { $0.put(twin) }

        let routings = try withTableRadio(radio) { bench, transport in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            await transport.simulateReceive(Self.path(2, [0xA1]))
            await transport.simulateReceive(Self.path(77, [0xA1]))
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
            return try await bench.store.fetchContacts(deviceID: bench.device.id).map(\.routing)
        }

        #expect(routings == [.unknown, .unknown, .unknown])
    }

    @Test(.proves("SVC-130")) func `an answer that comes after the limit is still stored`() throws {
        let radio = Self.radio()
        radio.breakAnswers {
            $0[0] == CommandCode.sendPathDiscoveryReq.rawValue ? [Frames.sent(1, isFlood: true)] : nil
        }

        let (error, seconds, row) = try withTableRadio(radio) { bench, transport in
            let contacts = bench.contacts()
            try await contacts.syncContacts(deviceID: bench.device.id)
            let adverts = await bench.adverts()
            let error = await failure(of: .contacts) {
                try await contacts.sendPathDiscovery(deviceID: bench.device.id, publicKey: .node(2))
            }
            let seconds = bench.seconds
            await transport.simulateReceive(Self.path(2, [0xA1]))
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
            return (error, seconds, try await bench.row(2))
        }

        #expect(error == .session(.noAnswer(.sendPathDiscoveryReq, after: .seconds(2))))
        #expect(seconds == 2)
        #expect(row?.outPath == Data([0xA1]))
    }

    // MARK: Ourselves

    @Test func `our own name and position are written and kept`() throws {
        let device = try withTableRadio(TableRadio()) { bench, _ in
            let adverts = await bench.adverts()
            try await adverts.setAdvertName("Alice with a name that is cut 🦊")
            try await adverts.setAdvertLocation(latitude: 1.5, longitude: -2.25)
            let error = await failure(of: .adverts) {
                try await adverts.setAdvertLocation(latitude: 1853.45, longitude: -1598.75)
            }
            #expect(error == .outOfRange(field: "latitude"))
            try await adverts.sendSelfAdvertisement(flood: true)
            await adverts.stop()
            return try await bench.store.fetchDevice(id: bench.device.id)
        }

        #expect(device?.nodeName == "Alice with a name that is cut ")
        #expect(device?.latitude == 1.5)
        #expect(device?.longitude == -2.25)
    }

    @Test func `a node that answers who is around is told`() throws {
        let told = Notes<NodeDiscovery>()

        try withTableRadio(TableRadio()) { bench, transport in
            let adverts = await bench.adverts()
            adverts.events.note(in: told) { if case .nodeDiscovered(let node) = $0 { node } else { nil } }
            let answer = DiscoverResponse(
                nodeType: .repeater, snr: -10, tag: 77, publicKey: Frames.key(5), prefixOnly: true)
            var push = Push.ControlData()
            (push.snr, push.payload) = (20, answer.written())
            await transport.simulateReceive(push.encoded())
            try await bench.clock.sleep(for: .seconds(1))
            await adverts.stop()
        }

        let node = try #require(told.all.first)
        #expect(node.type == .repeater)
        #expect(node.publicKey == Data(repeating: 5, count: 8))
        #expect(node.tag == 77)
        #expect(node.snrThere == -2.5)
        #expect(node.snrHere == 5)
    }
}
