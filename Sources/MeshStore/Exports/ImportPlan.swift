import FoundationEssentials
import MeshCore
package import MeshFiles
import MeshPacket
package import MeshWire

/// The changes that an export makes to a radio, decided before the first of them is made.
///
/// A plan that cannot be carried out as a whole is refused: entries that cannot be used, and more contacts or channels
/// than the radio has room for. Contacts and channels that the radio has are no changes.
package struct ImportPlan: Hashable, Sendable {
    /// The parts of an export, any of which may be left aside.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case contacts
        case channels
        case settings
    }

    /// One change, in the order in which they are made: what may cut the radio off from the mesh comes last.
    package struct Change: Hashable, Sendable {
        /// What is done, and to which value.
        package enum Step: Hashable, Sendable {
            /// A new contact.
            case contact(ContactDTO)
            /// A new contact whose card the radio reads itself.
            case card([UInt8])
            /// A contact of the radio that gets another name or type.
            case renamed(ContactLink)
            case channel(AppExport.Channel)
            case name(String)
            case place(GeoPoint)
            case manualAdd(Bool)
            case sharesLocation(Bool)
            case telemetry(base: UInt8?, location: UInt8?, environment: UInt8?)
            case multiAcks(UInt8)
            case txPower(Int8)
            case radio(RadioParameters)
        }

        package let step: Step
        /// The kind of the change in one word, such as `contact`.
        package let kind: String
        /// The contact's or channel's name, or that of the setting; from outside.
        package let name: String
        /// The value that the radio has; empty for something new.
        package let from: String
        /// The value that it gets; never a secret.
        package let to: String
    }

    package private(set) var changes: [Change] = []
    /// Contacts, channels and settings that the radio has as they are.
    package private(set) var unchanged = 0
    /// What is not taken over, and why.
    package private(set) var leftOut: LeftOut

    /// What a radio has, as far as an import needs it.
    package struct Radio: Sendable {
        package var device: DeviceDTO
        package var contacts: [ContactDTO]
        package var channels: [ChannelDTO]

        package init(device: DeviceDTO, contacts: [ContactDTO], channels: [ChannelDTO]) {
            self.device = device
            self.contacts = contacts
            self.channels = channels
        }
    }

    /// Plans the import. Throws the first refusal of the export, unless they are skipped, and for a radio without room.
    package init(
        _ export: AppExport, into radio: Radio, parts: Set<Part> = Set(Part.allCases), skipsRefusals: Bool = false
    ) throws(FileProblem) {
        leftOut = export.leftOut
        for refusal in export.refusals {
            guard skipsRefusals else { throw refusal }
            leftOut.note("that cannot be used", line: refusal.line, detail: "\(refusal)")
        }
        if parts.contains(.contacts) { try planContacts(export, radio) }
        if parts.contains(.channels) { try planChannels(export, radio) }
        if parts.contains(.settings) { try planSettings(export.settings, radio.device) }
    }

    // MARK: Contacts

    private mutating func planContacts(_ export: AppExport, _ radio: Radio) throws(FileProblem) {
        let known = Dictionary(radio.contacts.map { ($0.publicKey, $0) }) { first, _ in first }
        // Paths begin at the radio that was exported.
        let isOwn = export.publicKey.map { Data($0.array) == radio.device.publicKey } ?? false
        var added = 0
        for contact in export.contacts {
            let key = Data(contact.publicKey.array)
            guard key != radio.device.publicKey else {
                leftOut.note("for the radio itself", isFault: false, line: 0)
                continue
            }
            if contact.path != AppExport.Path(), !isOwn {
                leftOut.note("with a path from another radio", isFault: false, line: 0)
            }
            guard let row = known[key], row.onRadio, !row.isDiscovered else {
                added += 1
                changes.append(Change(adding: contact, takesPath: isOwn, deviceID: radio.device.id))
                continue
            }
            guard contact.card == nil, row.name != contact.name || row.typeRawValue != contact.type else {
                unchanged += 1
                continue
            }
            let link = ContactLink(name: contact.name, publicKey: key, type: contact.type)
            changes.append(
                Change(
                    step: .renamed(link), kind: "contact", name: row.name, from: Change.text(row.name, row.type),
                    to: Change.text(contact.name, NodeType(rawValue: contact.type))))
        }
        let room = radio.device.maxContacts - radio.contacts.count { $0.onRadio && !$0.isDiscovered }
        guard radio.device.maxContacts == 0 || added <= max(0, room) else {
            throw FileProblem(
                line: 0, field: "contacts", reason: "are \(added) new ones, and the radio has room for \(max(0, room))")
        }
    }

    // MARK: Channels

    private mutating func planChannels(_ export: AppExport, _ radio: Radio) throws(FileProblem) {
        let used = radio.channels.filter { !$0.isArchived }
        let known = Dictionary(used.map { ($0.secret, $0) }) { first, _ in first }
        var added = 0
        for channel in export.channels {
            if let row = known[channel.secret] {
                unchanged += 1
                if row.name != channel.name {
                    leftOut.note("for a channel with another name on the radio", isFault: false, line: 0)
                }
                continue
            }
            added += 1
            let region = channel.region.map { ", region \($0)" } ?? ""
            changes.append(
                Change(
                    step: .channel(channel), kind: "channel", name: channel.name, from: "", to: "a free slot\(region)"))
        }
        // Slot 0 is that of the public channel.
        let room = radio.device.maxChannels - 1 - used.count { $0.index > 0 }
        guard radio.device.maxChannels == 0 || added <= max(0, room) else {
            throw FileProblem(
                line: 0, field: "channels",
                reason: "are \(added) new ones, and the radio has \(max(0, room)) free slots")
        }
    }

    // MARK: Settings

    private mutating func planSettings(_ settings: AppExport.Settings, _ device: DeviceDTO) throws(FileProblem) {
        plan("name", settings.name, device.nodeName, { $0 }, Change.Step.name)
        // The radio keeps millionths of a degree.
        let place = GeoPoint(stated: device.latitude, device.longitude)
        let isSame = settings.place.map { $0.microdegrees.map { [$0, $1] } == place?.microdegrees.map { [$0, $1] } }
        plan("position", settings.place, isSame == true ? settings.place : place, Change.text, Change.Step.place)
        plan("contacts added by hand", settings.manualAdd, device.manualAddContacts, { "\($0)" }, Change.Step.manualAdd)
        plan(
            "position in adverts", settings.sharesLocation, device.advertLocationPolicy != 0, { "\($0)" },
            Change.Step.sharesLocation)
        let modes = [
            (settings.telemetryBase, device.telemetryModeBase), (settings.telemetryLocation, device.telemetryModeLoc),
            (settings.telemetryEnvironment, device.telemetryModeEnv),
        ]
        let wanted = modes.contains { $0.0 != nil } ? modes.map { $0.0 ?? $0.1 } : nil
        plan("telemetry", wanted, modes.map(\.1), { $0.map(String.init).joined(separator: ", ") }) {
            .telemetry(base: $0[0], location: $0[1], environment: $0[2])
        }
        plan("further acks", settings.multiAcks, device.multiAcks, { "\($0)" }, Change.Step.multiAcks)
        if let power = settings.txPower {
            do throws(StackError) {
                try RadioRanges.firmware(maxPower: device.maxTxPower).check(power: power)
            } catch {
                throw FileProblem(
                    line: 0, field: "radio_settings.tx_power",
                    reason: "\(power) dBm is not within -9 and \(device.maxTxPower) dBm, the most of this radio")
            }
        }
        plan("power", settings.txPower, device.txPower, { "\($0) dBm" }, Change.Step.txPower)
        plan("radio", settings.radio, device.radioParameters, Change.text, Change.Step.radio)
    }

    private mutating func plan<V: Equatable>(
        _ name: String, _ wanted: V?, _ actual: V?, _ text: (V) -> String, _ step: (V) -> Change.Step
    ) {
        guard let wanted else { return }
        guard wanted != actual else {
            unchanged += 1
            return
        }
        changes.append(
            Change(
                step: step(wanted), kind: "setting", name: name, from: actual.map(text) ?? "not set", to: text(wanted)))
    }
}

