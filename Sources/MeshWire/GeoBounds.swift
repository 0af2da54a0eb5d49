/// The smallest part of the earth that holds some places, between two latitudes and two longitudes.
package struct GeoBounds: Hashable, Sendable {
    /// The least latitude, in degrees.
    package let south: Double
    /// The greatest latitude, in degrees.
    package let north: Double
    /// The longitude at which it begins, −180 to 180.
    package let west: Double
    /// The degrees that it extends to the east of there, 0 to 360; it may cross 180° east.
    package let width: Double

    /// The part with all the places; `nil` without places.
    package init?(_ places: [GeoPoint]) {
        guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max() else { return nil }
        let longitudes = places.map(\.longitude).sorted()
        guard let first = longitudes.first, let last = longitudes.last else { return nil }
        // All around the earth but the widest gap; where gaps are alike, the one that holds 180° east.
        var (west, width) = (first, last - first)
        for (before, after) in zip(longitudes, longitudes.dropFirst()) where after - before > 360 - width {
            (west, width) = (after, before - after + 360)
        }
        (self.south, self.north, self.west, self.width) = (south, north, west, width)
    }

    /// The degrees that a longitude lies to the east of the western end, 0 to 360.
    package func degreesEast(of longitude: Double) -> Double {
        longitude < west ? longitude - west + 360 : longitude - west
    }

    /// The metres to the east and to the north from the south-western corner to a place.
    ///
    /// The map is flat: east-west distances are right in its middle. That is well for a region, not for a continent.
    package func metres(to point: GeoPoint) -> (east: Double, north: Double) {
        let cosine = Circle.point(turns: (south + north) / 2 / 360).cosine
        return (
            degreesEast(of: point.longitude) * GeoPoint.metresPerDegree * cosine,
            (point.latitude - south) * GeoPoint.metresPerDegree
        )
    }
}
