public import MeshBoards
import MeshFirmware
import MeshSimulator

/// A board that has lost its power in the middle of a write to its flash.
public struct FileIsTorn: Expectation {
    public let sentence = "a board loses its power while it writes"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let isTorn = try await stage.withWorld { world in
            world.nodes.contains { world.flash(of: $0).hasLostPower }
        }
        return Observation(isTorn, otherwise: "every board has its power")
    }
}

/// A radio that lacks a contact which its app has from it.
public struct ContactForgotten: Expectation {
    public let sentence = "a radio has forgotten a contact that its app knows"
    public let cast: [Member] = []
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        for who in stage.people {
            guard let app = try stage.app(of: who) as? StackApp else { continue }
            let known = try await app.knownKeys()
            let held = try await stage.withWorld { world in
                world.companion(try world.node(of: who)).map { Set($0.contacts.listed.map(\.publicKey)) }
            }
            if let held, !known.isSubset(of: held) { return .holds }
        }
        return .holdsNot("all radios have what their apps have")
    }
}

extension States {
    /// A board loses its power while it writes.
    public static let fileIsTorn = FileIsTorn()
    /// A radio has forgotten a contact that its app knows.
    public static let contactForgotten = ContactForgotten()
}
