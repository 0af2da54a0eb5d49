/// A request as a server of HTTP delivers it to a service.
package struct WebRequest: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`; others are refused.
    package var method: String
    /// The parts of the path, percent-decoded: `["nodes", "alice", "sends"]`.
    package var path: [String]
    /// The members of the query, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// The body as it came: JSON, or nothing.
    package var body: [UInt8]
    /// The tags of `If-None-Match`: versions that the client has already.
    package var knownTags: [String] = []
    /// The field `Accept-Language`: the languages that the client wants, the best one not necessarily first.
    package var languages = ""

    package init(_ method: String, _ path: [String], query: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }
}
