public import FoundationEssentials
import MeshWire
public import Observation
import PocketMeshServices

/// The map: contacts that have said where they are.
@MainActor @Observable
public final class MapViewModel: ViewModel {
    /// The time for which a reading of the store is used again.
    public static let cacheTime = Duration.seconds(30)

    /// The contacts with a position, by name.
    public private(set) var markers: [MapMarker] = []
    /// The contacts of the shown kinds whose place is not known, by name.
    public private(set) var unplaced: [UnplacedContact] = []
    /// The position of the own radio; `nil` while it has not said.
    public private(set) var ownPosition: MapMarker?
    /// The part that holds all of them.
    public private(set) var bounds: MapBounds?
    /// The kinds that are shown.
    public private(set) var kinds: Set<NodeKind> = [.chat, .repeater, .room, .sensor]
    /// The chosen contact.
    public private(set) var selectedID: UUID?
    /// True while the user moves the map; nothing changes below the fingers.
    public private(set) var isInteracting = false
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    @ObservationIgnored private var appState: AppState?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    @ObservationIgnored private var readAt: Duration?
    @ObservationIgnored private var isStale = false

    public init() {}

    /// The chosen contact.
    public var selected: MapMarker? { markers.first { $0.id == selectedID } }

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .contactsChanged, .connectionChanged, .deviceChanged: self?.changed()
            default: break
            }
        }
    }

    private func changed() {
        isStale = true
        if !isInteracting { reloader.ask { [weak self] in await self?.refresh() } }
    }

    /// Reads the contacts, unless they were read in the last half minute and no event came since.
    public func load() async {
        guard let appState, !isInteracting else { return }
        let now = appState.uptime
        if let readAt, !isStale, now - readAt < Self.cacheTime { return }
        await refresh()
    }

    /// Reads the contacts now.
    public func refresh() async {
        guard let appState, !isInteracting else { return }
        isStale = false
        await read {
            guard let deviceID = appState.deviceID else {
                return (markers, unplaced, ownPosition, bounds) = ([], [], nil, nil)
            }
            let contacts = try await appState.store.fetchContacts(deviceID: deviceID)
                .filter { !$0.isBlocked && kinds.contains(NodeKind($0)) }
                .sorted { ($0.displayName, $0.id.uuidString) < ($1.displayName, $1.id.uuidString) }
            let own = try await appState.store.fetchDevice(id: deviceID)
            markers = contacts.compactMap { MapMarker($0, from: own?.position) }
            unplaced = contacts.filter { !$0.hasLocation }.map(UnplacedContact.init)
            ownPosition = own.flatMap { MapMarker($0) }
            bounds = MapBounds((markers + [ownPosition].compactMap(\.self)).map(\.point))
            readAt = appState.uptime
        }
    }

    /// Notes that the user begins or ends to move the map; at the end, changes are read.
    public func setInteracting(_ isInteracting: Bool) async {
        self.isInteracting = isInteracting
        if !isInteracting { await load() }
    }

    /// Sets the place of the own radio; its adverts contain it when the radio shares its position.
    public func setOwnPosition(latitude: Double, longitude: Double) async {
        guard let appState else { return }
        await attempt {
            let place = GeoPoint(latitude: latitude, longitude: longitude)
            try place.check(.settings)
            let service = try appState.requiredServices(.settings).settingsService
            try await appState.withSyncActivity { _ = try await service.setLocationVerified(place) }
        }
        await refresh()
    }

    /// Sets the place of a contact in the radio's list; it stays until the node advertises another.
    public func setPosition(of id: UUID, latitude: Double, longitude: Double) async {
        guard let appState else { return }
        await attempt {
            try GeoPoint(latitude: latitude, longitude: longitude).check(.contacts)
            let service = try appState.requiredServices(.contacts).contactService
            guard var contact = try await appState.store.fetchContact(id: id) else {
                throw StackError(.contacts, .contactNotFound)
            }
            (contact.latitude, contact.longitude) = (latitude, longitude)
            let changed = contact
            try await appState.withSyncActivity { _ = try await service.addOrUpdateContact(changed) }
        }
        await refresh()
    }

    /// Shows other kinds.
    public func setKinds(_ kinds: Set<NodeKind>) async {
        self.kinds = kinds
        isStale = true
        await refresh()
    }

    /// Chooses a contact, or none.
    public func select(_ id: UUID?) { selectedID = id }

    /// Opens the conversation with the chosen contact.
    public func openChat() async {
        guard let appState, let selectedID else { return }
        await attempt {
            if let contact = try await appState.store.fetchContact(id: selectedID) {
                appState.navigateToChat(with: contact)
            }
        }
    }

    /// The markers as GeoJSON.
    public func geoJSON() throws -> Data {
        let features = markers.map { marker in
            GeoFeature(
                geometry: .init(coordinates: [marker.longitude, marker.latitude]), properties: marker)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(GeoCollection(features: features))
    }

    private struct GeoCollection: Encodable {
        let type = "FeatureCollection"
        let features: [GeoFeature]
    }

    private struct GeoFeature: Encodable {
        struct Point: Encodable {
            let type = "Point"
            let coordinates: [Double]
        }

        let type = "Feature"
        let geometry: Point
        let properties: MapMarker
    }
}
