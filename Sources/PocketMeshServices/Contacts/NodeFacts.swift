package import MeshStore
package import MeshWire

// Facts of nodes that commands and pages show alike.

extension ContactDTO {
    /// The place of the node; `nil` while it has not said where it is.
    package var position: GeoPoint? { GeoPoint(stated: latitude, longitude) }
}

extension DeviceDTO {
    /// The place that the radio is set to; `nil` where none is set.
    package var position: GeoPoint? { GeoPoint(stated: latitude, longitude) }
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
