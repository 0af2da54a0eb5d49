import Foundation
import MeshFiles
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshStore

/// Exports of apps, and lists of cards: each form, whole and damaged.
@Suite struct AppExportTests {
    private func read(_ bytes: [UInt8]) throws -> AppExport {
        var export = AppExport()
        try export.read(bytes, file: "x")
        return export
    }

    private func read(_ text: String) throws -> AppExport { try read([UInt8](text.utf8)) }

    private static let key = String(repeating: "ab", count: 32)

    // MARK: The forms

    @Test func `the export of an app has contacts, channels and settings, and its private key stays where it is`()
        throws
    {
        let export = try read(FieldExample.bytes("app-export.json"))

        #expect(export.contacts.map(\.name) == ["Ann", "Hill", "Hall", "Ben"])
        #expect(export.contacts.map(\.type) == [1, 2, 3, 1])
        #expect(export.contacts.map(\.nickname) == ["Annie", nil, nil, nil])
        #expect(export.contacts[0].path == AppExport.Path(length: .empty, hashes: []))
        #expect(export.contacts[1].path == AppExport.Path(length: PathLength(hashSize: 1, hops: 1), hashes: [0xA0]))
        #expect(export.contacts[2].path == AppExport.Path())
        #expect(export.contacts[1].place == GeoPoint(latitude: 48.117, longitude: 11.517))
        #expect(export.contacts[3].place == nil)
        #expect(export.channels.map(\.name) == ["Public", "#valley", "Crew"])
        #expect(export.channels.map(\.region) == [nil, nil, "valley"])
        #expect(export.settings.name == "Valley")
        #expect(
            export.settings.radio
                == RadioParameters(frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 8))
        #expect(export.settings.txPower == 20 && export.settings.manualAdd == true)
        #expect(export.settings.sharesLocation == false && export.settings.multiAcks == nil)
        #expect(export.settings.place == GeoPoint(latitude: 48.1, longitude: 11.5))
        #expect(export.refusals.isEmpty)
        #expect(export.leftOut.rows.map(\.reason) == ["with a private key"])
        #expect(!"\(export)".contains("5e5e5e5e"))
    }

    @Test func `what meshcore-cli lists is read`() throws {
        let contacts = try read(FieldExample.bytes("cli-contacts.json"))
        let channels = try read(FieldExample.bytes("cli-channels.json"))

        #expect(contacts.contacts.map(\.name) == ["Hill", "Ben"])
        #expect(contacts.contacts[0].path.hashes == [0xA0] && contacts.contacts[1].path == AppExport.Path())
        #expect(channels.channels.map(\.name) == ["Public", "Crew"])
        #expect(channels.leftOut.rows.map(\.reason) == ["for a channel without a name"])
    }

    @Test func `cards and links are read, one a line or as JSON`() throws {
        let lines = try read(FieldExample.bytes("cards.txt"))
        let json = try read(FieldExample.bytes("cards.json"))
        let one = try read("{\"uri\": \"\(FieldExample.text("cards.txt").split(separator: "\n")[1])\"}\n{\"n\":1}\n")

        #expect(lines.contacts.map(\.name) == ["Ann", "Hill", "Ben"])
        #expect(lines.contacts.map { $0.card == nil } == [false, false, true])
        #expect(lines.channels.map(\.name) == ["Valley"] && lines.channels[0].region == "valley")
        #expect(lines.leftOut.rows.map(\.reason) == ["without a link"])
        #expect(json.contacts.map(\.name) == ["Ann", "Hill"])
        #expect(one.contacts.map(\.name) == ["Ann"])
    }

    @Test func `entries that are there twice count once, also in two files`() throws {
        var export = try read(FieldExample.bytes("app-export.json"))
        try export.read(FieldExample.bytes("cards.txt"))

        #expect(export.contacts.count == 4 && export.channels.count == 3)
        #expect(export.leftOut.rows.dropFirst().map(\.count) == [3, 1, 1])
    }

    // MARK: What cannot be used

    @Test func `a forged card is refused by its name`() throws {
        let export = try read(FieldExample.bytes("cards-forged.txt"))

        #expect(export.contacts.map(\.name) == ["Ann", "Hill", "Ben"])
        #expect(
            export.refusals.map(\.description) == [
                "x:4: card of \"Roof\" (a09aa5f47a67): is forged or damaged: its node has not signed it"
            ])
    }

    @Test func `a list of cards of which the last is cut refuses that`() throws {
        let text = FieldExample.text("cards.txt")
        let card = try #require(text.split(separator: "\n").first { $0.contains("hill: meshcore") })

        for count in stride(from: 60, to: card.utf8.count, by: 7) {
            let export = try read(text + card.prefix(count))
            let wasRead = card.prefix(count).hasSuffix("meshcore://")
            #expect(export.refusals.count == 1 || wasRead, "\(count)")
            #expect(export.contacts.count == 3)
        }
    }

    @Test(arguments: [
        (
            #"{"type":1,"name":"Bob","public_key":"12"}"#,
            #"contact "Bob": contacts[0].public_key: is not 32 bytes of hex"#
        ),
        (#"{"type":9,"name":"Bob","public_key":"KEY"}"#, #"contact "Bob": contacts[0].type: 9 is not within 1…4"#),
        (#"{"name":"Bob","public_key":"KEY"}"#, #"contact "Bob": contacts[0].type: is missing"#),
        (#"{"type":1,"name":"","public_key":"KEY"}"#, "contact \"\": contacts[0].name: is no name of a node"),
        (#"{"type":1,"name":"Bob","public_key":"KEY","latitude":"north","longitude":"0"}"#, "is no number"),
        (#"{"type":1,"name":"Bob","public_key":"KEY","latitude":"91","longitude":"0"}"#, "no place on the earth"),
        (#"{"type":1,"name":"Bob","public_key":"KEY","out_path":"abcd","path_hash_mode":2}"#, "no hashes of 3"),
        (#"{"type":1,"name":"Bob","public_key":"KEY","flags":256}"#, "256 is not within"), ("7", "must be an object"),
    ])
    func `a contact that cannot be used is refused with its name`(contact: String, reason: String) throws {
        let export = try read(#"{"contacts":[\#(contact.replacing("KEY", with: Self.key))]}"#)

        #expect(export.contacts.isEmpty && export.refusals.count == 1)
        let text = export.refusals.first?.description.replacing("contact \"\": ", with: "contact: ")
        #expect(text?.contains(reason.replacing("contact \"\": ", with: "contact: ")) == true, "\(text ?? "")")
    }

    @Test func `errors about secrets have none of their digits`() throws {
        let export = try read(
            """
            {"private_key":"c0ffee","channels":[{"name":"a","secret":"c0ffee"},{"name":"b","secret":7},
            {"name":"c","secret":"\(String(repeating: "0", count: 32))"}],"radio_settings":{"frequency":1}}
            """)

        #expect(export.refusals.count == 4)
        #expect(!export.refusals.contains { "\($0)".contains("c0ffee") })
        #expect(!"\(export.leftOut)".contains("c0ffee"))
    }

    @Test(arguments: [
        "", "hello", "[]", "{}", "[1,2]", #"{"nodes":[]}"#, "{\"contacts\":[", "\u{0}", "{\"a\":1}\n{\"b\":",
        "1100aabb",
        #"[{"adv_lat":50,"public_key":"aa"}]"#,
    ])
    func `a file in no known form takes nothing, and says what was looked for`(text: String) {
        var export = AppExport()
        let problem = #expect(throws: FileProblem.self) { try export.read([UInt8](text.utf8), file: "bad.json") }

        #expect(export == AppExport())
        #expect(problem?.file == "bad.json")
        #expect(problem?.reason.contains("looked for an app's export") == true || problem?.line ?? 0 > 0)
    }

    @Test func `what is not known is told, not taken`() throws {
        let export = try read(
            """
            {"name":"a","theme":"dark","radio_settings":{"tx_power":5,"boost":1},"contacts":[
            {"type":2,"name":"r","public_key":"\(Self.key)","out_path_list":[1]}]}
            """)

        #expect(export.settings.txPower == 5 && export.settings.radio == nil)
        #expect(
            export.leftOut.rows.map(\.description) == [
                "2 items with a member that is not known, line 1, …: theme", "1 item with a list of paths, line 2",
            ])
    }

    @Test func `an example that is cut anywhere is read or refused`() throws {
        for name in ["app-export.json", "cli-contacts.json", "cards.txt", "cards.json"] {
            let whole = FieldExample.bytes(name)
            for count in stride(from: 0, to: whole.count, by: 23) {
                guard let export = try? read([UInt8](whole[..<count])) else { continue }
                #expect(!export.isEmpty || !export.leftOut.rows.isEmpty, "\(name) \(count)")
            }
        }
    }

    @Test func `a file has no more entries than are read`() throws {
        let line = "meshcore://contact/add?name=n&type=1&public_key="
        let lines = (0...AppExport.mostEntries).map { number in
            line + [UInt8](withUnsafeBytes(of: UInt64(number)) { [UInt8]($0) } + [UInt8](repeating: 1, count: 24)).hex
        }

        let export = try read(lines.joined(separator: "\n"))

        #expect(export.contacts.count == AppExport.mostEntries)
        #expect(export.leftOut.faults == 1)
        #expect(throws: FileProblem.self) { try read([UInt8](repeating: 0x20, count: AppExport.longest + 1)) }
    }
}
