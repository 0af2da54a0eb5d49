package import MeshBoards
package import MeshTransports

/// A node of somebody's as a tester names it: its console, and the antenna beside it.
package struct LinkedNode: Hashable, Sendable {
    /// The antenna beside a node.
    package enum Antenna: Hashable, Sendable {
        /// A companion radio in radio range.
        case companion(LinkAddress)
        /// A KISS modem in radio range.
        case modem(LinkAddress)

        private static let modemPrefix = "modem:"
        /// The forms in which a user can write one, in a sentence.
        package static let forms =
            "\(LinkAddress.radioForms), or a KISS modem at \(modemPrefix)\(LinkAddress.tcpForm) or "
            + "\(modemPrefix)\(LinkAddress.serialForm)"

        /// Reads the address of a companion radio, or that of a modem behind `modem:`.
        package init(_ text: String) throws(LinkError) {
            guard text.hasPrefix(Self.modemPrefix) else {
                self = .companion(try LinkAddress(radio: text))
                return
            }
            let address = try LinkAddress(radio: text.dropFirst(Self.modemPrefix.count))
            guard address.isStream else {
                throw .badAddress(text, reason: "a modem is at \(LinkedNode.consoleForms)")
            }
            self = .modem(address)
        }

        /// The address as a user writes it.
        var text: String {
            switch self {
            case .companion(let address): address.brief
            case .modem(let address): Self.modemPrefix + address.brief
            }
        }
    }

    /// The forms of addresses at which a console can be, in a sentence.
    package static let consoleForms = "\(LinkAddress.tcpForm) or \(LinkAddress.serialForm)"

    /// The console: TCP, or a serial line.
    package let console: LinkAddress
    /// The antenna beside it; `nil` for the console alone.
    package var antenna: Antenna?
    /// The administrator's password.
    package var password: String?
    /// The seconds of the nodes in one of the wall: more than 1 where an emulated world runs fast.
    package var speed = 1.0
    /// `.destructive` where the node may be restarted, and its clients removed for the time of the run.
    package var allowed: Abilities = []

    /// A node whose console is here; `nil` for an address at which no console can be.
    package init?(console: LinkAddress) {
        guard console.isStream else { return nil }
        self.console = console
    }

    func target() -> LinkedRoleTarget {
        let clock = BenchClock(speed: speed)
        let antenna: (any RoleAntenna)? =
            switch self.antenna {
            case .companion(let address): LinkedCompanion(address, clock)
            case .modem(let address): ModemAntenna(address, clock)
            case nil: nil
            }
        return LinkedRoleTarget(
            StreamConsole(console, clock), antenna: antenna, password: password ?? "password", allowing: allowed)
    }

    /// The arguments of a command line that mean the same node. A password is not in them.
    var arguments: [String] {
        var words = ["--target", console.brief]
        if let antenna { words += ["--antenna", antenna.text] }
        if speed != 1 { words += ["--speed", "\(speed)"] }
        if allowed.contains(.destructive) { words.append("--destructive") }
        return words
    }
}

extension LinkAddress {
    /// True for a TCP port or a serial line, whose bytes are those of the other end.
    fileprivate var isStream: Bool {
        switch self {
        case .tcp, .serial, .remote, .pty: true
        case .controller, .bluetooth: false
        }
    }
}