extension ImportPlan.Change {
    fileprivate init(adding contact: AppExport.Contact, takesPath: Bool, deviceID: UUID) {
        let text = Self.text(contact.name, NodeType(rawValue: contact.type))
        let key = contact.publicKey.prefix(6).hex
        guard contact.card == nil else {
            let step = Step.card(contact.card ?? [])
            self.init(step: step, kind: "contact", name: contact.name, from: "", to: "\(text), \(key), by its card")
            return
        }
        let path = takesPath ? contact.path : AppExport.Path()
        let row = ContactDTO(
            deviceID: deviceID, publicKey: Data(contact.publicKey.array), name: contact.name,
            typeRawValue: contact.type, flags: contact.flags, outPathLengthRaw: path.length.rawValue,
            outPath: Data(path.hashes), latitude: contact.place?.latitude ?? 0,
            longitude: contact.place?.longitude ?? 0, nickname: contact.nickname, isFavorite: contact.flags & 1 != 0)
        self.init(step: .contact(row), kind: "contact", name: contact.name, from: "", to: "\(text), \(key)")
    }

    static func text(_ place: GeoPoint) -> String { "\(place.latitude), \(place.longitude)" }

    static func text(_ name: String, _ type: NodeType) -> String { "\(name), \(type)" }

    static func text(_ radio: RadioParameters) -> String {
        "\(radio.megahertz.fixed(atMost: 3)) MHz, \(radio.kilohertz.fixed(atMost: 3)) kHz, SF \(radio.spreadingFactor), "
            + "CR 4/\(radio.codingRate)"
    }
}
