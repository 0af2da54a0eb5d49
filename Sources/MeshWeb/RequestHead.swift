/// The head of a request, as far as it decides whether the request is admitted.
struct RequestHead: Hashable {
    var method = "GET"
    /// The values of the fields `Host`, `Origin`, `Sec-Fetch-Site` and `Authorization`: one of each, in a request of
    /// good will.
    var hosts: [String] = []
    var origins: [String] = []
    var sites: [String] = []
    var authorizations: [String] = []
    /// The tags of the field `If-None-Match`.
    var knownTags: [String] = []
    /// The field `Accept-Language`.
    var languages = ""
    /// The announced length of the body; `nil` where it is not known before.
    var bodyLength: Int?
}
