/// A service that answers the requests a server of HTTP delivers.
package protocol WebService: Sendable {
    func answer(_ request: WebRequest) async -> WebAnswer

    /// The methods of a path, for the field `Allow` of refusals.
    func methods(at path: [String]) -> [String]

    /// Returns true for a path that needs no token: its answers are no secret, and asking changes nothing.
    func isOpen(_ path: [String]) -> Bool
}

extension WebService {
    package func methods(at path: [String]) -> [String] { ["GET", "POST", "PUT", "DELETE"] }

    package func isOpen(_ path: [String]) -> Bool { false }
}
