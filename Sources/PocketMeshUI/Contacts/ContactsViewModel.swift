public import FoundationEssentials
import MeshPacket
public import Observation
import PocketMeshServices

/// The contacts: listed, searched, changed, exported and imported; and the nodes that were heard and are none.
@MainActor @Observable
public final class ContactsViewModel: ViewModel {
    /// The list, as filter and search leave it.
    public private(set) var contacts: [ContactRow] = []
    /// Nodes that were heard and are no contacts.
    public private(set) var discovered: [ContactRow] = []
    /// The contact whose fields are shown.
    public private(set) var detail: ContactDetail?
    /// The kinds of contacts that are listed.
    public private(set) var filter = ContactFilter.all
    /// The text of the search, in names and at the beginning of keys.
    public private(set) var searchText = ""
    /// True while the list is being read.
    public private(set) var isLoading = false
    /// True while the radio's table is being read.
    public private(set) var isSyncing = false
    /// The address of the contact that was exported last, for a code or a message.
    public private(set) var exportedURI: String?
    /// The result of a button, for its user.
    public private(set) var feedback: String?
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private var detailID: UUID?

    public init() {}

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .contactsChanged, .connectionChanged, .routingChanged: self?.refresh()
            default: break
            }
        }
    }

    private func refresh() { reloader.ask { [weak self] in await self?.load() } }

    /// Reads the lists.
    public func load() async {
        guard let appState else { return }
        isLoading = true
        defer { isLoading = false }
        await read {
            guard let deviceID = appState.deviceID else {
                (contacts, discovered, detail) = ([], [], nil)
                return
            }
            let store = appState.store
            let found =
                searchText.isEmpty
                ? try await store.fetchContacts(deviceID: deviceID)
                : try await store.searchContacts(deviceID: deviceID, for: searchText, limit: 4096)
            contacts = found.filter { !$0.isDiscovered && filter.includes($0) }.sorted(by: Self.isBefore)
                .map { ContactRow($0, style: appState.style) }
            discovered = try await store.fetchDiscoveredContacts(deviceID: deviceID)
                .map { ContactRow($0, style: appState.style) }
            if let detailID {
                detail = try await store.fetchContact(id: detailID).map { ContactDetail($0, style: appState.style) }
            }
        }
    }

    private static func isBefore(_ a: ContactDTO, _ b: ContactDTO) -> Bool {
        if a.isFavorite != b.isFavorite { return a.isFavorite }
        let (first, second) = (a.displayName.lowercased(), b.displayName.lowercased())
        return first == second ? a.id.uuidString < b.id.uuidString : first < second
    }

    /// Lists other kinds.
    public func setFilter(_ filter: ContactFilter) async {
        self.filter = filter
        await load()
    }

    /// Lists the contacts whose name holds a text, or whose key begins with it; all for an empty one.
    public func search(_ text: String) async {
        searchText = text
        await load()
    }

    /// Reads the radio's table.
    public func sync() async {
        guard let appState, !isSyncing else { return }
        isSyncing = true
        defer { isSyncing = false }
        await attempt { try await appState.syncContacts() }
        await load()
    }

    /// Shows a contact's fields.
    public func show(_ id: UUID?) async {
        (detailID, detail, exportedURI) = (id, nil, nil)
        await load()
    }

    // MARK: One contact

    private func change(
        _ id: UUID, _ body: (AppState, ContactDTO) async throws -> Void
    ) async {
        guard let appState else { return }
        await attempt {
            guard let contact = try await appState.store.fetchContact(id: id) else {
                throw StackError(.contacts, .contactNotFound)
            }
            try await body(appState, contact)
            appState.contactsVersion += 1
            appState.messageEventBroadcaster.broadcast(.contactsChanged)
            appState.messageEventBroadcaster.broadcast(.conversationsChanged)
        }
        await load()
    }

    private func setPreferences(
        _ id: UUID, _ apply: (inout ContactDTO) -> Void
    ) async {
        await change(id) { appState, contact in
            var changed = contact
            apply(&changed)
            if let services = appState.services {
                try await services.contactService.updateContactPreferences(
                    id: id, nickname: changed.nickname, isBlocked: changed.isBlocked, isFavorite: changed.isFavorite)
            } else {
                try await appState.store.updateContactPreferences(
                    id: id, nickname: changed.nickname, isBlocked: changed.isBlocked, isFavorite: changed.isFavorite)
            }
        }
    }

    /// Keeps a contact on top, or not.
    public func setFavorite(_ id: UUID, _ isFavorite: Bool) async {
        await setPreferences(id) { $0.isFavorite = isFavorite }
    }

    /// Blocks a contact, so that nothing of it is shown or notified, or unblocks it.
    public func setBlocked(_ id: UUID, _ isBlocked: Bool) async {
        await setPreferences(id) { $0.isBlocked = isBlocked }
    }

    /// Gives a contact a name of the user's; an empty one removes it.
    public func setNickname(_ id: UUID, _ nickname: String) async {
        await setPreferences(id) { $0.nickname = nickname.isEmpty ? nil : nickname }
    }

    /// Deletes a contact on the radio and here.
    public func delete(_ id: UUID, deletingMessages: Bool = false) async {
        if detailID == id { (detailID, detail) = (nil, nil) }
        await change(id) { appState, contact in
            try await appState.requiredServices(.contacts).contactService.removeContact(
                deviceID: contact.deviceID, publicKey: contact.publicKey, deletingMessages: deletingMessages)
        }
    }

    /// Makes a node that was heard a contact.
    public func addDiscovered(_ id: UUID) async {
        await change(id) { appState, _ in
            _ = try await appState.requiredServices(.contacts).contactService.confirmContact(id: id)
        }
    }

    /// Writes a contact to the radio again that the radio has dropped.
    public func restore(_ id: UUID) async {
        await change(id) { appState, _ in
            try await appState.requiredServices(.contacts).contactService.restoreContact(id: id)
        }
    }

    /// Opens the conversation with a contact.
    public func openChat(_ id: UUID) async {
        guard let appState else { return }
        await attempt {
            guard let contact = try await appState.store.fetchContact(id: id) else {
                throw StackError(.contacts, .contactNotFound)
            }
            appState.navigateToChat(with: contact)
        }
    }

    // MARK: Export, import and adverts

    /// The address of a contact, or of the own radio, for a code or a message.
    public func export(_ id: UUID? = nil) async {
        guard let appState else { return }
        exportedURI = nil
        await attempt {
            guard let id else {
                guard let device = appState.connectedDevice else { throw StackError(.contacts, .notConnected) }
                exportedURI = ContactLink(name: device.nodeName, publicKey: device.publicKey).description
                return
            }
            guard let contact = try await appState.store.fetchContact(id: id) else {
                throw StackError(.contacts, .contactNotFound)
            }
            exportedURI =
                ContactLink(
                    name: contact.name, publicKey: contact.publicKey, type: contact.typeRawValue
                ).description
        }
    }

    /// Adds the contact of an address.
    public func importContact(_ uri: String) async {
        guard let appState else { return }
        await attempt {
            _ = try await appState.requiredServices(.contacts).contactService.importContact(
                uri: uri, deviceID: try appState.requiredDeviceID())
            feedback = Texts.string(.feedbackImported)
        }
        await load()
    }

    /// Has the radio send a contact's card to the nodes that hear it directly.
    public func share(_ id: UUID) async {
        await change(id) { appState, contact in
            try await appState.requiredServices(.contacts).contactService.shareContact(publicKey: contact.publicKey)
            feedback = Texts.string(.feedbackShared)
        }
    }

    /// Sends an advert of the own radio: to the nodes that hear it directly, or to the whole mesh.
    public func sendAdvert(flood: Bool) async {
        guard let appState else { return }
        feedback = nil
        await attempt {
            try await appState.requiredServices(.adverts).advertisementService.sendSelfAdvertisement(flood: flood)
            feedback = Texts.string(flood ? .feedbackAdvertFlood : .feedbackAdvertDirect)
        }
    }

    /// Sends a discovery request; answers come as discovered nodes.
    public func requestDiscovery() async {
        guard let appState else { return }
        await attempt {
            _ = try await appState.requiredServices(.adverts).advertisementService.requestDiscovery(
                of: [.repeater, .room, .sensor])
            feedback = Texts.string(.feedbackDiscovery)
        }
    }
}
