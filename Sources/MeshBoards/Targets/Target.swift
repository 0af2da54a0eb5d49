package import MeshFirmware
package import MeshSimulator
public import MeshTransports

/// The radio or radios of a user, and their permissions: for compliance runs and for scenarios.
///
/// | word | radios | time of a compliance run | time of a scenario |
/// |---|---|---|---|
/// | `emulator` | emulated, in this process | virtual | virtual |
/// | `emulator+tcp` | emulated, at TCP ports of this machine | held | real, twenty times as fast |
/// | `emulator+pty` | emulated, at pseudo-terminals | held | real, twenty times as fast |
/// | `emulator+ble-esp32` | emulated, over a modelled Bluetooth link | virtual | virtual |
/// | `emulator+ble-nrf52` | the same with the other chip family | virtual | virtual |
/// | `labgrid:PLACE` | a real one, where labgrid says | real | real |
/// | `tcp://HOST:PORT`, `serial:PATH`, `rfc2217://HOST:PORT` | a real one | real, or held by its rig | real |
/// | `ble:RADIO[?via=CONTROLLER]` | a real one | real, or held by its rig | real |
///
/// A compliance run uses one radio; a scenario uses as many real ones as it has people.
public struct Target: Hashable, Sendable, CustomStringConvertible {
    /// The real links to an emulated radio.
    public enum Wire: String, Hashable, Sendable, CaseIterable {
        case tcp, pty

        /// The build of the emulated board that has it.
        package var interface: AppLink { self == .tcp ? .wifi : .serial }
    }

    /// Over which modelled link an emulated radio of this process is reached.
    public enum Modelled: String, Hashable, Sendable, CaseIterable {
        /// The Bluetooth of a chip family: pairing, connection events, and the radio's own pace.
        case bluetoothESP32 = "ble-esp32"
        case bluetoothNRF52 = "ble-nrf52"

        /// A board of the chip family.
        package var board: BoardProfile {
            switch self {
            case .bluetoothESP32: .heltecV3
            case .bluetoothNRF52: .rak4631
            }
        }
    }

    /// The places of a target's radios.
    public enum Place: Hashable, Sendable {
        /// Emulated ones, in this process.
        case emulator
        /// Emulated ones, behind real links of this machine.
        case wired(Wire)
        /// Emulated ones, in this process, over links with the times of real ones.
        case modelled(Modelled)
        /// Real radios: the first person of a scenario has the first, and so on.
        case radios([LinkAddress])
    }

    /// Emulated, or at addresses of their own.
    public let place: Place
    /// The address of the rig around a real radio, if it is on one.
    public var rig: LinkAddress?
    /// Permissions by the owner of a real radio: `.restart`, `.destructive` or nothing; all else is found out.
    public var allowed: Abilities
    /// The label of the radio on a bench.
    package var label: String?
    /// The facts of a bench file about the radio, if it is in one.
    package var board: Board?

    /// The emulated radio in this process.
    public static let emulator = Target(.emulator)

    /// The radios of a place, of which a rig steers one at most.
    public init(_ place: Place, rig: LinkAddress? = nil, allowing allowed: Abilities = []) {
        self.place = place
        self.rig = rig
        self.allowed = allowed
    }

    /// A real radio.
    public init(_ address: LinkAddress, rig: LinkAddress? = nil, allowing allowed: Abilities = []) {
        self.init(.radios([address]), rig: rig, allowing: allowed)
    }

    /// Tells whether time is virtual: the same seed gives the same run.
    public var isRepeatable: Bool {
        switch place {
        case .emulator, .modelled: true
        case .wired, .radios: false
        }
    }

    /// Reads `emulator`, one of its links as in `emulator+tcp` or `emulator+ble-esp32`, or the address of a radio
    /// (`LinkAddress.init(radio:)`).
    public init(_ word: String) throws(LinkError) {
        if let place = Self.emulated.first(where: { $0.words == [word] }) {
            self.init(place)
            return
        }
        if word.hasPrefix(LabgridPlace.scheme) {
            try self.init(labgrid: word)
            return
        }
        self.init(try LinkAddress(radio: word, expecting: Self.formList))
    }

