import FoundationEssentials
import MeshFiles
import MeshHTTP
import PocketMeshUI

// Contacts, the nodes that were heard, paths, and the map.
extension AppAPI {
    nonisolated static let contactRoutes: [WebRoute<AppAPI>] = lists + oneContact + pathRoutes + mapRoutes

    private nonisolated static let lists: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/contacts") { api, _ in try await api.withContacts { await $0.load() } },
        WebRoute("POST", "/contacts/filter") { api, call in
            let fields = try call.fields("filter")
            guard let filter = ContactFilter(rawValue: try fields.needString("filter")) else {
                throw fields.problem("filter", "is no filter of contacts")
            }
            return try await api.withContacts { await $0.setFilter(filter) }
        },
        WebRoute("POST", "/contacts/search") { api, call in
            let text = try call.fields("text").needString("text")
            return try await api.withContacts { await $0.search(text) }
        },
        WebRoute("POST", "/contacts/sync") { api, call in
            _ = try call.fields()
            return try await api.withContacts { await $0.sync() }
        },
        WebRoute("POST", "/contacts/advert") { api, call in
            let flood = try call.fields("flood").bool("flood") ?? false
            return try await api.withContacts { await $0.sendAdvert(flood: flood) }
        },
        WebRoute("POST", "/contacts/import") { api, call in
            let uri = try call.fields("uri").needString("uri")
            return try await api.withContacts { await $0.importContact(uri) }
        },
        WebRoute("POST", "/contacts/export") { api, call in
            _ = try call.fields()
            return try await api.withContacts { await $0.export() }
        },
        WebRoute("POST", "/contacts/discover") { api, call in
            _ = try call.fields()
            return try await api.withContacts { await $0.requestDiscovery() }
        },
    ]

    private nonisolated static let oneContact: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/contacts/{id}") { api, call in
            let id = try await api.id(call)
            return try await api.withContact(id) { _ in }
        },
        WebRoute("POST", "/contacts/{id}/favorite") { api, call in
            let (id, isOn) = (try await api.id(call), try call.fields("isOn").bool("isOn") ?? true)
            return try await api.withContact(id) { await $0.setFavorite(id, isOn) }
        },
        WebRoute("POST", "/contacts/{id}/blocked") { api, call in
            let (id, isOn) = (try await api.id(call), try call.fields("isOn").bool("isOn") ?? true)
            return try await api.withContact(id) { await $0.setBlocked(id, isOn) }
        },
        WebRoute("POST", "/contacts/{id}/nickname") { api, call in
            let (id, text) = (try await api.id(call), try call.fields("text").needString("text"))
            return try await api.withContact(id) { await $0.setNickname(id, text) }
        },
        WebRoute("POST", "/contacts/{id}/delete") { api, call in
            let deletes = try call.fields("deletesMessages").bool("deletesMessages") ?? false
            let id = try await api.id(call)
            return try await api.withContacts { await $0.delete(id, deletingMessages: deletes) }
        },
        WebRoute("POST", "/contacts/{id}/add") { api, call in
            let id = try await api.id(call)
            return try await api.withContacts { await $0.addDiscovered(id) }
        },
        WebRoute("POST", "/contacts/{id}/restore") { api, call in
            let id = try await api.id(call)
            return try await api.withContact(id) { await $0.restore(id) }
        },
        WebRoute("POST", "/contacts/{id}/share") { api, call in
            let id = try await api.id(call)
            return try await api.withContact(id) { await $0.share(id) }
        },
        WebRoute("POST", "/contacts/{id}/export") { api, call in
            let id = try await api.id(call)
            return try await api.withContact(id) { await $0.export(id) }
        },
    ]

    private struct ContactsRecord: Encodable {
        struct Filter: Encodable {
            let filter: ContactFilter
            let label: String
        }

        let contacts: [ContactRow]
        let discovered: [ContactRow]
        let detail: ContactDetail?
        let filter: ContactFilter
        let filters: [Filter]
        let searchText: String
        let isSyncing: Bool
        let uri: String?
        /// The address as a picture, in SVG.
        let code: String?
        let feedback: String?
    }

    private func withContacts(_ body: @MainActor (ContactsViewModel) async -> Void) async throws -> WebAnswer {
        await body(contacts)
        return try tellContacts(isWhole: true)
    }

    /// Answers with the details of one contact, without the lists.
    private func withContact(
        _ id: UUID, _ body: @MainActor (ContactsViewModel) async -> Void
    ) async throws -> WebAnswer {
        await contacts.show(id)
        guard contacts.detail != nil || contacts.error != nil else {
            throw WebRefusal(.notFound, "there is no such contact")
        }
        await body(contacts)
        return try tellContacts(isWhole: false)
    }

    private func tellContacts(isWhole: Bool) throws -> WebAnswer {
        try told(
            contacts,
            ContactsRecord(
                contacts: isWhole ? contacts.contacts : [], discovered: isWhole ? contacts.discovered : [],
                detail: contacts.detail, filter: contacts.filter,
                filters: ContactFilter.allCases.map { ContactsRecord.Filter(filter: $0, label: $0.label) },
                searchText: contacts.searchText, isSyncing: contacts.isSyncing, uri: contacts.exportedURI,
                code: contacts.exportedURI?.codeDrawing, feedback: contacts.feedback))
    }

    // MARK: Paths

    private nonisolated static let pathRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/contacts/{id}/path") { api, call in try await api.withPath(call) { _ in } },
        WebRoute("POST", "/contacts/{id}/path/discover") { api, call in
            // It takes half a minute where nobody answers, for which no request is held.
            try await api.withPath(call) { $0.beginDiscovery() }
        },
        WebRoute("POST", "/contacts/{id}/path/edit") { api, call in
            let isOn = try call.fields("isOn").bool("isOn") ?? true
            return try await api.withPath(call) { if isOn { $0.beginEditing() } else { $0.cancelEditing() } }
        },
        WebRoute("POST", "/contacts/{id}/path/add") { api, call in
            let key = try call.fields("key").needString("key")
            return try await api.withPath(call) { $0.addHop(key) }
        },
        WebRoute("POST", "/contacts/{id}/path/remove") { api, call in
            let index = try call.fields("index").integer("index", in: 0...63) ?? 0
            return try await api.withPath(call) { $0.removeHop(at: index) }
        },
        WebRoute("POST", "/contacts/{id}/path/move") { api, call in
            let fields = try call.fields("from", "to")
            let (from, to) = (try fields.integer("from", in: 0...63) ?? 0, try fields.integer("to", in: 0...63) ?? 0)
            return try await api.withPath(call) { $0.moveHop(from: from, to: to) }
        },
        WebRoute("POST", "/contacts/{id}/path/save") { api, call in
            try await api.withPath(call) { await $0.save() }
        },
        WebRoute("POST", "/contacts/{id}/path/reset") { api, call in
            try await api.withPath(call) { await $0.reset() }
        },
        WebRoute("POST", "/contacts/{id}/path/trace") { api, call in
            try await api.withPath(call) { await $0.traceRoute() }
        },
    ]

    private struct PathRecord: Encodable {
        let name: String
        let hops: [PathHop]
        let isFlood: Bool
        let editedHops: [PathHop]?
        let relays: [ContactRow]
        let isDiscovering: Bool
        let secondsLeft: Int
        let result: String?
        let trace: [String]
    }

    private func withPath(
        _ call: WebCall, _ body: @MainActor (PathManagementViewModel) async -> Void
    ) async throws -> WebAnswer {
        let id = try id(call)
        let (model, isNew) = paths.model(id)
        if isNew { await model.open(contactID: id) }
        guard let contact = model.contact else {
            paths.remove(id)
            throw WebRefusal(.notFound, "there is no such contact")
        }
        await body(model)
        return try told(
            model,
            PathRecord(
                name: contact.displayName, hops: model.hops, isFlood: model.isFlood, editedHops: model.editedHops,
                relays: model.relays, isDiscovering: model.isDiscovering, secondsLeft: model.secondsLeft,
                result: model.result?.text, trace: model.trace))
    }

    // MARK: Map

    private nonisolated static let mapRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/map") { api, _ in
            await api.map.load()
            return try await api.tellMap()
        },
        WebRoute("POST", "/map/kinds") { api, call in
            let fields = try call.fields("kinds")
            let names = try fields.needString("kinds").split(separator: ",").map(String.init)
            let kinds = names.compactMap(NodeKind.init)
            guard kinds.count == names.count else { throw fields.problem("kinds", "has an unknown kind") }
            await api.map.setKinds(Set(kinds))
            return try await api.tellMap()
        },
        WebRoute("POST", "/map/own") { api, call in
            let place = try AppAPI.place(try call.fields("latitude", "longitude"))
            await api.map.setOwnPosition(latitude: place.latitude, longitude: place.longitude)
            return try await api.tellMap()
        },
        WebRoute("POST", "/map/contacts/{id}") { api, call in
            let place = try AppAPI.place(try call.fields("latitude", "longitude"))
            await api.map.setPosition(of: try await api.id(call), latitude: place.latitude, longitude: place.longitude)
            return try await api.tellMap()
        },
        WebRoute("GET", "/map/geojson") { api, _ in
            await api.map.load()
            return WebAnswer(type: "application/geo+json", body: .whole(Array(try await api.map.geoJSON())))
        },
    ]

    /// The two members of a body that are a place; the view model says whether it is one.
    nonisolated static func place(_ fields: JSONFields) throws -> (latitude: Double, longitude: Double) {
        let any = -Double.infinity...Double.infinity
        guard let latitude = try fields.number("latitude", in: any) else { throw fields.missing("latitude") }
        guard let longitude = try fields.number("longitude", in: any) else { throw fields.missing("longitude") }
        return (latitude, longitude)
    }

    private struct MapRecord: Encodable {
        let markers: [MapMarker]
        let unplaced: [UnplacedContact]
        let own: MapMarker?
        let bounds: MapBounds?
        let kinds: [NodeKind]
    }

    private func tellMap() throws -> WebAnswer {
        try told(
            map,
            MapRecord(
                markers: map.markers, unplaced: map.unplaced, own: map.ownPosition, bounds: map.bounds,
                kinds: NodeKind.allCases.filter(map.kinds.contains)))
    }
}
