import MeshFirmware
import MeshSimulator
import MeshWire

/// What holds in every scenario, whatever happens in it.
public enum Invariants {
    /// All of them.
    public static let standard: [any Checker] = [NoRuleBroken(), NothingTwice(), DeliveredIsThere()]
}

/// No node has done what firmware never does: see the simulator's checkers.
public struct NoRuleBroken: Checker {
    public let sentence = "no node breaks a rule of the air"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Sight {
        let found = try await stage.withWorld { world in
            world.checkers.violations.first.map { "\(world.label(of: $0.node)): \($0.rule.rawValue)" }
        }
        return found.map(Sight.holdsNot) ?? .holds
    }
}

/// No app shows a text twice that was sent once.
public struct NothingTwice: Checker {
    public let sentence = "no app shows a text more often than it was sent"
    public let cast: [Member] = []

    public func look(at stage: Stage) async throws -> Sight {
        var sent: [String: Int] = [:]
        for member in stage.people {
            for letter in try await stage.app(of: member).letters() where !letter.isReceived {
                sent[letter.text, default: 0] += 1
            }
        }
        for member in stage.people {
            var seen: [String: Int] = [:]
            for letter in try await stage.app(of: member).letters() where letter.isReceived {
                seen[letter.text, default: 0] += 1
                guard let limit = sent[letter.text], seen[letter.text, default: 0] > limit else { continue }
                return .holdsNot("\(member.name) has “\(letter.text)” more often than it was sent")
            }
        }
        return .holds
    }
}

/// What a sender sees as delivered is in the recipient's app, or waits in the recipient's radio.
public struct DeliveredIsThere: Checker {
    public let sentence = "what is shown as delivered has been received"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Sight {
        for sender in stage.people {
            for letter in try await stage.app(of: sender).letters() where letter.standing == .delivered {
                guard case .contact(let prefix) = letter.thread else { continue }
                for recipient in stage.people where try await stage.key(of: recipient).sixBytes == prefix {
                    if try await isThere(letter.text, recipient, stage) { continue }
                    return .holdsNot(
                        "\(recipient.name) never got “\(letter.text)”, which \(sender.name) sees as delivered")
                }
            }
        }
        return .holds
    }

    private func isThere(_ text: String, _ recipient: Member, _ stage: Stage) async throws -> Bool {
        if try await stage.app(of: recipient).letters().contains(where: { $0.isReceived && $0.text == text }) {
            return true
        }
        return try await stage.withWorld { world in
            guard let radio = world.companion(try world.node(of: recipient)) else { return false }
            return radio.offlineQueue.count > 0
        }
    }
}
