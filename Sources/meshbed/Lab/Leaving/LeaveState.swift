import FoundationEssentials
import MeshCrypto
import MeshFirmware
import MeshScenarios
import MeshWire
import PocketMeshServices

/// What a radio has, or what an app believes its radio to have, in words that can be compared.
struct LeaveState: Hashable, Sendable {
    /// The contacts, key and name of each, sorted.
    var contacts: [String] = []
    /// The channels by slot, name and secret of each.
    var channels: [String] = []
    /// The texts of messages that came, in any order; empty for a radio.
    var texts: [String] = []
    /// Those of them whose sender the radio had dropped before the app learned of it: no conversation counts them.
    var orphans = 0
    /// Messages that are counted as unread.
    var unread = 0
    /// Messages that wait for an app.
    var queue = 0
    /// Problems that the store finds in itself.
    var problems: [String] = []

    init() {}

    /// The state of a radio.
    init(_ radio: CompanionRadio) {
        contacts = radio.contacts.listed.map { "\($0.publicKey.array.hex) \($0.displayName.string)" }.sorted()
        channels = radio.channels.slots.enumerated().filter { !$0.element.isUnused }.map { index, channel in
            "\(index) \(channel.name.text.string) \(channel.secret.prefix(16).hex)"
        }
        queue = radio.offlineQueue.count
    }

    /// The state of an app's store. The senders are all who were contacts of the radio at any time.
    init(_ app: StackApp, senders: [PublicKey]) async throws {
        let store = await app.store
        guard let device = await app.manager.lastConnectedDeviceID else { return }
        let known = try await store.fetchContacts(deviceID: device)
        contacts = known.filter(\.onRadio).map { "\($0.publicKey.hex) \($0.name)" }.sorted()
        let slots = try await store.fetchChannels(deviceID: device)
        channels = slots.sorted { $0.index < $1.index }.map { "\($0.index) \($0.name) \($0.secret.hex)" }
        var rows: [MessageDTO] = []
        for contact in known where contact.lastMessageDate != nil {
            rows += try await store.fetchMessages(deviceID: device, thread: .contact(contact.id), limit: .max)
        }
        for channel in slots {
            rows += try await store.fetchMessages(deviceID: device, thread: .channel(channel.id), limit: .max)
        }
        let keys = Set(known.map(\.publicKey))
        for sender in senders.map({ Data($0.array) }) where !keys.contains(sender) {
            let thread = MessageThread.unknownSender(sender.prefix(6))
            let strays = try await store.fetchMessages(deviceID: device, thread: thread, limit: .max)
            orphans += strays.count
            rows += strays
        }
        texts = rows.filter { $0.direction == .incoming }.map(\.text)
        unread = known.reduce(0) { $0 + $1.unreadCount } + slots.reduce(0) { $0 + $1.unreadCount }
        problems = try await store.integrityProblems()
    }

    // MARK: Comparing

    /// The differences of a store from this radio, a sentence each.
    func differences(to stored: LeaveState) -> [String] {
        stored.problems + Self.difference("contacts", contacts, stored.contacts)
            + Self.difference("channels", channels, stored.channels)
    }

    private static func difference(_ what: String, _ radio: [String], _ store: [String]) -> [String] {
        guard radio != store else { return [] }
        let (held, kept) = (Set(radio), Set(store))
        let missing = radio.filter { !kept.contains($0) }
        let excess = store.filter { !held.contains($0) }
        let doubled = store.count - kept.count
        let parts = [("missing", missing), ("not on the radio", excess)].filter { !$0.1.isEmpty }
            .map { "\($0.1.count) \($0.0), the first \($0.1[0])" }
        let words = doubled > 0 ? parts + ["\(doubled) doubled"] : parts
        return ["\(what) of store and radio differ: " + words.joined(separator: "; ")]
    }

    /// The faults of the stored messages, of which so many were there and so many may be missing.
    func faults(ofMessages count: Int, forgotten: Int) -> [String] {
        var counts = [Int](repeating: 0, count: count)
        var faults: [String] = []
        for text in texts {
            let number = text.split(separator: ":").first.flatMap { Int($0) }
            if let number, counts.indices.contains(number) {
                counts[number] += 1
            } else {
                faults.append("\"\(text)\" is stored and was never there")
            }
        }
        for number in counts.indices where counts[number] > 1 {
            faults.append("message \(number) is stored \(counts[number]) times")
        }
        let missing = counts.indices.filter { counts[$0] == 0 }
        if missing.count > forgotten {
            faults.append("\(missing.count) messages are missing, \(forgotten) may be; the first is \(missing[0])")
        }
        let owned = texts.count - orphans
        if unread != owned { faults.append("\(unread) messages are counted as unread, \(owned) are") }
        return faults
    }
}
