import Foundation
import MeshFiles
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshStore

/// The changes that an import makes, decided before the first.
@Suite struct ImportPlanTests {
    private static let key = Data((0..<32).map { UInt8($0) })

    private static func export(_ names: String...) throws -> AppExport {
        var export = AppExport()
        for name in names { try export.read(FieldExample.bytes(name), file: name) }
        return export
    }

    private static func radio(_ change: (inout ImportPlan.Radio) -> Void = { _ in }) -> ImportPlan.Radio {
        var device = DeviceDTO(
            id: UUID(), publicKey: key, nodeName: "base", maxContacts: 350, maxChannels: 8,
            lastConnected: Date(timeIntervalSince1970: 0))
        (device.frequencyKHz, device.bandwidthHz, device.spreadingFactor, device.codingRate) = (869_525, 250_000, 11, 5)
        (device.txPower, device.maxTxPower) = (22, 22)
        var radio = ImportPlan.Radio(device: device, contacts: [], channels: [])
        change(&radio)
        return radio
    }

    @Test func `contacts come first, and the radio's parameters last`() throws {
        let plan = try ImportPlan(Self.export("app-export.json"), into: Self.radio())

        #expect(
            plan.changes.map(\.kind) == Array(repeating: "contact", count: 4) + ["channel", "channel", "channel"]
                + Array(repeating: "setting", count: 5))
        #expect(plan.changes.suffix(5).map(\.name) == ["name", "position", "contacts added by hand", "power", "radio"])
        #expect(plan.changes.last?.from == "869.525 MHz, 250 kHz, SF 11, CR 4/5")
        #expect(plan.changes.last?.to == "869.618 MHz, 62.5 kHz, SF 8, CR 4/8")
        #expect(plan.unchanged == 1, "the position in adverts is as it should be")
        // Nothing of a secret is in what is printed.
        #expect(!plan.changes.contains { ($0.to + $0.from + $0.name).contains("a1a1a1") })
    }

    @Test func `paths come from the same radio alone`() throws {
        let export = try Self.export("app-export.json")
        let own = Self.radio { $0.device.publicKey = Data(export.publicKey?.array ?? []) }

        let (foreign, same) = (try ImportPlan(export, into: Self.radio()), try ImportPlan(export, into: own))

        func paths(_ plan: ImportPlan) -> [UInt8] {
            plan.changes.compactMap { if case .contact(let row) = $0.step { row.outPathLengthRaw } else { nil } }
        }
        #expect(paths(foreign) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(paths(same) == [0, 1, 0xFF, 0xFF])
        #expect(foreign.leftOut.rows.contains { $0.reason == "with a path from another radio" && $0.count == 2 })
        guard case .contact(let ann) = same.changes[0].step else { return #expect(Bool(false)) }
        #expect(ann.isFavorite && ann.nickname == "Annie" && ann.name == "Ann")
    }

    @Test func `what the radio has stays, but for names and types`() throws {
        let export = try Self.export("app-export.json")
        let keys = export.contacts.map { Data($0.publicKey.array) }
        let radio = Self.radio { radio in
            let id = radio.device.id
            radio.contacts = [
                ContactDTO(deviceID: id, publicKey: keys[0], name: "Ann"),
                ContactDTO(deviceID: id, publicKey: keys[1], name: "Old Hill", typeRawValue: 2),
                ContactDTO(deviceID: id, publicKey: keys[2], name: "Hall", typeRawValue: 3, onRadio: false),
                ContactDTO(deviceID: id, publicKey: keys[3], name: "Ben", isDiscovered: true),
            ]
            radio.channels = [ChannelDTO(deviceID: id, index: 3, name: "Mates", secret: export.channels[2].secret)]
        }

        let plan = try ImportPlan(export, into: radio, parts: [.contacts, .channels])

        #expect(plan.changes.map(\.name) == ["Old Hill", "Hall", "Ben", "Public", "#valley"])
        #expect(plan.changes[0].step == .renamed(ContactLink(name: "Hill", publicKey: keys[1], type: 2)))
        #expect(plan.changes[0].from == "Old Hill, repeater" && plan.changes[0].to == "Hill, repeater")
        #expect(plan.unchanged == 2)
        #expect(plan.leftOut.rows.contains { $0.reason == "for a channel with another name on the radio" })
    }

    @Test func `a plan without room is refused as a whole`() throws {
        let export = try Self.export("app-export.json")

        let contacts = #expect(throws: FileProblem.self) {
            try ImportPlan(export, into: Self.radio { $0.device.maxContacts = 3 })
        }
        let channels = #expect(throws: FileProblem.self) {
            try ImportPlan(export, into: Self.radio { $0.device.maxChannels = 3 })
        }
        let power = #expect(throws: FileProblem.self) {
            try ImportPlan(export, into: Self.radio { $0.device.maxTxPower = 14 })
        }

        #expect(contacts?.description == "contacts: are 4 new ones, and the radio has room for 3")
        #expect(channels?.description == "channels: are 3 new ones, and the radio has 2 free slots")
        #expect(power?.description.contains("20 dBm is not within -9 and 14 dBm") == true)
    }

    @Test func `a forged card refuses the plan, or is left out and told`() throws {
        let export = try Self.export("cards-forged.txt")

        let refusal = #expect(throws: FileProblem.self) { try ImportPlan(export, into: Self.radio()) }
        let plan = try ImportPlan(export, into: Self.radio(), skipsRefusals: true)

        #expect(refusal?.description.hasPrefix("cards-forged.txt:4: card of \"Roof\"") == true)
        #expect(plan.changes.map(\.name) == ["Ann", "Hill", "Ben", "Valley"])
        #expect(
            plan.leftOut.rows.last.map { "\($0)" }?.contains("that cannot be used, line 4: cards-forged.txt:4") == true)
    }

    @Test func `a contact that is the radio itself is none`() throws {
        let export = try Self.export("cards.json")
        let radio = Self.radio { $0.device.publicKey = Data(export.contacts[0].publicKey.array) }

        #expect(try ImportPlan(export, into: radio).changes.map(\.name) == ["Hill"])
    }
}
