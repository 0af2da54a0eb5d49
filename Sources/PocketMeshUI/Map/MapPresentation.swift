public import FoundationEssentials
import MeshWire
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
    /// The distance to the own radio, in metres; `nil` while that has no place.
    public var metres: Double?
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    /// The marker of a contact; `nil` while its place is not known.
    init?(_ contact: ContactDTO, from own: GeoPoint?) {
        guard let position = contact.position else { return nil }
        id = contact.id
        name = contact.displayName
        markerType = NodeKind(contact)
        (latitude, longitude) = (position.latitude, position.longitude)
        hops = PathHop.split(contact)?.map(\.key)
        isFavorite = contact.isFavorite
        metres = own?.metres(to: position)
        accessibilityLabel = Texts.string(.markerAccessibility, markerType.label, name)
    }

    /// The marker of the own radio; `nil` while its place is not known.
    init?(_ device: DeviceDTO) {
        guard let position = device.position else { return nil }
        id = device.id
        name = device.nodeName
        markerType = .chat
        (latitude, longitude) = (position.latitude, position.longitude)
        isFavorite = false
        accessibilityLabel = Texts.string(.markerSelf, name)
    }

    var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }
}

/// A contact that is not on the map, because its place is not known.
public struct UnplacedContact: Codable, Sendable, Hashable, Identifiable {
    /// The contact's row.
    public var id: UUID
    /// The name that the user knows it by.
    public var name: String
    /// Chat, repeater, room or sensor.
    public var kind: NodeKind

    init(_ contact: ContactDTO) {
        (id, name, kind) = (contact.id, contact.displayName, NodeKind(contact))
    }
}

/// A part of the earth.
public struct MapBounds: Codable, Sendable, Hashable {
    /// The least latitude, in degrees.
    public var south: Double
    /// The longitude at its western edge, in degrees, −180 to 180.
    public var west: Double
    /// The greatest latitude, in degrees.
    public var north: Double
    /// The longitude at its eastern edge, in degrees: above 180 for a part that crosses 180°.
    public var east: Double

    /// The smallest part with all the places, and a tenth of it around them; `nil` without places.
    init?(_ places: [GeoPoint]) {
        guard let bounds = GeoBounds(places) else { return nil }
        // A single place has no size: about a kilometre.
        let (high, wide) = (max(0.01, (bounds.north - bounds.south) / 10), max(0.01, bounds.width / 10))
        south = max(GeoPoint.latitudes.lowerBound, bounds.south - high)
        north = min(GeoPoint.latitudes.upperBound, bounds.north + high)
        (west, east) = (bounds.west - wide, bounds.west + bounds.width + wide)
        if east - west > 360 { (west, east) = (GeoPoint.longitudes.lowerBound, GeoPoint.longitudes.upperBound) }
        if west < GeoPoint.longitudes.lowerBound { (west, east) = (west + 360, east + 360) }
    }
}
