import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Contacts and channels as links and cards.
@Suite struct LinkTests {
    private static let names = [
        "Ann", "", " ", "a b", "a+b", "100 %", "%41", "x&y=z?#", "Zoë", "日本", "🦊👨‍👩‍👧", "e\u{301}", "\"quote\"", "/\\",
        "line\nbreak", "nul\0inside", "name=Ann&type=2", "‮rtl",
    ]

    @Test(.proves("SVC-133"), arguments: names)
    func `the link of a contact brings any name back`(name: String) {
        let link = ContactLink(name: name, publicKey: .node(0xAB), type: 2)

        #expect(ContactLink("\(link)") == link)
        #expect("\(link)".utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test(arguments: names)
    func `the link of a channel brings any name back`(name: String) {
        let link = ChannelLink(name: name, secret: ChannelSecret.hash("x"))

        #expect(ChannelLink("\(link)") == link)
    }

    @Test(arguments: names)
    func `the link of a channel brings its region back`(name: String) {
        let link = ChannelLink(name: "x", secret: ChannelSecret.hash("x"), regionScope: name)

        #expect(ChannelLink("\(link)") == link)
        #expect(link.regionScope == (name.isEmpty ? nil : name))
    }

    @Test func `a region has one form, with or without its hash sign`() {
        let links = ["de", "%23de", ""].map {
            ChannelLink("meshcore://channel/add?name=x&secret=8b3387e9c5cdea6ac9e5edbaa115cd72&region_scope=\($0)")
        }

        #expect(links[0]?.regionScope == "de" && links[1] == links[0])
        #expect(links[2].map(\.regionScope) == .some(nil), "no name is no region")
        #expect(ChannelLink(name: "x", secret: ChannelSecret.hash("x"), regionScope: "#de").regionScope == "de")
    }

    @Test(.proves("SVC-133")) func `names of all scalars, drawn, come back`() {
        var stream = Seed(5).stream("names")
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0...12, using: &stream)).compactMap { _ in
                UnicodeScalar(UInt32.random(in: 0...0x10FFFF, using: &stream))
            }
            var name = ""
            name.unicodeScalars.append(contentsOf: scalars)
            let link = ContactLink("\(ContactLink(name: name, publicKey: .node(1)))")
            #expect(link.map { [UnicodeScalar]($0.name.unicodeScalars) } == [UnicodeScalar](name.unicodeScalars))
        }
    }

    @Test func `the firmware's own examples are read`() {
        let contact = ContactLink(
            "meshcore://contact/add?name=Example+Contact&public_key="
                + "9cd8fcf22a47333b591d96a2b848b73f457b1bb1a3ea2453a885f9e5787765b1&type=1")
        let channel = ChannelLink(
            "meshcore://channel/add?name=Public&secret=8b3387e9c5cdea6ac9e5edbaa115cd72&region_scope=de")

        #expect(contact?.name == "Example Contact")
        #expect(contact?.type == 1)
        #expect(contact?.publicKey.count == 32)
        #expect(channel == ChannelLink(name: "Public", secret: ChannelService.publicSecret, regionScope: "de"))
    }

    @Test(arguments: [
        "", "meshcore://", "meshcore://contact/add", "meshcore://contact/add?", "meshcore://contact/add?name=x",
        "meshcore://contact/add?name=x&public_key=0102&type=1",
        "meshcore://contact/add?name=%zz&public_key=\(String(repeating: "01", count: 32))",
        "meshcore://contact/add?name=%f&public_key=\(String(repeating: "01", count: 32))",
        "meshcore://contact/add?name=%ff&public_key=\(String(repeating: "01", count: 32))",
        "meshcore://contact/add?name=x&public_key=\(String(repeating: "01", count: 32))&type=0",
        "meshcore://contact/add?name=x&public_key=\(String(repeating: "01", count: 32))&type=300",
        "https://contact/add?name=x&public_key=\(String(repeating: "01", count: 32))",
        "meshcore://channel/add?name=x&secret=\(String(repeating: "01", count: 16))",
    ])
    func `what is no contact's link is none`(link: String) {
        #expect(ContactLink(link) == nil)
    }

    @Test(.proves("SVC-133"))
    func `a contact that is exported and imported elsewhere has its name, key and type`() throws {
        let name = "Füchsin 🦊 & co. + 100 %"
        let radio = TableRadio { $0.put(Frames.contact(2, name: ByteText(name), type: .room)) }

        let (link, own) = try withTableRadio(radio) { bench, _ in
            try await bench.contacts().syncContacts(deviceID: bench.device.id)
            return (
                try await bench.contacts().exportContactURI(deviceID: bench.device.id, publicKey: .node(2)),
                try await bench.contacts().exportContactURI(deviceID: bench.device.id)
            )
        }
        let other = TableRadio()
        let (row, commands) = try withTableRadio(other) { bench, _ in
            let row = try await bench.contacts().importContact(uri: link, deviceID: bench.device.id)
            let error = await failure(of: .contacts) {
                try await bench.contacts().importContact(uri: "meshcore://nonsense", deviceID: bench.device.id)
            }
            #expect(error == .invalidContactLink)
            return (row, other.takeCommands())
        }

        #expect(row?.name == name)
        #expect(row?.publicKey == .node(2))
        #expect(row?.type == .room)
        #expect(row?.onRadio == true)
        #expect(other.contact(2)?.name.text == ByteText(name))
        #expect(commands == [.getContactByKey, .addUpdateContact])
        #expect(ContactLink(own) == ContactLink(name: "alice", publicKey: .node(1)))
    }

    @Test(.proves("SVC-R-039"))
    func `each of two exports in a row gets its own card, however late they are answered`() throws {
        let radio = TableRadio()
        radio.breakAnswers { $0[0] == CommandCode.exportContact.rawValue ? [] : nil }

        let (error, card) = try withTableRadio(radio) { bench, transport in
            let contacts = bench.contacts()
            let error = await failure(of: .contacts) {
                _ = try await contacts.exportContact(publicKey: .node(2))
            }
            let second = Task { try await contacts.exportContact(publicKey: .node(3)) }
            try await bench.clock.sleep(for: .milliseconds(100))
            await transport.simulateReceive(Resp.ExportContact(packet: Self.advert(2)).encoded())
            try await bench.clock.sleep(for: .milliseconds(100))
            await transport.simulateReceive(Resp.ExportContact(packet: Self.advert(3)).encoded())
            return (error, try await second.value)
        }

        #expect(error == .session(.timeout(.exportContact, after: .seconds(5))))
        #expect(card.packet == Self.advert(3))
        #expect(ContactCard("\(card)") == card)
    }

    /// A flooded advert packet of a node, signed with nonsense.
    private static func advert(_ number: UInt8) -> [UInt8] {
        [0x11, 0] + Frames.key(number).array + [0, 0, 0, 0] + [UInt8](repeating: 7, count: 64) + [0x81, 0x42]
    }
}
