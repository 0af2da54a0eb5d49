import FoundationEssentials
import MeshFiles
import MeshHTTP
import PocketMeshUI

// Rooms, and repeaters and rooms as their administrators see them. Both are named by a contact, or by their session.
extension AppAPI {
    nonisolated static let nodeRoutes: [WebRoute<AppAPI>] = roomRoutes + repeaterRoutes

    private nonisolated static let roomRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/rooms/{id}") { api, call in try await api.withRoom(call) { await $0.load() } },
        WebRoute("POST", "/rooms/{id}/read") { api, call in try await api.withRoom(call) { await $0.markRead() } },
        WebRoute("POST", "/rooms/{id}/older") { api, call in try await api.withRoom(call) { await $0.loadOlder() }
        },
        WebRoute("POST", "/rooms/{id}/join") { api, call in
            let (password, remembers) = try AppAPI.password(call)
            return try await api.withRoom(call) { await $0.join(password: password, rememberPassword: remembers) }
        },
        WebRoute("POST", "/rooms/{id}/post") { api, call in
            let text = try call.fields("text").needString("text")
            return try await api.withRoom(call) { model in
                model.draft = text
                return await model.post()
            }
        },
        WebRoute("POST", "/rooms/{id}/leave") { api, call in
            let model = try await api.room(call)
            await model.leave()
            return try await api.told(model, [String: String]())
        },
        WebRoute("POST", "/rooms/{id}/close") { api, call in try await api.closeRoom(call) },
    ]

    private nonisolated static func password(_ call: WebCall) throws -> (String?, Bool) {
        let fields = try call.fields("password", "remembers")
        return (try fields.string("password"), try fields.bool("remembers") ?? true)
    }

    private struct RoomRecord: Encodable {
        let id: UUID?
        let name: String
        let posts: [RoomMessageBubble]
        let hasOlder: Bool
        let login: LoginPresentation
        let isConnected: Bool
        let canPost: Bool
        let counter: ByteCounter
        let draft: String
        let unsyncedCount: Int?
        let isTaken: Bool
    }

    private func room(_ call: WebCall) async throws -> RoomConversationViewModel {
        let id = try id(call)
        let (model, isNew) = rooms.model(id)
        guard isNew || model.name.isEmpty else { return model }
        if try await state.store.fetchRemoteNodeSession(id: id) != nil {
            await model.open(sessionID: id)
        } else {
            await model.open(contactID: id)
        }
        // The page has closed meanwhile: nobody has seen what was kept for it, and nobody looks at the room.
        guard rooms.shown(id) === model else {
            model.close()
            try await keepDraft(model.draft, ofRoom: id)
            throw WebRefusal(.notFound, "the page of the room was closed before it was read")
        }
        guard !model.name.isEmpty else {
            rooms.remove(id)
            throw WebRefusal(.notFound, "there is no such room")
        }
        return model
    }

    private func closeRoom(_ call: WebCall) async throws -> WebAnswer {
        let id = try id(call)
        // A page that says nothing was closed before it was answered: what it was to be given stays.
        let draft = try call.fields("draft").string("draft") ?? rooms.shown(id)?.draft ?? ""
        try await keepDraft(draft, ofRoom: id)
        rooms.remove(id)
        return try done()
    }

    private func keepDraft(_ draft: String, ofRoom id: UUID) async throws {
        guard !draft.isEmpty, let session = try await roomSession(id) else { return }
        state.notificationService.saveDraft(draft, for: session)
    }

    /// Returns the session of a room without opening it, which would count its posts as read.
    private func roomSession(_ id: UUID) async throws -> UUID? {
        if try await state.store.fetchRemoteNodeSession(id: id) != nil { return id }
        guard let contact = try await state.store.fetchContact(id: id) else { return nil }
        let session = StableIdentifier.session(deviceID: contact.deviceID, publicKey: contact.publicKey)
        return try await state.store.fetchRemoteNodeSession(id: session)?.id
    }

    private func withRoom(
        _ call: WebCall, _ body: @MainActor (RoomConversationViewModel) async -> Void
    ) async throws -> WebAnswer {
        let model = try await room(call)
        await body(model)
        return try tell(model, isTaken: true)
    }

    private func withRoom(
        _ call: WebCall, _ body: @MainActor (RoomConversationViewModel) async -> Bool
    ) async throws -> WebAnswer {
        let model = try await room(call)
        let isTaken = await body(model)
        return try tell(model, isTaken: isTaken)
    }

    private func tell(_ model: RoomConversationViewModel, isTaken: Bool) throws -> WebAnswer {
        try told(
            model,
            RoomRecord(
                id: model.session?.id, name: model.name, posts: model.posts, hasOlder: model.hasOlder,
                login: model.login, isConnected: model.isConnected, canPost: model.canPost, counter: model.counter,
                draft: model.draft, unsyncedCount: model.unsyncedCount, isTaken: isTaken))
    }

    // MARK: Repeaters

    private nonisolated static let repeaterRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/repeaters/{id}") { api, call in try await api.withNode(call) { await $0.load() } },
        WebRoute("POST", "/repeaters/{id}/login") { api, call in
            let (password, remembers) = try AppAPI.password(call)
            return try await api.withNode(call) { await $0.logIn(password: password, rememberPassword: remembers) }
        },
        WebRoute("POST", "/repeaters/{id}/logout") { api, call in
            try await api.withNode(call) { await $0.logOut() }
        },
        WebRoute("POST", "/repeaters/{id}/status") { api, call in
            try await api.withNode(call) { await $0.refreshStatus() }
        },
        WebRoute("POST", "/repeaters/{id}/neighbours") { api, call in
            try await api.withNode(call) { await $0.refreshNeighbours() }
        },
        WebRoute("POST", "/repeaters/{id}/telemetry") { api, call in
            try await api.withNode(call) { await $0.refreshTelemetry() }
        },
        WebRoute("POST", "/repeaters/{id}/access") { api, call in
            try await api.withNode(call) { await $0.refreshAccessList() }
        },
        WebRoute("POST", "/repeaters/{id}/command") { api, call in
            let line = try call.fields("line").needString("line")
            return try await api.withNode(call) { await $0.sendCommand(line) }
        },
        WebRoute("POST", "/repeaters/{id}/action") { api, call in
            let fields = try call.fields("action")
            guard let action = RepeaterAction(rawValue: try fields.needString("action")) else {
                throw fields.problem("action", "is no action of repeaters")
            }
            return try await api.withNode(call) { await $0.perform(action) }
        },
        WebRoute("POST", "/repeaters/{id}/settings") { api, call in
            try await api.withNode(call) { await $0.refreshSettings() }
        },
        WebRoute("POST", "/repeaters/{id}/save") { api, call in
            let form = try AppAPI.repeaterForm(call)
            return try await api.withNode(call) { await $0.save(form) }
        },
        WebRoute("POST", "/repeaters/{id}/role") { api, call in
            let fields = try call.fields("key", "role")
            guard let role = NodeAccessRole(rawValue: try fields.integer("role", in: 0...3) ?? 4) else {
                throw fields.missing("role")
            }
            let key = try fields.needString("key")
            return try await api.withNode(call) { await $0.setRole(role, ofKey: key) }
        },
        WebRoute("POST", "/repeaters/{id}/password") { api, call in
            let password = try call.fields("password").needString("password")
            return try await api.withNode(call) { await $0.setPassword(password) }
        },
        WebRoute("POST", "/repeaters/{id}/close") { api, call in
            await api.closeNode(try await api.id(call))
            return try await api.done()
        },
    ]

    private nonisolated static func repeaterForm(_ call: WebCall) throws -> RepeaterForm {
        let fields = try call.fields(
            "name", "latitude", "longitude", "megahertz", "kilohertz", "spreadingFactor", "codingRate",
            "guestPassword")
        func number(_ key: String, in range: ClosedRange<Double>) throws -> Double {
            guard let number = try fields.number(key, in: range) else { throw fields.missing(key) }
            return number
        }
        func factor(_ key: String, in range: ClosedRange<UInt8>) throws -> UInt8 {
            guard let number = try fields.integer(key, in: range) else { throw fields.missing(key) }
            return number
        }
        func thousands(_ key: String, in range: ClosedRange<UInt32>) throws -> Double {
            try number(key, in: Double(range.lowerBound) / 1000...Double(range.upperBound) / 1000)
        }
        let ranges = RadioRanges.firmware(maxPower: 0)
        return RepeaterForm(
            name: try fields.needString("name"), latitude: try number("latitude", in: GeoPoint.latitudes),
            longitude: try number("longitude", in: GeoPoint.longitudes),
            megahertz: try thousands("megahertz", in: ranges.frequencyKHz),
            kilohertz: try thousands("kilohertz", in: RadioRanges.bandwidthHz),
            spreadingFactor: try factor("spreadingFactor", in: ranges.spreadingFactor),
            codingRate: try factor("codingRate", in: ranges.codingRate),
            guestPassword: try fields.string("guestPassword") ?? "")
    }

    private struct NodeRecord: Encodable {
        struct Role: Encodable {
            let role: NodeAccessRole
            let label: String
        }

        struct Action: Encodable {
            let action: RepeaterAction
            let label: String
        }

        let name: String
        let login: LoginPresentation
        let isConnected: Bool
        let isAdmin: Bool
        let isBusy: Bool
        let clock: String?
        let status: [MessageDetails.Row]
        let neighbours: [NeighbourRow]
        let telemetry: [MessageDetails.Row]
        let accessList: [AccessRow]
        let candidates: [AccessCandidate]
        let roles: [Role]
        let settings: RepeaterForm?
        let console: [ConsoleLine]
        let actions: [Action]
    }

    private func withNode(
        _ call: WebCall, _ body: @MainActor (RepeaterStatusViewModel) async -> Void
    ) async throws -> WebAnswer {
        let id = try id(call)
        let (model, isNew) = nodes.model(id)
        if isNew || model.name.isEmpty {
            if try await state.store.fetchRemoteNodeSession(id: id) != nil {
                await model.open(sessionID: id)
            } else {
                await model.open(contactID: id)
            }
        }
        guard !model.name.isEmpty else {
            nodes.remove(id)
            throw WebRefusal(.notFound, "there is no such node")
        }
        await body(model)
        return try told(
            model,
            NodeRecord(
                name: model.name, login: model.login, isConnected: model.isConnected, isAdmin: model.isAdmin,
                isBusy: model.isBusy, clock: model.clock, status: model.status, neighbours: model.neighbours,
                telemetry: model.telemetry,
                accessList: model.accessList, candidates: model.candidates,
                roles: NodeAccessRole.allCases.map { NodeRecord.Role(role: $0, label: $0.label) },
                settings: model.settings, console: model.console,
                actions: RepeaterAction.allCases.map { NodeRecord.Action(action: $0, label: $0.label) }))
    }

    private func closeNode(_ id: UUID) { nodes.remove(id) }
}
