package import MeshStore

// Facts of nodes that commands and pages show alike.

extension ContactDTO {
    /// The place of the node; `nil` while it has not said where it is.
    package var position: GeoPoint? { hasLocation ? GeoPoint(latitude: latitude, longitude: longitude) : nil }
}

extension DeviceDTO {
    /// The place that the radio is set to; `nil` for 0, 0, which radios say where none is set.
    package var position: GeoPoint? {
        latitude != 0 || longitude != 0 ? GeoPoint(latitude: latitude, longitude: longitude) : nil
    }
}

extension GeoPoint {
    /// Latitude and longitude in degrees, as people read them.
    package var text: String { "\(latitude), \(longitude)" }
}

extension Sequence<ContactDTO> {
    /// The only contact that fits; `nil` where none does, or more than one, so that nothing is named wrongly.
    package func only(where fits: (ContactDTO) -> Bool) -> ContactDTO? {
        var found: ContactDTO?
        for contact in self where fits(contact) {
            guard found == nil else { return nil }
            found = contact
        }
        return found
    }
}
