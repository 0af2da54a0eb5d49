/// The head of a request, as far as it decides whether the request is taken.
struct RequestHead: Hashable {
    var method = "GET"
    /// What stands behind the method, undecoded: `/nodes/alice?limit=3`.
    var target = "/"
    /// The values of the fields `Host`, `Origin`, `Sec-Fetch-Site` and `Authorization`: one of each, in a request of good will.
    var hosts: [String] = []
    var origins: [String] = []
    var sites: [String] = []
    var authorizations: [String] = []
    /// The tags of the field `If-None-Match`.
    var knownTags: [String] = []
    /// How many bytes of body are announced; nothing where the length is not known before.
    var bodyLength: Int?
}
