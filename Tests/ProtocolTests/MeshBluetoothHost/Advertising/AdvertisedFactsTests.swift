import Testing

@testable import MeshBluetoothHost

/// The facts that a device advertises before a connection.
@Suite struct AdvertisedFactsTests {
    private static func name(_ text: String, type: UInt8 = 0x09) -> [UInt8] {
        [UInt8(text.utf8.count + 1), type] + Array(text.utf8)
    }

    @Test func `a whole name replaces one that was shortened, and a newer one an older`() {
        var facts = AdvertisedFacts()
        var seen: [String?] = []
        for data in [
            Self.name("Mesh", type: 0x08), Self.name("MeshCore-ABCD"), Self.name("Mesh", type: 0x08),
            Self.name("Bob"), [], Self.name(""), Self.name("\0\0"),
        ] {
            facts.read(data.span)
            seen.append(facts.name)
        }

        #expect(seen == ["Mesh", "MeshCore-ABCD", "MeshCore-ABCD", "Bob", "Bob", "Bob", "Bob"])
        #expect(facts.isNameComplete)
        #expect(!facts.hasNordicUART)
    }

    @Test(
        arguments: [
            ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\nb", "a\u{FFFD}b"), ("a\0\0\0", "a"), ("a\u{202E}b", "a\u{FFFD}b"),
            ("👩‍🚀", "👩‍🚀"), ("Zoë", "Zoë"),
        ])
    func `a name does not disturb a terminal`(said: String, shown: String) {
        #expect(AdvertisedFacts(Self.name(said).span).name == shown)
    }

    @Test func `the service is found among others, and a broken structure ends the walk`() {
        let other = [UInt8](repeating: 7, count: 16)
        let two = [33, 0x06] + other + BluetoothUUID.nordicUART.bytes
        #expect(AdvertisedFacts(two.span).hasNordicUART)
        #expect(!AdvertisedFacts(([17, 0x06] + other).span).hasNordicUART)
        #expect(AdvertisedFacts(([1, 0] + two).span).hasNordicUART)
        #expect(AdvertisedFacts(([0] + two).span) == AdvertisedFacts())
        #expect(AdvertisedFacts(([40] + two).span) == AdvertisedFacts())
        for count in 0..<two.count { #expect(!AdvertisedFacts([UInt8](two[..<count]).span).hasNordicUART) }
    }
}
