import MeshFiles
import MeshHTTP
import PocketMeshUI

// Settings: fields are changed first and saved then, section by section.
extension AppAPI {
    nonisolated static let settingsRoutes: [WebRoute<AppAPI>] = [
        WebRoute("GET", "/settings") { api, _ in try await api.withSettings { await $0.load() } },
        WebRoute("POST", "/settings/advanced") { api, call in
            _ = try call.fields()
            return try await api.withSettings { await $0.loadAdvanced() }
        },
        WebRoute("POST", "/settings/set") { api, call in
            let fields = try call.fields("field", "value")
            let (field, value) = (try fields.needString("field"), try fields.needString("value"))
            return try await api.withSettings { $0.set(field, to: value) }
        },
        WebRoute("POST", "/settings/save") { api, call in
            let section = try AppAPI.section(call)
            return try await api.withSettings { await $0.save(section) }
        },
        WebRoute("POST", "/settings/discard") { api, call in
            let section = try AppAPI.section(call)
            return try await api.withSettings { $0.discard(section) }
        },
        WebRoute("POST", "/settings/perform") { api, call in
            let fields = try call.fields("action", "confirmation")
            let (action, word) = (try fields.needString("action"), try fields.string("confirmation") ?? "")
            return try await api.withSettings { await $0.perform(action, confirmation: word) }
        },
    ]

    private nonisolated static func section(_ call: WebCall) throws -> SettingsSectionID {
        let fields = try call.fields("section")
        guard let section = SettingsSectionID(rawValue: try fields.needString("section")) else {
            throw fields.problem("section", "is no section of the settings")
        }
        return section
    }

    private struct SettingsRecord: Encodable {
        let sections: [SettingsSection]
        let isWorking: Bool
        let feedback: String?
    }

    private func withSettings(_ body: @MainActor (SettingsViewModel) async -> Void) async throws -> WebAnswer {
        await body(settings)
        return try told(
            settings,
            SettingsRecord(sections: settings.sections, isWorking: settings.isWorking, feedback: settings.feedback))
    }
}
