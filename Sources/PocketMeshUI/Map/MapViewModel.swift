public import FoundationEssentials
public import Observation
import PocketMeshServices

/// A contact on the map.
public struct MapMarker: Codable, Sendable, Hashable, Identifiable {
    /// The contact's row.
    public var id: UUID
    /// The name that the user knows it by.
    public var name: String
    /// Chat, repeater, room or sensor.
    public var markerType: NodeKind
    /// The latitude in degrees.
    public var latitude: Double
    /// The longitude in degrees.
    public var longitude: Double
    /// The hops of its path, in hex; `nil` while none is known.
    public var hops: [String]?
    /// True when the contact stays on top.
    public var isFavorite: Bool
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String
}

/// A part of the earth.
public struct MapBounds: Codable, Sendable, Hashable {
    /// The least latitude, in degrees.
    public var south: Double
    /// The least longitude, in degrees.
    public var west: Double
    /// The greatest latitude, in degrees.
    public var north: Double
    /// The greatest longitude, in degrees.
    public var east: Double

    /// The smallest part with all the places, and a tenth of it around them; `nil` without places.
    init?(_ places: [(latitude: Double, longitude: Double)]) {
        guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max(),
            let west = places.map(\.longitude).min(), let east = places.map(\.longitude).max()
        else { return nil }
        // A single place has no size: about a kilometre.
        let (high, wide) = (max(0.01, (north - south) / 10), max(0.01, (east - west) / 10))
        self.south = max(-90, south - high)
        self.north = min(90, north + high)
        self.west = max(-180, west - wide)
        self.east = min(180, east + wide)
    }
}

/// The map: contacts that have said where they are.
@MainActor @Observable
public final class MapViewModel: ViewModel {
    /// The time for which a reading of the store is used again.
    public static let cacheTime = Duration.seconds(30)

    /// The contacts with a position, by name.
    public private(set) var markers: [MapMarker] = []
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
            guard let deviceID = appState.deviceID else { return (markers, bounds) = ([], nil) }
            let contacts = try await appState.store.fetchContacts(deviceID: deviceID)
            markers = contacts.filter { $0.hasLocation && !$0.isBlocked && kinds.contains(NodeKind($0)) }
                .map(Self.marker).sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
            ownPosition = try await appState.store.fetchDevice(id: deviceID).flatMap(Self.marker)
            bounds = MapBounds((markers + [ownPosition].compactMap(\.self)).map { ($0.latitude, $0.longitude) })
            readAt = appState.uptime
        }
    }

    private static func marker(_ contact: ContactDTO) -> MapMarker {
        let kind = NodeKind(contact)
        return MapMarker(
            id: contact.id, name: contact.displayName, markerType: kind, latitude: contact.latitude,
            longitude: contact.longitude, hops: PathHop.split(contact)?.map(\.key), isFavorite: contact.isFavorite,
            accessibilityLabel: Texts.string(.markerAccessibility, kind.label, contact.displayName))
    }

    private static func marker(_ device: DeviceDTO) -> MapMarker? {
        guard let position = device.position else { return nil }
        return MapMarker(
            id: device.id, name: device.nodeName, markerType: .chat, latitude: position.latitude,
            longitude: position.longitude, hops: nil, isFavorite: false,
            accessibilityLabel: Texts.string(.markerSelf, device.nodeName))
    }

    /// Notes that the user begins or ends to move the map; at the end, changes are read.
    public func setInteracting(_ isInteracting: Bool) async {
        self.isInteracting = isInteracting
        if !isInteracting { await load() }
    }

    /// Shows other kinds.
    public func setKinds(_ kinds: Set<NodeKind>) async {
        self.kinds = kinds
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
