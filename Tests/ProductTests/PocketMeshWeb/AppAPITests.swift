import Foundation
import Logging
import MeshCore
import MeshHTTP
import MeshTestSupport
import MeshTransports
import PocketMeshUI
import Testing

@testable import PocketMeshWeb

/// Transports that reach no radio.
private struct NoTransports: TransportMaking {
    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        throw StackError(.connection, .addressUnknown("\(endpoint)"))
    }
}

/// The requests of pages without a server and without a radio: all stored values are there.
@MainActor
@Suite struct AppAPITests {
    private let state: AppState
    private let api: AppAPI

    init() throws {
        let setup = AppState.Setup(
            transports: NoTransports(),
            dependencies: .real(log: .init(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: StackExecutor()))
        state = try AppState.open(setup)
        api = AppAPI(state: state, version: "1.0")
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", query: [(String, String)] = [], languages: String = ""
    ) async -> (status: Int, json: [String: Any]) {
        let parts = path.split(separator: "/").map(String.init)
        var request = WebRequest(
            method, parts, query: query.map { (name: $0.0, value: $0.1) }, body: Array(body.utf8))
        request.languages = languages
        let answer = await api.answer(request)
        guard case .whole(let bytes) = answer.body else { return (answer.status, [:]) }
        let json = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return (answer.status, json ?? [:])
    }

    private func status(_ method: String, _ path: String, _ body: String = "") async -> Int {
        await ask(method, path, body).status
    }

    private func code(_ answer: (status: Int, json: [String: Any])) -> String? {
        (answer.json["error"] as? [String: Any])?["code"] as? String
    }

    @Test func `a path that is not there, a wrong method and wrong members are refused with a code`() async {
        let id = UUID().uuidString

        #expect(code(await ask("GET", "nothing")) == "not-found")
        #expect(code(await ask("PUT", "chats")) == "not-allowed")
        #expect(code(await ask("GET", "chats/alice")) == "not-found")
        #expect(code(await ask("GET", "chats/\(id)")) == "not-found")
        #expect(code(await ask("POST", "search", #"{"words":1}"#)) == "bad-request")
        #expect(code(await ask("POST", "search", "{")) == "bad-request")
        #expect(code(await ask("POST", "search", #"{"words":"\u+041"}"#)) == "bad-request")
        #expect(code(await ask("POST", "contacts/filter", #"{"filter":"<b>"}"#)) == "bad-request")
        #expect(code(await ask("POST", "contacts/\(id)/path/remove", #"{"index":64}"#)) == "bad-request")
        #expect(code(await ask("GET", "events", query: [("after", "x")])) == "bad-request")
    }

    @Test func `every path of the API has its place in the table once`() {
        let operations = AppAPI.operations

        #expect(Set(operations).count == operations.count && operations.count > 90)
        #expect(api.methods(at: ["chats"]) == ["GET"] && !api.isOpen(["state"]))
    }

    @Test func `a failure is told once, with what to do about it`() async {
        let first = await ask("POST", "devices/connect", #"{"address":"<script>"}"#)
        let second = await ask("GET", "devices")

        let error = first.json["error"] as? [String: Any]
        #expect(first.status == 200 && (error?["message"] as? String)?.contains("<script>") == true)
        #expect((error?["title"] as? String)?.isEmpty == false && second.json["error"] == nil)
        // The reason stays where the address is entered.
        let failure = second.json["failure"] as? [String: Any]
        #expect(failure?["operation"] as? String == "connection")
        #expect(failure?["message"] as? String == error?["message"] as? String)
    }

    @Test func `what needs a radio says that there is none`() async {
        for (path, body) in [
            ("contacts/advert", "{}"), ("contacts/sync", ""), ("sync", ""), ("channels/join-public", ""),
            ("contacts/import", #"{"uri":"x"}"#), ("battery", ""),
        ] {
            let answer = await ask("POST", path, body)
            #expect((answer.json["error"] as? [String: Any])?["title"] != nil, "\(path)")
        }
    }

    @Test func `the first steps lead to the end, and the state says so`() async {
        let first = await ask("GET", "onboarding")
        for _ in 0..<3 { _ = await ask("POST", "onboarding/advance") }
        let last = await ask("GET", "state")

        #expect((first.json["page"] as? [String: Any])?["step"] as? String == "welcome")
        #expect(first.json["isDone"] as? Bool == false && last.json["isOnboarded"] as? Bool == true)
    }

    /// A radio that is shown, without a connection.
    private func shownDevice() async throws -> UUID {
        let device = DeviceDTO(
            id: UUID(), publicKey: Data(repeating: 1, count: 32), nodeName: "alice",
            lastConnected: Date(timeIntervalSince1970: 0))
        let saved = try await state.store.saveDevice(device)
        try await state.store.setActiveDevice(id: saved.id)
        try await state.initialize()
        return saved.id
    }

    @Test func `what was typed in a contact, a channel and a room is there when they are opened again`() async throws {
        let device = try await shownDevice()
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: device, publicKey: Data(repeating: 2, count: 32), name: "bob"))
        let channel = ChannelDTO(deviceID: device, index: 1, name: "#hiking", secret: Data(repeating: 3, count: 16))
        _ = try await state.store.saveChannel(channel)
        let room = try await state.store.saveRemoteNodeSession(
            RemoteNodeSessionDTO(
                deviceID: device, publicKey: Data(repeating: 4, count: 32), name: "Hall", role: .roomServer))

        for path in ["chats/\(contact)", "chats/\(channel.id)", "rooms/\(room)"] {
            #expect(await ask("POST", "\(path)/close", #"{"draft":"half a text"}"#).status == 200)
            let opened = path.hasPrefix("rooms") ? await ask("GET", path) : await ask("POST", "\(path)/open", "{}")
            #expect(opened.json["draft"] as? String == "half a text", "\(path)")
        }
    }

    @Test func `a page that closes before it was answered takes no draft with it`() async throws {
        let device = try await shownDevice()
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: device, publicKey: Data(repeating: 2, count: 32), name: "bob"))
        let room = try await state.store.saveRemoteNodeSession(
            RemoteNodeSessionDTO(
                deviceID: device, publicKey: Data(repeating: 4, count: 32), name: "Hall", role: .roomServer))