    /// Reads a place of labgrid, which is not in a bench file.
    private init(labgrid word: String) throws(LinkError) {
        let name = String(word.dropFirst(LabgridPlace.scheme.count))
        if let problem = LabgridPlace.problem(withName: name) {
            throw .badAddress(word, reason: "the place \(problem)")
        }
        self.init(.radios([]))
        var board = Board(label: word)
        board.place = name
        board.isListed = false
        (self.board, label) = (board, word)
    }

    /// Reads one target of several words, which are all addresses of radios when there are more than one.
    public init(words: [String]) throws(LinkError) {
        var targets: [Target] = []
        for word in words { targets.append(try Target(word)) }
        guard let target = Target(joining: targets) else {
            throw .badAddress(words.joined(separator: " "), reason: "several targets are real radios")
        }
        self = target
    }

    /// Real radios as one target, which allows what all of them do; one target as it is, without rig and label. `nil`
    /// when there is none, or when one of several is emulated.
    package init?(joining targets: [Target]) {
        guard let first = targets.first else { return nil }
        guard targets.count > 1 else {
            self.init(first.place, allowing: first.allowed)
            return
        }
        guard targets.allSatisfy(\.isReal) else { return nil }
        let addresses = targets.flatMap(\.addresses)
        self.init(.radios(addresses), allowing: targets.reduce(.destructive) { $0.intersection($1.allowed) })
    }

    private static let emulated: [Place] =
        [.emulator] + Wire.allCases.map(Place.wired) + Modelled.allCases.map(Place.modelled)
    private static let formList = emulated.flatMap(\.words) + LinkAddress.radioFormList + [LabgridPlace.form]
    /// The forms in which a user can write a target, in a sentence.
    package static let forms = LinkAddress.sentence(formList)
    /// The same as the name of a value, with the beginnings of addresses.
    package static let valueName = "emulator|\(LinkAddress.radioValueName)"

    /// The addresses of real radios; none for emulated ones.
    public var addresses: [LinkAddress] { if case .radios(let addresses) = place { addresses } else { [] } }

    /// Tells whether there is one of each radio, which others can hear, and which runs share.
    public var isReal: Bool { if case .radios = place { true } else { false } }

    /// The abilities of the target, one radio at a time where it is emulated.
    public var abilities: Abilities {
        switch place {
        case .emulator, .modelled: return .emulated
        case .wired, .radios: break
        }
        guard isReal, rig == nil else { return .rig }
        var abilities = allowed.intersection(.destructive)
        // Whoever may erase a radio may empty its contacts.
        if abilities == .destructive { abilities.insert(.emptyContacts) }
        if addresses.count > 1 { abilities.insert(.secondRadio) }
        // Nobody on a line notices who opens and closes it.
        if !isSomewhere, !addresses.contains(where: \.isLine) { abilities.insert(.link) }
        // A radio takes one central, and a controller that is taken is nobody else's.
        if !isSomewhere, addresses.allSatisfy({ $0.interface == .wifi }) { abilities.insert(.secondClient) }
        if addresses.count == 1, addresses.contains(where: \.hasController) { abilities.insert(.bluetooth) }
        if board?.powerCycle != nil { abilities.insert(.power) }
        return abilities
    }

    /// True for one radio whose line is found when it is used: by its USB serial number, or behind a place.
    package var isSomewhere: Bool { isReal && addresses.isEmpty }

    /// The arguments of a command line that mean the same radios.
    public var arguments: [String] {
        if let board { return ["--target", board.label] }
        return place.words.flatMap { ["--target", $0] } + (rig.map { ["--rig", "\($0)"] } ?? [])
    }

    /// The words, without the rig.
    public var description: String { isSomewhere ? label ?? "" : place.words.joined(separator: " ") }

    /// The name in reports.
    package var title: String { label ?? description }
}

extension Target.Place {
    /// The word that a user writes for it.
    fileprivate var words: [String] {
        switch self {
        case .emulator: ["emulator"]
        case .wired(let wire): ["emulator+\(wire.rawValue)"]
        case .modelled(let link): ["emulator+\(link.rawValue)"]
        case .radios(let addresses): addresses.map(\.brief)
        }
    }
}
