import MeshLinks
import MeshSimulator

/// What can be done with a radio under test besides talking to it.
///
/// A statement names what it needs; where the target lacks it, the statement is not run and the report says why.
struct Capabilities: OptionSet, Sendable {
    let rawValue: UInt32

    /// Every statement gets a radio at factory settings of its own; nothing has to be restored.
    static let freshRadio = Capabilities(rawValue: 1 << 0)
    /// Minutes pass in no time, and the radio runs only while it is watched: frames can be taken one by one.
    static let virtualTime = Capabilities(rawValue: 1 << 1)
    /// The client can hang up and come back.
    static let link = Capabilities(rawValue: 1 << 2)
    /// A second client can connect while the first one is there.
    static let secondClient = Capabilities(rawValue: 1 << 3)
    /// The power can be cut.
    static let power = Capabilities(rawValue: 1 << 4)
    /// The radio may be restarted by command.
    static let reboot = Capabilities(rawValue: 1 << 5)
    /// The air is the suite's: any bytes with any signal can be put on it, it can be held, and nobody else is on it.
    static let air = Capabilities(rawValue: 1 << 6)
    /// Storage can be made to fail.
    static let faults = Capabilities(rawValue: 1 << 7)
    /// Builds with other capacities and parts can be had.
    static let boards = Capabilities(rawValue: 1 << 8)
    /// The contact table is empty when a statement begins.
    static let emptyContacts = Capabilities(rawValue: 1 << 9)
    /// The identity may be replaced, and the radio be put back to factory settings.
    static let identity = Capabilities(rawValue: 1 << 10)
    /// The clock may be set far ahead, which no client can undo.
    static let clock = Capabilities(rawValue: 1 << 11)
    /// The radio may be given what its firmware is known to be undefined on, and may crash.
    static let crash = Capabilities(rawValue: 1 << 12)
    /// Another radio is within radio range and takes part as itself: it sends texts, answers and acknowledges.
    static let peer = Capabilities(rawValue: 1 << 13)
    /// Packets of the suite's making reach the radio, and those of the radio are seen; signals and times are as they
    /// come. A peer does that which sends raw packets.
    static let packets = Capabilities(rawValue: 1 << 14)

    /// What a bench with one emulated radio can do: everything that needs no second one.
    static let bench = Capabilities(rawValue: ~0).subtracting(.peer)

    /// What a user would miss or has to pick up again: only with `--destructive` on a radio that is somebody's.
    static let destructive: Capabilities = [.identity, .reboot, .clock, .crash]

    /// All capabilities in the order of the report, each with what to tell the user when it is missing.
    static let reasons: [(capability: Capabilities, reason: String)] = [
        (.freshRadio, "needs a radio of its own at factory settings; run it with --target emulator"),
        (.peer, "needs another radio that takes part; name one in radio range with --peer"),
        (
            .packets,
            "needs packets of the suite's making on the air; name a radio in radio range, firmware 1.16 or newer, "
                + "with --peer"
        ),
        (.air, "needs an air of its own: exact signals, long or damaged packets; run it with --target emulator"),
        (.boards, "needs a build with other capacities or parts; run it with --target emulator"),
        (.faults, "needs storage that fails on demand; run it with --target emulator"),
        (.power, "needs the power cut at a given moment; run it with --target emulator"),
        (.virtualTime, "needs a radio that is taken through its work step by step; run it with --target emulator"),
        (.link, "needs a link that the client can drop; a serial line has none"),
        (.secondClient, "needs an interface that a second client can take over"),
        (.identity, "replaces the identity or erases the radio; run it with --destructive"),
        (.reboot, "restarts the radio; run it with --destructive"),
        (.clock, "sets the clock far ahead, which only a restart undoes; run it with --destructive"),
        (.crash, "may crash the radio, whose firmware is undefined there; run it with --destructive"),
        (.emptyContacts, "needs an empty contact table; --destructive clears it and puts the contacts back"),
    ]

    /// Why a target with these capabilities cannot do what `needs` asks for, or `nil` when it can.
    func reasonAgainst(_ needs: Capabilities) -> String? {
        Self.reasons.first { needs.contains($0.capability) && !contains($0.capability) }?.reason
    }
}

extension LinkAddress {
    /// The interface of a radio that is reached here.
    var interface: Interface {
        switch self {
        case .tcp: .wifi
        case .serial, .pty: .serial
        }
    }
}

/// Which of its interfaces a radio offers.
enum Interface: String, Sendable {
    /// USB or UART: hunts for `3C`, cuts long frames, always connected.
    case serial
    /// TCP of the ESP32 Wi-Fi builds: fixed headers, discards long frames, one client.
    case wifi
    /// TCP of the builds with an Ethernet module: hunts for `3C` as the serial line does, one client.
    case ethernet
    /// Whole frames at least 60 ms apart, of which four may wait, as on ESP32 Bluetooth: the link that is busy at times.
    case paced

    /// The build of the emulated board that has it.
    var appLink: AppLink {
        switch self {
        case .serial: .serial
        case .wifi: .wifi
        case .ethernet: .ethernet
        case .paced: .paced
        }
    }
}