        for path in ["chats/\(contact)", "rooms/\(room)"] {
            func open() async -> String? {
                let opened = path.hasPrefix("rooms") ? await ask("GET", path) : await ask("POST", "\(path)/open", "{}")
                return opened.json["draft"] as? String
            }
            #expect(await ask("POST", "\(path)/close", #"{"draft":"half a text"}"#).status == 200)
            // It was opened, and the page was gone before it had the answer.
            #expect(await open() == "half a text", "\(path)")
            #expect(await ask("POST", "\(path)/close", "{}").status == 200)
            #expect(await open() == "half a text", "\(path)")
            // What a page has emptied is gone.
            #expect(await ask("POST", "\(path)/close", #"{"draft":""}"#).status == 200)
            #expect(await open() == "", "\(path)")
        }
    }

    @Test func `a room that is closed while it opens keeps its draft, and nobody looks at it`() async throws {
        let device = try await shownDevice()
        let room = try await state.store.saveRemoteNodeSession(
            RemoteNodeSessionDTO(
                deviceID: device, publicKey: Data(repeating: 4, count: 32), name: "Hall", role: .roomServer))

        for _ in 0..<10 {
            #expect(await ask("POST", "rooms/\(room)/close", #"{"draft":"half a text"}"#).status == 200)
            // In whatever order the two come.
            async let opening = status("GET", "rooms/\(room)")
            async let closing = status("POST", "rooms/\(room)/close", "{}")
            let statuses = await [opening, closing]
            #expect([200, 404].contains(statuses[0]) && statuses[1] == 200)
            #expect(await ask("GET", "rooms/\(room)").json["draft"] as? String == "half a text")
            #expect(await ask("POST", "rooms/\(room)/close", "{}").status == 200)
            #expect(state.notificationService.activeRoomSessionID == nil)
        }
    }

    @Test func `a room is not read when a page with a draft leaves it`() async throws {
        let device = try await shownDevice()
        let key = Data(repeating: 4, count: 32)
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: device, publicKey: key, name: "Hall", typeRawValue: 3))
        let room = try await state.store.saveRemoteNodeSession(
            RemoteNodeSessionDTO(deviceID: device, publicKey: key, name: "Hall", role: .roomServer))
        _ = try await state.store.saveRoomMessage(
            RoomMessageDTO(
                id: UUID(), sessionID: room, authorKeyPrefix: Data([1, 2, 3, 4]), text: "new", timestamp: 5,
                createdAt: Date(timeIntervalSince1970: 5)))

        #expect(await ask("POST", "rooms/\(contact)/close", #"{"draft":"half a text"}"#).status == 200)

        #expect(try await state.store.fetchRemoteNodeSession(id: room)?.unreadCount == 1)
        #expect(state.notificationService.activeRoomSessionID == nil)
        #expect(state.notificationService.consumeDraft(for: room) == "half a text")
    }

    @Test func `the state counts what waits for the radio, and what the icon shows`() async throws {
        let device = try await shownDevice()
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: device, publicKey: Data(repeating: 2, count: 32), name: "bob"))
        try await state.store.enqueueMessage(
            MessageDTO(
                id: UUID(), deviceID: device, contactID: contact, text: "waits", timestamp: 1_750_000_000,
                createdAt: Date(timeIntervalSince1970: 1_750_000_000), direction: .outgoing, status: .pending),
            limit: 0)

        let answer = await ask("GET", "state")

        #expect(answer.json["queued"] as? Int == 1 && answer.json["badge"] as? Int == 0)
    }

    @Test func `of two pages that ask where to go one goes there`() async throws {
        _ = try await shownDevice()
        try await state.completeOnboarding()
        state.navigateToDiscovery()

        let first = await ask("POST", "navigation/take", "{}")
        let second = await ask("POST", "navigation/take", "{}")

        #expect(first.json["route"] as? String == "discovery" && !(second.json["route"] is String))
    }

    @Test func `pages get every text by its key`() async {
        let answer = await ask("GET", "texts")

        #expect(answer.json["pageAllow"] as? String == "Allow" && answer.json.count == Texts.table.count)
        // Also a page without a token says why it shows nothing.
        #expect(api.isOpen(["texts"]) && !api.isOpen(["languages"]))
    }

    @Test func `texts and what is said with them are in the language of the request`() async {
        let asked = await ask("GET", "texts", query: [("lang", "de")])
        let title = (await ask("GET", "onboarding", query: [("lang", "de")]).json["page"] as? [String: Any])?["title"]
        let accepted = await ask("GET", "texts", languages: "fr, de-CH;q=0.9, en;q=0.8")

        #expect(asked.json["pageAllow"] as? String == "Erlauben" && title as? String == "Nachrichten ohne Netz")
        #expect(accepted.json["language"] as? String == "de")
        let english = await ask("GET", "texts", query: [("lang", "en")], languages: "de")
        #expect(english.json["language"] as? String == "en")
        #expect(code(await ask("GET", "texts", query: [("lang", "xx")])) == "bad-request")
    }

    // MARK: Events

    private func lines(_ stream: AsyncStream<[UInt8]>, count: Int) async -> [String] {
        var found: [String] = []
        for await piece in stream {
            found.append(String(decoding: piece, as: UTF8.self))
            if found.count == count { break }
        }
        return found
    }

    @Test(.proves("SVC-179"))
    func `a page gets the records of the view models as they are`() async throws {
        let device = DeviceDTO(
            id: UUID(), publicKey: Data(repeating: 1, count: 32), nodeName: "alice",
            lastConnected: Date(timeIntervalSince1970: 0))
        let saved = try await state.store.saveDevice(device)
        try await state.store.setActiveDevice(id: saved.id)
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: saved.id, publicKey: Data(repeating: 2, count: 32), name: "<b>bob</b>"))
        _ = try await state.store.saveMessages([
            MessageDTO(
                id: UUID(), deviceID: saved.id, contactID: contact, text: "<i>hello</i>", timestamp: 1_750_000_000,
                createdAt: Date(timeIntervalSince1970: 1_750_000_000), direction: .incoming, status: .delivered)
        ])
        try await state.initialize()
        let list = ChatListViewModel()
        list.configure(appState: state)
        await list.load()

        let answer = await ask("GET", "chats")

        let rows = try JSONSerialization.data(withJSONObject: answer.json["rows"] ?? [])
        #expect(try JSONDecoder().decode([ConversationRow].self, from: rows) == list.rows)
        #expect(list.rows.map(\.name) == ["<b>bob</b>"])
    }

    @Test(.proves("SVC-179"))
    func `a page that comes back gets every event after its number, in order, then those that come`() async {
        let broadcaster = state.messageEventBroadcaster
        for _ in 0..<3 { broadcaster.broadcast(.contactsChanged) }

        let stream = api.events(after: 1)
        broadcaster.broadcast(.conversationsChanged)
        let found = await lines(stream, count: 4)

        #expect(found[0] == ": events\n\n")
        #expect(found[1].hasPrefix("id: 2\ndata: {") && found[1].contains(#""kind":"contactsChanged""#))
        #expect(found[2].hasPrefix("id: 3\n"))
        #expect(found[3].hasPrefix("id: 4\n") && found[3].contains("conversationsChanged"))
    }

    @Test func `a page whose events are not kept any more is told to read everything`() async {
        let broadcaster = state.messageEventBroadcaster
        let count = 2 * MessageEventBroadcaster.defaultCapacity
        for _ in 0..<count { broadcaster.broadcast(.contactsChanged) }

        let old = await lines(api.events(after: 1), count: 3)
        let alien = await lines(api.events(after: 1 << 40), count: 2)

        let kept = count - MessageEventBroadcaster.defaultCapacity
        #expect(old[1] == "id: \(kept)\nevent: missed\ndata: {}\n\n" && old[2].hasPrefix("id: \(kept + 1)\n"))
        #expect(alien[1] == "id: \(count)\nevent: missed\ndata: {}\n\n")
    }

    @Test func `the app knows how many pages are open`() async {
        let stream = api.events(after: 0)
        #expect(state.clientCount == 1)
        let reading = Task { for await _ in stream {} }

        reading.cancel()
        await reading.value
        while state.clientCount > 0 { await Task.yield() }

        #expect(state.clientCount == 0)
    }

    // MARK: Codes

    @Test func `an address that is asked for comes with its code, the one of a channel once`() async throws {
        let device = try await state.store.saveDevice(
            DeviceDTO(
                id: UUID(), publicKey: Data(repeating: 1, count: 32), nodeName: "alice",
                lastConnected: Date(timeIntervalSince1970: 0)))
        try await state.store.setActiveDevice(id: device.id)
        let contact = try await state.store.saveContact(
            ContactDTO(deviceID: device.id, publicKey: Data(repeating: 2, count: 32), name: "<b>bob</b>"))
        let channel = try await state.store.saveChannel(
            ChannelDTO(deviceID: device.id, index: 1, name: "hikers", secret: Data(repeating: 3, count: 16)))
        try await state.initialize()

        let before = await ask("GET", "contacts/\(contact)")
        let exported = await ask("POST", "contacts/\(contact)/export")
        let shared = await ask("POST", "channels/\(try #require(channel).id)/share")
        let after = await ask("GET", "channels")

        #expect(before.json["code"] == nil && after.json["code"] == nil)
        for answer in [exported, shared] {
            let address = try #require(answer.json["uri"] as? String)
            #expect(address.hasPrefix("meshcore://") && answer.json["code"] as? String == address.codeDrawing)
            #expect(answer.json["code"] is String)
        }
    }

    // MARK: Settings

    @Test func `settings are changed first and saved then`() async {
        _ = await ask("POST", "settings/set", #"{"field":"sound","value":"false"}"#)
        let changed = await ask("GET", "settings")
        let saved = await ask("POST", "settings/save", #"{"section":"notifications"}"#)

        func sections(_ answer: (status: Int, json: [String: Any])) -> [[String: Any]] {
            answer.json["sections"] as? [[String: Any]] ?? []
        }
        func notifications(_ answer: (status: Int, json: [String: Any])) -> [String: Any] {
            sections(answer).first { $0["id"] as? String == "notifications" } ?? [:]
        }
        #expect(notifications(changed)["hasChanges"] as? Bool == true)
        #expect(notifications(saved)["hasChanges"] as? Bool == false)
        let fields = notifications(saved)["fields"] as? [[String: Any]] ?? []
        #expect(fields.first { $0["id"] as? String == "sound" }?["value"] as? String == "false")
        #expect(sections(saved).first?["id"] as? String == "noDevice")
    }
}
