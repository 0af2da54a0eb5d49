/// A service that answers the requests a server of HTTP delivers.
package protocol WebService: Sendable {
    func answer(_ request: WebRequest) async -> WebAnswer

    /// The methods of a path, for the field `Allow` of refusals.
    func methods(at path: [String]) -> [String]

    /// Whether a path is for everybody, also without the token: what it answers is no secret, and asking changes nothing.
    func isOpen(_ path: [String]) -> Bool
}

extension WebService {
    package func methods(at path: [String]) -> [String] { ["GET", "POST", "PUT", "DELETE"] }

    package func isOpen(_ path: [String]) -> Bool { false }
}
