import MeshTime
import Testing

@testable import MeshBluetoothHost

/// Advertised data, as it is built and found again.
@Suite struct AdvertisedDataTests {
    @Test func `a node's advertisement has its flags, its service and its name`() {
        let data = AdvertisedData.flags() + AdvertisedData.services([.nordicUART])
        let answer = AdvertisedData.name("MeshCore-alice".utf8)

        #expect(data.prefix(5) == [2, 1, 6, 17, 7] && data.count == 21)
        var facts = AdvertisedFacts(data.span)
        facts.read(answer.span)
        #expect(facts.hasNordicUART && facts.name == "MeshCore-alice" && facts.isNameComplete)
        #expect(AdvertisedData.names(.nordicUART, in: data) && !AdvertisedData.names(.nordicTX, in: data))
    }

    @Test func `a name that does not fit is shortened, and says so`() {
        let name = AdvertisedData.name("MeshCore-with-a-very-long-name-of-a-node".utf8)

        #expect(name.count == 31 && name[1] == 0x08)
        #expect(AdvertisedFacts(name.span).isNameComplete == false)
    }

    @Test func `services of every length are found, and broken data ends the look`() {
        let data = AdvertisedData.services([BluetoothUUID(0x180F), .nordicUART, BluetoothUUID(0x1812)])

        for service in [BluetoothUUID(0x180F), BluetoothUUID(0x1812), .nordicUART] {
            #expect(AdvertisedData.names(service, in: data))
        }
        for count in 0..<data.count { _ = AdvertisedData.names(.nordicUART, in: [UInt8](data.prefix(count))) }
        #expect(!AdvertisedData.names(.nordicUART, in: [0] + data))
        #expect(!AdvertisedData.names(BluetoothUUID(0x180F), in: [40, 3, 0x0F, 0x18]))
    }
}
