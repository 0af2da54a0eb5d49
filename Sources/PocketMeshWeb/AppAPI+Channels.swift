import MeshFiles
import MeshHTTP
import PocketMeshUI

// Channels: the five ways to one, and what is done with one.
extension AppAPI {
    nonisolated static let channelRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/channels") { api, _ in
            await api.channels.load()
            return try await api.tellChannels()
        },
        WebRoute("POST", "/channels/create") { api, call in
            let fields = try call.fields("name", "passphrase")
            let (name, phrase) = (try fields.needString("name"), try fields.string("passphrase") ?? "")
            return try await api.withChannels { await $0.createPrivate(name: name, passphrase: phrase) }
        },
        WebRoute("POST", "/channels/join") { api, call in
            let fields = try call.fields("name", "secret")
            let (name, secret) = (try fields.needString("name"), try fields.needString("secret"))
            return try await api.withChannels { await $0.joinPrivate(name: name, secretHex: secret) }
        },
        WebRoute("POST", "/channels/join-public") { api, call in
            _ = try call.fields()
            return try await api.withChannels { await $0.joinPublic() }
        },
        WebRoute("POST", "/channels/join-hashtag") { api, call in
            let word = try call.fields("word").needString("word")
            return try await api.withChannels { await $0.joinHashtag(word) }
        },
        WebRoute("POST", "/channels/join-uri") { api, call in
            let uri = try call.fields("uri").needString("uri")
            return try await api.withChannels { await $0.join(uri: uri) }
        },
        WebRoute("POST", "/channels/{id}/share") { api, call in
            _ = try call.fields()
            let id = try await api.id(call)
            return try await api.withChannels { await $0.share(id) }
        },
        WebRoute("POST", "/channels/{id}/leave") { api, call in
            let deletes = try call.fields("deletesMessages").bool("deletesMessages") ?? false
            let id = try await api.id(call)
            return try await api.withChannels { await $0.leave(id, deletingMessages: deletes) }
        },
        WebRoute("POST", "/channels/{id}/enabled") { api, call in
            let isOn = try call.fields("isOn").bool("isOn") ?? true
            let id = try await api.id(call)
            return try await api.withChannels { await $0.setEnabled(id, isOn) }
        },
        WebRoute("POST", "/channels/{id}/region") { api, call in
            let region = try call.fields("region").string("region") ?? ""
            let id = try await api.id(call)
            return try await api.withChannels { await $0.setRegion(id, region) }
        },
    ]

    private struct ChannelsRecord: Encodable {
        struct Option: Encodable {
            let option: ChannelOption
            let label: String
        }

        let channels: [ChannelRow]
        let options: [Option]
        let freeSlots: Int
        /// The address with the channel's secret; present once, in the answer to a request for it.
        let uri: String?
        /// The address as a picture, in SVG.
        let code: String?
        let secret: String?
    }

    private func withChannels(_ body: @MainActor (ChannelsViewModel) async -> Void) async throws -> WebAnswer {
        if channels.channels.isEmpty { await channels.load() }
        await body(channels)
        return try tellChannels()
    }

    private func tellChannels() throws -> WebAnswer {
        defer { channels.forgetSecrets() }
        return try told(
            channels,
            ChannelsRecord(
                channels: channels.channels,
                options: channels.options.map { ChannelsRecord.Option(option: $0, label: $0.label) },
                freeSlots: channels.freeSlots, uri: channels.exportedURI,
                code: channels.exportedURI?.codeDrawing, secret: channels.createdSecret))
    }
}
