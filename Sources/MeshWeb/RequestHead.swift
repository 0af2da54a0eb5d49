/// The head of a request, as far as it decides whether the request is admitted.
struct RequestHead: Hashable {
    var method = "GET"
    /// The target behind the method, undecoded: `/nodes/alice?limit=3`.
    var target = "/"
    /// The values of the fields `Host`, `Origin`, `Sec-Fetch-Site` and `Authorization`; a regular request has one of
    /// each.
    var hosts: [String] = []
    var origins: [String] = []
    var sites: [String] = []
    var authorizations: [String] = []
    /// The tags of the field `If-None-Match`.
    var knownTags: [String] = []
    /// The announced length of the body; `nil` where it is not known before.
    var bodyLength: Int?
}
