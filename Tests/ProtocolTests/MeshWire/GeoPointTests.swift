import Testing

@testable import MeshWire

@Suite struct GeoPointTests {
    @Test(
        arguments: [
            (52.52, 13.405, true), (90, 180, true), (-90, -180, true), (0, 7, true), (7, 0, true), (0, 0, false),
            (1853.45, -1598.75, false), (90.000001, 0, false), (0, -180.000001, false), (.nan, 1, false),
            (1, .infinity, false),
        ] as [(Double, Double, Bool)])
    func `a place that a node states is between the poles, once round, and not 0, 0`(
        latitude: Double, longitude: Double, isPlace: Bool
    ) {
        #expect((GeoPoint(stated: latitude, longitude) != nil) == isPlace)
    }

    @Test func `millionths of a degree are the same place, also at its limits`() {
        let corner = GeoPoint(microdegrees: -90_000_000, 180_000_000)

        #expect(corner == GeoPoint(latitude: -90, longitude: 180))
        #expect(corner?.microdegrees?.latitude == -90_000_000 && corner?.microdegrees?.longitude == 180_000_000)
        #expect(GeoPoint(microdegrees: 1_853_450_000, -1_598_750_000) == nil)
        #expect(GeoPoint(microdegrees: 0, 0) == nil)
        #expect(GeoPoint(latitude: 91, longitude: 0).microdegrees == nil)
    }

    @Test(
        arguments: [
            // Berlin to Munich, two islands on both sides of 180°, pole to pole, and a metre.
            (52.52, 13.405, 48.137, 11.575, 504_905, 1), (-16.8, 179.98, -16.8, -179.98, 4263, 2),
            (-16.8, -179.98, -16.8, 179.98, 4263, 2), (90, 0, -90, 0, 20_037_600, 1), (0, -180, 0, 180, 0, 0.001),
            (48.1, 11.5, 48.1, 11.5, 0, 0.001), (0, 0, 0.00001, 0, 1.1132, 0.001), (10, 0, 10, 180, 17_811_200, 1),
        ] as [(Double, Double, Double, Double, Double, Double)])
    func `two places are as far apart as on the earth, the shorter way`(
        north: Double, east: Double, otherNorth: Double, otherEast: Double, metres: Double, within: Double
    ) {
        let distance = GeoPoint(latitude: north, longitude: east)
            .metres(to: GeoPoint(latitude: otherNorth, longitude: otherEast))

        #expect(abs(distance - metres) <= within, "\(distance)")
    }

    @Test func `places on both sides of 180 degrees are within narrow bounds`() throws {
        func bounds(_ longitudes: [Double]) -> GeoBounds? {
            GeoBounds(longitudes.map { GeoPoint(latitude: $0 / 10, longitude: $0) })
        }

        let fiji = try #require(bounds([179.5, -179.5, 178]))
        #expect(fiji.west == 178 && abs(fiji.width - 2.5) < 1e-9)
        #expect(fiji.degreesEast(of: 178) == 0 && abs(fiji.degreesEast(of: -179.5) - 2.5) < 1e-9)
        #expect(fiji.south == -17.95 && fiji.north == 17.95)
        let europe = try #require(bounds([13.4, -0.1, 11.5]))
        #expect(europe.west == -0.1 && europe.width == 13.5)
        #expect(bounds([7])?.width == 0)
        #expect(bounds([0, 180])?.west == 0, "of gaps that are alike, the one over 180°")
        #expect(bounds([]) == nil)
    }

    @Test func `a point of the circle is the same to every quarter`() {
        for (turns, cosine, sine) in [(0.0, 1.0, 0.0), (0.25, 0, 1), (-0.25, 0, -1), (1.5, -1, 0), (-2, 1, 0)] {
            let point = Circle.point(turns: turns)
            #expect(abs(point.cosine - cosine) < 1e-9 && abs(point.sine - sine) < 1e-9, "\(turns)")
        }
    }
}
