/// Abilities of a target besides talking to one radio.
///
/// Statements, words of scenarios and tests name what they need; where the target lacks it, they are not run and the
/// report says why.
public struct Abilities: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The radio is made for the run and at factory settings; nothing has to be restored.
    public static let freshRadio = Abilities(rawValue: 1 << 0)
    /// Nodes of any kind, and links between them.
    public static let mesh = Abilities(rawValue: 1 << 1)
    /// Hours pass in no time, and only while a caller waits: frames can be read one by one.
    public static let time = Abilities(rawValue: 1 << 2)
    /// The air is the run's: any bytes with any signal can be put on it, and it can be held.
    public static let air = Abilities(rawValue: 1 << 3)
    /// Packets of the suite's making reach the radio, and those of the radio are seen; signals and times are as they
    /// come. A peer does that which sends raw packets.
    public static let packets = Abilities(rawValue: 1 << 4)
    /// The power can be cut and restored.
    public static let power = Abilities(rawValue: 1 << 5)
    /// Flash, clocks and sensors can be reached.
    public static let board = Abilities(rawValue: 1 << 6)
    /// Storage can be made to fail.
    public static let storage = Abilities(rawValue: 1 << 7)
    /// Builds with other capacities and parts can be had.
    public static let builds = Abilities(rawValue: 1 << 8)
    /// The radio notices that its client hangs up and comes back; on a serial line it does not.
    public static let link = Abilities(rawValue: 1 << 9)
    /// A second client can connect while the first one is there.
    public static let secondClient = Abilities(rawValue: 1 << 10)
    /// Another radio is within radio range and takes part as itself: it sends texts, answers and acknowledges.
    public static let secondRadio = Abilities(rawValue: 1 << 11)
    /// The contact table may be emptied, or is empty.
    public static let emptyContacts = Abilities(rawValue: 1 << 12)
    /// The radio may be restarted by command.
    public static let restart = Abilities(rawValue: 1 << 13)
    /// The identity may be replaced, and the radio be put back to factory settings.
    public static let identity = Abilities(rawValue: 1 << 14)
    /// The clock may be set far ahead, which no client can undo.
    public static let clock = Abilities(rawValue: 1 << 15)
    /// The radio may be given what its firmware is known to be undefined on, and may crash.
    public static let crash = Abilities(rawValue: 1 << 16)
    /// The suite can be the radio's Bluetooth central.
    public static let bluetooth = Abilities(rawValue: 1 << 17)
    /// The console of an infrastructure node can be typed at and read.
    public static let console = Abilities(rawValue: 1 << 18)
    /// Any bytes can be sent as one frame with a good checksum.
    ///
    /// Companion radios pass neither long packets on, nor bytes that are no packet.
    public static let frames = Abilities(rawValue: 1 << 19)
    /// Apps can be at two interfaces of one radio at the same time.
    public static let secondInterface = Abilities(rawValue: 1 << 20)

    /// Abilities that cost a user state or a reconnection: only where the owner of a radio allows them.
    public static let destructive: Abilities = [.restart, .identity, .clock, .crash]

    /// All abilities, as emulated worlds on virtual time have them.
    public static let all = Abilities(rawValue: (1 << 21) - 1)

    /// Abilities of one emulated radio or one on a rig: everything that needs no second one.
    package static let rig = Abilities.all.subtracting([.mesh, .secondRadio, .bluetooth, .console, .secondInterface])
    /// Abilities of one emulated radio in this process.
    package static let emulated = Abilities.rig.union([.bluetooth, .secondInterface])
}

// What users are told where something is missing.
extension Abilities {
    /// The purpose of one ability, and how to have it.
    package struct Row {
        package let ability: Abilities
        /// The need of a check that asks for it: `needs nodes of its own`.
        let need: String
        /// The details, and what to do about it, with the punctuation before them.
        let advice: String

        init(_ ability: Abilities, _ need: String, _ advice: String = "") {
            self.ability = ability
            self.need = need
            self.advice = advice
        }

        /// All of it, in one phrase.
        package var reason: String { need + advice }
    }

