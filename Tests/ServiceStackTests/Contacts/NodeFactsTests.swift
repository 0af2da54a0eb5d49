import Foundation
import MeshCompanion
import PocketMeshServices
import Testing

@Suite struct NodeFactsTests {
    private static func contact(_ key: [UInt8], latitude: Double = 0, longitude: Double = 0) -> ContactDTO {
        var contact = ContactDTO(
            deviceID: UUID(), publicKey: Data(key + [UInt8](repeating: 0, count: 32 - key.count)), name: "\(key)")
        (contact.latitude, contact.longitude) = (latitude, longitude)
        return contact
    }

    @Test func `the beginning of a key names a contact where only one fits`() {
        let contacts = [[1, 2], [1, 3], [4, 4]].map { Self.contact($0) }
        func name(_ prefix: [UInt8]) -> String? { contacts.only { $0.publicKey.starts(with: prefix) }?.name }

        #expect(name([1, 3]) == "[1, 3]")
        #expect(name([4]) == "[4, 4]")
        #expect(name([1]) == nil, "two fit")
        #expect(name([9]) == nil)
    }

    @Test func `a place at 0, 0 is none, and one on a meridian or the equator is one`() {
        #expect(Self.contact([1]).position == nil)
        #expect(Self.contact([1], latitude: 51.5).position == GeoPoint(latitude: 51.5, longitude: 0))
        #expect(Self.contact([1], longitude: -0.5).position?.text == "0.0, -0.5")
    }

    @Test func `coordinates that are no place are none, and are not written to a radio as the nearest one`() {
        let junk = Self.contact([1], latitude: 1853.45, longitude: -1598.75)
        let record = ContactRecord(junk)

        #expect(junk.position == nil && !junk.hasLocation)
        #expect(record.latitude == 0 && record.longitude == 0)
        #expect(ContactRecord(Self.contact([1], latitude: -90, longitude: 180)).latitude == -90_000_000)
    }
}
