/// A request at the control API, as a server of HTTP passes it on.
package struct ControlRequest: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`; others are refused.
    package var method: String
    /// The parts of the path, percent-decoded: `["nodes", "alice", "sends"]`.
    package var path: [String]
    /// The members of the query, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// The body as it came: JSON, or nothing.
    package var body: [UInt8]
    /// The tags of `If-None-Match`: the client has these versions already.
    package var knownTags: [String] = []

    package init(_ method: String, _ path: [String], query: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }
}

/// The answer to a request.
package struct ControlAnswer: Sendable {
    /// The body of an answer.
    package enum Body: Sendable {
        /// All of it.
        case whole([UInt8])
        /// Pieces as they come, until the stream ends or the reader is gone.
        case pieces(AsyncStream<[UInt8]>)
    }

    /// The status of HTTP.
    package var status: Int
    /// The media type of the body.
    package var type: String
    package var body: Body
    /// More fields of the head, by their names in lower case; they replace the server's own.
    package var fields: [(name: String, value: String)]

    package init(status: Int = 200, type: String, body: Body, fields: [(name: String, value: String)] = []) {
        self.status = status
        self.type = type
        self.body = body
        self.fields = fields
    }
}

/// A refusal of a request.
package struct ControlRefusal: Error, Hashable, Sendable {
    /// The kinds of refusals, as `openapi.json` names them; each has a status of HTTP.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case unauthorized, forbidden
        case notFound = "not-found"
        case notAllowed = "not-allowed"
        case conflict
        case tooLarge = "too-large"
        case busy, ended

        package var status: Int {
            switch self {
            case .badRequest: 400
            case .unauthorized: 401
            case .forbidden: 403
            case .notFound: 404
            case .notAllowed: 405
            case .conflict: 409
            case .tooLarge: 413
            case .busy, .ended: 503
            }
        }
    }

    package var code: Code
    /// The reason in one sentence for people.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// A service that answers the requests of a server of HTTP.
package protocol ControlService: Sendable {
    func answer(_ request: ControlRequest) async -> ControlAnswer

    /// The methods of a path, for the field `Allow` of refusals.
    func methods(at path: [String]) -> [String]

    /// Tells whether a path needs no token: its answer is no secret, and a request changes nothing.
    func isOpen(_ path: [String]) -> Bool
}

extension ControlService {
    package func methods(at path: [String]) -> [String] { ["GET", "POST", "PUT", "DELETE"] }

    package func isOpen(_ path: [String]) -> Bool { false }
}