    private static let onEmulator = "; run it with --target emulator"
    private static let whenAllowed = "; run it with --destructive"

    /// All abilities, in the order of reports.
    package static let rows: [Row] = [
        Row(.freshRadio, "needs a radio of its own at factory settings", onEmulator),
        Row(.mesh, "needs nodes of its own", onEmulator),
        Row(
            .packets, "needs packets of the suite's making on the air",
            "; name a radio in radio range, firmware 1.16 or newer, with --peer"),
        Row(.frames, "needs frames that are no packets, or longer ones than a companion radio passes on", onEmulator),
        Row(.air, "needs control over the air", ": exact signals, long or damaged packets" + onEmulator),
        Row(.builds, "needs a build with other capacities or parts", onEmulator),
        Row(.storage, "needs storage that fails on demand", onEmulator),
        Row(.power, "needs control over power", ": a cut at a given moment" + onEmulator),
        Row(
            .time, "needs control over time",
            ": a radio that is taken through its work step by step, frames that come about at one moment" + onEmulator),
        Row(.board, "needs a look into the board", onEmulator),
        Row(.console, "needs the console of an infrastructure node", onEmulator),
        Row(.secondRadio, "needs a second radio", " that takes part; name one in radio range with --peer"),
        Row(
            .bluetooth, "needs a radio that is reached over Bluetooth",
            onEmulator + ", or on an adapter with mode=exact"),
        Row(.link, "needs a link that the client can drop", "; a serial line has none"),
        Row(.secondClient, "needs an interface that a second client can take over"),
        Row(.secondInterface, "needs two interfaces of one radio at the same time", onEmulator + " --firmware 1.18"),
        Row(.identity, "replaces the identity or erases the radio", whenAllowed),
        Row(.restart, "restarts the radio", whenAllowed),
        Row(.clock, "sets the clock far ahead, which only a restart undoes", whenAllowed),
        Row(.crash, "may crash the radio, whose firmware is undefined there", whenAllowed),
        Row(
            .emptyContacts, "needs an empty contact table", "; --destructive clears it and puts the contacts back"),
    ]

    /// The reasons why a radio of a bench lacks one of the abilities, and what its owner can do about it.
    static let benchReasons: [(abilities: Abilities, reason: String)] = [
        (
            .rig.subtracting([.destructive, .packets, .link, .secondClient, .emptyContacts]),
            "is not on a rig: nothing steers its time, air, power and storage"
        ),
        ([.mesh, .secondRadio, .packets], "has no other radio of the bench near it; say so with near:"),
        ([.link, .secondClient], "has a link that a client cannot drop: a serial line"),
        (
            [.identity, .clock, .crash, .emptyContacts],
            "may not be erased or changed for good; allow it with allowing: .destructive"
        ),
        (.restart, "may not be restarted; allow it with allowing: .restart"),
        (.secondInterface, "is reached at one interface at a time"),
        (.console, "is a companion radio, which has no console of an infrastructure node"),
    ]

    /// Returns the reason why something that needs `needs` cannot be done here, with advice; `nil` when it can.
    package func reasonAgainst(_ needs: Abilities) -> String? { lacks(of: needs).first?.reason }

    /// All that is missing for `needs` in one phrase, as `needs nodes of its own, control over power`; `nil` if nothing
    /// is.
    public func lack(for needs: Abilities) -> String? {
        let lacks = lacks(of: needs).map(\.need)
        guard let first = lacks.first else { return nil }
        let others = lacks.dropFirst().map { $0.hasPrefix("needs ") ? String($0.dropFirst(6)) : $0 }
        return ([first] + others).joined(separator: ", ")
    }

    private func lacks(of needs: Abilities) -> [Row] {
        Self.rows.filter { needs.contains($0.ability) && !contains($0.ability) }
    }
}
