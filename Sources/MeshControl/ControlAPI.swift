package import MeshEmulator
package import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWorlds

/// The control API of a running world: looks at it and changes it as requests ask for, in the order in which they come.
///
/// ```swift
/// let api = ControlAPI(emulator, world: "pair", provenance: provenance)
/// let answer = await api.answer(WebRequest("POST", ["advance"], body: Array(#"{"seconds":60}"#.utf8)))
/// ```
///
/// Its operations are listed in `openapi.json`. It uses the terms of HTTP and knows nothing else of it.
package struct ControlAPI: WebService {
    let emulator: Emulator
    /// The world, as its user named it.
    let world: String
    /// The provenance of the run, as one JSON object.
    let provenance: String

    /// - Parameters:
    ///   - emulator: was started with `isSteered`.
    ///   - provenance: the text of a JSON object.
    package init(_ emulator: Emulator, world: String, provenance: String) {
        self.emulator = emulator
        self.world = world
        self.provenance = provenance
    }

    /// The document that describes all this, in JSON.
    package static var document: [UInt8] { PackageResources.openapi_json }

    /// The operations of the API: `GET /world` and so on.
    package static var operations: [String] {
        routes.operations()
    }

    /// Everything that `openapi.json` lists.
    static let routes = [
        worlds, nodes, bodies, displays, people, boards, clients, airs, drops, messages, histories,
    ].flatMap { $0 }

    package func methods(at path: [String]) -> [String] { Self.routes.methods(at: path) }

    package func answer(_ request: WebRequest) async -> WebAnswer {
        do {
            let (route, call) = try Self.routes.route(of: request, list: "/openapi.json")
            return try await route.perform(self, call)
        } catch {
            return WebAnswer(WebRefusal(steering: error))
        }
    }

    /// Steers the world, and answers with the result.
    func steer<R: Encodable & Sendable>(
        _ body: @escaping @Sendable (inout WorldDriver) throws -> R
    ) async throws -> WebAnswer {
        try WebAnswer(await emulator.steer(body))
    }

    /// Reads the world, and answers with the result.
    func look<R: Encodable & Sendable>(
        _ body: @escaping @Sendable (inout WorldDriver) throws -> R
    ) async throws -> WebAnswer {
        try WebAnswer(await emulator.look(body))
    }

    /// Steers the world, and answers with how it stands then.
    func change(_ body: @escaping @Sendable (inout WorldDriver) throws -> Void) async throws -> WebAnswer {
        try WebAnswer(await emulator.steer(body) { StateRecord($0) })
    }
}

extension WebRefusal {
    /// An error of the world or of its people, with the code that clients know it by.
    init(steering error: any Error) {
        switch error {
        case let error as MeshPeople.Reluctance: self.init(.conflict, error.words)
        case let error as SnapshotProblem: self = error.refusal
        case let error as FateProblem: self.init(.conflict, "\(error)")
        case EmulatorError.tooManySteps(let most): self.init(.busy, "\(most) requests wait for time already")
        case EmulatorError.ended: self.init(.ended, "the run has ended, or was set back")
        default: self.init(error)
        }
    }
}

extension MeshPeople.Reluctance {
    fileprivate var words: String {
        switch self {
        case .noApp: "the node has no app: only companion radios have; use its console"
        case .foreign: "the node has an endpoint: its app is the client's"
        case .itself: "no app sends a text to itself"
        case .noRecipient: "the other node takes no texts: only companion radios do; use enters and posts for rooms"
        case .noRoom: "the other node is no room server"
        case .noChannel(let place):
            "the radio has no channel at place \(place): a person's radio has the public one at place 0 alone"
        case .notIn: "the room has not let the app in: use enters, and wait until isIn"
        }
    }
}

extension SnapshotProblem {
    fileprivate var refusal: WebRefusal {
        switch self {
        case .tooMany(let most): WebRefusal(.conflict, "there are \(most) snapshots: delete one first")
        case .unknown(let name): WebRefusal(.notFound, "there is no snapshot \"\(name)\"")
        case .hasGuest(let label):
            WebRefusal(.conflict, "node \"\(label)\" lives in another program, which does not go back")
        }
    }
}
