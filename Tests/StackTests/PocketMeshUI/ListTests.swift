import Foundation
import MeshTestSupport
import PocketMeshServices
import PocketMeshUI
import StackTestSupport
import Testing

@Suite struct ListTests {
    @Test(.proves("SVC-176")) func `conversations are sorted by their last message, favourites on top on request`()
        throws
    {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            let device = try await Rows.device(in: store)
            let old = try await Rows.contact("Old", key: 2, of: device.id, in: store) { $0.isFavorite = true }
            let new = try await Rows.contact("New", key: 3, of: device.id, in: store)
            let blocked = try await Rows.contact("Blocked", key: 4, of: device.id, in: store)
            try await store.updateContactPreferences(
                id: blocked.id, nickname: nil, isBlocked: true, isFavorite: false)
            let channel = ChannelDTO(
                deviceID: device.id, index: 1, name: "#hikers", secret: ChannelService.hashSecret("#hikers"))
            _ = try await store.saveChannel(channel)
            try await store.updateChannelLastMessage(channelID: channel.id, date: Rows.start.addingTimeInterval(150))
            let room = RemoteNodeSessionDTO(
                deviceID: device.id, publicKey: Data(repeating: 9, count: 32), name: "Room", role: .roomServer)
            _ = try await store.saveRemoteNodeSession(room)
            for (contact, number) in [(old, 0), (new, 3), (blocked, 4)] {
                try await Rows.fill(store, device.id, contact, count: 1, from: number)
            }
            try await bench.app.initialize()
            let list = ChatListViewModel()
            list.configure(appState: bench.app)
            await list.load()
            #expect(list.rows.map(\.name) == ["New", "#hikers", "Old", "Room"])
            #expect(list.rows.map(\.kind) == [.chat, .channel, .chat, .room])
            #expect(list.rows[0].preview == "message 3" && list.rows[0].unreadCount == 1)
            #expect(list.rows[0].accessibilityLabel == "Conversation with New, 1 unread")
            #expect(list.unreadTotal == 2)
            await list.setFavoritesFirst(true)
            #expect(list.rows.map(\.name) == ["Old", "New", "#hikers", "Room"])

            await list.search("message")
            #expect(list.matches.map(\.text) == ["message 3", "message 0"], "nothing of blocked contacts")
            #expect(!list.hasMoreMatches)
        }
    }

    @Test func `contacts are searched, filtered and changed without a radio`() throws {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            let device = try await Rows.device(in: store)
            let ann = try await Rows.contact("Ann", key: 0xA1, of: device.id, in: store)
            _ = try await Rows.contact("Relay", key: 0xB2, of: device.id, in: store, type: 2)
            _ = try await Rows.contact("Room", key: 0xC3, of: device.id, in: store, type: 3)
            try await bench.app.initialize()
            let contacts = ContactsViewModel()
            contacts.configure(appState: bench.app)
            await contacts.load()
            #expect(contacts.contacts.map(\.name) == ["Ann", "Relay", "Room"])
            await contacts.search("b2b2")
            #expect(contacts.contacts.map(\.name) == ["Relay"])
            await contacts.search("r")
            #expect(contacts.contacts.map(\.name) == ["Relay", "Room"])
            await contacts.setFilter(.rooms)
            #expect(contacts.contacts.map(\.name) == ["Room"])
            await contacts.search("")
            await contacts.setFilter(.all)

            await contacts.setNickname(ann.id, "Zoe")
            await contacts.setFavorite(ann.id, true)
            #expect(contacts.contacts.map(\.name) == ["Zoe", "Relay", "Room"])
            await contacts.setBlocked(ann.id, true)
            #expect(contacts.contacts.map(\.name) == ["Relay", "Room"])
            await contacts.setFilter(.blocked)
            #expect(contacts.contacts.map(\.name) == ["Zoe"])
            await contacts.delete(ann.id)
            #expect(contacts.error?.code == "not-connected", "the radio's table cannot be changed now")
            contacts.clearError()
            #expect(contacts.error == nil)
            let heard = try await Rows.contact("Heard", key: 0xD4, of: device.id, in: store) { $0.isDiscovered = true }
            await contacts.load()
            #expect(contacts.discovered.map(\.name) == ["Heard"])
            await contacts.addDiscovered(heard.id)
            #expect(contacts.error?.code == "not-connected", "the radio has to take it")
            await contacts.export(ann.id)
            #expect(contacts.exportedURI?.hasPrefix("meshcore://contact/add?name=Ann&") == true)
            await contacts.show(ann.id)
            #expect(contacts.detail?.publicKey == String(repeating: "a1", count: 32))
        }
    }

    @Test(.proves("SVC-177")) func `the map has contacts by type, is kept 30 s, and rests while it is moved`() throws {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            let device = try await Rows.device(in: store)
            func place(_ name: String, _ key: UInt8, _ type: UInt8, _ latitude: Double, _ longitude: Double)
                async throws
            {
                _ = try await Rows.contact(name, key: key, of: device.id, in: store, type: type) {
                    ($0.latitude, $0.longitude) = (latitude, longitude)
                }
            }
            try await place("Ann", 2, 1, 48, 11)
            try await place("Relay", 3, 2, 49, 12)
            try await place("Nowhere", 4, 1, 0, 0)
            try await place("Junk", 7, 1, 1853.45, -1598.75)
            try await bench.app.initialize()
            let map = MapViewModel()
            map.configure(appState: bench.app)
            await map.load()
            #expect(map.markers.map(\.name) == ["Ann", "Relay"])
            #expect(map.markers.map(\.markerType) == [.chat, .repeater])
            #expect(map.unplaced.map(\.name) == ["Junk", "Nowhere"])
            let bounds = try #require(map.bounds)
            #expect(bounds.south == 47.9 && bounds.north == 49.1 && bounds.west == 10.9 && bounds.east == 12.1)

            try await place("Bob", 5, 1, 50, 12)
            try await bench.pass(29)
            await map.load()
            #expect(map.markers.count == 2, "what was read in the last half minute is believed")
            try await bench.pass(2)
            await map.load()
            #expect(map.markers.count == 3)

            await map.setInteracting(true)
            try await place("Cid", 6, 1, 51, 12)
            bench.app.messageEventBroadcaster.broadcast(.contactsChanged)
            try await bench.pass(60)
            #expect(map.markers.count == 3, "nothing changes below the fingers")
            await map.setInteracting(false)
            #expect(map.markers.count == 4)

            await map.setKinds([.repeater])
            #expect(map.markers.map(\.name) == ["Relay"])
            await map.setKinds([.chat, .repeater, .room, .sensor])

            let json = try JSONSerialization.jsonObject(with: map.geoJSON()) as? [String: Any]
            let features = try #require(json?["features"] as? [[String: Any]])
            #expect(features.count == 4)
            #expect((features[3]["properties"] as? [String: Any])?["markerType"] as? String == "repeater")
        }
    }

    @Test func `places on both sides of 180 degrees are near each other on the map`() throws {
        let store = try PersistenceStore()
        try withApp(store: store) { bench in
            var device = try await Rows.device(in: store)
            (device.latitude, device.longitude) = (-16.8, 179.98)
            try await store.saveDevice(device)
            _ = try await Rows.contact("Taveuni", key: 2, of: device.id, in: store) {
                ($0.latitude, $0.longitude) = (-16.8, -179.98)
            }
            try await bench.app.initialize()
            let map = MapViewModel()
            map.configure(appState: bench.app)
            await map.load()

            let bounds = try #require(map.bounds)
            #expect(bounds.west > 179.9 && bounds.east < 180.1 && bounds.east > bounds.west)
            #expect(abs((map.markers.first?.metres ?? 0) - 4263) < 1)
            #expect(map.unplaced.isEmpty)
        }
    }

    @Test func `a node without a place and the own radio are put on the map by hand`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.know("bob")
            let map = MapViewModel()
            map.configure(appState: bench.app)
            await map.load()
            #expect(map.unplaced.map(\.id).contains(bob.id) && map.ownPosition == nil)

            await map.setPosition(of: bob.id, latitude: 48.1, longitude: 11.5)
            await map.setOwnPosition(latitude: 48.1, longitude: 11.6)
            #expect(map.error == nil)
            #expect(map.ownPosition?.longitude == 11.6 && !map.unplaced.map(\.id).contains(bob.id))
            let marker = try #require(map.markers.first { $0.id == bob.id })
            #expect(marker.longitude == 11.5 && abs((marker.metres ?? 0) - 7434) < 1)

            await map.setOwnPosition(latitude: 91, longitude: 11.6)
            #expect(map.error?.code == "out-of-range" && map.ownPosition?.latitude == 48.1)
            await map.setPosition(of: bob.id, latitude: 1853.45, longitude: 0)
            #expect(map.error?.code == "out-of-range" && map.markers.contains { $0.id == bob.id })
        }
    }
}
