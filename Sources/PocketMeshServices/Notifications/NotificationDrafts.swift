import FoundationEssentials
import MeshFiles

/// Replies that were not sent, by contact, the oldest first; kept in the settings over restarts.
struct NotificationDrafts: Sendable {
    private struct Draft: Codable, Sendable {
        var contactID: UUID
        var text: String
    }

    private static let key = "notifications.drafts"
    /// The greatest number of drafts; the oldest go first.
    private static let capacity = 100

    private var drafts: [Draft] = []

    mutating func save(_ text: String, for contactID: UUID) {
        _ = take(for: contactID)
        if drafts.count == Self.capacity { drafts.removeFirst() }
        drafts.append(Draft(contactID: contactID, text: text))
    }

    mutating func take(for contactID: UUID) -> String? {
        guard let index = drafts.firstIndex(where: { $0.contactID == contactID }) else { return nil }
        return drafts.remove(at: index).text
    }

    /// Returns the stored drafts; none where they cannot be read.
    static func stored(in settings: any SettingsStore) async -> NotificationDrafts {
        var stored = NotificationDrafts()
        if let json = try? await settings.setting(forKey: key) {
            stored.drafts = (try? [Draft](json: [UInt8](json.utf8))) ?? []
        }
        return stored
    }

    /// Puts earlier drafts before these; of a contact with both, the new one stays.
    mutating func insert(_ earlier: NotificationDrafts) {
        let known = Set(drafts.map(\.contactID))
        drafts = (earlier.drafts.filter { !known.contains($0.contactID) } + drafts).suffix(Self.capacity)
    }

    /// Stores all drafts; those that cannot be stored stay until the end of the process.
    func keep(in settings: any SettingsStore) async {
        guard let json = try? JSONEncoder().encode(drafts) else { return }
        try? await settings.setSetting(drafts.isEmpty ? nil : String(decoding: json, as: UTF8.self), forKey: Self.key)
    }
}
