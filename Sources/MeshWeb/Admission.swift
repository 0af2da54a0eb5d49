import MeshHTTP

/// Decides by the head of a request whether it is admitted.
///
/// A page in a browser reaches this machine's ports as well as its user does. Such a page states its origin in `Origin`
/// or `Sec-Fetch-Site`. If a foreign name leads to this machine, the page's origin is ours, and `Host` has that name. A
/// literal address cannot be led anywhere.
/// `Host` has that name; a literal address cannot be led anywhere.
struct Admission: Sendable {
    static let methods = ["GET", "POST", "PUT", "DELETE"]

    /// The token that a request must carry, if any.
    var token: String?
    /// The names of this machine, in lower case.
    var names = ["localhost"]
    /// The longest body.
    var body: Int

    /// - Parameter isOpen: whether the request needs no token.
    func check(_ head: RequestHead, isOpen: Bool = false) throws(WebRefusal) {
        try checkOrigin(head)
        if !(isOpen && head.method == "GET") { try checkToken(head) }
        guard Self.methods.contains(head.method) else {
            throw WebRefusal(.notAllowed, "The methods are \(Self.methods.joined(separator: ", ")).")
        }
        if let length = head.bodyLength, length > body { throw tooLong }
    }

    var tooLong: WebRefusal { WebRefusal(.tooLarge, "A body has at most \(body) bytes.") }

    // MARK: Pages

    private func checkOrigin(_ head: RequestHead) throws(WebRefusal) {
        guard head.hosts.count < 2 else { throw WebRefusal(.badRequest, "The request has more than one Host.") }
        let host = head.hosts.first?.lowercased()
        // The token says enough of who asks: a page does not know it.
        if token == nil {
            guard let host, isOurs(host) else {
                throw WebRefusal(
                    .forbidden, "The request's Host is not this machine: take its literal address, or localhost.")
            }
        }
        let own = host.map { "http://\($0)" }
        guard head.origins.allSatisfy({ $0.lowercased() == own }),
            // Whatever the user has typed comes from no page.
            head.sites.allSatisfy({ ["same-origin", "none"].contains($0.lowercased()) })
        else { throw WebRefusal(.forbidden, "The request comes from a page of another origin.") }
    }

    /// Tells whether a host, with or without a port, is a name of this machine or a literal address.
    func isOurs(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]"), isPort(host[host.index(after: end)...]) else { return false }
            let address = host[host.index(after: host.startIndex)..<end]
            return address.contains(":") && address.allSatisfy { $0.isASCII && ($0.isHexDigit || ":.".contains($0)) }
        }
        let name = host.prefix { $0 != ":" }
        guard isPort(host[name.endIndex...]) else { return false }
        return names.contains(String(name)) || isAddress(name)
    }

    private func isPort(_ rest: Substring) -> Bool {
        rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
    }

    private func isAddress(_ name: Substring) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.first != "+" }
    }

    // MARK: Token

    private func checkToken(_ head: RequestHead) throws(WebRefusal) {
        guard let token else { return }
        guard head.authorizations.count == 1, let given = head.authorizations.first, isBearer(given, of: token) else {
            throw WebRefusal(.unauthorized, "The token is missing or wrong: send Authorization: Bearer TOKEN.")
        }
    }

    private func isBearer(_ text: String, of token: String) -> Bool {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        return Self.isSame(Array(words[1].utf8), Array(token.utf8))
    }

    /// Compares all bytes, wherever the first wrong one is: the time that it needs gives no hint for guessing.
    private static func isSame(_ given: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard given.count == wanted.count else { return false }
        return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
