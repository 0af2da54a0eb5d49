import MeshFirmware

extension Scenario {
    /// The scenario as text: its nodes, their radio ranges and contacts, its script and its rules.
    public var text: String {
        var lines = ["there are " + cast.map { "\($0.name) (\($0.word))" }.joined(separator: ", ")]
        for link in links {
            let way =
                link.isOneWay
                ? "\(link.other.name) hears \(link.one.name)"
                : "\(link.one.name) and \(link.other.name) hear each other"
            lines.append(
                way + (link.loss > 0 ? ", and \(((link.loss * 1000).rounded() / 10).formatted) % is lost" : ""))
        }
        for knownContact in knownContacts {
            let path = knownContact.path.map { path in
                path.isEmpty ? ", next door" : ", over " + path.map(\.name).joined(separator: ", ")
            }
            lines.append("\(knownContact.who.name) knows \(knownContact.whom.name)" + (path ?? ""))
        }
        lines += bridges.map(\.sentence)
        lines += script.map(\.sentence) + rules.map(\.sentence)
        return lines.joined(separator: "\n")
    }
}

extension Member {
    fileprivate var word: String { role.word + (settings.sharedRadio.map { " at \($0)'s radio" } ?? "") }
}

extension Member.Role {
    fileprivate var word: String {
        switch self {
        case .stack(let choices): choices.preset == .architectureV2 ? "app" : "app, \(choices.preset.rawValue)"
        case .client: "session"
        case .room: "room"
        default: serverRole?.words ?? "stranger"
        }
    }
}
